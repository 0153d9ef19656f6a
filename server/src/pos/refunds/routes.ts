import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { PathId } from '../../resource/values.ts'
import type { AddCommand } from '../../resource/write/commands.ts'
import { idsToRefund } from '../closing/ids.ts'
import { CLOSE_EVENTS } from '../closing/routes.ts'
import { onReceipt } from '../receipts/answer.ts'
import { Refund, refundReceipt } from './refund.ts'

/** How staff give back what a closed receipt sold (P19). */
export function staffRefundRoutes(app: FastifyInstance, { command }: { command: AddCommand }): void {
  onReceipt(app, command, {
    method: 'POST',
    url: '/receipts/:id/refund',
    act: { action: 'refund', kinds: ['refund'] },
    permission: 'receipts:refund',
    events: ['receipt.refunded', ...CLOSE_EVENTS],
    params: Type.Object({ id: PathId() }),
    body: Refund,
    message: 'Receipt refunded.',
    ids: idsToRefund,
    change: (context, { params, body, ifMatch }) => refundReceipt(context, params.id, body, ifMatch),
  })
}
