import { after } from 'node:test'
import { type KeyRing, openKeyRing } from '../../src/directory/keys.ts'
import { MERGE_RULES } from '../../src/events/merge.ts'
import { importer } from '../../src/resource/files/import.ts'
import { markPages } from '../../src/resource/read/page.ts'
import { products } from '../../src/resources/menu/products.ts'
import { CATALOGUE } from '../../src/resources/venue-pointers.ts'
import type { Database } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open.ts'
import type { Installation } from './engines.ts'

/** Opens databases for a suite and closes them after it. */
export function stores(make: () => Promise<Installation>) {
  const opened: Database[] = []
  after(() => Promise.all(opened.map((db) => db.close())))
  return async (given?: Installation): Promise<{ db: Database; ring: KeyRing; installation: Installation }> => {
    const installation = given ?? (await make())
    const db = await openDatabase(installation.config, 'patient', MERGE_RULES)
    opened.push(db)
    await migrate(db)
    return { db, ring: await openKeyRing(db, installation.config.COMPTOIR_KEYS), installation }
  }
}

export type Row = Record<string, unknown> & { kind: string }

/** Puts rows in as `comptoir import` does. */
export const putRows = (db: Database, brand_id: number, rows: Iterable<Row>) =>
  db.transaction(async (tx) => {
    const into = importer({ tx, brand_id, actor: 'test', now: '2026-01-01T00:00:00.000Z' }, CATALOGUE)
    let line = 0
    for (const row of rows) await into.add(row, ++line)
    return into.finish()
  })

/** A venue, a role with every permission, and a user who has it. */
export const staff = (permissions: readonly string[] = ['*']): Row[] => [
  { kind: 'venue', id: 1, name: 'Main', is_main: true },
  { kind: 'role', id: 1, name: 'Owner', permissions },
  { kind: 'user', id: 1, username: 'owner', role_id: 1 },
]

/** Puts many products into a brand of SQLite that has none, as an import would, in a tenth of its time. */
export const putManyProducts = (db: Database, brand_id: number, count: number) =>
  db.transaction(async (tx) => {
    await tx.run(
      `with recursive numbers (id) as (select 1 union all select id + 1 from numbers where id < ?)
       insert into products
         (brand_id, id, type, type_folded, name, name_folded, price, created_at, updated_at, body, details, summary)
       select ?, id, 'PRODUCT', 'product', 'Tea ' || id, 'tea ' || id, id % 1000 * 10000,
         '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z',
         '{"id":' || id || ',"name":"Tea ' || id || '","type":"PRODUCT","price":' || (id % 1000) || '}', '{}', '{}' from numbers`,
      [count, brand_id],
    )
    await tx.run(`insert into counters (brand_id, name, value) values (?, 'products', ?)`, [brand_id, count])
    await markPages(tx, products, brand_id)
  })
