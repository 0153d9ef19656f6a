import type { Queries } from '../storage/database.ts'

// What a brand counts, kept in the transaction that changes it: the last ids given out, and the rows of its tables, which are
// the totals of its lists (D2.9). Transactions meet at these rows: whoever needs several takes them in the order of their names.

/** A table whose rows are counted: in the brand, and where they belong to venues, in each of these too. */
export interface Counted {
  readonly table: string
  readonly scope: 'brand' | 'venue'
}

/** The counter of a table's rows in one venue. */
export const venueCounter = (table: string, venue_id: number) => `${table}:${venue_id}`

/** Moves counters on, each by so much, and answers where they stand: the last of the ids that are now the caller's. */
export async function advance<Name extends string>(
  tx: Queries,
  brand_id: number,
  steps: Readonly<Record<Name, number>>,
): Promise<Record<Name, number>> {
  const entries = Object.entries<number>(steps).sort(([one], [other]) => (one < other ? -1 : 1))
  const rows = await tx.rows<{ name: Name; value: number }>(
    `insert into counters (brand_id, name, value) values ${entries.map(() => '(?, ?, ?)').join(', ')}
     on conflict (brand_id, name) do update set value = counters.value + excluded.value returning name, value`,
    entries.flatMap(([name, step]) => [brand_id, name, step]),
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value])) as Record<Name, number>
}

/** Keeps a counter of ids at or above one that came from outside. */
export async function raise(tx: Queries, brand_id: number, name: string, value: number): Promise<void> {
  await tx.run(
    `insert into counters (brand_id, name, value) values (?, ?, ?) on conflict (brand_id, name)
     do update set value = case when excluded.value > counters.value then excluded.value else counters.value end`,
    [brand_id, name, value],
  )
}

/** Sets the counters of a table to its numbers of rows. The first statement only locks them, so that nobody adds a row meanwhile. */
export async function recount(tx: Queries, brand_id: number, { table, scope }: Counted): Promise<void> {
  await advance(tx, brand_id, { [table]: 0 })
  await tx.run(
    `update counters set value = (select count(*) from ${table} where brand_id = ?) where brand_id = ? and name = ?`,
    [brand_id, brand_id, table],
  )
  if (scope === 'brand') return
  await tx.run(`update counters set value = 0 where brand_id = ? and name like '${table}:%'`, [brand_id])
  await tx.run(
    `insert into counters (brand_id, name, value) select brand_id, '${table}:' || venue_id, count(*) from ${table}
     where brand_id = ? group by brand_id, venue_id on conflict (brand_id, name) do update set value = excluded.value`,
    [brand_id],
  )
}
