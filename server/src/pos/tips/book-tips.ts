import type { CommandContext } from '../../resource/write/commands.ts'
import { makeStaffBalance, staffBalance } from '../../resources/money/balance-rows.ts'
import type { BookedTip } from '../../resources/sales/receipt-schema.ts'
import { fromScaled } from '../../values/values.ts'
import type { Method } from '../closing/payments.ts'
import { balanceFor, useMethods } from '../money/accounts.ts'
import type { Posting } from '../money/book.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'

// T12, T13: a tip is in no amount of the receipt. It is money of the house by the method that brought it, and owed to who gets it.

/** A tip that is given, or given back; `amount` is ×10,000 and negative then. */
export interface Tip {
  readonly method: Method
  readonly amount: number
  /** The person who gets it, where that is said. */
  readonly user_id?: number | undefined
  /** Where it was booked, to which it goes back. */
  readonly booked?: Pick<BookedTip, 'balance_id' | 'staff_balance_id'>
}

/** Finds the balances of tips, made at the first tip if missing. */
export async function accountedTips(
  context: CommandContext,
  whole: WholeReceipt,
  tips: readonly Tip[],
  cash_shift_id: string | undefined,
): Promise<BookedTip[]> {
  const accounted: BookedTip[] = []
  for (const { method, amount, user_id, booked } of tips) {
    const { id, name, kind } = method
    if (kind === 'CUSTOMER' || kind === 'CASHBACK') throw new Error(`a tip by method ${id} of kind ${kind}`) // it was refused
    if (!booked) await useMethods(context, [method])
    accounted.push({
      id,
      name,
      kind,
      balance_id: booked?.balance_id ?? (await balanceFor(context, method, undefined)),
      staff_balance_id: booked?.staff_balance_id ?? (await balanceOfWaiter(context, whole, user_id)),
      amount,
      at: context.now,
      ...(cash_shift_id !== undefined && { cash_shift_id }),
    })
  }
  return accounted
}

/** Two postings for each: what the house has, and whom it owes it to. */
export const postingsOfTips = ({ receipt }: WholeReceipt, tips: readonly BookedTip[]): Posting[] =>
  tips.flatMap(({ balance_id, staff_balance_id, amount, cash_shift_id }) => {
    const common = {
      category: 'TIP',
      amount,
      receipt_id: receipt.id,
      ...(cash_shift_id !== undefined && { cash_shift_id }),
    } as const
    return [
      { ...common, balance_id },
      { ...common, balance_id: staff_balance_id },
    ]
  })

/** The receipt with these tips beside those that it had. */
export function withTips(whole: WholeReceipt, tips: readonly BookedTip[]): WholeReceipt {
  if (tips.length === 0) return whole
  const all = [...(whole.terms.tips ?? []), ...tips]
  const tip = fromScaled(all.reduce((sum, { amount }) => sum + amount, 0))
  return { ...whole, receipt: { ...whole.receipt, tip }, terms: { ...whole.terms, tips: all } }
}

/** What is left of tips by method and account, in the order in which they were given. */
export function tipsLeft(tips: readonly BookedTip[]): BookedTip[] {
  const left = new Map<string, BookedTip>()
  for (const tip of tips) {
    const key = `${tip.id} ${tip.balance_id} ${tip.staff_balance_id}`
    const known = left.get(key)
    left.set(key, known ? { ...known, amount: known.amount + tip.amount } : tip)
  }
  return [...left.values()].filter(({ amount }) => amount > 0)
}

/** T15: gives back an amount of tips, by the methods and from the balances that got them. */
export function tipsBack(left: readonly BookedTip[], amount: number): Tip[] {
  let rest = amount
  return left.flatMap((tip): Tip[] => {
    const back = Math.min(tip.amount, rest)
    if (back <= 0) return []
    rest -= back
    return [{ method: { id: tip.id, name: tip.name, kind: tip.kind, isUsed: true }, amount: -back, booked: tip }]
  })
}

/** T13: the balance of the person named, else of the receipt's waiter; the pool where the venue says so, or nobody served. */
async function balanceOfWaiter(
  context: CommandContext,
  { receipt, terms }: WholeReceipt,
  named: number | undefined,
): Promise<number> {
  const { venue_id } = context.caller
  const waiter = receipt.user_id === terms.accepted_for ? undefined : receipt.user_id
  const user_id = (await goToWaiters(context)) ? (named ?? waiter) : undefined
  return staffBalanceOf(context, { user_id, venue_id })
}

async function goToWaiters({ tx, caller }: CommandContext): Promise<boolean> {
  const settings = await tx.text('select settings from venues where brand_id = ? and id = ?', [
    caller.brand_id,
    caller.venue_id,
  ])
  return (JSON.parse(settings!) as { tips?: string }).tips !== 'pool'
}

async function staffBalanceOf(
  context: CommandContext,
  owner: { user_id: number | undefined; venue_id: number },
): Promise<number> {
  const found = await staffBalance(context, owner)
  if (found !== undefined) return found
  const { tx, brand_id, ids } = context
  const { user_id, venue_id } = owner
  const name =
    user_id === undefined
      ? undefined
      : await tx.text('select name from users where brand_id = ? and id = ?', [brand_id, user_id])
  const id = ids.take('balance_id')
  const isMade = await makeStaffBalance(context, {
    id,
    name: name ?? 'Tips',
    type: 'STAFF',
    ...(user_id === undefined ? { venue_id } : { user_id }),
    position: 0,
  })
  return isMade ? id : (await staffBalance(context, owner))!
}
