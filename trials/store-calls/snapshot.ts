import { createHash } from 'node:crypto'
import type { Database } from '../../server/src/storage/database.ts'

// Changed by any request: sessions, logs, heartbeats.
const IGNORED_TABLES = [
  'workers',
  'request_log',
  'minute_counts',
  'credential_uses',
  'sign_ins',
  'known_places',
  'sessions',
]

/** P16: ids are taken in blocks before the transaction that uses them, and not given back. */
const WHICH: Readonly<Record<string, string>> = { counters: " where name not like '%\\_id' escape '\\'" }

/** The number of rows of each table, and a digest of what they hold. */
export type Snapshot = ReadonlyMap<string, { rows: number; digest: string }>

/** Returns a function that takes a snapshot of a database whose schema stays as it is. */
export async function snapshotsOf(db: Database): Promise<() => Promise<Snapshot>> {
  const tables = (await db.rows<{ name: string }>(db.dialect.tableNames, [])).map(({ name }) => name)
  const watched = tables.filter((name) => !IGNORED_TABLES.includes(name)).sort()
  return async () => {
    const counted = watched.map(async (table) => {
      const rows = (await db.rows(`select * from ${table}${WHICH[table] ?? ''}`, []))
        .map((row) => JSON.stringify(row))
        .sort()
      const digest = createHash('sha256').update(rows.join('\n')).digest('hex')
      return [table, { rows: rows.length, digest }] as const
    })
    return new Map(await Promise.all(counted))
  }
}

/** Which tables are not as they were, and by how many rows. */
export const changeBetween = (before: Snapshot, after: Snapshot) =>
  [...after]
    .filter(([table, { digest }]) => digest !== before.get(table)?.digest)
    .map(([table, { rows }]) => `${table} ${rows - (before.get(table)?.rows ?? 0)}`)
    .join(', ')
