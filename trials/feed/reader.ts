import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, StoreUnavailable } from '../../server/src/storage/database.ts'
import type { Tables } from '../../server/src/storage/tables.ts'
import { waitUntil } from '../harness/client.ts'
import type { ReportFailure } from '../harness/trial.ts'
import { partsOf } from './write.ts'

const PAGE = 500
const PAUSE_MS = 5
const CAUGHT_UP_WITHIN_MS = 60_000
const BACK_WITHIN_MS = 60_000

type Event = Pick<Tables['events'], 'position' | 'at' | 'subject'>

/** Readers of many feeds, who have followed them from the start. */
export interface Readers {
  /** Ends when each reader is at the end of its feed, and answers how many events of which write came to which brand. */
  finish(): Promise<ReadonlyMap<string, number>>
  events(): number
  pages(): number
}

/** What `finish` knows a write by. */
export const keyOf = (brand_id: number, name: string) => `${brand_id} ${name}`

/** Follows each brand's feed, and reports whatever is not the next position, the next event of its write, or goes back in time. */
export function follow(db: Database, brands: readonly number[], reportFailure: ReportFailure): Readers {
  const seen = new Map<string, number>()
  const reached = new Map(brands.map((brand_id) => [brand_id, 0]))
  let [events, pages, over] = [0, 0, false]

  async function read(brand_id: number): Promise<void> {
    let before: Event = { position: 0, at: '', subject: '' }
    while (!over) {
      const page = await nextPage(brand_id, before.position)
      if (page.length === 0) await sleep(PAUSE_MS)
      else pages++
      for (const event of page) {
        const problem = problemOf(before, event)
        if (problem) {
          reached.set(brand_id, Number.POSITIVE_INFINITY) // it goes no further
          return reportFailure(`brand ${brand_id}, ${event.position} after ${before.position}: ${problem}`)
        }
        const { name } = partsOf(event.subject)
        seen.set(keyOf(brand_id, name), (seen.get(keyOf(brand_id, name)) ?? 0) + 1)
        reached.set(brand_id, event.position)
        events++
        before = event
      }
    }
  }

  async function nextPage(brand_id: number, after: number): Promise<Event[]> {
    try {
      return await db.rows<Event>(
        'select position, at, subject from events where brand_id = ? and position > ? order by position limit ?',
        [brand_id, after, PAGE],
      )
    } catch (error) {
      if (error instanceof StoreUnavailable) return [] // it was killed
      throw error
    }
  }

  const reading = Promise.all(brands.map(read))
  reading.catch(() => {}) // thrown by finish
  return {
    events: () => events,
    pages: () => pages,
    async finish() {
      try {
        for (const brand_id of brands) {
          const last = Number(
            await whenBack(() => db.text('select max(position) from events where brand_id = ?', [brand_id])),
          )
          await waitUntil(`brand ${brand_id} read`, CAUGHT_UP_WITHIN_MS, () => reached.get(brand_id)! >= last)
        }
      } finally {
        over = true
      }
      await reading
      return seen
    },
  }
}

/** A database that was killed needs a moment to recover, and says so in several ways. */
export async function whenBack<Result>(read: () => Promise<Result>): Promise<Result> {
  const giveUpAt = performance.now() + BACK_WITHIN_MS
  for (;;)
    try {
      return await read()
    } catch (error) {
      if (!isAway(error) || performance.now() > giveUpAt) throw error
      await sleep(PAUSE_MS)
    }
}

const isAway = (error: unknown) =>
  error instanceof StoreUnavailable || /^(57P|08|ECONN)/.test(String(Object(error).code)) // of a pool, and of one connection

function problemOf(before: Event, event: Event): string | undefined {
  if (event.position !== before.position + 1) return 'not the next position'
  if (event.at < before.at) return `the time went back from ${before.at} to ${event.at}`
  const [last, next] = [partsOf(before.subject), partsOf(event.subject)]
  const isWhole = before.position === 0 || last.place === last.events
  if (next.place === 1 ? isWhole : next.name === last.name && next.place === last.place + 1) return undefined
  return `"${event.subject}" after "${before.subject}"`
}
