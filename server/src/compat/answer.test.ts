import assert from 'node:assert/strict'
import test from 'node:test'
import type { Known, Row } from './answer.ts'
import * as answer from './answer.ts'

const AT = { elapsedMs: 3.6, nowMs: Date.parse('2026-03-01T12:00:00.500Z') }
const TIMES = { time: 4, timestamp: '2026-03-01 12:00:00', unix: 1_772_366_400 }

test('what stands around the data of a success', () => {
  const pagination = { page: 2, per_page: 50, total: 120, total_pages: 3 }
  const empty = { page: 1, per_page: 50, total: 0, total_pages: 0 }
  const walk = { per_page: 50, next: 'x' }
  for (const [name, body, isList, expected] of [
    ['one', { success: true, data: {} }, false, {}],
    ['one that was written', { success: true, data: {}, message: 'Done.' }, false, { message: 'Done.' }],
    [
      'one with its time',
      { success: true, data: {}, message: 'M', time: 9, timestamp: 'T', unix: 1 },
      false,
      { message: 'M' },
    ],
    [
      'a specified list',
      { data: [], pagination },
      true,
      { total: 120, meta: { current_page: 2, last_page: 3 }, sorts: [], pagination },
    ],
    [
      'a new list',
      { success: true, data: [], total: 120, pagination },
      true,
      { total: 120, meta: { current_page: 2, last_page: 3 }, sorts: [], pagination },
    ],
    [
      'an empty list',
      { data: [], pagination: empty },
      true,
      { total: 0, meta: { current_page: 1, last_page: 1 }, sorts: [], pagination: empty },
    ],
    [
      'a list without pages',
      { success: true, data: [], total: 7 },
      true,
      { total: 7, meta: { current_page: 1, last_page: 1 }, sorts: [] },
    ],
    ['a walk', { success: true, data: [], pagination: walk }, true, { sorts: [], pagination: walk }],
    ['the feed', { success: true, data: [], next: 'n', more: false }, true, { next: 'n', more: false, sorts: [] }],
  ] as [string, Row, boolean, Row][])
    assert.deepEqual(answer.around(body, isList, AT), { ...expected, ...TIMES }, name)
})

test('a refusal is a list of one error that has our name of it', () => {
  const error = (http_code: number) => [{ message: 'No.', type: 'server_side', exception: 'not_found', http_code }]
  assert.deepEqual(answer.refusal({ error: 'not_found', message: 'No.' }, 404), {
    success: false,
    error: error(404),
    message: 'No.',
  })
  const details = { parameter: 'x' }
  assert.deepEqual(answer.refusal({ error: 'not_found', message: 'No.', details }, 400), {
    success: false,
    error: error(400),
    message: 'No.',
    details,
  })
})

const times = { created_at: 'C', updated_at: 'U' }
const whole = { id: 900, name: 'Balance', type: 'CUSTOMER', amount: 5, position: 0, ...times }
const KNOWN: Known = { venue_id: 7, isNarrowed: false }

test('rows have the members that existing clients read', () => {
  const rows: [
    name: string,
    translate: (row: Row, known: Known) => void,
    known: Partial<Known>,
    row: Row,
    expected: Row,
  ][] = [
    ['goods', answer.product, {}, { id: 1, type: 'PRODUCT' }, { id: 1, type: 'GOODS', media: [] }],
    ['a dish', answer.product, {}, { id: 1, type: 'DISH' }, { id: 1, type: 'DISH', media: [] }],
    [
      'members that were chosen',
      answer.product,
      { isNarrowed: true },
      { id: 1, type: 'PRODUCT' },
      { id: 1, type: 'GOODS' },
    ],
    [
      'variants',
      answer.product,
      { isNarrowed: true },
      { id: 1, type: 'PRODUCT', modifications: [{ id: 2, name: 'S' }] },
      { id: 1, type: 'GOODS', modifications: [{ id: 2, name: 'S', parent_id: 1, type: 'MODIFICATION' }] },
    ],
    [
      'a recipe',
      answer.product,
      { isNarrowed: true, prices: new Map([[5, 1.25]]) },
      { id: 1, type: 'DISH', recipe: [{ id: 5 }, { id: 6 }] },
      {
        id: 1,
        type: 'DISH',
        recipe: [
          { id: 5, price: 1.25 },
          { id: 6, price: 0 },
        ],
      },
    ],
    [
      'groups',
      answer.product,
      { isNarrowed: true },
      { id: 1, type: 'DISH', modificator_groups: [{ id: 3, modificators: [{ id: 4 }] }], ...times },
      {
        id: 1,
        type: 'DISH',
        modificator_groups: [
          { id: 3, modificators: [{ id: 4 }], modifiers: [{ id: 4 }], adjust_to_portion: false, ...times },
        ],
        ...times,
      },
    ],
    ['a group', answer.customerGroup, {}, { discount_type: 'percent' }, { discount_type: 1 }],
    ['another', answer.customerGroup, {}, { discount_type: 'amount' }, { discount_type: 2 }],
    ['none', answer.customerGroup, {}, { discount_type: null }, { discount_type: null }],
    [
      'a customer',
      answer.customer,
      { balances: new Map([[900, whole]]) },
      {
        id: '20',
        balance: { id: 900, amount: 5, type: 'CUSTOMER' },
        cashback_balance: { id: null, amount: 0 },
        group: { discount_type: 'amount' },
      },
      {
        id: 20,
        venue_id: 7,
        cid: '',
        balance: whole,
        cashback_balance: { id: null, amount: 0 },
        group: { discount_type: 2 },
      },
    ],
    [
      'a customer of another system',
      answer.customer,
      {},
      { id: 'C-1', cid: 'x' },
      { id: 'C-1', cid: 'x', venue_id: 7 },
    ],
    ['a user', answer.user, {}, { id: 1 }, { id: 1, pin: '', hide: 0 }],
    [
      'categories',
      answer.category,
      {
        bounds: new Map([
          [1, [1, 4]],
          [2, [2, 3]],
        ]),
      },
      { id: 1, children: [{ id: 2 }] },
      { id: 1, _lft: 1, _rgt: 4, media: [], children: [{ id: 2, _lft: 2, _rgt: 3, media: [] }] },
    ],
    [
      'a payment method',
      answer.paymentMethod,
      { balances: new Map([[900, whole]]) },
      { kind: 'CASH', balance: { id: 900 } },
      { kind: 'CASH', is_system: 1, balance_id: 900, balance: whole },
    ],
    [
      'without the right to read balances',
      answer.paymentMethod,
      {},
      { kind: 'OTHER', balance: { id: 900 } },
      { kind: 'OTHER', is_system: 0, balance_id: 900, balance: undefined },
    ],
    ['a movement', answer.stockOperation, { storages: new Map([[1, 4]]) }, { id: 1 }, { id: 1, storage_id: 4 }],
    ['a movement of history', answer.stockOperation, { storages: new Map() }, { id: 1 }, { id: 1 }],
    [
      'an order',
      answer.order,
      { money_places: 2 },
      {
        id: 9,
        venue_id: 1,
        sale_type_id: 2,
        order_number: 'A',
        customer: { id: '20', name: 'Rich' },
        products: [
          { product_id: 1, product_name: 'Tea', count: 0.345, price: 12.9, portion_size: 1, modifiers: [] },
          {
            product_id: 2,
            product_name: 'Soup',
            count: 2,
            price: 3,
            portion_size: 1,
            modifiers: [{ modifier_id: 7, modifier_name: 'Egg', count: 1, price: 0.5 }],
          },
        ],
        subtotal: 11.45,
        total: 12,
      },
      {
        id: 9,
        venue_id: 1,
        sale_type_id: 2,
        order_number: 'A',
        customer: { id: '20', name: 'Rich' },
        products: [
          { product_id: 1, product_name: 'Tea', count: 0.345, price: 12.9, portion_size: 1, modifiers: [] },
          {
            product_id: 2,
            product_name: 'Soup',
            count: 2,
            price: 3,
            portion_size: 1,
            modifiers: [{ modifier_id: 7, modifier_name: 'Egg', count: 1, price: 0.5 }],
          },
        ],
        subtotal: 11.45,
        total: 12,
        payload: {
          id: 9,
          service: { sale_type_id: 2, venue_id: 1 },
          customer: { id: 20, name: 'Rich' },
          products: [
            { product_id: 1, product_name: 'Tea', count: 0.345, price: 12.9, product_modificators: [] },
            {
              product_id: 2,
              product_name: 'Soup',
              count: 2,
              price: 3,
              product_modificators: [{ modificator_id: 7, name: 'Egg', count: 1, price: 0.5 }],
            },
          ],
          order_number: 'A',
          sale_type_id: 2,
        },
        line_items: [
          { id: 1, product_id: 1, quantity: 0.345, unit_price: 12.9, total_price: 4.45 },
          { id: 2, product_id: 2, quantity: 2, unit_price: 3.5, total_price: 7 },
        ],
        total_amount: 12,
      },
    ],
  ]
  for (const [name, translate, known, row, expected] of rows) {
    translate(row, { ...KNOWN, ...known })
    assert.deepEqual(row, expected, name)
  }
})

test('lines that do not add up, as of something sold by time, are not shown', () => {
  const row: Row = {
    products: [{ product_id: 1, product_name: 'Pool', count: 60, price: 3, portion_size: 1, modifiers: [] }],
    subtotal: 6,
  }
  answer.order(row, KNOWN)
  assert.equal(row.line_items, undefined)
})

test('ids that have to be looked up', () => {
  assert.deepEqual(answer.ingredientsOf([{ recipe: [{ id: 1 }, { id: 2 }] }, { recipe: [{ id: 2 }] }, {}]), [1, 2])
  assert.deepEqual(answer.balancesOfCustomers([{ balance: { id: 1 }, cashback_balance: { id: null } }, {}]), [1])
  assert.deepEqual(answer.balancesOfMethods([{ balance: { id: 1 } }, {}]), [1])
})

test('a product’s text is kept, cut where the prices of its ingredients go', () => {
  const row = { id: 1, name: 'é \\u00005 "', type: 'PRODUCT', recipe: [{ id: 50 }, { id: 51 }] }
  const page = Buffer.from(`[${JSON.stringify(row)}`)
  const textAt = answer.productTexts(page.length * 2 - 2)
  const { parts, ingredients } = textAt(page, 1, page.length)
  assert.deepEqual(ingredients, [50, 51])
  const text = parts.map((part, index) => `${part}${index < 2 ? index + 2 : ''}`).join('')
  const expected = {
    ...row,
    type: 'GOODS',
    recipe: [
      { id: 50, price: 2 },
      { id: 51, price: 3 },
    ],
    media: [],
  }
  assert.deepEqual(JSON.parse(text), expected)
  assert.equal(textAt(page, 1, page.length).parts, parts, 'made once')
  for (const id of [2, 3]) textAt(Buffer.from(`[${JSON.stringify({ ...row, id })}`), 1, page.length)
  assert.notEqual(textAt(page, 1, page.length).parts, parts, 'forgotten when there is too much')
})

test('nested sets number the whole tree once', () => {
  const nodes = [
    { id: 2, parent_id: 1 },
    { id: 1, parent_id: null },
    { id: 3, parent_id: 1 },
    { id: 4, parent_id: null },
  ]
  assert.deepEqual(
    [...answer.boundsOf(nodes)],
    [
      [2, [2, 3]],
      [3, [4, 5]],
      [1, [1, 6]],
      [4, [7, 8]],
    ],
  )
})

test('a list that comes in pieces is split into its rows, wherever the pieces end', () => {
  const rows = [{ id: 1, name: 'a "]}" \\' }, { id: 2, nested: [{ x: [] }, '{['] }, { id: 3 }]
  const tail = '],"total":3,"pagination":{"page":1}}'
  const text = `{"success":true,"data":[${rows.map((row) => JSON.stringify(row)).join(',')}${tail}`
  for (let size = 1; size <= text.length; size++) {
    const splitter = answer.rowSplitter()
    const found: unknown[] = []
    for (let at = 0; at < text.length; at += size)
      found.push(...splitter.push(text.slice(at, at + size)).map((row) => JSON.parse(row)))
    assert.deepEqual([found, splitter.end()], [rows, tail], `pieces of ${size}`)
  }
})
