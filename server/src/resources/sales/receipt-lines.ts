import { isDeepStrictEqual } from 'node:util'
import { RowProblem } from '../../resource/files/read-row.ts'
import { type NestedRows, readNested } from '../../resource/read/nested-rows.ts'
import { bodyOf } from '../../resource/write/write.ts'
import type { Queries } from '../../storage/database.ts'
import { insert, places, upsert } from '../../storage/upsert.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { CANCELLED, type LineState, ticketState } from '../../values/states.ts'
import { toScaled } from '../../values/values.ts'
import { includedTax } from './receipt-costs.ts'
import { type Copied, type ImportedLine, ReceiptLine, type Reserved, type TicketTimes } from './receipt-schema.ts'

// The parts of a receipt that have tables of their own: its lines, what they reserve, and the tickets they were sent with.

/** A line as it is kept. */
interface StoredLine {
  readonly shown: ReceiptLine
  /** Absent on imported history, which nobody adds to. */
  readonly copied?: Copied | undefined
}

/** A line at its place among those of its receipt. */
interface PlacedLine extends StoredLine {
  /** From 1 on, as they were added: ids come in blocks (P16). */
  readonly position: number
}

interface Place {
  readonly brand_id: number
  readonly venue_id: number
  readonly receipt_id: number
}

/** New lines are inserted, never put over others: an import may have brought a line with an id that was taken for a sale (P16). */
export async function writeLines(
  tx: Queries,
  place: Place,
  { added, changed }: { added: readonly PlacedLine[]; changed: readonly PlacedLine[] },
) {
  const rowsOf = (lines: readonly PlacedLine[]) => lines.map((line) => lineRow(place, line))
  await insert(tx, 'receipt_lines', rowsOf(added))
  await upsert(tx, 'receipt_lines', ['brand_id', 'id'], rowsOf(changed))
}

const lineRow = ({ brand_id, venue_id, receipt_id }: Place, { shown, copied, position }: PlacedLine) => ({
  brand_id,
  id: shown.id,
  venue_id,
  receipt_id,
  position,
  cid: shown.cid,
  ...lineColumns(shown, copied),
  body: bodyOf(SHOWN, shown),
  copied: copied ? JSON.stringify(copied) : null,
})

/** In one order, whatever was done to the line: an import writes the same text. */
const SHOWN = Object.keys(ReceiptLine.properties)

/** What is searched and added up. */
export const lineColumns = (shown: ReceiptLine, copied: Copied | undefined) => ({
  product_id: shown.product_id,
  state: shown.state,
  ticket_id: copied?.ticket_id ?? null,
  hold: Number(shown.hold),
  ...addedUp(shown, copied),
})

/** What reports add up: nothing of a void line. */
const addedUp = (line: ReceiptLine, copied: Copied | undefined) =>
  line.state === 'VOID'
    ? { count: 0, subtotal: 0, total: 0, tax: 0 }
    : {
        count: toScaled(line.count)!,
        subtotal: toScaled(line.subtotal)!,
        total: toScaled(line.total)!,
        tax: includedTax(line, copied),
      }

/** Part of a key, which no null can be. */
const NO_MODIFICATOR = 0

/** Puts what lines reserve in the place of what they reserved before (I9). */
export async function writeReservations(
  tx: Queries,
  place: Place,
  lines: readonly { id: number; reserved: readonly Reserved[] }[],
): Promise<void> {
  if (lines.length === 0) return
  const ids = lines.map(({ id }) => id)
  await tx.run(`delete from reservations where brand_id = ? and line_id in ${places(ids)}`, [place.brand_id, ...ids])
  const rows = lines.flatMap(({ id, reserved }) => reservationRows(place, id, reserved))
  await insert(tx, 'reservations', rows)
}

const reservationRows = ({ brand_id, venue_id, receipt_id }: Place, id: number, reserved: readonly Reserved[]) =>
  reserved.map(({ product_id, modificator_id = NO_MODIFICATOR, quantity }) => ({
    brand_id,
    line_id: id,
    product_id,
    modificator_id,
    venue_id,
    receipt_id,
    quantity,
  }))

interface ImportedReceipt<Line = ImportedLine> {
  readonly id: number
  readonly venue_id: number
  readonly status?: number
  readonly receipt_products: readonly Line[]
  readonly tickets?: readonly TicketTimes[] | undefined
}

/** With the state that it has, or that follows from its receipt. */
type StatedLine = ImportedLine & Pick<ReceiptLine, 'state'>

/** Puts the lines of imported receipts in the place of those they had, all of them with a few statements; answers whose lines changed. */
export async function replaceLines(
  tx: Queries,
  brand_id: number,
  imported: readonly ImportedReceipt[],
  now: string,
): Promise<ReadonlySet<number>> {
  const given = await changedReceipts(tx, brand_id, imported)
  const ids = given.map(({ id }) => id)
  if (ids.length === 0) return new Set()
  for (const table of ['reservations', 'tickets', 'receipt_lines'])
    await tx.run(`delete from ${table} where brand_id = ? and receipt_id in ${places(ids)}`, [brand_id, ...ids])
  await refuseForeignLines(tx, brand_id, given)
  const parts = given.map(({ id: receipt_id, venue_id, receipt_products, tickets = [] }) => {
    const place: Place = { brand_id, venue_id, receipt_id }
    const lines = receipt_products.map((line, index) => ({
      shown: shownLine(line, now),
      copied: line.copied,
      position: index + 1,
    }))
    const times = new Map(tickets.map(({ id, ...known }) => [id, known]))
    return {
      lines: lines.map((line) => lineRow(place, line)),
      reservations: receipt_products.flatMap(({ id, reserved = [] }) => reservationRows(place, id, reserved)),
      tickets: ticketsOf(lines).map((ticket) => ({ ...ticketRow(place, ticket, now), ...times.get(ticket.id) })),
    }
  })
  await insert(
    tx,
    'receipt_lines',
    parts.flatMap(({ lines }) => lines),
  )
  await insert(
    tx,
    'reservations',
    parts.flatMap(({ reservations }) => reservations),
  )
  await insert(
    tx,
    'tickets',
    parts.flatMap(({ tickets }) => tickets),
  )
  return new Set(ids)
}

/** The receipts whose lines an import would change. */
export const withOtherLines = async (tx: Queries, brand_id: number, imported: readonly ImportedReceipt[]) =>
  new Set((await changedReceipts(tx, brand_id, imported)).map(({ id }) => id))

/** The receipts whose lines differ from the stored ones. */
async function changedReceipts(
  tx: Queries,
  brand_id: number,
  imported: readonly ImportedReceipt[],
): Promise<ImportedReceipt<StatedLine>[]> {
  const existing = await exportedLines(
    tx,
    brand_id,
    imported.map(({ id }) => id),
  )
  return imported.flatMap(({ receipt_products, ...receipt }) => {
    const before = (existing.get(receipt.id) ?? []) as StatedLine[] // stored ones have one
    const state: LineState = receipt.status === CANCELLED ? 'VOID' : 'SERVED'
    const lines = keepTimes(
      before,
      receipt_products.map((line) => ({ state, ...line })),
    )
    return isDeepStrictEqual(before.map(whole), lines.map(whole)) ? [] : [{ ...receipt, receipt_products: lines }]
  })
}

/** Times that an import leaves out stay as they are, unless the line itself changes. */
function keepTimes(before: readonly StatedLine[], imported: readonly StatedLine[]): StatedLine[] {
  const known = new Map(before.map((line) => [line.id, line]))
  return imported.map((line) => {
    const existing = known.get(line.id)
    if (!existing) return line
    const { created_at, updated_at } = shownLine(existing, '')
    const kept = { created_at, updated_at, ...line }
    return isDeepStrictEqual(whole(existing), whole(kept)) ? kept : { created_at, ...line }
  })
}

/** A line with all that it is stored with. */
const whole = (line: StatedLine) => ({ ...shownLine(line, ''), copied: line.copied, reserved: line.reserved ?? [] })

/** A line is one receipt's, and of a product that is there: an import must not take it from another. */
async function refuseForeignLines(tx: Queries, brand_id: number, given: readonly ImportedReceipt[]): Promise<void> {
  const owners = new Map<number, number>()
  for (const { id: receipt_id, receipt_products } of given)
    for (const { id } of receipt_products) {
      if (owners.has(id)) throw new RowProblem(`line ${id} of receipt ${receipt_id} is there twice`)
      owners.set(id, receipt_id)
    }
  const taken = await idsIn(tx, 'receipt_lines', brand_id, [...owners.keys()])
  for (const [id, receipt_id] of owners)
    if (taken.has(id)) throw new RowProblem(`line ${id} of receipt ${receipt_id} is another receipt's`)
  const lines = given.flatMap(({ receipt_products }) => receipt_products)
  const products = await idsIn(tx, 'products', brand_id, [...new Set(lines.map(({ product_id }) => product_id))])
  for (const { id, product_id } of lines)
    if (!products.has(product_id)) throw new RowProblem(`line ${id}: product_id ${product_id} points at no product`)
}

async function idsIn(tx: Queries, table: string, brand_id: number, ids: readonly number[]): Promise<Set<number>> {
  const found = new Set<number>()
  for (let start = 0; start < ids.length; start += IDS_A_STATEMENT) {
    const some = ids.slice(start, start + IDS_A_STATEMENT)
    const rows = await tx.rows<{ id: number }>(`select id from ${table} where brand_id = ? and id in ${places(some)}`, [
      brand_id,
      ...some,
    ])
    for (const { id } of rows) found.add(id)
  }
  return found
}

const IDS_A_STATEMENT = 1_000

export interface Ticket {
  readonly id: number
  readonly station_id: number
  readonly state: LineState
}

export function ticketsOf(lines: readonly StoredLine[]): Ticket[] {
  const sent = lines.filter(({ copied }) => copied?.ticket_id !== undefined)
  return [...Map.groupBy(sent, ({ copied }) => copied!.ticket_id!)].map(([id, own]) => ({
    id,
    station_id: own[0]!.shown.station_id!,
    state: ticketState(own.map(({ shown }) => shown.state)),
  }))
}

/** With the print routes that it goes to. */
interface NewTicket extends Ticket {
  readonly routes?: readonly number[] | undefined
}

/** Puts new tickets in, and moves those that are there. */
export async function writeTickets(
  tx: Queries,
  place: Place,
  { added, moved }: { added: readonly NewTicket[]; moved: readonly Ticket[] },
  now: string,
): Promise<void> {
  const rows = added.map((ticket) => ticketRow(place, ticket, now))
  await insert(tx, 'tickets', rows)
  for (const { id, state } of moved)
    await tx.run('update tickets set state = ?, updated_at = ? where brand_id = ? and id = ?', [
      state,
      now,
      place.brand_id,
      id,
    ])
}

const ticketRow = (
  { brand_id, venue_id, receipt_id }: Place,
  { id, station_id, state, routes }: NewTicket,
  now: string,
) => ({
  brand_id,
  id,
  venue_id,
  receipt_id,
  station_id,
  state,
  created_at: now,
  updated_at: now,
  routes: routes ? JSON.stringify(routes) : null,
})

/** What other systems leave out has its plain value. */
function shownLine(
  { copied: _, reserved: __, ...line }: ImportedLine & { state: LineState },
  now: string,
): ReceiptLine {
  const { id, cid = '', product_id, name, station_id, count, portion_size = 1, price, ...rest } = line
  return {
    id,
    cid,
    product_id,
    name,
    ...(station_id !== undefined && { station_id }),
    count,
    portion_size,
    price,
    subtotal: rest.subtotal ?? rest.total,
    discount_type: rest.discount_type ?? 0,
    discount_value: rest.discount_value ?? 0,
    total_discount: rest.total_discount ?? 0,
    receipt_discount: rest.receipt_discount ?? 0,
    total: rest.total,
    is_gift: rest.is_gift ?? false,
    ...(rest.note !== undefined && { note: rest.note }),
    allergy: rest.allergy ?? false,
    ...definedOnly({ seat: rest.seat, course: rest.course }),
    hold: rest.hold ?? false,
    ...definedOnly({ sent_at: rest.sent_at, user_id: rest.user_id }),
    state: rest.state,
    modifiers: rest.modifiers ?? [],
    taxes: rest.taxes ?? [],
    created_at: rest.created_at ?? now,
    updated_at: rest.updated_at ?? now,
  }
}

/** include=receipt_products: the lines of receipts. */
export const LINES: NestedRows = { table: 'receipt_lines', foreignKey: 'receipt_id', order: 'position' }
export const readIncludedLines = readNested(LINES)

interface StoredRow {
  id: number
  receipt_id: number
  body: string
  copied: string | null
}

/** The lines of some receipts as an import reads them, by receipt. */
export async function exportedLines(
  db: Queries,
  brand_id: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ImportedLine[]>> {
  if (ids.length === 0) return new Map()
  const lines = await db.rows<StoredRow>(
    `select id, receipt_id, body, copied from receipt_lines
     where brand_id = ? and receipt_id in ${places(ids)} order by receipt_id, position`,
    [brand_id, ...ids],
  )
  const reservations = await db.rows<Reserved & { line_id: number; modificator_id: number }>(
    `select line_id, product_id, modificator_id, quantity from reservations
     where brand_id = ? and receipt_id in ${places(ids)} order by line_id, product_id, modificator_id`,
    [brand_id, ...ids],
  )
  const byLine = Map.groupBy(reservations, ({ line_id }) => line_id)
  const exported = lines.map(({ id, receipt_id, body, copied }) => {
    const reserved = byLine.get(id)?.map(({ product_id, modificator_id, quantity }) => ({
      product_id,
      ...(modificator_id !== NO_MODIFICATOR && { modificator_id }),
      quantity,
    }))
    const line: ImportedLine = {
      ...JSON.parse(body),
      ...(copied && { copied: JSON.parse(copied) }),
      ...(reserved && { reserved }),
    }
    return { receipt_id, line }
  })
  const byReceipt = Map.groupBy(exported, ({ receipt_id }) => receipt_id)
  return new Map([...byReceipt].map(([id, own]) => [id, own.map(({ line }) => line)]))
}

/** When the tickets of some receipts were sent and moved, as an import reads it, by receipt. */
export async function exportedTickets(
  db: Queries,
  brand_id: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, TicketTimes[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<TicketTimes & { receipt_id: number }>(
    `select receipt_id, id, created_at, updated_at from tickets
     where brand_id = ? and receipt_id in ${places(ids)} order by receipt_id, created_at, id`,
    [brand_id, ...ids],
  )
  const byReceipt = Map.groupBy(rows, ({ receipt_id }) => receipt_id)
  return new Map([...byReceipt].map(([id, own]) => [id, own.map(({ receipt_id: _, ...times }) => times)]))
}
