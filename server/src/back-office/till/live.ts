import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ANYONE, may } from '../../auth/permissions.ts'
import { typesNamed } from '../../events/catalogue.ts'
import { eventId, type Mark, readEventId } from '../../events/event-id.ts'
import { CursorExpired, eventText, FeedDiverged, readFeed, startOf } from '../../events/feed.ts'
import { isSelected, select } from '../../events/selection.ts'
import type { WaitingRoom } from '../../events/wait.ts'
import { withFreshDeadline } from '../../http/edge/deadline.ts'
import type { Database } from '../../storage/database.ts'

/** What a stream of events needs of the service. */
export interface LiveDeps {
  readonly room: WaitingRoom
  readonly isDraining: () => boolean
  /** A stream is no request in flight. */
  readonly release: (reply: FastifyReply) => void
}

const PAGE = 200
/** A sign of life, so that a page notices a dead connection. */
const BEAT_MS = 10_000
/** Then the page connects again, and everything about it is checked again. */
const STREAM_MS = 5 * 60_000
const RETRY_MS = 500

/** GET live: the events of the venue as server-sent events, those that the staff user may see. */
export function liveRoute(
  app: FastifyInstance,
  { db, room, isDraining, release }: LiveDeps & { db: Database },
  mayStay: (request: FastifyRequest) => Promise<boolean>,
): void {
  app.get('/live', { config: { permission: ANYONE } }, async (request, reply) => {
    const { brand_id } = request.call.caller
    const last = readEventId(String(request.headers['last-event-id'] ?? ''))
    const start = last ?? (await startOf(db, brand_id, { end: 'latest' }))
    release(reply)
    return reply
      .headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
      .send(Readable.from(events(request, start)))
  })

  async function* events(request: FastifyRequest, start: Mark): AsyncGenerator<string> {
    const { caller } = request.call
    const { brand_id, venue_id } = caller
    const until = performance.now() + STREAM_MS
    const fresh = <Result>(step: () => Promise<Result>) => withFreshDeadline(db, step)
    let cursor = start
    yield `retry: ${RETRY_MS}\nid: ${eventId(cursor)}\nevent: ready\ndata: {}\n\n`
    while (!isDraining() && performance.now() < until) {
      const seen = room.seen(brand_id)
      const selection = { ...select(request, EVERYTHING), venues: new Set([venue_id]) }
      const cooks = may(caller.user.permissions, 'kitchen:use')
      const watched = cooks && selection.types ? new Set([...selection.types, ...RECEIPT_TYPES]) : selection.types
      try {
        const page = await fresh(() => readFeed(db, brand_id, cursor, { ...selection, types: watched }, PAGE))
        cursor = page.next
        for (const event of page.events)
          yield isSelected(selection, event)
            ? `id: ${eventId(event)}\nevent: ${event.type}\ndata: ${eventText(event, caller)}\n\n`
            : `id: ${eventId(event)}\nevent: tickets.changed\ndata: {}\n\n`
        if (page.more) continue
      } catch (error) {
        if (!(error instanceof CursorExpired || error instanceof FeedDiverged)) throw error
        // A backup was put back, or the page was away for days: it reads everything again.
        cursor = await fresh(() => startOf(db, brand_id, { end: 'latest' }))
        yield `id: ${eventId(cursor)}\nevent: resync\ndata: {}\n\n`
        continue
      }
      const end = await room.wait(request, { position: cursor.position, seen, ms: BEAT_MS, mayStillSee: () => {} })
      if (end === 'gone' || !(await fresh(() => mayStay(request)))) return
      if (end === 'over') yield ': still here\n\n'
    }
  }
}

/** Who cooks may not read receipts, but learns that tickets may have changed, and nothing else of it. */
const RECEIPT_TYPES = typesNamed('receipt.*').map(({ type }) => type)
const EVERYTHING = { types: undefined, venues: undefined }
