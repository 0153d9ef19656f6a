import { notYourOrder, receiptCancelled, receiptClosed, receiptInKitchen } from '../../http/errors.ts'
import type { IfMatch } from '../../http/if-match.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { CANCELLED, CLOSED, type LineState } from '../../values/states.ts'
import { saveOrClose } from '../closing/close.ts'
import { bookCancelled } from '../closing/undo.ts'
import { type OrderStatus, withOrderStatus } from './order-status.ts'
import { lockReceipt } from './store.ts'
import { cancelled, refuseAnother, type WholeReceipt } from './whole-receipt.ts'

/** S2: what an integrator, or staff, writes on an open or closed receipt. It moves no line and no money. */
export interface Labels {
  readonly order_status?: OrderStatus
  readonly order_number?: string
  readonly fiscal_id?: string
  readonly lock?: boolean
}

export async function labelReceipt(
  context: CommandContext,
  id: number,
  { order_status, order_number, fiscal_id, lock }: Labels,
  named: { id?: number | undefined; cid?: string | undefined },
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const before = await lockReceipt(context, id, ifMatch)
  refuseAnother(before, named)
  if (before.receipt.status === CANCELLED) throw receiptCancelled()
  if (before.receipt.status === CLOSED && lock === false) throw receiptClosed(before.receipt.closed_at)
  const moved = withStatus(context, before, order_status)
  const after: WholeReceipt = {
    ...moved,
    receipt: {
      ...moved.receipt,
      ...definedOnly({ order_number, fiscal_id, lock }),
    },
  }
  return after.receipt.status === CANCELLED
    ? bookCancelled(context, before, after, {})
    : saveOrClose(context, before, after)
}

function withStatus(
  context: CommandContext,
  before: WholeReceipt,
  order_status: OrderStatus | undefined,
): WholeReceipt {
  if (order_status === undefined) return before
  if (order_status === 'CANCELLED') return cancelledByOwner(context, before)
  return { ...before, receipt: withOrderStatus(before.receipt, order_status) }
}

/** S2: an integrator cancels the receipt of an order of its own, while no station has begun. A line without a ticket is nobody's work. */
function cancelledByOwner(context: CommandContext, before: WholeReceipt): WholeReceipt {
  const { receipt, lines } = before
  if (receipt.status === CLOSED) throw receiptClosed(receipt.closed_at)
  if (!isOfOwnOrder(context, before)) throw notYourOrder()
  if (lines.some(({ shown, copied }) => copied.ticket_id !== undefined && BEGUN.has(shown.state)))
    throw receiptInKitchen()
  return cancelled(before, { waste: false }, context.now)
}

const BEGUN: ReadonlySet<LineState> = new Set(['COOKING', 'READY', 'SERVED'])

/** An order's receipt says who placed it. */
const isOfOwnOrder = ({ caller }: CommandContext, { terms }: WholeReceipt) =>
  terms.integrator_id === caller.integrator_id
