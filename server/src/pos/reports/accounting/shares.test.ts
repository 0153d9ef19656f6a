import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { divided } from './shares.ts'

const UNIT = 100 // cents, ×10,000
const cents = fc.integer({ min: 0, max: 1_000_000 }).map((amount) => amount * UNIT)
const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

test('parts and payments both add up to the smallest unit, of sales and of refunds', () => {
  fc.assert(
    fc.property(
      fc.array(cents, { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 4 }),
      fc.constantFrom(1, -1),
      (amounts, weights, sign) => {
        const parts = amounts.map((amount) => sign * amount || 0)
        const whole = total(parts)
        const each = weights.map(
          (weight) => Math.floor((Math.abs(whole) / UNIT) * (weight / total(weights))) * UNIT * sign,
        )
        const payments = [...each, whole - total(each)].map((amount) => amount || 0)
        const cells = divided(parts, payments, UNIT)
        assert.deepEqual(
          cells.map((row) => total(row) || 0),
          parts,
        )
        if (whole !== 0)
          assert.deepEqual(
            payments.map((_amount, index) => total(cells.map((row) => row[index]!)) || 0),
            payments,
          )
        assert.ok(cells.flat().every((cell) => Number.isInteger(cell) && cell % UNIT === 0))
      },
    ),
  )
})

test('two payments of different size share a base and its tax in proportion', () => {
  assert.deepEqual(divided([90_000, 10_000], [75_000, 25_000], 100), [
    [67_500, 22_500],
    [7_500, 2_500],
  ])
})

test('where nothing was paid the first payment has it all', () => {
  assert.deepEqual(divided([100, -100], [0], 100), [[100], [-100]])
})
