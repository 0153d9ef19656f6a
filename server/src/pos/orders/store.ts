import { noSuchRecord } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import { type OrderRow, orders } from '../../resources/sales/orders.ts'
import { takeUuid } from '../../resources/sales/sale-uuids.ts'
import type { Queries } from '../../storage/database.ts'
import { laterOf } from '../../values/values.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'

// How an order is kept: what it shows, and the receipt that it becomes when it is accepted.

/** The receipt that an order becomes, with what the menu said when it was placed: nothing is checked again. */
export interface Kept {
  readonly receipt: Partial<WholeReceipt['receipt']>
  readonly terms: WholeReceipt['terms']
  readonly lines: WholeReceipt['lines']
  /** Its lines go to the stations when it is accepted, or in time where it is scheduled. */
  readonly send: boolean
  /** The longest of its lines, in minutes. */
  readonly cooking_time: number
  /** Further members that older clients send. */
  readonly sent: Readonly<Record<string, unknown>>
}

export type PlacedOrder = Omit<OrderRow, 'kept'> & { readonly kept: Kept }

export interface StoredOrder {
  body: string
  cid: string
  customer_id: string | null
  integrator_id: string | null
  content: string | null
  send_at: string | null
  kept: string
}

export const ORDER_COLUMNS = 'body, cid, customer_id, integrator_id, content, send_at, kept'

export const orderOf = ({
  body,
  cid,
  customer_id,
  integrator_id,
  content,
  send_at,
  kept,
}: StoredOrder): PlacedOrder => ({
  ...JSON.parse(body),
  cid,
  ...(customer_id !== null && { customer_id }),
  ...(integrator_id !== null && { integrator_id }),
  ...(content !== null && { content }),
  ...(send_at !== null && { send_at }),
  kept: JSON.parse(kept ?? '{}'),
})

/** Reads an order of the active venue, which nobody else then changes before this transaction is over. */
export async function lockOrder(
  context: Pick<CommandContext, 'tx' | 'brand_id' | 'caller'>,
  id: number,
): Promise<PlacedOrder> {
  const row = await orders.lock<StoredOrder>(context, id, ORDER_COLUMNS, context.caller.venue_id)
  if (!row) throw noSuchRecord()
  return orderOf(row)
}

/** The order that was placed with a uuid, in whatever venue. */
export async function findOrderByCid(
  tx: Pick<Queries, 'rows'>,
  brand_id: number,
  cid: string,
): Promise<PlacedOrder | undefined> {
  const [row] = await tx.rows<StoredOrder>(`select ${ORDER_COLUMNS} from orders where brand_id = ? and cid = ?`, [
    brand_id,
    cid.toLowerCase(),
  ])
  return row && orderOf(row)
}

const HIDDEN = new Set(['kept', 'cid', 'customer_id', 'integrator_id', 'content', 'send_at'])

/** The order as the wire has it. */
export const shownText = (order: PlacedOrder): string =>
  JSON.stringify(Object.fromEntries(Object.entries(order).filter(([name]) => !HIDDEN.has(name))))

/** From this instant on an order that nobody accepted is ignored, also where nobody has written that yet. */
export const isExpired = ({ status, expires_at }: Pick<PlacedOrder, 'status' | 'expires_at'>, now: string) =>
  status === 'PENDING' && expires_at !== undefined && expires_at <= now

/** The order as it is from that instant on, also where nobody has written that yet. */
export const asExpired = (order: PlacedOrder, now: string): PlacedOrder =>
  isExpired(order, now) ? { ...order, status: 'IGNORE', reason: 'expired' } : order

const rowOf = (order: PlacedOrder): OrderRow => ({ ...order, kept: order.kept as unknown as Record<string, unknown> })

/** Writes a new order; answers its text. */
export async function addOrder(context: CommandContext, order: PlacedOrder): Promise<string> {
  const [body] = await orders.insert(context, [rowOf(order)])
  await takeUuid(context, order.cid)
  return body!
}

/** Writes what an order is now; answers its text. */
export async function saveOrder(context: WriteContext, order: PlacedOrder): Promise<string> {
  const updated_at = laterOf(context.now, order.updated_at)
  const [body] = await orders.update(context, [rowOf({ ...order, updated_at })])
  return body!
}

/** S1: a closed receipt whose order was completed. No other transaction waits for such an order while it holds what this one needs. */
export async function deliverOrder(context: CommandContext, order_id: number): Promise<void> {
  const order = await lockOrder(context, order_id)
  if (order.status === 'RECEIVED') await saveOrder(context, { ...order, status: 'DELIVERED' })
}
