import type { Carte, Extra, Sold } from './carte.ts'
import { percentOf, type Scaled, scaled, toWire } from './decimal.ts'
import type { Course } from './item.ts'
import { staffAt } from './people.ts'
import { type Random, seeded, uuidOf } from './random.ts'
import { MINUTE, openDays } from './rhythm.ts'
import type { CustomerGroupRow, CustomerRow, ReceiptRow } from './rows.ts'

export interface SaleDay {
  start: number
  sales: Sale[]
}

export interface Sale {
  receipt: ReceiptRow
  lines: Line[]
}

/** Lines are not on the wire; stock operations name them by id. */
export interface Line {
  id: number
  sold: Sold
  /** Portions, pieces, or intervals of a timer. */
  count: number
  extra?: Extra
}

export interface House {
  carte: Carte
  groups: CustomerGroupRow[]
  customers: CustomerRow[]
  today: Date
  receipts: number
}

const DINE_IN = { id: 1, stay: [40, 120] } as const
const TAKE_AWAY = { id: 2, stay: [4, 15] } as const
const DELIVERY = { id: 3, stay: [25, 60] } as const
type SaleType = typeof DINE_IN | typeof TAKE_AWAY | typeof DELIVERY

const CASH = { id: 1, name: 'Espèces' }
const CARD = { id: 2, name: 'Carte bancaire' }
const VOUCHER = { id: 3, name: 'Titre-restaurant' }
const ONLINE = { id: 4, name: 'Paiement en ligne' }

const SERVICE_PERCENT = 10
const DELIVERY_FEES = [2.9, 3.9, 4.9].map(scaled)

/** The last to come in are still here, whatever the hour. */
const STILL_OPEN = 5

/** The sales of each day in the order in which they began. Drawing them again gives the same ones. */
export function* salesByDay({ carte, groups, customers, today, receipts }: House): Generator<SaleDay> {
  const random = seeded('sales')
  const courses = Map.groupBy(carte.sold, ({ course }) => course)
  const now = today.getTime()
  let receiptId = 0
  let lineId = 0
  let orderNumber = 0

  function ring(opened: number): Sale {
    const id = ++receiptId
    const venueId = id === 1 ? 1 : venueOf(random.between(1, 100))
    const type = saleTypeOf(random.between(1, 100))
    const guests = type === DINE_IN ? random.pick([1, 2, 2, 2, 3, 4, 4, 6]) : undefined
    const lines = order(courses, random, type, opened, guests ?? 2).map((line) => ({ id: ++lineId, ...line }))
    const customer = type === DELIVERY || random.percent(30) ? random.pick(customers) : undefined

    const subtotal = lines.reduce((sum, line) => sum + priceOf(line, type), 0)
    const discount = discountOf(subtotal, customer && groups[customer.group_id - 1])
    const servicePercent = type === DINE_IN ? SERVICE_PERCENT : 0
    const service = percentOf(subtotal - discount.amount, servicePercent)
    const fee = type === DELIVERY ? random.pick(DELIVERY_FEES) : 0
    const total = subtotal - discount.amount + service + fee

    const stay = random.between(type.stay[0] * MINUTE, type.stay[1] * MINUTE)
    const closed = opened + stay <= now && id <= receipts - STILL_OPEN ? opened + stay : undefined

    const receipt: ReceiptRow = {
      kind: 'receipt',
      id,
      venue_id: venueId,
      cid: uuidOf('receipt', id),
      user_id: random.pick(staffAt(venueId)).id,
      terminal_id: venueId * 2 - random.between(0, 1),
      source: type === DELIVERY ? random.pick(['WEBSITE', 'WEBSITE', 'APP', 'PHONE']) : 'POS',
      sale_type_id: type.id,
      status: closed ? 2 : 1,
      lock: closed !== undefined,
      total: toWire(total),
      subtotal: toWire(subtotal),
      payment_methods: closed ? pay(total, type, random) : [],
      discount_type: discount.type,
      discount_value: discount.agreed,
      service_charge: servicePercent,
      delivery_fee: toWire(fee),
      created_at: new Date(opened).toISOString(),
      updated_at: new Date(closed ?? Math.min(opened + Math.floor(stay / 3), now)).toISOString(),
    }
    if (customer) receipt.customer_id = Number(customer.id)
    if (guests) receipt.guests = guests
    if (type === DELIVERY) {
      receipt.order_status = closed ? 'COMPLETED' : random.pick(['NEW', 'IN_PROGRESS', 'READY', 'PICKED_UP'])
      receipt.order_number = `L-${String(++orderNumber).padStart(5, '0')}`
    }
    if (closed) {
      receipt.fiscal_id = `F${venueId}-${String(id).padStart(8, '0')}`
      receipt.closed_at = receipt.updated_at
    }
    return { receipt, lines }
  }

  for (const day of openDays(today, receipts)) {
    const sales = Array.from({ length: day.guests }, (_, turn) => ring(day.arrival(turn, random.fraction())))
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
    if (sold.clock) return { sold, count: random.between(2, 10) }
    const count = random.between(1, Math.min(guests, 3))
    const extra = sold.extras.length && random.percent(40) ? { extra: random.pick(sold.extras) } : {}
    return { sold, count, ...extra }
  })
}

function coursesAt(opened: number, type: SaleType, random: Random): Course[] {
  const hour = new Date(opened).getUTCHours()
  const some = (course: Course, chance: number) => (random.percent(chance) ? [course] : [])
  if (hour >= 22 || hour < 6) {
    return ['drink', ...some('starter', 50), ...some('drink', 40), ...some('pastime', type === DINE_IN ? 30 : 0)]
  }
  if (hour < 11) return ['breakfast', ...some('breakfast', 60), ...some('drink', 20)]
  return [...some('starter', 30), 'main', ...some('drink', 75), ...some('dessert', 30)]
}

function priceOf({ sold, count, extra }: Line, type: SaleType): Scaled {
  const { clock } = sold
  if (clock) {
    const steps = clock.steps.toReversed()
    const intervals = Array.from({ length: count }, (_, index) => index * clock.interval)
    return intervals.reduce((sum, minute) => sum + scaled(steps.find(({ from }) => from <= minute)!.price), 0)
  }
  const price = type === DINE_IN ? sold.tablePrice : type === DELIVERY ? sold.deliveryPrice : sold.price
  return (price + (extra?.price ?? 0)) * count
}

/** What the customer's group is granted: the percent or the amount agreed, and what it takes off the bill. */
interface Discount {
  type: 0 | 1 | 2
  agreed: number
  amount: Scaled
}

/** An amount that is worth more than the bill is kept for another day. */
function discountOf(subtotal: Scaled, group?: CustomerGroupRow): Discount {
  const agreed = group?.discount_value ?? 0
  if (group?.discount_type === 'percent') return { type: 1, agreed, amount: percentOf(subtotal, agreed) }
  if (group?.discount_type === 'amount' && subtotal > scaled(agreed)) return { type: 2, agreed, amount: scaled(agreed) }
  return { type: 0, agreed: 0, amount: 0 }
}

function pay(total: Scaled, type: SaleType, random: Random): ReceiptRow['payment_methods'] {
  const paid = (method: { id: number; name: string }, amount: Scaled) => ({ ...method, amount: toWire(amount) })
  if (type === DELIVERY) return [paid(random.percent(80) ? ONLINE : CARD, total)]
  const method = random.pick([CARD, CARD, CARD, CASH, VOUCHER])
  if (method === CARD || random.percent(50)) return [paid(method, total)]
  const part = percentOf(total, random.between(30, 70))
  return [paid(method, part), paid(CARD, total - part)]
}
