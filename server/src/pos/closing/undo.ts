import type { CommandContext } from '../context.ts'
import type { Draft } from '../receipts/draft.ts'
import { isVoid } from '../receipts/line.ts'
import { saveReceipt } from '../receipts/store.ts'
import { moveStock } from '../stock/move.ts'
import { keepPortions } from '../stop-list/portions.ts'
import { bookPayments, paymentsOf, type Till } from './booking.ts'
import { takenMovements } from './movements.ts'

/** S2: what was made of a cancelled receipt and is lost leaves the stock, and what was paid goes back by the same methods. */
export async function bookCancelled(context: CommandContext, before: Draft, after: Draft, till: Till): Promise<Draft> {
  const alive = new Set(before.lines.filter((line) => !isVoid(line)).map(({ shown }) => shown.id))
  const lost = after.lines.filter(({ shown, copied }) => copied.waste && alive.has(shown.id))
  await keepPortions(context, before, after)
  await moveStock(context, takenMovements(after, lost))
  const back = (after.receipt.payment_methods ?? []).slice(before.receipt.payment_methods?.length ?? 0)
  const payments = await paymentsOf(context, back)
  const shift = await bookPayments(context, after, { category: 'REFUND', payments, till, ended: 'cancelled' })
  return saveReceipt(context, before, {
    ...after,
    receipt: { ...after.receipt, ...(shift && { cash_shift_id: shift }) },
  })
}
