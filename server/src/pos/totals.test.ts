import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { toScaled } from '../values/values.ts'
import { calculationOf } from './calculation.ts'
import { AmountTooLarge, type Bill, type BillLine, type BillTax, type Totals, totalsOf } from './totals.ts'

const scaled = (amount: number) => toScaled(amount)!
const lineOf = (id: number, price: number, more: Partial<BillLine> = {}): BillLine => ({
  id,
  price: scaled(price),
  modifiers: [],
  count: scaled(1),
  portion_size: scaled(1),
  discount_type: 0,
  discount_value: 0,
  is_gift: false,
  discountable: true,
  ignore_service_charge: false,
  taxes: [],
  ...more,
})
const billOf = (lines: readonly BillLine[], more: Partial<Bill> = {}): Bill => ({
  money_places: 2,
  lines,
  discount_type: 0,
  discount_value: 0,
  service_charge: 0,
  delivery_fee: 0,
  ...more,
})
const taxOf = (id: number, rate: number, included = true): BillTax => ({
  id,
  name: `tax ${id}`,
  rate: scaled(rate),
  included,
})
const each = (totals: Totals, member: 'subtotal' | 'total_discount' | 'receipt_discount' | 'total') =>
  totals.lines.map((line) => line[member] / 10_000)

const ten = taxOf(1, 10)
const twenty = taxOf(2, 20)
const EVENING = billOf(
  [
    lineOf(1, 14.9, {
      count: scaled(2),
      modifiers: [{ id: 7, price: scaled(1.8), count: 1 }],
      taxes: [ten],
    }),
    lineOf(2, 4.5, { taxes: [ten] }),
    lineOf(3, 6.2, { taxes: [twenty] }),
  ],
  { discount_type: 1, discount_value: scaled(10), service_charge: scaled(10), charge_tax: ten },
)

test('P11, first vector: percent off, service charge and two included taxes', () => {
  const totals = totalsOf(EVENING)
  assert.equal(totals.subtotal, scaled(44.1))
  assert.equal(totals.total_discount, scaled(4.41))
  assert.deepEqual(each(totals, 'receipt_discount'), [3.34, 0.45, 0.62])
  assert.equal(totals.service_charge_value, scaled(3.97))
  assert.equal(totals.total, scaled(43.66))
  assert.deepEqual(
    totals.taxes.map(({ id, base, amount }) => [id, base, amount]),
    [
      [1, scaled(34.62), scaled(3.46)],
      [2, scaled(4.65), scaled(0.93)],
    ],
  )
  assert.equal(totals.i_tax, scaled(4.39))
  assert.equal(totals.e_tax, 0)
})

test('P11, second vector: an amount off is shared by largest remainder, ties to the line that stands first', () => {
  const bill = billOf([lineOf(9, 3.33), lineOf(4, 3.33), lineOf(6, 3.33)], {
    discount_type: 2,
    discount_value: scaled(1),
  })
  assert.deepEqual(
    totalsOf(bill).lines.map(({ id, receipt_discount }) => [id, receipt_discount]),
    [
      [9, scaled(0.34)],
      [4, scaled(0.33)],
      [6, scaled(0.33)],
    ],
  )
})

test('P11, third vector: 0.345 kg at 12.90 cost 4.45', () => {
  assert.equal(totalsOf(billOf([lineOf(1, 12.9, { count: scaled(0.345) })])).total, scaled(4.45))
})

test('P11, fourth vector: an excluded tax is rounded once a receipt', () => {
  const tax = taxOf(1, 18, false)
  const totals = totalsOf(billOf([1, 2, 3].map((id) => lineOf(id, 1.04, { taxes: [tax] }))))
  assert.equal(totals.e_tax, scaled(0.56))
  assert.equal(totals.total, scaled(3.68))
  assert.deepEqual(
    totals.lines.map(({ taxes }) => taxes[0]!.amount),
    [scaled(0.19), scaled(0.19), scaled(0.18)],
  )
})

test('an amount off with more places than the money has is rounded (P8), and its shares add up (P9)', () => {
  for (const [value, off] of [
    [1.005, 1.01],
    [0.004, 0],
    [29.0999, 29.1],
    [50.001, 29.1],
  ] as const) {
    const discount = { discount_type: 2, discount_value: scaled(value) }
    const totals = totalsOf(billOf([lineOf(1, 14.9), lineOf(2, 4.5), lineOf(3, 9.7)], discount))
    assert.equal(totals.total_discount, scaled(off))
    assert.equal(
      totals.lines.reduce((sum, { receipt_discount }) => sum + receipt_discount, 0),
      scaled(off),
    )
    assert.equal(totals.total, totals.subtotal - totals.total_discount)
    assert.equal(totalsOf(billOf([lineOf(1, 29.1, discount)])).total_discount, scaled(off), 'of a line as well')
  }
})

test('P11, fifth vector: an amount above the bill takes all of it, and the fee stays', () => {
  const totals = totalsOf(
    billOf([lineOf(1, 12)], { discount_type: 2, discount_value: scaled(50), delivery_fee: scaled(3.5) }),
  )
  assert.equal(totals.total_discount, scaled(12))
  assert.equal(totals.total, scaled(3.5))
})

test('a line has its own discount, a gift costs nothing and takes no share of the receipt’s', () => {
  const totals = totalsOf(
    billOf(
      [
        lineOf(1, 10, { discount_type: 1, discount_value: scaled(12.5) }),
        lineOf(2, 10, { discount_type: 2, discount_value: scaled(99) }),
        lineOf(3, 10, { is_gift: true }),
        lineOf(4, 10, { discountable: false }),
        lineOf(5, 10),
      ],
      { discount_type: 1, discount_value: scaled(20) },
    ),
  )
  assert.deepEqual(each(totals, 'total_discount'), [1.25, 10, 10, 0, 0])
  assert.deepEqual(each(totals, 'receipt_discount'), [1.75, 0, 0, 0, 2])
  assert.deepEqual(each(totals, 'total'), [7, 0, 0, 10, 8])
})

test('a product that ignores the service charge bears none of it', () => {
  const totals = totalsOf(
    billOf([lineOf(1, 20), lineOf(2, 30, { ignore_service_charge: true })], { service_charge: scaled(12.5) }),
  )
  assert.equal(totals.service_charge_value, scaled(2.5))
})

test('a tax on the service charge and the fee is shared with the lines, these last', () => {
  const tax = taxOf(1, 50, false)
  const bill = billOf([lineOf(1, 0.01, { taxes: [tax] })], {
    service_charge: scaled(100),
    delivery_fee: scaled(0.01),
    charge_tax: tax,
  })
  const totals = totalsOf(bill) // three times half a cent are two cents
  assert.equal(totals.e_tax, scaled(0.02))
  const [{ lines, on_service_charge, on_delivery_fee }] = totals.taxes as [Totals['taxes'][number]]
  assert.deepEqual([lines[0]!.amount, on_service_charge, on_delivery_fee], [scaled(0.01), scaled(0.01), 0])
})

test('a timer costs the intervals begun, each at the price of its start, once', () => {
  const timer = {
    interval: 30,
    prices: [
      { from: 0, price: scaled(6) },
      { from: scaled(60), price: scaled(4) },
      { from: scaled(100), price: scaled(1) },
    ],
  }
  const costs = (minutes: number, more: Partial<BillLine> = {}) =>
    totalsOf(billOf([lineOf(1, 99, { count: scaled(minutes), timer, ...more })])).total / 10_000
  assert.equal(costs(1), 6)
  assert.equal(costs(30), 6)
  assert.equal(costs(31), 12)
  assert.equal(costs(60), 12)
  assert.equal(costs(61), 16)
  assert.equal(costs(120), 20, 'the interval from minute 90 begins before minute 100')
  assert.equal(costs(121), 21)
  assert.equal(costs(61, { modifiers: [{ id: 1, price: scaled(2.5), count: 2 }] }), 21)
  assert.equal(costs(61, { timer: { interval: 30, prices: [{ from: scaled(30), price: scaled(1) }] } }), 101)
  assert.equal(costs(61, { timer: { interval: 0, prices: [] } }), 99)
})

test('money without places is rounded to whole units, with four places not at all', () => {
  const line = lineOf(1, 0.1235, { count: scaled(3) })
  assert.equal(totalsOf(billOf([line], { money_places: 4 })).total, scaled(0.3705))
  assert.equal(totalsOf(billOf([lineOf(1, 0.5)], { money_places: 0 })).total, scaled(1))
})

test('a total that the wire cannot carry is refused', () => {
  assert.throws(() => totalsOf(billOf([lineOf(1, 1e10, { count: scaled(11) })])), AmountTooLarge)
})

test('the calculation explains the first vector step by step', () => {
  const { rule, money_places, steps } = calculationOf(EVENING)
  assert.deepEqual([rule, money_places], [1, 2])
  assert.deepEqual(
    steps.map(({ step, name }) => `${step} ${name}`),
    [
      '1 unit price',
      '2 subtotal',
      '3 line discount',
      '4 receipt discount',
      '5 shares of the receipt discount',
      '6 service charge',
      '7 delivery fee',
      '8 taxes',
      '9 total',
    ],
  )
  assert.deepEqual(steps[0]!.lines, [
    { id: 1, price: 14.9, modifiers: [{ id: 7, price: 1.8, count: 1 }], value: 16.7 },
    { id: 2, price: 4.5, modifiers: [], value: 4.5 },
    { id: 3, price: 6.2, modifiers: [], value: 6.2 },
  ])
  assert.deepEqual(steps[3], {
    step: 4,
    name: 'receipt discount',
    base: 44.1,
    discount_type: 1,
    discount_value: 10,
    value: 4.41,
  })
  assert.deepEqual(steps[7], {
    step: 8,
    name: 'taxes',
    taxes: [
      {
        id: 1,
        name: 'tax 1',
        rate: 10,
        included: true,
        base: 34.62,
        lines: [
          { id: 1, value: 2.73 },
          { id: 2, value: 0.37 },
        ],
        on_service_charge: 0.36,
        on_delivery_fee: 0,
        value: 3.46,
      },
      {
        id: 2,
        name: 'tax 2',
        rate: 20,
        included: true,
        base: 4.65,
        lines: [{ id: 3, value: 0.93 }],
        on_service_charge: 0,
        on_delivery_fee: 0,
        value: 0.93,
      },
    ],
    i_tax: 4.39,
    e_tax: 0,
    value: 4.39,
  })
  assert.deepEqual(steps[8], {
    step: 9,
    name: 'total',
    lines: 39.69,
    service_charge: 3.97,
    delivery_fee: 0,
    e_tax: 0,
    value: 43.66,
  })
})

// The same rules once more, over fractions of integers: slow, and with nothing that could be rounded by mistake.

class Fraction {
  readonly over: bigint
  readonly under: bigint
  constructor(over: bigint, under = 1n) {
    this.over = over
    this.under = under
  }
  plus = (other: Fraction) => new Fraction(this.over * other.under + other.over * this.under, this.under * other.under)
  minus = (other: Fraction) => this.plus(new Fraction(-other.over, other.under))
  times = (other: Fraction) => new Fraction(this.over * other.over, this.under * other.under)
  dividedBy = (other: Fraction) => new Fraction(this.over * other.under, this.under * other.over)
  isBelow = (other: Fraction) => this.over * other.under < other.over * this.under
  floor = () => this.over / this.under // not negative here
}
const ZERO = new Fraction(0n)
const HALF = new Fraction(1n, 2n)
const HUNDRED = new Fraction(100n)
const fraction = (value: number) => new Fraction(BigInt(value), 10_000n)
const adding = (values: readonly Fraction[]) => values.reduce((sum, value) => sum.plus(value), ZERO)
const toUnits = (value: Fraction, places: number) =>
  value
    .times(new Fraction(10n ** BigInt(places)))
    .plus(HALF)
    .floor()
const fromUnits = (units: bigint, places: number) => new Fraction(units, 10n ** BigInt(places))

/** P9, one unit at a time to the largest remainder that is left. */
function shared(units: bigint, weights: readonly Fraction[]): bigint[] {
  const whole = adding(weights)
  if (whole.over === 0n) return weights.map(() => 0n)
  const exact = weights.map((weight) => new Fraction(units).times(weight).dividedBy(whole))
  const shares = exact.map((share) => share.floor())
  const left = exact.map((share, index) => share.minus(new Fraction(shares[index]!)))
  for (let missing = units - shares.reduce((sum, share) => sum + share, 0n); missing > 0n; missing -= 1n) {
    const first = left.reduce((best, rest, index) => (left[best]!.isBelow(rest) ? index : best), 0)
    shares[first]! += 1n
    left[first] = new Fraction(-1n)
  }
  return shares
}

/** Step 2 of a timer, one interval after the other. */
function timed({ count, price }: BillLine, { interval, prices }: NonNullable<BillLine['timer']>): Fraction {
  let sum = ZERO
  for (let start = 0; start < count; start += interval * 10_000)
    sum = sum.plus(fraction(prices.findLast(({ from }) => from <= start)?.price ?? price))
  return sum
}

function byFractions(bill: Bill) {
  const { money_places: places } = bill
  const rounded = (value: Fraction) => fromUnits(toUnits(value, places), places)
  const discount = (type: number, value: number, base: Fraction) =>
    type === 1
      ? rounded(base.times(fraction(value)).dividedBy(HUNDRED))
      : type === 2
        ? fraction(value).isBelow(base)
          ? fraction(value)
          : base
        : ZERO
  const { lines } = bill
  const subtotals = lines.map((line) => {
    const unit = adding([
      line.timer ? timed(line, line.timer) : fraction(line.price),
      ...line.modifiers.map(({ price, count }) => fraction(price).times(new Fraction(BigInt(count)))),
    ])
    const count = line.timer ? new Fraction(1n) : fraction(line.count)
    return rounded(unit.times(count).times(fraction(line.portion_size)))
  })
  const own = lines.map((line, index) =>
    line.is_gift ? subtotals[index]! : discount(line.discount_type, line.discount_value, subtotals[index]!),
  )
  const bases = lines.map((line, index) =>
    line.discountable && !line.is_gift ? subtotals[index]!.minus(own[index]!) : ZERO,
  )
  const off = discount(bill.discount_type, bill.discount_value, adding(bases))
  const shares = shared(toUnits(off, places), bases).map((units) => fromUnits(units, places))
  const totals = lines.map((_, index) => subtotals[index]!.minus(own[index]!).minus(shares[index]!))
  const service = rounded(
    adding(totals.filter((_, index) => !lines[index]!.ignore_service_charge))
      .times(fraction(bill.service_charge))
      .dividedBy(HUNDRED),
  )
  const fee = fraction(bill.delivery_fee)
  const charged = bill.charge_tax ? [bill.charge_tax] : []
  const bearers = [
    ...lines.map(({ taxes }, index) => ({ total: totals[index]!, taxes })),
    { total: service, taxes: charged },
    { total: fee, taxes: charged },
  ]
  const ids = [...new Set(bearers.flatMap(({ taxes }) => taxes.map(({ id }) => id)))].sort((one, other) => one - other)
  const taxes = ids.map((id) => {
    const exact = bearers.map(({ total, taxes: borne }) => {
      const tax = borne.find((one) => one.id === id)
      const rates = HUNDRED.plus(adding(borne.filter(({ included }) => included).map(({ rate }) => fraction(rate))))
      if (!tax) return { amount: ZERO, base: ZERO, included: false }
      const base = total.times(HUNDRED).dividedBy(rates)
      const amount = tax.included
        ? total.times(fraction(tax.rate)).dividedBy(rates)
        : base.times(fraction(tax.rate)).dividedBy(HUNDRED)
      return { amount, base, included: tax.included }
    })
    const amount = toUnits(adding(exact.map((one) => one.amount)), places)
    return {
      id,
      included: exact.some(({ included }) => included),
      amount: fromUnits(amount, places),
      base: rounded(adding(exact.map(({ base }) => base))),
      parts: shared(
        amount,
        exact.map((one) => one.amount),
      ).map((units) => fromUnits(units, places)),
    }
  })
  const excluded = adding(taxes.filter(({ included }) => !included).map(({ amount }) => amount))
  return {
    subtotals,
    own,
    shares,
    totals,
    service,
    taxes,
    subtotal: adding(subtotals),
    excluded,
    total: adding([...totals, service, fee, excluded]),
  }
}

const number = ({ over, under }: Fraction) => {
  assert.equal((over * 10_000n) % under, 0n)
  return Number((over * 10_000n) / under)
}

const anyOf = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)
const amount = (places: number, most: number) =>
  fc.integer({ min: 0, max: most * 10 ** places }).map((units) => units * 10 ** (4 - places))
const quantity = fc.oneof(
  fc.integer({ min: 1, max: 20 }).map((whole) => whole * 10_000),
  fc.integer({ min: 1, max: 50_000 }),
)
const rate = fc.oneof(anyOf(0, 5, 7.7, 10, 18, 20, 100, 1000).map(scaled), fc.integer({ min: 0, max: 10_000_000 }))
const discountOf = (places: number) =>
  fc.oneof(
    fc.constant({ discount_type: 0, discount_value: 0 }),
    fc.integer({ min: 0, max: 1_000_000 }).map((value) => ({ discount_type: 1, discount_value: value })),
    amount(places, 200).map((value) => ({ discount_type: 2, discount_value: value })),
  )
const timers = fc.record({
  interval: fc.integer({ min: 1, max: 60 }),
  prices: fc
    .array(fc.record({ price: amount(2, 20), from: fc.integer({ min: 0, max: 30 }).map((from) => from * 10_000) }), {
      maxLength: 3,
    })
    .map((prices) => prices.sort((one, other) => one.from - other.from)),
})
const bills = fc.integer({ min: 0, max: 4 }).chain((money_places) =>
  fc.array(fc.record({ rate, included: fc.boolean() }), { maxLength: 4 }).chain((rates) => {
    const taxes: BillTax[] = rates.map((tax, index) => ({ id: index + 1, name: `tax ${index + 1}`, ...tax }))
    const line = fc
      .record({
        id: fc.integer({ min: 1, max: 1_000 }),
        price: fc.oneof(amount(2, 100), fc.integer({ min: 0, max: 10_000_000 })),
        modifiers: fc.array(
          fc.record({ id: fc.integer(), price: amount(4, 10), count: fc.integer({ min: 1, max: 5 }) }),
          { maxLength: 3 },
        ),
        count: quantity,
        timer: fc.option(timers, { nil: undefined, freq: 4 }),
        portion_size: fc.oneof({ weight: 4, arbitrary: fc.constant(10_000) }, quantity),
        discount: discountOf(money_places),
        is_gift: anyOf(false, false, false, true),
        discountable: anyOf(true, true, true, false),
        ignore_service_charge: anyOf(false, false, true),
        taxes: fc.subarray(taxes),
      })
      .map(({ discount, ...rest }): BillLine => ({ ...rest, ...discount }))
    return fc
      .record({
        lines: fc.uniqueArray(line, { maxLength: 12, selector: ({ id }) => id }),
        discount: discountOf(money_places),
        service_charge: rate,
        delivery_fee: amount(money_places, 20),
        charge_tax: anyOf(undefined, ...taxes),
      })
      .map(({ discount, ...rest }): Bill => ({ money_places, ...rest, ...discount }))
  }),
)

test('totals are those of exact fractions', () => {
  fc.assert(
    fc.property(bills, (bill) => {
      const totals = totalsOf(bill)
      const exact = byFractions(bill)
      assert.deepEqual(
        totals.lines.map(({ subtotal }) => subtotal),
        exact.subtotals.map(number),
      )
      assert.deepEqual(
        totals.lines.map(({ total_discount }) => total_discount),
        exact.own.map(number),
      )
      assert.deepEqual(
        totals.lines.map(({ receipt_discount }) => receipt_discount),
        exact.shares.map(number),
      )
      assert.deepEqual(
        totals.lines.map(({ total }) => total),
        exact.totals.map(number),
      )
      assert.equal(totals.service_charge_value, number(exact.service))
      assert.deepEqual(
        totals.taxes.map(({ id, base, amount: made }) => [id, base, made]),
        exact.taxes.map((tax) => [tax.id, number(tax.base), number(tax.amount)]),
      )
      for (const [index, { lines, on_service_charge, on_delivery_fee }] of totals.taxes.entries()) {
        const parts = exact.taxes[index]!.parts.map(number)
        assert.deepEqual([on_service_charge, on_delivery_fee], parts.slice(-2))
        for (const part of lines) assert.equal(part.amount, parts[totals.lines.findIndex(({ id }) => id === part.id)])
      }
      assert.equal(totals.subtotal, number(exact.subtotal))
      assert.equal(totals.e_tax, number(exact.excluded))
      assert.equal(totals.total, number(exact.total))
    }),
    { numRuns: 500 },
  )
})

const adds = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

test('parts add up to the whole, nothing is negative, and every amount can be paid', () => {
  fc.assert(
    fc.property(bills, (bill) => {
      const totals = totalsOf(bill)
      const { lines, taxes } = totals
      assert.equal(
        totals.total,
        totals.subtotal - totals.total_discount + totals.service_charge_value + totals.delivery_fee + totals.e_tax,
      )
      assert.equal(totals.subtotal, adds(lines.map(({ subtotal }) => subtotal)))
      assert.equal(totals.receipt_discount, adds(lines.map(({ receipt_discount }) => receipt_discount)))
      assert.equal(totals.total_tax, adds(taxes.map((tax) => tax.amount)))
      for (const line of lines) assert.equal(line.total, line.subtotal - line.total_discount - line.receipt_discount)
      for (const tax of taxes)
        assert.equal(
          tax.amount,
          adds(tax.lines.map((part) => part.amount)) + tax.on_service_charge + tax.on_delivery_fee,
        )
      const unit = 10 ** (4 - bill.money_places)
      const seen = [
        ...lines.flatMap((line) => [line.subtotal, line.total_discount, line.receipt_discount, line.total]),
        ...lines.flatMap((line) => line.taxes.map((tax) => tax.amount)),
        ...taxes.flatMap((tax) => [tax.base, tax.amount, tax.on_service_charge, tax.on_delivery_fee]),
        totals.total,
        totals.service_charge_value,
        totals.i_tax,
        totals.e_tax,
      ]
      for (const value of seen) assert.ok(value >= 0 && value % unit === 0, String(value))
    }),
    { numRuns: 500 },
  )
})

test('the ids of lines do not matter; their order decides only who gets the last unit', () => {
  const shuffled = bills.chain((bill) =>
    fc.record({
      bill: fc.constant(bill),
      order: fc.shuffledSubarray([...bill.lines], { minLength: bill.lines.length }),
    }),
  )
  fc.assert(
    fc.property(shuffled, ({ bill, order }) => {
      const totals = totalsOf(bill)
      const ids = new Map(bill.lines.map((line, index) => [line.id, order[index]!.id]))
      const renumbered = totalsOf({ ...bill, lines: bill.lines.map((line) => ({ ...line, id: ids.get(line.id)! })) })
      const amounts = ({ lines, taxes: _, ...sums }: Totals) => [sums, lines.map(({ id: __, ...line }) => line)]
      assert.deepEqual(amounts(renumbered), amounts(totals))

      const reordered = totalsOf({ ...bill, lines: order })
      const unit = 10 ** (4 - bill.money_places)
      for (const member of ['subtotal', 'receipt_discount', 'total_discount'] as const)
        assert.equal(reordered[member], totals[member])
      for (const [index, { id }] of order.entries()) {
        const [one, other] = [reordered.lines[index]!, totals.lines.find((line) => line.id === id)!]
        assert.equal(one.subtotal, other.subtotal)
        assert.ok(Math.abs(one.receipt_discount - other.receipt_discount) <= unit)
      }
    }),
    { numRuns: 300 },
  )
})
