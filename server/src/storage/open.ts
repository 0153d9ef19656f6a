import type { Config } from '../config.ts'
import type { ConnectionUse, Database } from './database.ts'
import type { MergeRules } from './feed/new-event.ts'

/** Opens the engine that the configuration names, with the rules for its events. A driver is loaded only when it is used. */
export async function openDatabase(
  config: Config,
  use: Exclude<ConnectionUse, 'activity'>,
  rules: MergeRules,
): Promise<Database> {
  if (config.DATABASE_URL === undefined)
    return (await import('./sqlite/sqlite.ts')).openSqlite(config.COMPTOIR_DATA, use, rules)
  return (await import('./postgres/postgres.ts')).openPostgres(config.DATABASE_URL, use, rules)
}

/** Keeps a second server off a database whose limits are counted in one process's memory (D7.4); answers how to let go. */
export async function lockEngine(config: Config): Promise<() => void> {
  if (config.DATABASE_URL === undefined) return (await import('./sqlite/sqlite.ts')).lockFolder(config.COMPTOIR_DATA)
  const kind = config.REDIS_URL === undefined ? 'alone' : 'shared'
  return (await import('./postgres/postgres.ts')).lockServer(config.DATABASE_URL, kind)
}
