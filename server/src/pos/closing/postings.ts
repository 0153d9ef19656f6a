import type { Posting } from '../money/book.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'
import type { Payment } from './payments.ts'

// What payments and cashback do to balances: pure, amounts ×10,000.

/** A payment with the balance that it moves: the venue's account, or the customer's own. */
export type AccountedPayment = Payment & { readonly balance_id: number }

/** S7: `earned` of `base`, the part of the payments that earns; negative where a refund takes it back. */
export interface Cashback {
  readonly base: number
  readonly earned: number
}

interface Booked {
  readonly category: 'SALE' | 'REFUND'
  readonly payments: readonly AccountedPayment[]
  readonly cash_shift_id?: string | undefined
  /** With the balance that it goes to. */
  readonly cashback?: (Cashback & { readonly balance_id: number }) | undefined
}

/** An account gets what is paid into it; what a customer pays with goes off the customer's own balance. */
export function postingsOf(
  { receipt }: Pick<WholeReceipt, 'receipt'>,
  { category, payments, cash_shift_id, cashback }: Booked,
): Posting[] {
  const receipt_id = receipt.id
  const paid = payments.map(({ method: { kind }, amount, balance_id }): Posting => {
    const isOwn = kind === 'CUSTOMER' || kind === 'CASHBACK'
    const ofShift = kind === 'CASH' && cash_shift_id !== undefined ? { cash_shift_id } : {}
    return {
      balance_id,
      category,
      amount: isOwn ? -amount : amount,
      receipt_id,
      ...ofShift,
    }
  })
  if (!cashback) return paid
  const earned = { balance_id: cashback.balance_id, amount: cashback.earned, receipt_id }
  // P19: what was earned is taken back, below 0 if need be.
  return [...paid, { ...earned, category: 'CASHBACK', ...(cashback.earned < 0 && { mayGoBelowZero: true }) }]
}
