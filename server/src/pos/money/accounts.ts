import { validationFailed } from '../../http/errors.ts'
import { keepBalances } from '../../resources/balance-rows.ts'
import { takeBeside } from '../../resources/counters.ts'
import { type CustomerRow, changeCustomer } from '../../resources/customers.ts'
import { giveAccounts } from '../../resources/payment-accounts.ts'
import type { CommandContext } from '../context.ts'
import { writeContext } from './book.ts'

// To which balance a payment goes.

export type MethodKind = 'CASH' | 'CARD' | 'CUSTOMER' | 'CASHBACK' | 'OTHER'

/** Of a method of the house its balance in this venue; otherwise the customer's own. */
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
  await giveAccounts(writeContext(context)) // a venue that was made without an import or a form
  const [given] = await find()
  if (!given) throw new Error(`payment method ${payment_method_id} has no balance in venue ${caller.venue_id}`)
  return given.balance_id
}

/** A customer who came without this balance gets it with the first booking. */
export async function customerBalance(
  context: CommandContext,
  customer_id: string,
  type: 'CUSTOMER' | 'CASHBACK',
): Promise<number> {
  const { tx, caller } = context
  const { brand_id } = caller
  const member = type === 'CASHBACK' ? 'cashback_balance' : 'balance'
  const body = await tx.text('select body from customers where brand_id = ? and id = ?', [brand_id, customer_id])
  const shown = body === undefined ? undefined : (JSON.parse(body) as CustomerRow)[member]?.id
  if (shown != null) return shown
  const id = (await takeBeside(tx, brand_id, 'balance_id', [], 1)) + 1
  const name = type === 'CASHBACK' ? 'Cashback' : 'Balance'
  const write = writeContext(context)
  await keepBalances(write, [{ id, name, type, customer_id, position: 0 }])
  const empty = { id, amount: 0, type }
  await changeCustomer(write, customer_id, (customer) => ({ ...customer, [member]: empty }))
  return id
}
