import { type CommandContext, DoneMeanwhile } from '../../resource/write/commands.ts'
import type { Terms } from '../../resources/sales/receipt-schema.ts'
import { places } from '../../storage/upsert.ts'
import { toScaled } from '../../values/values.ts'
import { balanceFor, customerBalance, isMethodUsed, useMethods } from '../money/accounts.ts'
import { book } from '../money/book.ts'
import { cashShiftFor, lockShift, moveShift, openShiftAt } from '../money/shifts.ts'
import { HISTORY, type WholeReceipt } from '../receipts/whole-receipt.ts'
import { accountedTips, postingsOfTips, type Tip, withTips } from '../tips/book-tips.ts'
import { countForCustomer } from './customer.ts'
import { besideBooked, earnedCashback, type Method, type Methods, type Payment, sumOf } from './payments.ts'
import { type AccountedPayment, type Cashback, postingsOf } from './postings.ts'

/** What staff say of the cash that they take. */
export interface Till {
  /** Where it goes, if not to the shift of the receipt's terminal (P15). */
  readonly cash_shift_id?: string | undefined
  /** What was handed back of it. It is on the paper, and in no amount. */
  readonly change?: number | undefined
}

/** The brand's payment methods with these ids. */
export async function findMethods(
  { tx, caller }: CommandContext,
  payments: readonly { id?: number }[],
): Promise<Methods> {
  const ids = [...new Set(payments.flatMap(({ id }) => id ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await tx.rows<{ body: string; used: number }>(
    `select body, ${isMethodUsed} as used from payment_methods where brand_id = ? and id in ${places(ids)}`,
    [caller.brand_id, ...ids],
  )
  const methods = rows.map(({ body, used }): Method => ({ ...JSON.parse(body), isUsed: used === 1 }))
  return new Map(methods.map((method) => [method.id, method]))
}

/**
 * The payments that a receipt shows: booked ones as they were booked, the others (of an order, of history) by their methods as they are
 * now. One whose method an import named but did not bring has no account, and is left out.
 */
export async function paymentsOf(
  context: CommandContext,
  shown: NonNullable<WholeReceipt['receipt']['payment_methods']>,
  booked: Terms['payments'] = [],
): Promise<Payment[]> {
  const both = besideBooked(shown, booked)
  const methods = await findMethods(
    context,
    both.flatMap((each) => (each.booked ? [] : each.shown)),
  )
  return both.flatMap(({ shown: { id = 0, name = '', amount = 0 }, booked: own }): Payment[] => {
    if (own) return [{ method: { id, name, kind: own.kind }, amount: own.amount, balance_id: own.balance_id }]
    const method = methods.get(id)
    return method ? [{ method, amount: toScaled(amount)! }] : []
  })
}

/**
 * S7: cashback that the customer of a receipt earns with it; `last` are its payments that are not booked yet. Undefined without a
 * customer, or if the brand gives none.
 */
export async function cashbackOf(
  context: CommandContext,
  { receipt, terms }: WholeReceipt,
  last: readonly Payment[],
): Promise<Cashback | undefined> {
  const { tx, caller } = context
  if (receipt.customer_id === undefined) return undefined
  const [brand] = await tx.rows<{ cashback_percent: number }>('select cashback_percent from brands where id = ?', [
    caller.brand_id,
  ])
  const { cashback_percent } = brand!
  if (cashback_percent === 0) return undefined
  const { payment_methods = [] } = receipt
  const earlier = await paymentsOf(
    context,
    payment_methods.slice(0, payment_methods.length - last.length),
    terms.payments,
  )
  return earnedCashback([...earlier, ...last], cashback_percent, terms.money_places)
}

interface Booking {
  readonly category: 'SALE' | 'REFUND'
  /** Negative where they are paid back. */
  readonly payments: readonly Payment[]
  readonly till: Till
  readonly cashback?: Cashback | undefined
  /** T13; negative where they are given back. */
  readonly tips?: readonly Tip[]
  /** Set if the booking ends the receipt: closed, and counted in its shift, or cancelled. */
  readonly ended?: 'closed' | 'cancelled'
}

/** The receipt with what was booked of it. */
interface Booked {
  readonly whole: WholeReceipt
  readonly cash_shift_id: string | undefined
}

/**
 * Books payments and tips: balances, then the customer, then the cash shift (P16). Returns the receipt with what was booked, and the
 * shift: cash needs one where the venue keeps them (P15), and a receipt that is closed or cancelled without cash belongs to the open one.
 */
export async function bookPayments(
  context: CommandContext,
  whole: WholeReceipt,
  { category, payments, till, cashback, tips = [], ended }: Booking,
): Promise<Booked> {
  const cash = [...payments, ...tips].filter(({ method }) => method.kind === 'CASH')
  const place = { terminal_id: whole.receipt.terminal_id, cash_shift_id: till.cash_shift_id }
  const counts = ended !== undefined || tips.length > 0
  const shift =
    cash.length > 0 ? await cashShiftFor(context, place) : counts ? await openShiftAt(context, place) : undefined
  const isClosed = ended === 'closed'
  const accounted = await withAccounts(context, whole, payments)
  const bookedTips = await accountedTips(context, whole, tips, shift?.id)
  await book(context, [
    ...postingsOf(whole, {
      category,
      payments: accounted,
      cash_shift_id: shift?.id,
      cashback: await cashbackAccount(context, whole, cashback),
    }),
    ...postingsOfTips(whole, bookedTips),
  ])
  const booked = withTips({ ...whole, terms: withBooked(whole.terms, accounted) }, bookedTips)
  if (isClosed && whole.rule !== HISTORY) await countForCustomer(context, whole)
  // P15: without cash no shift is needed, so one that was closed meanwhile does not matter.
  if (shift && cash.length === 0 && (await lockShift(context, shift.id))?.status !== 'OPEN') {
    if (bookedTips.length > 0) throw new DoneMeanwhile('the shift that the tips were booked in was closed')
    return { whole: booked, cash_shift_id: undefined }
  }
  if (shift) await moveShift(context, shift, { cash: sumOf(cash), receipts: isClosed ? 1 : 0 })
  return { whole: booked, cash_shift_id: shift?.id }
}

/** The tips that came with payments. */
export const tipsOf = (payments: readonly Payment[]): Tip[] =>
  payments.flatMap(({ method, tip }) => (tip === undefined ? [] : [{ method, amount: tip }]))

/** A payment that is paid back keeps its balance; a new one goes to the balance of its method. */
async function withAccounts(
  context: CommandContext,
  { receipt }: WholeReceipt,
  payments: readonly Payment[],
): Promise<AccountedPayment[]> {
  const customer_id = receipt.customer_id === undefined ? undefined : String(receipt.customer_id)
  const fresh = payments.filter(({ balance_id }) => balance_id === undefined)
  await useMethods(
    context,
    fresh.map(({ method }) => method),
  )
  const ofMethod = new Map<number, number>()
  // Customer balances in a fixed order, since missing ones are created: CUSTOMER, then CASHBACK (P16).
  const last = ({ method }: Payment) => Number(method.kind === 'CASHBACK')
  for (const { method } of fresh.toSorted((one, other) => last(one) - last(other)))
    if (!ofMethod.has(method.id)) ofMethod.set(method.id, await balanceFor(context, method, customer_id))
  return payments.map((payment) => ({
    ...payment,
    balance_id: payment.balance_id ?? ofMethod.get(payment.method.id)!,
  }))
}

async function cashbackAccount(context: CommandContext, { receipt }: WholeReceipt, cashback: Cashback | undefined) {
  if (!cashback || cashback.earned === 0) return undefined
  return { ...cashback, balance_id: await customerBalance(context, String(receipt.customer_id), 'CASHBACK') }
}

function withBooked(terms: Terms, payments: readonly AccountedPayment[]): Terms {
  if (payments.length === 0) return terms
  const booked = payments.map(({ method: { id, kind }, balance_id, amount }) => ({ id, kind, balance_id, amount }))
  return { ...terms, payments: [...(terms.payments ?? []), ...booked] }
}
