import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { enterVenue } from '../../auth/authenticate.ts'
import { authorize } from '../../auth/permissions.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { CLOSE_EVENTS } from '../../pos/closing/api.ts'
import { Closing, closeReceipt } from '../../pos/closing/close.ts'
import { idsToCancel, idsToClose, idsToLabel, idsToPay, idsToRefund } from '../../pos/closing/ids.ts'
import { PartPayment, payPart } from '../../pos/closing/pay.ts'
import { documentRoutes } from '../../pos/documents/routes.ts'
import { BOOKING_EVENTS } from '../../pos/money/book.ts'
import {
  cancelReceipt,
  changeReceipt,
  NewReceipt,
  openReceipt,
  ReceiptChange,
  setLock,
} from '../../pos/receipts/commands.ts'
import { moveTicket, sendReceipt, TICKET_STEPS, type TicketStep } from '../../pos/receipts/kitchen.ts'
import { addLines, changeLine, voidLine } from '../../pos/receipts/lines.ts'
import { AskedLine, LineChange } from '../../pos/receipts/new-line.ts'
import { type ReceiptRoute, receiptRoutes } from '../../pos/receipts/run.ts'
import { waitingTickets } from '../../pos/receipts/waiting-tickets.ts'
import { Refund, refundReceipt } from '../../pos/refunds/refund.ts'
import { Maybe, PathId } from '../../resources/values.ts'
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
  const { db, now, directory, live } = deps
  app.addHook('onRequest', asHook(sequence(actAsStaff, enterVenue, authorize)))
  documentRoutes(app, { db, now }, { described: false })
  moneyRoutes(app, { db, now })
  orderRoutes(app, { db, now })
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
  const route = receiptRoutes(app, { db, now })
  const add = (
    method: 'POST' | 'PATCH' | 'DELETE',
    url: string,
    params: TSchema | undefined,
    body: TSchema | undefined,
    {
      querystring,
      ...rest
    }: Pick<ReceiptRoute, 'permission' | 'message' | 'ids' | 'command'> &
      Partial<Pick<ReceiptRoute, 'events'>> & { querystring?: TSchema },
  ) =>
    route({
      method,
      url,
      events: ['receipt.updated'],
      schema: { ...(params && { params }), ...(body && { body }), ...(querystring && { querystring }) },
      ...rest,
    })

  add('POST', '/receipts', undefined, NewReceipt, {
    permission: 'receipts:write',
    events: ['receipt.opened', 'stop_list.changed'],
    message: 'Receipt opened.',
    ids: ({ body }) => ({ receipt_id: 1, receipt_line_id: (body as NewReceipt).lines?.length ?? 0 }),
    command: (context, request) => openReceipt(context, request.body as NewReceipt),
  })
  add('PATCH', '/receipts/:id', Receipt, ReceiptChange, {
    permission: 'receipts:write',
    events: ['receipt.updated', ...CLOSE_EVENTS],
    message: 'Receipt changed.',
    ids: idsToLabel,
    command: (context, request, seen) => changeReceipt(context, idOf(request), request.body as ReceiptChange, seen),
  })
  add('POST', '/receipts/:id/lines', Receipt, Lines, {
    permission: 'receipts:write',
    events: ['receipt.updated', 'stop_list.changed'],
    message: 'Lines added.',
    ids: ({ body }) => ({ receipt_line_id: (body as { lines: AskedLine[] }).lines.length }),
    command: (context, request, seen) =>
      addLines(context, idOf(request), (request.body as { lines: AskedLine[] }).lines, seen),
  })
  add('PATCH', '/receipts/:id/lines/:line', Line, LineChange, {
    permission: 'receipts:write',
    events: ['receipt.updated', 'stop_list.changed'],
    message: 'Line changed.',
    command: (context, request, seen) =>
      changeLine(context, idOf(request), lineOf(request), request.body as LineChange, seen),
  })
  add('DELETE', '/receipts/:id/lines/:line', Line, undefined, {
    permission: 'receipts:write',
    events: ['receipt.updated', 'stop_list.changed', 'stock.moved'],
    querystring: WasteFlag,
    message: 'Line voided.',
    ids: idsToCancel,
    command: (context, request, seen) =>
      voidLine(context, idOf(request), lineOf(request), { waste: isWaste(request) }, seen),
  })
  add('POST', '/receipts/:id/send', Receipt, Nothing, {
    permission: 'receipts:write',
    message: 'Sent to the stations.',
    command: (context, request, seen) => sendReceipt(context, idOf(request), seen),
  })
  for (const [action, lock] of [
    ['lock', true],
    ['unlock', false],
  ] as const)
    add('POST', `/receipts/:id/${action}`, Receipt, Nothing, {
      permission: 'receipts:write',
      message: lock ? 'Receipt locked.' : 'Receipt unlocked.',
      command: (context, request, seen) => setLock(context, idOf(request), lock, seen),
    })
  add('POST', '/receipts/:id/payments', Receipt, PartPayment, {
    permission: 'receipts:close',
    events: ['receipt.updated', ...BOOKING_EVENTS],
    message: 'Payment booked.',
    ids: idsToPay,
    command: (context, request, seen) => payPart(context, idOf(request), request.body as PartPayment, seen),
  })
  add('POST', '/receipts/:id/close', Receipt, StaffClosing, {
    permission: 'receipts:close',
    events: CLOSE_EVENTS,
    message: 'Receipt closed.',
    ids: idsToClose,
    command(context, request, seen) {
      const { cash_shift_id, ...closing } = request.body as Static<typeof StaffClosing>
      return closeReceipt(context, idOf(request), closing, { cash_shift_id }, seen)
    },
  })
  add('POST', '/receipts/:id/refund', Receipt, Refund, {
    permission: 'receipts:refund',
    events: ['receipt.refunded', ...CLOSE_EVENTS],
    message: 'Receipt refunded.',
    ids: idsToRefund,
    command: (context, request, seen) => refundReceipt(context, idOf(request), request.body as Refund, seen),
  })
  add('POST', '/receipts/:id/cancel', Receipt, Cancelling, {
    permission: 'receipts:cancel',
    events: ['receipt.cancelled', 'stop_list.changed', 'stock.moved', ...BOOKING_EVENTS],
    message: 'Receipt cancelled.',
    ids: idsToCancel,
    command(context, request, seen) {
      const { waste = false, ...till } = request.body as Static<typeof Cancelling>
      return cancelReceipt(context, idOf(request), { waste, ...till }, seen)
    },
  })
  for (const step of Object.keys(TICKET_STEPS) as TicketStep[])
    add('POST', `/tickets/:id/${step}`, Receipt, Nothing, {
      permission: 'kitchen:use',
      events: ['receipt.updated', 'order.delivered'],
      message: 'Ticket changed.',
      command: (context, request, seen) => moveTicket(context, idOf(request), step, seen),
    })
}

const idOf = ({ params }: FastifyRequest) => (params as { id: number }).id // as its schema read it
const lineOf = ({ params }: FastifyRequest) => (params as { line: number }).line
const isWaste = ({ query }: FastifyRequest) => (query as { waste?: string }).waste === '1'
