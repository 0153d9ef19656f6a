import type { Queries } from '../src/storage/database.ts'

// Every venue has a main storage (P20): those that have no storage get one.

const BATCH = 500

/** Gives some venues their storage, and answers how many. */
export async function batch(tx: Queries): Promise<number> {
  const venues = await tx.rows<{ brand_id: number; id: number }>(
    `select brand_id, id from venues where not exists
       (select 1 from storages where storages.brand_id = venues.brand_id and venue_id = venues.id)
     order by brand_id, id limit ${BATCH}`,
    [],
  )
  const now = new Date().toISOString()
  for (const { brand_id, id: venue_id } of venues) {
    const [last] = await tx.rows<{ id: number }>(
      `select coalesce(max(id), 0) as id from (
         select max(id) as id from storages where brand_id = ?
         union all select value from counters where brand_id = ? and name = 'storage_id') as ids`,
      [brand_id, brand_id],
    )
    const id = last!.id + 1
    const name = 'Main storage'
    const dated = { created_at: now, updated_at: now }
    await tx.run(
      `insert into storages (brand_id, id, venue_id, name, name_folded, is_main, status, created_at, updated_at, body)
       values (?, ?, ?, ?, ?, 1, 1, ?, ?, ?)`,
      [
        ...[brand_id, id, venue_id, name, name.toLowerCase(), now, now],
        JSON.stringify({ id, venue_id, name, is_main: 1, status: 1, ...dated }),
      ],
    )
    await tx.run(
      `insert into counters (brand_id, name, value) values (?, 'storage_id', ?)
       on conflict (brand_id, name) do update set value = excluded.value`,
      [brand_id, id],
    )
    await tx.run(
      `insert into counters (brand_id, name, value) values (?, 'storages', 1), (?, ?, 1)
       on conflict (brand_id, name) do update set value = counters.value + 1`,
      [brand_id, brand_id, `storages:${venue_id}`],
    )
  }
  return venues.length
}

export const up = ''
