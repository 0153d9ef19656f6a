import { readdirSync } from 'node:fs'
import { type Database, type Queries, UnusableDatabase } from './database.ts'
import type { Dialect } from './dialect.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

export interface Migration {
  version: number
  name: string
  statements: string[]
  /** Statements for the tables that SQLite keeps in a separate file (activity-store.ts). */
  activity: string[]
  /** Statements for one engine only, in its own SQL, after the others. */
  only?: Partial<Record<Dialect['engine'], readonly string[]>>
  /**
   * Changes a batch of rows before the statements run, in a transaction of its own; returns how many, 0 when all are done. If killed
   * between two batches it resumes where it stopped, because it selects rows that it has not changed.
   */
  batch?: (tx: Queries) => Promise<number>
}

interface Module {
  up: string
  activity?: string
  only?: Migration['only']
  batch?: Migration['batch']
}

/** The migrations that this version of the program knows, oldest first. */
export async function knownMigrations(folder = FOLDER): Promise<Migration[]> {
  const files = readdirSync(folder).filter((file) => /^\d{4}-.*\.ts$/.test(file))
  if (new Set(files.map((file) => file.slice(0, 4))).size < files.length)
    throw new Error('Two migrations have one number, and the second would never run')
  return Promise.all(
    files.sort().map(async (file) => {
      const { up, activity = '', only, batch } = (await import(new URL(file, folder).href)) as Module
      return {
        version: Number(file.slice(0, 4)),
        name: file.slice(5, -3),
        statements: statementsOf(up),
        activity: statementsOf(activity),
        ...(only && { only }),
        ...(batch && { batch }),
      }
    }),
  )
}

const statementsOf = (text: string) =>
  text
    .split(/;\s*\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

/** Called after each batch: `rows` is how many the migration has changed so far in this run. */
type Progress = (migration: Migration, rows: number) => void

/**
 * Brings the schema up to date and returns what was applied. Each migration is one transaction with its version row; one that changes
 * rows does so in batches before.
 */
export async function migrate(
  db: Database,
  migrations?: Migration[],
  progress: Progress = () => {},
): Promise<Migration[]> {
  const known = migrations ?? (await knownMigrations())
  const applied: Migration[] = []
  let rows = 0
  for (let next = await pending(db, known); next; next = await pending(db, known)) {
    const migration = next
    const done = await db.migrate(async (tx) => {
      // Another process may have been faster while this one waited for the lock.
      if ((await pending(tx, known))?.version !== migration.version) return false
      const changed = (await migration.batch?.(tx)) ?? 0
      rows += changed
      if (changed > 0) return false
      await apply(tx, migration)
      return true
    })
    if (rows > 0) progress(migration, rows)
    if (!done) continue
    applied.push(migration)
    rows = 0
  }
  return applied
}

async function apply(tx: Queries, { version, name, statements, activity, only }: Migration): Promise<void> {
  if (version === 1) {
    for (const statement of tx.dialect.foundation) await tx.run(statement, [])
    await tx.run(
      tx.dialect.migration(
        'create table comptoir_migrations (version bigint not null primary key, name text not null, applied_at text not null)',
      ),
      [],
    )
  }
  for (const statement of tx.dialect.hasActivityFile ? statements : [...statements, ...activity])
    await tx.run(tx.dialect.migration(statement), [])
  for (const statement of only?.[tx.dialect.engine] ?? []) await tx.run(statement, [])
  await tx.run('insert into comptoir_migrations (version, name, applied_at) values (?, ?, ?)', [
    version,
    name,
    new Date().toISOString(),
  ])
}

/** The oldest migration that the database lacks; refuses a database that is newer than this program, or somebody else's. */
export async function pending(db: Queries, known: Migration[]): Promise<Migration | undefined> {
  const tables = await db.rows<{ name: string }>(db.dialect.tableNames, [])
  if (!tables.some(({ name }) => name === 'comptoir_migrations')) {
    if (tables.some(({ name }) => name === 'brands' || name === 'customers' || name === 'products'))
      throw new UnusableDatabase('The database holds tables of another program: give Comptoir a database of its own')
    return known[0]
  }
  const [row] = await db.rows<{ version: number | null }>('select max(version) as version from comptoir_migrations', [])
  const version = row?.version ?? 0
  const newest = known.at(-1)?.version ?? 0
  if (version > newest)
    throw new UnusableDatabase(
      `The database is at schema ${version} and this program knows schema ${newest}: start the newer version of Comptoir`,
    )
  return known.find((migration) => migration.version > version)
}
