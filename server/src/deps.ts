import type { FastifyBaseLogger } from 'fastify'
import { type Tokens, tokens } from './auth/token.ts'
import { type PasswordQueue, passwordQueue } from './back-office/people/password-queue.ts'
import type { Config } from './config.ts'
import { type Directory, openDirectory } from './directory/directory.ts'
import { type KeyRing, openKeyRing } from './directory/keys.ts'
import { memoryWindows, type Windows } from './limits/window.ts'
import { loggedError } from './observe/log.ts'
import { type LimiterMode, type Metrics, metrics } from './observe/metrics.ts'
import { type ActivityStore, openActivityStore } from './storage/activity-store.ts'
import type { Database } from './storage/database.ts'
import { openDatabase } from './storage/open.ts'

/** Everything that the service is built from; made here or in a test, and handed down. */
export interface Deps {
  config: Config
  db: Database
  activity: ActivityStore
  keys: KeyRing
  directory: Directory
  tokens: Tokens
  windows: Windows
  log: FastifyBaseLogger
  metrics: Metrics
  hashing: PasswordQueue
  /** Milliseconds of the wall clock. */
  now: () => number
}

/** Opens the stores of a configuration, whose schema is up to date, with the key ring that belongs to them. */
export async function openDeps(config: Config, log: FastifyBaseLogger): Promise<Deps> {
  const now = Date.now
  const db = await openDatabase(config, 'request')
  const close: (() => unknown)[] = [db.close] // what is open keeps a process alive that failed to start
  try {
    const keys = await openKeyRing(db, config.COMPTOIR_KEYS)
    const issued = tokens(keys, config.COMPTOIR_TOKEN_TTL, now)
    const directory = await openDirectory(db, {
      async keysChanged() {
        await keys.reload()
        issued.forget()
      },
      failed: (error) => log.warn({ error: loggedError(error) }, 'directory changes could not be read'),
    })
    close.push(directory.close)
    await keys.reload() // what changed before the directory began to listen
    const windows = await openWindows(config, log)
    close.push(windows.close)
    const activity = await openActivityStore(config)
    const counted = metrics()
    counted.watch({
      limiter: () => windows.mode,
      overflows: windows.overflows,
      connections: db.connections,
      directoryStaleMs: directory.staleMs,
    })
    const hashing = passwordQueue()
    return { config, db, activity, keys, directory, tokens: issued, windows, log, metrics: counted, hashing, now }
  } catch (error) {
    for (const each of close.reverse()) await each()
    throw error
  }
}

// D7.4: one process counts in memory; more than one needs Redis.
async function openWindows(config: Config, log: FastifyBaseLogger): Promise<Windows & { readonly mode: LimiterMode }> {
  if (config.REDIS_URL === undefined) return { ...memoryWindows(), mode: 'memory' }
  const { redisWindows } = await import('./limits/redis-window.ts')
  return redisWindows({
    url: config.REDIS_URL,
    fleet: config.COMPTOIR_FLEET,
    onMode: (mode, cause) => log.warn({ mode, error: cause && loggedError(cause) }, 'limits are counted'),
  })
}

export async function closeDeps({ db, activity, directory, windows }: Deps): Promise<void> {
  directory.close()
  await windows.close()
  await activity.close()
  await db.close()
}
