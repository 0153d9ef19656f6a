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
  'pin_attempts', // counted before they are checked
  'nightly_runs',
]

/** P16: ids are taken in blocks before the transaction that uses them, and not given back. */
const WHICH: Readonly<Record<string, string>> = { counters: " where name not like '%\\_id' escape '\\'" }

/** The number of rows of each table, and a digest of what they hold. */
export type Snapshot = ReadonlyMap<string, { rows: number; digest: string }>

/** Returns a function that takes a snapshot of a database whose schema stays as it is. */
export async function snapshotsOf(db: Database): Promise<() => Promise<Snapshot>> {
  const tables = (await db.rows<{ name: string }>(db.dialect.tableNames, [])).map(({ name }) => name)
  const watched = tables.filter((name) => !IGNORED_TABLES.includes(name)).sort()
  const take = db.dialect.engine === 'SQLite' ? snapshotHere : snapshotThere
  return whenChanged(db, () => take(db, watched))
}

const from = (table: string) => `from ${table} as t${WHICH[table] ?? ''}`

/** Differs after every commit that changed rows; on PostgreSQL a transaction that only reads gets no number. */
const VERSION = {
  SQLite: 'select data_version as version from pragma_data_version',
  PostgreSQL: 'select pg_current_snapshot()::text as version',
}

/** Most requests change nothing. */
function whenChanged(db: Database, take: () => Promise<Snapshot>): () => Promise<Snapshot> {
  let last: { version: number | string; snapshot: Snapshot } | undefined
  return async () => {
    const [now] = await db.rows<{ version: number | string }>(VERSION[db.dialect.engine], [])
    if (last?.version !== now!.version) last = { version: now!.version, snapshot: await take() }
    return last.snapshot
  }
}

async function snapshotHere(db: Database, tables: readonly string[]): Promise<Snapshot> {
  const counted = tables.map(async (table) => {
    const rows = (await db.rows(`select * ${from(table)}`, [])).map((row) => JSON.stringify(row)).sort()
    const digest = createHash('sha256').update(rows.join('\n')).digest('hex')
    return [table, { rows: rows.length, digest }] as const
  })
  return new Map(await Promise.all(counted))
}

/** PostgreSQL digests its rows itself, all tables in one statement. */
async function snapshotThere(db: Database, tables: readonly string[]): Promise<Snapshot> {
  const each = tables.map(
    (
      table,
    ) => `select '${table}' as name, count(*) as rows, md5(coalesce(string_agg(row, '' order by row), '')) as digest
      from (select md5(t::text) as row ${from(table)}) as rows`,
  )
  const found = await db.rows<{ name: string; rows: number; digest: string }>(each.join(' union all '), [])
  return new Map(found.map(({ name, rows, digest }) => [name, { rows: Number(rows), digest }]))
}

/** Which tables are not as they were, and by how many rows. */
export const changeBetween = (before: Snapshot, after: Snapshot) =>
  [...after]
    .filter(([table, { digest }]) => digest !== before.get(table)?.digest)
    .map(([table, { rows }]) => `${table} ${rows - (before.get(table)?.rows ?? 0)}`)
    .join(', ')
