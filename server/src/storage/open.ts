import { join } from 'node:path'
import { type Config, shownConfig } from '../config.ts'
import type { ConnectionUse, Database } from './database.ts'
import type { MergeRules } from './feed/new-event.ts'
import { knownMigrations, pending } from './migrate.ts'

/** Opens the engine that the configuration names, with the rules for its events. A driver is loaded only when it is used. */
export async function openDatabase(
  config: Config,
  use: Exclude<ConnectionUse, 'activity'>,
  rules: MergeRules,
): Promise<Database> {
  if (config.DATABASE_URL === undefined) return (await embedded(config)).openSqlite(config.COMPTOIR_DATA, use, rules)
  return (await import('./postgres/postgres.ts')).openPostgres(config.DATABASE_URL, use, rules)
}

/** Keeps a second server off a database whose limits are counted in one process's memory (D7.4); answers how to let go. */
export async function lockEngine(config: Config): Promise<() => void> {
  if (config.DATABASE_URL === undefined) return (await embedded(config)).lockFolder(config.COMPTOIR_DATA)
  const kind = config.REDIS_URL === undefined ? 'alone' : 'shared'
  return (await import('./postgres/postgres.ts')).lockServer(config.DATABASE_URL, kind)
}

/** Where the data is, for people: a file, or an address without its password. */
export const placeOf = (config: Config): string =>
  String(shownConfig(config).DATABASE_URL ?? join(config.COMPTOIR_DATA, 'comptoir.db'))

/** The embedded engine, once it is known that the folder is none of another schema: such a one is refused before it is touched. */
async function embedded({ COMPTOIR_DATA: folder }: Config) {
  const engine = await import('./sqlite/sqlite.ts')
  await engine.inspectFolder(folder, async (reads) => pending(reads, await knownMigrations()))
  return engine
}
