import type { Database } from '../../server/src/storage/database.ts'

// Changed by any request: logs, sign-ins, heartbeats.
const IGNORED_TABLES = [
  'workers',
  'sign_ins',
  'known_places',
  'directory_version',
  'credential_uses',
  'request_log',
  'minute_counts',
  'nightly_runs',
]

/** All rows that are stored, by the brand that they belong to; those of nobody under 0. */
export type Snapshot = ReadonlyMap<number, ReadonlySet<string>>

export async function takeSnapshot(db: Database): Promise<Snapshot> {
  const tables = (await db.rows<{ name: string }>(db.dialect.tableNames, [])).map(({ name }) => name)
  const accounts = await db.rows<{ id: number; brand_id: number | null }>('select id, brand_id from accounts', [])
  const brandOf = new Map(accounts.map(({ id, brand_id }) => [id, brand_id]))
  const found = new Map<number, Set<string>>()
  const count = async (table: string) => {
    for (const { seen_at: _, ...row } of await db.rows<Record<string, unknown>>(`select * from ${table}`, [])) {
      const owner = Number((table === 'brands' ? row.id : (row.brand_id ?? brandOf.get(row.account_id as number))) ?? 0)
      found.set(owner, (found.get(owner) ?? new Set()).add(`${table} ${JSON.stringify(row)}`))
    }
  }
  await Promise.all(tables.filter((name) => !IGNORED_TABLES.includes(name)).map(count))
  return found
}

/** The rows of one brand that only one of two has. */
export function changes(before: Snapshot, after: Snapshot, brand_id: number): string[] {
  const [old, now] = [before.get(brand_id) ?? NOTHING, after.get(brand_id) ?? NOTHING]
  return [...now.symmetricDifference(old)]
}

const NOTHING: ReadonlySet<string> = new Set()
