import { rejected, validationFailed } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { balanceOfCustomer, makeCustomerBalance } from '../../resources/money/balance-rows.ts'
import { giveAccounts, markUsed } from '../../resources/money/payment-accounts.ts'
import type { PaymentKind } from '../../values/states.ts'

// The balance that a payment goes to.

/** CASH, CARD, OTHER: the venue's balance. CUSTOMER, CASHBACK: the customer's. */
export async function balanceFor(
  context: CommandContext,
  method: { id: number; kind: PaymentKind },
  customer_id: string | undefined,
): Promise<number> {
  if (method.kind !== 'CUSTOMER' && method.kind !== 'CASHBACK') return houseBalance(context, method.id)
  if (customer_id === undefined)
    throw validationFailed([
      { field: 'customer_id', rule: 'required', message: 'This payment method needs a customer on the receipt.' },
    ])
  return customerBalance(context, customer_id, method.kind)
}

async function houseBalance(context: CommandContext, payment_method_id: number): Promise<number> {
  const { tx, caller } = context
  const find = () =>
    tx.rows<{ balance_id: number }>(
      'select balance_id from payment_accounts where brand_id = ? and payment_method_id = ? and venue_id = ?',
      [caller.brand_id, payment_method_id, caller.venue_id],
    )
  const [found] = await find()
  if (found) return found.balance_id
  await giveAccounts(context) // a venue that was made without an import or a form
  const [given] = await find()
  if (!given) throw new Error(`payment method ${payment_method_id} has no balance in venue ${caller.venue_id}`)
  return given.balance_id
}

/**
 * Returns a customer's balance, created at the first booking if missing. Of two concurrent bookings the second waits for the first and
 * uses its balance. The customer shows it when it is booked on: after the balances are locked (P16).
 */
export async function customerBalance(
  context: CommandContext,
  customer_id: string,
  type: 'CUSTOMER' | 'CASHBACK',
): Promise<number> {
  const { ids } = context
  const found = await balanceOfCustomer(context, customer_id, type)
  if (found !== undefined) return found
  const id = ids.take('balance_id')
  const name = type === 'CASHBACK' ? 'Cashback' : 'Balance'
  const isMade = await makeCustomerBalance(context, { id, name, type, customer_id, position: 0 })
  if (!isMade) return (await balanceOfCustomer(context, customer_id, type))!
  return id
}

/** SQL: 1 of a method that keeps its kind, because payments were made by it. */
export const isMethodUsed = `case when exists (select 1 from payment_method_uses as uses
  where uses.brand_id = payment_methods.brand_id and uses.payment_method_id = payment_methods.id) then 1 else 0 end`

interface ReadMethod {
  readonly id: number
  readonly kind: string
  readonly isUsed?: boolean
}

/** From the first payment on a method keeps its kind. */
export async function useMethods(context: CommandContext, methods: readonly ReadMethod[]): Promise<void> {
  await markUsed(context, await holdMethods(context, methods))
}

/**
 * Locks methods that were not used yet, so that nobody changes their kinds before this transaction is over; refuses one whose kind was
 * changed since it was read. Answers their ids.
 */
export async function holdMethods({ tx, brand_id }: CommandContext, methods: readonly ReadMethod[]): Promise<number[]> {
  const kinds = new Map(methods.flatMap(({ id, kind, isUsed }) => (isUsed ? [] : [[id, kind]])))
  for (const [id, kind] of [...kinds].sort(([one], [other]) => one - other)) {
    const [held] = await tx.rows(
      `select id from payment_methods where brand_id = ? and id = ? and kind = ?${tx.dialect.lockRows}`,
      [brand_id, id, kind],
    )
    if (!held) throw rejected('The payment method was changed at this moment. Try again.')
  }
  return [...kinds.keys()]
}
