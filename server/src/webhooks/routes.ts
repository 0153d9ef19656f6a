import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import type { Directory } from '../directory/directory.ts'
import type { KeyRing } from '../directory/keys.ts'
import { eventId, readEventId } from '../events/event-id.ts'
import { findEvent } from '../events/feed.ts'
import type { currentObjects } from '../events/objects.ts'
import { cursorRefusal } from '../events/routes.ts'
import { readParameters } from '../events/selection.ts'
import type { Caller } from '../http/call.ts'
import { renewDeadline } from '../http/edge/deadline.ts'
import { All, asJson, ErrorBody, One, one } from '../http/envelope.ts'
import { endpointState, invalidParameter, noSuchRecord, secretOverlap } from '../http/errors.ts'
import type { AddCommand, Answer, CommandContext } from '../resource/write/commands.ts'
import type { Database } from '../storage/database.ts'
import { instantOf, readInstant } from '../values/values.ts'
import {
  activateEndpoint,
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  ENDPOINT_EVENTS,
  type EndpointRow,
  findEndpoint,
  listEndpoints,
  pauseEndpoint,
  resumeEndpoint,
  rotateSecret,
  shownEndpoint,
  wrongSecret,
  wrongUrl,
} from './endpoints.ts'
import {
  cancelReplay,
  createReplay,
  discardHeld,
  type HeldFilter as Filter,
  findReplay,
  listHeld,
  listReplays,
  retryHeld,
  shownReplay,
} from './held.ts'
import type { DeliveryLog, LogFilter, LogLine } from './log.ts'
import { receiverOf, selectionOf } from './rights.ts'
import {
  Count,
  Deleted,
  DeliveriesQuery,
  Delivery,
  Endpoint,
  EndpointChange,
  HELD_STATES,
  HeldEvent,
  HeldFilter,
  HeldQuery,
  Hour,
  NewEndpoint,
  NewReplay,
  NewStaffEndpoint,
  Replay,
  Resume,
  Rotation,
  Signed,
  SignedQuery,
  Walked,
} from './schema.ts'
import { isSecret, newSecret, openSecrets, overlapUntil, rotated, sealed } from './secrets.ts'
import { headersOf } from './sending/attempt.ts'
import type { OwnMessages } from './sending/challenge.ts'
import { eventBody, isFor } from './sending/messages.ts'
import type { Targets } from './sending/targets.ts'
import { urlProblem } from './url.ts'

export const WEBHOOKS_PERMISSION = 'webhooks:manage'
const TAG = 'Webhooks'
const DAY_MS = 86_400_000
const CHALLENGE_MS = 5_000
const DEFAULT_OVERLAP_S = 86_400
const UPDATED = ['webhook_endpoint.updated'] as const

export interface WebhookRoutesDeps {
  readonly db: Database
  readonly directory: Directory
  readonly keys: KeyRing
  readonly deliveries: DeliveryLog
  readonly targets: Targets
  readonly messages: OwnMessages
  readonly objectsOf: ReturnType<typeof currentObjects>
  readonly command: AddCommand
  readonly keptDays: number
  readonly now: () => number
  /** A call that waits for a receiver is no request in flight. */
  readonly release: (reply: FastifyReply) => void
}

const Id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64, example: 'we_Zk3vQ0pX8sT1yB6nM4aH7g' }) })
const ReplayId = Type.Object({
  ...Id.properties,
  replay: Type.String({ minLength: 1, maxLength: 64, example: 'rp_Zk3vQ0pX8sT1yB6nM4aH7g' }),
})

/** W2: the same routes for integrations, which see their own endpoints, and for staff, who see the brand's. */
export function webhookRoutes(app: FastifyInstance, deps: WebhookRoutesDeps, isStaff: boolean): void {
  const { db, directory, keys, deliveries, targets, messages, command, now } = deps
  const config = { permission: WEBHOOKS_PERMISSION }

  const idOf = ({ params }: FastifyRequest) => (params as Static<typeof Id>).id
  const found = (request: FastifyRequest) => findEndpoint(db, request.call.caller, idOf(request))

  async function shown(row: EndpointRow, caller: Caller): Promise<string> {
    const figures = (await figuresOf(row.brand_id)).get(row.id)
    return JSON.stringify(await shownEndpoint(db, row, now(), { figures, suspended: await suspensionOf(row, caller) }))
  }

  async function suspensionOf(row: EndpointRow, { brand }: Caller) {
    const receiver = await receiverOf(directory, brand, row)
    return 'suspended' in receiver ? receiver.suspended : undefined
  }

  /** What is gone with the activity store is left out. */
  const figuresOf = async (brand_id: number) =>
    deliveries.figures(brand_id, now() - DAY_MS).catch(() => new Map<string, never>())

  const answered = async ({ tx }: CommandContext, row: EndpointRow, secret?: string): Promise<Answer> => {
    const data = await shownEndpoint(tx, row, now())
    return { data: JSON.stringify(data), ...(secret !== undefined && { once: JSON.stringify({ ...data, secret }) }) }
  }

  const explained = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      throw cursorRefusal(error, deps.keptDays) ?? error
    }
  }

  const checkUrl = (url: string | undefined, { brand }: Caller) => {
    const problem = url === undefined ? undefined : urlProblem(url, targets.allowedFor(brand))
    if (problem !== undefined) throw wrongUrl(problem)
  }

  const secretOf = (given: string | undefined): string => {
    if (given !== undefined && !isSecret(given)) throw wrongSecret()
    return given ?? newSecret()
  }

  const described = (
    operationId: string,
    summary: string,
    description: string,
    answers: TSchema,
    refusals: number[],
  ) => (isStaff ? undefined : { operationId, summary, description, tag: TAG, answers, refusals })

  const reading = (
    operationId: string,
    summary: string,
    description: string,
    response: TSchema,
    more: object = {},
  ) => ({
    config,
    schema: {
      ...(isStaff ? {} : { operationId, summary, description, tags: [TAG] }),
      params: Id,
      ...more,
      response: { 200: response, 404: ErrorBody },
    },
  })

  app.get(
    '/webhook-endpoints',
    {
      config,
      schema: {
        ...(!isStaff && {
          operationId: 'listWebhookEndpoints',
          summary: 'List webhook endpoints',
          description: 'Your own, all of them.',
          tags: [TAG],
        }),
        response: { 200: All(Endpoint) },
      },
    },
    async ({ call: { caller } }, reply) => {
      const rows = await listEndpoints(db, caller)
      const figures = await figuresOf(caller.brand_id)
      const texts = await Promise.all(
        rows.map(async (row) => {
          const more = { figures: figures.get(row.id), suspended: await suspensionOf(row, caller) }
          return JSON.stringify(await shownEndpoint(db, row, now(), more))
        }),
      )
      return asJson(reply, `{"success":true,"data":[${texts.join(',')}],"total":${texts.length}}`)
    },
  )

  app.get(
    '/webhook-endpoints/:id',
    reading(
      'getWebhookEndpoint',
      'Read a webhook endpoint',
      'Its settings, its state and how far it is.',
      One(Endpoint),
    ),
    async (request, reply) => asJson(reply, one(await shown(await found(request), request.call.caller))),
  )

  command(app, {
    method: 'POST',
    url: '/webhook-endpoints',
    permission: WEBHOOKS_PERMISSION,
    events: ENDPOINT_EVENTS,
    body: isStaff ? NewStaffEndpoint : NewEndpoint,
    described: described(
      'createWebhookEndpoint',
      'Create a webhook endpoint',
      'It is pending until its receiver answers a challenge. The answer has the secret, once: an answer that is repeated for an ' +
        'Idempotency-Key has none.',
      Endpoint,
      [400, 403, 409, 410, 422],
    ),
    message: 'Endpoint created',
    run: (context, { body }) =>
      explained(async () => {
        const { caller } = context
        const { secret: given, ...input } = body as Static<typeof NewStaffEndpoint>
        checkUrl(input.url, caller)
        const secret = secretOf(given)
        const { client_id, integrator_id } = isStaff ? input : caller
        const seal = (id: string) => sealed(keys, caller.brand_id, id, secret)
        return answered(context, await createEndpoint(context, { ...input, client_id, integrator_id }, seal), secret)
      }),
  })

  command(app, {
    method: 'PATCH',
    url: '/webhook-endpoints/:id',
    permission: WEBHOOKS_PERMISSION,
    events: ENDPOINT_EVENTS,
    params: Id,
    body: EndpointChange,
    described: described(
      'changeWebhookEndpoint',
      'Change a webhook endpoint',
      'From the cursor on. With another url it is pending again; the cursor stands meanwhile.',
      Endpoint,
      [400, 403, 404, 409, 422],
    ),
    message: 'Endpoint changed',
    async run(context, { params: { id }, body }) {
      checkUrl(body.url, context.caller)
      return answered(context, await changeEndpoint(context, context.caller, id, body))
    },
  })

  command(app, {
    method: 'DELETE',
    url: '/webhook-endpoints/:id',
    permission: WEBHOOKS_PERMISSION,
    events: ENDPOINT_EVENTS,
    params: Id,
    described: described(
      'deleteWebhookEndpoint',
      'Delete a webhook endpoint',
      'Lines of its log stay.',
      Deleted,
      [404, 422],
    ),
    message: 'Endpoint deleted',
    async run(context, { params: { id } }) {
      await deleteEndpoint(context, context.caller, id)
      return JSON.stringify({ id })
    },
  })

  command(app, {
    method: 'POST',
    url: '/webhook-endpoints/:id/pause',
    permission: WEBHOOKS_PERMISSION,
    events: UPDATED,
    params: Id,
    described: described(
      'pauseWebhookEndpoint',
      'Pause a webhook endpoint',
      'Nothing is sent until it is resumed. The cursor stands.',
      Endpoint,
      [404, 409, 422],
    ),
    message: 'Endpoint paused',
    run: async (context, { params: { id } }) => answered(context, await pauseEndpoint(context, context.caller, id)),
  })

  command(app, {
    method: 'POST',
    url: '/webhook-endpoints/:id/resume',
    permission: WEBHOOKS_PERMISSION,
    events: UPDATED,
    params: Id,
    body: Resume,
    described: described(
      'resumeWebhookEndpoint',
      'Resume a webhook endpoint',
      'From where it stopped, or from `from`.',
      Endpoint,
      [400, 404, 409, 410, 422],
    ),
    message: 'Endpoint resumed',
    run: (context, { params: { id }, body: { from } }) =>
      explained(async () => answered(context, await resumeEndpoint(context, context.caller, id, from))),
  })

  command(app, {
    method: 'POST',
    url: '/webhook-endpoints/:id/secret',
    permission: WEBHOOKS_PERMISSION,
    events: UPDATED,
    params: Id,
    body: Rotation,
    described: described(
      'rotateWebhookSecret',
      'Rotate the secret of a webhook endpoint',
      'Both secrets sign until the overlap ends, the new one first. The answer has the new one, once.',
      Endpoint,
      [400, 404, 409, 422],
    ),
    message: 'Secret rotated',
    async run(context, { params: { id }, body: { overlap_s = DEFAULT_OVERLAP_S, secret: given } }) {
      const secret = secretOf(given)
      const row = await rotateSecret(context, context.caller, id, ({ brand_id, secrets: stored }) => {
        const running = overlapUntil(stored, now())
        if (running !== undefined && overlap_s > 0) throw secretOverlap(instantOf(running))
        const until = overlap_s === 0 ? undefined : now() + overlap_s * 1000
        return rotated(keys, brand_id, id, { stored, secret, until })
      })
      return answered(context, row, secret)
    },
  })

  if (isStaff)
    command(app, {
      method: 'POST',
      url: '/webhook-endpoints/:id/activate',
      permission: WEBHOOKS_PERMISSION,
      events: UPDATED,
      params: Id,
      message: 'Endpoint activated',
      run: async (context, { params: { id } }) =>
        answered(context, await activateEndpoint(context, context.caller, id)),
    })

  app.post(
    '/webhook-endpoints/:id/verify',
    {
      config: { ...config, events: UPDATED },
      schema: {
        ...(!isStaff && {
          operationId: 'verifyWebhookEndpoint',
          summary: 'Send the challenge again',
          description: 'Waits for the receiver; the endpoint is active if it answered. Once in five seconds.',
          tags: [TAG],
        }),
        params: Id,
        response: { 200: One(Endpoint), 404: ErrorBody, 409: ErrorBody },
      },
    },
    async (request, reply) => {
      const { caller } = request.call
      const row = await found(request)
      if (row.state === 'pending') {
        const count = await db.transaction((tx) =>
          tx.run(
            `update webhook_endpoints set not_before = ? where brand_id = ? and id = ? and state = 'pending' and not_before <= ?`,
            [now() + CHALLENGE_MS, row.brand_id, row.id, now()],
          ),
        )
        if (count === 0) throw endpointState(row.state)
        deps.release(reply)
        await messages.challenge({ ...row, slug: caller.brand })
        renewDeadline(request.call)
      } else if (row.state === 'paused' || row.state === 'disabled') throw endpointState(row.state)
      return asJson(reply, one(await shown(await found(request), caller)))
    },
  )

  app.post(
    '/webhook-endpoints/:id/test',
    {
      config: { ...config, events: 'none' },
      schema: {
        ...(!isStaff && {
          operationId: 'testWebhookEndpoint',
          summary: 'Send a test to a webhook endpoint',
          description: 'An `endpoint.test`, in any state, which counts nowhere. Answers what came of it.',
          tags: [TAG],
        }),
        params: Id,
        response: { 200: One(Delivery), 404: ErrorBody },
      },
    },
    async (request, reply) => {
      const row = await found(request)
      deps.release(reply)
      const line = await messages.test({ ...row, slug: request.call.caller.brand })
      renewDeadline(request.call)
      return asJson(reply, one(JSON.stringify(shownDelivery({ id: line.event, ...line }))))
    },
  )

  app.get(
    '/webhook-endpoints/:id/deliveries',
    reading('listWebhookDeliveries', 'Read the log of a webhook endpoint', 'The newest first.', Walked(Delivery), {
      querystring: DeliveriesQuery,
    }),
    async (request, reply) => {
      const { brand_id, id } = await found(request)
      const filter = readDeliveriesQuery(request.url)
      const lines = await deliveries.list(brand_id, id, filter)
      const next = lines.length === filter.limit ? lines.at(-1)!.id : null
      return asJson(reply, JSON.stringify({ success: true, data: lines.map(shownDelivery), next }))
    },
  )

  if (isStaff) {
    app.get('/webhook-endpoints/:id/hours', reading('', '', '', All(Hour)), async (request, reply) => {
      const { brand_id, id } = await found(request)
      const hours = await deliveries.hours(brand_id, id, now() - DAY_MS)
      return asJson(reply, JSON.stringify({ success: true, data: hours, total: hours.length }))
    })

    /** W20: with the rights of the person who asks, so that it shows nothing that they do not see anyway. */
    app.get(
      '/webhook-endpoints/:id/signed',
      reading('', '', '', One(Signed), { querystring: SignedQuery }),
      async (request, reply) => {
        const row = await found(request)
        const { caller } = request.call
        const mark = readEventId((request.query as Static<typeof SignedQuery>).event)
        const event = mark && (await findEvent(db, row.brand_id, mark))
        if (!event || !isFor(row, caller, event)) throw noSuchRecord()
        const body = await eventBody(deps.objectsOf, row, caller, selectionOf(caller, row), event)
        const secrets = openSecrets(keys, row.brand_id, row.id, row.secrets, now())
        const headers = headersOf({ endpoint: row.id, id: eventId(event), body, secrets }, now())
        return asJson(reply, one(JSON.stringify({ url: row.url, headers, body })))
      },
    )
  }

  app.get(
    '/webhook-endpoints/:id/held',
    reading(
      'listWebhookHeld',
      'Read the held events of a webhook endpoint',
      'Those that wait for another attempt, were given up, or were refused by the receiver; the oldest first.',
      Walked(HeldEvent),
      { querystring: HeldQuery },
    ),
    async (request, reply) => {
      const row = await found(request)
      const { filter, after, limit } = readHeldQuery(request.url)
      return asJson(reply, JSON.stringify({ success: true, ...(await listHeld(db, row, filter, after, limit)) }))
    },
  )

  for (const [verb, work, summary] of [
    ['retry', retryHeld, 'Send held events again'],
    ['discard', discardHeld, 'Give held events up'],
  ] as const)
    command(app, {
      method: 'POST',
      url: `/webhook-endpoints/:id/held/${verb}`,
      permission: WEBHOOKS_PERMISSION,
      events: 'none',
      params: Id,
      body: HeldFilter,
      described: described(
        `${verb}WebhookHeld`,
        summary,
        'All that match; without a filter, all.',
        Count,
        [400, 404, 422],
      ),
      message: 'Done',
      async run(context, { params: { id }, body }) {
        const row = await findEndpoint(context.tx, context.caller, id)
        return JSON.stringify({ count: await work(context, row, body as Filter) })
      },
    })

  app.get(
    '/webhook-endpoints/:id/replays',
    reading(
      'listWebhookReplays',
      'List the replays of a webhook endpoint',
      'The newest 100, newest first.',
      All(Replay),
    ),
    async (request, reply) => {
      const rows = (await listReplays(db, await found(request))).map(shownReplay)
      return asJson(reply, JSON.stringify({ success: true, data: rows, total: rows.length }))
    },
  )

  command(app, {
    method: 'POST',
    url: '/webhook-endpoints/:id/replays',
    permission: WEBHOOKS_PERMISSION,
    events: 'none',
    params: Id,
    body: NewReplay,
    described: described(
      'createWebhookReplay',
      'Send events again',
      'Those of a range that is kept, with their own ids, after new events and retries. At most 4 of a brand run.',
      Replay,
      [400, 404, 409, 410, 422],
    ),
    message: 'Replay created',
    run: (context, { params: { id }, body }) =>
      explained(async () => {
        const row = await findEndpoint(context.tx, context.caller, id)
        return JSON.stringify(shownReplay(await createReplay(context, row, body)))
      }),
  })

  app.get(
    '/webhook-endpoints/:id/replays/:replay',
    {
      config,
      schema: {
        ...(!isStaff && {
          operationId: 'getWebhookReplay',
          summary: 'Read a replay',
          description: 'How far it is.',
          tags: [TAG],
        }),
        params: ReplayId,
        response: { 200: One(Replay), 404: ErrorBody },
      },
    },
    async (request, reply) => {
      const { replay } = request.params as Static<typeof ReplayId>
      return asJson(reply, one(JSON.stringify(shownReplay(await findReplay(db, await found(request), replay)))))
    },
  )

  command(app, {
    method: 'DELETE',
    url: '/webhook-endpoints/:id/replays/:replay',
    permission: WEBHOOKS_PERMISSION,
    events: 'none',
    params: ReplayId,
    described: described(
      'cancelWebhookReplay',
      'Cancel a replay',
      'What is on its way may still arrive.',
      Replay,
      [404, 422],
    ),
    message: 'Replay cancelled',
    async run(context, { params: { id, replay } }) {
      const row = await findEndpoint(context.tx, context.caller, id)
      return JSON.stringify(shownReplay(await cancelReplay(context, row, replay)))
    },
  })
}

/** One text for all that could tell where an address leads (W17). */
const UNREACHED = 'The target cannot be reached.'

const shownDelivery = ({
  id,
  at,
  event,
  type,
  attempt,
  cause,
  status,
  class: failure,
  ms,
  skew_s,
  answer,
}: LogLine & { id: string }) => ({
  id,
  at: instantOf(at),
  event,
  type,
  attempt,
  cause,
  ...(status !== null && { status }),
  ...(failure !== null && { class: failure }),
  ...((failure === 'blocked' || failure === 'dns') && { message: UNREACHED }),
  ms,
  ...(skew_s !== null && { clock_off_s: skew_s }),
  ...(answer !== null && { answer }),
})

const LIMIT = { usual: 50, most: 200 }

function readLimit(text: string | undefined): number {
  if (text === undefined) return LIMIT.usual
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > LIMIT.most)
    throw invalidParameter('limit', `limit is a whole number from 1 to ${LIMIT.most}.`, {
      minimum: 1,
      maximum: LIMIT.most,
    })
  return limit
}

function readHeldQuery(url: string) {
  const given = readParameters(url, ['state', 'class', 'type', 'limit', 'after'])
  const state = given.get('state')
  if (state !== undefined && !HELD_STATES.includes(state))
    throw invalidParameter('state', `state is one of ${HELD_STATES.join(', ')}.`)
  const filter = { state, class: given.get('class'), type: given.get('type') }
  return { filter, after: given.get('after'), limit: readLimit(given.get('limit')) }
}

function readDeliveriesQuery(url: string): LogFilter {
  const names = ['event', 'type', 'class', 'status', 'cause', 'since', 'until', 'limit', 'after'] as const
  const given = readParameters(url, names)
  const status = given.get('status')
  if (status !== undefined && !/^\d{3}$/.test(status)) throw invalidParameter('status', 'status is a status of HTTP.')
  const instant = (name: 'since' | 'until') => {
    const text = given.get(name)
    const read = text === undefined ? undefined : readInstant(text)
    if (text !== undefined && read === undefined)
      throw invalidParameter(name, `${name} is an ISO 8601 date-time with its zone.`)
    return read === undefined ? undefined : Date.parse(read)
  }
  return {
    event: given.get('event'),
    type: given.get('type'),
    class: given.get('class'),
    status: status === undefined ? undefined : Number(status),
    cause: given.get('cause'),
    since: instant('since'),
    until: instant('until'),
    after: given.get('after'),
    limit: readLimit(given.get('limit')),
  }
}
