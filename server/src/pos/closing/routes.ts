import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { DecimalOrText, Maybe, PathId } from '../../resource/values.ts'
import type { AddCommand } from '../../resource/write/commands.ts'
import { Receipt } from '../../resources/sales/receipts.ts'
import { BOOKING_EVENTS } from '../money/book.ts'
import { onReceipt, RECEIPT_ROUTE, receiptAnswer } from '../receipts/answer.ts'
import { Closing, closeReceipt } from './close.ts'
import { idsToClose, idsToPay } from './ids.ts'
import { PartPayment, payPart } from './pay.ts'

/** What closing can publish. */
export const CLOSE_EVENTS = ['receipt.closed', 'order.delivered', 'stock.moved', ...BOOKING_EVENTS] as const

const OneReceipt = Type.Object({ id: PathId() })
/** P15: staff may name the cash shift that their cash belongs to, and what they handed back. */
const StaffClosing = Type.Object(
  {
    ...Closing.properties,
    cash_shift_id: Maybe(Type.String({ format: 'uuid' })),
    change: Maybe(DecimalOrText({ description: 'What was handed back in cash: it is printed, and booked nowhere' })),
  },
  { additionalProperties: false },
)

export function serveClose(app: FastifyInstance, { command }: { command: AddCommand }): void {
  command(app, {
    ...RECEIPT_ROUTE,
    method: 'POST',
    url: '/receipts/:id/close',
    act: { action: 'close' },
    permission: 'receipts:close',
    events: CLOSE_EVENTS,
    params: OneReceipt,
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

/** How staff take money for a receipt. */
export function staffClosingRoutes(app: FastifyInstance, { command }: { command: AddCommand }): void {
  onReceipt(app, command, {
    method: 'POST',
    url: '/receipts/:id/payments',
    act: { action: 'pay' },
    permission: 'receipts:close',
    events: ['receipt.updated', ...BOOKING_EVENTS],
    params: OneReceipt,
    body: PartPayment,
    message: 'Payment booked.',
    ids: idsToPay,
    change: (context, { params, body, ifMatch }) => payPart(context, params.id, body, ifMatch),
  })
  onReceipt(app, command, {
    method: 'POST',
    url: '/receipts/:id/close',
    act: { action: 'close' },
    permission: 'receipts:close',
    events: CLOSE_EVENTS,
    params: OneReceipt,
    body: StaffClosing,
    message: 'Receipt closed.',
    ids: idsToClose,
    change: (context, { params, body: { cash_shift_id, change, ...closing }, ifMatch }) =>
      closeReceipt(context, params.id, closing, { cash_shift_id, change }, ifMatch),
  })
}
