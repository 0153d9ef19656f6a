import { setTimeout as sleep } from 'node:timers/promises'
import type { ComptoirError } from '@comptoir/sdk'
import { seeded } from '../random.ts'
import { type House, refusalOf, type Tally } from './house.ts'
import { CallRefused, StaffMember } from './staff.ts'
import { tables } from './tables.ts'
import { Website } from './website.ts'

// A restaurant at work: a website that orders, guests who sit down, and staff who accept, cook, close, restock and count drawers. Everything goes through the
// API and the routes of the back office; nothing is written beside them.

export interface LiveOptions {
  readonly origin: string
  /** How much faster than a real day: 60 makes an hour of a minute. */
  readonly speed: number
  readonly seed: number
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

const MINUTE_MS = 60_000
const SHOWN = 20

/** Works until the signal says that it is over, then ends what was begun and counts the drawers. */
export async function runLive(options: LiveOptions): Promise<Tally> {
  const { origin, speed, seed, signal, say } = options
  const tally: Tally = {
    placed: 0,
    accepted: 0,
    refused: 0,
    closed: 0,
    soldOut: 0,
    venueClosed: 0,
    supplied: 0,
    seated: 0,
    fired: 0,
    splits: 0,
    tips: 0,
    failed: [],
  }
  const website = new Website(origin)
  const staff = new StaffMember(origin)
  await staff.signIn()
  const venues = await website.venues()
  const waiting: Promise<void>[] = []
  const house: House = {
    website,
    staff,
    tally,
    random: seeded(`live ${seed}`),
    minutes: (count) => sleep((count * MINUTE_MS) / speed, undefined, { signal }).catch(() => {}),
    isOver: () => signal.aborted,
    /** Something that goes on beside the rest. */
    begin(work) {
      waiting.push(work().catch((error: Error) => failed(tally, error)))
    },
  }
  const drawers = await Promise.all(venues.map((venue) => openDrawers(house, venue)))
  say(`${venues.length} venues are open; one real minute is ${speed} of theirs.`)
  house.begin(() => guests(house, venues))
  for (const venue of venues) {
    house.begin(() => counter(house, venue))
    house.begin(() => tables(house, venue))
    house.begin(() => storeRoom(house, venue))
  }
  for (let done = 0; done < waiting.length; done++) await waiting[done] // what is begun meanwhile is waited for too
  for (const drawer of drawers.flat()) await closeDrawer(house, drawer).catch((error: Error) => failed(tally, error))
  return tally
}

function failed(tally: Tally, error: Error): void {
  if (tally.failed.length < SHOWN) tally.failed.push(error.message)
  else tally.failed[SHOWN] = 'and more'
}

/** Guests order, each at a moment of their own. */
async function guests(house: House, venues: readonly number[]): Promise<void> {
  const { website, tally, random } = house
  const closed = new Map<number, number>()
  while (!house.isOver()) {
    await house.minutes(0.2 + random.fraction() * 2.4)
    const open = venues.filter((venue) => (closed.get(venue) ?? 0) <= Date.now())
    if (house.isOver() || open.length === 0) continue
    const venue = random.pick(open)
    try {
      const order = await website.order(venue, random)
      tally.placed++
      if (order.receipt_id !== undefined) {
        tally.accepted++
        serve(house, venue, order.receipt_id)
      }
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === 'sold_out') tally.soldOut++
      else if (refusal === 'venue_closed') {
        tally.venueClosed++
        closed.set(venue, Date.parse(String((error as ComptoirError).details?.opens_at)) || Number.POSITIVE_INFINITY)
      } else failed(tally, error as Error)
    }
  }
}

/** Staff look at the orders that wait, and refuse a few. */
async function counter(house: House, venue: number): Promise<void> {
  const { staff, tally, random } = house
  while (!house.isOver()) {
    await house.minutes(1)
    for (const { id } of await staff.pending(venue)) {
      try {
        if (random.percent(5)) {
          await staff.ask('POST', `/orders/${id}/refuse`, { venue, body: { reason: 'The kitchen is full.' } })
          tally.refused++
          continue
        }
        const order = await staff.ask('POST', `/orders/${id}/accept`, { venue, body: {} })
        tally.accepted++
        serve(house, venue, order.receipt_id)
      } catch (error) {
        if (refusalOf(error) !== 'order_not_pending') throw error // who placed it may have taken it back
      }
    }
  }
}

/** An accepted order is sent, cooked, handed over and paid, also when the day is over meanwhile. */
function serve(house: House, venue: number, receipt_id: number): void {
  const { staff, tally, random } = house
  house.begin(async () => {
    await staff.ask('POST', `/receipts/${receipt_id}/send`, { venue, body: {} })
    const { receipt_products: lines = [] } = await staff.receipt(venue, receipt_id)
    for (const ticket of ticketsOf(lines)) {
      await house.minutes(random.between(1, 3))
      await staff.ask('POST', `/tickets/${ticket}/start`, { venue, body: {} })
      await house.minutes(random.between(3, 8))
      await staff.ask('POST', `/tickets/${ticket}/ready`, { venue, body: {} })
    }
    await house.minutes(random.between(1, 5))
    await closeReceipt(house, venue, receipt_id)
    tally.closed++
  })
}

/** A ticket has the id of its first line: one for each station. */
export function ticketsOf(lines: readonly { id: number; state: string; station_id?: number }[]): number[] {
  const sent = lines.filter(({ state }) => state === 'SENT')
  return [...Map.groupBy(sent, ({ station_id }) => station_id)].map(([, own]) => own[0]!.id)
}

export async function closeReceipt(
  { website, staff, random }: Pick<House, 'website' | 'staff' | 'random'>,
  venue: number,
  receipt_id: number,
): Promise<void> {
  const receipt = await staff.receipt(venue, receipt_id)
  const { card } = await website.menu(venue)
  const method = random.percent(50) || card === undefined ? CASH : card
  const { remaining = 0 } = receipt
  const payment_methods = remaining > 0 ? [{ id: method, amount: remaining }] : []
  await staff.ask('POST', `/receipts/${receipt_id}/close`, { venue, body: { payment_methods } })
  const { order_status } = await staff.receipt(venue, receipt_id)
  if (order_status !== 'COMPLETED')
    await staff.ask('PATCH', `/receipts/${receipt_id}`, { venue, body: { order_status: 'COMPLETED' } })
}

const CASH = 1

/** What runs low is delivered every hour. */
async function storeRoom(house: House, venue: number): Promise<void> {
  const { website, staff, tally } = house
  while (!house.isOver()) {
    await house.minutes(60)
    if (house.isOver()) return
    const client = website.client.venue(venue)
    const low = await firstRows(client.stock.list({ filters: [['quantity', '<', 20]], limit: 20 }), 20)
    const [first] = low
    if (!first) continue
    const body = {
      type: 1,
      storage_id: first.storage_id,
      supplier_id: 1,
      items: low
        .filter(({ storage_id }) => storage_id === first.storage_id)
        .map(({ product_id, cost }) => ({ product_id, quantity: 50, cost: cost > 0 ? cost : 1 })),
    }
    const { id } = await staff.ask('POST', '/operations', { venue, body })
    await staff.ask('POST', `/operations/${id}/publish`, { venue, body: {} })
    tally.supplied++
  }
}

async function firstRows<Row>(list: AsyncIterable<Row>, most: number): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of list) if (rows.push(row) === most) break
  return rows
}

interface Drawer {
  readonly venue: number
  readonly id: string
}

/** Opens a drawer at each terminal of a venue, or goes on with the one that is open. */
async function openDrawers({ website, staff }: House, venue: number): Promise<Drawer[]> {
  const drawers: Drawer[] = []
  for await (const { id: terminal_id } of website.client.venue(venue).terminals.list()) {
    try {
      const shift = await staff.ask('POST', '/shifts', { venue, body: { terminal_id, opening_amount: 150 } })
      drawers.push({ venue, id: shift.id })
    } catch (error) {
      if (!(error instanceof CallRefused) || error.error !== 'shift_open') throw error
      drawers.push({ venue, id: String(error.details.id) })
    }
  }
  return drawers
}

async function closeDrawer({ staff }: House, { venue, id }: Drawer): Promise<void> {
  const { expected_amount } = await staff.ask('GET', `/read/finance/cash-shifts/${id}`, { venue })
  const body = { closing_amount: expected_amount }
  await staff.ask('POST', `/shifts/${id}/close`, { venue, body })
}
