import { orderStatusBehind } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import type { Receipt } from '../../resources/sales/receipts.ts'
import { CLOSED } from '../../values/states.ts'
import { saleKind } from '../menu.ts'
import { isVoid, type Line } from './line.ts'
import type { WholeReceipt } from './whole-receipt.ts'

// S3: the status of an order only moves forward.

export type OrderStatus = NonNullable<Receipt['order_status']>

const PLACES: Readonly<Record<OrderStatus, number>> = {
  NEW: 0,
  SCHEDULED: 0,
  IN_PROGRESS: 1,
  READY: 2,
  PICKED_UP: 3,
  COMPLETED: 4,
  CANCELLED: 5, // not reached by moving: cancelling is an operation of its own
}

/** The receipt with the new status, if it may move there. Setting the current one (NEW by default) changes nothing. */
export function withOrderStatus(receipt: WholeReceipt['receipt'], status: OrderStatus): WholeReceipt['receipt'] {
  const { order_status = 'NEW' } = receipt
  if (status === order_status) return receipt
  if (PLACES[status] <= PLACES[order_status]) throw orderStatusBehind(order_status)
  return { ...receipt, order_status: status }
}

const isDone = ({ shown }: Line) => shown.state === 'READY' || shown.state === 'SERVED'

/** What the kitchen makes of it: in progress with the first line that cooks, or has been cooked, ready with the last one that is. */
function raisedOrderStatus({ receipt, lines }: WholeReceipt): OrderStatus | undefined {
  const sold = lines.filter((line) => !isVoid(line))
  // A line that no station makes is ready as soon as it is sent: nothing has begun with it.
  const hasBegun = (line: Line) =>
    line.copied.ticket_id !== undefined && (line.shown.state === 'COOKING' || isDone(line))
  const reached: OrderStatus =
    sold.length > 0 && sold.every(isDone) ? 'READY' : sold.some(hasBegun) ? 'IN_PROGRESS' : 'NEW'
  return PLACES[reached] > PLACES[receipt.order_status ?? 'NEW'] ? reached : receipt.order_status
}

/** S3: what happens to lines only raises the order's status. */
export function withRaisedStatus(whole: WholeReceipt): WholeReceipt {
  const order_status = raisedOrderStatus(whole)
  return order_status === undefined || order_status === whole.receipt.order_status
    ? whole
    : { ...whole, receipt: { ...whole.receipt, order_status } }
}

/** S3: a sale that nobody delivers is over when it is paid and everything is ready. Any other is completed by a label. */
export async function completedWhenReady(context: CommandContext, whole: WholeReceipt): Promise<WholeReceipt> {
  const { status, sale_type_id, order_status = 'NEW' } = whole.receipt
  const isReady = whole.lines.every((line) => isVoid(line) || isDone(line))
  if (status !== CLOSED || sale_type_id === undefined || !isReady || order_status === 'COMPLETED') return whole
  const kind = await saleKind(context, sale_type_id)
  if (kind !== 'IN' && kind !== 'TAKEAWAY') return whole
  return { ...whole, receipt: { ...whole.receipt, order_status: 'COMPLETED' } }
}
