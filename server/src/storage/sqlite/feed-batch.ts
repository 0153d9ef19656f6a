import type { Queries, Value } from '../database.ts'
import { byBrand, newNonce, noFeed, publishedBy } from '../feed/append.ts'
import type { NewEvent, Published, Source } from '../feed/new-event.ts'
import { type Target, upsertValues } from '../upsert.ts'

const EVENTS: Target = {
  table: 'events',
  columns: ['brand_id', 'position', 'at', 'type', 'subject', 'venue_id', 'source', 'data', 'nonce'],
  key: [],
  fixed: [],
}
/** The values of one event, in the order of the columns. */
type EventRow = readonly Value[]

/** The end of a feed. */
interface End {
  readonly position: number
  readonly at: string
}

/** Events with their positions. */
interface Placed {
  readonly ends: readonly (readonly [brand_id: number, end: End])[]
  readonly rows: readonly EventRow[]
  readonly published: readonly Published[]
}

/**
 * The events of transactions that share one commit. The file's write lock is held, so each feed's end is read once; the rows are
 * inserted together, by the last statement before the commit (E10).
 */
export function feedBatch(tx: Queries) {
  const now = new Date().toISOString()
  const ends = new Map<number, End>()
  const rows: EventRow[] = []
  return {
    /** Assigns positions to the events of one transaction. They count once the transaction has succeeded and `keep` is called. */
    async place(events: readonly NewEvent[], source: Source, waitedMs: number): Promise<Placed> {
      const placed = { ends: [] as [number, End][], rows: [] as EventRow[], published: [] as Published[] }
      for (const [brand_id, own] of byBrand(events)) {
        let { position, at } = ends.get(brand_id) ?? (await endOf(tx, brand_id))
        if (at < now) at = now // a time never decreases
        for (const { type, subject, venue_id = null, source: given = source, data } of own)
          placed.rows.push([brand_id, ++position, at, type, subject, venue_id, given, JSON.stringify(data), newNonce()])
        placed.ends.push([brand_id, { position, at }])
        placed.published.push(publishedBy(brand_id, own, waitedMs))
      }
      return placed
    },
    keep(placed: Placed): void {
      for (const [brand_id, end] of placed.ends) ends.set(brand_id, end)
      for (const row of placed.rows) rows.push(row)
    },
    append: (): Promise<void> => upsertValues(tx, EVENTS, rows),
  }
}

export type FeedBatch = ReturnType<typeof feedBatch>

const LAST = 'select position, at from events where brand_id = ? order by position desc limit 1'
const TRIMMED = 'select tail as position, tail_at as at from feeds where brand_id = ?'

/** Returns the last event's position and time; if the feed has no events, or all were trimmed, those of the last trimmed one. */
async function endOf(tx: Queries, brand_id: number): Promise<End> {
  const [last] = await tx.rows<End>(LAST, [brand_id])
  if (last) return last
  const [feed] = await tx.rows<End>(TRIMMED, [brand_id])
  if (!feed) throw noFeed(brand_id)
  return feed
}
