import type { LineState, ReceiptLine } from '../../resources/receipt-schema.ts'
import type { Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'

// S4: what a station has to make, and what it has just made, for the screen in the kitchen.

/** Tickets that can be taken back: the kitchen recalls one of the last few. */
const READY_SHOWN = 10
const MAX_TICKETS = 200

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

interface WaitingTicket extends Omit<TicketRow, 'body' | 'details'> {
  /** The receipt's number of the day, and where its guests are. */
  readonly number?: number
  readonly order_number?: string
  readonly table_id?: number
  readonly sale_type_id?: number
  readonly lines: readonly TicketLine[]
}

type TicketLine = Pick<ReceiptLine, 'id' | 'product_id' | 'name' | 'count' | 'state' | 'note'> & {
  readonly modifiers: readonly { readonly name: string; readonly count: number }[]
}

/** Those that wait or cook, oldest first, and the last that are ready. */
export async function waitingTickets(
  db: Queries,
  { brand_id, venue_id }: { brand_id: number; venue_id: number },
  station_id: number | undefined,
): Promise<WaitingTicket[]> {
  const ofStation = station_id === undefined ? '' : ' and tickets.station_id = ?'
  const read = (states: string, order: string, limit: number) =>
    db.rows<TicketRow>(
      `select tickets.id, tickets.receipt_id, tickets.station_id, tickets.state, tickets.created_at, tickets.updated_at,
         receipts.body, receipts.details
       from tickets join receipts on receipts.brand_id = tickets.brand_id and receipts.id = tickets.receipt_id
       where tickets.brand_id = ? and tickets.venue_id = ? and tickets.state in (${states})${ofStation}
       order by ${order} limit ${limit}`,
      [brand_id, venue_id, ...(station_id === undefined ? [] : [station_id])],
    )
  const tickets = [
    ...(await read(`'SENT', 'COOKING'`, 'tickets.id', MAX_TICKETS)),
    ...(await read(`'READY'`, 'tickets.updated_at desc, tickets.id desc', READY_SHOWN)),
  ]
  if (tickets.length === 0) return []
  const ids = tickets.map(({ id }) => id)
  const rows = await db.rows<{ ticket_id: number; body: string }>(
    `select ticket_id, body from receipt_lines where brand_id = ? and receipt_id in ${places(tickets)} and ticket_id in ${places(ids)}
     order by id`,
    [brand_id, ...tickets.map(({ receipt_id }) => receipt_id), ...ids],
  )
  const lines = Map.groupBy(rows, ({ ticket_id }) => ticket_id)
  return tickets.map(({ body, details, ...ticket }) => {
    const receipt = { ...JSON.parse(body), ...JSON.parse(details) } as WaitingTicket
    const told = SHOWN.flatMap((name) => (receipt[name] === undefined ? [] : [[name, receipt[name]]]))
    return {
      ...ticket,
      ...Object.fromEntries(told),
      lines: (lines.get(ticket.id) ?? []).map((line) => lineOf(JSON.parse(line.body) as ReceiptLine)),
    }
  })
}

/** Of the receipt. */
const SHOWN = ['number', 'order_number', 'table_id', 'sale_type_id'] as const

const lineOf = ({ id, product_id, name, count, state, note, modifiers }: ReceiptLine): TicketLine => ({
  ...{ id, product_id, name, count, state },
  ...(note !== undefined && { note }),
  modifiers: modifiers.map((modifier) => ({ name: modifier.name, count: modifier.count })),
})
