import { Refusal } from '../../http/errors.ts'
import { lineColumns } from '../../resources/sales/receipt-lines.ts'
import type { Copied, ReceiptLine, Terms } from '../../resources/sales/receipt-schema.ts'
import type { Receipt } from '../../resources/sales/receipts.ts'
import type { Queries } from '../../storage/database.ts'
import { orNull, rowsAsJson } from '../../storage/json-rows.ts'
import { isSameJson } from '../../values/same-json.ts'
import { CANCELLED, OPEN } from '../../values/states.ts'
import { toScaled } from '../../values/values.ts'
import { isVoid, type Line } from '../receipts/line.ts'
import {
  lineOfParsed,
  type ParsedReceipt,
  receiptsWith,
  refundsOf,
  reservedBy,
  wholeOfParsed,
} from '../receipts/store.ts'
import { amountsOf, HISTORY, type WholeReceipt } from '../receipts/whole-receipt.ts'
import {
  type Sold,
  type StoredMovement,
  type StoredTransaction,
  wrongBookings,
  wrongClosing,
  wrongRefund,
  wrongTips,
} from './closed.ts'
import { countReceipt, DAY_COLUMNS, type DayColumns, type Days } from './days.ts'
import { type Finding, type Invariant, MAX_FINDINGS, type RowCheck } from './finding.ts'

// I1, I2, I3, I9 and I14, and I15 of lines: each receipt with its parts. Reads a page of receipts at a time, and counts them in their
// days (I11, days.ts).

/** Invariants of a receipt together with its parts. */
export const OF_RECEIPTS: readonly Invariant[] = ['I1', 'I2', 'I3', 'I9', 'I14', 'I15', 'I17']

/**
 * I9: no reservation is left for a line that is gone, I14: no money was booked for a receipt that does not exist, and I19: a line that moved
 * took its ticket with it.
 */
export const RECEIPT_CHECKS: readonly RowCheck[] = [
  {
    invariant: 'I19',
    subject: 'line',
    query: `select id, receipt_id, ticket_id from receipt_lines where brand_id = ? and ticket_id is not null and not exists (
        select 1 from tickets where tickets.brand_id = receipt_lines.brand_id and tickets.id = receipt_lines.ticket_id
          and tickets.receipt_id = receipt_lines.receipt_id
          and instr(receipt_lines.body, '"station_id":' || tickets.station_id || ',') > 0)`,
    problem: ({ receipt_id, ticket_id }) =>
      `its ticket ${ticket_id} is not one of receipt ${receipt_id} and its station`,
  },
  {
    invariant: 'I14',
    subject: 'transaction',
    query: `select id, receipt_id from transactions where brand_id = ? and receipt_id is not null and not exists (
        select 1 from receipts where receipts.brand_id = transactions.brand_id and receipts.id = transactions.receipt_id)`,
    problem: ({ receipt_id }) => `it belongs to receipt ${receipt_id}, which is not there`,
  },
  {
    invariant: 'I9',
    subject: 'receipt',
    query: `select receipt_id as id, line_id from reservations where brand_id = ? and not exists (select 1 from receipt_lines
       where receipt_lines.brand_id = reservations.brand_id and receipt_lines.id = reservations.line_id
         and receipt_lines.receipt_id = reservations.receipt_id)`,
    problem: ({ line_id }) => `stock is reserved for line ${line_id}, which it does not have`,
  },
]

/** Receipts of a brand by their ids, the first excluded. */
export interface Range {
  readonly after: number
  readonly to: number
}

export async function auditReceipts(
  db: Queries,
  brand_id: number,
  range: Range,
): Promise<{ receipts: number; findings: readonly Finding[]; days: Days }> {
  const findings: Finding[] = []
  const days: Days = new Map()
  let receipts = 0
  for await (const page of receiptPages(db, brand_id, range)) {
    receipts += page.length
    for (const { whole, dayColumns } of page) if (dayColumns) countReceipt(days, dayColumns, whole.receipt, whole.terms)
    if (findings.length >= MAX_FINDINGS) continue
    for (const kept of page) findings.push(...checkReceipt(kept))
  }
  return { receipts, findings, days }
}

interface Kept {
  readonly whole: WholeReceipt
  readonly reserved: ReadonlyMap<number, readonly Reservation[]>
  readonly moved: readonly StoredMovement[]
  readonly booked: readonly StoredTransaction[]
  /** Refunds only: the receipt that was refunded, with its refunds. */
  readonly sold: Sold | undefined
  /** I15: columns of its lines that differ from the lines' texts. */
  readonly wrongLines: readonly string[]
  /** Null if it counts in no day (I11). */
  readonly dayColumns: DayColumns | null
}

interface Reservation {
  product_id: number
  modificator_id: number
  quantity: number
}

/** So few that what is made of them is garbage before it is old. */
const PAGE = 100

async function* receiptPages(db: Queries, brand_id: number, { after, to }: Range): AsyncGenerator<Kept[]> {
  for (let last = after; ; ) {
    const [page] = await db.rows<{ first: number | null; last: number | null }>(
      `select min(id) as first, max(id) as last from
         (select id from receipts where brand_id = ? and id > ? and id <= ? order by id limit ${PAGE}) as page`,
      [brand_id, last, to],
    )
    const { first, last: end } = page!
    if (first === null || end === null) return
    last = end
    yield await readKept(db, brand_id, first, end)
  }
}

/** The receipts of a page with their parts, in one statement: it sees one snapshot, so concurrent sales are no finding. */
async function readKept(db: Queries, brand_id: number, first: number, last: number): Promise<Kept[]> {
  const page = [brand_id, first, last]
  const text = await db.text(PAGE_WITH_PARTS, [...page, ...page, ...page, ...page, ...page])
  const [receipts, lines, reservations, movements, transactions] = JSON.parse(text!) as PageWithParts
  const linesOf = new Map<number, Line[]>()
  const wrongLines = new Map<number, string[]>()
  for (const [id, shown, copied, , columns] of lines.sort(byPosition)) {
    const line = lineOfParsed(shown, copied)
    appendTo(linesOf, id, line)
    for (const problem of wrongColumns(line, columns)) appendTo(wrongLines, id, problem)
  }
  const reserved = new Map<number, Reservation[]>()
  for (const [id, product_id, modificator_id, quantity] of reservations)
    appendTo(reserved, id, { product_id, modificator_id, quantity })
  const movedBy = new Map<number, StoredMovement[]>()
  for (const [id, receipt_product_id, product_id, modificator_id, quantity] of movements)
    appendTo(movedBy, id, { receipt_product_id, product_id, modificator_id, quantity })
  const bookedBy = new Map<number, StoredTransaction[]>()
  for (const [id, balance_id, category, type, amount] of transactions)
    appendTo(bookedBy, id, { balance_id, category, type, amount })
  const wholeReceipts = receipts.map(([body, details, terms, rule, version]) => {
    return wholeOfParsed({ body, details, terms, rule, version }, linesOf.get(body.id) ?? [])
  })
  const sold = await soldReceipts(db, brand_id, wholeReceipts)
  return wholeReceipts.map((whole, index) => ({
    whole,
    reserved,
    moved: movedBy.get(whole.receipt.id) ?? [],
    booked: bookedBy.get(whole.receipt.id) ?? [],
    sold: sold.get(whole.receipt.parent_id ?? 0),
    wrongLines: wrongLines.get(whole.receipt.id) ?? [],
    dayColumns: receipts[index]!.at(-1) as DayColumns | null,
  }))
}

type PageWithParts = [
  receipts: ReceiptRow[],
  lines: LineRow[],
  reservations: [line_id: number, product_id: number, modificator_id: number, quantity: number][],
  movements: [receipt_id: number, line: number | null, product_id: number, modificator_id: number | null, number][],
  transactions: [receipt_id: number, balance_id: number, category: string, type: string, amount: number][],
]

type LineRow = [receipt_id: number, ReceiptLine, Copied | null, position: number, LineColumns]

const byPosition = ([, , , one]: LineRow, [, , , other]: LineRow) => one - other

type LineColumns = [...values: (number | string | null)[], hasCid: 0 | 1]

const LINE_COLUMNS = ['product_id', 'state', 'ticket_id', 'hold', 'count', 'subtotal', 'total', 'tax'] as const

/** As JSON. Our own states need no escaping, and a cid that JSON would escape is history's. */
const LINE_COLUMNS_TEXT = `'[' || ${LINE_COLUMNS.map((name) => (name === 'state' ? `'"' || state || '"'` : orNull(name))).join(` || ',' || `)}
  || case when instr(body, '"cid":"' || cid || '"') > 0 or instr(body, '\\') > 0 then ',1]' else ',0]' end`

function wrongColumns({ shown, copied }: Line, columns: LineColumns): string[] {
  const said = lineColumns(shown, copied)
  const wrong = LINE_COLUMNS.filter((name, index) => said[name] !== columns[index])
  const named: string[] = columns.at(-1) === 1 ? wrong : [...wrong, 'cid']
  return named.map((name) => `line ${shown.id}: its text says another ${name} than its column`)
}

type ReceiptRow = [
  body: ParsedReceipt['body'],
  details: ParsedReceipt['details'],
  terms: Terms | null,
  rule: number,
  version: number,
  dayColumns: DayColumns | null,
]

const ofPage = (table: string, id: string, ...values: string[]) =>
  `(select ${rowsAsJson(...values)} from ${table} where brand_id = ? and ${id} between ? and ?)`

/** SQL for a word of the row that a transaction points at, as a JSON string; empty if there is none. */
function named(table: string, column: string, word: string): string {
  return `'"' || coalesce((select ${word} from ${table} as its where its.brand_id = transactions.brand_id
    and its.id = transactions.${column}), '') || '"'`
}

const PARTS = [
  ofPage('receipts', 'id', 'body', 'details', orNull('terms'), 'rule', 'version', DAY_COLUMNS),
  ofPage('receipt_lines', 'receipt_id', 'receipt_id', 'body', orNull('copied'), 'position', LINE_COLUMNS_TEXT),
  ofPage('reservations', 'receipt_id', 'line_id', 'product_id', 'modificator_id', 'quantity'),
  ofPage(
    'stock_operations',
    'receipt_id',
    'receipt_id',
    orNull('receipt_product_id'),
    'product_id',
    orNull('modificator_id'),
    'quantity',
  ),
  ofPage(
    'transactions',
    'receipt_id',
    'receipt_id',
    'balance_id',
    named('finance_categories', 'category_id', 'system_type'),
    named('balances', 'balance_id', 'type'),
    'amount',
  ),
]
const PAGE_WITH_PARTS = `select '[' || ${PARTS.join(` || ',' || `)} || ']'`

function appendTo<Value>(lists: Map<number, Value[]>, key: number, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** The receipts that the refunds among these belong to, by id. A closed receipt does not change. */
async function soldReceipts(
  db: Queries,
  brand_id: number,
  wholeReceipts: readonly WholeReceipt[],
): Promise<Map<number, Sold>> {
  const ids = [...new Set(wholeReceipts.flatMap(({ receipt }) => receipt.parent_id ?? []))]
  if (ids.length === 0) return new Map()
  const refunds = Map.groupBy(await refundsOf(db, brand_id, ids), ({ receipt }) => receipt.parent_id)
  const sold = await receiptsWith(db, brand_id, 'id', ids)
  return new Map(
    sold.map((receipt) => [receipt.receipt.id, { receipt, refunds: refunds.get(receipt.receipt.id) ?? [] }]),
  )
}

/** Amounts out of range cannot be computed with: that is the finding then. */
function checkReceipt(kept: Kept): Finding[] {
  const { receipt } = kept.whole
  try {
    return brokenInvariants(kept)
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof Refusal)) throw error
    return [{ invariant: 'I1', subject: `receipt ${receipt.id}`, problem: 'its amounts or counts are too large' }]
  }
}

function brokenInvariants(kept: Kept): Finding[] {
  const { whole } = kept
  const found = (invariant: Invariant, problem: string): Finding => ({
    invariant,
    subject: `receipt ${whole.receipt.id}`,
    problem,
  })
  return [
    ...(whole.receipt.parent_id === undefined || whole.rule === HISTORY
      ? wrongTotals(whole)
      : [...wrongRefund(whole, kept.sold), ...wrongSums(whole)]
    ).map((problem) => found('I1', problem)),
    ...wrongClosing(whole, kept.moved, kept.sold).map((problem) => found('I2', problem)),
    ...wrongPayments(kept).map((problem) => found('I3', problem)),
    ...wrongReservations(kept).map((problem) => found('I9', problem)),
    ...wrongBookings(whole, kept.booked).map((problem) => found('I14', problem)),
    ...wrongTips(whole, kept.booked).map((problem) => found('I17', problem)),
    ...kept.wrongLines.map((problem) => found('I15', problem)),
  ]
}

/** I1: the totals are those of the lines. */
function wrongTotals(whole: WholeReceipt): string[] {
  if (whole.rule === HISTORY) return []
  const { receipt, lines } = whole
  const made = amountsOf(whole)
  const remaining = receipt.status === CANCELLED ? 0 : minus(made.receipt.total, receipt.paid ?? 0)
  return [
    ...differing({ ...made.receipt, remaining }, receipt).map(
      ([name, expected, is]) => `${name} is ${is}, the lines make ${expected}`,
    ),
    ...lines.flatMap(({ shown }, index) =>
      differing(made.lines[index]!, shown).map(
        ([name, expected, is]) => `line ${shown.id}: ${name} is ${is}, its values make ${expected}`,
      ),
    ),
    ...wrongSums(whole),
  ]
}

/** The members that are not as expected, with both values. */
function differing<Amounts extends object>(
  expected: Amounts,
  stored: Partial<Amounts>,
): [name: string, expected: string, stored: string][] {
  const wrong: [string, string, string][] = []
  for (const name in expected)
    if (!isSameJson(expected[name], stored[name])) wrong.push([name, said(expected[name]), said(stored[name])])
  return wrong
}

/** Checks the sums of P9 and P11 alone, without recomputing the amounts. */
function wrongSums({ receipt, lines }: WholeReceipt): string[] {
  const scaled = (value = 0) => toScaled(value) ?? Math.round(value * 10_000) // too large, and wrong anyway
  const sold = lines.filter((line) => !isVoid(line)).map(({ shown }) => shown)
  const sumOf = (amount: (line: (typeof sold)[number]) => number) => sold.reduce((sum, line) => sum + amount(line), 0)
  const { subtotal, total_discount, service_charge_value, delivery_fee, e_tax, total } = receipt
  const sums: [name: string, is: number, made: number][] = [
    [
      'subtotal − total_discount + service_charge_value + delivery_fee + e_tax',
      scaled(total),
      scaled(subtotal) - scaled(total_discount) + scaled(service_charge_value) + scaled(delivery_fee) + scaled(e_tax),
    ],
    ['the subtotals of the lines', scaled(subtotal), sumOf((line) => scaled(line.subtotal))],
    [
      'the discounts and shares of the lines',
      scaled(total_discount),
      sumOf((line) => scaled(line.total_discount) + scaled(line.receipt_discount)),
    ],
  ]
  return sums
    .filter(([, is, made]) => is !== made)
    .map(([name, is, made]) => `${name}: these make ${made / 10_000}, not ${is / 10_000}`)
}

const said = (value: unknown) => JSON.stringify(value) ?? 'absent'
const minus = (one: number, other: number) => (toScaled(one)! - toScaled(other)!) / 10_000

/** I3: `paid` of an open receipt is the sum of its payments; of a cancelled one nothing is left. */
function wrongPayments({ whole, reserved }: Kept): string[] {
  const { receipt, lines } = whole
  const paid = paidOf(receipt)
  if (receipt.status === OPEN) {
    if (paid !== toScaled(receipt.paid ?? 0))
      return [`the payments add up to ${paid / 10_000}, and paid is ${receipt.paid}`]
    return paid > toScaled(receipt.total ?? 0)! ? [`${receipt.paid} was paid of a total of ${receipt.total}`] : []
  }
  if (receipt.status !== CANCELLED) return []
  const alive = lines.filter((line) => !isVoid(line)).map(({ shown }) => shown.id)
  return [
    ...(paid === 0 ? [] : [`it is cancelled, and its payments add up to ${paid / 10_000}`]),
    ...(alive.length === 0 ? [] : [`it is cancelled, and line ${alive[0]} is not void`]),
    ...(lines.some(({ shown }) => reserved.has(shown.id)) ? ['it is cancelled, and reserves stock'] : []),
  ]
}

const paidOf = ({ payment_methods = [] }: Receipt) =>
  payment_methods.reduce((sum, { amount = 0 }) => sum + toScaled(amount)!, 0)

/** I9: reservations exist exactly for the lines of open receipts. */
function wrongReservations({ whole, reserved }: Kept): string[] {
  return whole.lines.flatMap((line: Line) => {
    const expected = reservedBy(whole, line)
    const there = reserved.get(line.shown.id) ?? NONE
    if (expected.length === 0 && there.length === 0) return [] // of every closed receipt
    const keys = expected.map(({ product_id, modificator_id = 0, quantity }) =>
      keyOf({ product_id, modificator_id, quantity }),
    )
    const found = there.map(keyOf)
    const isSound = keys.length === found.length && keys.every((key) => found.includes(key))
    return isSound ? [] : [`line ${line.shown.id} reserves ${said(found)} and should reserve ${said(keys)}`]
  })
}

const NONE: readonly Reservation[] = []

const keyOf = ({ product_id, modificator_id, quantity }: Reservation) =>
  `${quantity / 10_000} of ${product_id}${modificator_id ? ` for modificator ${modificator_id}` : ''}`
