import type { WaiterCall } from '../../resources/places/waiter-calls.ts'
import type { ReceiptDetails } from '../../resources/sales/receipt-schema.ts'
import type { Receipt } from '../../resources/sales/receipts.ts'
import type { Queries } from '../../storage/database.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { OPEN } from '../../values/states.ts'

// T3, T4: the tables of a venue with what happens at each. States are computed, never stored.

export const TABLE_STATES = ['free', 'seated', 'ordered', 'ready', 'bill'] as const
export type TableState = (typeof TABLE_STATES)[number]

export interface FloorReceipt {
  readonly id: number
  readonly cid: string
  readonly number?: number
  readonly version: number
  readonly total: number
  readonly remaining: number
  readonly user_id?: number
  readonly lock: boolean
}

export interface StatefulTable {
  readonly id: number
  readonly name: string
  readonly hall_id?: number
  readonly seats?: number
  readonly state: TableState
  /** When its first open receipt was opened. */
  readonly since?: string
  /** Seconds since something changed at it. */
  readonly idle_s?: number
  readonly guests?: number
  /** A guest calls. */
  readonly call?: { readonly id: number; readonly type: WaiterCall['type']; readonly created_at: string }
  /** Tickets of which something is ready to be served. */
  readonly ready?: readonly number[]
  readonly receipts: readonly FloorReceipt[]
}

export interface Floor {
  readonly halls: readonly { readonly id: number; readonly name: string }[]
  readonly tables: readonly StatefulTable[]
  /** Minutes after which a table without a change is amber, then red. */
  readonly idle_minutes: readonly number[]
}

interface Place {
  readonly brand_id: number
  readonly venue_id: number
}

/** Reads halls by position, then name, and the tables in use by name: T2 before T10. */
export async function readFloor(db: Pick<Queries, 'rows'>, place: Place, nowMs: number): Promise<Floor> {
  const { brand_id, venue_id } = place
  const own = [brand_id, venue_id]
  const [halls, tables, open, calls, venues] = await Promise.all([
    db.rows<{ id: number; name: string }>(
      'select id, name from halls where brand_id = ? and venue_id = ? and status = 1 order by position, name_folded, id',
      own,
    ),
    db.rows<{ body: string; status: number }>(
      'select body, status from tables where brand_id = ? and venue_id = ? order by id',
      own,
    ),
    openReceipts(db, place),
    db.rows<{ body: string }>(
      'select body from waiter_calls where brand_id = ? and venue_id = ? and done_at is null order by id',
      own,
    ),
    db.rows<{ settings: string }>('select settings from venues where brand_id = ? and id = ?', own),
  ])
  const receiptsAt = Map.groupBy(open, ({ receipt }) => receipt.table_id!)
  const callAt = new Map(calls.map(({ body }) => JSON.parse(body) as WaiterCall).map((call) => [call.table_id, call]))
  const shownHalls = new Set(halls.map(({ id }) => id))
  // A table that was switched off is shown while guests sit at it.
  const shown = tables
    .map(({ body, status }) => ({ status, table: JSON.parse(body) as NamedTable }))
    .filter(({ status, table }) => status === 1 || receiptsAt.has(table.id))
    .map(({ table }) => table)
  return {
    halls,
    tables: shown.sort(byName).map(({ id, name, hall_id, seats }) => ({
      id,
      name,
      ...(hall_id !== undefined && shownHalls.has(hall_id) && { hall_id }),
      ...definedOnly({ seats }),
      ...stateOf(receiptsAt.get(id) ?? [], callAt.get(id), nowMs),
    })),
    idle_minutes: (JSON.parse(venues[0]?.settings ?? '{}') as { idle_minutes?: number[] }).idle_minutes ?? [15, 30],
  }
}

interface NamedTable {
  readonly id: number
  readonly name: string
  readonly hall_id?: number
  readonly seats?: number
}

const NAMES = new Intl.Collator('en', { numeric: true })
const byName = (one: NamedTable, other: NamedTable) => NAMES.compare(one.name, other.name) || one.id - other.id

interface OpenReceipt {
  readonly receipt: Receipt & ReceiptDetails
  readonly version: number
  /** A line was sent to a station, or was served without one. */
  readonly isSent: boolean
  /** Tickets that are ready to be served. */
  readonly ready: readonly number[]
}

async function openReceipts(db: Pick<Queries, 'rows'>, { brand_id, venue_id }: Place): Promise<OpenReceipt[]> {
  const AT_TABLES = `receipts.brand_id = ? and receipts.venue_id = ? and receipts.status = ${OPEN} and receipts.table_id is not null`
  const [rows, tickets] = await Promise.all([
    db.rows<{ id: number; body: string; details: string; version: number; sent: number }>(
      `select id, body, details, version,
         case when exists (select 1 from receipt_lines as lines where lines.brand_id = receipts.brand_id
           and lines.receipt_id = receipts.id and lines.state in ('SENT', 'COOKING', 'READY', 'SERVED')) then 1 else 0 end as sent
       from receipts where ${AT_TABLES} order by id`,
      [brand_id, venue_id],
    ),
    db.rows<{ id: number; receipt_id: number }>(
      `select tickets.id, tickets.receipt_id from receipts join tickets on tickets.brand_id = receipts.brand_id
         and tickets.receipt_id = receipts.id
       where ${AT_TABLES} and (tickets.state = 'READY' or tickets.state = 'COOKING' and exists (
         select 1 from receipt_lines as lines where lines.brand_id = tickets.brand_id and lines.receipt_id = tickets.receipt_id
           and lines.ticket_id = tickets.id and lines.state = 'READY')) order by tickets.created_at, tickets.id`,
      [brand_id, venue_id],
    ),
  ])
  const ready = Map.groupBy(tickets, ({ receipt_id }) => receipt_id)
  return rows.map(({ id, body, details, version, sent }) => ({
    receipt: { ...JSON.parse(body), ...JSON.parse(details) },
    version,
    isSent: sent === 1,
    ready: (ready.get(id) ?? []).map((ticket) => ticket.id),
  }))
}

function stateOf(
  open: readonly OpenReceipt[],
  call: WaiterCall | undefined,
  nowMs: number,
): Omit<StatefulTable, keyof NamedTable> {
  const called = call && { call: { id: call.id, type: call.type, created_at: call.created_at } }
  if (open.length === 0) return { state: 'free', ...called, receipts: [] }
  const since = open.map(({ receipt }) => receipt.created_at ?? '').sort()[0]!
  const changed = open
    .map(({ receipt }) => receipt.updated_at ?? '')
    .sort()
    .at(-1)!
  const ready = open.flatMap((each) => each.ready)
  const guests = open.reduce((sum, { receipt }) => sum + (receipt.guests ?? 0), 0)
  return {
    state: tableState(open),
    since,
    idle_s: Math.max(0, Math.floor((nowMs - Date.parse(changed)) / 1_000)),
    ...(guests > 0 && { guests }),
    ...called,
    ...(ready.length > 0 && { ready }),
    receipts: open
      .toSorted((one, other) => (one.receipt.number ?? 0) - (other.receipt.number ?? 0))
      .map(({ receipt, version }) => {
        const { id, cid = '', number, total = 0, remaining = 0, user_id, lock = false } = receipt
        return { id, cid, ...definedOnly({ number }), version, total, remaining, ...definedOnly({ user_id }), lock }
      }),
  }
}

/** The first that applies. */
function tableState(open: readonly OpenReceipt[]): TableState {
  if (open.some(({ receipt }) => receipt.lock)) return 'bill'
  if (open.some(({ ready }) => ready.length > 0)) return 'ready'
  return open.some(({ isSent }) => isSent) ? 'ordered' : 'seated'
}
