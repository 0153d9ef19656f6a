import assert from 'node:assert/strict'
import test from 'node:test'
import { Refusal } from '../../http/errors.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'
import {
  earnedCashback,
  type Method,
  paidByMethod,
  readPayments,
  refuseOtherPart,
  refuseOtherSum,
  withPayments,
} from './payments.ts'

const METHODS = new Map<number, Method>(
  (
    [
      { id: 1, name: 'Cash', kind: 'CASH' },
      { id: 2, name: 'Card', kind: 'CARD' },
      { id: 3, name: 'Balance', kind: 'CUSTOMER' },
      { id: 4, name: 'Cashback', kind: 'CASHBACK' },
      { id: 5, name: 'Voucher', kind: 'OTHER', status: { 1: 0, 2: 1 } },
      { id: 6, name: 'Invoice', kind: 'OTHER', customer_required: 1 },
    ] as const
  ).map((method) => [method.id, method]),
)

const wholeOf = (more: Partial<WholeReceipt['receipt']> = {}): WholeReceipt => ({
  receipt: { id: 1, venue_id: 1, status: 1, total: 20, paid: 0, remaining: 20, payment_methods: [], ...more },
  rule: 1,
  terms: { money_places: 2 },
  lines: [],
})

/** What is wrong, by field and rule. */
function faultsOf(work: () => unknown): string[] {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.equal(error.status, 400)
    const { errors } = error.body.details as { errors: { field: string; rule: string; message: string }[] }
    return errors.map(({ field, rule, message }) => (rule === 'sum' || rule === 'same' ? message : `${field} ${rule}`))
  }
  return []
}

test('a payment is by a method that the venue has on, of an amount that can be paid', () => {
  const read = (payments: { id: number; amount: number }[], more: Partial<WholeReceipt['receipt']> = {}) =>
    faultsOf(() => readPayments(payments, wholeOf(more), METHODS))
  assert.deepEqual(read([{ id: 1, amount: 12.35 }]), [])
  assert.deepEqual(read([{ id: 9, amount: 1 }]), ['payment_methods[0].id exists'])
  assert.deepEqual(read([{ id: 5, amount: 1 }]), ['payment_methods[0].id active'])
  assert.deepEqual(read([{ id: 5, amount: 1 }], { venue_id: 2 }), [])
  for (const id of [3, 4, 6]) {
    assert.deepEqual(read([{ id, amount: 1 }]), ['payment_methods[0].id customer'])
    assert.deepEqual(read([{ id, amount: 1 }], { customer_id: 7 }), [])
  }
  assert.deepEqual(
    read([
      { id: 1, amount: 0 },
      { id: 2, amount: -1 },
      { id: 2, amount: 1.005 },
    ]),
    ['payment_methods[0].amount minimum', 'payment_methods[1].amount minimum', 'payment_methods[2].amount decimals'],
  )
  assert.deepEqual(read(Array.from({ length: 51 }, () => ({ id: 1, amount: 1 }))), ['payment_methods maximum'])
})

test('a receipt is closed by what remains, and a wrong sum or total is refused naming both', () => {
  const pay = (amounts: number[], total?: number, more: Partial<WholeReceipt['receipt']> = {}) => {
    const whole = wholeOf(more)
    const payments = amounts.map((amount) => ({ id: 1, amount }))
    return faultsOf(() => refuseOtherSum(whole, readPayments(payments, whole, METHODS), total))
  }
  assert.deepEqual(pay([12.5, 7.5]), [])
  assert.deepEqual(pay([12.5, 7.5], 20), [])
  assert.deepEqual(pay([12.5]), ['The payments add up to 12.5, and 20 remains.'])
  assert.deepEqual(pay([20.01]), ['The payments add up to 20.01, and 20 remains.'])
  assert.deepEqual(pay([20], 19.99), ['total is 19.99, and that of the receipt is 20.'])
  assert.deepEqual(pay([], undefined, { paid: 20, remaining: 0 }), [])
  assert.deepEqual(pay([], 0, { total: 0, remaining: 0 }), [])
  assert.deepEqual(pay([]), ['The payments add up to 0, and 20 remains.'])
  assert.deepEqual(pay([0.1, 0.2], undefined, { remaining: 0.3 }), [], 'no binary fractions')
})

test('a part is above nothing and at most what remains', () => {
  const part = (amounts: number[]) =>
    faultsOf(() =>
      refuseOtherPart(
        wholeOf(),
        amounts.map((amount) => ({ method: METHODS.get(1)!, amount: amount * 10_000 })),
      ),
    )
  assert.deepEqual(part([20]), [])
  assert.deepEqual(part([]), ['Give at least one payment.'])
  assert.deepEqual(part([15, 6]), ['The payments add up to 21, and 20 remains.'])
})

test('payments are added to those that are there, and sums by method and by cash follow', () => {
  const before = wholeOf({ paid: 5, remaining: 15, payment_methods: [{ id: 2, name: 'Card', amount: 5 }] })
  const payments = readPayments(
    [
      { id: 1, amount: 10.1 },
      { id: 2, amount: 4.9 },
    ],
    before,
    METHODS,
  )
  const { receipt } = withPayments(before, payments)
  assert.deepEqual(receipt.payment_methods, [
    { id: 2, name: 'Card', amount: 5 },
    { id: 1, name: 'Cash', amount: 10.1 },
    { id: 2, name: 'Card', amount: 4.9 },
  ])
  assert.deepEqual([receipt.paid, receipt.remaining], [20, 0])
  const refunded = { ...receipt, payment_methods: [{ id: 2, name: 'Card', amount: -3 }] }
  assert.deepEqual(
    [...paidByMethod([receipt, refunded])],
    [
      [2, 69_000],
      [1, 101_000],
    ],
  )
})

test('S7: cashback is earned on what was not paid with the customer’s own balances', () => {
  const payments = [1, 2, 3, 4].map((id) => ({ method: METHODS.get(id)!, amount: 33_300 }))
  assert.deepEqual(earnedCashback(payments, 50_000, 2), { base: 66_600, earned: 3_300 }) // 5 % of 6.66
  assert.deepEqual(earnedCashback(payments, 50_000, 4), { base: 66_600, earned: 3_330 })
  assert.deepEqual(earnedCashback(payments, 0, 2), { base: 66_600, earned: 0 })
})
