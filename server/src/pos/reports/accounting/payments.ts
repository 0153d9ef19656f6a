import { countedTaxes } from '../../../resources/sales/day-totals.ts'
import type { ReceiptDetails, Terms } from '../../../resources/sales/receipt-schema.ts'
import type { Database } from '../../../storage/database.ts'
import { fromScaled } from '../../../values/values.ts'
import { unitOf } from '../../rounding.ts'
import type { Days } from '../closed.ts'
import { type Heard, inParts } from '../parts.ts'
import { type PaidReceipt, paidOn } from '../payments.ts'
import type { PaymentFileRow } from './schema.ts'
import { divided } from './shares.ts'

// Payments by day, method and tax. A receipt's bases and taxes are divided among its payments by their size. So rows of a tax add up to
// the tax report, and rows of a method to what was paid by it. Where a line has two taxes, the row without a tax takes off what counts
// twice.

/** Amounts are ×10,000. */
interface Sum {
  readonly key: string
  readonly shift_date: string
  readonly method: number | null
  readonly tax: string | null
  readonly rate: number | null
  readonly base: number
  readonly tax_amount: number
}

export async function paymentFile(db: Database, days: Days, heard: Heard = () => {}): Promise<PaymentFileRow[]> {
  const [brand] = await db.rows<{ money_places: number }>('select money_places from brands where id = ?', [
    days.brand_id,
  ])
  const unit = Number(unitOf(brand!.money_places))
  const order = (one: Sum, other: Sum) => (one.key < other.key ? -1 : 1)
  const sums = await inParts(db, days, { key: 'key', sums: ['base', 'tax_amount'], order }, heard, async (part) => {
    const receipts = await paidOn(db, part)
    return added(receipts.flatMap((receipt) => sumsOf(receipt, unit))).sort(order)
  })
  const named = await db.rows<{ id: number; name: string }>('select id, name from payment_methods where brand_id = ?', [
    days.brand_id,
  ])
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return sums
    .filter(({ base, tax_amount }) => base !== 0 || tax_amount !== 0)
    .map(({ shift_date, method, tax, rate, base, tax_amount }) => ({
      shift_date,
      payment_method_id: method,
      payment_method: method === null ? null : (names.get(method) ?? null),
      tax,
      rate: rate === null ? null : fromScaled(rate),
      base: fromScaled(base),
      tax_amount: fromScaled(tax_amount),
      amount: fromScaled(base + tax_amount),
    }))
}

function sumsOf({ shift_date, total, payments, details, terms }: PaidReceipt, unit: number): Sum[] {
  const taxes = countedTaxes(JSON.parse(details) as ReceiptDetails, JSON.parse(terms ?? 'null') as Terms | null)
  const parts = taxes.flatMap(({ base, amount }) => [base, amount])
  const untaxed = parts.reduce((left, part) => left - part, total)
  const cells = divided(
    [...parts, untaxed],
    payments.map(({ amount }) => amount),
    unit,
  )
  return payments.flatMap(({ id: method }, at) => {
    const row = (
      tax: string | null,
      rate: number | null,
      included: boolean,
      base: number,
      tax_amount: number,
    ): Sum => ({
      key: [shift_date, method ?? '', rate ?? '', tax ?? '', included]
        .map((each) => String(each).padStart(12))
        .join(' '),
      shift_date,
      method,
      tax,
      rate,
      base,
      tax_amount,
    })
    return [
      ...taxes.map(({ name, rate, included }, index) =>
        row(name, rate, included, cells[2 * index]![at]!, cells[2 * index + 1]![at]!),
      ),
      row(null, null, false, cells.at(-1)![at]!, 0),
    ]
  })
}

function added(rows: readonly Sum[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const row of rows) {
    const known = sums.get(row.key)
    sums.set(row.key, {
      ...row,
      base: row.base + (known?.base ?? 0),
      tax_amount: row.tax_amount + (known?.tax_amount ?? 0),
    })
  }
  return [...sums.values()]
}
