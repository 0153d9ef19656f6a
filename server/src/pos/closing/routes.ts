import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { PathId } from '../../resource/values.ts'
import type { AddCommand } from '../../resource/write/commands.ts'
import { Receipt } from '../../resources/sales/receipts.ts'
import { BOOKING_EVENTS } from '../money/book.ts'
import { RECEIPT_ROUTE, receiptAnswer } from '../receipts/answer.ts'
import { Closing, closeReceipt } from './close.ts'
import { idsToClose } from './ids.ts'

export function serveClose(app: FastifyInstance, { command }: { command: AddCommand }): void {
  command(app, {
    ...RECEIPT_ROUTE,
    method: 'POST',
    url: '/receipts/:id/close',
    permission: 'receipts:close',
    events: CLOSE_EVENTS,
    params: Type.Object({ id: PathId() }),
    body: Closing,
    described: {
      operationId: 'closeReceipt',
      summary: 'Close a receipt with its payments',
      description:
        'In one transaction lines that were not sent are sent, stock is moved, and payments, cashback and totals are booked. The ' +
        'payments add up to what remains; another sum, or a total that is not the receipt’s, is refused naming both. With If-Match ' +
        'only if the receipt still has that version.',
      tag: 'Receipts',
      answers: Receipt,
      refusals: [400, 403, 404, 409, 412, 422],
    },
    message: 'Receipt closed.',
    ids: idsToClose,
    run: async (context, { params, body, ifMatch }) =>
      receiptAnswer(await closeReceipt(context, params.id, body, {}, ifMatch)),
  })
}

/** What closing can publish. */
export const CLOSE_EVENTS = ['receipt.closed', 'order.delivered', 'stock.moved', ...BOOKING_EVENTS] as const
