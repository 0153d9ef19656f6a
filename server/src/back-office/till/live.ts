import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { ANYONE, may, mayEnter } from '../../auth/permissions.ts'
import { typesNamed } from '../../events/catalogue.ts'
import { eventId, type Mark, readEventId } from '../../events/event-id.ts'
import { CursorExpired, eventText, FeedDiverged, type FeedPage, readFeed, startOf } from '../../events/feed.ts'
import type { WaitingRoom } from '../../events/news/wait.ts'
import { isSelected, select } from '../../events/selection.ts'
import { withFreshDeadline } from '../../http/edge/deadline.ts'
import { Maybe } from '../../resource/values.ts'
import type { Database } from '../../storage/database.ts'
import { liveStreams, type OpenStream } from './streams.ts'

/** What an event stream needs from the service. */
export interface LiveDeps {
  readonly room: WaitingRoom
  /** Stops counting the request as in flight: a stream is not. */
  readonly release: (reply: FastifyReply) => void
  /** Calls back when the process begins to shut down. */
  readonly onLeaving: (end: () => void) => void
  readonly failed: (error: unknown) => void
  /** Disconnects a reader that reads nothing for this long. */
  readonly stallMs?: number | undefined
}

interface Deps extends LiveDeps {
  readonly db: Database
  readonly now: () => number
  /** Whether the reader may still enter the venue; updates the call with the rights they have now. */
  readonly stays: (request: FastifyRequest) => Promise<boolean>
}

const PAGE = 200
/** Heartbeat, so that a page notices a dead connection. */
const BEAT_MS = 10_000
/** Longest stream: then the page connects again, and everything about it is checked again. */
const STREAM_MS = 5 * 60_000
const RETRY_MS = 500

const MAX_VENUES = 64
const LiveQuery = Type.Object(
  { venues: Maybe(Type.String({ pattern: `^\\d{1,16}(,\\d{1,16}){0,${MAX_VENUES - 1}}$` })) },
  { additionalProperties: false },
)

/** The venue of the call, and those in `venues` that its caller may enter now: the tabs of a browser share one stream. */
function venuesOf({ call: { caller, venues }, query }: FastifyRequest): ReadonlySet<number> {
  const named = (query as Static<typeof LiveQuery>).venues?.split(',').map(Number) ?? []
  return new Set([caller.venue_id, ...named.filter((id) => venues.has(id) && mayEnter(caller.user, id))])
}

/** GET live: the events of one venue or several that the staff user may see, as server-sent events. */
export function liveRoute(app: FastifyInstance, deps: Deps): void {
  const { db, room, release, stays } = deps
  const streams = liveStreams(deps)
  deps.onLeaving(streams.close)
  const readOn = sharedReads(db)

  app.get('/live', { config: { permission: ANYONE }, schema: { querystring: LiveQuery } }, async (request, reply) => {
    const given = String(request.headers['last-event-id'] ?? '')
    const last = readEventId(given)
    const start = last ?? (await startOf(db, request.call.caller.brand_id, { end: 'latest' }))
    release(reply)
    const stream = streams.open(request)
    // Unreadable Last-Event-ID: the client may have missed events, so tell it to reload.
    const body = Readable.from(events(request, stream, start, given !== '' && !last))
    stream.attach(body)
    return reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }).send(body)
  })

  async function* events(
    request: FastifyRequest,
    { signal }: OpenStream,
    start: Mark,
    isLost: boolean,
  ): AsyncGenerator<string> {
    const { brand_id } = request.call.caller
    const until = performance.now() + STREAM_MS
    const fresh = <Result>(step: () => Promise<Result>) => withFreshDeadline(db, step)
    let cursor = start
    yield `retry: ${RETRY_MS}\n${told(cursor, 'ready', JSON.stringify({ venues: [...venuesOf(request)] }))}`
    if (isLost) yield told(cursor, 'resync')
    while (!signal.aborted && performance.now() < until && (await stays(request))) {
      const seen = room.seen(brand_id)
      const { caller } = request.call
      const selection = { ...select(request, EVERYTHING), venues: venuesOf(request) }
      const isSeen = seenBy(selection, may(caller.user.permissions, 'kitchen:use'))
      try {
        const page = await fresh(() => readOn(brand_id, cursor, seen))
        cursor = page.next
        for (const event of page.events) {
          const how = isSeen(event)
          if (how === 'whole') yield told(event, event.type, eventText(event, caller))
          else if (how === 'tickets') yield told(event, 'tickets.changed', `{"venue_id":${event.venue_id}}`)
        }
        if (page.more) continue
      } catch (error) {
        if (!(error instanceof CursorExpired || error instanceof FeedDiverged)) throw error
        // A backup was restored, or the page was away for days: it reloads everything.
        cursor = await fresh(() => startOf(db, brand_id, { end: 'latest' }))
        yield told(cursor, 'resync')
        continue
      }
      const wait = { position: cursor.position, seen, ms: BEAT_MS, mayStillSee: () => {}, signal }
      const end = await room.wait(request, wait)
      if (end === 'gone') return
      if (end === 'over' && !signal.aborted) yield ': still here\n\n'
    }
  }
}

const told = (mark: Mark, type: string, data = '{}') => `id: ${eventId(mark)}\nevent: ${type}\ndata: ${data}\n\n`

/**
 * Screens of a brand at the same position share one read, since each event wakes all of them. `seen` keeps a screen that was woken by a
 * new event from joining a read that began before it.
 */
function sharedReads(db: Database) {
  const reading = new Map<string, Promise<FeedPage>>()
  return (brand_id: number, cursor: Mark, seen: number): Promise<FeedPage> => {
    const key = `${brand_id} ${seen} ${eventId(cursor)}`
    const known = reading.get(key)
    if (known) return known
    const page = readFeed(db, brand_id, cursor, EVERYTHING, PAGE).finally(() => reading.delete(key))
    reading.set(key, page)
    return page
  }
}

/** Cooks get only "tickets changed", never the receipt. */
const RECEIPT_TYPES = new Set(typesNamed('receipt.*').map(({ type }) => type))
const EVERYTHING = { types: undefined, venues: undefined }

function seenBy(selection: Parameters<typeof isSelected>[0], cooks: boolean) {
  const ofTickets = { types: RECEIPT_TYPES, venues: selection.venues }
  return (event: Parameters<typeof isSelected>[1]): 'whole' | 'tickets' | undefined => {
    if (isSelected(selection, event)) return 'whole'
    return cooks && isSelected(ofTickets, event) ? 'tickets' : undefined
  }
}
