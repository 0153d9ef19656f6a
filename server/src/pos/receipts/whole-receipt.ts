import {
  type FieldProblem,
  fieldProblem,
  overpaid,
  receiptCancelled,
  receiptClosed,
  receiptIsHistory,
  receiptLocked,
} from '../../http/errors.ts'
import type { ReceiptDetails, Terms } from '../../resources/sales/receipt-schema.ts'
import type { Receipt } from '../../resources/sales/receipts.ts'
import { CANCELLED, CLOSED } from '../../values/states.ts'
import { fromScaled, laterOf, toScaled } from '../../values/values.ts'
import { AmountTooLarge, type Bill, type LineTotals, totalsOf } from '../totals.ts'
import { billLine, isVoid, type Line, refuse, voided } from './line.ts'

// A receipt with its lines, as commands work on it.

/** P22: the rule version of imported history. */
export const HISTORY = 0

export interface WholeReceipt {
  readonly receipt: Receipt & ReceiptDetails
  /** P12: 0 for imported history, whose amounts stay as they are. */
  readonly rule: number
  readonly terms: Terms
  readonly lines: readonly Line[]
}

export const billOf = ({ receipt, terms, lines }: WholeReceipt): Bill => ({
  money_places: terms.money_places,
  lines: lines.filter((line) => !isVoid(line)).map(billLine),
  discount_type: receipt.discount_type ?? 0,
  discount_value: toScaled(receipt.discount_value ?? 0)!,
  service_charge: toScaled(receipt.service_charge ?? 0)!,
  delivery_fee: toScaled(receipt.delivery_fee ?? 0)!,
  charge_tax: terms.charge_tax,
})

/** The receipt with the amounts of P11 on the receipt and its lines. Refused where more was paid than it now costs (S2). */
export function withTotals(whole: WholeReceipt): WholeReceipt {
  const amounts = amountsOf(whole)
  const { total } = amounts.receipt
  const { paid = 0 } = whole.receipt
  if (paid > total) throw overpaid(paid, total)
  return {
    ...whole,
    receipt: {
      ...whole.receipt,
      ...amounts.receipt,
      remaining: whole.receipt.status === CANCELLED ? 0 : fromScaled(toScaled(total)! - toScaled(paid)!), // nobody pays a cancelled one's fee
    },
    terms: withTaxesIncluded(whole.terms, amounts.taxes_included),
    lines: whole.lines.map((line, index) => ({ ...line, shown: { ...line.shown, ...amounts.lines[index] } })),
  }
}

/** The terms of a receipt with these taxes, in the order in which it shows them. */
export function withTaxesIncluded(terms: Terms, included: readonly boolean[]): Terms {
  const { taxes_included: _, ...others } = terms
  return included.length === 0 ? others : { ...terms, taxes_included: [...included] }
}

/** P11, as the wire has it: the amounts of the receipt and of each of its lines. */
export function amountsOf(whole: WholeReceipt) {
  const totals = made(whole)
  const ofLine = new Map(totals.lines.map((line) => [line.id, line]))
  return {
    receipt: {
      total: fromScaled(totals.total),
      subtotal: fromScaled(totals.subtotal),
      total_discount: fromScaled(totals.total_discount),
      service_charge_value: fromScaled(totals.service_charge_value),
      i_tax: fromScaled(totals.i_tax),
      e_tax: fromScaled(totals.e_tax),
      total_tax: fromScaled(totals.total_tax),
      taxes: totals.taxes.map(({ id, name, rate, base, amount }) => ({
        id,
        name,
        rate: fromScaled(rate),
        base: fromScaled(base),
        amount: fromScaled(amount),
      })),
    },
    taxes_included: totals.taxes.map(({ included }) => included),
    lines: whole.lines.map((line) => lineAmounts(line, ofLine.get(line.shown.id))),
  }
}

/** A void line has no totals: it costs nothing. */
const lineAmounts = ({ shown }: Line, totals: LineTotals | undefined) => ({
  subtotal: fromScaled(totals?.subtotal ?? 0),
  total_discount: fromScaled(totals?.total_discount ?? 0),
  receipt_discount: fromScaled(totals?.receipt_discount ?? 0),
  total: fromScaled(totals?.total ?? 0),
  modifiers: shown.modifiers.map((each, index) => ({ ...each, total: fromScaled(totals?.modifiers[index] ?? 0) })),
  taxes: (totals?.taxes ?? []).map(({ id, amount }) => ({ id, amount: fromScaled(amount) })),
})

function made(whole: WholeReceipt) {
  try {
    return totalsOf(billOf(whole))
  } catch (error) {
    if (!(error instanceof AmountTooLarge)) throw error
    const fault: FieldProblem = { field: 'body', rule: 'maximum', message: 'The total must be at most 10^11.' }
    throw refuse([fault])
  }
}

/** S2: nothing is done to a cancelled receipt, and a closed one keeps its money and lines. */
export function mustBeOpen({ receipt }: WholeReceipt): void {
  if (receipt.status === CANCELLED) throw receiptCancelled()
  if (receipt.status === CLOSED) throw receiptClosed(receipt.closed_at)
}

interface Named {
  readonly id?: number | undefined
  readonly cid?: string | undefined
}

/** Older clients repeat the id and cid in the body. */
export function refuseAnother({ receipt }: WholeReceipt, { id, cid }: Named): void {
  const fault = (field: string) => fieldProblem(field, 'same', 'must be the receipt’s own')
  refuse([
    ...(id !== undefined && id !== receipt.id ? [fault('id')] : []),
    ...(cid !== undefined && cid.toLowerCase() !== receipt.cid?.toLowerCase() ? [fault('cid')] : []),
  ])
}

/** P22: the lines of imported history are only shown. */
export function mustNotBeHistory({ rule }: WholeReceipt): void {
  if (rule === HISTORY) throw receiptIsHistory()
}

/** S2: where lines and amounts may change. */
export function mustBeEditable(whole: WholeReceipt): void {
  mustBeOpen(whole)
  mustNotBeHistory(whole)
  if (whole.receipt.lock) throw receiptLocked()
}

/** S2: all lines are void, what was sent goes back to stock or is waste, and what was paid is paid back by the same methods. */
export function cancelled(whole: WholeReceipt, { waste }: { waste: boolean }, now: string): WholeReceipt {
  const { payment_methods = [] } = whole.receipt
  const back = payment_methods.flatMap(({ amount = 0, ...method }) =>
    amount === 0 ? [] : [{ ...method, amount: -amount }],
  )
  const after: WholeReceipt = {
    ...whole,
    receipt: {
      ...whole.receipt,
      status: CANCELLED,
      order_status: 'CANCELLED',
      deleted_at: laterOf(now, whole.receipt.created_at),
      ...(back.length > 0 && { payment_methods: [...payment_methods, ...back] }),
      paid: 0,
      remaining: 0,
    },
    lines: whole.lines.map((line) => voided(line, waste)),
  }
  if (whole.rule === HISTORY) return after // its total stays
  return withTotals({ ...after, terms: { ...after.terms, cancelled_total: toScaled(whole.receipt.total ?? 0)! } })
}
