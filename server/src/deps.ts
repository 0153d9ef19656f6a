import type { FastifyBaseLogger } from 'fastify'
import { type Tokens, tokens } from './auth/token.ts'
import { type PasswordQueue, passwordQueue } from './back-office/people/password-queue.ts'
import { backupAgeMs } from './backup/noted.ts'
import type { Config } from './config.ts'
import { type Directory, openDirectory } from './directory/directory.ts'
import { type KeyRing, openKeyRing } from './directory/keys.ts'
import { MERGE_RULES } from './events/merge.ts'
import { type News, openNews } from './events/news/news.ts'
import { memoryWindows, type Windows } from './limits/window.ts'
import { loggedError } from './observe/log.ts'
import { type LimiterMode, type Metrics, metrics } from './observe/metrics.ts'
import { type ActivityStore, openActivityStore } from './storage/activity-store.ts'
import type { Database } from './storage/database.ts'
import type { Published } from './storage/feed/new-event.ts'
import { openDatabase } from './storage/open.ts'

/** Everything that the service is built from: made here, or in a test, and passed down as an argument. */
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
  news: News
  /** Milliseconds of the wall clock. */
  now: () => number
}

/** Opens the stores of a configuration, whose schema is up to date, with the key ring that belongs to them. */
export async function openDeps(
  config: Config,
  log: FastifyBaseLogger,
  use: 'request' | 'patient' = 'request',
): Promise<Deps> {
  const now = Date.now
  const db = await openDatabase(config, use, MERGE_RULES)
  const close: (() => unknown)[] = [db.close] // open connections would keep a process alive that failed to start
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
      backupAgeMs: config.DATABASE_URL === undefined ? () => backupAgeMs(db, now()) : undefined,
    })
    const hashing = passwordQueue()
    const news = await openFeedNews(config, db, counted)
    return {
      config,
      db,
      activity,
      keys,
      directory,
      tokens: issued,
      windows,
      log,
      metrics: counted,
      hashing,
      news,
      now,
    }
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
    onMode: (mode, cause) =>
      mode === 'local'
        ? log.warn(
            { mode, error: cause && loggedError(cause) },
            'Redis unavailable: each process counts its share of the rate limits',
          )
        : log.info({ mode }, 'Redis available again: rate limits are shared'),
  })
}

// E11: with Redis, processes tell one another of news.
async function openFeedNews({ REDIS_URL }: Config, db: Database, { feed }: Metrics): Promise<News> {
  const channel = REDIS_URL === undefined ? undefined : (await import('./events/news/redis-news.ts')).redisNews
  const open = channel && ((received: (brand_id: number) => void) => channel(REDIS_URL!, received))
  const count = (published: readonly Published[]) => {
    for (const { types, waitedMs } of published) feed.published(types, waitedMs)
  }
  return openNews(db, count, open)
}

export async function closeDeps({ db, activity, directory, windows, news }: Deps): Promise<void> {
  news.close()
  directory.close()
  await windows.close()
  await activity.close()
  await db.close()
}
