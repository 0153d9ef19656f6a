import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Installation } from './engines.ts'

/** Keeps everybody else from writing to a table, as an import does that takes long; answers how to let go. */
export async function holdWrites(
  { config }: Pick<Installation, 'config'>,
  table: string,
): Promise<() => Promise<void>> {
  if (config.DATABASE_URL === undefined) {
    const holder = new DatabaseSync(join(config.COMPTOIR_DATA, 'comptoir.db'), { timeout: 10_000 })
    holder.exec('begin immediate') // of the whole file: SQLite has one lock
    return async () => holder.close()
  }
  const holder = new pg.Client({ connectionString: config.DATABASE_URL })
  await holder.connect()
  await holder.query(`begin; lock table ${table} in share row exclusive mode`)
  return () => holder.end()
}
