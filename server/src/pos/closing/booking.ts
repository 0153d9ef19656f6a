import { places } from '../../storage/upsert.ts'
import { toScaled } from '../../values/values.ts'
import type { CommandContext } from '../context.ts'
import { balanceFor, customerBalance } from '../money/accounts.ts'
import { book } from '../money/book.ts'
import { cashShiftFor, lockShift, moveShift, openShiftAt } from '../money/shifts.ts'
import { type Draft, HISTORY } from '../receipts/draft.ts'
import { countForCustomer } from './customer.ts'
import { earnedCashback, type Method, type Methods, type Payment, sumOf } from './payments.ts'
import { type Accounts, type Cashback, postingsOf } from './postings.ts'

/** Where the cash of staff goes, if not to the shift of the receipt's terminal (P15). */
export interface Till {
  readonly cash_shift_id?: string | undefined
}

/** The payment methods of these ids that the brand has. */
export async function findMethods({ tx, caller }: CommandContext, asked: readonly { id?: number }[]): Promise<Methods> {
  const ids = [...new Set(asked.flatMap(({ id }) => id ?? []))]
  if (ids.length === 0) return new Map()
  const bodies = await tx.texts(`select body from payment_methods where brand_id = ? and id in ${places(ids)}`, [
    caller.brand_id,
    ...ids,
  ])
  return new Map(bodies.map((body) => JSON.parse(body) as Method).map((method) => [method.id, method]))
}

/** What a receipt shows of its payments, with their methods; one that an import named and did not bring has no account. */
export async function paymentsOf(
  context: CommandContext,
  shown: NonNullable<Draft['receipt']['payment_methods']>,
): Promise<Payment[]> {
  const methods = await findMethods(context, shown)
  return shown.flatMap(({ id = 0, amount = 0 }) => {
    const method = methods.get(id)
    return method ? [{ method, amount: toScaled(amount)! }] : []
  })
}

/** S7: what the customer of a receipt earns with it; none without a customer, or where the brand gives none. */
export async function cashbackOf(context: CommandContext, { receipt, terms }: Draft): Promise<Cashback | undefined> {
  const { tx, caller } = context
  if (receipt.customer_id === undefined) return undefined
  const [brand] = await tx.rows<{ cashback_percent: number }>('select cashback_percent from brands where id = ?', [
    caller.brand_id,
  ])
  const { cashback_percent } = brand!
  if (cashback_percent === 0) return undefined
  return earnedCashback(await paymentsOf(context, receipt.payment_methods ?? []), cashback_percent, terms.money_places)
}

interface Booking {
  readonly category: 'SALE' | 'REFUND'
  /** Negative where they are paid back. */
  readonly payments: readonly Payment[]
  readonly till: Till
  readonly cashback?: Cashback | undefined
  /** Whether the receipt is over with it: closed, and counted in its shift, or cancelled. */
  readonly ended?: 'closed' | 'cancelled'
}

/**
 * Books payments: balances, then the customer, then the cash shift (P16). Answers the shift: cash needs one where the venue keeps them
 * (P15), and a receipt that is closed or cancelled without cash belongs to the one that is open.
 */
export async function bookPayments(
  context: CommandContext,
  draft: Draft,
  { category, payments, till, cashback, ended }: Booking,
): Promise<string | undefined> {
  const cash = payments.filter(({ method }) => method.kind === 'CASH')
  const at = { terminal_id: draft.receipt.terminal_id, asked: till.cash_shift_id }
  const shift = cash.length > 0 ? await cashShiftFor(context, at) : ended ? await openShiftAt(context, at) : undefined
  const isClosed = ended === 'closed'
  const accounts = await accountsFor(context, draft, payments, cashback)
  await book(context, postingsOf(draft, { category, payments, accounts, cash_shift_id: shift?.id, cashback }))
  if (isClosed && draft.rule !== HISTORY) await countForCustomer(context, draft)
  // P15: without cash none is needed, so one that was closed meanwhile does not matter.
  if (shift && cash.length === 0 && (await lockShift(context, shift.id))?.status !== 'OPEN') return undefined
  if (shift) await moveShift(context, shift, { cash: sumOf(cash), receipts: isClosed ? 1 : 0 })
  return shift?.id
}

async function accountsFor(
  context: CommandContext,
  { receipt }: Draft,
  payments: readonly Payment[],
  cashback: Cashback | undefined,
): Promise<Accounts> {
  const customer_id = receipt.customer_id === undefined ? undefined : String(receipt.customer_id)
  const ofMethod = new Map<number, number>()
  // Those of customers in one order, since missing ones are made: CUSTOMER, then CASHBACK (P16).
  const last = ({ method }: Payment) => Number(method.kind === 'CASHBACK')
  for (const { method } of payments.toSorted((one, other) => last(one) - last(other)))
    if (!ofMethod.has(method.id)) ofMethod.set(method.id, await balanceFor(context, method, customer_id))
  if (!cashback || cashback.earned === 0) return { ofMethod }
  return { ofMethod, cashback: await customerBalance(context, customer_id!, 'CASHBACK') }
}
