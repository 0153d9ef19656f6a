import { validationFailed } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { balanceOfCustomer, makeCustomerBalance } from '../../resources/money/balance-rows.ts'
import { giveAccounts } from '../../resources/money/payment-accounts.ts'

// The balance that a payment goes to.

export type MethodKind = 'CASH' | 'CARD' | 'CUSTOMER' | 'CASHBACK' | 'OTHER'

/** CASH, CARD, OTHER: the venue's balance. CUSTOMER, CASHBACK: the customer's. */
export async function balanceFor(
  context: CommandContext,
  method: { id: number; kind: MethodKind },
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
