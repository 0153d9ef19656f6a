import type { CommandContext } from '../../resource/write/commands.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { notBefore } from '../context.ts'
import { isVoid } from '../receipts/line.ts'
import { saveReceipt } from '../receipts/store.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'
import { moveStock } from '../stock/move.ts'
import { keepPortions } from '../stop-list/portions.ts'
import { tipsBack, tipsLeft } from '../tips/book-tips.ts'
import { bookPayments, paymentsOf, type Till } from './booking.ts'
import { takenMovements } from './movements.ts'
import { sumOf } from './payments.ts'

/** S2: what was made of a cancelled receipt and is lost leaves the stock, and what was paid goes back to where it was booked. */
export async function bookCancelled(
  given: CommandContext,
  before: WholeReceipt,
  after: WholeReceipt,
  till: Till,
): Promise<WholeReceipt> {
  const context = notBefore(given, before.receipt.created_at)
  const alive = new Set(before.lines.filter((line) => !isVoid(line)).map(({ shown }) => shown.id))
  const lost = after.lines.filter(({ shown, copied }) => copied.waste && alive.has(shown.id))
  await keepPortions(context, before, after)
  await moveStock(context, takenMovements(after, lost))
  const paid = await paymentsOf(context, before.receipt.payment_methods ?? [], before.terms.payments)
  const payments = paid.flatMap((payment) => (payment.amount === 0 ? [] : { ...payment, amount: -payment.amount }))
  const left = tipsLeft(before.terms.tips ?? [])
  const { whole, cash_shift_id } = await bookPayments(context, after, {
    category: 'REFUND',
    payments,
    till,
    tips: tipsBack(left, sumOf(left)),
    ended: 'cancelled',
  })
  return saveReceipt(context, before, {
    ...whole,
    receipt: { ...whole.receipt, ...definedOnly({ cash_shift_id }) },
  })
}
