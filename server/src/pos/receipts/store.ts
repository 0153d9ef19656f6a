import { forbidden, noSuchRecord, versionMismatch } from '../../http/errors.ts'
import type { IfMatch } from '../../http/if-match.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { ticketsOf, writeLines, writeReservations, writeTickets } from '../../resources/sales/receipt-lines.ts'
import { type Copied, ReceiptDetails, type ReceiptLine, type Terms } from '../../resources/sales/receipt-schema.ts'
import { Receipt, receiptEvents, receipts } from '../../resources/sales/receipts.ts'
import { takeUuid } from '../../resources/sales/sale-uuids.ts'
import type { Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { isSameJson } from '../../values/same-json.ts'
import { CLOSED, OPEN } from '../../values/states.ts'
import { laterOf } from '../../values/values.ts'
import { noteChanges, noteMoved } from '../acts/changes.ts'
import { hasFor, notBefore } from '../context.ts'
import { deliverOrder } from '../orders/store.ts'
import { type Papers, papersOf, print } from '../papers/papers.ts'
import { isVoid, type Line, takenByLine } from './line.ts'
import type { WholeReceipt } from './whole-receipt.ts'

// How a receipt is kept: its row, its lines with what was copied to them, and what they reserve. All of it changes together.

/** Reads a receipt of the active venue and locks it until the transaction ends. With `ifMatch` it must have one of these versions. */
export async function lockReceipt(
  context: CommandContext,
  id: number,
  ifMatch?: IfMatch,
  { isAnyones = false } = {},
): Promise<WholeReceipt> {
  const { tx, brand_id, caller } = context
  const row = await receipts.lock<StoredReceipt>(context, id, RECEIPT_COLUMNS, caller.venue_id)
  if (!row) throw noSuchRecord()
  if (ifMatch && !ifMatch.includes(String(row.version))) throw versionMismatch(row.version)
  const whole = wholeOf(row, await linesOf(tx, brand_id, id))
  if (!isAnyones) await refuseOthers(context, whole)
  return whole
}

/** A locked receipt whose version was not asked of it yet. */
export function refuseAnotherVersion({ receipt }: WholeReceipt, ifMatch: IfMatch | undefined): void {
  if (ifMatch && !ifMatch.includes(String(receipt.version))) throw versionMismatch(receipt.version!)
}

const OTHERS = 'receipts:others'

/** T11: where waiters keep their own receipts, that of another one needs a right. */
async function refuseOthers(context: CommandContext, { receipt }: WholeReceipt): Promise<void> {
  const { tx, caller } = context
  const isOwn = receipt.user_id === undefined || receipt.user_id === caller.user.id
  if (isOwn || caller.client_id !== '') return
  if (hasFor(caller, OTHERS, receipt.id)) return
  const settings = await tx.text('select settings from venues where brand_id = ? and id = ?', [
    caller.brand_id,
    caller.venue_id,
  ])
  if ((JSON.parse(settings!) as { own_receipts?: number }).own_receipts === 1)
    throw forbidden(OTHERS, { receipt_id: receipt.id })
}

const RECEIPT_COLUMNS = 'body, details, terms, rule, version'

export interface StoredReceipt {
  body: string
  details: string
  terms: string | null
  rule: number
  version: number
}

export const wholeOf = ({ body, details, terms, ...row }: StoredReceipt, lines: readonly Line[]): WholeReceipt =>
  wholeOfParsed(
    { ...row, body: JSON.parse(body), details: JSON.parse(details), terms: terms === null ? null : JSON.parse(terms) },
    lines,
  )

/** A stored receipt with its JSON parsed. */
export interface ParsedReceipt {
  readonly body: Receipt
  readonly details: ReceiptDetails
  readonly terms: Terms | null
  readonly rule: number
  readonly version: number
}

export const wholeOfParsed = (
  { body, details, terms, rule, version }: ParsedReceipt,
  lines: readonly Line[],
): WholeReceipt => ({ receipt: { ...body, ...details, version }, rule, terms: terms ?? { money_places: 4 }, lines })

/** The receipt that was created with a cid, in any venue; the first of imported ones that share it (P22). */
export async function findByCid({ tx, caller }: CommandContext, cid: string): Promise<WholeReceipt | undefined> {
  const [row] = await tx.rows<StoredReceipt & { id: number }>(
    `select id, body, details, terms, rule, version from receipts where brand_id = ? and cid_key = ? order by id limit 1`,
    [caller.brand_id, cid.toLowerCase()],
  )
  return row && wholeOf(row, await linesOf(tx, caller.brand_id, row.id))
}

/** The refunds of some receipts. */
export const refundsOf = (
  tx: Pick<Queries, 'rows'>,
  brand_id: number,
  ids: readonly number[],
): Promise<WholeReceipt[]> => receiptsWith(tx, brand_id, 'parent_id', ids)

/** The receipts with one of these ids in a column, with their lines. */
export async function receiptsWith(
  tx: Pick<Queries, 'rows'>,
  brand_id: number,
  column: 'id' | 'parent_id',
  values: readonly number[],
): Promise<WholeReceipt[]> {
  const rows = await tx.rows<StoredReceipt & { id: number }>(
    `select id, body, details, terms, rule, version from receipts
     where brand_id = ? and ${column} in ${places(values)} order by ${column}, id`,
    [brand_id, ...values],
  )
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const lines = await tx.rows<{ receipt_id: number; body: string; copied: string | null }>(
    `select receipt_id, body, copied from receipt_lines where brand_id = ? and receipt_id in ${places(ids)} order by receipt_id, position`,
    [brand_id, ...ids],
  )
  const byReceipt = Map.groupBy(lines, ({ receipt_id }) => receipt_id)
  return rows.map((row) => wholeOf(row, (byReceipt.get(row.id) ?? []).map(storedLine)))
}

export async function linesOf(tx: Pick<Queries, 'rows'>, brand_id: number, receipt_id: number): Promise<Line[]> {
  const rows = await tx.rows<{ body: string; copied: string | null }>(
    'select body, copied from receipt_lines where brand_id = ? and receipt_id = ? order by position',
    [brand_id, receipt_id],
  )
  return rows.map(storedLine)
}

const storedLine = ({ body, copied }: { body: string; copied: string | null }): Line =>
  lineOfParsed(JSON.parse(body), copied === null ? null : JSON.parse(copied))

export const lineOfParsed = (shown: ReceiptLine, copied: Copied | null): Line => ({
  shown,
  copied: copied ?? NOTHING_COPIED,
})

/** Stands in for the copied values of a line of imported history, to which nothing is added. */
const NOTHING_COPIED: Copied = {
  content: '',
  taxes: [],
  recipe: [],
  sold_by_weight: true,
  discountable: false,
  giftable: false,
  ignore_service_charge: true,
}

/** Writes a new receipt, or the changes of a locked one; returns it as it is now. Unchanged parts are not written. */
export async function saveReceipt(
  given: CommandContext,
  before: WholeReceipt | undefined,
  after: WholeReceipt,
): Promise<WholeReceipt> {
  const context = notBefore(given, before?.receipt.updated_at) // so that a reader of changes since then finds it
  const { now } = context
  const known = new Map(before?.lines.map((line) => [line.shown.id, line]))
  const changed = after.lines.filter((line) => !isSameJson(known.get(line.shown.id), line))
  if (before && changed.length === 0 && isSame(before, after)) return before
  const stamped = new Map(
    changed.map((line) => [line.shown.id, { ...line, shown: { ...line.shown, updated_at: now } }]),
  )
  const { version = 0 } = before?.receipt ?? {}
  const saved: WholeReceipt = {
    ...after,
    receipt: { ...after.receipt, updated_at: now, version: version + 1 },
    lines: after.lines.map((line) => stamped.get(line.shown.id) ?? line),
  }
  await writeRow(context, before, saved, { lines: changed.length > 0 })
  const lines = saved.lines.flatMap((line, index) =>
    stamped.has(line.shown.id) ? [{ ...line, position: index + 1 }] : [],
  )
  await writeLines(context.tx, placeOf(context.caller.brand_id, saved), {
    added: lines.filter(({ shown }) => !known.has(shown.id)),
    changed: lines.filter(({ shown }) => known.has(shown.id)),
  })
  await keepReservations(context, before, saved)
  const papers = await keepTickets(context, before, saved)
  const { cid, order_id } = saved.receipt
  if (!before && order_id === undefined) await takeUuid(context, cid!) // an order has its own
  if (before && !isDelivered(before) && isDelivered(saved)) await deliverOrder(context, saved.receipt.order_id!)
  noteChanges(context, before, saved)
  await print(context, papers)
  return saved
}

/** What the event of a receipt says when lines moved (T9). */
export interface MovedLines {
  readonly moved_from?: readonly number[]
  readonly moved_to?: readonly number[]
  readonly merged_into?: number
}

/**
 * T9: writes a receipt that lines left or came to; `arrived` are those of them that other receipts have in the store. Tickets were moved
 * by the caller. Each line is written: any may have another position, and those that arrived leave their old receipt by it.
 */
export async function saveMoved(
  given: CommandContext,
  before: WholeReceipt | undefined,
  after: WholeReceipt,
  { arrived, told }: { arrived: readonly Line[]; told: MovedLines },
): Promise<WholeReceipt> {
  const context = notBefore(given, before?.receipt.updated_at)
  const { tx, caller, now } = context
  const known = new Map([...(before?.lines ?? []), ...arrived].map((line) => [line.shown.id, line]))
  const isNew = (line: Line) => !before?.lines.some(({ shown }) => shown.id === line.shown.id)
  const saved: WholeReceipt = {
    ...after,
    receipt: { ...after.receipt, updated_at: now, version: (before?.receipt.version ?? 0) + 1 },
    lines: after.lines.map((line) =>
      !isNew(line) && isSameJson(known.get(line.shown.id), line)
        ? line
        : { ...line, shown: { ...line.shown, updated_at: laterOf(now, line.shown.updated_at) } },
    ),
  }
  await writeRow(context, before, saved, { lines: true, data: told })
  const lines = saved.lines.map((line, index) => ({ ...line, position: index + 1 }))
  await writeLines(tx, placeOf(caller.brand_id, saved), {
    added: lines.filter(({ shown }) => !known.has(shown.id)),
    changed: lines.filter(({ shown }) => known.has(shown.id)),
  })
  await keepReservations(context, before, saved)
  if (!before) await takeUuid(context, saved.receipt.cid!)
  const parts = saved.lines.filter(({ shown }) => !known.has(shown.id))
  noteMoved(context, saved, { parts, from: told.moved_from, to: told.moved_to })
  return saved
}

const isDelivered = ({ receipt: { order_id, status, order_status } }: WholeReceipt) =>
  order_id !== undefined && status === CLOSED && order_status === 'COMPLETED'

/** Numbers of a venue's business day have no gaps. */
export async function nextNumber({ tx, caller }: CommandContext, shift_date: string): Promise<number> {
  const [day] = await tx.rows<{ last_number: number }>(
    `insert into venue_days (brand_id, venue_id, shift_date, last_number) values (?, ?, ?, 1)
     on conflict (brand_id, venue_id, shift_date) do update set last_number = venue_days.last_number + 1
     returning last_number`,
    [caller.brand_id, caller.venue_id, shift_date],
  )
  return day!.last_number
}

/** Writes what a new receipt gets last, in the order of locks (P16): its number. */
export async function completeReceipt(context: CommandContext, whole: WholeReceipt): Promise<WholeReceipt> {
  const { receipt, rule, terms } = whole
  await receipts.update({ ...context, unpublished: true }, [{ ...receipt, rule, terms }])
  await print(context, await papersOf(context, undefined, whole))
  return whole
}

const isSame = (one: WholeReceipt, other: WholeReceipt) =>
  isSameJson(one.receipt, other.receipt) && isSameJson(one.terms, other.terms)

/** Lines belong to their receipt, so it publishes for them (E2). */
async function writeRow(
  context: CommandContext,
  before: WholeReceipt | undefined,
  after: WholeReceipt,
  { lines, data: more }: { lines: boolean; data?: object },
) {
  const { tx, brand_id } = context
  const { receipt, rule, terms } = after
  const row = { ...receipt, rule, terms }
  const quiet = { ...context, unpublished: true }
  await (before ? receipts.update(quiet, [row]) : receipts.insert(quiet, [row]))
  const changed: string[] = [...MEMBERS.filter((name) => !isSameJson(before?.receipt[name], receipt[name]))]
  if (lines) changed.push('receipt_products')
  for (const { type, data } of receiptEvents({ before: before?.receipt, after: receipt, changed }))
    tx.publish({ brand_id, type, subject: String(receipt.id), venue_id: receipt.venue_id, data: { ...data, ...more } })
}

/** What people see of a receipt; its version and updated_at only say that something else changed. */
const MEMBERS = Object.keys({ ...Receipt.properties, ...ReceiptDetails.properties }).filter(
  (name) => !['id', 'version', 'updated_at'].includes(name),
) as (keyof WholeReceipt['receipt'])[]

/** I9: reservations exist for what each line of an open receipt takes (P20), and for nothing else. */
async function keepReservations({ tx, caller }: CommandContext, before: WholeReceipt | undefined, after: WholeReceipt) {
  const existing = new Map(before?.lines.map((line) => [line.shown.id, reservedBy(before, line)]))
  const changed = after.lines
    .map((line) => ({ id: line.shown.id, reserved: reservedBy(after, line) }))
    .filter(({ id, reserved }) => !isSameJson(existing.get(id) ?? [], reserved))
  await writeReservations(tx, placeOf(caller.brand_id, after), changed)
}

/** S4: a ticket has the state of its lines. Returns what the change prints, which a new ticket says too (I22). */
async function keepTickets(
  context: CommandContext,
  before: WholeReceipt | undefined,
  after: WholeReceipt,
): Promise<Papers> {
  const { tx, caller, now } = context
  const existing = new Map(ticketsOf(before?.lines ?? []).map((ticket) => [ticket.id, ticket.state]))
  const tickets = ticketsOf(after.lines)
  const added = tickets.filter(({ id }) => !existing.has(id))
  const moved = tickets.filter(({ id, state }) => existing.has(id) && existing.get(id) !== state)
  const papers = await papersOf(context, before, after, added)
  const routed = added.map((ticket) => ({ ...ticket, routes: papers.routes.get(ticket.id) }))
  await writeTickets(tx, placeOf(caller.brand_id, after), { added: routed, moved }, now)
  return papers
}

const placeOf = (brand_id: number, { receipt }: WholeReceipt) => ({
  brand_id,
  venue_id: receipt.venue_id,
  receipt_id: receipt.id,
})

export const reservedBy = ({ receipt }: Pick<WholeReceipt, 'receipt'>, line: Line) =>
  receipt.status !== OPEN || isVoid(line) ? [] : takenByLine(line)
