import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Incoming, moved, NOTHING, type StockLevel } from './cost.ts'

const scaled = (amount: number) => Math.round(amount * 10_000)
const level = (quantity: number, value: number, cost: number): StockLevel => ({
  quantity: scaled(quantity),
  value: scaled(value),
  cost: scaled(cost),
})
const incomingAt = (cost: number): Incoming => ({ cost: scaled(cost) })

describe('the cost of stock (P21)', () => {
  test('a supply raises the average cost, to four places', () => {
    const { after, cost } = moved(level(2, 6, 3), scaled(1), incomingAt(4))
    assert.deepEqual(after, level(3, 10, 3.3333))
    assert.equal(cost, scaled(4))
  })

  test('what is taken takes its part of the value, and the last takes all of it', () => {
    const one = moved(level(3, 10, 3.3333), scaled(-1))
    assert.deepEqual(one, { after: level(2, 6.6667, 3.3334), cost: scaled(3.3333) })
    const rest = moved(one.after, scaled(-2))
    assert.deepEqual(rest, { after: level(0, 0, 3.3334), cost: scaled(3.3334) }, 'the last cost stays')
  })

  test('below zero the last cost goes on, from nothing and across zero', () => {
    assert.deepEqual(moved(level(0, 0, 5), scaled(-2)).after, level(-2, -10, 5))
    assert.deepEqual(moved(level(-2, -10, 5), scaled(-1)).after, level(-3, -15, 5))
    assert.deepEqual(moved(level(3, 10, 3.3333), scaled(-5)), {
      after: level(-2, -6.6667, 3.3333),
      cost: scaled(3.3333),
    })
    assert.deepEqual(moved(NOTHING, scaled(-2)).after, level(-2, 0, 0), 'of what was never bought nothing is known')
  })

  test('over negative stock what is there afterwards is worth what came in', () => {
    assert.deepEqual(moved(level(-2, -10, 5), scaled(5), incomingAt(7)).after, level(3, 21, 7))
    assert.deepEqual(moved(level(-2, -10, 5), scaled(1), incomingAt(7)).after, level(-1, -7, 7))
    assert.deepEqual(moved(level(-2, -10, 5), scaled(2), incomingAt(7)).after, level(0, 0, 7))
  })

  test('without a cost it comes in at the last one', () => {
    assert.deepEqual(moved(level(2, 6, 3), scaled(1)).after, level(3, 9, 3))
  })

  test('a value is added to the digit, also over negative stock', () => {
    const before = level(300, 1000, 3.3333)
    const sold = moved(before, scaled(-500))
    const back = moved(sold.after, scaled(500), { value: before.value - sold.after.value })
    assert.deepEqual(back.after, before)
  })

  test('a value that would leave goods and value of different signs is only a cost', () => {
    assert.deepEqual(moved(level(-10, -10, 1), scaled(5), { value: scaled(100) }).after, level(-5, -100, 20))
    assert.deepEqual(moved(level(-5, -50, 10), scaled(5), { value: scaled(15) }).after, level(0, 0, 3))
  })

  const quantity = fc.integer({ min: 1, max: 20_000_000 })
  const amount = fc.integer({ min: 0, max: 50_000_000 })
  const step = fc.oneof(
    quantity.map((taken) => ({ quantity: -taken, incoming: undefined })),
    fc.tuple(quantity, amount).map(([added, cost]) => ({ quantity: added, incoming: { cost } })),
    fc.tuple(quantity, amount).map(([added, value]) => ({ quantity: added, incoming: { value } })),
    fc.constant({ quantity: 0, incoming: undefined }),
  )

  test('quantity is the sum of what moved, value never has another sign, and is 0 when quantity is 0', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, emptied) => {
        let now: StockLevel = NOTHING
        let quantitySum = 0
        let valueSum = 0
        for (const { quantity, incoming } of steps) {
          const { after } = moved(now, quantity, incoming)
          quantitySum += quantity
          valueSum += after.value - now.value
          now = after
          assert.equal(now.quantity, quantitySum)
          assert.equal(now.value, valueSum)
          assert.ok(now.quantity >= 0 ? now.value >= 0 : now.value <= 0)
          assert.ok(now.cost >= 0)
          if (now.quantity === 0) assert.equal(now.value, 0)
        }
        if (emptied && now.quantity !== 0) assert.equal(moved(now, -now.quantity).after.value, 0)
      }),
    )
  })

  test('what was taken and is brought back leaves what was there, from wherever it was taken', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), quantity, (steps, taken) => {
        let before: StockLevel = NOTHING
        for (const { quantity, incoming } of steps) before = moved(before, quantity, incoming).after
        const { after } = moved(before, -taken)
        const back = moved(after, taken, { value: before.value - after.value }).after
        assert.equal(back.quantity, before.quantity)
        assert.equal(back.value, before.value)
      }),
    )
  })
})
