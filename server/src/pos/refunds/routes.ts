import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { noSuchRecord } from '../../http/errors.ts'
import { PathId } from '../../resource/values.ts'
import type { AddCommand } from '../../resource/write/commands.ts'
import type { Database } from '../../storage/database.ts'
import { idsToRefund } from '../closing/ids.ts'
import { CLOSE_EVENTS } from '../closing/routes.ts'
import { onReceipt } from '../receipts/answer.ts'
import { receiptsWith, refundsOf } from '../receipts/store.ts'
import { leftToRefund, Refund, refundReceipt } from './refund.ts'

const OneReceipt = Type.Object({ id: PathId() })

/** How staff give back what a closed receipt sold (P19), and what is left to give back. */
export function staffRefundRoutes(app: FastifyInstance, { db, command }: { db: Database; command: AddCommand }): void {
  app.get(
    '/receipts/:id/refund',
    { config: { permission: 'receipts:read' }, schema: { params: OneReceipt } },
    async ({ call: { caller }, params }) => {
      const { id } = params as Static<typeof OneReceipt>
      const [sold] = await receiptsWith(db, caller.brand_id, 'id', [id])
      if (sold?.receipt.venue_id !== caller.venue_id) throw noSuchRecord()
      return { success: true, data: leftToRefund(sold, await refundsOf(db, caller.brand_id, [id])) }
    },
  )
  onReceipt(app, command, {
    method: 'POST',
    url: '/receipts/:id/refund',
    act: { action: 'refund', kinds: ['refund'] },
    permission: 'receipts:refund',
    events: ['receipt.refunded', ...CLOSE_EVENTS],
    params: OneReceipt,
    body: Refund,
    message: 'Receipt refunded.',
    ids: idsToRefund,
    change: (context, { params, body, ifMatch }) => refundReceipt(context, params.id, body, ifMatch),
  })
}
