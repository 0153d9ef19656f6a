import Type, { type Static } from 'typebox'
import { lockDirectory, record } from '../../directory/audit.ts'
import { balanceLeft, customerBusy, noSuchRecord } from '../../http/errors.ts'
import { forgetPapersOf } from '../../printing/queue/forget.ts'
import { rowText } from '../../resource/read/page.ts'
import { Maybe } from '../../resource/values.ts'
import { type CommandContext, DoneMeanwhile } from '../../resource/write/commands.ts'
import { lineOf, STORED, type StoredText } from '../../resources/people/customer-lines.ts'
import { customers, erased } from '../../resources/people/customers.ts'
import type { Transaction } from '../../storage/database.ts'
import { upsertRow } from '../../storage/rows.ts'
import { instantOf } from '../../values/values.ts'
import { forgetContacts, forgettable, salesOf, underWay } from './contacts.ts'

// A customer is erased: in one transaction the person goes from the row, from orders and from receipts. What is no part of the books
// (stored answers, logs, the file itself) follows within a minute, also after a crash: settle.ts.

/** Requests that were under way have ended by then. */
const SETTLED_AFTER_MS = 15_000

export const Erasure = Type.Object(
  {
    with_balance: Maybe(
      Type.Boolean({ description: 'A balance that is left stays under Erased; nobody can spend it' }),
    ),
  },
  { $id: 'Erasure', additionalProperties: false },
)
export type Erasure = Static<typeof Erasure>

/** Erases a customer; returns the customer's text. A customer who is erased already stays so. */
export async function eraseCustomer(
  context: CommandContext,
  id: string,
  { with_balance = false }: Erasure,
): Promise<{ data: string; message?: string }> {
  const { tx, brand_id, actor, now } = context
  await lockDirectory(tx) // before any other lock, as everything else that puts a change on record
  const [known] = await tx.rows<{ phone_key: string | null; erased_at: string | null }>(
    'select phone_key, erased_at from customers where brand_id = ? and id = ? and deleted_at is null',
    [brand_id, id],
  )
  if (!known) throw noSuchRecord()
  if (known.erased_at !== null) return { data: await textOf(tx, brand_id, id), message: 'Nothing changed.' }
  const guests = await forgetSales(context, id, known.phone_key)
  await eraseRow(context, id, known.phone_key, with_balance)
  await upsertRow(tx, 'erasures', ['brand_id', 'customer_id'], {
    brand_id,
    customer_id: id,
    orders: JSON.stringify(guests),
    due_at: instantOf(Date.parse(now) + SETTLED_AFTER_MS),
  })
  await record(tx, {
    actor,
    action: 'customer.erase',
    subject: id,
    brand_id,
    before: undefined,
    after: with_balance ? { with_balance } : undefined,
  })
  return { data: await textOf(tx, brand_id, id) }
}

const textOf = async (tx: Transaction, brand_id: number, id: string) =>
  (await tx.text(`select ${rowText(customers, new Set())} from customers where brand_id = ? and id = ?`, [
    brand_id,
    id,
  ]))!

/** A guest's order with the customer's phone is the customer's too. Answers the ids of these: once the phone is gone, nothing else says so. */
async function forgetSales(context: CommandContext, customer_id: string, phone_key: string | null): Promise<number[]> {
  const { tx, brand_id } = context
  const sales = await salesOf(tx, brand_id, { customer_id, phone_key })
  const { orders, receipts } = underWay(sales)
  if (orders.length + receipts.length > 0) throw customerBusy(orders, receipts)
  await forgetContacts(context, forgettable(sales))
  await forgetPapersOf(
    tx,
    brand_id,
    sales.receipts.map(({ id }) => id),
  )
  return sales.orders.filter((order) => order.customer_id !== customer_id).map(({ id }) => id)
}

/** Locks the customer. A phone that changed meanwhile may belong to other orders, which are looked for again. */
async function eraseRow(
  context: CommandContext,
  id: string,
  phone_key: string | null,
  with_balance: boolean,
): Promise<void> {
  const stored = await customers.lock<StoredText & { phone_key: string | null }>(context, id, `${STORED}, phone_key`)
  if (stored!.phone_key !== phone_key) throw new DoneMeanwhile()
  const { updated_at: _, ...customer } = lineOf(stored!)
  const [balance, cashback] = [customer.balance!.amount, customer.cashback_balance!.amount]
  if (!with_balance && (balance !== 0 || cashback !== 0)) throw balanceLeft(balance, cashback)
  await customers.update({ ...context, balancesBooked: true }, [erased(customer, context.now)])
}
