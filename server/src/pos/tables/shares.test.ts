import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'
import { sharesOf } from './shares.ts'

/** A receipt as far as its shares read it. */
function receiptOf(places: number, units: number, taxes: readonly number[], lines: readonly number[]): WholeReceipt {
  const money = (amount: number) => amount / 10 ** places
  return {
    receipt: {
      id: 1,
      venue_id: 1,
      total: money(units),
      taxes: taxes.map((amount, index) => ({
        id: index + 1,
        name: `T${index}`,
        rate: 10,
        base: 0,
        amount: money(amount),
      })),
      payment_methods: [{ id: 1, name: 'Card', amount: money(1), share: '2/3' }],
    },
    rule: 1,
    terms: { money_places: places },
    lines: lines.map((total, index) => ({ shown: { id: index + 1, state: 'NEW', total: money(total) }, copied: {} })),
  } as unknown as WholeReceipt
}

const units = fc.integer({ min: 0, max: 10_000_000 })
const sum = (amounts: readonly number[], places: number) =>
  amounts.reduce((total, amount) => total + BigInt(Math.round(amount * 10 ** places)), 0n)

test('shares add up to the total and to each tax, to the smallest unit', () => {
  const input = {
    places: fc.integer({ min: 0, max: 3 }),
    total: units,
    taxes: fc.array(units, { maxLength: 3 }),
    lines: fc.array(units, { minLength: 1, maxLength: 8 }),
    count: fc.integer({ min: 2, max: 20 }),
  }
  const queries = (count: number) =>
    [
      { by: 'even', count: String(count) },
      { by: 'lines', lines: '1' },
    ] as const
  fc.assert(
    fc.property(fc.record(input), ({ places, total, taxes, lines, count }) => {
      fc.pre(lines.some((line) => line > 0))
      for (const query of queries(count)) {
        const shares = sharesOf(receiptOf(places, total, taxes, lines), query)
        assert.equal(
          sum(
            shares.map(({ amount }) => amount),
            places,
          ),
          BigInt(total),
        )
        for (const [index, tax] of taxes.entries())
          assert.equal(
            sum(
              shares.map((share) => share.taxes[index]!.amount),
              places,
            ),
            BigInt(tax),
          )
        if (query.by !== 'even') continue
        const amounts = shares.map(({ amount }) => Math.round(amount * 10 ** places))
        assert.ok(Math.max(...amounts) - Math.min(...amounts) <= 1)
      }
    }),
    { numRuns: 200 },
  )
})

test('what was paid of a share is found by its label', () => {
  const shares = sharesOf(receiptOf(2, 1000, [], [1000]), { by: 'even', count: '3' })
  assert.deepEqual(
    shares.map(({ label, amount, paid }) => [label, amount, paid]),
    [
      ['1/3', 3.34, 0],
      ['2/3', 3.33, 0.01],
      ['3/3', 3.33, 0],
    ],
  )
})
