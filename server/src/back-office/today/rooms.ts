import type { Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { OPEN, USUAL_COOKING_MINUTES } from '../../values/states.ts'
import { fromScaled, instantOf } from '../../values/values.ts'
import type { Today } from './schema.ts'

// What goes on in the venues at this moment. Each is a partial index: only what is open or waits is read.

/** Venues of a brand. */
export interface Place {
  readonly brand_id: number
  readonly venues: readonly number[]
}

const inVenues = ({ brand_id, venues }: Place, table = '') => ({
  where: `${table}brand_id = ? and ${table}venue_id in ${venues.length === 0 ? '(null)' : places(venues)}`,
  values: [brand_id, ...venues],
})

interface Counted {
  readonly count: number
  readonly oldest: string | null
}

const oldestOf = ({ oldest }: Counted) => (oldest === null ? {} : { oldest })

export async function openReceipts(db: Queries, place: Place): Promise<NonNullable<Today['open']>> {
  const { where, values } = inVenues(place)
  const [row] = await db.rows<Counted & { total: number }>(
    `select count(*) as count, cast(coalesce(sum(total), 0) as bigint) as total, min(created_at) as oldest
     from receipts where ${where} and status = ${OPEN}`,
    values,
  )
  return { count: row!.count, total: fromScaled(row!.total), ...oldestOf(row!) }
}

export async function waitingOrders(db: Queries, place: Place, now: string): Promise<NonNullable<Today['orders']>> {
  const { where, values } = inVenues(place)
  const [row] = await db.rows<Counted>(
    `select count(*) as count, min(created_at) as oldest from orders
     where ${where} and status = 'PENDING' and (expires_at is null or expires_at > ?)`,
    [...values, now],
  )
  return { waiting: row!.count, ...oldestOf(row!) }
}

/** Tickets whose age is looked at: beyond them, nobody counts. */
const MAX_AGED = 500

export async function kitchenLoad(db: Queries, place: Place, nowMs: number): Promise<NonNullable<Today['kitchen']>> {
  const { where, values } = inVenues(place)
  const waits = `${where} and state in ('SENT', 'COOKING')`
  const [row] = await db.rows<Counted>(
    `select count(*) as count, min(created_at) as oldest from tickets where ${waits}`,
    values,
  )
  const { count: waiting, oldest } = row!
  const minuteAgo = instantOf(nowMs - 60_000) // nothing is late before
  if (oldest === null || oldest > minuteAgo) return { waiting, late: 0 }
  const tickets = await db.rows<{ id: number; receipt_id: number; created_at: string }>(
    `select id, receipt_id, created_at from tickets where ${waits} and created_at <= ? order by created_at limit ${MAX_AGED}`,
    [...values, minuteAgo],
  )
  const minutes = await cookingMinutes(db, place.brand_id, tickets)
  const isLate = ({ id, created_at }: (typeof tickets)[number]) =>
    nowMs - Date.parse(created_at) >= (minutes.get(id) || USUAL_COOKING_MINUTES) * 60_000
  return { waiting, late: tickets.filter(isLate).length }
}

/** The longest cooking time of each ticket's dishes. */
async function cookingMinutes(
  db: Queries,
  brand_id: number,
  tickets: readonly { readonly id: number; readonly receipt_id: number }[],
): Promise<Map<number, number>> {
  const lines = await db.rows<{ ticket_id: number; details: string }>(
    `select ticket_id, products.details from receipt_lines as lines
     join products on products.brand_id = lines.brand_id and products.id = lines.product_id
     where lines.brand_id = ? and lines.receipt_id in ${places(tickets)} and lines.ticket_id in ${places(tickets)}
       and lines.state <> 'VOID'`,
    [brand_id, ...tickets.map(({ receipt_id }) => receipt_id), ...tickets.map(({ id }) => id)],
  )
  const longest = new Map<number, number>()
  for (const { ticket_id, details } of lines) {
    const { cooking_time = 0 } = JSON.parse(details) as { cooking_time?: number }
    longest.set(ticket_id, Math.max(longest.get(ticket_id) ?? 0, cooking_time))
  }
  return longest
}

const MAX_SHIFTS = 100

export async function openShifts(db: Queries, place: Place): Promise<NonNullable<Today['shifts']>> {
  const { where, values } = inVenues(place, 'shifts.')
  const rows = await db.rows<{
    id: string
    venue: string
    terminal: string | null
    opened_at: string
    opened_by: string | null
  }>(
    `select shifts.id, venues.name as venue, terminals.name as terminal, shifts.opened_at, users.name as opened_by
     from cash_shifts as shifts
     join venues on venues.brand_id = shifts.brand_id and venues.id = shifts.venue_id
     left join terminals on terminals.brand_id = shifts.brand_id and terminals.id = shifts.terminal_id
     left join users on users.brand_id = shifts.brand_id and users.id = shifts.opened_by
     where ${where} and shifts.status = 'OPEN' order by shifts.opened_at limit ${MAX_SHIFTS}`,
    values,
  )
  return rows.map(({ terminal, opened_by, ...row }) => ({
    ...row,
    terminal: terminal ?? '–',
    ...(opened_by !== null && { opened_by }),
  }))
}

const MAX_NAMED = 5

/** What the stop list has, and what of the stock is below its low stock, where the person may read that. */
export async function runningOut(
  db: Queries,
  place: Place,
  now: string,
  readsStock: boolean,
): Promise<NonNullable<Today['short']>> {
  const listed = inVenues(place, 'stop_list.')
  const stopped = `from stop_list where ${listed.where} and (stop_list.until is null or stop_list.until > ?)`
  const [count] = await db.rows<{ sold_out: number; listed: number }>(
    `select cast(coalesce(sum(case when remaining <= 0 then 1 else 0 end), 0) as bigint) as sold_out, count(*) as listed
     ${stopped}`,
    [...listed.values, now],
  )
  const { sold_out, listed: all } = count!
  const portions =
    all === 0
      ? []
      : await db.rows<{ venue: string; name: string; remaining: number }>(
          `select venues.name as venue, stop_list.remaining,
             case when products.parent_id is null then products.name else coalesce(products.full_name, products.name) end as name
           from stop_list join products on products.brand_id = stop_list.brand_id and products.id = stop_list.id
           join venues on venues.brand_id = stop_list.brand_id and venues.id = stop_list.venue_id
           where ${listed.where} and (stop_list.until is null or stop_list.until > ?)
           order by stop_list.remaining, products.name_folded, stop_list.venue_id limit ${MAX_NAMED}`,
          [...listed.values, now],
        )
  const items = portions.map(({ remaining, ...item }) => ({ ...item, left: fromScaled(remaining) }))
  if (!readsStock) return { sold_out, few_left: all - sold_out, items }
  const low = await lowStock(db, place)
  return {
    sold_out,
    few_left: all - sold_out,
    low: low.count,
    items: [...items, ...low.items],
  }
}

/** Reads the stocks of products with a `low_stock` only: few have one. */
async function lowStock(db: Queries, place: Place) {
  const { where, values } = inVenues(place, 'stocks.')
  const rows = await db.rows<{ venue: string; name: string; quantity: number; unit: string | null; count: number }>(
    `select venues.name as venue, products.name, low.quantity, units.body as unit, low.count from
       (select stocks.venue_id, stocks.product_id, cast(sum(stocks.quantity) as bigint) as quantity, count(*) over () as count
        from products as low join stocks on stocks.brand_id = low.brand_id and stocks.product_id = low.id
        where low.brand_id = ? and low.low_stock is not null and ${where}
        group by stocks.venue_id, stocks.product_id, low.low_stock having sum(stocks.quantity) < low.low_stock
        order by 3, 1, 2 limit ${MAX_NAMED}) as low
     join products on products.brand_id = ? and products.id = low.product_id
     join venues on venues.brand_id = products.brand_id and venues.id = low.venue_id
     left join units on units.brand_id = products.brand_id and units.id = products.unit_id
     order by low.quantity, products.name_folded, low.venue_id`,
    [place.brand_id, ...values, place.brand_id],
  )
  const items = rows.map(({ venue, name, quantity, unit }) => ({
    venue,
    name,
    left: fromScaled(quantity),
    ...(unit !== null && { unit: (JSON.parse(unit) as { symbol: string }).symbol }),
  }))
  return { count: rows[0]?.count ?? 0, items }
}
