import type { Posting } from '../money/book.ts'
import type { Draft } from '../receipts/draft.ts'
import type { Payment } from './payments.ts'

// What payments and cashback do to balances: pure, amounts ×10,000.

/** The balances that a receipt moves. */
export interface Accounts {
  /** By payment method: the venue's account, or a balance of the customer. */
  readonly ofMethod: ReadonlyMap<number, number>
  /** Where the customer's cashback goes. */
  readonly cashback?: number
}

/** S7: `earned` of `base`, the part of the payments that earns; negative where a refund takes it back. */
export interface Cashback {
  readonly base: number
  readonly earned: number
}

interface Booked {
  readonly category: 'SALE' | 'REFUND'
  readonly payments: readonly Payment[]
  readonly accounts: Accounts
  readonly cash_shift_id?: string | undefined
  readonly cashback?: Cashback | undefined
}

/** An account gets what is paid into it; what a customer pays with goes off the customer's own balance. */
export function postingsOf(
  { receipt }: Pick<Draft, 'receipt'>,
  { category, payments, accounts, cash_shift_id, cashback }: Booked,
): Posting[] {
  const receipt_id = receipt.id
  const paid = payments.map(({ method: { id, kind }, amount }): Posting => {
    const isOwn = kind === 'CUSTOMER' || kind === 'CASHBACK'
    const ofShift = kind === 'CASH' && cash_shift_id !== undefined ? { cash_shift_id } : {}
    return {
      balance_id: accounts.ofMethod.get(id)!,
      category,
      amount: isOwn ? -amount : amount,
      receipt_id,
      ...ofShift,
    }
  })
  if (!cashback || cashback.earned === 0) return paid
  const earned = { balance_id: accounts.cashback!, amount: cashback.earned, receipt_id }
  // P19: what was earned is taken back, below 0 if need be.
  return [...paid, { ...earned, category: 'CASHBACK', ...(cashback.earned < 0 && { mayGoBelowZero: true }) }]
}
