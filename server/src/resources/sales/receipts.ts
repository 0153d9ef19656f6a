import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { EXPORT_PAGE, type ExportPage, exportPage } from '../../resource/files/export.ts'
import { DateTime, Decimal, DiscountType, Id, Maybe } from '../../resource/values.ts'
import { changesBooked } from '../../resource/write/booked.ts'
import { raise } from '../../resource/write/counters.ts'
import type { RowChange, RowEvent } from '../../resource/write/row-events.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import type { Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { businessDay, type DayRule } from '../../values/business-day.ts'
import { CANCELLED, CLOSED, OPEN, ORDER_STEPS, RECEIPT_STATES } from '../../values/states.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { markUsed } from '../money/payment-accounts.ts'
import { erasedAmong } from '../people/customer-lines.ts'
import { receiptHasContact, withoutAddress, withoutNote } from './contact.ts'
import { markDays, recountDays } from './day-totals.ts'
import { Costs, readCosts } from './receipt-costs.ts'
import {
  exportedLines,
  exportedTickets,
  LINES,
  readIncludedLines,
  replaceLines,
  withOtherLines,
} from './receipt-lines.ts'
import { ImportedLine, ReceiptDetails, ReceiptLine, Terms, TicketTimes } from './receipt-schema.ts'
import { takeImportedReceipts } from './sale-uuids.ts'

/** §2.5 */
export const Receipt = Type.Object(
  {
    id: Id(),
    venue_id: Id(),
    cid: Maybe(Type.String()),
    user_id: Maybe(Id()),
    terminal_id: Maybe(Id()),
    source: Maybe(Type.String()),
    customer_id: Maybe(Id()),
    sale_type_id: Maybe(Id()),
    guests: Maybe(Type.Integer()),
    status: Maybe(Type.Enum([...RECEIPT_STATES], { description: '1 open, 2 closed, 3 cancelled' })), // D3.5
    lock: Maybe(Type.Boolean()),
    total: Maybe(Decimal()),
    subtotal: Maybe(Decimal()),
    payment_methods: Maybe(
      Type.Array(
        Type.Object({
          id: Maybe(Id()),
          name: Maybe(Type.String()),
          amount: Maybe(Decimal()),
          share: Maybe(Type.String({ description: 'The share that it paid, where several did' })),
        }),
      ),
    ),
    fiscal_id: Maybe(Type.String()),
    discount_type: Maybe(DiscountType()),
    discount_value: Maybe(
      Type.Number({ description: 'The percent for discount_type 1 (10 means 10 %), the amount for 2' }),
    ),
    service_charge: Maybe(Type.Number({ description: 'A percent' })),
    delivery_fee: Maybe(Decimal()),
    order_status: Maybe(Type.Enum([...ORDER_STEPS])),
    order_number: Maybe(Type.String()),
    created_at: Maybe(DateTime()),
    updated_at: Maybe(DateTime()),
    closed_at: Maybe(DateTime()),
    deleted_at: Maybe(DateTime()),
  },
  { $id: 'Receipt' },
)
export type Receipt = Static<typeof Receipt>

/** A receipt as a line of an import. `rule`, `terms`, `tickets` and what its lines copied are only in our own exports (P22). */
export const ReceiptRow = Type.Object({
  ...Receipt.properties,
  ...ReceiptDetails.properties,
  rule: Maybe(Type.Integer({ minimum: 0, description: 'Version of the totals (P12); 0 and absent: history' })),
  terms: Maybe(Terms),
  receipt_products: Maybe(Type.Array(ImportedLine)),
  tickets: Maybe(Type.Array(TicketTimes)),
})
export type ReceiptRow = Static<typeof ReceiptRow>

export const receipts = defineResource({
  name: { one: 'receipt', many: 'receipts' },
  tag: 'Receipts',
  about: 'Sales of the active venue, newest first.',
  wire: Receipt,
  details: ReceiptDetails,
  included: {
    receipt_products: { schema: Type.Array(ReceiptLine), read: readIncludedLines, nested: LINES },
    costs: { schema: Costs, read: readCosts, nested: { ...LINES, summed: true } },
  },
  line: ReceiptRow,
  scope: 'venue',
  columns: {
    id: 'integer',
    venue_id: 'integer',
    cid: 'key',
    user_id: 'integer',
    terminal_id: 'integer',
    source: 'key',
    customer_id: 'key', // an integer on the receipt (§2.5), a string on the customer (§2.2)
    sale_type_id: 'integer',
    status: 'integer',
    total: 'decimal',
    fiscal_id: 'key',
    order_status: 'key',
    order_number: 'key',
    shift_date: 'key',
    order_id: 'integer',
    table_id: 'integer',
    parent_id: 'integer',
    cash_shift_id: 'key',
    created_at: 'instant',
    updated_at: 'instant',
    closed_at: 'instant',
    deleted_at: 'instant',
  },
  computed: {
    cid_key: ({ cid }) => cid?.toLowerCase() ?? null,
    version: ({ version = 1 }) => version,
    rule: ({ rule = HISTORY }) => rule,
    terms: ({ terms }) => (terms ? JSON.stringify(terms) : null),
    contact: (receipt) => Number(receiptHasContact(receipt)),
  },
  stamped: ['created_at', 'updated_at'],
  references: { venue_id: 'venues', user_id: 'users', customer_id: 'customers' },
  laterReferences: ({ terms }) => [
    ...(terms?.payments ?? []).map(({ balance_id }) => ({
      member: 'terms.payments.balance_id',
      table: 'balances',
      id: balance_id,
    })),
    ...(terms?.tips ?? []).flatMap(({ balance_id, staff_balance_id }) => [
      { member: 'terms.tips.balance_id', table: 'balances', id: balance_id },
      { member: 'terms.tips.staff_balance_id', table: 'balances', id: staff_balance_id },
    ]),
  ],
  follows: ['parent_id'],
  list: {
    filters: [
      'id',
      'venue_id',
      'cid',
      'user_id',
      'terminal_id',
      'source',
      'customer_id',
      'sale_type_id',
      'status',
      'total',
      'fiscal_id',
      'order_status',
      'order_number',
      'shift_date',
      'order_id',
      'table_id',
      'parent_id',
      'cash_shift_id',
      'created_at',
      'updated_at',
      'closed_at',
      'deleted_at',
    ],
    sortable: ['id', 'created_at', 'updated_at', 'closed_at', 'total'],
    date: 'created_at',
    newestFirst: true,
    shown: { columns: ['id', 'total', 'payment_methods', 'status', 'venue_id', 'customer_id', 'created_at'] },
  },
  api: { list: {}, get: { message: 'Receipt found.', etag: 'version' }, actions: ['write'] },
  events: {
    types: ['receipt.opened', 'receipt.updated', 'receipt.closed', 'receipt.cancelled'],
    eventsOf: receiptEvents,
  },
  complete: completeHistory,
  async write(context, rows, writer) {
    const { tx, brand_id, now } = context
    const withLines = rows.flatMap(({ receipt_products, ...row }) =>
      receipt_products ? [{ ...row, receipt_products }] : [],
    )
    const before = await statesOf(context, withLines)
    const bodies = await writer.put(context, rows)
    const changed = await replaceLines(tx, brand_id, withLines, now)
    for (const row of withLines) {
      if (!changed.has(row.id)) continue
      const was = before.get(row.id)
      if (was && was.rule > HISTORY && context.refuseBooked)
        throw changesBooked(rows.find(({ id }) => id === row.id)!, ['receipt_products'])
      publishLines(context, row, was)
    }
    return bodies
  },
  async checkAfterImport({ tx, brand_id }) {
    await recountDays(tx, brand_id)
    return undefined
  },
  readExportPage: exportReceipts,
})

type State = Required<Pick<Receipt, 'status'>> & { readonly rule: number }

/** The receipts of these lines that are there already, with their states. */
async function statesOf({ tx, brand_id }: WriteContext, rows: readonly ReceiptRow[]): Promise<Map<number, State>> {
  if (rows.length === 0) return new Map()
  const found = await tx.rows<{ id: number; status: State['status'] | null; rule: number }>(
    `select id, status, rule from receipts where brand_id = ? and id in ${places(rows)}`,
    [brand_id, ...rows.map(({ id }) => id)],
  )
  return new Map(found.map(({ id, status, rule }) => [id, { status: status ?? OPEN, rule }]))
}

/** Lines belong to their receipt (E2): where they are others than before, it is their receipt that changed. */
function publishLines({ tx, brand_id, unpublished }: WriteContext, row: ReceiptRow, before: State | undefined): void {
  if (!before || unpublished) return
  for (const { type, data } of receiptEvents({ before, after: row, changed: ['receipt_products'] }))
    tx.publish({ brand_id, type, subject: String(row.id), venue_id: row.venue_id, data })
}

const STATES: Readonly<Record<number, string>> = { [OPEN]: 'opened', [CLOSED]: 'closed', [CANCELLED]: 'cancelled' }

/** E2: a receipt that is new, or in another state than before, publishes the type of that state. */
export function receiptEvents({ before, after, changed }: RowChange<Receipt & { order_id?: number }>): RowEvent[] {
  if (!after) return [] // nothing deletes one
  const { id, status: to = OPEN, order_status, order_id, total } = after
  const from = before && (before.status ?? OPEN)
  const happened = from === to ? 'updated' : STATES[to]
  const status = from === undefined ? { to } : { from, to }
  const published = changed.filter((name) => !UNPUBLISHED.includes(name))
  return [{ type: `receipt.${happened}`, data: { id, status, order_status, changed: published, order_id, total } }]
}

/** What is kept beside what a receipt shows. */
const UNPUBLISHED = ['rule', 'terms', 'version', 'details']

/** P22 */
const HISTORY = 0

/** What an import leaves out of a receipt's details follows from the rest (P22). A change raises its version. */
async function completeHistory(context: WriteContext, given: readonly ReceiptRow[]): Promise<ReceiptRow[]> {
  const { tx, brand_id } = context
  const lines = await withoutErased(context, given)
  await takeImportedReceipts(context, lines)
  const days = await dayRules(tx, brand_id)
  await keepCounters(context, lines, days)
  const paidBy = lines.flatMap(({ payment_methods = [] }) => payment_methods.flatMap(({ id: method }) => method ?? []))
  await markUsed(context, [...new Set(paidBy)])
  const existing = await tx.rows<{
    id: number
    version: number
    rule: number
    shift_date: string | null
    body: string
  }>(`select id, version, rule, shift_date, body from receipts where brand_id = ? and id in ${places(lines)}`, [
    brand_id,
    ...lines.map(({ id }) => id),
  ])
  const ofDays = [...lines, ...existing.map(({ body, ...row }) => ({ ...(JSON.parse(body) as Receipt), ...row }))]
  await markDays(
    tx,
    brand_id,
    ofDays.flatMap(({ rule = HISTORY, venue_id, shift_date }) =>
      rule > HISTORY && shift_date ? [{ venue_id, shift_date }] : [],
    ),
  )
  const before = new Map(
    existing.map(({ id, version, body }) => [id, { version, receipt: JSON.parse(body) as Receipt }]),
  )
  const replacedLines = lines.flatMap(({ receipt_products, ...line }) =>
    receipt_products && before.has(line.id) ? [{ ...line, receipt_products }] : [],
  )
  const otherLines = await withOtherLines(tx, brand_id, replacedLines)
  return lines.map((line) => {
    if ((line.rule ?? HISTORY) > HISTORY) return line
    const was = before.get(line.id)
    const { payment_methods = [], total = 0, closed_at, created_at = was?.receipt.created_at ?? context.now } = line
    const paid = payment_methods.reduce((sum, { amount = 0 }) => sum + toScaled(amount)!, 0)
    const rule = days.get(line.venue_id)
    return {
      ...line,
      paid: line.paid ?? fromScaled(paid),
      remaining: line.remaining ?? Math.max(0, fromScaled(toScaled(total)! - paid)),
      ...(rule && { shift_date: line.shift_date ?? businessDay(closed_at ?? created_at, rule) }),
      version: line.version ?? versionOf(line, was, otherLines.has(line.id)),
    }
  })
}

/** What an older export says of customers who were erased since stays out. */
async function withoutErased(context: WriteContext, lines: readonly ReceiptRow[]): Promise<readonly ReceiptRow[]> {
  const erased = await erasedAmong(
    context,
    lines.map(({ customer_id }) => customer_id),
  )
  if (erased.size === 0) return lines
  return lines.map((line) => {
    if (!erased.has(String(line.customer_id))) return line
    const { receipt_products } = line
    return {
      ...withoutAddress(line),
      ...(receipt_products && { receipt_products: receipt_products.map(withoutNote) }),
    }
  })
}

/** Ids and numbers that are given out go on after those that came in. */
async function keepCounters(
  { tx, brand_id, now }: WriteContext,
  rows: readonly ReceiptRow[],
  days: ReadonlyMap<number, DayRule>,
): Promise<void> {
  await raise(tx, brand_id, 'receipt_id', Math.max(...rows.map(({ id }) => id)))
  // A ticket that parted has an id of the lines' counter (T9): a line that got it too could never be sent.
  const lines = rows.flatMap(({ receipt_products = [] }) =>
    receipt_products.map(({ id, copied }) => Math.max(id, copied?.ticket_id ?? 0)),
  )
  if (lines.length > 0) await raise(tx, brand_id, 'receipt_line_id', Math.max(...lines))
  const numbered = rows.flatMap(({ venue_id, created_at = now, number }) => {
    const rule = days.get(venue_id)
    return rule && number !== undefined ? [{ venue_id, number, day: businessDay(created_at, rule) }] : []
  })
  const last = new Map<string, [brand_id: number, venue_id: number, day: string, number: number]>()
  for (const { venue_id, day, number } of numbered) {
    const key = `${venue_id} ${day}`
    last.set(key, [brand_id, venue_id, day, Math.max(number, last.get(key)?.[3] ?? 0)])
  }
  if (last.size === 0) return
  const values = [...last.values()].sort() // one order of locks (P16)
  await tx.run(
    `insert into venue_days (brand_id, venue_id, shift_date, last_number) values ${values.map(places).join(', ')}
     on conflict (brand_id, venue_id, shift_date) do update set last_number =
       case when excluded.last_number > venue_days.last_number then excluded.last_number else venue_days.last_number end`,
    values.flat(),
  )
}

const MEMBERS = Object.keys(Receipt.properties) as (keyof Receipt)[]

function versionOf(
  line: ReceiptRow,
  before: { version: number; receipt: Receipt } | undefined,
  hasOtherLines: boolean,
): number {
  if (!before) return 1
  const was = before.receipt
  const isStamp = (name: string) => (name === 'created_at' || name === 'updated_at') && line[name] === undefined
  const isSame = MEMBERS.every((name) => isStamp(name) || JSON.stringify(was[name]) === JSON.stringify(line[name]))
  return isSame && !hasOtherLines ? before.version : before.version + 1
}

async function dayRules(tx: Queries, brand_id: number): Promise<Map<number, DayRule>> {
  const rows = await tx.rows<{ id: number; time_zone: string; settings: string }>(
    'select id, time_zone, settings from venues where brand_id = ?',
    [brand_id],
  )
  return new Map(
    rows.map(({ id, time_zone, settings }) => [
      id,
      { time_zone, day_starts_at: (JSON.parse(settings) as DayRule).day_starts_at },
    ]),
  )
}

/** Whole: with its details, what its lines copied and reserve, and when its tickets were sent. */
async function exportReceipts(
  db: Queries,
  brand_id: number,
  after: number | string | undefined,
  limit = EXPORT_PAGE,
): Promise<ExportPage> {
  const rows = await db.rows<{ id: number; body: string; details: string; rule: number; terms: string | null }>(
    'select id, body, details, rule, terms from receipts where brand_id = ? and id > ? order by id limit ?',
    [brand_id, after ?? 0, limit],
  )
  const ids = rows.map(({ id }) => id)
  const lines = await exportedLines(db, brand_id, ids)
  const tickets = await exportedTickets(db, brand_id, ids)
  return exportPage(rows, ({ id, body, details, rule, terms }) =>
    JSON.stringify({
      ...JSON.parse(body),
      ...JSON.parse(details),
      ...(rule > HISTORY && { rule }),
      ...(terms !== null && { terms: JSON.parse(terms) }), // history has them once something was booked of it
      ...(lines.has(id) && { receipt_products: lines.get(id) }),
      ...(tickets.has(id) && { tickets: tickets.get(id) }),
    }),
  )
}
