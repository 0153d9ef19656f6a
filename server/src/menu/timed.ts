import { removeUnnamedImages } from '../resources/entries/images.ts'
import { endEntry, endedEntries } from '../resources/menu/stop-list.ts'
import type { Database } from '../storage/database.ts'
import { instantOf } from '../values/values.ts'

// What becomes of menus by themselves: entries of the stop list end (M4), and pictures that no entry names go (M13).

const STOPS_EVERY_MS = 10_000
const IMAGES_EVERY_MS = 3_600_000
const STEP = 100

interface TimedOptions {
  readonly db: Database
  readonly now: () => number
  readonly failed: (error: unknown) => void
}

/** Looks again and again until it is stopped. Several processes may do it at once. */
export function keepMenusInTime({ db, now, failed }: TimedOptions): () => void {
  const timers = [
    every(STOPS_EVERY_MS, () => endStops(db, instantOf(now())).catch(failed)),
    every(IMAGES_EVERY_MS, () => collectImages(db, now()).catch(failed)),
  ]
  return () => timers.forEach(clearInterval)
}

function every(ms: number, work: () => Promise<unknown>): NodeJS.Timeout {
  let isRunning = false
  return setInterval(async () => {
    if (isRunning) return
    isRunning = true
    await work()
    isRunning = false
  }, ms).unref()
}

/** Ends every entry of the stop list whose time has passed. One that fails keeps no other from its turn. */
export async function endStops(db: Database, now: string): Promise<void> {
  const failures: unknown[] = []
  for (const { brand_id, venue_id, id } of await endedEntries(db, now, STEP))
    await db
      .transaction((tx) => endEntry({ tx, brand_id, now }, venue_id, id), 'system')
      .catch((error) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** M13: removes pictures that nothing has named for a day. */
export async function collectImages(db: Database, nowMs: number): Promise<void> {
  const brands = await db.rows<{ brand_id: number }>('select distinct brand_id from images order by brand_id', [])
  for (const { brand_id } of brands) {
    let after: string | undefined = ''
    while (after !== undefined) {
      const from: string = after
      after = await db.transaction((tx) => removeUnnamedImages({ tx, brand_id }, nowMs, from))
    }
  }
}
