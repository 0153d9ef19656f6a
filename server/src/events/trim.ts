import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../storage/database.ts'

// E9: events expire after some days and are deleted in small steps, so that nobody waits long for the feed's lock.

const EVERY_MS = 10 * 60_000
const STEP = 500
const PAUSE_MS = 50
const DAY_MS = 86_400_000

interface TrimOptions {
  readonly db: Database
  readonly days: number
  readonly now: () => number
  readonly failed: (error: unknown) => void
}

/** Trims every few minutes until it is stopped. */
export function keepTrimmed({ db, days, now, failed }: TrimOptions): () => void {
  let stopped = false
  let running = false
  const timer = setInterval(async () => {
    if (running) return
    running = true
    await trimFeeds(db, now() - days * DAY_MS, () => stopped).catch(failed)
    running = false
  }, EVERY_MS).unref()
  return () => {
    stopped = true
    clearInterval(timer)
  }
}

/** Removes what is older; answers how many events that were. */
export async function trimFeeds(db: Database, beforeMs: number, isStopped = () => false): Promise<number> {
  const before = new Date(beforeMs).toISOString()
  let trimmed = 0
  const old = await db.rows<{ brand_id: number }>(
    `select brand_id from feeds where (select at from events
       where brand_id = feeds.brand_id and position = feeds.tail + 1) < ? order by brand_id`,
    [before],
  )
  for (const { brand_id } of old)
    for (let step = STEP; step === STEP && !isStopped(); ) {
      step = await trimStep(db, brand_id, before)
      trimmed += step
      await sleep(PAUSE_MS, undefined, { ref: false })
    }
  return trimmed
}

// Several processes may do it at once: the feed's row is locked first, so each takes its own step.
const trimStep = (db: Database, brand_id: number, before: string): Promise<number> =>
  db.transaction(async (tx) => {
    const [feed] = await tx.rows<{ tail: number }>('update feeds set tail = tail where brand_id = ? returning tail', [
      brand_id,
    ])
    const old = await tx.rows<{ position: number; at: string; nonce: number }>(
      `select position, at, nonce from events where brand_id = ? and position > ? and position <= ? and at < ?
       order by position`,
      [brand_id, feed!.tail, feed!.tail + STEP, before],
    )
    const last = old.at(-1)
    if (!last) return 0
    await tx.run('update feeds set tail = ?, tail_at = ?, tail_nonce = ? where brand_id = ?', [
      last.position,
      last.at,
      last.nonce,
      brand_id,
    ])
    await tx.run('delete from events where brand_id = ? and position <= ?', [brand_id, last.position])
    return old.length
  })
