import { duplicateCid, orderNotPending, rejected } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { businessDay } from '../../values/business-day.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { OPEN } from '../../values/states.ts'
import { instantOf, toScaled } from '../../values/values.ts'
import { bookPayments, paymentsOf } from '../closing/booking.ts'
import { withPayments } from '../closing/payments.ts'
import { notBefore } from '../context.ts'
import { venueRule } from '../menu.ts'
import { sendDue } from '../receipts/kitchen.ts'
import { withRaisedStatus } from '../receipts/order-status.ts'
import { findByCid, nextNumber, saveReceipt } from '../receipts/store.ts'
import { type WholeReceipt, withTotals } from '../receipts/whole-receipt.ts'
import type { Tip } from '../tips/book-tips.ts'
import { TOTALS_RULE } from '../totals.ts'
import { isExpired, lockOrder, type PlacedOrder, saveOrder } from './store.ts'

// S1: an order that is accepted becomes an open receipt with its lines, its portions and its prepayments.

/** Staff accept an order; answers its text. Menu, hours and stop list are not checked again. */
export async function acceptOrder(context: CommandContext, id: number): Promise<string> {
  const order = await lockOrder(context, id)
  mustBePending(order, context.now)
  return saveOrder(context, await accept(context, order))
}

export function mustBePending(order: PlacedOrder, now: string): void {
  if (isExpired(order, now)) throw orderNotPending('IGNORE')
  if (order.status !== 'PENDING') throw orderNotPending(order.status)
}

/** Opens the receipt of an order; answers the order as it then is. Locks in the order of P16: balances, then the receipt's number. */
export async function accept(
  given: CommandContext,
  order: PlacedOrder,
  { isAutomatic } = { isAutomatic: false },
): Promise<PlacedOrder> {
  const context = notBefore(given, order.created_at)
  const { caller, now, ids } = context
  if (await findByCid(context, order.cid)) throw duplicateCid('receipt')
  const { kept, scheduled_at, payments = [] } = order
  // P22: it was made elsewhere, and nobody knows what its lines would take.
  if (!kept.receipt) throw rejected('This order was imported from another system: it can be refused, but not accepted.')
  const shift_date = businessDay(now, await venueRule(context))
  const opened = withTotals({
    receipt: {
      ...kept.receipt,
      id: ids.take('receipt_id'),
      venue_id: order.venue_id,
      cid: order.cid,
      user_id: caller.user.id,
      source: order.integrator, // P18
      status: OPEN,
      lock: false,
      order_status: scheduled_at === undefined ? 'NEW' : 'SCHEDULED',
      ...definedOnly({ order_number: order.order_number }),
      created_at: now,
      shift_date,
      order_id: order.id,
    },
    rule: TOTALS_RULE,
    terms: { ...kept.terms, ...(isAutomatic && { accepted_for: caller.user.id }) },
    lines: kept.lines.map(({ shown, copied }) => ({
      shown: { ...shown, id: ids.take('receipt_line_id'), user_id: caller.user.id, created_at: now, updated_at: now },
      copied,
    })),
  })
  const paid = await paymentsOf(context, payments)
  const tips = payments.flatMap(({ id, tip }): Tip[] => {
    const method = paid.find((each) => each.method.id === id)?.method
    return tip === undefined || !method ? [] : [{ method, amount: toScaled(tip)! }]
  })
  const { whole: booked } = await bookPayments(context, opened, { category: 'SALE', payments: paid, till: {}, tips })
  const send_at = kept.send ? sendAt(order, now) : undefined
  const isSent = kept.send && send_at === undefined
  const { lines } = isSent ? await sendDue(context, opened) : opened
  const whole: WholeReceipt = withRaisedStatus(withPayments({ ...booked, lines }, paid))
  const number = await nextNumber(context, shift_date)
  await saveReceipt(context, undefined, { ...whole, receipt: { ...whole.receipt, number } })
  return { ...order, status: 'RECEIVED', receipt_id: whole.receipt.id, ...definedOnly({ send_at: send_at }) }
}

const MINUTE_MS = 60_000

/** When the stations get a scheduled order, so that its longest line is ready in time; undefined: now. */
function sendAt({ scheduled_at, kept }: PlacedOrder, now: string): string | undefined {
  if (scheduled_at === undefined) return undefined
  const instant = instantOf(Date.parse(scheduled_at) - kept.cooking_time * MINUTE_MS)
  return instant <= now ? undefined : instant
}
