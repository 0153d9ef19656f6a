import type { ReceiptLine } from '../../resources/sales/receipt-schema.ts'
import type { Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { definedOnly } from '../../values/defined-only.ts'
import type { LineState } from '../../values/states.ts'
import { instantOf } from '../../values/values.ts'

// S4: what a station has to make, and what it has just made, for the screen in the kitchen.

/** Ready tickets shown: the kitchen can recall one of the last few. */
const READY_SHOWN = 10
/** Tickets ready for longer cannot be recalled: at a station that makes little, the search would go far. */
const READY_MS = 12 * 3_600_000
const MAX_TICKETS = 200
/** How long a ticket that was voided as a whole is listed: a screen that was offline may still be making it. */
const VOID_MS = 30 * 60_000
const VOID_SHOWN = 50

interface TicketRow {
  id: number
  receipt_id: number
  station_id: number
  state: LineState
  created_at: string
  updated_at: string
  body: string
  details: string
}

const COLUMNS = `tickets.id, tickets.receipt_id, tickets.station_id, tickets.state, tickets.created_at, tickets.updated_at,
  receipts.body, receipts.details`

/** A ticket changes with its receipt: the few receipts that changed lead to it. SQLite keeps the order of a cross join. */
export const VOID_TICKETS = `from receipts cross join tickets
  where receipts.brand_id = ? and receipts.venue_id = ? and receipts.updated_at > ?
    and tickets.brand_id = receipts.brand_id and tickets.receipt_id = receipts.id
    and tickets.state = 'VOID' and tickets.updated_at > ?`

export interface WaitingTicket extends Omit<TicketRow, 'body' | 'details'> {
  /** The receipt's number of the day, and where its guests are. */
  readonly number?: number
  readonly order_number?: string
  readonly table_id?: number
  readonly sale_type_id?: number
  /** A note about all of it: an order's comment, once it was accepted. */
  readonly description?: string
  /** Their names, so that a cook needs no list of either. */
  readonly table?: string
  readonly sale_type?: string
  /** T7: its course and the name of it. */
  readonly course_id?: number
  readonly course?: string
  readonly lines: readonly TicketLine[]
}

export type TicketLine = Pick<
  ReceiptLine,
  'id' | 'product_id' | 'name' | 'count' | 'state' | 'note' | 'allergy' | 'seat'
> & {
  /** Minutes, as the menu says now. */
  readonly cooking_time?: number
  readonly modifiers: readonly { readonly name: string; readonly count: number }[]
}

/** Returns tickets that wait or cook, oldest first, the last ready ones, and those that were voided recently. */
export async function waitingTickets(
  db: Queries,
  { brand_id, venue_id }: { brand_id: number; venue_id: number },
  station_id: number | undefined,
  now: number,
): Promise<WaitingTicket[]> {
  const ofStation = station_id === undefined ? '' : ' and tickets.station_id = ?'
  const ofStationId = station_id === undefined ? [] : [station_id]
  // Conditions on the state match those of the indexes word for word.
  const read = (which: string, order: string, limit: number, ...values: string[]) =>
    db.rows<TicketRow>(
      `select ${COLUMNS}
       from tickets join receipts on receipts.brand_id = tickets.brand_id and receipts.id = tickets.receipt_id
       where tickets.brand_id = ? and tickets.venue_id = ? and ${which}${ofStation} order by ${order} limit ${limit}`,
      [brand_id, venue_id, ...values, ...ofStationId],
    )
  const voidSince = instantOf(now - VOID_MS)
  const tickets = [
    ...(await read(`tickets.state in ('SENT', 'COOKING')`, 'tickets.created_at, tickets.id', MAX_TICKETS)),
    ...(await read(
      `tickets.state = 'READY' and tickets.updated_at > ?`,
      'tickets.updated_at desc, tickets.id desc',
      READY_SHOWN,
      instantOf(now - READY_MS),
    )),
    ...(await db.rows<TicketRow>(
      `select ${COLUMNS} ${VOID_TICKETS}${ofStation} order by tickets.updated_at desc, tickets.id desc limit ${VOID_SHOWN}`,
      [brand_id, venue_id, voidSince, voidSince, ...ofStationId],
    )),
  ]
  if (tickets.length === 0) return []
  const ids = tickets.map(({ id }) => id)
  const rows = await db.rows<{ ticket_id: number; body: string }>(
    `select ticket_id, body from receipt_lines where brand_id = ? and receipt_id in ${places(tickets)} and ticket_id in ${places(ids)}
     order by receipt_id, position`,
    [brand_id, ...tickets.map(({ receipt_id }) => receipt_id), ...ids],
  )
  const lines = Map.groupBy(
    rows.map(({ ticket_id, body }) => ({ ticket_id, line: JSON.parse(body) as ReceiptLine })),
    ({ ticket_id }) => ticket_id,
  )
  const receipts = tickets.map(
    ({ body, details }) => ({ ...JSON.parse(body), ...JSON.parse(details) }) as WaitingTicket,
  )
  const idsOf = (name: 'table_id' | 'sale_type_id') => receipts.flatMap((receipt) => receipt[name] ?? [])
  const tables = await namesOf(db, brand_id, 'tables', idsOf('table_id'))
  const saleTypes = await namesOf(db, brand_id, 'sale_types', idsOf('sale_type_id'))
  const courses = await namesOf(
    db,
    brand_id,
    'courses',
    [...lines.values()].flat().flatMap(({ line }) => line.course ?? []),
  )
  const minutes = await cookingTimes(
    db,
    brand_id,
    [...lines.values()].flat().map(({ line }) => line.product_id),
  )
  return tickets.map(({ body: _, details: __, ...ticket }, index) => {
    const receipt = receipts[index]!
    const told = SHOWN.flatMap((name) => (receipt[name] === undefined ? [] : [[name, receipt[name]]]))
    const table = tables.get(receipt.table_id ?? 0)
    const sale_type = saleTypes.get(receipt.sale_type_id ?? 0)
    const course_id = lines.get(ticket.id)?.[0]?.line.course
    const course = courses.get(course_id ?? 0)
    return {
      ...ticket,
      ...Object.fromEntries(told),
      ...definedOnly({ table, sale_type, course_id, course }),
      lines: (lines.get(ticket.id) ?? []).map(({ line }) => lineOf(line, minutes.get(line.product_id))),
    }
  })
}

async function namesOf(
  db: Queries,
  brand_id: number,
  table: 'tables' | 'sale_types' | 'courses',
  ids: readonly number[],
) {
  if (ids.length === 0) return new Map<number, string>()
  const unique = [...new Set(ids)]
  const rows = await db.rows<{ id: number; name: string }>(
    `select id, name from ${table} where brand_id = ? and id in ${places(unique)}`,
    [brand_id, ...unique],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

async function cookingTimes(db: Queries, brand_id: number, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const unique = [...new Set(ids)]
  const rows = await db.rows<{ id: number; details: string }>(
    `select id, details from products where brand_id = ? and id in ${places(unique)}`,
    [brand_id, ...unique],
  )
  return new Map(
    rows.flatMap(({ id, details }) => {
      const { cooking_time } = JSON.parse(details) as { cooking_time?: number }
      return cooking_time === undefined ? [] : [[id, cooking_time]]
    }),
  )
}

/** Members of the receipt that a ticket shows. */
const SHOWN = ['number', 'order_number', 'table_id', 'sale_type_id', 'description'] as const

const lineOf = (
  { id, product_id, name, count, state, note, allergy, seat, modifiers }: ReceiptLine,
  cooking_time: number | undefined,
): TicketLine => ({
  id,
  product_id,
  name,
  count,
  state,
  allergy,
  ...definedOnly({ note, seat, cooking_time }),
  modifiers: modifiers.map((modifier) => ({ name: modifier.name, count: modifier.count })),
})

/** T7: what a table waits for, held until its course is fired. */
export interface NextCourse {
  readonly receipt_id: number
  readonly table?: string
  readonly course_id?: number
  readonly course?: string
  /** Dishes. */
  readonly count: number
}

const MAX_NEXT = 500

/** Returns what is held for a station, or for all, by receipt and course. */
export async function heldCourses(
  db: Queries,
  { brand_id, venue_id }: { brand_id: number; venue_id: number },
  station_id: number | undefined,
): Promise<NextCourse[]> {
  // The condition matches that of the index word for word.
  const rows = await db.rows<{ receipt_id: number; body: string }>(
    `select receipt_id, body from receipt_lines where brand_id = ? and venue_id = ? and hold = 1
     order by receipt_id, position limit ${MAX_NEXT}`,
    [brand_id, venue_id],
  )
  const held = rows
    .map(({ receipt_id, body }) => ({ receipt_id, line: JSON.parse(body) as ReceiptLine }))
    .filter(({ line }) => station_id === undefined || line.station_id === station_id)
  if (held.length === 0) return []
  const ids = [...new Set(held.map(({ receipt_id }) => receipt_id))]
  const at = await db.rows<{ id: number; name: string }>(
    `select receipts.id, tables.name from receipts join tables on tables.brand_id = receipts.brand_id and tables.id = receipts.table_id
     where receipts.brand_id = ? and receipts.id in ${places(ids)}`,
    [brand_id, ...ids],
  )
  const tables = new Map(at.map(({ id, name }) => [id, name]))
  const courses = await namesOf(
    db,
    brand_id,
    'courses',
    held.flatMap(({ line }) => line.course ?? []),
  )
  return [...Map.groupBy(held, ({ receipt_id, line }) => `${receipt_id} ${line.course ?? 0}`).values()]
    .map((own): NextCourse => {
      const { receipt_id, line } = own[0]!
      const table = tables.get(receipt_id)
      const course = courses.get(line.course ?? 0)
      const count = own.reduce((sum, each) => sum + Math.ceil(each.line.count), 0)
      return { receipt_id, ...definedOnly({ table, course_id: line.course, course }), count }
    })
    .sort((one, other) => (one.course_id ?? 0) - (other.course_id ?? 0))
}
