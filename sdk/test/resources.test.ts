import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConflictError } from '../src/index.ts'
import { clientOf, open, restaurant } from './restaurant.ts'

test('iterating over a list reads every item of every page, once and in order', async (t) => {
  const demo = restaurant({ products: 120 })
  const client = clientOf(await open(t, demo))

  const ids: number[] = []
  for await (const { id } of client.products.list()) ids.push(id)

  assert.deepEqual(
    ids,
    Array.from({ length: 120 }, (_, index) => index + 1),
  )
  assert.equal(demo.count('/products'), 3)
})

test('iterating begins at the page asked for and stops asking when it is left', async () => {
  const demo = restaurant({ products: 120 })
  const names: string[] = []
  for await (const { name } of clientOf(demo).products.list({ page: 2, limit: 10 })) {
    if (name === 'Dish 25') break
    names.push(name)
  }
  assert.deepEqual([names[0], names.at(-1)], ['Dish 11', 'Dish 24'])
  assert.deepEqual(
    demo.asked.slice(1).map(({ query }) => query.get('page')),
    ['2', '3'],
  )
})

test('an empty list and a page past the end have no items', async () => {
  const none = clientOf(restaurant({ products: 0 }))
  for await (const product of none.products.list()) assert.fail(product.name)
  for await (const product of clientOf(restaurant()).products.list({ page: 9 })) assert.fail(product.name)
})

test('page() is one page with its pagination, pages() is that one and all that follow', async () => {
  const demo = restaurant({ products: 25 })
  const list = clientOf(demo).products.list({ page: 2, limit: 10 })

  const { data, pagination } = await list.page()
  assert.equal(data.length, 10)
  assert.deepEqual(pagination, { page: 2, per_page: 10, total: 25, total_pages: 3 })
  assert.equal(demo.count('/products'), 1)

  const sizes: number[] = []
  for await (const page of list.pages()) sizes.push(page.data.length)
  assert.deepEqual(sizes, [10, 5])
})

test('a list query goes over the wire as the contract writes it, percent-encoded', async () => {
  const urls: string[] = []
  const demo = restaurant()
  const client = clientOf(demo, {
    fetch: (url, init) => {
      urls.push(url)
      return demo.fetch(url, init)
    },
  })
  await client.products
    .list({
      filters: [
        ['type', 'PRODUCT'],
        ['price', '>=', 10],
        ['name', 'like', 'crème & co'],
        ['updated_at', '>=', new Date('2026-01-01T00:00:00Z')],
      ],
      fields: ['price', 'status'],
      sort: [
        ['name', 'asc'],
        ['id', 'desc'],
      ],
      date: ['2026-01-01', new Date('2026-01-31T12:00:00Z')],
      limit: 100,
    })
    .page()

  const url = urls.at(-1)!
  assert.match(url, /^https:\/\/pos\.example\/v2\/products\?filters=%5B%5B%22type%22%2C%22PRODUCT%22%5D%2C/)
  assert.match(url, /&sort%5B0%5D%5B0%5D=name&/)
  assert.ok(!/[+[\]"' ]/.test(url))
  assert.deepEqual(Object.fromEntries(demo.asked.at(-1)!.query), {
    filters:
      '[["type","PRODUCT"],["price",">=",10],["name","like","crème & co"],["updated_at",">=","2026-01-01T00:00:00.000Z"]]',
    fields: 'price,status',
    'sort[0][0]': 'name',
    'sort[0][1]': 'asc',
    'sort[1][0]': 'id',
    'sort[1][1]': 'desc',
    'date[0]': '2026-01-01',
    'date[1]': '2026-01-31T12:00:00.000Z',
    page: '1',
    limit: '100',
  })
})

test('what is not asked for is not sent', async () => {
  const demo = restaurant()
  await clientOf(demo)
    .products.list({ filters: undefined, include: undefined } as object)
    .page()
  assert.equal(demo.asked.at(-1)!.query.toString(), 'page=1')
})

test('no fields means those that come always', async () => {
  const demo = restaurant()
  const { data } = await clientOf(demo).products.list({ fields: [] }).page()
  assert.equal(demo.asked.at(-1)!.query.get('fields'), 'id')
  assert.deepEqual(Object.keys(data[0]!), ['id', 'name', 'type'])
})

test('price lists have prices when these are included', async () => {
  const client = clientOf(restaurant())
  const { data: plain } = await client.priceLists.list().page()
  assert.ok(!('prices' in plain[0]!))
  const { data: priced } = await client.priceLists.list({ include: ['prices'], fields: ['prices'] }).page()
  assert.deepEqual(Object.keys(priced[0]!), ['id', 'prices'])
  assert.equal(priced[0]!.prices[0]!.price, 11)
})

test('receipts and stock operations are read by id', async () => {
  const client = clientOf(restaurant())
  assert.equal((await client.receipts.get(1)).total, 12.5)
  assert.equal((await client.stockOperations.get(1)).quantity, -2)
})

test('what is no id is refused before anything is sent', async () => {
  const demo = restaurant()
  const client = clientOf(demo)
  for (const id of [0, -1, 1.5, Number.NaN, 2 ** 53, '../auth', '1', null, undefined]) {
    await assert.rejects(client.receipts.get(id as number), TypeError)
    await assert.rejects(client.stockOperations.get(id as number), TypeError)
    assert.throws(() => client.venue(id as number), TypeError)
  }
  assert.equal(demo.asked.length, 0)
})

test('venue(id) is the same client with x-venue set, and shares its token', async () => {
  const demo = restaurant()
  const client = clientOf(demo)
  const [own, third] = [await client.receipts.get(1), await client.venue(3).receipts.get(1)]
  assert.deepEqual([own.venue_id, third.venue_id], [1, 3])
  assert.equal((await client.venue(3).venue(4).stockOperations.get(1)).venue_id, 4)
  assert.equal((await client.receipts.get(1)).venue_id, 1)
  assert.equal(demo.count('/auth'), 1)
})

test('a customer is created once however often the same key is sent', async () => {
  const client = clientOf(restaurant())
  const aysel = { name: 'Aysel', phone: '+994501112233' }
  const first = await client.customers.create(aysel, { idempotencyKey: 'one' })
  const again = await client.customers.create(aysel, { idempotencyKey: 'one' })
  assert.equal(again.id, first.id)
  await assert.rejects(client.customers.create(aysel), (error: ConflictError) => {
    assert.ok(error instanceof ConflictError)
    assert.deepEqual([error.slug, error.details], ['duplicate_phone', { field: 'phone' }])
    return true
  })
})

test('request() reaches what has no method of its own, and nothing outside the API', async () => {
  const demo = restaurant()
  const client = clientOf(demo)
  const answer = await client.venue(2).request('GET', '/receipts/1')
  assert.deepEqual(answer, { success: true, data: { id: 1, venue_id: 2, total: 12.5, status: 2 } })
  await client.request('POST', '/customers', { body: { name: 'Aysel' }, idempotencyKey: 'one' })
  assert.equal(demo.asked.at(-1)!.headers.get('idempotency-key'), 'one')
  for (const path of ['/../auth', '@evil.example/', 'products', '/products?page=2', '/products#', '/..', '/%2e%2e/x'])
    await assert.rejects(client.request('GET', path), TypeError, path)
  assert.equal(demo.asked.length, 3)
})
