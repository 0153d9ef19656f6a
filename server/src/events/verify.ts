import { setImmediate } from 'node:timers/promises'
import type { Database } from '../storage/database.ts'
import type { Tables } from '../storage/tables.ts'
import { eventId, readEventId } from './event-id.ts'

interface FeedCheck {
  readonly brand: string
  readonly events: number
  readonly first: number | null
  readonly last: number | null
  /** What is wrong, in a sentence; null where the feed is sound. */
  readonly problem: string | null
}

const PAGE = 1_000
const SIX_BYTES = 2 ** 48

/** Walks every feed: positions without a gap from the trimmed end on, times that do not decrease, ids that read back, data that is JSON. */
export async function verifyFeeds(db: Database): Promise<FeedCheck[]> {
  const brands = await db.rows<{ id: number; slug: string }>('select id, slug from brands order by slug', [])
  const checks: FeedCheck[] = []
  for (const { id, slug } of brands) checks.push({ brand: slug, ...(await verifyFeed(db, id)) })
  return checks
}

async function verifyFeed(db: Database, brand_id: number): Promise<Omit<FeedCheck, 'brand'>> {
  const [feed] = await db.rows<Tables['feeds']>('select * from feeds where brand_id = ?', [brand_id])
  if (!feed) return { events: 0, first: null, last: null, problem: 'the brand has no feed' }
  let { tail: last, tail_at: at } = feed
  let [events, first] = [0, null as number | null]
  for (;;) {
    const rows = await db.rows<Tables['events']>(
      `select * from events where brand_id = ? and position > ? order by position limit ${PAGE}`,
      [brand_id, events === 0 ? 0 : last],
    )
    for (const event of rows) {
      const problem = problemOf(event, last, at)
      if (problem) return { events, first, last: events === 0 ? null : last, problem }
      first ??= event.position
      last = event.position
      at = event.at
      events++
    }
    if (rows.length < PAGE) return { events, first, last: events === 0 ? null : last, problem: null }
    await setImmediate() // others get a turn, also where the store answers at once
  }
}

function problemOf({ position, at, nonce, data }: Tables['events'], before: number, beforeAt: string): string | null {
  if (position !== before + 1)
    return position <= before ? `position ${position} was trimmed, and is there` : `position ${before + 1} is missing`
  if (at < beforeAt) return `the time of position ${position} is before that of the one before it`
  const mark = readEventId(eventId({ position, nonce }))
  if (!(nonce >= 0 && nonce < SIX_BYTES) || mark?.position !== position || mark.nonce !== nonce)
    return `the id of position ${position} is not sound`
  return isObject(data) ? null : `the data of position ${position} is no JSON object`
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
