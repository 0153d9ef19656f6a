import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { offices } from '../../back-office/office-fixture.ts'
import { auditBooks } from '../books/audit.ts'
import { line, RESTAURANT } from '../receipts/till-fixture.ts'

// M10: orders, the till and effective_price have the price of the same instant. Cider costs 4.5, on Fridays from 17 to 19 o'clock 3,
// to take away 2.5.

const HAPPY: Row[] = [
  {
    kind: 'price_list',
    id: 1,
    name: 'Happy hour',
    scopes: [{ sale_type_id: 1, windows: [{ days: ['fri'], from: '17:00', to: '19:00' }] }],
  },
  {
    kind: 'price_list',
    id: 2,
    name: 'Happy to go',
    scopes: [{ sale_type_id: 2, windows: [{ days: ['fri'], from: '17:00', to: '19:00' }] }],
  },
  { kind: 'price', id: 1, list_id: 1, product_id: 2, price: 3 },
  { kind: 'price', id: 2, list_id: 2, product_id: 2, price: 2.5 },
]

onEachEngine('timed prices', (make) => {
  const office = offices(make)

  test('the same price in orders, at the till and in effective_price', async () => {
    const built = await office()
    const setClock = (instant: string) => {
      built.clock.ms = Date.parse(instant)
    }
    setClock('2036-11-21T15:30:00.000Z') // Friday, half past four in Paris
    const rows = RESTAURANT.map((row) => (row.kind === 'venue' ? { ...row, accept: 'always' } : row))
    const brand = await built.brand('bistro', { rows: [...rows, ...HAPPY], quota: 1e9 })
    // biome-ignore lint/suspicious/noExplicitAny: each assertion says what it expects
    const call = async (path: string, body?: object): Promise<any> =>
      (
        await built.call(path, {
          ...(body && { method: 'POST', body }),
          headers: { 'x-token': await built.token(brand.credentials) },
        })
      ).body
    const effective = async (at?: string) =>
      (await call(`/products/2?include=effective_price&sale_type_id=1${at ? `&at=${at}` : ''}`)).data.effective_price
    const order = async (more: object = {}, price?: number) => {
      const products = [{ product_id: 2, count: 1, ...(price !== undefined && { price }) }]
      const { data } = await call('/orders?dry_run=1', { sale_type_id: 1, products, ...more })
      return [data.products[0].price, data.price_differs]
    }

    assert.equal(await effective(), 4.5)
    assert.equal(await effective('2036-11-21T16:00:00Z'), 3)
    assert.equal(await effective('2036-11-21T18:00:00Z'), 4.5)
    assert.deepEqual(await order(), [4.5, false])
    assert.deepEqual(await order({ scheduled_at: '2036-11-21T17:59:59Z' }), [3, false])
    assert.deepEqual(await order({ scheduled_at: '2036-11-28T16:00:00Z' }), [3, false])
    assert.deepEqual(await order({}, 3), [3, true], 'not yet')

    setClock('2036-11-21T18:05:00.000Z')
    assert.deepEqual(await order({}, 3), [3, false], 'the price of ten minutes before is ours')
    assert.deepEqual(await order(), [4.5, false])
    setClock('2036-11-21T18:10:01.000Z')
    assert.deepEqual(await order({}, 3), [3, true])

    const owner = await built.staffBrowser('bistro')
    const waiter = await built.staffBrowser('bistro', 'waiter')
    const pricesIn = async (id: number) =>
      (await call(`/receipts/${id}?include=receipt_products`)).data.receipt_products.map(
        ({ price }: { price: number }) => price,
      )
    const open = (by: typeof owner, lines: object[]) =>
      by.ask('POST', '/receipts', { cid: randomUUID(), sale_type_id: 1, lines })
    const tapped = line(2, 1, { priced_at: '2036-11-21T17:59:00.000Z' })
    const opened = await open(waiter, [line(2), tapped])
    assert.deepEqual(
      await pricesIn(opened.body.data.id),
      [4.5, 3],
      'one tapped offline has the price of then, without another right',
    )
    for (const [priced_at, rule] of [
      ['2036-11-21T18:10:02.000Z', 'past'],
      ['2036-11-21T06:10:00.000Z', 'minimum'],
    ] as const) {
      const { status, body } = await open(owner, [line(2, 1, { priced_at })])
      assert.deepEqual([status, body.details.errors[0].rule], [400, rule], JSON.stringify(body))
    }

    const { id } = opened.body.data
    setClock('2036-11-21T18:30:00.000Z')
    assert.equal((await owner.ask('PATCH', `/receipts/${id}`, { sale_type_id: 2 })).status, 200)
    assert.deepEqual(await pricesIn(id), [4.5, 2.5], 'another sale type: each line at its own instant')
    assert.deepEqual((await auditBooks(built.deps.db, brand.id)).findings, [])
  })
})
