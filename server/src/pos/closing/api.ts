import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { ErrorBody, OneTimed } from '../../http/envelope.ts'
import { Receipt } from '../../resources/receipts.ts'
import { PathId } from '../../resources/values.ts'
import type { Database } from '../../storage/database.ts'
import { BOOKING_EVENTS } from '../money/book.ts'
import { ReceiptHeaders, receiptRoutes } from '../receipts/run.ts'
import { Closing, closeReceipt } from './close.ts'
import { idsToClose } from './ids.ts'

export function serveClose(app: FastifyInstance, deps: { db: Database; now: () => number }): void {
  receiptRoutes(
    app,
    deps,
  )({
    method: 'POST',
    url: '/receipts/:id/close',
    permission: 'receipts:close',
    events: CLOSE_EVENTS,
    message: 'Receipt closed.',
    ids: idsToClose,
    schema: {
      operationId: 'closeReceipt',
      summary: 'Close a receipt with its payments',
      description:
        'In one transaction lines that were not sent are sent, stock is moved, and payments, cashback and totals are booked. The ' +
        'payments add up to what remains; another sum, or a total that is not the receipt’s, is refused naming both. With If-Match ' +
        'only if the receipt still has that version.',
      tags: ['Receipts'],
      params: Type.Object({ id: PathId() }),
      headers: ReceiptHeaders,
      body: Closing,
      response: {
        200: OneTimed(Receipt),
        ...Object.fromEntries([400, 403, 404, 409, 412, 422].map((status) => [status, ErrorBody])),
      },
    },
    command: (context, { params, body }, seen) =>
      closeReceipt(context, (params as { id: number }).id, body as Closing, {}, seen),
  })
}

/** What closing can publish. */
export const CLOSE_EVENTS = ['receipt.closed', 'order.delivered', 'stock.moved', ...BOOKING_EVENTS] as const
