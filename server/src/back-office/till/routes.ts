import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { enterVenue } from '../../auth/authenticate.ts'
import { authorize } from '../../auth/permissions.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { Closing, closeReceipt } from '../../pos/closing/close.ts'
import { idsToCancel, idsToClose, idsToLabel, idsToPay, idsToRefund } from '../../pos/closing/ids.ts'
import { PartPayment, payPart } from '../../pos/closing/pay.ts'
import { CLOSE_EVENTS } from '../../pos/closing/routes.ts'
import { documentRoutes } from '../../pos/documents/routes.ts'
import { BOOKING_EVENTS } from '../../pos/money/book.ts'
import { RECEIPT_ROUTE, receiptAnswer } from '../../pos/receipts/answer.ts'
import {
  cancelReceipt,
  changeReceipt,
  NewReceipt,
  openReceipt,
  ReceiptChange,
  setLock,
} from '../../pos/receipts/commands.ts'
import type { Draft } from '../../pos/receipts/draft.ts'
import { moveTicket, sendReceipt, TICKET_STEPS, type TicketStep } from '../../pos/receipts/kitchen.ts'
import { addLines, changeLine, voidLine } from '../../pos/receipts/lines.ts'
import { AskedLine, LineChange } from '../../pos/receipts/new-line.ts'
import { waitingTickets } from '../../pos/receipts/waiting-tickets.ts'
import { Refund, refundReceipt } from '../../pos/refunds/refund.ts'
import { Maybe, PathId } from '../../resource/values.ts'
import type { AddCommand, CommandContext, CommandRoute } from '../../resource/write/commands.ts'
import { instantOf } from '../../values/values.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff, staysInVenue } from '../guard.ts'
import { customerRoutes } from './customer-routes.ts'
import { liveRoute } from './live.ts'
import { moneyRoutes } from './money-routes.ts'
import { orderRoutes } from './order-routes.ts'
import { stockRoomRoutes } from './stock-room-routes.ts'

const Lines = Type.Object({ lines: Type.Array(AskedLine) }, { additionalProperties: false })
const Nothing = Type.Object({}, { additionalProperties: false })
const Receipt = Type.Object({ id: PathId() })
const Line = Type.Object({ id: PathId(), line: PathId() })
/** In a query string, where everything is text. */
const WasteFlag = Type.Object({ waste: Maybe(Type.Enum(['0', '1'])) }, { additionalProperties: false })
const OfStation = Type.Object({ station_id: Maybe(PathId()) }, { additionalProperties: false })
/** P15: staff may name the cash shift that their cash belongs to. */
const CashShift = { cash_shift_id: Maybe(Type.String({ format: 'uuid' })) }
const Cancelling = Type.Object(
  { waste: Maybe(Type.Boolean({ description: 'What was made is lost' })), ...CashShift },
  { additionalProperties: false },
)
const StaffClosing = Type.Object({ ...Closing.properties, ...CashShift }, { additionalProperties: false })

/** What staff do with receipts (Part 3 of docs/contract.md, Staff routes), by the commands that the API uses too (P7). */
export const tillRoutes: FastifyPluginAsync<BackOfficeDeps> = async (app, deps) => {
  const { db, now, command, directory, live } = deps
  app.addHook('onRequest', asHook(sequence(actAsStaff, enterVenue, authorize)))
  documentRoutes(app, deps, { described: false })
  moneyRoutes(app, deps)
  orderRoutes(app, deps)
  customerRoutes(app, deps)
  stockRoomRoutes(app, deps)
  liveRoute(app, { db, now, stays: staysInVenue(directory), ...live })
  app.get(
    '/tickets',
    { config: { permission: 'kitchen:use' }, schema: { querystring: OfStation } },
    async ({ call: { caller }, query }) => {
      const { station_id } = query as Static<typeof OfStation>
      const at = now()
      // A screen's own clock may be wrong: ages are counted by this one.
      return { success: true, data: await waitingTickets(db, caller, station_id, at), now: instantOf(at) }
    },
  )
  // A bill names who served. Waiters may not read users, of whom this is the name alone.
  app.get('/sellers', { config: { permission: 'receipts:write' } }, async ({ call: { caller } }) => {
    const data = await db.rows<{ id: number; name: string }>(
      'select id, name from users where brand_id = ? order by id',
      [caller.brand_id],
    )
    return { success: true, data }
  })
  serveReceipts(app, command)
}

function serveReceipts(app: FastifyInstance, command: AddCommand): void {
  /** Registers a route whose command changes a receipt, which is the answer. */
  const onReceipt = <Params extends TSchema, Query extends TSchema, Body extends TSchema>(
    method: 'POST' | 'PATCH' | 'DELETE',
    url: string,
    {
      change,
      events = ['receipt.updated'],
      ...route
    }: Pick<CommandRoute<Params, Query, Body>, 'permission' | 'params' | 'query' | 'body' | 'message' | 'ids'> & {
      events?: CommandRoute<Params, Query, Body>['events']
      change: (
        context: CommandContext,
        input: Parameters<CommandRoute<NoInfer<Params>, NoInfer<Query>, NoInfer<Body>>['run']>[1],
      ) => Promise<Draft>
    },
  ) =>
    command<Params, Query, Body>(app, {
      ...RECEIPT_ROUTE,
      ...route,
      method,
      url,
      events,
      run: async (context, input) => receiptAnswer(await change(context, input)),
    })

  onReceipt('POST', '/receipts', {
    permission: 'receipts:write',
    events: ['receipt.opened', 'stop_list.changed'],
    body: NewReceipt,
    message: 'Receipt opened.',
    ids: ({ body }) => ({ receipt_id: 1, receipt_line_id: body.lines?.length ?? 0 }),
    change: (context, { body }) => openReceipt(context, body),
  })
  onReceipt('PATCH', '/receipts/:id', {
    permission: 'receipts:write',
    events: ['receipt.updated', ...CLOSE_EVENTS],
    params: Receipt,
    body: ReceiptChange,
    message: 'Receipt changed.',
    ids: idsToLabel,
    change: (context, { params, body, ifMatch }) => changeReceipt(context, params.id, body, ifMatch),
  })
  onReceipt('POST', '/receipts/:id/lines', {
    permission: 'receipts:write',
    events: ['receipt.updated', 'stop_list.changed'],
    params: Receipt,
    body: Lines,
    message: 'Lines added.',
    ids: ({ body }) => ({ receipt_line_id: body.lines.length }),
    change: (context, { params, body, ifMatch }) => addLines(context, params.id, body.lines, ifMatch),
  })
  onReceipt('PATCH', '/receipts/:id/lines/:line', {
    permission: 'receipts:write',
    events: ['receipt.updated', 'stop_list.changed'],
    params: Line,
    body: LineChange,
    message: 'Line changed.',
    change: (context, { params, body, ifMatch }) => changeLine(context, params.id, params.line, body, ifMatch),
  })
  onReceipt('DELETE', '/receipts/:id/lines/:line', {
    permission: 'receipts:write',
    events: ['receipt.updated', 'stop_list.changed', 'stock.moved'],
    params: Line,
    query: WasteFlag,
    message: 'Line voided.',
    ids: idsToCancel,
    change: (context, { params, query, ifMatch }) =>
      voidLine(context, params.id, params.line, { waste: query.waste === '1' }, ifMatch),
  })
  onReceipt('POST', '/receipts/:id/send', {
    permission: 'receipts:write',
    params: Receipt,
    body: Nothing,
    message: 'Sent to the stations.',
    change: (context, { params, ifMatch }) => sendReceipt(context, params.id, ifMatch),
  })
  for (const [action, lock] of [
    ['lock', true],
    ['unlock', false],
  ] as const)
    onReceipt('POST', `/receipts/:id/${action}`, {
      permission: 'receipts:write',
      params: Receipt,
      body: Nothing,
      message: lock ? 'Receipt locked.' : 'Receipt unlocked.',
      change: (context, { params, ifMatch }) => setLock(context, params.id, lock, ifMatch),
    })
  onReceipt('POST', '/receipts/:id/payments', {
    permission: 'receipts:close',
    events: ['receipt.updated', ...BOOKING_EVENTS],
    params: Receipt,
    body: PartPayment,
    message: 'Payment booked.',
    ids: idsToPay,
    change: (context, { params, body, ifMatch }) => payPart(context, params.id, body, ifMatch),
  })
  onReceipt('POST', '/receipts/:id/close', {
    permission: 'receipts:close',
    events: CLOSE_EVENTS,
    params: Receipt,
    body: StaffClosing,
    message: 'Receipt closed.',
    ids: idsToClose,
    change: (context, { params, body: { cash_shift_id, ...closing }, ifMatch }) =>
      closeReceipt(context, params.id, closing, { cash_shift_id }, ifMatch),
  })
  onReceipt('POST', '/receipts/:id/refund', {
    permission: 'receipts:refund',
    events: ['receipt.refunded', ...CLOSE_EVENTS],
    params: Receipt,
    body: Refund,
    message: 'Receipt refunded.',
    ids: idsToRefund,
    change: (context, { params, body, ifMatch }) => refundReceipt(context, params.id, body, ifMatch),
  })
  onReceipt('POST', '/receipts/:id/cancel', {
    permission: 'receipts:cancel',
    events: ['receipt.cancelled', 'stop_list.changed', 'stock.moved', ...BOOKING_EVENTS],
    params: Receipt,
    body: Cancelling,
    message: 'Receipt cancelled.',
    ids: idsToCancel,
    change: (context, { params, body: { waste = false, ...till }, ifMatch }) =>
      cancelReceipt(context, params.id, { waste, ...till }, ifMatch),
  })
  for (const step of Object.keys(TICKET_STEPS) as TicketStep[])
    onReceipt('POST', `/tickets/:id/${step}`, {
      permission: 'kitchen:use',
      events: ['receipt.updated', 'order.delivered'],
      params: Receipt,
      body: Nothing,
      message: 'Ticket changed.',
      change: (context, { params, ifMatch }) => moveTicket(context, params.id, step, ifMatch),
    })
}
