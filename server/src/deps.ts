import type { FastifyBaseLogger } from 'fastify'
import { type Directory, openDirectory } from './auth/directory.ts'
import { type KeyRing, openKeyRing } from './auth/keys.ts'

import type { Config } from './config.ts'
import { loggedError } from './http/log.ts'
import { type Metrics, metrics } from './http/metrics.ts'
import type { Database } from './storage/database.ts'
import { openDatabase } from './storage/dialect.ts'
import { migrate } from './storage/migrate.ts'

/** Everything that the service is built from; made here or in a test, and handed down. */
export interface Deps {
  config: Config
  db: Database
  keys: KeyRing
  directory: Directory
  log: FastifyBaseLogger
  metrics: Metrics
  /** Milliseconds of the wall clock. */
  now: () => number
}

/** Opens the stores of a configuration, brought up to date, with the key ring that belongs to them. */
export async function openDeps(config: Config, log: FastifyBaseLogger): Promise<Deps> {
  const db = await openDatabase(config, 'request')
  try {
    for (const { version, name } of await migrateWith(config)) log.info({ version, name }, 'migrated')
    const keys = await openKeyRing(db, config.COMPTOIR_KEYS)
    const directory = await openDirectory(db, {
      keysRotated: () => keys.reload(),
      failed: (error) => log.warn({ error: loggedError(error) }, 'directory changes could not be read'),
    })
    return { config, db, keys, directory, log, metrics: metrics(), now: Date.now }
  } catch (error) {
    await db.close()
    throw error
  }
}

// A migration may take longer than a request may wait for the store.
async function migrateWith(config: Config) {
  const db = await openDatabase(config, 'command')
  try {
    return await migrate(db)
  } finally {
    await db.close()
  }
}

export async function closeDeps({ db, directory }: Deps): Promise<void> {
  directory.close()
  await db.close()
}
