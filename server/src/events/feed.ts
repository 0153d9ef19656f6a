import type { Database, Queries } from '../storage/database.ts'
import type { Tables } from '../storage/tables.ts'
import { eventId, type Mark } from './event-id.ts'
import { isSelected, type Selection, type Start } from './selection.ts'

/** A filtered read looks at no more positions than this (E5). */
const MAX_SCANNED = 5_000
const SCANNED_AT_ONCE = 500

/** A brand's feed at one moment. */
export interface FeedState {
  /** The last position that was trimmed, or 0. */
  readonly tail: Mark
  readonly head: Mark
}

/** E7: the cursor is older than what is kept. */
export class CursorExpired extends Error {
  readonly feed: FeedState
  constructor(feed: FeedState) {
    super('the cursor is older than what is kept')
    this.feed = feed
  }
}

/** E7: the cursor belongs to another history. */
export class FeedDiverged extends Error {
  readonly feed: FeedState
  constructor(feed: FeedState) {
    super('the cursor belongs to another history')
    this.feed = feed
  }
}

/** E12: a position is missing. */
export class FeedHole extends Error {}

export type StoredEvent = Omit<Tables['events'], 'brand_id'>

export interface FeedPage {
  readonly events: readonly StoredEvent[]
  readonly next: Mark
  readonly more: boolean
}

const HEAD = `(select position || ' ' || nonce from events where brand_id = feeds.brand_id order by position desc limit 1)`
const NONE = -1
// One text of numbers: such reads of one turn become one query on PostgreSQL.
const STATE = `
  select tail || ' ' || tail_nonce || ' ' || coalesce(${HEAD}, tail || ' ' || tail_nonce) || ' ' ||
    coalesce((select nonce from events where brand_id = feeds.brand_id and position = ?), ${NONE})
  from feeds where brand_id = ?`

async function readState(db: Queries, brand_id: number, position: number): Promise<FeedState & { nonce: number }> {
  const text = await db.text(STATE, [position, brand_id])
  if (text === undefined) throw new Error(`brand ${brand_id} has no feed`)
  const [tail, tailNonce, head, headNonce, nonce] = text.split(' ').map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  return {
    tail: { position: tail, nonce: tailNonce },
    head: { position: head, nonce: headNonce },
    nonce: position === tail ? tailNonce : nonce,
  }
}

/** Where a reader begins. */
export async function startOf(db: Queries, brand_id: number, start: Start): Promise<Mark> {
  if ('mark' in start) return start.mark
  const { tail, head } = await readState(db, brand_id, 0)
  if ('end' in start) return start.end === 'oldest' ? tail : head
  return beforeInstant(db, brand_id, { tail, head }, start.since)
}

/** The last position whose time is before `since`. Times do not decrease, so halving finds it. */
async function beforeInstant(db: Queries, brand_id: number, { tail, head }: FeedState, since: string): Promise<Mark> {
  const [feed] = await db.rows<{ tail_at: string }>('select tail_at from feeds where brand_id = ?', [brand_id])
  if (tail.position > 0 && since <= feed!.tail_at) throw new CursorExpired({ tail, head })
  let [before, after] = [tail, head.position + 1]
  while (after - before.position > 1) {
    const middle = Math.floor((before.position + after) / 2)
    const [event] = await db.rows<{ at: string; nonce: number }>(
      'select at, nonce from events where brand_id = ? and position = ?',
      [brand_id, middle],
    )
    if (!event) return tail // trimmed meanwhile: reading on from there says so
    if (event.at < since) before = { position: middle, nonce: event.nonce }
    else after = middle
  }
  return before
}

/** E7: throws where a cursor leads nowhere. */
export async function checkCursor(db: Queries, brand_id: number, cursor: Mark): Promise<FeedState> {
  const { tail, head, nonce } = await readState(db, brand_id, cursor.position)
  if (cursor.position < tail.position) throw new CursorExpired({ tail, head })
  if (cursor.position > head.position || cursor.nonce !== nonce) throw new FeedDiverged({ tail, head })
  return { tail, head }
}

/** The events after a cursor, in their order, as far as they are selected. */
export async function readFeed(
  db: Database,
  brand_id: number,
  cursor: Mark,
  selection: Selection,
  limit: number,
): Promise<FeedPage> {
  const { head } = await checkCursor(db, brand_id, cursor)
  const isFiltered = selection.types !== undefined || selection.venues !== undefined
  const events: StoredEvent[] = []
  let next = cursor
  while (next.position < head.position && events.length < limit && next.position - cursor.position < MAX_SCANNED) {
    const count = isFiltered ? Math.max(limit, SCANNED_AT_ONCE) : limit
    const rows = await db.rows<StoredEvent>(
      `select position, at, type, subject, venue_id, source, data, nonce from events
       where brand_id = ? and position > ? order by position limit ?`,
      [brand_id, next.position, count],
    )
    await assertWhole(db, brand_id, next.position, rows)
    for (const row of rows) {
      if (events.length === limit || row.position - cursor.position > MAX_SCANNED) break
      next = row
      if (isSelected(selection, row)) events.push(row)
    }
  }
  return { events, next: { position: next.position, nonce: next.nonce }, more: next.position < head.position }
}

/** The newest events up to a mark that are selected, oldest first. A hole on the way back to them is an error too (E12). */
export async function readLast(
  db: Queries,
  brand_id: number,
  upTo: Mark,
  selection: Selection,
  limit: number,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  const count = selection.types === undefined ? limit : SCANNED_AT_ONCE
  let expected = upTo.position
  while (events.length < limit) {
    const rows = await db.rows<StoredEvent>(
      `select position, at, type, subject, venue_id, source, data, nonce from events
       where brand_id = ? and position <= ? order by position desc limit ?`,
      [brand_id, expected, count],
    )
    const missing = rows.findIndex((row, index) => row.position !== expected - index)
    const whole = missing === -1 ? rows : rows.slice(0, missing)
    events.push(...whole.filter((row) => isSelected(selection, row)))
    expected -= whole.length
    if (whole.length === count || events.length >= limit) continue
    const { tail } = await readState(db, brand_id, 0)
    if (expected > tail.position) throw new FeedHole(`the feed of brand ${brand_id} lacks position ${expected}`)
    break
  }
  return events.slice(0, limit).reverse()
}

/** One page of the feed read backwards, from its end. */
export interface BackPage {
  /** The newest first. */
  readonly events: readonly StoredEvent[]
  /** The oldest position read; undefined if nothing requested is older. */
  readonly previous: Mark | undefined
}

/** The newest events up to a position that are selected, as far back as `since`. */
export async function readBack(
  db: Queries,
  brand_id: number,
  upTo: number,
  since: string,
  selection: Selection,
  limit: number,
): Promise<BackPage> {
  const events: StoredEvent[] = []
  let previous: Mark = { position: upTo + 1, nonce: 0 }
  while (events.length < limit && upTo - previous.position < MAX_SCANNED) {
    const rows = await db.rows<StoredEvent>(
      `select position, at, type, subject, venue_id, source, data, nonce from events
       where brand_id = ? and position < ? order by position desc limit ${SCANNED_AT_ONCE}`,
      [brand_id, previous.position],
    )
    for (const row of rows) {
      if (row.position !== previous.position - 1)
        throw new FeedHole(`the feed of brand ${brand_id} lacks position ${previous.position - 1}`)
      if (row.at < since) return { events, previous: undefined }
      previous = { position: row.position, nonce: row.nonce }
      if (isSelected(selection, row)) events.push(row)
      if (events.length === limit) return { events, previous }
    }
    if (rows.length < SCANNED_AT_ONCE) return { events, previous: undefined }
  }
  return { events, previous }
}

// E12: never a silent skip. What was trimmed between two reads is no hole.
async function assertWhole(db: Queries, brand_id: number, after: number, rows: readonly StoredEvent[]): Promise<void> {
  const hole = rows.length === 0 ? 0 : rows.findIndex((row, index) => row.position !== after + 1 + index)
  if (hole === -1) return
  const { tail, head } = await readState(db, brand_id, 0)
  if (after < tail.position) throw new CursorExpired({ tail, head })
  throw new FeedHole(`the feed of brand ${brand_id} lacks position ${after + 1 + hole}`)
}

export async function findEvent(db: Queries, brand_id: number, mark: Mark): Promise<StoredEvent | undefined> {
  const [event] = await db.rows<StoredEvent>(
    `select position, at, type, subject, venue_id, source, data, nonce from events
     where brand_id = ? and position = ? and nonce = ?`,
    [brand_id, mark.position, mark.nonce],
  )
  return event
}

/** The object that an event is about, for include=object. */
export interface Current {
  /** The text of the object; undefined: it is no longer there. */
  readonly object: string | undefined
  readonly as_of: string
}

/** E4: an event as its reader gets it. */
export function eventText(
  event: StoredEvent,
  reader: { readonly brand: string; readonly integrator_id: string },
  current?: Current,
): string {
  const { type, at, position, venue_id, source, data } = event
  const kind = source.startsWith('api:') ? 'api' : source
  const own = source === `api:${reader.integrator_id}`
  const venue = venue_id === null ? '' : `,"venue_id":${venue_id}`
  const object = current?.object === undefined ? '' : `,"object":${current.object}`
  const asOf = current === undefined ? '' : `,"as_of":"${current.as_of}"`
  return (
    `{"id":"${eventId(event)}","type":"${type}","timestamp":"${at}","position":${position},"brand":"${reader.brand}"${venue}` +
    `,"source":{"kind":"${kind}","own":${own}},"data":${data}${object}${asOf}}`
  )
}
