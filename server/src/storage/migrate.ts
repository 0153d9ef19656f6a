import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { parse } from 'node:path'
import { type Database, type Queries, UnusableDatabase } from './database.ts'
import type { Dialect } from './dialect.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

export interface Migration {
  version: number
  name: string
  statements: string[]
  /** Statements for the tables that SQLite keeps in a separate file (activity-store.ts). */
  activity: string[]
  /**
   * Changes a batch of rows before the statements run, in a transaction of its own; returns how many, 0 when all are done. If killed
   * between two batches it resumes where it stopped, because it selects rows that it has not changed.
   */
  batch?: (tx: Queries) => Promise<number>
}

interface Module {
  up?: string
  activity?: string
  batch?: Migration['batch']
}

/** The migrations that this version of the program knows, oldest first. */
export async function knownMigrations(folder = FOLDER): Promise<Migration[]> {
  const files = readdirSync(folder).filter((file) => /^\d{4}-.*\.[tj]s$/.test(file))
  if (new Set(files.map((file) => file.slice(0, 4))).size < files.length)
    throw new Error('Two migrations have one number, and the second would never run')
  return Promise.all(
    files.sort().map(async (file) => {
      const { up = '', activity = '', batch } = (await import(new URL(file, folder).href)) as Module
      return {
        version: Number(file.slice(0, 4)),
        name: parse(file).name.slice(5),
        statements: statementsOf(up),
        activity: statementsOf(activity),
        ...(batch && { batch }),
      }
    }),
  )
}

/** Without comments and layout, which may be edited in a migration that was applied: its hash stays. */
const statementsOf = (text: string) =>
  text
    .replaceAll(/--.*$/gm, '')
    .split(/;\s*\n/)
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
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

/** Whether the database was empty before these were applied. */
export const isNew = ([first]: readonly Migration[]) => first?.version === 1

const OWN_TABLE = `create table comptoir_migrations
  (version bigint not null primary key, name text not null, hash text not null, applied_at text not null)`

async function apply(tx: Queries, migration: Migration): Promise<void> {
  for (const statement of statementsOn(tx.dialect, migration)) await tx.run(statement, [])
  await tx.run('insert into comptoir_migrations (version, name, hash, applied_at) values (?, ?, ?, ?)', [
    migration.version,
    migration.name,
    hashOf(tx.dialect, migration),
    new Date().toISOString(),
  ])
}

function statementsOn(dialect: Dialect, { version, statements, activity }: Migration): string[] {
  const own = version === 1 ? [OWN_TABLE, ...statements] : statements
  const translated = (dialect.hasActivityFile ? own : [...own, ...activity]).map(dialect.migration)
  return version === 1 ? [...dialect.foundation, ...translated] : translated
}

/** Hash of everything that a migration runs, also of what it runs in the activity store's own file. */
export const hashOf = (dialect: Dialect, migration: Migration) =>
  createHash('sha256')
    .update(JSON.stringify([statementsOn(dialect, migration), migration.activity]))
    .digest('hex')

/** How the name of a migration begins that the version before may serve beside: it only adds, and that version needs none of it. */
const EXPANDS = /^expand-/

/**
 * The oldest migration that the database lacks; refuses a database of another schema, or somebody else's. What a newer version added is
 * let be, so that two versions may serve one database.
 */
export async function pending(db: Queries, known: Migration[]): Promise<Migration | undefined> {
  const tables = await db.rows<{ name: string }>(db.dialect.tableNames, [])
  if (!tables.some(({ name }) => name === 'comptoir_migrations')) {
    if (tables.some(({ name }) => name === 'brands' || name === 'customers' || name === 'products'))
      throw new UnusableDatabase('The database holds tables of another program: give Comptoir a database of its own')
    return known[0]
  }
  // Every column: another version's table may have no hash.
  const applied = await db.rows<{ name: string; hash?: string }>(
    'select * from comptoir_migrations order by version',
    [],
  )
  const isKnown = applied.every(({ name, hash }, index) => {
    const migration = known[index]
    return migration ? migration.name === name && hashOf(db.dialect, migration) === hash : EXPANDS.test(name)
  })
  if (!isKnown)
    throw new UnusableDatabase(
      'The database was made by another version of Comptoir, with another schema, and was left as it is: start that ' +
        'version, or give this one another folder or database and move the data there with export and import',
    )
  return known[applied.length]
}
