import { roundTo, unitOf } from '../rounding.ts'
import { type Bill, type BillTax, type Totals, totalsOf } from '../totals.ts'

// P19: what a refund comes to. The amounts given back so far are a function of the counts given back so far, and a refund is the
// difference of two such states. So refunds add up to the receipt, and none of their amounts is below 0.

/** How much of a receipt was given back: the count of each line, ×10,000, and whether the delivery fee was. */
export interface GivenBack {
  readonly counts: ReadonlyMap<number, number>
  readonly delivery_fee: boolean
}

export const NOTHING_BACK: GivenBack = { counts: new Map(), delivery_fee: false }

interface LineAmounts {
  readonly id: number
  readonly count: number
  readonly modifiers: readonly number[]
  readonly subtotal: number
  readonly total_discount: number
  readonly receipt_discount: number
  readonly total: number
  readonly taxes: readonly { readonly id: number; readonly amount: number }[]
}

interface TaxAmounts extends BillTax {
  readonly base: number
  readonly amount: number
}

/** Amounts ×10,000. */
export interface RefundAmounts {
  /** The lines of which something is given back. */
  readonly lines: readonly LineAmounts[]
  readonly subtotal: number
  readonly total_discount: number
  readonly service_charge_value: number
  readonly delivery_fee: number
  readonly taxes: readonly TaxAmounts[]
  readonly i_tax: number
  readonly e_tax: number
  readonly total_tax: number
  readonly total: number
}

/** What the refund between two states comes to, with the signs of a refund: everything that goes back is negative. */
export function refundAmounts(bill: Bill, before: GivenBack, after: GivenBack): RefundAmounts {
  const totals = totalsOf(bill)
  const [was, is] = [amountsAt(bill, totals, before), amountsAt(bill, totals, after)]
  const lines = was.lines.map((line, index) => minusLine(line, is.lines[index]!)).filter(({ count }) => count !== 0)
  const bearers = new Map(bill.lines.map(({ id, taxes }) => [id, taxes]))
  const isBorne = (tax: BillTax) => lines.some(({ id }) => bearers.get(id)!.some((each) => isSame(each, tax)))
  const taxes = was.taxes
    .map(({ id, name, rate, included, ...tax }, index) => ({
      id,
      name,
      rate,
      included,
      base: tax.base - is.taxes[index]!.base,
      amount: tax.amount - is.taxes[index]!.amount,
    }))
    .filter((tax) => tax.base !== 0 || tax.amount !== 0 || isBorne(tax))
  const [i_tax, e_tax] = [true, false].map((included) =>
    sumOf(taxes, (tax) => (tax.included === included ? tax.amount : 0)),
  ) as [number, number]
  const service_charge_value = was.service - is.service
  const delivery_fee = was.fee - is.fee
  return {
    lines,
    subtotal: sumOf(lines, ({ subtotal }) => subtotal),
    total_discount: sumOf(lines, (line) => line.total_discount + line.receipt_discount),
    service_charge_value,
    delivery_fee,
    taxes,
    i_tax,
    e_tax,
    total_tax: i_tax + e_tax,
    total: sumOf(lines, ({ total }) => total) + service_charge_value + delivery_fee + e_tax, // step 9
  }
}

const isSame = (one: BillTax, other: BillTax) =>
  one.id === other.id && one.rate === other.rate && one.included === other.included

/** What was given back so far, as positive amounts. */
function amountsAt({ money_places, lines: sold, charge_tax }: Bill, totals: Totals, state: GivenBack) {
  const unit = unitOf(money_places)
  const bySold = new Map(sold.map((line) => [line.id, line]))
  const lines = totals.lines.map((line): LineAmounts => {
    const count = state.counts.get(line.id) ?? 0
    const part = (amount: number) => partOf(unit, amount, count, bySold.get(line.id)!.count)
    const [subtotal, total, total_discount] = [line.subtotal, line.total, line.total_discount].map(part) as [
      number,
      number,
      number,
    ]
    return {
      id: line.id,
      count,
      modifiers: line.modifiers.map(part),
      subtotal,
      total_discount,
      receipt_discount: subtotal - total - total_discount,
      total,
      taxes: line.taxes.map(({ id, amount }) => ({ id, amount: part(amount) })),
    }
  })

  // The service charge goes by the line totals that bear it, the fee with its tax as a whole.
  const charged = sumOf(lines, ({ id, total }) => (bySold.get(id)!.ignore_service_charge ? 0 : total))
  const ofService = (amount: number) => partOf(unit, amount, charged, totals.service_charge_base)
  const ofFee = (amount: number) => (state.delivery_fee ? amount : 0)
  const service = ofService(totals.service_charge_value)
  const fee = ofFee(totals.delivery_fee)
  const taxes = totals.taxes.map((tax) => {
    const bears = (id: number) => bySold.get(id)!.taxes.findIndex((each) => isSame(each, tax))
    const taxOfLine = ({ id, taxes: own }: LineAmounts) => own[bears(id)]?.amount ?? 0
    const onCharge = charge_tax !== undefined && isSame(charge_tax, tax)
    /** What bears the tax: of the receipt, or of what was given back. */
    const borne = (some: readonly { id: number; total: number }[], charges: number) =>
      sumOf(some, ({ id, total }) => (bears(id) === -1 ? 0 : total)) + (onCharge ? charges : 0)
    return {
      ...tax,
      amount: sumOf(lines, taxOfLine) + ofService(tax.on_service_charge) + ofFee(tax.on_delivery_fee),
      base: partOf(
        unit,
        tax.base,
        borne(lines, service + fee),
        borne(totals.lines, totals.service_charge_value + totals.delivery_fee),
      ),
    }
  })
  return { lines, service, fee, taxes }
}

const sumOf = <Part>(parts: readonly Part[], amount: (part: Part) => number) =>
  parts.reduce((sum, part) => sum + amount(part), 0)

/** The part of an amount that `some` of `all` has; nothing where there is nothing to have a part of. */
export const partOf = (unit: bigint, amount: number, some: number, all: number): number =>
  all === 0 ? 0 : Number(roundTo(unit, BigInt(amount) * BigInt(some), BigInt(all)))

function minusLine(was: LineAmounts, is: LineAmounts): LineAmounts {
  return {
    id: was.id,
    count: was.count - is.count,
    modifiers: was.modifiers.map((amount, index) => amount - is.modifiers[index]!),
    subtotal: was.subtotal - is.subtotal,
    total_discount: was.total_discount - is.total_discount,
    receipt_discount: was.receipt_discount - is.receipt_discount,
    total: was.total - is.total,
    taxes: was.taxes.map(({ id, amount }, index) => ({ id, amount: amount - is.taxes[index]!.amount })),
  }
}
