import type { Draft } from '../pos/receipts/draft.ts'
import type { LineState } from '../resources/receipt-schema.ts'
import type { Catalogue, Extra, Sold } from './catalogue.ts'
import { percentOf, type Scaled, scaled, toWire } from './decimal.ts'
import type { Course } from './item.ts'
import { CARD, CASH, DELIVERY, DINE_IN, ONLINE, TABLES_PER_VENUE, TAKE_AWAY, VOUCHER } from './methods.ts'
import { MINUTE, openDays } from './opening-hours.ts'
import { staffAt } from './people.ts'
import { type Random, seeded, uuidOf } from './random.ts'
import type { CustomerGroupRow, CustomerRow } from './rows.ts'

export interface SaleDay {
  start: number
  sales: Sale[]
}

/** What was sold, to whom and how, before it is added up. */
export interface Sale {
  /** What does not depend on the total. */
  readonly receipt: Draft['receipt'] & { created_at: string }
  readonly lines: readonly Line[]
  readonly group: CustomerGroupRow | undefined
  readonly priceOf: (line: Line) => Scaled
  /** How the total is paid once it is known; an open receipt is not paid yet. */
  readonly pay: ((total: number) => NonNullable<Draft['receipt']['payment_methods']>) | undefined
  /** How far the kitchen has come with an open receipt. */
  readonly state: LineState
}

/** What was rung up: the receipt's lines are made of it, and stock operations name them by id. */
export interface Line {
  id: number
  sold: Sold
  /** Portions, pieces, or intervals of a timer. */
  count: number
  extras: Extra[]
  /** Percent. */
  discount: number
  isGift: boolean
}

interface SalesOptions {
  catalogue: Catalogue
  groups: CustomerGroupRow[]
  customers: CustomerRow[]
  today: Date
  receipts: number
}

type SaleType = typeof DINE_IN | typeof TAKE_AWAY | typeof DELIVERY

const SERVICE_PERCENT = 10
const DELIVERY_FEES = [2.9, 3.9, 4.9]
const LINE_DISCOUNT = 20 // percent, for what came late

/** Nobody delivers from the third venue (house.ts). */
const NO_DELIVERY = 3

/** The last to come in are still here, whatever the hour. */
const STILL_OPEN = 5

/** The sales of each day in the order in which they began. Drawing them again gives the same ones. */
export function* salesByDay({ catalogue, groups, customers, today, receipts }: SalesOptions): Generator<SaleDay> {
  const random = seeded('sales')
  // What was thought of later has a stream of its own, so that it does not change the rest.
  const courtesy = seeded('courtesy')
  const courses = Map.groupBy(catalogue.sold, ({ course }) => course)
  const now = today.getTime()
  let receiptId = 0
  let lineId = 0
  let orderNumber = 0

  function createReceipt(opened: number): Sale {
    const id = ++receiptId
    const venueId = id === 1 ? 1 : venueOf(random.between(1, 100))
    const wanted = saleTypeOf(random.between(1, 100))
    const type = wanted === DELIVERY && venueId === NO_DELIVERY ? TAKE_AWAY : wanted
    const guests = type === DINE_IN ? random.pick([1, 2, 2, 2, 3, 4, 4, 6]) : undefined
    const lines = order(courses, random, type, opened, guests ?? 2).map((line, index) => ({
      id: ++lineId,
      ...line,
      ...withCourtesy(line, courtesy, index),
    }))
    const customer = type === DELIVERY || random.percent(30) ? random.pick(customers) : undefined
    const fee = type === DELIVERY ? random.pick(DELIVERY_FEES) : 0
    const stay = random.between(type.stay[0] * MINUTE, type.stay[1] * MINUTE)
    const closed = opened + stay <= now && id <= receipts - STILL_OPEN ? opened + stay : undefined
    const updated_at = new Date(closed ?? Math.min(opened + Math.floor(stay / 3), now)).toISOString()

    const receipt: Sale['receipt'] = {
      id,
      venue_id: venueId,
      cid: uuidOf('receipt', id),
      user_id: random.pick(staffAt(venueId)).id,
      terminal_id: venueId * 2 - random.between(0, 1),
      source: type === DELIVERY ? random.pick(['WEBSITE', 'WEBSITE', 'APP', 'PHONE']) : 'POS',
      sale_type_id: type.id,
      status: closed ? 2 : 1,
      lock: closed !== undefined,
      payment_methods: [],
      service_charge: type === DINE_IN ? SERVICE_PERCENT : 0,
      delivery_fee: fee,
      order_status: closed ? 'COMPLETED' : 'NEW', // S3
      created_at: new Date(opened).toISOString(),
      updated_at,
    }
    const pay = closed ? payment(type, random) : undefined
    if (customer) receipt.customer_id = Number(customer.id)
    if (guests) receipt.guests = guests
    if (type === DINE_IN) receipt.table_id = tableAt(venueId, courtesy)
    if (type === DELIVERY) {
      if (!closed) receipt.order_status = random.pick(['NEW', 'IN_PROGRESS', 'READY', 'PICKED_UP'])
      receipt.order_number = `L-${String(++orderNumber).padStart(5, '0')}`
    }
    if (closed) {
      receipt.fiscal_id = `F${venueId}-${String(id).padStart(8, '0')}`
      receipt.closed_at = updated_at
    }
    return {
      receipt,
      lines,
      group: customer && groups[customer.group_id - 1],
      priceOf: ({ sold }) => listPrice(sold, type),
      pay,
      state: type === DELIVERY ? STATES[receipt.order_status as keyof typeof STATES] : 'SENT',
    }
  }

  for (const day of openDays(today, receipts)) {
    const sales = Array.from({ length: day.guests }, (_, turn) => createReceipt(day.arrival(turn, random.fraction())))
    yield { start: day.start, sales }
  }
}

function venueOf(percentile: number): number {
  if (percentile <= 50) return 1
  return percentile <= 80 ? 2 : 3
}

function saleTypeOf(percentile: number): SaleType {
  if (percentile <= 65) return DINE_IN
  return percentile <= 82 ? TAKE_AWAY : DELIVERY
}

function order(
  courses: Map<Course, Sold[]>,
  random: Random,
  type: SaleType,
  opened: number,
  guests: number,
): Omit<Line, 'id'>[] {
  return coursesAt(opened, type, random).map((course) => {
    const sold = random.pick(courses.get(course)!)
    if (sold.clock) return { sold, count: random.between(2, 10), extras: [], ...FULL_PRICE }
    const count = random.between(1, Math.min(guests, 3))
    const extras = sold.extras.length && random.percent(40) ? [random.pick(sold.extras)] : []
    return { sold, count, extras, ...FULL_PRICE }
  })
}

const FULL_PRICE = { discount: 0, isGift: false }

/** Where a guest has to choose and nothing is chosen yet, one of what costs nothing; now and then something is on the house. */
function withCourtesy(
  { sold, extras }: Omit<Line, 'id'>,
  random: Random,
  index: number,
): Omit<Line, 'id' | 'count' | 'sold'> {
  const missing = sold.required.filter((options) => !options.some((option) => extras.includes(option)))
  const chosen = [...extras, ...missing.map((options) => random.pick(options.filter(({ price }) => price === 0)))]
  const isGift = index > 0 && random.percent(1) // not the only line
  return { extras: chosen, isGift, discount: !isGift && random.percent(2) ? LINE_DISCOUNT : 0 }
}

/** How far the kitchen has come with a delivery that is still open (S3). */
const STATES = { NEW: 'NEW', IN_PROGRESS: 'COOKING', READY: 'READY', PICKED_UP: 'SERVED' } as const

const tableAt = (venueId: number, random: Random) =>
  (venueId - 1) * TABLES_PER_VENUE + random.between(1, TABLES_PER_VENUE)

function coursesAt(opened: number, type: SaleType, random: Random): Course[] {
  const hour = new Date(opened).getUTCHours()
  const some = (course: Course, chance: number) => (random.percent(chance) ? [course] : [])
  if (hour >= 22 || hour < 6) {
    return ['drink', ...some('starter', 50), ...some('drink', 40), ...some('pastime', type === DINE_IN ? 30 : 0)]
  }
  if (hour < 11) return ['breakfast', ...some('breakfast', 60), ...some('drink', 20)]
  return [...some('starter', 30), 'main', ...some('drink', 75), ...some('dessert', 30)]
}

/** A timer's price follows from its steps. */
const listPrice = (sold: Sold, type: SaleType): Scaled =>
  type === DINE_IN ? sold.tablePrice : type === DELIVERY ? sold.deliveryPrice : sold.price

/** How a receipt is paid, once its total is known. */
function payment(type: SaleType, random: Random): NonNullable<Sale['pay']> {
  const paid = (method: { id: number; name: string }, amount: Scaled) => ({ ...method, amount: toWire(amount) })
  const whole = (method: { id: number; name: string }) => (total: number) => [paid(method, scaled(total))]
  if (type === DELIVERY) return whole(random.percent(80) ? ONLINE : CARD)
  const method = random.pick([CARD, CARD, CARD, CASH, VOUCHER])
  if (method === CARD || random.percent(50)) return whole(method)
  const percent = random.between(30, 70)
  return (total) => {
    const part = percentOf(scaled(total), percent)
    return [paid(method, part), paid(CARD, scaled(total) - part)]
  }
}
