import { fromScaled, toScaled } from '../../values/values.ts'
import type { Line } from '../receipts/line.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'
import type { GivenBack, RefundAmounts } from './given-back.ts'

// What refunds gave back, read from the receipts that they are, and their amounts as a receipt shows them.

/** What these refunds of one receipt gave back, together. */
export function givenBackBy(refunds: readonly WholeReceipt[]): GivenBack {
  const counts = new Map<number, number>()
  for (const { shown, copied } of refunds.flatMap(({ lines }) => lines))
    counts.set(copied.refunds!, (counts.get(copied.refunds!) ?? 0) - toScaled(shown.count)!)
  return { counts, delivery_fee: refunds.some(({ receipt }) => (receipt.delivery_fee ?? 0) !== 0) }
}

/** What earlier refunds had given back when this one was made. */
export function givenBackBefore({ terms }: WholeReceipt): GivenBack {
  const { counts = [], delivery_fee = false } = terms.given_back ?? {}
  return { counts: new Map(counts.map(({ id, count }) => [id, count])), delivery_fee }
}

/** What two states give back together. */
export function together(one: GivenBack, other: GivenBack): GivenBack {
  const counts = new Map(one.counts)
  for (const [id, count] of other.counts) counts.set(id, (counts.get(id) ?? 0) + count)
  return { counts, delivery_fee: one.delivery_fee || other.delivery_fee }
}

export const shownAmounts = (amounts: RefundAmounts) => ({
  total: fromScaled(amounts.total),
  subtotal: fromScaled(amounts.subtotal),
  delivery_fee: fromScaled(amounts.delivery_fee),
  total_discount: fromScaled(amounts.total_discount),
  service_charge_value: fromScaled(amounts.service_charge_value),
  i_tax: fromScaled(amounts.i_tax),
  e_tax: fromScaled(amounts.e_tax),
  total_tax: fromScaled(amounts.total_tax),
  taxes: amounts.taxes.map(({ id, name, rate, base, amount }) => ({
    id,
    name,
    rate: fromScaled(rate),
    base: fromScaled(base),
    amount: fromScaled(amount),
  })),
})

export const shownLineAmounts = ({ shown }: Line, amounts: RefundAmounts['lines'][number]) => ({
  count: fromScaled(amounts.count),
  subtotal: fromScaled(amounts.subtotal),
  total_discount: fromScaled(amounts.total_discount),
  receipt_discount: fromScaled(amounts.receipt_discount),
  total: fromScaled(amounts.total),
  modifiers: shown.modifiers.map((each, index) => ({ ...each, total: fromScaled(amounts.modifiers[index]!) })),
  taxes: amounts.taxes.map((tax) => ({ id: tax.id, amount: fromScaled(tax.amount) })),
})
