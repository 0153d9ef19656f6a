import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Owner, Reader } from '../../resource/read/page.ts'
import { serveOwned } from '../../resource/read/views.ts'
import { type Extension, PathUuid, readUuid, serveOne } from '../../resource/serve.ts'
import { Maybe, Note, PathId, Trimmed } from '../../resource/values.ts'
import type { AddCommand } from '../../resource/write/commands.ts'
import { Receipt, receipts } from '../../resources/sales/receipts.ts'
import { stockOperations } from '../../resources/stock/stock-operations.ts'
import type { Database } from '../../storage/database.ts'
import { TICKET_STEPS, type TicketStep } from '../../values/states.ts'
import { instantOf } from '../../values/values.ts'
import { serveActs } from '../acts/routes.ts'
import { Calculation, calculationOf } from '../calculation.ts'
import { idsToCancel, idsToLabel } from '../closing/ids.ts'
import { CLOSE_EVENTS, serveClose } from '../closing/routes.ts'
import { BOOKING_EVENTS } from '../money/book.ts'
import { TOTALS_RULE } from '../totals.ts'
import { onReceipt, RECEIPT_ROUTE, receiptAnswer } from './answer.ts'
import { cancelReceipt, changeReceipt, NewReceipt, openReceipt, ReceiptChange, setLock } from './commands.ts'
import { Fire, fireCourse, moveTicket, sendReceipt, TicketLines } from './kitchen.ts'
import { labelReceipt } from './labels.ts'
import { MAX_LINES, refuse } from './line.ts'
import { addLines, changeLine, voidLine } from './lines.ts'
import { LineChange, NewLine } from './new-line.ts'
import { linesOf, type StoredReceipt, wholeOf } from './store.ts'
import { heldCourses, waitingTickets } from './waiting-tickets.ts'
import { billOf } from './whole-receipt.ts'

/** What an integrator may write on a receipt. */
const ReceiptPatch = Type.Object(
  {
    id: Maybe(Type.Integer({ description: 'Read, and must be the receipt’s' })),
    cid: Maybe(Type.String({ description: 'Read, and must be the receipt’s' })),
    order_status: Maybe(Receipt.properties.order_status),
    order_number: Maybe(Note(20)),
    fiscal_id: Maybe(Trimmed({ maxLength: 64 })),
    lock: Maybe(Type.Boolean({ description: 'true once the bill was shown' })),
  },
  { $id: 'ReceiptPatch', additionalProperties: false },
)

/** What receipts are besides rows: they can explain themselves, are found by their cid, and take labels (S2, S3). */
export const receiptExtension: Extension = {
  included: { calculation: { schema: Calculation, read: calculations } },
  whole: Receipt,
  routes(app, deps) {
    serveOne(app, receipts, deps, {
      included: receiptExtension.included,
      whole: Receipt,
      key: {
        path: 'cid/:cid',
        params: Type.Object({ cid: PathUuid() }),
        column: 'cid_key',
        read: (params) => readUuid('cid', params),
        described: { operationId: 'getReceiptByCid', summary: 'Read one receipt by its cid' },
      },
    })
    serveLabels(app, deps)
    serveActs(app, deps)
    serveClose(app, deps)
    serveOwned(app, deps, receipts, stockOperations, {
      path: 'receipts/:id/stock-operations',
      column: 'receipt_id',
      operationId: 'listReceiptStockOperations',
      summary: 'List the stock movements of a receipt',
      description: 'What its lines took, or a refund brought back. What was taken is negative.',
    })
  },
}

/** Only of receipts that were made by this rule: history was made elsewhere, an old rule is not this one (P12), a refund has P19. */
async function calculations(db: Reader, { brand_id }: Owner, ids: readonly number[]): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (const id of ids) {
    const [row] = await db.rows<StoredReceipt>(
      'select body, details, terms, rule, version from receipts where brand_id = ? and id = ?',
      [brand_id, id],
    )
    if (row?.rule !== TOTALS_RULE) continue
    const whole = wholeOf(row, await linesOf(db, brand_id, id))
    if (whole.receipt.parent_id !== undefined) continue
    found.set(id, JSON.stringify(calculationOf(billOf(whole))))
  }
  return found
}

function serveLabels(app: FastifyInstance, { command }: { command: AddCommand }): void {
  command(app, {
    ...RECEIPT_ROUTE,
    method: 'PATCH',
    url: '/receipts/:id',
    permission: 'receipts:write',
    events: ['receipt.updated', 'receipt.cancelled', 'stop_list.changed', ...CLOSE_EVENTS],
    act: { action: 'change' },
    params: Type.Object({ id: PathId() }),
    body: ReceiptPatch,
    described: {
      operationId: 'changeReceipt',
      summary: 'Change labels of a receipt',
      description:
        'Moves order_status forward, sets order_number and fiscal_id, locks and unlocks. CANCELLED cancels the receipt of an order ' +
        'of one’s own; COMPLETED closes one of which nothing remains to be paid. With If-Match only if the receipt still has that version.',
      tag: 'Receipts',
      answers: Receipt,
      refusals: [400, 403, 404, 409, 412, 422],
    },
    message: 'Receipt changed.',
    ids: idsToLabel,
    async run(context, { params, body: { id, cid, ...labels }, ifMatch }) {
      if (Object.keys(labels).length === 0)
        refuse([{ field: 'body', rule: 'required', message: 'Give order_status, order_number, fiscal_id or lock.' }])
      return receiptAnswer(await labelReceipt(context, params.id, labels, { id, cid }, ifMatch))
    },
  })
}

const Lines = Type.Object(
  {
    lines: Type.Array(NewLine, { maxItems: MAX_LINES }),
    replaces: Maybe(
      Type.String({
        format: 'uuid',
        description: 'The cid of a line that was not sent: it is voided with the same step',
      }),
    ),
  },
  { additionalProperties: false },
)
const Nothing = Type.Object({}, { additionalProperties: false })
const OneReceipt = Type.Object({ id: PathId() })
const Line = Type.Object({ id: PathId(), line: PathId() })
/** In a query string, where everything is text. */
const WasteFlag = Type.Object({ waste: Maybe(Type.Enum(['0', '1'])) }, { additionalProperties: false })
const OfStation = Type.Object({ station_id: Maybe(PathId()) }, { additionalProperties: false })
const Cancelling = Type.Object(
  {
    waste: Maybe(Type.Boolean({ description: 'What was made is lost' })),
    cash_shift_id: Maybe(Type.String({ format: 'uuid', description: 'P15: the drawer that gives cash back' })),
  },
  { additionalProperties: false },
)

interface StaffDeps {
  readonly db: Database
  readonly now: () => number
  readonly command: AddCommand
}

/** One of the staff, as a bill names them. */
export interface Seller {
  readonly id: number
  readonly name: string
  /** Somebody who left is on earlier bills, and takes no new one. */
  readonly active: boolean
}

/** What staff do with receipts (Part 3 of docs/contract.md, Staff routes), by the commands that the API uses too (P7). */
export function staffReceiptRoutes(app: FastifyInstance, { db, now, command }: StaffDeps): void {
  app.get(
    '/tickets',
    { config: { permission: 'kitchen:use' }, schema: { querystring: OfStation } },
    async ({ call: { caller }, query }) => {
      const { station_id } = query as Static<typeof OfStation>
      const nowMs = now()
      // A screen's own clock may be wrong: ages are counted by this one.
      const data = await waitingTickets(db, caller, station_id, nowMs)
      return { success: true, data, next: await heldCourses(db, caller, station_id), now: instantOf(nowMs) }
    },
  )
  // A bill names the waiter. Waiters may not read users: this says no more of them.
  app.get('/sellers', { config: { permission: 'receipts:write' } }, async ({ call: { caller } }) => {
    const people = await db.rows<{ id: number; name: string; active: number }>(
      'select id, name, active from users where brand_id = ? order by name, id',
      [caller.brand_id],
    )
    const data = people.map(({ id, name, active }): Seller => ({ id, name, active: active === 1 }))
    return { success: true, data }
  })
  onReceipt(app, command, {
    method: 'POST',
    url: '/receipts',
    permission: 'receipts:write',
    events: ['receipt.opened', 'stop_list.changed'],
    act: { action: 'open', kinds: ['gift', 'discount', 'price'] },
    body: NewReceipt,
    message: 'Receipt opened.',
    ids: ({ body }) => ({ receipt_id: 1, receipt_line_id: body.lines?.length ?? 0 }),
    change: (context, { body }) => openReceipt(context, body),
  })
  onReceipt(app, command, {
    method: 'PATCH',
    url: '/receipts/:id',
    permission: 'receipts:write',
    events: ['receipt.updated', ...CLOSE_EVENTS],
    act: { action: 'change', kinds: ['discount'] },
    params: OneReceipt,
    body: ReceiptChange,
    message: 'Receipt changed.',
    ids: idsToLabel,
    change: (context, { params, body, ifMatch }) => changeReceipt(context, params.id, body, ifMatch),
  })
  onReceipt(app, command, {
    method: 'POST',
    url: '/receipts/:id/lines',
    act: { action: 'add', kinds: ['gift', 'discount', 'price'] },
    permission: 'receipts:write',
    events: ['receipt.updated', 'stop_list.changed'],
    params: OneReceipt,
    body: Lines,
    message: 'Lines added.',
    ids: ({ body }) => ({ receipt_line_id: body.lines.length }),
    change: (context, { params, body, ifMatch }) => addLines(context, params.id, body, ifMatch),
  })
  onReceipt(app, command, {
    method: 'PATCH',
    url: '/receipts/:id/lines/:line',
    act: { action: 'line', kinds: ['gift', 'discount'] },
    permission: 'receipts:write',
    events: ['receipt.updated', 'stop_list.changed'],
    params: Line,
    body: LineChange,
    message: 'Line changed.',
    change: (context, { params, body, ifMatch }) => changeLine(context, params.id, params.line, body, ifMatch),
  })
  onReceipt(app, command, {
    method: 'DELETE',
    url: '/receipts/:id/lines/:line',
    act: { action: 'void', kinds: ['void'] },
    permission: 'receipts:write',
    events: ['receipt.updated', 'stop_list.changed', 'stock.moved'],
    params: Line,
    query: WasteFlag,
    message: 'Line voided.',
    ids: idsToCancel,
    change: (context, { params, query, ifMatch }) =>
      voidLine(context, params.id, params.line, { waste: query.waste === '1' }, ifMatch),
  })
  onReceipt(app, command, {
    method: 'POST',
    url: '/receipts/:id/send',
    act: { action: 'send' },
    permission: 'receipts:write',
    params: OneReceipt,
    body: Nothing,
    message: 'Sent to the stations.',
    change: (context, { params, ifMatch }) => sendReceipt(context, params.id, ifMatch),
  })
  onReceipt(app, command, {
    method: 'POST',
    url: '/receipts/:id/fire',
    act: { action: 'fire' },
    permission: 'receipts:write',
    params: OneReceipt,
    body: Fire,
    message: 'Course fired.',
    change: (context, { params, body, ifMatch }) => fireCourse(context, params.id, body, ifMatch),
  })
  for (const [action, lock] of [
    ['lock', true],
    ['unlock', false],
  ] as const)
    onReceipt(app, command, {
      method: 'POST',
      url: `/receipts/:id/${action}`,
      act: { action },
      permission: 'receipts:write',
      params: OneReceipt,
      body: Nothing,
      message: lock ? 'Receipt locked.' : 'Receipt unlocked.',
      change: (context, { params, ifMatch }) => setLock(context, params.id, lock, ifMatch),
    })
  onReceipt(app, command, {
    method: 'POST',
    url: '/receipts/:id/cancel',
    act: { action: 'cancel', kinds: ['cancel'] },
    permission: 'receipts:cancel',
    events: ['receipt.cancelled', 'stop_list.changed', 'stock.moved', ...BOOKING_EVENTS],
    params: OneReceipt,
    body: Cancelling,
    message: 'Receipt cancelled.',
    ids: idsToCancel,
    change: (context, { params, body: { waste = false, ...till }, ifMatch }) =>
      cancelReceipt(context, params.id, { waste, ...till }, ifMatch),
  })
  for (const step of Object.keys(TICKET_STEPS) as TicketStep[])
    onReceipt(app, command, {
      method: 'POST',
      url: `/tickets/:id/${step}`,
      act: { action: step },
      permission: 'kitchen:use',
      events: ['receipt.updated', 'order.delivered'],
      params: OneReceipt,
      body: TicketLines,
      message: 'Ticket changed.',
      change: (context, { params, body, ifMatch }) => moveTicket(context, params.id, step, body, ifMatch),
    })
}
