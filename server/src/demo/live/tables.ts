import type { Product, Receipt } from '@comptoir/sdk'
import { type House, refusalOf } from './house.ts'
import { lineOf } from './website.ts'

// Guests who sit down: they order by seat, their courses are fired one after the other, some pay for themselves, and most tip.

const COURSES = 3
const IN = 'IN'

/** A table as the floor shows it. */
interface Table {
  readonly id: number
  readonly state: string
  readonly seats?: number
}

/** What every act for a party needs. */
interface Party {
  readonly house: House
  readonly venue: number
  readonly card: number
}

/** Every few minutes somebody sits down where a table is free. */
export async function tables(house: House, venue: number): Promise<void> {
  const { website, random, tally } = house
  const client = website.client.venue(venue)
  const { products, card } = await website.menu(venue)
  const saleType = await firstOf(client.saleTypes.list(), ({ channel }) => channel === IN)
  if (saleType === undefined || card === undefined) return
  const dishes = await byCourse(house, products)
  while (!house.isOver()) {
    await house.minutes(random.between(3, 9))
    if (house.isOver()) return
    const free = (await freeTables({ house, venue, card })).at(0)
    if (!free) continue
    const guests = random.between(1, free.seats ?? 2)
    try {
      const opened = await house.staff.ask('POST', '/receipts', {
        venue,
        body: {
          cid: crypto.randomUUID(),
          sale_type_id: saleType.id,
          table_id: free.id,
          guests,
          lines: linesOf(house, dishes, guests),
        },
      })
      tally.seated++
      house.begin(() => dine({ house, venue, card }, opened.id, guests))
    } catch (error) {
      if (refusalOf(error) !== 'sold_out') throw error
      tally.soldOut++
    }
  }
}

async function firstOf<Row>(rows: AsyncIterable<Row>, isIt: (row: Row) => boolean): Promise<Row | undefined> {
  for await (const row of rows) if (isIt(row)) return row
  return undefined
}

/** Free tables in random order, so that both halls have guests. */
async function freeTables({ house, venue }: Party): Promise<Table[]> {
  const { tables } = (await house.staff.ask('GET', '/floor', { venue })) as { tables: Table[] }
  const free = tables.filter(({ state }) => state === 'free').map((table) => ({ table, rank: house.random.fraction() }))
  return free.sort((one, other) => one.rank - other.rank).map(({ table }) => table)
}

/** What may be ordered of each course: a category says in which its products are served. */
async function byCourse({ website }: House, products: readonly Product[]): Promise<Product[][]> {
  const courseOf = new Map<number, number>()
  for await (const { id, course } of website.client.categories.list({ include_children: false }))
    if (course !== undefined) courseOf.set(id, course)
  return Array.from({ length: COURSES }, (_, index) =>
    products.filter(({ category_id }) => courseOf.get(category_id ?? 0) === index + 1),
  )
}

/** A main for each seat, a starter or a dessert for most, and now and then an allergy that the kitchen is told of. */
function linesOf({ random }: House, dishes: readonly Product[][], guests: number): object[] {
  return Array.from({ length: guests }, (_, index) => index + 1).flatMap((seat) =>
    dishes.flatMap((products, index) => {
      if (products.length === 0 || (index !== 1 && !random.percent(60))) return []
      const warned = random.percent(5) && { note: 'Sans noix', allergy: true }
      return [{ cid: crypto.randomUUID(), ...lineOf(random.pick(products), random), count: 1, seat, ...warned }]
    }),
  )
}

/** One evening of a party, from the first course to the bill. It goes on when the day is over meanwhile. */
async function dine(party: Party, receipt_id: number, guests: number): Promise<void> {
  const { house, venue } = party
  const { staff, random, tally } = house
  const act = (path: string, body: object = {}) => staff.ask('POST', `/receipts/${receipt_id}${path}`, { venue, body })
  try {
    await house.minutes(random.between(2, 5))
    await act('/send')
    await cook(party, receipt_id)
    for (let course = 2; course <= COURSES; course++) {
      await house.minutes(random.between(8, 15))
      await act('/fire', { course })
      tally.fired++
      await cook(party, receipt_id)
    }
    await house.minutes(random.between(5, 15))
    if (random.percent(15)) await moveAway(party, receipt_id)
    if (guests > 1 && random.percent(25)) await leaveEarly(party, receipt_id)
    if (guests > 2 && random.percent(30)) await payEvenly(party, receipt_id, guests)
    await payRest(party, receipt_id)
  } catch (error) {
    if (!DONE_BY_SOMEBODY.has(refusalOf(error))) throw error
  }
}

/** Others work at the same demo: somebody at the till may have closed, cancelled or merged what these guests had. */
const DONE_BY_SOMEBODY = new Set([
  'receipt_closed',
  'receipt_cancelled',
  'receipt_locked',
  'overpaid',
  'total_mismatch',
])

/** The kitchen makes what its screen shows of this receipt, and the waiter serves it. */
async function cook({ house, venue }: Party, receipt_id: number): Promise<void> {
  const { staff, random } = house
  const shown = (await staff.ask('GET', '/tickets', { venue })) as { id: number; receipt_id: number; state: string }[]
  for (const { id } of shown.filter((ticket) => ticket.receipt_id === receipt_id && ticket.state === 'SENT'))
    for (const step of ['start', 'ready', 'serve']) {
      await staff.ask('POST', `/tickets/${id}/${step}`, { venue, body: {} }).catch((error) => {
        if (refusalOf(error) !== 'receipt_in_kitchen') throw error // a cook at the screen was faster
      })
      await house.minutes(random.between(1, 4))
    }
}

/** The terrace is free now, or it rains. */
async function moveAway(party: Party, receipt_id: number): Promise<void> {
  const { house, venue } = party
  const [free] = await freeTables(party)
  if (free) await house.staff.ask('PATCH', `/receipts/${receipt_id}`, { venue, body: { table_id: free.id } })
}

/** A guest goes before the others: what that seat ordered is split off, and paid. */
async function leaveEarly(party: Party, receipt_id: number): Promise<void> {
  const { house, venue } = party
  const { receipt_products: lines = [] } = await house.staff.receipt(venue, receipt_id)
  const seats = new Set((lines as { seat?: number; state: string }[]).filter(isAlive).map(({ seat }) => seat))
  if (seats.size < 2 || !seats.has(1)) return
  const body = { parts: [{ cid: crypto.randomUUID(), seats: [1], guests: 1 }] }
  const [, part] = await house.staff.ask('POST', `/receipts/${receipt_id}/split`, { venue, body })
  house.tally.splits++
  await payRest(party, part.id)
}

const isAlive = ({ state }: { state: string }) => state !== 'VOID'

/** All but the last pay their shares; the last one's closes the bill. */
async function payEvenly({ house, venue, card }: Party, receipt_id: number, guests: number): Promise<void> {
  const path = `/receipts/${receipt_id}/shares?by=even&count=${guests}`
  const shares = (await house.staff.ask('GET', path, { venue })) as { label: string; amount: number }[]
  for (const { label, amount } of shares.slice(0, -1).filter((share) => share.amount > 0)) {
    const payment = { id: card, amount, share: label, ...tipFor(house, amount) }
    await house.staff.ask('POST', `/receipts/${receipt_id}/payments`, { venue, body: { payment_methods: [payment] } })
  }
  house.tally.splits++
}

async function payRest({ house, venue, card }: Party, receipt_id: number): Promise<void> {
  const { staff, tally } = house
  const { remaining = 0 } = await staff.receipt(venue, receipt_id)
  const payment_methods = remaining > 0 ? [{ id: card, amount: remaining, ...tipFor(house, remaining) }] : []
  const closed: Receipt = await staff.ask('POST', `/receipts/${receipt_id}/close`, { venue, body: { payment_methods } })
  if (closed.order_status !== 'COMPLETED')
    await staff.ask('PATCH', `/receipts/${receipt_id}`, { venue, body: { order_status: 'COMPLETED' } })
  tally.closed++
}

/** A tenth in whole units, by most. */
function tipFor({ random, tally }: House, amount: number): { tip?: number } {
  const tip = Math.round(amount / 10)
  if (tip === 0 || !random.percent(60)) return {}
  tally.tips++
  return { tip }
}
