import type { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { may } from '../auth/permissions.ts'
import type { EventsDeclared } from '../http/call.ts'
import { renewDeadline } from '../http/edge/deadline.ts'
import { asJson, ErrorBody, enclosedParts, One, one } from '../http/envelope.ts'
import { cursorExpired, feedDiverged, forbidden, invalidParameter, noSuchRecord, type Refusal } from '../http/errors.ts'
import type { Rule } from '../http/rules.ts'
import type { FeedMetrics } from '../observe/feed-metrics.ts'
import { partsOf, sent } from '../resource/read/large-page.ts'
import type { Resource } from '../resource/resource.ts'
import type { BeforeRead } from '../resource/serve.ts'
import type { Database } from '../storage/database.ts'
import { EVENT_TYPES, eventType } from './catalogue.ts'
import { eventId, type Mark, readEventId } from './event-id.ts'
import {
  CursorExpired,
  eventText,
  FeedDiverged,
  FeedHole,
  type FeedPage,
  type FeedState,
  findEvent,
  readBack,
  readFeed,
  startOf,
} from './feed.ts'
import type { WaitingRoom } from './news/wait.ts'
import { currentObjects } from './objects.ts'
import { Event, EventsPage, EventsQuery, EventTypes } from './schema.ts'
import {
  type EventsRequest,
  isSelected,
  readEventsBackRequest,
  readEventsRequest,
  readInclude,
  readParameters,
  type Selection,
  select,
} from './selection.ts'

interface EventRoutesDeps {
  readonly db: Database
  readonly log: FastifyBaseLogger
  readonly metrics: FeedMetrics
  readonly resources: readonly Resource[]
  /** What GET does before it reads an object, by the object's kind. */
  readonly beforeRead: ReadonlyMap<string, NonNullable<BeforeRead>>
  readonly room: WaitingRoom
  readonly keptDays: number
  readonly isDraining: () => boolean
  /** The back office asks again by itself; its calls do not wait. */
  readonly mayWait: boolean
  /** E7: whether a caller who has waited still may call. */
  readonly recheck: Rule
  /** E8: a waiting call is no request in flight. */
  readonly release: (reply: FastifyReply) => void
  readonly clientGone: (reply: FastifyReply) => void
}

const PERMISSION = 'events:read'
const TAGS = ['Events']

/** The change feed (E5): GET /events, one event, and the catalogue. */
export function eventRoutes(app: FastifyInstance, deps: EventRoutesDeps): void {
  const { db, log, metrics, resources, beforeRead, room, keptDays } = deps
  const objectsOf = currentObjects(db, resources, beforeRead)
  const [first, ...others] = [...beforeRead.values()].flatMap((each) => each.events)
  const events: EventsDeclared = first === undefined ? 'none' : [first, ...others]

  app.get(
    '/events',
    {
      config: { permission: PERMISSION, events },
      schema: {
        operationId: 'listEvents',
        summary: 'Read the change feed',
        description:
          'Every change of the brand, once and in order. Start with after=latest, then always ask after the `next` of the ' +
          'answer before; `more` means ask again at once. Of each kind one needs its own read permission too.',
        tags: TAGS,
        querystring: EventsQuery,
        response: { 200: EventsPage, 400: ErrorBody, 410: ErrorBody },
      },
    },
    (request, reply) => explained(() => answer(request, reply)),
  )

  app.get(
    '/events/types',
    {
      config: { permission: PERMISSION },
      schema: {
        operationId: 'listEventTypes',
        summary: 'List the types of events',
        description: 'The catalogue, and which of them this caller may see.',
        tags: TAGS,
        response: { 200: EventTypes },
      },
    },
    async ({ call: { caller } }) => ({
      success: true,
      data: EVENT_TYPES.map(({ type, about, permission, venue }) => ({
        type,
        about,
        permission,
        venue,
        allowed: may(caller.user.permissions, permission),
      })),
    }),
  )

  app.get(
    '/events/:id',
    {
      config: { permission: PERMISSION, events },
      schema: {
        operationId: 'getEvent',
        summary: 'Read one event',
        description: 'As the feed has it, as long as it is kept.',
        tags: TAGS,
        params: Type.Object({ id: Type.String({ description: 'evt_ and 20 characters' }) }),
        querystring: Type.Pick(EventsQuery, ['include']),
        response: { 200: One(Event), 400: ErrorBody, 404: ErrorBody },
      },
    },
    async (request, reply) => {
      const { caller } = request.call
      const withObjects = readInclude(readParameters(request.url, ['include']).get('include'))
      const mark = readEventId((request.params as { id: string }).id)
      if (!mark) throw invalidParameter('id', 'id is that of an event: evt_ and 20 characters.')
      const event = await findEvent(db, caller.brand_id, mark)
      const selection: Selection = { ...select(request, { types: undefined, venues: undefined }), types: undefined }
      if (!event || !isSelected(selection, event)) throw noSuchRecord()
      const { permission = PERMISSION } = eventType(event.type) ?? {}
      if (!may(caller.user.permissions, permission)) throw forbidden(permission)
      const current = withObjects ? await objectsOf(caller, selection, [event]) : undefined
      return asJson(reply, one(eventText(event, caller, current?.get(event))))
    },
  )

  if (!deps.mayWait)
    app.get('/events/newest', { config: { permission: PERMISSION } }, (request, reply) =>
      explained(() => answerBack(request, reply)),
    )

  /** For a page that begins at the end of the feed: the newest first, and where to read on in both directions. */
  async function answerBack(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const { caller } = request.call
    const { since, before, types, limit } = readEventsBackRequest(request.url)
    const selection = select(request, { types, venues: undefined })
    const head = await startOf(db, caller.brand_id, { end: 'latest' })
    const upTo = before ? before.position - 1 : head.position
    const { events, previous } = await readBack(db, caller.brand_id, upTo, since, selection, limit)
    const texts = events.map((event) => eventText(event, caller))
    const older = previous ? `"${eventId(previous)}"` : null
    return asJson(reply, `{"success":true,"data":[${texts.join(',')}],"next":"${eventId(head)}","previous":${older}}`)
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | string | Readable> {
    const query = readEventsRequest(request.url)
    const { brand_id } = request.call.caller
    const waitMs = deps.mayWait ? query.waitMs : 0
    const until = performance.now() + waitMs
    let selection = select(request, query) // refused before it waits
    let cursor = await startOf(db, brand_id, query.start)
    // The end of the feed was just read: the client gets a cursor and no event.
    if ('end' in query.start && query.start.end === 'latest' && waitMs === 0)
      return send(request, reply, query, selection, { events: [], next: cursor, more: false })
    for (let hasWaited = false; ; hasWaited = true) {
      const seen = room.seen(brand_id)
      const page = await readFeed(db, brand_id, cursor, selection, query.limit)
      cursor = page.next
      const ms = until - performance.now()
      if (page.events.length > 0 || page.more || ms <= 0 || deps.isDraining())
        return send(request, reply, query, selection, page)
      if (!hasWaited) deps.release(reply)
      const mayStillSee = () => void select(request, query)
      const end = await room.wait(request, { position: cursor.position, seen, ms, mayStillSee })
      if (end === 'gone') {
        request.call.refused = 'client_left'
        deps.clientGone(reply)
        return reply.hijack()
      }
      renewDeadline(request.call)
      if (deps.isDraining()) reply.header('connection', 'close')
      if (end === 'over') return send(request, reply, query, selection, { events: [], next: cursor, more: false })
      const refusal = await deps.recheck(request, reply)
      if (refusal) throw refusal
      selection = select(request, query) // rights may have changed meanwhile
    }
  }

  async function send(
    { call: { caller } }: FastifyRequest,
    reply: FastifyReply,
    { withObjects }: EventsRequest,
    selection: Selection,
    { events, next, more }: FeedPage,
  ): Promise<string | Readable> {
    const current = withObjects ? await objectsOf(caller, selection, events) : undefined
    const texts = events.map((event) => eventText(event, caller, current?.get(event)))
    const [head, tail] = ['{"success":true,"data":[', `],"next":"${eventId(next)}","more":${more}}`]
    const parts = current ? partsOf(texts) : [texts.join(',')]
    if (parts.length <= 1) return asJson(reply, head + parts.join('') + tail)
    return asJson(reply, enclosedParts(head, sent(parts), tail))
  }

  /** E7, E12: what is wrong with a cursor, or with the feed, in the contract's words. */
  async function explained<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof FeedDiverged) metrics.diverged()
      if (error instanceof FeedHole) {
        metrics.hole()
        log.error({ hole: error.message }, 'the feed has a hole')
      }
      throw cursorRefusal(error, keptDays) ?? error
    }
  }
}

/** E7: what is wrong with a cursor. */
export function cursorRefusal(error: unknown, keptDays: number): Refusal | undefined {
  if (error instanceof CursorExpired) return cursorExpired({ ...ends(error.feed), kept_days: keptDays })
  return error instanceof FeedDiverged ? feedDiverged(ends(error.feed)) : undefined
}

const ends = ({ tail, head }: FeedState) => ({ oldest: idOf(tail), latest: idOf(head) })
const idOf = (mark: Mark) => eventId(mark)
