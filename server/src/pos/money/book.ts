import type { CommandContext } from '../../resource/write/commands.ts'
import { type Move, type Moved, moveBalances } from '../../resources/money/balance-rows.ts'
import { changeCustomer } from '../../resources/people/customers.ts'
import { changeSupplier } from '../../resources/stock/suppliers.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { fromScaled, sumToScaled } from '../../values/values.ts'

// Money moves here and nowhere else: each posting is a transaction in the chain of its balance (I5).

/** What a route declares that books (E10), besides what it is about. */
export const BOOKING_EVENTS = [
  'customer.updated',
  'customer.balance_changed',
  'supplier.updated',
  'finance_category.created',
] as const

export interface Posting {
  readonly balance_id: number
  readonly category: Move['category']
  /** ×10,000; negative: what goes out. */
  readonly amount: number
  /** People's balances are refused below 0 unless this is set; accounts may go there. */
  readonly mayGoBelowZero?: boolean
  /** An account is refused below 0 too. */
  readonly notBelowZero?: boolean
  readonly receipt_id?: number
  readonly operation_id?: number
  readonly customer_id?: string
  readonly supplier_id?: number
  readonly cash_shift_id?: string
  readonly description?: string
}

/**
 * Locks the balances by id, books in the order given, and keeps what their customers and suppliers show of them. The command has
 * reserved one transaction_id for each posting.
 */
export async function book(context: CommandContext, postings: readonly Posting[]): Promise<void> {
  if (postings.length === 0) return
  const { caller, ids } = context
  const { venue_id, user } = caller
  const moved = await moveBalances(
    context,
    postings.map((posting) => ({ id: ids.take('transaction_id'), venue_id, user_id: user.id, ...posting })),
  )
  for (const each of moved) await keepOwner(context, each, postings)
}

/** I6: what the owner shows of the balance is the balance. */
async function keepOwner(context: CommandContext, moved: Moved, postings: readonly Posting[]): Promise<void> {
  const { id, type, customer_id, supplier_id, from, to } = moved
  const own = postings.filter(({ balance_id }) => balance_id === id)
  if (supplier_id !== null)
    await changeSupplier(context, supplier_id, ({ balance, spent, ...supplier }) => ({
      ...supplier,
      balance: { ...balance, amount: to },
      spent: fromScaled(sumToScaled(spent)! + boughtFor(own)),
    }))
  if (customer_id === null) return
  const member = type === 'CASHBACK' ? 'cashback_balance' : 'balance'
  await changeCustomer(context, customer_id, (customer) => ({
    ...customer,
    [member]: { id, amount: to, type },
  }))
  if (from === to) return
  const receipt_id = own.find((posting) => posting.receipt_id !== undefined)?.receipt_id
  context.tx.publish({
    brand_id: context.caller.brand_id,
    type: 'customer.balance_changed',
    subject: customer_id,
    data: { id: customer_id, balance: { type, from, to }, ...definedOnly({ receipt_id }) },
  })
}

/** A supply raises what is owed to the supplier, which is the balance; a return to the supplier lowers it. */
const boughtFor = (postings: readonly Posting[]) =>
  postings.reduce((sum, { category, amount }) => (category === 'SUPPLY' ? sum + amount : sum), 0)
