import Type, { type Static } from 'typebox'
import type { IfMatch } from '../../http/if-match.ts'
import { Maybe } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { lockReceipt, saveReceipt } from '../receipts/store.ts'
import { mustBeOpen, type WholeReceipt } from '../receipts/whole-receipt.ts'
import { bookPayments, findMethods, tipsOf } from './booking.ts'
import { NewPayment, readPayments, refuseOtherPart, withPayments } from './payments.ts'

export const PartPayment = Type.Object(
  {
    payment_methods: Type.Array(NewPayment),
    cash_shift_id: Maybe(Type.String({ format: 'uuid' })),
  },
  { $id: 'PartPayment', additionalProperties: false },
)
export type PartPayment = Static<typeof PartPayment>

/** S2: a part of what remains is paid; the receipt stays open. */
export async function payPart(
  context: CommandContext,
  id: number,
  { payment_methods, ...till }: PartPayment,
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const before = await lockReceipt(context, id, ifMatch)
  mustBeOpen(before)
  const payments = readPayments(payment_methods, before, await findMethods(context, payment_methods))
  refuseOtherPart(before, payments)
  const tips = tipsOf(payments)
  const { whole } = await bookPayments(context, before, { category: 'SALE', payments, till, tips })
  return saveReceipt(context, before, withPayments(whole, payments))
}
