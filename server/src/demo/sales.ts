import type { Ordered } from '../pos/receipts/commands.ts'
import { definedOnly } from '../values/defined-only.ts'
import type { Catalogue, Extra, Sold } from './catalogue.ts'
import type { Course } from './item.ts'
import { CARD, CASH, DELIVERY, DINE_IN, ONLINE, TABLES_PER_VENUE, TAKE_AWAY, VOUCHER } from './methods.ts'
import { HOUR, MINUTE, type OpenDay, STILL_OPEN } from './opening-hours.ts'
import { CUSTOMERS, MANAGER, staffAt } from './people.ts'
import { type Random, seeded, uuidOf } from './random.ts'

// What guests come for, from a seeded random generator; what staff do about it is in visits.ts.

/** A business day and its visits. */
export interface SaleDay extends OpenDay {
  readonly sales: readonly Sale[]
}

/** One visit: its guests, what they took and how it ended. */
export interface Sale {
  readonly cid: string
  readonly venue_id: number
  readonly user_id: number
  readonly terminal_id: number
  readonly sale_type_id: number
  readonly customer_id?: number
  readonly guests?: number
  readonly table_id?: number
  /** Set for orders by telephone or from the site. */
  readonly ordered?: Ordered
  readonly lines: readonly Line[]
  readonly opened: number
  /** How long the guests stay, in milliseconds. */
  readonly stay: number
  readonly paid: Paid
  readonly turn: Turn
}

/** What was rung up. */
export interface Line {
  readonly cid: string
  readonly sold: Sold
  /** Portions, pieces, or intervals of a timer. */
  readonly count: number
  readonly extras: readonly Extra[]
  /** Percent. */
  readonly discount: number
  readonly isGift: boolean
}

/** Payment methods, and how much is paid by the first of them, in percent. */
export interface Paid {
  readonly methods: readonly { readonly id: number }[]
  readonly percent: number
  /** A guest who has a balance pays with it first. */
  readonly ownBalance: boolean
}

/** Deviations from a usual visit. */
export interface Turn {
  readonly isLeftOpen: boolean
  readonly isCancelled: boolean
  /** One of the lines is taken off the bill after it was sent. */
  readonly hasVoid: boolean
  /** The last line is ordered later than the others. */
  readonly hasLateLine: boolean
  /** Somebody leaves earlier and pays a part. */
  readonly hasPart: boolean
  readonly refund?: { readonly after: number; readonly whole: boolean; readonly waste: boolean }
}

type SaleType = typeof DINE_IN | typeof TAKE_AWAY | typeof DELIVERY

const DELIVERY_FEES = [2.9, 3.9, 4.9]
const LINE_DISCOUNT = 20 // percent, for what came late

/** Nobody delivers from the third venue (house.ts). */
const NO_DELIVERY = 3

/** From the count of the drawers: nobody gives money back while the house is closed. */
const CLOSED_AFTER = 21 * HOUR

/** More than one day has at any scale: what is counted on one goes on from here. */
const DAILY = 10_000_000

/** The sales of one business day, in the order in which they began. */
export function salesOf(catalogue: Catalogue, day: OpenDay): Sale[] {
  const random = seeded(`sales ${day.index}`)
  // Later additions have a random stream of their own, so that they do not change the rest.
  const courtesy = seeded(`courtesy ${day.index}`)
  const turns = seeded(`turns ${day.index}`)
  const courses = Map.groupBy(catalogue.sold, ({ course }) => course)
  const firstId = day.index * DAILY
  let sold = firstId
  let lineId = firstId
  let orderNumber = 0

  function createSale(opened: number): Sale {
    const id = ++sold
    const isFirst = id === 1 // examples show it
    const venue_id = isFirst ? 1 : venueOf(random.between(1, 100))
    const wanted = saleTypeOf(random.between(1, 100))
    const type = wanted === DELIVERY && venue_id === NO_DELIVERY ? TAKE_AWAY : wanted
    const guests = type === DINE_IN ? random.pick([1, 2, 2, 2, 3, 4, 4, 6]) : undefined
    const lines = order(courses, random, type, opened, guests ?? 2).map((line, index) => ({
      cid: uuidOf('receipt line', ++lineId),
      ...line,
      ...withCourtesy(line, courtesy, index),
    }))
    const customer_id = type === DELIVERY || random.percent(30) ? random.between(1, CUSTOMERS) : undefined
    const fee = type === DELIVERY ? random.pick(DELIVERY_FEES) : 0
    const stay = random.between(type.stay[0] * MINUTE, type.stay[1] * MINUTE)
    const seller = random.pick(staffAt(venue_id)).id
    const terminal_id = venue_id * 2 - random.between(0, 1)
    const isLeftOpen = id > firstId + day.guests - STILL_OPEN && day.isToday
    const turn = isFirst ? USUAL : turnOf(turns, type, lines, day.start + CLOSED_AFTER - opened - stay)
    return {
      cid: uuidOf('receipt', id),
      venue_id,
      // Only some may take something off the price.
      user_id: lines.some(({ discount, isGift }) => discount > 0 || isGift) ? MANAGER : seller,
      terminal_id,
      sale_type_id: type.id,
      ...definedOnly({ customer_id }),
      ...(guests !== undefined && { guests, table_id: tableAt(venue_id, courtesy) }),
      ...(type === DELIVERY && {
        ordered: {
          source: random.pick(['WEBSITE', 'WEBSITE', 'APP', 'PHONE']),
          order_number: `L-${day.index + 1}-${String(++orderNumber).padStart(3, '0')}`,
          delivery_fee: fee,
        },
      }),
      lines,
      opened,
      stay,
      paid: { ...payment(type, random), ownBalance: turns.percent(25) },
      turn: { ...turn, isLeftOpen },
    }
  }

  return Array.from({ length: day.guests }, (_, turn) => createSale(day.arrival(turn, random.fraction())))
}

const USUAL = { isCancelled: false, hasVoid: false, hasLateLine: false, hasPart: false }

function turnOf(random: Random, type: SaleType, lines: readonly Line[], untilClosed: number): Omit<Turn, 'isLeftOpen'> {
  const isCancelled = random.percent(1.5)
  const hasVoid = random.percent(2) && lines.length > 1
  const hasLateLine = random.percent(15) && type === DINE_IN && lines.length > 1 && !hasVoid
  const hasPart = random.percent(5) && type === DINE_IN
  const isRefunded = random.percent(3)
  const refund = { after: random.between(5 * MINUTE, 8 * HOUR), whole: random.percent(40), waste: random.percent(60) }
  return {
    isCancelled,
    hasVoid,
    hasLateLine,
    hasPart,
    ...(isRefunded && !isCancelled && refund.after < untilClosed && { refund }),
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
): Omit<Line, 'cid'>[] {
  return coursesAt(opened, type, random).map((course) => {
    const sold = random.pick(courses.get(course)!)
    if (sold.clock) return { sold, count: random.between(2, 10), extras: [], ...FULL_PRICE }
    const count = random.between(1, Math.min(guests, 3))
    const extras = sold.extras.length && random.percent(40) ? [random.pick(sold.extras)] : []
    return { sold, count, extras, ...FULL_PRICE }
  })
}

const FULL_PRICE = { discount: 0, isGift: false }

/** Picks a free option where a choice is required and none was made; now and then something is on the house. */
function withCourtesy(
  { sold, extras }: Omit<Line, 'cid'>,
  random: Random,
  index: number,
): Omit<Line, 'cid' | 'count' | 'sold'> {
  const missing = sold.required.filter((options) => !options.some((option) => extras.includes(option)))
  const chosen = [...extras, ...missing.map((options) => random.pick(options.filter(({ price }) => price === 0)))]
  const isGift = index > 0 && random.percent(1) // not the only line
  return { extras: chosen, isGift, discount: !isGift && random.percent(2) ? LINE_DISCOUNT : 0 }
}

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

function payment(type: SaleType, random: Random): Omit<Paid, 'ownBalance'> {
  if (type === DELIVERY) return { methods: [random.percent(80) ? ONLINE : CARD], percent: 100 }
  const method = random.pick([CARD, CARD, CARD, CASH, VOUCHER])
  if (method === CARD || random.percent(50)) return { methods: [method], percent: 100 }
  return { methods: [method, CARD], percent: random.between(30, 70) }
}
