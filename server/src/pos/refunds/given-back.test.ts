import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { toScaled } from '../../values/values.ts'
import { type Bill, type BillLine, type BillTax, totalsOf } from '../totals.ts'
import { type GivenBack, NOTHING_BACK, type RefundAmounts, refundAmounts } from './given-back.ts'

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
const taxOf = (id: number, rate: number, included: boolean): BillTax => ({
  id,
  name: `tax ${id}`,
  rate: scaled(rate),
  included,
})
const ten = taxOf(1, 10, true)
const billOf = (lines: readonly BillLine[], more: Partial<Bill> = {}): Bill => ({
  money_places: 2,
  lines,
  discount_type: 0,
  discount_value: 0,
  service_charge: 0,
  delivery_fee: 0,
  ...more,
})
const back = (counts: Record<number, number>, delivery_fee = false): GivenBack => ({
  counts: new Map(Object.entries(counts).map(([id, count]) => [Number(id), scaled(count)])),
  delivery_fee,
})

/** What a refund must leave as it is: the amounts of a receipt with the sign turned. */
const wholeOf = (bill: Bill) => {
  const { lines, subtotal, total_discount, service_charge_value, delivery_fee, i_tax, e_tax, total_tax, total, taxes } =
    totalsOf(bill)
  return {
    amounts: [subtotal, total_discount, service_charge_value, delivery_fee, i_tax, e_tax, total_tax, total],
    lines: lines.map((line) => [
      line.id,
      line.subtotal,
      line.total_discount,
      line.receipt_discount,
      line.total,
      ...line.modifiers,
      ...line.taxes.map(({ amount }) => amount),
    ]),
    taxes: taxes
      .filter(({ base, amount }) => base !== 0 || amount !== 0)
      .map(({ id, rate, base, amount }) => [id, rate, base, amount]),
  }
}
const added = (one: readonly number[] = [], other: readonly number[]) =>
  other.map((value, index) => (one[index] ?? 0) + value)

/** The sum of several refunds, as positive amounts. */
function sumOf(refunds: readonly RefundAmounts[]) {
  let amounts: number[] = []
  const lines = new Map<number, number[]>()
  const taxes = new Map<string, number[]>()
  for (const refund of refunds) {
    const { subtotal, total_discount, service_charge_value, delivery_fee, i_tax, e_tax, total_tax, total } = refund
    amounts = added(
      amounts,
      [subtotal, total_discount, service_charge_value, delivery_fee, i_tax, e_tax, total_tax, total].map(
        (each) => -each,
      ),
    )
    for (const line of refund.lines) {
      const values = [
        line.subtotal,
        line.total_discount,
        line.receipt_discount,
        line.total,
        ...line.modifiers,
        ...line.taxes.map(({ amount }) => amount),
      ]
      lines.set(
        line.id,
        added(
          lines.get(line.id),
          values.map((each) => -each),
        ),
      )
    }
    for (const { id, rate, included, base, amount } of refund.taxes)
      taxes.set(`${id} ${rate} ${included}`, added(taxes.get(`${id} ${rate} ${included}`), [-base, -amount]))
  }
  return {
    amounts,
    lines: [...lines].sort(([one], [other]) => one - other).map(([id, values]) => [id, ...values]),
    taxes: [...taxes]
      .map(([key, values]) => [...key.split(' ').slice(0, 2).map(Number), ...values] as number[])
      .filter(([, , base, amount]) => base !== 0 || amount !== 0)
      .sort(([one], [other]) => one! - other!),
  }
}

test('a third of a line, then the rest: the cents are those of the receipt', () => {
  const bill = billOf([lineOf(1, 3.33, { count: scaled(3), taxes: [ten] })], {
    discount_type: 2,
    discount_value: scaled(1),
    service_charge: scaled(10),
    charge_tax: ten,
  })
  // subtotal 9.99, discount 1.00, line total 8.99, service 0.90
  const first = refundAmounts(bill, NOTHING_BACK, back({ 1: 1 }))
  assert.deepEqual(
    [first.subtotal, first.total_discount, first.service_charge_value, first.total],
    [-3.33, -0.33, -0.3, -3.3].map(scaled),
  )
  const second = refundAmounts(bill, back({ 1: 1 }), back({ 1: 2 }))
  const third = refundAmounts(bill, back({ 1: 2 }), back({ 1: 3 }))
  assert.deepEqual(sumOf([first, second, third]), wholeOf(bill))
})

test('the delivery fee and its tax go back only where they are asked for', () => {
  const bill = billOf([lineOf(1, 12, { taxes: [ten] })], { delivery_fee: scaled(3.5), charge_tax: ten })
  const lines = refundAmounts(bill, NOTHING_BACK, back({ 1: 1 }))
  assert.deepEqual([lines.delivery_fee, lines.total], [0, scaled(-12)])
  const fee = refundAmounts(bill, back({ 1: 1 }), back({ 1: 1 }, true))
  assert.deepEqual([fee.lines, fee.delivery_fee, fee.total], [[], scaled(-3.5), scaled(-3.5)])
  assert.deepEqual(sumOf([lines, fee]), wholeOf(bill))
})

const amount = (places: number, most: number) =>
  fc.integer({ min: 0, max: most * 10 ** places }).map((units) => units * 10 ** (4 - places))
const taxes = fc.subarray([taxOf(1, 10, true), taxOf(2, 20, true), taxOf(3, 7.7, false), taxOf(4, 0, true)])
const discount = (places: number) =>
  fc.oneof(
    fc.constant({ discount_type: 0, discount_value: 0 }),
    fc.integer({ min: 0, max: 1_000_000 }).map((value) => ({ discount_type: 1, discount_value: value })),
    amount(places, 30).map((value) => ({ discount_type: 2, discount_value: value })),
  )
const bills = fc.integer({ min: 0, max: 4 }).chain((money_places) =>
  fc.record({
    money_places: fc.constant(money_places),
    lines: fc
      .array(
        fc
          .record({
            price: fc.integer({ min: 0, max: 500_000 }),
            count: fc.oneof(
              fc.integer({ min: 1, max: 7 }).map((count) => count * 10_000),
              fc.integer({ min: 1, max: 30_000 }),
            ),
            extra: fc.integer({ min: 0, max: 30_000 }),
            own: discount(money_places),
            is_gift: fc.boolean(),
            discountable: fc.boolean(),
            ignore_service_charge: fc.boolean(),
            taxes,
          })
          .map(({ own, extra, ...line }) => ({ ...line, ...own, modifiers: [{ id: 1, price: extra, count: 2 }] })),
        { minLength: 1, maxLength: 5 },
      )
      .map((lines) => lines.map((line, index) => lineOf(index + 1, 0, line))),
    off: discount(money_places),
    service_charge: fc.integer({ min: 0, max: 250_000 }),
    delivery_fee: amount(money_places, 5),
    charge_tax: fc.option(fc.constantFrom(taxOf(1, 10, true), taxOf(3, 7.7, false)), { nil: undefined }),
  }),
)

/** A bill and a way to give all of it back: shuffled pieces of the lines' counts, some of them together, and the fee. */
const ways = fc
  .record({ bill: bills, seeds: fc.array(fc.nat({ max: 1_000_000 }), { minLength: 40, maxLength: 40 }) })
  .map(({ bill: { off, ...rest }, seeds }) => {
    let index = 0
    const next = (below: number) => seeds[index++ % seeds.length]! % below
    const bill: Bill = { ...rest, ...off }
    const pieces = bill.lines.flatMap(({ id, count }) => {
      const cuts = Array.from({ length: next(4) }, () => 1 + next(count)).filter((cut) => cut < count)
      const ends = [...new Set([...cuts, count])].sort((one, other) => one - other)
      return ends.map((end, index) => ({ id, count: end - (ends[index - 1] ?? 0) }))
    })
    const order = [...pieces, 'fee' as const].map((piece) => ({ piece, key: next(1_000) }))
    order.sort((one, other) => one.key - other.key)
    const states: GivenBack[] = [NOTHING_BACK]
    for (const { piece } of order) {
      const last = states.at(-1)!
      const counts = new Map(last.counts)
      if (piece !== 'fee') counts.set(piece.id, (counts.get(piece.id) ?? 0) + piece.count)
      const state = { counts, delivery_fee: last.delivery_fee || piece === 'fee' }
      if (states.length > 1 && next(3) === 0) states[states.length - 1] = state
      else states.push(state)
    }
    return { bill, states }
  })

test('P19: all of a receipt, given back in any parts, is the receipt; no part costs the guest money', () => {
  fc.assert(
    fc.property(ways, ({ bill, states }) => {
      const refunds = states.slice(1).map((state, index) => refundAmounts(bill, states[index]!, state))
      assert.deepEqual(sumOf(refunds), wholeOf(bill))
      const unit = 10 ** (4 - bill.money_places)
      for (const refund of refunds) {
        const { subtotal, total_discount, service_charge_value, delivery_fee, e_tax, i_tax, total } = refund
        assert.equal(total, subtotal - total_discount + service_charge_value + delivery_fee + e_tax)
        const lines = refund.lines.reduce((sum, line) => sum + line.total, 0)
        assert.equal(total, lines + service_charge_value + delivery_fee + e_tax, 'step 9')
        assert.equal(i_tax + e_tax, refund.total_tax)
        for (const value of [subtotal, service_charge_value, delivery_fee, e_tax, i_tax, total]) {
          assert.ok(value <= 0, 'no part costs the guest money')
          assert.equal(Math.abs(value % unit), 0, 'and each can be paid')
        }
        for (const line of refund.lines) {
          assert.ok(line.count < 0 && line.subtotal <= 0 && line.total <= 0)
          assert.equal(line.total, line.subtotal - line.total_discount - line.receipt_discount)
        }
      }
    }),
    { numRuns: 1_000 },
  )
})
