import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { readParameters } from '../../events/selection.ts'
import { all, asJson } from '../../http/envelope.ts'
import { invalidParameter } from '../../http/errors.ts'
import type { Extension } from '../../resource/serve.ts'
import { Maybe, Note, PathId } from '../../resource/values.ts'
import type { AddCommand } from '../../resource/write/commands.ts'
import { Order } from '../../resources/sales/orders.ts'
import type { Database } from '../../storage/database.ts'
import { instantOf } from '../../values/values.ts'
import { postingsFor } from '../closing/ids.ts'
import { BOOKING_EVENTS } from '../money/book.ts'
import { acceptOrder } from './accept.ts'
import { expireDue, refuseOrder, takeBackOrder } from './ignore.ts'
import { placeOrder, tryOrder } from './place.ts'
import { NewOrder } from './schema.ts'
import { endCall, waitingCalls } from './waiter-calls.ts'

/** What accepting an order publishes besides the order. */
export const ACCEPT_EVENTS = ['receipt.opened', ...BOOKING_EVENTS] as const

const DryRun = Type.Object({ dry_run: Maybe(Type.Enum(['0', '1'])) }, { additionalProperties: false })
type DryRun = Static<typeof DryRun>

const TakenBack = Type.Object(
  { status: Type.Enum(['IGNORE']), reason: Maybe(Note(500)) },
  { $id: 'OrderChange', additionalProperties: false },
)

/** A dry run has no id. */
const PlacedOrder = Type.Object({ ...Order.properties, id: Maybe(Order.properties.id) }, { $id: 'PlacedOrder' })

/** What orders are besides rows: they are placed, and taken back by who placed them. */
export const orderExtension: Extension = {
  /** Expires what is due before orders are read: once its time has passed, every read of an order says IGNORE (S1). */
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
function readDryRun(url: string): DryRun {
  const { dry_run = '0' } = Object.fromEntries(readParameters(url, ['dry_run'])) as { dry_run?: string }
  if (dry_run !== '0' && dry_run !== '1') throw invalidParameter('dry_run', 'dry_run is 1 or 0.')
  return { dry_run }
}

const isDry = ({ query }: { query: DryRun }) => query.dry_run === '1'

/** The order, without what is read and means nothing here. */
function orderIn({ venue_id: _, products, ...order }: NewOrder): NewOrder {
  return { ...order, products: products.map(({ status: __, ...product }) => product) }
}

function servePlacing(app: FastifyInstance, { command }: { command: AddCommand }): void {
  command(app, {
    method: 'POST',
    url: '/orders',
    act: { action: 'order' },
    permission: 'orders:write',
    events: ['order.created', 'order.received', 'order.ignored', 'stop_list.changed', ...ACCEPT_EVENTS],
    query: DryRun,
    body: NewOrder,
    described: {
      operationId: 'placeOrder',
      summary: 'Place an order',
      description:
        'It is PENDING until staff accept or refuse it, or its time has passed; a venue may accept by itself. The same ' +
        'integration_uuid and content is the same order. With dry_run=1 it is checked and priced, and nothing is written.',
      tag: 'Orders',
      answers: PlacedOrder,
      refusals: [400, 403, 409, 422],
    },
    message: 'Order created',
    readQuery: readDryRun,
    venue: ({ body }) => body.venue_id,
    isDry,
    ids: ({ body: { products, payments = [] } }) => ({
      order_id: 1,
      receipt_id: 1,
      receipt_line_id: products.length,
      transaction_id: postingsFor(payments),
    }),
    async run(context, input) {
      const order = orderIn(input.body)
      if (isDry(input)) return tryOrder(context, order)
      const { text, replayed } = await placeOrder(context, order, input)
      return { data: text, isReplayed: replayed } // P23
    },
  })
}

function serveTakingBack(app: FastifyInstance, { command }: { command: AddCommand }): void {
  command(app, {
    method: 'PUT',
    url: '/orders/:id',
    permission: 'orders:write',
    events: ['order.ignored', 'stop_list.changed'],
    params: Type.Object({ id: PathId() }),
    body: TakenBack,
    described: {
      operationId: 'takeBackOrder',
      summary: 'Take an order back',
      description: 'While it is PENDING, by the integrator that placed it. Its portions come back.',
      tag: 'Orders',
      answers: Order,
      refusals: [400, 403, 404, 409, 422],
    },
    message: 'Order cancelled.',
    run: (context, { params, body }) => takeBackOrder(context, params.id, body.reason),
  })
}

const OneRow = Type.Object({ id: PathId() })
const Nothing = Type.Object({}, { additionalProperties: false })
const Reason = Type.Object({ reason: Note(500) }, { additionalProperties: false })

/** What staff do with orders and with the calls of guests. */
export function staffOrderRoutes(app: FastifyInstance, { db, command }: { db: Database; command: AddCommand }): void {
  command(app, {
    method: 'POST',
    url: '/orders/:id/accept',
    act: { action: 'accept', decidedBefore: true },
    permission: 'orders:accept',
    events: ['order.received', ...ACCEPT_EVENTS],
    params: OneRow,
    body: Nothing,
    message: 'Order accepted.',
    async ids({ params }, { caller }) {
      const body = await db.text('select body from orders where brand_id = ? and id = ?', [caller.brand_id, params.id])
      const { products = [], payments = [] } = JSON.parse(body ?? '{}') as {
        products?: object[]
        payments?: { tip?: number }[]
      }
      return { receipt_id: 1, receipt_line_id: products.length, transaction_id: postingsFor(payments) }
    },
    run: (context, { params }) => acceptOrder(context, params.id),
  })
  command(app, {
    method: 'POST',
    url: '/orders/:id/refuse',
    act: { action: 'refuse', always: true },
    permission: 'orders:accept',
    events: ['order.ignored', 'stop_list.changed'],
    params: OneRow,
    body: Reason,
    message: 'Order refused.',
    run: (context, { params, body }) => refuseOrder(context, params.id, body.reason),
  })
  app.get('/waiter-calls', { config: { permission: 'orders:read' } }, async ({ call: { caller } }, reply) =>
    asJson(reply, all(await waitingCalls(db, caller.brand_id, caller.venue_id))),
  )
  command(app, {
    method: 'POST',
    url: '/waiter-calls/:id/done',
    act: { action: 'call', always: true },
    permission: 'receipts:write',
    events: ['waiter_call.done'],
    params: OneRow,
    body: Nothing,
    message: 'Call done.',
    run: (context, { params }) => endCall(context, params.id),
  })
}
