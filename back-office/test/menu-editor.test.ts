import './english.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsBelow, moveCategory, moveProduct, steps } from '../src/pages/menu/order.ts'
import { changedByPercent, pastedPrices } from '../src/pages/menu/prices/pasting.ts'
import { byProduct, tabOf, thingsOf } from '../src/pages/menu/problems/things.ts'
import { itemsOf, type MenuRow, pricedAt } from '../src/pages/till/menu.ts'

const tree = [
  { id: 1, position: 1 },
  { id: 2, position: 2 },
  { id: 3, position: 1, parent_id: 2 },
  { id: 4, position: 3 },
]

test('a category is moved by naming only what changes its place, and never below itself', () => {
  assert.deepEqual(moveCategory(tree, 4, { before: 2 }), [
    { id: 4, parent_id: null, position: 2 },
    { id: 2, parent_id: null, position: 3 },
  ])
  assert.equal(moveCategory(tree, 2, { endOf: 3 }), undefined)
  assert.deepEqual(steps(tree, 3).out, [
    { id: 3, parent_id: null, position: 3 },
    { id: 4, parent_id: null, position: 4 },
  ])
  assert.deepEqual(steps(tree, 2).into, [{ id: 2, parent_id: 1, position: 1 }])
  assert.deepEqual(Object.keys(steps(tree, 1)), ['down'])
  assert.deepEqual([...idsBelow(tree, 2)], [2, 3])
})

test('a product that is moved takes the places between along', () => {
  const items = [
    { id: 7, position: 1 },
    { id: 8, position: 2 },
    { id: 9, position: 3 },
  ]
  assert.deepEqual(moveProduct(items, 5, 1, 0), [
    { id: 8, category_id: 5, position: 1 },
    { id: 7, category_id: 5, position: 2 },
  ])
  assert.deepEqual(moveProduct(items, 5, 0, -1), [])
})

test('prices are read as people and spreadsheets write them', () => {
  const products = [
    { id: 1, name: 'Café crème' },
    { id: 2, name: 'Tea' },
    { id: 3, name: 'Tea' },
  ]
  const { prices, unknown } = pastedPrices(
    'cafe creme\t3,90\n2;1.234,50\n\nTea\t2\nSoup  4\n3\t-1\n1;1,250',
    products,
    2,
  )
  assert.deepEqual(prices, [
    [1, 3.9],
    [2, 1234.5],
  ])
  assert.deepEqual(unknown, ['Tea\t2', 'Soup  4', '3\t-1', '1;1,250'])
  assert.deepEqual(pastedPrices('1;1,250', products, 3).prices, [[1, 1.25]])
})

test('a percent changes what is typed, else the price of the list, else the product’s own, to the places of the money', () => {
  const products = [
    { id: 1, name: 'a', own: 4, price: 5 },
    { id: 2, name: 'b', own: 4.05, price: null },
    { id: 3, name: 'c', own: null, price: null },
    { id: 4, name: 'd', own: 1, price: 1 },
  ]
  assert.deepEqual(changedByPercent(products, new Map([[4, 2]]), 10, 2), [
    [1, 5.5],
    [2, 4.46],
    [4, 2.2],
  ])
})

test('the till changes its prices at the edge of a window, by the venue’s clock', () => {
  const row = { id: 4, name: 'Toast', type: 'DISH', price: 8, effective_price: 8 } as MenuRow
  const menu = {
    time_zone: 'Europe/Paris',
    timed: { 4: { price_windows: [{ days: ['fri'], from: '17:00', to: '19:00', price: 5 }] } },
  }
  const at = (instant: string) => pricedAt(itemsOf([row]), menu, Date.parse(instant))[0]!.price
  assert.deepEqual(['2026-11-20T15:59:59Z', '2026-11-20T16:00:00Z', '2026-11-20T18:00:00Z'].map(at), [8, 5, 8])
})

test('a problem stands at the product where it is mended, also that of a size, a group or a modifier', () => {
  const item = { type: 'DISH', active: true, hidden: false, sizes: [] } as const
  const things = thingsOf(
    {
      categories: [],
      products: [
        { ...item, id: 1, name: 'Soup' },
        { ...item, id: 2, name: 'Tea', sizes: [{ id: 3, name: 'Pot' }] },
      ],
      choices: { 'modifier-9': { name: 'Oat', product_id: 2 } },
    },
    new Map([[1, 'Happy hour']]),
  )
  const problem = (id: string, code: string) => ({ id, code, level: 'warning' as const, message: '' })
  const found = byProduct(
    [
      problem('product-3', 'no_price'),
      problem('modifier-9', 'missing_translation'),
      problem('price_list-1', 'window_never_holds'),
      problem('product-77', 'no_tax'),
    ],
    things,
  )
  assert.deepEqual(
    [...found].map(([id, problems]) => [id, problems.map(tabOf)]),
    [[2, ['prices', 'languages']]],
  )
  assert.equal(things.get('product-3')!.name, 'Tea, Pot')
  assert.equal(things.get('price_list-1')!.kind, 'price_list')
})
