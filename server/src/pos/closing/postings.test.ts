import assert from 'node:assert/strict'
import test from 'node:test'
import { type MovedOut, movementsBack } from '../refunds/stock-back.ts'
import { groupReached } from './customer.ts'
import type { Method } from './payments.ts'
import { postingsOf } from './postings.ts'

const CASH: Method = { id: 1, name: 'Cash', kind: 'CASH' }
const CARD: Method = { id: 2, name: 'Card', kind: 'CARD' }
const BALANCE: Method = { id: 3, name: 'Balance', kind: 'CUSTOMER' }
const paid = (method: Method, amount: number, balance_id: number) => ({ method, amount, balance_id })
const whole = { receipt: { id: 5, venue_id: 1 } }

test('accounts get what is paid, the customer’s balance gives it, and only cash belongs to the shift', () => {
  const payments = [paid(CASH, 50_000, 11), paid(CARD, 50_000, 12), paid(BALANCE, 50_000, 70)]
  const cashback = { base: 100_000, earned: 500, balance_id: 71 }
  assert.deepEqual(postingsOf(whole, { category: 'SALE', payments, cash_shift_id: 'shift', cashback }), [
    { balance_id: 11, category: 'SALE', amount: 50_000, receipt_id: 5, cash_shift_id: 'shift' },
    { balance_id: 12, category: 'SALE', amount: 50_000, receipt_id: 5 },
    { balance_id: 70, category: 'SALE', amount: -50_000, receipt_id: 5 },
    { balance_id: 71, category: 'CASHBACK', amount: 500, receipt_id: 5 },
  ])
})

test('a refund books the same with the signs turned, and takes cashback back below 0 if need be', () => {
  const payments = [paid(CASH, -50_000, 11), paid(BALANCE, -50_000, 70)]
  const cashback = { base: -50_000, earned: -500, balance_id: 71 }
  assert.deepEqual(postingsOf(whole, { category: 'REFUND', payments, cashback }), [
    { balance_id: 11, category: 'REFUND', amount: -50_000, receipt_id: 5 },
    { balance_id: 70, category: 'REFUND', amount: 50_000, receipt_id: 5 },
    { balance_id: 71, category: 'CASHBACK', amount: -500, receipt_id: 5, mayGoBelowZero: true },
  ])
  assert.deepEqual(postingsOf(whole, { category: 'SALE', payments: [] }), [])
})

test('P19: the parts of a movement that come back add up to it, in quantity and in value', () => {
  const taken: MovedOut = {
    id: 9,
    receipt_product_id: 4,
    storage_id: 2,
    product_id: 50,
    modificator_id: null,
    quantity: -4_500,
    total_cost: -10_001,
  }
  const line = { receipt_id: 6, receipt_product_id: 8 }
  const parts = [10_000, 20_000, 30_000].flatMap((after) =>
    movementsBack([taken], line, { before: after - 10_000, after, sold: 30_000 }),
  )
  assert.deepEqual(
    parts.map(({ quantity, value }) => [quantity, value]),
    [
      [1_500, 3_334],
      [1_500, 3_333],
      [1_500, 3_334],
    ],
  )
  assert.deepEqual(parts[0], { ...line, product_id: 50, storage_id: 2, quantity: 1_500, value: 3_334, parent_id: 9 })
  const tiny = { ...taken, quantity: -1, total_cost: -7 }
  const tinyParts = [10_000, 20_000, 30_000].map((after) =>
    movementsBack([tiny], line, { before: after - 10_000, after, sold: 30_000 }),
  )
  assert.deepEqual(
    tinyParts.map((some) => some.map(({ quantity, value }) => [quantity, value])),
    [[], [[1, 7]], []],
    'what cannot be divided comes back once',
  )
})

test('S7: a customer moves up to the highest group whose amount is reached, and never down', () => {
  const group = (id: number, system_type: 'default' | 'employee' | 'custom', total_amount: number | null = null) => ({
    id,
    system_type,
    total_amount,
    deleted_at: null as string | null,
  })
  const groups = [
    group(1, 'default'),
    group(2, 'custom', 100),
    group(3, 'custom', 500),
    group(4, 'employee'),
    group(5, 'custom'),
    { ...group(6, 'custom', 200), deleted_at: '2026-01-01T00:00:00.000Z' },
  ]
  for (const [present, spent, reached] of [
    [1, 99.99, 1],
    [1, 100, 2],
    [1, 300, 2],
    [1, 500, 3],
    [2, 5_000, 3],
    [3, 100, 3],
    [3, 0, 3],
    [4, 5_000, 4],
    [5, 100, 5],
  ] as const)
    assert.equal(groupReached(groups, present, spent), reached, `${present} with ${spent}`)
})
