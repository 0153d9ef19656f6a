import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { setBrandTerms } from '../../directory/brand-terms.ts'
import { createCredential } from '../../directory/credentials.ts'
import { ROWS, tills } from '../closing/closing-fixture.ts'

const product = (id: number, name: string, more: object = {}): Row => ({
  kind: 'product',
  id,
  name,
  type: 'PRODUCT',
  status: 1,
  ...more,
})

const MENU: Row[] = [
  { kind: 'role', id: 9, name: 'Hub', permissions: ['orders:write', 'orders:read', 'receipts:write'] },
  { kind: 'user', id: 9, username: 'hub', role_id: 9 },
  product(40, 'Catch of the day'),
  product(41, 'Crab', { modifications: [{ id: 42, name: 'whole' }] }),
  product(43, 'Tap water', { price: 0 }),
  product(44, 'Billiards', { type: 'TIMER', setting: { interval: 60, prices: [{ price: 5, from: 0 }] } }),
  product(45, 'Karaoke', { type: 'TIMER', setting: { interval: 60, prices: [] } }),
  product(46, 'Service', { price: 10, ignore_service_charge: true, discountable: false }),
]

onEachEngine('what makes an order cheaper than ours (P13)', (make) => {
  const till = tills(make)
  const shop = async (more: Row[] = []) => {
    const rows = ROWS.map((row) => (row.kind === 'venue' && row.id === 1 ? { ...row, accept: 'always' } : row))
    const fixture = await till([...rows, ...MENU, ...more])
    const { built, slug, headers } = fixture
    const { deps } = built
    const credential = await createCredential(deps.db, deps.keys, 'test', { brand: slug, username: 'hub' })
    await deps.directory.refresh()
    const token = await built.token({ ...credential, brand: slug, integrator_id: `${slug}-hub` }, '198.51.100.251')
    const place = (body: object, path = '/orders', given: Record<string, string> = { 'x-token': token }) =>
      built.call(path, {
        method: 'POST',
        headers: given,
        body: { sale_type_id: 1, products: [{ product_id: 1, count: 1 }], ...body },
        // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
      }) as Promise<any>
    const decided = async (body: object, given?: Record<string, string>) => {
      const { status, body: answer } = await place(body, '/orders', given)
      assert.equal(status, 200, JSON.stringify(answer))
      return [answer.data.status, answer.data.price_differs]
    }
    return { ...fixture, place, decided, asOwner: headers as Record<string, string> }
  }
  const WAITS = ['PENDING', true]
  const ACCEPTED = ['RECEIVED', false]
  const CHEAPER = {
    'a part of a portion': { products: [{ product_id: 1, count: 1, portion_size: 0.01 }] },
    'a part of a timer': { products: [{ product_id: 44, count: 60, portion_size: 0.5 }] },
    'a discount in percent': { discount: { discount_type: 1, discount_value: 100 } },
    'a discount as an amount': { discount: { discount_type: 2, discount_value: 1 } },
    'more than the group’s discount': { customer: { id: 7 }, discount: { discount_type: 1, discount_value: 11 } },
    'no service charge': { service_charge: { enabled: false } },
    'a lower service charge': { service_charge: { enabled: true, value: 9.5 } },
    'a discount beside a higher service charge': {
      discount: { discount_type: 1, discount_value: 5 },
      service_charge: { enabled: true, value: 50 },
    },
    'a part beside a double portion': {
      products: [
        { product_id: 1, count: 1, portion_size: 2 },
        { product_id: 1, count: 1, portion_size: 0.1 },
      ],
    },
  }

  test('people are asked about it, unless the user of the credential may give discounts', async () => {
    const { decided, asOwner, isSound } = await shop()
    for (const [what, body] of Object.entries(CHEAPER)) {
      assert.deepEqual(await decided(body), WAITS, what)
      assert.deepEqual(await decided(body, asOwner), ACCEPTED, what)
    }
    await isSound()
  })

  test('a price that is sent, of a modifier too, is a difference, from any sender', async () => {
    const { decided, asOwner } = await shop()
    const modified = (price: number) => ({
      products: [{ product_id: 1, count: 1, price: 14.9, modifiers: [{ modifier_id: 1, price }] }],
    })
    for (const given of [undefined, asOwner]) {
      assert.deepEqual(await decided({ products: [{ product_id: 1, count: 1, price: 14 }] }, given), WAITS)
      assert.deepEqual(await decided(modified(0), given), WAITS)
      assert.deepEqual(await decided(modified(1.8), given), ACCEPTED)
    }
  })

  test('what we give ourselves, a weight and what costs more are none', async () => {
    const { decided } = await shop()
    const same = {
      'the group’s discount': { customer: { id: 7 } },
      'the same, spelt out': { customer: { id: 7 }, discount: { discount_type: 1, discount_value: 10 } },
      'the same, declined': { customer: { id: 7, customer_discount_type: 0 } },
      'no discount': { discount: { discount_type: 0 } },
      'a weight': { products: [{ product_id: 4, count: 0.2, portion_size: 0.5 }] },
      'a double portion': { products: [{ product_id: 1, count: 1, portion_size: 2 }] },
      'a higher service charge': { service_charge: { enabled: true, value: 12 } },
      'our service charge': { service_charge: { enabled: true } },
      'nothing to discount': {
        products: [{ product_id: 46, count: 1 }],
        discount: { discount_type: 1, discount_value: 50 },
        service_charge: { enabled: false },
      },
      'what we give away': { products: [{ product_id: 43, count: 1 }] },
    }
    for (const [what, body] of Object.entries(same)) assert.deepEqual(await decided(body), ACCEPTED, what)
  })

  test('a brand that trusts its clients accepts it; one whose own prices hold asks people', async () => {
    const { decided, db, slug } = await shop()
    const free = { discount: { discount_type: 1, discount_value: 100 } }
    await setBrandTerms(db, 'test', slug, { order_prices: 'trust' })
    assert.deepEqual(await decided(free), ['RECEIVED', true])
    await setBrandTerms(db, 'test', slug, { order_prices: 'ours' })
    assert.deepEqual(await decided(free), WAITS)
    assert.deepEqual(await decided({ products: [{ product_id: 1, count: 1, price: 1 }] }), ACCEPTED)
  })

  test('a product without a price is refused, also a variant, a timer and at the till; a price that is sent is one', async () => {
    const { place, decided, owner, line, db, slug } = await shop()
    const refused = async (product_id: number, more: object = {}) => {
      const { status, body } = await place({ products: [{ product_id, count: 1, ...more }] })
      return [status, body.details?.errors[0].field, body.details?.errors[0].rule]
    }
    const NO_PRICE = [400, 'products[0].product_id', 'price']
    for (const id of [40, 42, 45]) assert.deepEqual(await refused(id), NO_PRICE, String(id))
    assert.deepEqual(await refused(40, { price: 0 }), NO_PRICE)
    assert.deepEqual(await decided({ products: [{ product_id: 44, count: 60 }] }), ACCEPTED)
    assert.deepEqual(await decided({ products: [{ product_id: 40, count: 1, price: 21 }] }), WAITS)
    await setBrandTerms(db, 'test', slug, { order_prices: 'ours' })
    assert.deepEqual(await refused(40, { price: 21 }), NO_PRICE)
    const open = (more: object) =>
      owner.ask('POST', '/receipts', { cid: crypto.randomUUID(), sale_type_id: 1, lines: [line(40, 1, more)] })
    const unpriced = await open({})
    assert.deepEqual([unpriced.status, unpriced.body.details.errors[0].field], [400, 'lines[0].product_id'])
    assert.equal((await open({ price: 21 })).body.data.subtotal, 21)
  })

  test('a sale type for which a product has no price leaves its line the price that it has', async () => {
    const { owner, open, line, read } = await shop([
      { kind: 'price_list', id: 1, name: 'Room', status: true, scopes: [{ sale_type_id: 1 }] },
      { kind: 'price', id: 1, list_id: 1, product_id: 40, price: 30 },
    ])
    const id = await open([line(40)], { sale_type_id: 1 })
    const { status } = await owner.ask('PATCH', `/receipts/${id}`, { sale_type_id: 2 })
    assert.deepEqual([status, (await read(id)).subtotal], [200, 30])
  })
})
