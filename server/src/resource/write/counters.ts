import type { Database, Queries, Value } from '../../storage/database.ts'
import { type StatementWriter, writeLater } from '../../storage/upsert.ts'

// Counters of a brand, changed in the transaction that changes the rows: the last ids, and the numbers of rows, which are the
// totals of its lists (D2.9). Lock order: take several counters sorted by name, in one statement.

/** Whether rows belong to the brand, to a venue, or some to a venue and some to none (P4: balances and transactions). */
export type Scope = 'brand' | 'venue' | 'shared'

/** A table whose rows are counted: per brand, and per venue where rows belong to venues. */
export interface Counted {
  readonly table: string
  readonly scope: Scope
  /** The time of rows that are also counted by venue and day (UTC), for lists of whole days. */
  readonly countedBy?: string | undefined
}

/** How many rows a day of a venue has more, or less. */
export interface DayStep {
  readonly venue_id: number
  readonly day: string
  readonly step: number
}

/** Adds to the rows of each day. A transaction does not wait for it. */
export async function advanceDays(
  tx: StatementWriter,
  brand_id: number,
  table: string,
  steps: readonly DayStep[],
): Promise<void> {
  if (steps.length === 0) return
  const ordered = steps.toSorted((one, other) => one.venue_id - other.venue_id || (one.day < other.day ? -1 : 1))
  await writeLater(
    tx,
    `insert into day_totals (brand_id, name, venue_id, day, value) values ${ordered.map(() => '(?, ?, ?, ?, ?)').join(', ')}
     on conflict (brand_id, name, venue_id, day) do update set value = day_totals.value + excluded.value`,
    ordered.flatMap(({ venue_id, day, step }) => [brand_id, table, venue_id, day, step]),
  )
}

/** The day of an instant, as the list's `date` means it (D2.8). */
export const dayOf = (instant: string) => instant.slice(0, 10)

/** Stands for the venue of rows that have none. */
export const NO_VENUE = 0

/** The counter of a table's rows in one venue. */
export const venueCounter = (table: string, venue_id: number) => `${table}:${venue_id}`

/** The counter of the last id of a kind. */
export const idCounter = (kind: string) => `${kind}_id`

/** Adds to each counter and returns the new values: for ids, the last one that is now reserved for the caller. */
export async function advance<Name extends string>(
  tx: Queries,
  brand_id: number,
  steps: Readonly<Record<Name, number>>,
): Promise<Record<Name, number>> {
  const { text, values } = adding(brand_id, steps)
  const rows = await tx.rows<{ name: Name; value: number }>(`${text} returning name, value`, values)
  return Object.fromEntries(rows.map(({ name, value }) => [name, value])) as Record<Name, number>
}

/** Adds to each counter. A transaction does not wait for it, but holds the counters before its next statement. */
export async function add(
  tx: StatementWriter,
  brand_id: number,
  steps: Readonly<Record<string, number>>,
): Promise<void> {
  const { text, values } = adding(brand_id, steps)
  await writeLater(tx, text, values)
}

function adding(brand_id: number, steps: Readonly<Record<string, number>>): { text: string; values: Value[] } {
  const entries = Object.entries(steps).sort(([one], [other]) => (one < other ? -1 : 1))
  const text = `insert into counters (brand_id, name, value) values ${entries.map(() => '(?, ?, ?)').join(', ')}
     on conflict (brand_id, name) do update set value = counters.value + excluded.value`
  return { text, values: entries.flatMap(([name, step]) => [brand_id, name, step]) }
}

/** One step for each day: a statement changes no row twice. */
export function summedDays(steps: readonly DayStep[]): DayStep[] {
  const sums = new Map<string, DayStep>()
  for (const { venue_id, day, step } of steps) {
    const key = `${venue_id} ${day}`
    sums.set(key, { venue_id, day, step: step + (sums.get(key)?.step ?? 0) })
  }
  return [...sums.values()].filter(({ step }) => step !== 0)
}

/** Keeps a counter of ids at or above one that came from outside. */
export async function raise(tx: StatementWriter, brand_id: number, name: string, value: number): Promise<void> {
  await writeLater(
    tx,
    `insert into counters (brand_id, name, value) values (?, ?, ?) on conflict (brand_id, name)
     do update set value = case when excluded.value > counters.value then excluded.value else counters.value end`,
    [brand_id, name, value],
  )
}

/**
 * Takes a block of ids before the transaction that uses them, so that nobody waits there for another one's id (P16). They rise, with
 * gaps, and are taken once. An import may still bring one of them: then the table's key refuses the row, and its writer takes another.
 */
export async function takeIds(db: Database, brand_id: number, name: string, count: number): Promise<number[]> {
  const { [name]: last } = await db.transaction((tx) => advance(tx, brand_id, { [name]: count }))
  return Array.from({ length: count }, (_, index) => last! - count + 1 + index)
}

const HIGHEST_GIVEN = 2 ** 52

/** Takes ids for rows that come without one, beside rows that bring theirs; answers the id before the first. */
export async function takeBeside(
  tx: Queries,
  brand_id: number,
  name: string,
  given: readonly number[],
  count: number,
): Promise<number> {
  // First: what is taken then is above all that are given. Beside one that leaves no room above it the count goes on.
  const counted = given.filter((id) => id < HIGHEST_GIVEN)
  await raise(tx, brand_id, name, Math.max(0, ...counted))
  return (await advance(tx, brand_id, { [name]: count }))[name]! - count
}

/** Keeps the counter of ids of a table at or above those that it has: one that is removed later is not given out again. */
export async function keepIds(
  tx: Queries,
  brand_id: number,
  { table, kind }: { table: string; kind: string },
): Promise<void> {
  await add(tx, brand_id, { [idCounter(kind)]: 0, [table]: 0 })
  const [last] = await tx.rows<{ id: number | null }>(`select max(id) as id from ${table} where brand_id = ?`, [
    brand_id,
  ])
  await raise(tx, brand_id, idCounter(kind), last!.id ?? 0)
}

/** Sets the counters of a table to its numbers of rows. The first statement only locks them, so that nobody adds a row meanwhile. */
export async function recount(tx: Queries, brand_id: number, { table, scope, countedBy }: Counted): Promise<void> {
  await add(tx, brand_id, { [table]: 0 })
  await tx.run(
    `update counters set value = (select count(*) from ${table} where brand_id = ?) where brand_id = ? and name = ?`,
    [brand_id, brand_id, table],
  )
  if (scope === 'brand') return
  await tx.run(`update counters set value = 0 where brand_id = ? and name like '${table}:%'`, [brand_id])
  await tx.run(
    `insert into counters (brand_id, name, value) select brand_id, '${table}:' || coalesce(venue_id, ${NO_VENUE}), count(*)
     from ${table} where brand_id = ? group by brand_id, coalesce(venue_id, ${NO_VENUE})
     on conflict (brand_id, name) do update set value = excluded.value`,
    [brand_id],
  )
  if (countedBy === undefined) return
  await tx.run('delete from day_totals where brand_id = ? and name = ?', [brand_id, table])
  await tx.run(
    `insert into day_totals (brand_id, name, venue_id, day, value)
       select brand_id, '${table}', coalesce(venue_id, ${NO_VENUE}), substr(${countedBy}, 1, 10), count(*) from ${table}
       where brand_id = ? group by brand_id, coalesce(venue_id, ${NO_VENUE}), substr(${countedBy}, 1, 10)`,
    [brand_id],
  )
}
