import type { Queries, Value } from '../database.ts'
import { byBrand, menuOf, newNonce, noFeed, publishedBy } from '../feed/append.ts'
import type { MergeRules, NewEvent, Published, Source } from '../feed/new-event.ts'
import { type Target, upsertValues } from '../upsert.ts'

const EVENTS: Target = {
  table: 'events',
  columns: ['brand_id', 'position', 'at', 'type', 'subject', 'venue_id', 'source', 'data', 'nonce'],
  key: [],
  fixed: [],
}
const MARKS: Target = {
  table: 'menu_marks',
  columns: ['brand_id', 'venue_id', 'position', 'nonce'],
  key: ['brand_id', 'venue_id'],
  fixed: ['brand_id', 'venue_id'],
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
  /** M5: the last event of each menu, by brand and venue. */
  readonly marks: readonly (readonly [menu: string, mark: readonly number[]])[]
  readonly published: readonly Published[]
}

/**
 * The events of transactions that share one commit. The file's write lock is held, so each feed's end is read once; the rows are
 * inserted together, by the last statement before the commit (E10).
 */
export function feedBatch(tx: Queries, rules: MergeRules) {
  const now = new Date().toISOString()
  const ends = new Map<number, End>()
  const rows: EventRow[] = []
  const marks = new Map<string, readonly number[]>()
  return {
    /** Assigns positions to the events of one transaction. They count once the transaction has succeeded and `keep` is called. */
    async place(events: readonly NewEvent[], source: Source, waitedMs: number): Promise<Placed> {
      const placed = {
        ends: [] as [number, End][],
        rows: [] as EventRow[],
        marks: [] as [string, number[]][],
        published: [] as Published[],
      }
      for (const [brand_id, own] of byBrand(events)) {
        let { position, at } = ends.get(brand_id) ?? (await endOf(tx, brand_id))
        if (at < now) at = now // a time never decreases
        for (const event of own) {
          const { type, subject, venue_id = null, source: given = source, data } = event
          const nonce = newNonce()
          placed.rows.push([brand_id, ++position, at, type, subject, venue_id, given, JSON.stringify(data), nonce])
          const menu = menuOf(event, rules)
          if (menu !== undefined) placed.marks.push([`${brand_id} ${menu}`, [brand_id, menu, position, nonce]])
        }
        placed.ends.push([brand_id, { position, at }])
        placed.published.push(publishedBy(brand_id, own, waitedMs))
      }
      return placed
    },
    keep(placed: Placed): void {
      for (const [brand_id, end] of placed.ends) ends.set(brand_id, end)
      for (const row of placed.rows) rows.push(row)
      for (const [menu, mark] of placed.marks) marks.set(menu, mark)
    },
    async append(): Promise<void> {
      await upsertValues(tx, EVENTS, rows)
      if (marks.size > 0) await upsertValues(tx, MARKS, [...marks.values()])
    },
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
