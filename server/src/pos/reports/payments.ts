import type { Receipt } from '../../resources/sales/receipts.ts'
import type { Database } from '../../storage/database.ts'
import { toScaled } from '../../values/values.ts'
import { closedOn, type Days } from './closed.ts'

/** ×10,000; `id` is the payment method's, null for what no method is known of. */
interface Payment {
  readonly id: number | null
  readonly amount: number
}

/** A closed receipt with how it was paid; the payments add up to the total. */
export interface PaidReceipt {
  readonly shift_date: string
  /** The receipt that a refund belongs to. */
  readonly parent_id: number | null
  readonly total: number
  readonly payments: readonly Payment[]
  /** JSON: see ReceiptDetails and Terms. */
  readonly details: string
  readonly terms: string | null
}

interface Row extends Omit<PaidReceipt, 'payments'> {
  readonly body: string
}

/** Reads the receipts of a part of a report (parts.ts): there may be ten thousand. */
export async function paidOn(db: Database, days: Days): Promise<PaidReceipt[]> {
  const { text, values } = closedOn(db, days, 'shift_date, parent_id, total, body, details, terms')
  const rows = await db.scan<Row>(days.brand_id, 'receipts', text, values)
  return rows.map(({ body, ...row }) => ({ ...row, payments: paymentsOf(JSON.parse(body) as Receipt, row.total) }))
}

function paymentsOf({ payment_methods = [] }: Pick<Receipt, 'payment_methods'>, total: number): Payment[] {
  const payments = payment_methods.map(({ id = null, amount = 0 }) => ({ id, amount: toScaled(amount)! }))
  const rest = payments.reduce((left, { amount }) => left - amount, total)
  return rest === 0 && payments.length > 0 ? payments : [...payments, { id: null, amount: rest }]
}
