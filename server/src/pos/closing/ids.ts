import type { Caller } from '../../http/call.ts'
import type { IdCounts } from '../../resource/write/id-blocks.ts'
import type { Terms } from '../../resources/sales/receipt-schema.ts'
import type { Queries } from '../../storage/database.ts'

// P16: how many ids a command on a receipt may need, counted before its transaction. Where lines are added meanwhile, it is done again.

interface Counts {
  reserved: number
  moved: number
  lines: number
  body: string
  terms: string | null
}

/** The receipt that a command is about, and what it is given of payments. */
interface Sent<Body = object> {
  readonly params: { readonly id: number }
  readonly body: Body
}
interface Paid {
  readonly payment_methods?: readonly { readonly tip?: number }[]
}
interface Place {
  readonly db: Queries
  readonly caller: Caller
}

async function countsOf({ params }: Sent<unknown>, { db, caller }: Place): Promise<Counts | undefined> {
  const [counts] = await db.rows<Counts>(
    `select body, terms,
       (select count(*) from reservations where reservations.brand_id = receipts.brand_id and receipt_id = receipts.id) as reserved,
       (select count(*) from stock_operations where stock_operations.brand_id = receipts.brand_id
         and receipt_id = receipts.id) as moved,
       (select count(*) from receipt_lines where receipt_lines.brand_id = receipts.brand_id and receipt_id = receipts.id) as lines
     from receipts where brand_id = ? and id = ?`,
    [caller.brand_id, params.id],
  )
  return counts
}

const paymentsIn = (body: string) => (JSON.parse(body) as { payment_methods?: object[] }).payment_methods?.length ?? 0

/** Each tip that goes back moves two accounts, by whatever methods and to whomever they were given. */
const tipPostingsIn = (terms: string | null) => 2 * ((JSON.parse(terms ?? '{}') as Partial<Terms>).tips?.length ?? 0)

/** A payment moves one account, a tip two. */
export const postingsFor = (payments: NonNullable<Paid['payment_methods']>) =>
  payments.reduce((sum, { tip }) => sum + (tip === undefined ? 1 : 3), 0)

/** What lines reserve is what they take; besides the payments there may be cashback. */
export async function idsToClose(input: Sent<Paid>, place: Place): Promise<IdCounts> {
  const { payment_methods = [] } = input.body
  const counts = await countsOf(input, place)
  return counts ? { stock_operation_id: counts.reserved, transaction_id: postingsFor(payment_methods) + 1 } : {}
}

export const idsToPay = ({ body }: Sent<Required<Paid>>): IdCounts => ({
  transaction_id: postingsFor(body.payment_methods),
})

/** All that was made may be waste, and all that was paid goes back, tips too. */
export async function idsToCancel(input: Sent<unknown>, place: Place): Promise<IdCounts> {
  const counts = await countsOf(input, place)
  return counts
    ? { stock_operation_id: counts.reserved, transaction_id: paymentsIn(counts.body) + tipPostingsIn(counts.terms) }
    : {}
}

export async function idsToRefund(input: Sent<Paid>, place: Place): Promise<IdCounts> {
  const counts = await countsOf(input, place)
  if (!counts) return {}
  const { payment_methods = [] } = input.body
  const payments = Math.max(payment_methods.length, paymentsIn(counts.body))
  return {
    receipt_id: 1,
    receipt_line_id: counts.lines,
    stock_operation_id: counts.moved,
    transaction_id: payments + 1 + tipPostingsIn(counts.terms),
  }
}

/** A label may close the receipt by itself, or cancel it. */
export async function idsToLabel(input: Sent<{ order_status?: string }>, place: Place): Promise<IdCounts> {
  const { order_status } = input.body
  if (order_status === 'COMPLETED') return idsToClose({ ...input, body: {} }, place)
  return order_status === 'CANCELLED' ? idsToCancel(input, place) : {}
}
