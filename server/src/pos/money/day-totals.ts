import { amountTooLarge } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { addToDay } from '../../resources/sales/day-totals.ts'
import { HISTORY, type WholeReceipt } from '../receipts/whole-receipt.ts'

/** I11: adds a closed receipt to the totals of its day and taxes; a refund has negative amounts. History (P22) is not counted. */
export async function countInDay(
  { tx, caller }: CommandContext,
  { receipt, rule, terms }: WholeReceipt,
): Promise<void> {
  if (rule !== HISTORY && (await addToDay(tx, caller.brand_id, receipt, terms)))
    throw amountTooLarge('The total of the day')
}
