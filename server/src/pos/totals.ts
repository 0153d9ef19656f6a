import { AMOUNT_OFF, PERCENT_OFF } from '../values/states.ts'
import { roundTo, shareOut, unitOf } from './rounding.ts'

// P11: how the total of a receipt is computed from its lines. Amounts, counts and rates are integers ×10,000 (D3.4); internally they are
// BigInt, since a product of two of them does not fit a double.

/** P12: stored with each receipt. Changing the results below needs a new version; receipts of an old one stay as they are. */
export const TOTALS_RULE = 1

export interface BillTax {
  readonly id: number
  readonly name: string
  readonly rate: number
  readonly included: boolean
}

/** A line that is not void, with what was copied to it when it was added. */
export interface BillLine {
  readonly id: number
  readonly price: number
  /** Their counts are whole numbers. */
  readonly modifiers: readonly { readonly id: number; readonly price: number; readonly count: number }[]
  /** Minutes, where there is a timer. */
  readonly count: number
  readonly portion_size: number
  readonly timer?: Timer | undefined
  /** 0 none, 1 percent, 2 amount (D3.5). */
  readonly discount_type: number
  readonly discount_value: number
  readonly is_gift: boolean
  readonly discountable: boolean
  readonly ignore_service_charge: boolean
  /** Taxes that apply to the sale type. */
  readonly taxes: readonly BillTax[]
}

export interface Timer {
  /** Whole minutes; below 1 the whole time is one interval. */
  readonly interval: number
  /** `from` is in minutes ×10,000. An interval that begins before all of them costs the line's price. */
  readonly prices: readonly { readonly price: number; readonly from: number }[]
}

export interface Bill {
  readonly money_places: number
  /** By position: of equal ones the first gets the cent (P9). */
  readonly lines: readonly BillLine[]
  readonly discount_type: number
  readonly discount_value: number
  /** Percent. */
  readonly service_charge: number
  readonly delivery_fee: number
  /** Taxes the service charge and the delivery fee. */
  readonly charge_tax?: BillTax | undefined
}

export interface LineTotals {
  readonly id: number
  readonly unit_price: number
  /** Timers only: how many intervals began at each price. */
  readonly intervals?: readonly { readonly count: number; readonly price: number }[]
  /** What each modifier adds to the subtotal, rounded by itself. */
  readonly modifiers: readonly number[]
  readonly subtotal: number
  /** The line's own discount. */
  readonly total_discount: number
  /** Its share of the receipt's discount. */
  readonly receipt_discount: number
  readonly total: number
  readonly taxes: readonly { readonly id: number; readonly amount: number }[]
}

interface TaxTotals extends BillTax {
  readonly base: number
  readonly amount: number
  /** The parts of the amount: per line that bears it, on the service charge and on the delivery fee. */
  readonly lines: readonly { readonly id: number; readonly amount: number }[]
  readonly on_service_charge: number
  readonly on_delivery_fee: number
}

export interface Totals {
  /** In the bill's order. */
  readonly lines: readonly LineTotals[]
  readonly subtotal: number
  /** The amount that the receipt's own discount applies to, and the discount. */
  readonly discount_base: number
  readonly receipt_discount: number
  readonly total_discount: number
  readonly service_charge_base: number
  readonly service_charge_value: number
  readonly delivery_fee: number
  readonly taxes: readonly TaxTotals[]
  readonly i_tax: number
  readonly e_tax: number
  readonly total_tax: number
  readonly total: number
}

/** An amount beyond what the wire can carry (D3.4). */
export class AmountTooLarge extends RangeError {}

const SCALE = 10_000n
const PERCENT = 100n * SCALE
const LARGEST = 10n ** 11n * SCALE

export function totalsOf(bill: Bill): Totals {
  const unit = unitOf(bill.money_places)
  const discounted = bill.lines.map((line) => {
    const { intervals, unitPrice, modifiers, subtotal } = subtotalOf(unit, line)
    return { line, intervals, unitPrice, modifiers, subtotal, discount: lineDiscount(unit, line, subtotal) }
  })

  // Steps 4 and 5
  const weights = discounted.map(
    ({ line, subtotal, discount }) => (line.discountable ? subtotal - discount : 0n), // nothing is left of a gift
  )
  const discountBase = sum(weights)
  const receiptDiscount = discountOf(unit, bill, discountBase)
  const shares = shareOut(unit, receiptDiscount, weights)
  const lines = discounted.map(({ line, intervals, unitPrice, modifiers, subtotal, discount }, index) => {
    const share = shares[index]!
    return { line, intervals, unitPrice, modifiers, subtotal, discount, share, total: subtotal - discount - share }
  })

  // Steps 6 and 7
  const serviceBase = sum(lines.map(({ line, total }) => (line.ignore_service_charge ? 0n : total)))
  const service = roundTo(unit, serviceBase * BigInt(bill.service_charge), PERCENT)
  const fee = BigInt(bill.delivery_fee)

  // Step 8; the service charge, then the fee come last (P9).
  const chargeTaxes = bill.charge_tax ? [bill.charge_tax] : []
  const taxes = taxTotals(unit, [
    ...lines.map(({ line, total }) => ({ total, taxes: line.taxes })),
    { total: service, taxes: chargeTaxes },
    { total: fee, taxes: chargeTaxes },
  ])
  const included = sum(taxes.map(({ tax, amount }) => (tax.included ? amount : 0n)))
  const excluded = sum(taxes.map(({ tax, amount }) => (tax.included ? 0n : amount)))

  return {
    lines: lines.map(({ line, unitPrice, intervals, modifiers, subtotal, discount, share, total }, index) => ({
      id: line.id,
      unit_price: toNumber(unitPrice),
      ...(intervals && {
        intervals: intervals.map(({ count, price }) => ({ count: Number(count), price: toNumber(price) })),
      }),
      modifiers: modifiers.map(toNumber),
      subtotal: toNumber(subtotal),
      total_discount: toNumber(discount),
      receipt_discount: toNumber(share),
      total: toNumber(total),
      taxes: line.taxes.map((tax) => ({
        id: tax.id,
        amount: toNumber(taxes.find((each) => isSame(each.tax, tax))!.shares[index]!),
      })),
    })),
    subtotal: toNumber(sum(lines.map(({ subtotal }) => subtotal))),
    discount_base: toNumber(discountBase),
    receipt_discount: toNumber(receiptDiscount),
    total_discount: toNumber(sum(lines.map(({ discount }) => discount)) + receiptDiscount),
    service_charge_base: toNumber(serviceBase),
    service_charge_value: toNumber(service),
    delivery_fee: toNumber(fee),
    taxes: taxes.map(({ tax, base, amount, shares: parts }) => ({
      ...tax,
      base: toNumber(base),
      amount: toNumber(amount),
      lines: lines.flatMap(({ line }, index) =>
        line.taxes.some((each) => isSame(each, tax)) ? [{ id: line.id, amount: toNumber(parts[index]!) }] : [],
      ),
      on_service_charge: toNumber(parts.at(-2)!),
      on_delivery_fee: toNumber(parts.at(-1)!),
    })),
    i_tax: toNumber(included),
    e_tax: toNumber(excluded),
    total_tax: toNumber(included + excluded),
    total: toNumber(sum(lines.map(({ total }) => total)) + service + fee + excluded), // step 9
  }
}

/** Step 1. */
function pricedOf(line: BillLine) {
  const intervals = line.timer && intervalsOf(line, line.timer)
  const own = intervals ? sum(intervals.map(({ count, price }) => count * price)) : BigInt(line.price)
  const modifiers = line.modifiers.map(({ price, count }) => BigInt(price) * BigInt(count))
  return { intervals, modifiers, unitPrice: own + sum(modifiers) }
}

export const unitPriceOf = (line: BillLine): bigint => pricedOf(line).unitPrice

/** Steps 1 and 2. */
function subtotalOf(unit: bigint, line: BillLine) {
  const { intervals, modifiers, unitPrice } = pricedOf(line)
  const times = (intervals ? SCALE : BigInt(line.count)) * BigInt(line.portion_size) // a timer's price is counted once
  const amountOf = (price: bigint) => roundTo(unit, price * times, SCALE * SCALE)
  return { intervals, unitPrice, modifiers: modifiers.map(amountOf), subtotal: amountOf(unitPrice) }
}

/** The intervals begun within the line's minutes, by price. */
function intervalsOf(line: BillLine, { interval, prices }: Timer): { count: bigint; price: bigint }[] {
  const minutes = BigInt(interval) * SCALE
  /** How many intervals begin before an instant. */
  const before = (from: bigint) => (from <= 0n ? 0n : minutes <= 0n ? 1n : (from + minutes - 1n) / minutes)
  const begun = before(BigInt(line.count))
  const steps = [...prices].sort((one, other) => one.from - other.from) // stable: of two from the same minute the last one applies
  const ends = [...steps.map(({ from }) => smaller(begun, before(BigInt(from)))), begun]
  return [line, ...steps]
    .map(({ price }, index) => ({ count: ends[index]! - (ends[index - 1] ?? 0n), price: BigInt(price) }))
    .filter(({ count }) => count > 0n)
}

/** Step 3. */
const lineDiscount = (unit: bigint, line: BillLine, subtotal: bigint): bigint =>
  line.is_gift ? subtotal : discountOf(unit, line, subtotal)

function discountOf(
  unit: bigint,
  { discount_type, discount_value }: Pick<Bill, 'discount_type' | 'discount_value'>,
  base: bigint,
): bigint {
  const value = BigInt(discount_value)
  if (discount_type === PERCENT_OFF) return roundTo(unit, base * value, PERCENT)
  if (discount_type === AMOUNT_OFF) return smaller(roundTo(unit, value, 1n), base) // P8: an imported group's may have more places
  return 0n
}

interface Taxed {
  readonly total: bigint
  readonly taxes: readonly BillTax[]
}

// A rate that changed while the receipt was open is another tax: its lines were added under another rule.
const isSame = (one: BillTax, other: BillTax) =>
  one.id === other.id && one.rate === other.rate && one.included === other.included

/**
 * Step 8. A tax of rate r takes T × r ÷ (100 + R) of a line total T whose included rates add up to R, whether it is included or not. Over
 * the common multiple of all 100 + R these fractions are integers, so they are added and shared exactly.
 */
function taxTotals(unit: bigint, lines: readonly Taxed[]) {
  const divisors = lines.map(
    ({ taxes }) => PERCENT + BigInt(taxes.reduce((rates, { rate, included }) => rates + (included ? rate : 0), 0)),
  )
  const common = divisors.reduce(leastCommonMultiple, 1n)
  const nets = lines.map(({ total }, index) => (total * common) / divisors[index]!) // over `common`, ÷ PERCENT
  const taxes: BillTax[] = []
  for (const tax of lines.flatMap((line) => line.taxes)) if (!taxes.some((known) => isSame(known, tax))) taxes.push(tax)
  return taxes
    .sort((one, other) => one.id - other.id)
    .map((tax) => {
      const borne = lines.map((line, index) => (line.taxes.some((each) => isSame(each, tax)) ? nets[index]! : 0n))
      const amount = roundTo(unit, sum(borne) * BigInt(tax.rate), common)
      const base = roundTo(unit, sum(borne) * PERCENT, common)
      return { tax, base, amount, shares: shareOut(unit, amount, borne) }
    })
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)

const leastCommonMultiple = (one: bigint, other: bigint): bigint => (one / greatestCommonDivisor(one, other)) * other

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  return other === 0n ? one : greatestCommonDivisor(other, one % other)
}

function toNumber(value: bigint): number {
  if (value > LARGEST || value < -LARGEST) throw new AmountTooLarge('The total is too large.')
  return Number(value)
}
