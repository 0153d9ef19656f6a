import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { enterVenueOf } from '../../auth/authenticate.ts'
import { readParameters } from '../../events/selection.ts'
import { ErrorBody, OneWritten } from '../../http/envelope.ts'
import { invalidParameter } from '../../http/errors.ts'
import { IdempotencyHeaders } from '../../resources/idempotency.ts'
import { Order } from '../../resources/orders.ts'
import type { Extension } from '../../resources/serve.ts'
import { Maybe, Note, PathId } from '../../resources/values.ts'
import type { Database } from '../../storage/database.ts'
import { instantOf } from '../../values/values.ts'
import { BOOKING_EVENTS } from '../money/book.ts'
import { commandRoutes } from '../run.ts'
import { NewOrder } from './asked.ts'
import { expireDue, takeBackOrder } from './ignore.ts'
import { placeOrder, tryOrder } from './place.ts'

/** What accepting an order publishes besides the order. */
export const ACCEPT_EVENTS = ['receipt.opened', ...BOOKING_EVENTS] as const

const DryRun = Type.Object({ dry_run: Maybe(Type.Enum(['0', '1'])) }, { additionalProperties: false })

const TakenBack = Type.Object(
  { status: Type.Enum(['IGNORE']), reason: Maybe(Note(500)) },
  { $id: 'OrderChange', additionalProperties: false },
)

/** A dry run has no id. */
const PlacedOrder = Type.Object({ ...Order.properties, id: Maybe(Order.properties.id) }, { $id: 'PlacedOrder' })

const refusals = (...statuses: number[]) => Object.fromEntries(statuses.map((status) => [status, ErrorBody]))

/** What orders are besides rows: they are placed, and taken back by who placed them. */
export const orderExtension: Extension = {
  /** From the instant on at which its time has passed, every read of an order says IGNORE (S1). */
  beforeRead: {
    events: ['order.ignored', 'stop_list.changed'],
    run: ({ db, now }, { brand_id }) => expireDue(db, brand_id, instantOf(now())),
  },
  routes(app, deps) {
    servePlacing(app, deps)
    serveTakingBack(app, deps)
  },
}

/** What is meant as a dry run and is none would be an order: every other value is refused. */
function isDry({ url }: FastifyRequest): boolean {
  const { dry_run = '0' } = Object.fromEntries(readParameters(url, ['dry_run'])) as { dry_run?: string }
  if (dry_run !== '0' && dry_run !== '1') throw invalidParameter('dry_run', 'dry_run is 1 or 0.')
  return dry_run === '1'
}

/** What is asked, without what is read and means nothing here. */
function askedOf({ body }: FastifyRequest): NewOrder {
  const { venue_id: _, products, ...order } = body as NewOrder
  return { ...order, products: products.map(({ status: __, ...product }) => product) }
}

function servePlacing(app: FastifyInstance, deps: { db: Database; now: () => number }): void {
  commandRoutes(
    app,
    deps,
  )({
    method: 'POST',
    url: '/orders',
    permission: 'orders:write',
    events: ['order.created', 'order.received', 'order.ignored', 'stop_list.changed', ...ACCEPT_EVENTS],
    message: 'Order created',
    schema: {
      operationId: 'placeOrder',
      summary: 'Place an order',
      description:
        'It is PENDING until staff accept or refuse it, or its time has passed; a venue may accept by itself. The same ' +
        'integration_uuid and content is the same order. With dry_run=1 it is checked and priced, and nothing is written.',
      tags: ['Orders'],
      headers: IdempotencyHeaders,
      querystring: DryRun,
      body: NewOrder,
      response: { 200: OneWritten(PlacedOrder), ...refusals(400, 403, 409, 422) },
    },
    begin(request) {
      const { venue_id } = request.body as NewOrder
      if (venue_id !== undefined) enterVenueOf(request.call, venue_id)
    },
    isDry,
    ids({ body }) {
      const { products, payments = [] } = body as NewOrder
      return { order_id: 1, receipt_id: 1, receipt_line_id: products.length, transaction_id: payments.length }
    },
    async command(context, request, reply) {
      const asked = askedOf(request)
      if (isDry(request)) return tryOrder(context, asked)
      const isKeyed = request.headers['idempotency-key'] !== undefined
      const { text, replayed } = await placeOrder(context, asked, { isKeyed })
      if (replayed) reply.header('idempotency-replayed', 'true') // P23
      return text
    },
  })
}

function serveTakingBack(app: FastifyInstance, deps: { db: Database; now: () => number }): void {
  commandRoutes(
    app,
    deps,
  )({
    method: 'PUT',
    url: '/orders/:id',
    permission: 'orders:write',
    events: ['order.ignored', 'stop_list.changed'],
    message: 'Order cancelled.',
    schema: {
      operationId: 'takeBackOrder',
      summary: 'Take an order back',
      description: 'While it is PENDING, by the integrator that placed it. Its portions come back.',
      tags: ['Orders'],
      params: Type.Object({ id: PathId() }),
      headers: IdempotencyHeaders,
      body: TakenBack,
      response: { 200: OneWritten(Order), ...refusals(400, 403, 404, 409, 422) },
    },
    ids: () => ({}),
    command: (context, { params, body }) =>
      takeBackOrder(context, (params as { id: number }).id, (body as Static<typeof TakenBack>).reason),
  })
}
