import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { all, asJson } from '../../http/envelope.ts'
import { acceptOrder } from '../../pos/orders/accept.ts'
import { refuseOrder } from '../../pos/orders/ignore.ts'
import { ACCEPT_EVENTS } from '../../pos/orders/routes.ts'
import { endCall, waitingCalls } from '../../pos/orders/waiter-calls.ts'
import { Note, PathId } from '../../resource/values.ts'
import type { AddCommand } from '../../resource/write/commands.ts'
import type { Database } from '../../storage/database.ts'

const Order = Type.Object({ id: PathId() })
const Nothing = Type.Object({}, { additionalProperties: false })
const Reason = Type.Object({ reason: Note(500) }, { additionalProperties: false })

/** What staff do with orders and with the calls of guests. */
export function orderRoutes(app: FastifyInstance, { db, command }: { db: Database; command: AddCommand }): void {
  command(app, {
    method: 'POST',
    url: '/orders/:id/accept',
    permission: 'orders:accept',
    events: ['order.received', ...ACCEPT_EVENTS],
    params: Order,
    body: Nothing,
    message: 'Order accepted.',
    async ids({ params }, { caller }) {
      const body = await db.text('select body from orders where brand_id = ? and id = ?', [caller.brand_id, params.id])
      const { products = [], payments = [] } = JSON.parse(body ?? '{}') as { products?: object[]; payments?: object[] }
      return { receipt_id: 1, receipt_line_id: products.length, transaction_id: payments.length }
    },
    run: (context, { params }) => acceptOrder(context, params.id),
  })
  command(app, {
    method: 'POST',
    url: '/orders/:id/refuse',
    permission: 'orders:accept',
    events: ['order.ignored', 'stop_list.changed'],
    params: Order,
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
    permission: 'receipts:write',
    events: ['waiter_call.done'],
    params: Order,
    body: Nothing,
    message: 'Call done.',
    run: (context, { params }) => endCall(context, params.id),
  })
}
