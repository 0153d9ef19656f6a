import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { type Database, StoreFull } from '../storage/database.ts'
import { addCopy, type Copy } from './folder.ts'
import { lastBackup, noteBackup, noteFailed, type Reason } from './noted.ts'

// Copies that are made again and again, and one that somebody asks for. What fails is told, and nothing stops for it.

const RETRY_MS = 10 * 60_000

export interface Backups {
  readonly folder: string
  readonly keep: number
  /** Undefined where nothing makes them by itself. */
  readonly everyMs: number | undefined
  readonly isRunning: () => boolean
  /** Makes one now. Two who ask at once get the same one. */
  make(): Promise<Copy>
  /** Makes them until it is closed. */
  start(): void
  /** Ends one that is being made, which leaves nothing. */
  close(): Promise<void>
}

interface BackupsDeps {
  readonly db: Database
  readonly now: () => number
  readonly folder: string
  readonly keep: number
  readonly everyMs?: number | undefined
  /** Whether the folder is made where it is missing. */
  readonly makesFolder?: boolean
  readonly progress?: (done: number, total: number) => void
  readonly made: (copy: Copy) => void
  readonly failed: (error: unknown) => void
}

export function backups(deps: BackupsDeps): Backups {
  const { db, now, folder, keep, everyMs, makesFolder = false, made, failed } = deps
  const stop = new AbortController()
  const alone = AsyncLocalStorage.snapshot() // without the deadline of the request that asks for one
  let running: Promise<Copy> | undefined
  let schedule = Promise.resolve()

  async function makeAndNote(): Promise<Copy> {
    try {
      if (makesFolder) mkdirSync(folder, { recursive: true, mode: 0o700 })
      const copy = await addCopy(db, { folder, keep }, now(), deps.progress, stop.signal)
      await db.transaction((tx) => noteBackup(tx, copy.at))
      made(copy)
      return copy
    } catch (error) {
      if (!stop.signal.aborted) {
        const failure = { at: new Date(now()).toISOString(), reason: reasonOf(error, folder) }
        await db.transaction((tx) => noteFailed(tx, failure)).catch(failed) // the database's own disk may be the full one
      }
      throw error
    }
  }

  const make = () => {
    running ??= alone(makeAndNote).finally(() => {
      running = undefined
    })
    return running
  }

  /** A clock that was moved delays nothing: once one is made, only time that has passed counts. */
  async function untilDue(everyMs: number): Promise<number> {
    const last = await lastBackup(db)
    const ageMs = last === undefined ? everyMs : now() - Date.parse(last)
    return ageMs < 0 ? 0 : Math.max(0, everyMs - ageMs)
  }

  async function makeAll(everyMs: number): Promise<void> {
    let waitMs = await untilDue(everyMs).catch(() => 0)
    for (;;) {
      await sleep(waitMs, undefined, { signal: stop.signal, ref: false })
      const beganAt = performance.now()
      const isMade = await make().then(
        () => true,
        (error) => {
          if (!stop.signal.aborted) failed(error)
          return false
        },
      )
      const pauseMs = isMade ? everyMs : Math.min(everyMs, RETRY_MS)
      waitMs = Math.max(0, pauseMs - (performance.now() - beganAt))
    }
  }

  return {
    folder,
    keep,
    everyMs,
    isRunning: () => running !== undefined,
    make,
    start() {
      if (everyMs !== undefined) schedule = makeAll(everyMs).catch(() => {}) // only a stop ends it
    },
    async close() {
      stop.abort()
      await schedule
      await running?.catch(() => {})
    },
  }
}

/** As `serve` is set up to make them; undefined on PostgreSQL, which has tools of its own. */
export function configuredBackups(
  config: Config,
  deps: Pick<BackupsDeps, 'db' | 'now' | 'made' | 'failed'>,
): Backups | undefined {
  if (config.DATABASE_URL !== undefined) return undefined
  const { COMPTOIR_BACKUP_TO: to, COMPTOIR_BACKUP_KEEP: keep } = config
  if (to === undefined)
    return backups({ ...deps, folder: join(config.COMPTOIR_DATA, 'backups'), keep, makesFolder: true })
  return backups({ ...deps, folder: to, keep, everyMs: msOf(config.COMPTOIR_BACKUP_EVERY) })
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of `15m`, `6h` or `1d`; undefined for anything else. */
export function msOf(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? []
  const ms = Number(count) * (UNITS[unit ?? ''] ?? 0)
  return ms > 0 && ms <= 7 * UNITS.d! ? ms : undefined
}

function reasonOf(error: unknown, folder: string): Reason {
  if (error instanceof StoreFull) return 'full'
  return existsSync(folder) ? 'other' : 'folder'
}
