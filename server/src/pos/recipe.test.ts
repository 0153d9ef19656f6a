import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { toScaled } from '../values/values.ts'
import { recipeOf, type Sold, takenBy } from './recipe.ts'

const scaled = (value: number) => toScaled(value)!
const soldOf = (type: string, more: Partial<Sold> = {}): Sold => ({ id: 1, type, takes: [], recipe: [], ...more })
const takes = (sold: Sold, count: number, modifiers: { id: number; count: number }[] = [], portion_size = 1) =>
  takenBy({ recipe: recipeOf(sold, modifiers), count: scaled(count), portion_size: scaled(portion_size) })

const RECIPE = [
  { product_id: 50, gross: scaled(0.15) },
  { product_id: 51, gross: scaled(2) },
]

test('entries come before the recipe, the recipe before the product itself', () => {
  const entries = [{ product_id: 60, gross: scaled(0.5) }]
  assert.deepEqual(takes(soldOf('PRODUCT', { takes: entries, recipe: RECIPE }), 2), [
    { product_id: 60, quantity: scaled(1) },
  ])
  assert.deepEqual(takes(soldOf('DISH', { recipe: RECIPE }), 2), [
    { product_id: 50, quantity: scaled(0.3) },
    { product_id: 51, quantity: scaled(4) },
  ])
  assert.deepEqual(takes(soldOf('PRODUCT'), 3), [{ product_id: 1, quantity: scaled(3) }])
})

test('a dish without a recipe and a timer without entries take nothing', () => {
  assert.deepEqual(takes(soldOf('DISH'), 2), [])
  assert.deepEqual(takes(soldOf('TIMER', { recipe: RECIPE }), 60), [])
  assert.deepEqual(takes(soldOf('TIMER', { takes: [{ product_id: 9, gross: scaled(0.01) }] }), 60), [
    { product_id: 9, quantity: scaled(0.6) },
  ])
})

test('a variant takes its own entries, else its parent’s, else the parent’s recipe, else itself', () => {
  const ofParent = { product_id: 60, gross: scaled(1) }
  const ofVariant = { product_id: 61, gross: scaled(2), modification_id: 7 }
  const variant = (id: number, more: Partial<Sold>) => soldOf('MODIFICATION', { id, ...more })
  assert.deepEqual(takes(variant(7, { takes: [ofParent, ofVariant] }), 1), [{ product_id: 61, quantity: scaled(2) }])
  assert.deepEqual(takes(variant(8, { takes: [ofParent, ofVariant] }), 1), [{ product_id: 60, quantity: scaled(1) }])
  assert.deepEqual(takes(variant(8, { recipe: RECIPE.slice(1) }), 1), [{ product_id: 51, quantity: scaled(2) }])
  assert.deepEqual(takes(variant(8, {}), 1), [{ product_id: 8, quantity: scaled(1) }])
  assert.deepEqual(takes(soldOf('DISH', { takes: [ofVariant] }), 1), [], 'another’s entries are not its own')
})

test('modificators take their own entries as often as they were chosen, apart from the line’s', () => {
  const egg = { product_id: 50, gross: scaled(1), modificator_id: 3 }
  const sold = soldOf('DISH', { takes: [{ product_id: 50, gross: scaled(2) }, egg] })
  assert.deepEqual(
    takes(sold, 2, [
      { id: 3, count: 2 },
      { id: 4, count: 1 },
    ]),
    [
      { product_id: 50, quantity: scaled(4) },
      { product_id: 50, quantity: scaled(4), modificator_id: 3 },
    ],
  )
})

test('a modifier of a timer is taken once, not for every minute', () => {
  const coal = { product_id: 50, gross: scaled(3), modificator_id: 3 }
  assert.deepEqual(takes(soldOf('TIMER', { takes: [coal] }), 90, [{ id: 3, count: 2 }]), [
    { product_id: 50, quantity: scaled(6), modificator_id: 3 },
  ])
})

test('portion size counts, and quantities are rounded to four places once a product', () => {
  assert.deepEqual(takes(soldOf('DISH', { recipe: RECIPE.slice(0, 1) }), 0.345, [], 1.5), [
    { product_id: 50, quantity: scaled(0.0776) }, // 0.077625
  ])
  const twice = [
    { product_id: 50, gross: 1 },
    { product_id: 50, gross: 1 },
  ]
  assert.deepEqual(takes(soldOf('DISH', { recipe: twice }), 0.25), [{ product_id: 50, quantity: 1 }])
})

test('what two counts take apart is what they take together, but for the rounding', () => {
  const gross = fc.integer({ min: 1, max: 100_000 })
  const count = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(gross, count, count, (each, one, other) => {
      const recipe = [{ product_id: 1, gross: each }]
      const quantity = (count: number) => takenBy({ recipe, count, portion_size: 10_000 })[0]?.quantity ?? 0
      assert.ok(Math.abs(quantity(one) + quantity(other) - quantity(one + other)) <= 1)
    }),
  )
})
