import type { Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { CLOSED } from '../../values/states.ts'
import { LARGEST_SCALED, toScaled } from '../../values/values.ts'
import type { ReceiptDetails, Terms } from './receipt-schema.ts'

// I11: what the closed receipts of a business day add up to, and their taxes. A refund has negative amounts, so it counts against them.

export const DAY_AMOUNTS = [
  'subtotal',
  'total_discount',
  'service_charge_value',
  'delivery_fee',
  'i_tax',
  'e_tax',
  'total',
] as const

/** What is counted of a closed receipt. */
export interface CountedReceipt
  extends Pick<
    ReceiptDetails,
    'total_discount' | 'service_charge_value' | 'i_tax' | 'e_tax' | 'taxes' | 'shift_date' | 'parent_id'
  > {
  readonly venue_id: number
  readonly subtotal?: number
  readonly delivery_fee?: number
  readonly total?: number
}

/** What a day counts, by the names of its columns; amounts are ×10,000. */
export type DaySums = Record<'receipts' | 'refunds' | (typeof DAY_AMOUNTS)[number], number>

/** What one receipt adds to its day. */
export const dayStep = (receipt: CountedReceipt): DaySums => ({
  receipts: receipt.parent_id === undefined ? 1 : 0,
  refunds: receipt.parent_id === undefined ? 0 : 1,
  subtotal: toScaled(receipt.subtotal ?? 0)!,
  total_discount: toScaled(receipt.total_discount ?? 0)!,
  service_charge_value: toScaled(receipt.service_charge_value ?? 0)!,
  delivery_fee: toScaled(receipt.delivery_fee ?? 0)!,
  i_tax: toScaled(receipt.i_tax ?? 0)!,
  e_tax: toScaled(receipt.e_tax ?? 0)!,
  total: toScaled(receipt.total ?? 0)!,
})

/** A tax of a receipt; amounts and rate ×10,000. */
interface CountedTax {
  readonly id: number
  readonly name: string
  readonly rate: number
  readonly included: boolean
  readonly base: number
  readonly amount: number
}

/**
 * The taxes of a receipt by id, rate and whether prices held them, each once. Two may differ in the last alone, where the tax was changed
 * while the receipt was open.
 */
export function countedTaxes(
  { taxes = [], i_tax = 0, e_tax = 0 }: Pick<CountedReceipt, 'taxes' | 'i_tax' | 'e_tax'>,
  terms: Pick<Terms, 'taxes_included'> | null,
): CountedTax[] {
  const sums = new Map<string, CountedTax>()
  const sorts = terms?.taxes_included ?? sortsOf(taxes, i_tax, e_tax)
  for (const [index, { id, name, ...tax }] of taxes.entries()) {
    const included = sorts[index] ?? true
    const [rate, base, amount] = [toScaled(tax.rate)!, toScaled(tax.base)!, toScaled(tax.amount)!]
    const key = `${id} ${rate} ${included}`
    const known = sums.get(key)
    sums.set(key, {
      id,
      name,
      rate,
      included,
      base: base + (known?.base ?? 0),
      amount: amount + (known?.amount ?? 0),
    })
  }
  return [...sums.values()].sort(
    (one, other) => one.id - other.id || one.rate - other.rate || Number(other.included) - Number(one.included),
  )
}

const MAX_SORTED = 10

/** Whether prices held each tax of imported history, which does not say: those that did add up to `i_tax`. */
function sortsOf(taxes: NonNullable<ReceiptDetails['taxes']>, i_tax: number, e_tax: number): boolean[] {
  const amounts = taxes.map(({ amount }) => toScaled(amount)!)
  const isIn = (set: number, index: number) => ((set >> index) & 1) === 1
  if (i_tax !== 0 && e_tax !== 0 && amounts.length <= MAX_SORTED)
    for (let set = 1; set < 1 << amounts.length; set++)
      if (amounts.reduce((sum, amount, index) => sum + (isIn(set, index) ? amount : 0), 0) === toScaled(i_tax))
        return amounts.map((_, index) => isIn(set, index))
  return taxes.map(() => i_tax !== 0 || e_tax === 0)
}

/** 1 where the day is beyond what an amount may be: reports could not add up such days. */
const IS_TOO_LARGE = `case when ${DAY_AMOUNTS.map((name) => `abs(venue_days.${name}) > ${LARGEST_SCALED}`).join(' or ')} then 1 else 0 end`

/** Adds a receipt to its day. Answers whether the day holds too much now. */
export async function addToDay(
  tx: Queries,
  brand_id: number,
  receipt: CountedReceipt,
  terms: Pick<Terms, 'taxes_included'> | null,
): Promise<boolean> {
  const { venue_id, shift_date } = receipt
  const step = dayStep(receipt)
  const names = Object.keys(step)
  const [day] = await tx.rows<{ is_too_large: number }>(
    `insert into venue_days (brand_id, venue_id, shift_date, last_number, ${names.join(', ')})
     values (?, ?, ?, 0${', ?'.repeat(names.length)})
     on conflict (brand_id, venue_id, shift_date) do update set
       ${names.map((name) => `${name} = venue_days.${name} + excluded.${name}`).join(', ')}
     returning ${IS_TOO_LARGE} as is_too_large`,
    [brand_id, venue_id, shift_date!, ...Object.values(step)],
  )
  const rows = countedTaxes(receipt, terms).map(({ id, rate, included, name, base, amount }) => ({
    brand_id,
    venue_id,
    shift_date: shift_date!,
    tax_id: id,
    rate,
    included: Number(included),
    name,
    base,
    amount,
    receipts: receipt.parent_id === undefined ? 1 : 0,
  }))
  const isTooLarge = day!.is_too_large === 1
  if (rows.length === 0) return isTooLarge
  const columns = Object.keys(rows[0]!)
  await tx.run(
    `insert into tax_days (${columns.join(', ')}) values ${rows.map(() => places(columns)).join(', ')}
     on conflict (brand_id, venue_id, shift_date, tax_id, rate, included) do update set name = excluded.name,
       base = tax_days.base + excluded.base, amount = tax_days.amount + excluded.amount,
       receipts = tax_days.receipts + excluded.receipts`,
    rows.flatMap((row) => Object.values(row)),
  )
  return isTooLarge
}

/** An import brought receipts of these days: they are counted again after its last line. */
export async function markDays(
  tx: Queries,
  brand_id: number,
  receipts: readonly Pick<CountedReceipt, 'venue_id' | 'shift_date'>[],
): Promise<void> {
  const days = new Map(
    receipts.map(({ venue_id, shift_date }) => [`${venue_id} ${shift_date}`, { venue_id, shift_date: shift_date! }]),
  )
  const values = [...days.values()].sort(
    (one, other) => one.venue_id - other.venue_id || (one.shift_date < other.shift_date ? -1 : 1),
  )
  if (values.length === 0) return
  await tx.run(
    `insert into venue_days (brand_id, venue_id, shift_date, last_number, recount) values
       ${values.map(() => '(?, ?, ?, 0, 1)').join(', ')}
     on conflict (brand_id, venue_id, shift_date) do update set recount = 1`,
    values.flatMap(({ venue_id, shift_date }) => [brand_id, venue_id, shift_date]),
  )
}

export async function recountDays(tx: Queries, brand_id: number): Promise<void> {
  const days = await tx.rows<{ venue_id: number; shift_date: string }>(
    'select venue_id, shift_date from venue_days where brand_id = ? and recount = 1 order by venue_id, shift_date',
    [brand_id],
  )
  const zero = ['receipts', 'refunds', ...DAY_AMOUNTS].map((name) => `${name} = 0`).join(', ')
  for (const { venue_id, shift_date } of days) {
    const day = [brand_id, venue_id, shift_date]
    await tx.run(
      `update venue_days set ${zero}, recount = 0 where brand_id = ? and venue_id = ? and shift_date = ?`,
      day,
    )
    await tx.run('delete from tax_days where brand_id = ? and venue_id = ? and shift_date = ?', day)
    const rows = await tx.rows<{ body: string; details: string; terms: string | null }>(
      `select body, details, terms from receipts where brand_id = ? and venue_id = ? and shift_date = ? and status = ${CLOSED} and rule > 0`,
      day,
    )
    for (const { body, details, terms } of rows) {
      const receipt = { ...JSON.parse(body), ...JSON.parse(details) } as CountedReceipt
      await addToDay(tx, brand_id, receipt, JSON.parse(terms ?? 'null'))
    }
  }
}
