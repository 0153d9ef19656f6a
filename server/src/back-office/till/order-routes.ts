import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { all, asJson } from '../../http/envelope.ts'
import { acceptOrder } from '../../pos/orders/accept.ts'
import { ACCEPT_EVENTS } from '../../pos/orders/api.ts'
import { refuseOrder } from '../../pos/orders/ignore.ts'
import { endCall, waitingCalls } from '../../pos/orders/waiter-calls.ts'
import { commandRoutes } from '../../pos/run.ts'
import { Note, PathId } from '../../resources/values.ts'
import type { Database } from '../../storage/database.ts'

const Order = Type.Object({ id: PathId() })
const Nothing = Type.Object({}, { additionalProperties: false })
const Reason = Type.Object({ reason: Note(500) }, { additionalProperties: false })

/** What staff do with orders and with the calls of guests. */
export function orderRoutes(app: FastifyInstance, { db, now }: { db: Database; now: () => number }): void {
  const route = commandRoutes(app, { db, now })
  route({
    method: 'POST',
    url: '/orders/:id/accept',
    permission: 'orders:accept',
    events: ['order.received', ...ACCEPT_EVENTS],
    message: 'Order accepted.',
    schema: { params: Order, body: Nothing },
    async ids(request) {
      const body = await db.text('select body from orders where brand_id = ? and id = ?', [
        request.call.caller.brand_id,
        idOf(request),
      ])
      const { products = [], payments = [] } = JSON.parse(body ?? '{}') as { products?: object[]; payments?: object[] }
      return { receipt_id: 1, receipt_line_id: products.length, transaction_id: payments.length }
    },
    command: (context, request) => acceptOrder(context, idOf(request)),
  })
  route({
    method: 'POST',
    url: '/orders/:id/refuse',
    permission: 'orders:accept',
    events: ['order.ignored', 'stop_list.changed'],
    message: 'Order refused.',
    schema: { params: Order, body: Reason },
    ids: () => ({}),
    command: (context, request) => refuseOrder(context, idOf(request), (request.body as Static<typeof Reason>).reason),
  })
  app.get('/waiter-calls', { config: { permission: 'orders:read' } }, async ({ call: { caller } }, reply) =>
    asJson(reply, all(await waitingCalls(db, caller.brand_id, caller.venue_id))),
  )
  route({
    method: 'POST',
    url: '/waiter-calls/:id/done',
    permission: 'receipts:write',
    events: ['waiter_call.done'],
    message: 'Call done.',
    schema: { params: Order, body: Nothing },
    ids: () => ({}),
    command: (context, request) => endCall(context, idOf(request)),
  })
}

const idOf = ({ params }: FastifyRequest) => (params as { id: number }).id
