import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { ANYONE } from '../../auth/permissions.ts'
import { PathId } from '../../resource/values.ts'
import type { AddCommand } from '../../resource/write/commands.ts'
import type { Database } from '../../storage/database.ts'
import { BOOKING_EVENTS } from '../money/book.ts'
import { onReceipt } from '../receipts/answer.ts'
import { addTip, NewTip, payTips, TipPayout } from './commands.ts'
import { readTips, TipsQuery } from './tips-report.ts'

/** T12 to T14: how staff take tips, look at them and pay them out. */
export function staffTipRoutes(
  app: FastifyInstance,
  { db, command }: { readonly db: Database; readonly command: AddCommand },
): void {
  onReceipt(app, command, {
    method: 'POST',
    url: '/receipts/:id/tips',
    act: { action: 'tip' },
    permission: 'receipts:close',
    events: ['receipt.updated', ...BOOKING_EVENTS],
    params: Type.Object({ id: PathId() }),
    body: NewTip,
    message: 'Tip booked.',
    ids: { transaction_id: 2 },
    change: (context, { params, body, ifMatch }) => addTip(context, params.id, body, ifMatch),
  })
  command(app, {
    method: 'POST',
    permission: 'tips:write',
    url: '/tips/payout',
    act: { action: 'tip_payout', always: true },
    events: ['cash_shift.updated', ...BOOKING_EVENTS],
    body: TipPayout,
    message: 'Tips paid out.',
    ids: { transaction_id: 2 },
    run: async (context, { body }) => JSON.stringify(await payTips(context, body)),
  })
  // Everybody sees their own.
  app.get(
    '/tips',
    { config: { permission: ANYONE }, schema: { querystring: TipsQuery } },
    async ({ call: { caller }, query }) => ({
      success: true,
      data: await readTips(db, caller, query as TipsQuery),
    }),
  )
}
