import Type, { type Static } from 'typebox'
import { DateTime, Decimal, Id, Maybe } from '../../resource/values.ts'
import type { Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { OPEN } from '../../values/states.ts'
import type { ReceiptDetails } from '../sales/receipt-schema.ts'
import type { Receipt } from '../sales/receipts.ts'
import { WaiterCall } from './waiter-calls.ts'

// T3: what happens at a table, computed of its open receipts and never stored.

export const TABLE_STATES = ['free', 'seated', 'ordered', 'ready', 'bill'] as const

export const TableState = Type.Object(
  {
    state: Type.Enum(TABLE_STATES),
    since: Maybe(DateTime()),
    idle_s: Maybe(Type.Integer({ description: 'Seconds since something changed at it' })),
    guests: Maybe(Type.Integer()),
    call: Maybe(
      Type.Object(
        { id: Id(), type: WaiterCall.properties.type, created_at: DateTime() },
        { description: 'A guest calls' },
      ),
    ),
    ready: Maybe(Type.Array(Id(), { description: 'Tickets that are ready to be served' })),
    receipts: Type.Array(
      Type.Object({
        id: Id(),
        cid: Type.String(),
        number: Maybe(Type.Integer()),
        version: Type.Integer(),
        total: Decimal(),
        remaining: Decimal(),
        user_id: Maybe(Id()),
        lock: Type.Boolean(),
      }),
      { description: 'The open ones, by number' },
    ),
  },
  { $id: 'TableState' },
)
export type TableState = Static<typeof TableState>

export const FREE: TableState = { state: 'free', receipts: [] }

interface Place {
  readonly brand_id: number
  readonly venues: readonly number[]
}

/** States of the tables of some venues by table; one that is not there is free. */
export async function readTableStates(
  db: Pick<Queries, 'rows'>,
  place: Place,
  nowMs: number,
): Promise<Map<number, TableState>> {
  const { brand_id, venues } = place
  const [open, calls] = await Promise.all([
    openReceipts(db, place),
    db.rows<{ body: string }>(
      `select body from waiter_calls where brand_id = ? and venue_id in ${places(venues)} and done_at is null order by id`,
      [brand_id, ...venues],
    ),
  ])
  const receiptsAt = Map.groupBy(open, ({ receipt }) => receipt.table_id!)
  const callAt = new Map(calls.map(({ body }) => JSON.parse(body) as WaiterCall).map((call) => [call.table_id, call]))
  const ids = new Set([...receiptsAt.keys(), ...callAt.keys()])
  return new Map([...ids].map((id) => [id, stateOf(receiptsAt.get(id) ?? [], callAt.get(id), nowMs)]))
}

interface OpenReceipt {
  readonly receipt: Receipt & ReceiptDetails
  readonly version: number
  /** A line was sent to a station, or was served without one. */
  readonly isSent: boolean
  /** Tickets that are ready to be served. */
  readonly ready: readonly number[]
}

async function openReceipts(db: Pick<Queries, 'rows'>, { brand_id, venues }: Place): Promise<OpenReceipt[]> {
  const AT_TABLES = `receipts.brand_id = ? and receipts.venue_id in ${places(venues)} and receipts.status = ${OPEN} and receipts.table_id is not null`
  const [rows, tickets] = await Promise.all([
    db.rows<{ id: number; body: string; details: string; version: number; sent: number }>(
      `select id, body, details, version,
         case when exists (select 1 from receipt_lines as lines where lines.brand_id = receipts.brand_id
           and lines.receipt_id = receipts.id and lines.state in ('SENT', 'COOKING', 'READY', 'SERVED')) then 1 else 0 end as sent
       from receipts where ${AT_TABLES} order by id`,
      [brand_id, ...venues],
    ),
    db.rows<{ id: number; receipt_id: number }>(
      `select tickets.id, tickets.receipt_id from receipts join tickets on tickets.brand_id = receipts.brand_id
         and tickets.receipt_id = receipts.id
       where ${AT_TABLES} and (tickets.state = 'READY' or tickets.state = 'COOKING' and exists (
         select 1 from receipt_lines as lines where lines.brand_id = tickets.brand_id and lines.receipt_id = tickets.receipt_id
           and lines.ticket_id = tickets.id and lines.state = 'READY')) order by tickets.created_at, tickets.id`,
      [brand_id, ...venues],
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

function stateOf(open: readonly OpenReceipt[], call: WaiterCall | undefined, nowMs: number): TableState {
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
function tableState(open: readonly OpenReceipt[]): TableState['state'] {
  if (open.some(({ receipt }) => receipt.lock)) return 'bill'
  if (open.some(({ ready }) => ready.length > 0)) return 'ready'
  return open.some(({ isSent }) => isSent) ? 'ordered' : 'seated'
}
