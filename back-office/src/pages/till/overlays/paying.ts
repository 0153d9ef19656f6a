import type { PaymentMethod } from '../../../../../server/src/resources/money/payment-methods.ts'
import { definedOnly } from '../../../../../server/src/values/defined-only.ts'
import { CLOSED } from '../../../../../server/src/values/states.ts'
import { tillTexts } from '../../../texts/screens/till.ts'
import { isTooMuch, minus, pressed, readAmount, type Share, scaled, shareLabel, shareOf, sum } from '../money.ts'
import type { Bill, Receipt } from '../receipt.ts'

// Paying, without a screen and without a network: what was pressed and answered makes the next state.

/** What is paid in one go. Without a method: a receipt of which nothing is due is closed. */
export interface Payment {
  readonly method?: PaymentMethod
  readonly amount: number
  readonly change: number
  readonly tip?: number
  /** T8: the label of the share that it pays. */
  readonly share?: string
}

export interface Paying {
  /** The receipt as it was when the amount was shown; after a refusal the live one, until a button is pressed. */
  readonly frozen?: Bill | undefined
  readonly typed: string
  /** Whether a button filled in what is typed: the next key begins another amount. */
  readonly isPreset: boolean
  readonly share?: Share
  /** T12: what is typed as a tip, and whether a large one was pressed once already. */
  readonly tip?: string | undefined
  readonly isTipSure?: boolean | undefined
  readonly label?: string | undefined
  readonly problem?: string | undefined
  /** A method that was pressed while lines were still being sent. */
  readonly wanted?: { readonly method: PaymentMethod; readonly due: number } | undefined
  /** Sent, and not answered yet. */
  readonly sending?: Payment | undefined
  /** The last payment that was booked. */
  readonly done?:
    | { readonly amount: number; readonly change: number; readonly isClosed: boolean; readonly at: number }
    | undefined
}

/** What the till knows meanwhile. */
export interface Around {
  readonly bill: Bill
  readonly places: number
  readonly online: boolean
}

/** A button that was pressed, or an answer that came. */
export type PayEvent =
  | { readonly is: 'press'; readonly key: string }
  | { readonly is: 'exact' }
  | { readonly is: 'preset'; readonly amount: number }
  | { readonly is: 'split'; readonly parts: number }
  | { readonly is: 'tip'; readonly typed: string }
  /** A share that the server made. */
  | { readonly is: 'share'; readonly label: string; readonly amount: number }
  | { readonly is: 'method'; readonly method: PaymentMethod }
  | { readonly is: 'close' }
  /** The server has answered everything that was done to the receipt before. */
  | { readonly is: 'answered' }
  | { readonly is: 'paid'; readonly payment: Payment; readonly receipt: Pick<Receipt, 'status'>; readonly at: number }
  /** `isStale`: the receipt is no longer the one that was seen. */
  | { readonly is: 'refused'; readonly problem: string; readonly isStale: boolean }

export const beginPaying = (bill: Bill): Paying => ({
  typed: '',
  isPreset: false,
  frozen: bill.isWaiting ? undefined : bill,
})

/** The amounts that the screen shows. `change` below 0 is still to be paid: the tip is taken of what is given above what is due. */
export function amountsOf({ frozen, typed, tip }: Paying, bill: Bill) {
  const seen = frozen ?? bill
  const due = seen.remaining
  const given = typed === '' ? due : (readAmount(typed) ?? 0)
  const tips = tip ? (readAmount(tip) ?? 0) : 0
  return { seen, due, given, change: scaled(given) > scaled(due) ? minus(minus(given, due), tips) : minus(given, due) }
}

export function pay(state: Paying, action: PayEvent & Around): Paying {
  const { bill, places } = action
  const { seen, due } = amountsOf(state, bill)
  switch (action.is) {
    case 'press':
      return {
        ...state,
        typed: pressed(state.isPreset ? '' : state.typed, action.key, places),
        isPreset: false,
        label: undefined,
      }
    case 'exact':
      return { ...state, typed: '', label: undefined }
    case 'preset':
      return { ...preset(state, action.amount), label: undefined }
    case 'split': {
      const share = shareOf(seen, action.parts, places, state.share)
      return { ...preset({ ...state, share }, Math.min(share.amount, due)), label: shareLabel(share, due) }
    }
    case 'tip':
      return { ...state, tip: action.typed, isTipSure: false, problem: undefined }
    case 'share':
      return { ...preset(state, Math.min(action.amount, due)), label: action.label }
    case 'method':
      return payBy(state, action.method, action)
    case 'close':
      return state.sending || bill.isWaiting || !action.online ? state : { ...state, sending: { amount: 0, change: 0 } }
    case 'answered': {
      // While the server is away nothing is paid: what was pressed waits, as while lines are being sent.
      if (state.sending || state.done || (state.wanted && !action.online)) return state
      const { wanted, ...settled } = { ...state, frozen: bill }
      if (!wanted) return settled
      return scaled(wanted.due) === scaled(bill.remaining)
        ? payBy(settled, wanted.method, action)
        : { ...settled, problem: tillTexts.amountChanged }
    }
    case 'paid': {
      const { amount, change } = action.payment
      const paid = sum(seen.paid, amount)
      return {
        ...state,
        typed: '',
        tip: undefined,
        isTipSure: undefined,
        label: undefined,
        problem: undefined,
        sending: undefined,
        done: { amount, change, isClosed: action.receipt.status === CLOSED, at: action.at },
        frozen: { ...seen, paid, remaining: minus(seen.total, paid), version: seen.version + 1 },
      }
    }
    case 'refused':
      return {
        ...state,
        sending: undefined,
        problem: action.problem,
        frozen: action.isStale ? undefined : state.frozen,
      }
  }
}

const preset = (state: Paying, amount: number): Paying => ({ ...state, typed: String(amount), isPreset: true })

/** Pays what is typed, or says why not. While lines are still being sent the method is remembered. */
function payBy(state: Paying, method: PaymentMethod, { bill, online }: Around): Paying {
  const { seen, due, given, change } = amountsOf(state, bill)
  if (state.sending || !online) return state
  if (bill.isWaiting) return { ...state, wanted: { method, due } }
  const isMore = scaled(given) > scaled(due)
  if (given <= 0) return { ...state, problem: tillTexts.noAmount }
  if (isMore && method.kind !== 'CASH') return { ...state, problem: tillTexts.noChange }
  if (isTooMuch(given, due)) return { ...state, problem: tillTexts.tooMuch }
  const tip = state.tip ? (readAmount(state.tip) ?? Number.NaN) : 0
  if (Number.isNaN(tip)) return { ...state, problem: tillTexts.wrongTip }
  if (tip > 0 && (method.kind === 'CUSTOMER' || method.kind === 'CASHBACK'))
    return { ...state, problem: tillTexts.noTipByBalance }
  if (isMore && change < 0) return { ...state, problem: tillTexts.tooLittleForTip }
  if (scaled(tip) * 2 > scaled(seen.total) && !state.isTipSure)
    return { ...state, isTipSure: true, problem: tillTexts.tipIsLarge }
  const more = {
    ...(tip > 0 && { tip }),
    ...(state.label !== undefined && { share: state.label }),
  }
  const sending = { method, amount: isMore ? due : given, change: isMore ? change : 0, ...more }
  return { ...state, problem: undefined, done: undefined, frozen: seen, sending }
}

/** The request that books a payment: the last one closes the receipt, and says which total the guest was shown. */
export function paymentRequest(
  { method, amount, change, tip, share }: Payment,
  { seen, due }: ReturnType<typeof amountsOf>,
) {
  const payment_methods = method ? [{ id: method.id, amount, ...definedOnly({ tip, share }) }] : []
  return scaled(amount) === scaled(due)
    ? {
        path: `/receipts/${seen.id}/close`,
        body: { payment_methods, total: seen.total, ...(change > 0 && { change }) },
      }
    : { path: `/receipts/${seen.id}/payments`, body: { payment_methods } }
}

/**
 * The version that a payment is for. A step in the kitchen raises it and changes no amount, which is no reason to refuse a payment;
 * an amount that changed is.
 */
export const versionFor = (bill: Bill, seen: Bill): number =>
  bill.total === seen.total && bill.remaining === seen.remaining ? bill.version : seen.version
