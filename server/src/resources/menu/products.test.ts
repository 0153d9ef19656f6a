import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import type { Answer } from '../../../test/service.ts'
import { Product } from './product-schema.ts'

const dates = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z' }

/** Every member that §2.3 knows. */
const coffee: Row = {
  kind: 'product',
  id: 1,
  name: 'Café',
  type: 'DISH',
  full_name: 'Café crème',
  status: 1,
  price: 3.5,
  cost_price: 0.1234,
  has_modifications: true,
  modifications: [
    {
      id: 2,
      parent_id: 1,
      type: 'MODIFICATION',
      name: 'Large',
      price: 4.1,
      cost_price: 1,
      barcode: '4006381333931',
      full_name: 'Café, large',
      status: 1,
    },
  ],
  modificator_groups: [
    {
      id: 1,
      name: 'Milk',
      type: 1,
      min_select: 0,
      max_select: 1,
      modificators: [
        {
          id: 5,
          name: 'Oat',
          price: 0.5,
          cost_price: 0.2,
          max_count: 1,
          status: true,
          ingredient: { id: 7, name: 'Oat milk', type: 'INGREDIENT', cost_price: 0.2 },
        },
      ],
    },
  ],
  recipe: [{ id: 7, name: 'Beans', cost_price: 12, pivot: { gross: '0.018' } }],
  packages: [{ id: 1, name: 'Cup', equal: 1 }],
  setting: { interval: 15, prices: [{ price: 2.25, from: 0 }] },
  taxes: [{ id: 1, name: 'VAT', rate: 10 }],
  tags: [{ id: 1, name: 'hot', color: '#c00' }],
  ...dates,
}
const tea: Row = { kind: 'product', id: 7, name: 'Tea', type: 'PRODUCT', price: 2, ...dates }

const idsOf = ({ body }: Answer) => (body.data as Product[]).map(({ id }) => id)

onEachEngine('GET /products', (make) => {
  const { brand } = api(make)

  test('answers the imported products value for value, variants as rows of their own, in the envelope of §2.1', async () => {
    const { get } = await brand({ rows: [coffee, tea] })
    const { status, body, headers } = await get('/products')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    const [{ kind: _, ...wireCoffee }, { kind: __, ...wireTea }] = [coffee, tea]
    const large = {
      id: 2,
      name: 'Large',
      type: 'MODIFICATION',
      full_name: 'Café, large',
      status: 1,
      price: 4.1,
      cost_price: 1,
      ...dates,
    }
    assert.deepEqual(body, {
      data: [wireCoffee, large, wireTea],
      pagination: { page: 1, per_page: 50, total: 3, total_pages: 1 },
    })
    assert.deepEqual(Object.keys((body.data as object[])[0]!), Object.keys(Product.properties))
  })

  test('answers an empty list for a brand that has none', async () => {
    const { get } = await brand()
    const pagination = { page: 1, per_page: 50, total: 0, total_pages: 0 }
    assert.deepEqual((await get('/products')).body, { data: [], pagination })
    assert.deepEqual((await get('/products?fields=price')).body, { data: [], pagination })
  })

  test('has the right total on every page, also past the last, with and without a filter', async () => {
    const rows = Array.from({ length: 7 }, (_, i) => ({ ...tea, id: i + 1, status: i % 2 }))
    const { get } = await brand({ rows })
    for (const [page, ids] of [
      [1, 3],
      [2, 3],
      [3, 1],
      [4, 0],
      [Number.MAX_SAFE_INTEGER, 0],
    ] as const) {
      const { status, body } = await get(`/products?limit=3&page=${page}`)
      assert.equal(status, 200)
      assert.deepEqual(body.pagination, { page, per_page: 3, total: 7, total_pages: 3 })
      assert.equal((body.data as []).length, ids)
    }
    for (const sort of ['', '&sort[0][0]=name'])
      for (const page of [1, 2, 9]) {
        const { body } = await get(`/products?limit=2&page=${page}&filters=[["status",1]]${sort}`)
        assert.deepEqual(body.pagination, { page, per_page: 2, total: 3, total_pages: 2 })
      }
  })

  test('begins late pages at the right row, however rows were added and taken out before', async () => {
    const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
    const variants = (to: number) => ids(2_001, to).map((id) => ({ id, name: 'Pot' }))
    const { get, put } = await brand()
    const walk = async (limit: number) => {
      const seen: number[] = []
      for (let page = 1; ; page++) {
        const found = idsOf(await get(`/products?limit=${limit}&page=${page}&fields=id`))
        if (found.length === 0) return seen
        seen.push(...found)
      }
    }
    await put(...ids(1, 1_000).map((id) => ({ ...tea, id: 2 * id })))
    assert.deepEqual(
      await walk(100),
      ids(1, 1_000).map((id) => 2 * id),
    )
    await put({ ...tea, id: 1, modifications: variants(2_300) }, { ...tea, id: 999 })
    const all = [
      1,
      ...ids(1, 499).map((id) => 2 * id),
      999,
      ...ids(500, 1_000).map((id) => 2 * id),
      ...ids(2_001, 2_300),
    ]
    for (const limit of [50, 83, 100]) assert.deepEqual(await walk(limit), all)
    await put({ ...tea, id: 1, modifications: variants(2_003) })
    assert.deepEqual(await walk(100), all.slice(0, -297))
  })

  test('keeps its total when rows are imported again, replaced and taken out', async () => {
    const { get, put } = await brand({ rows: [coffee, tea] })
    const total = async () => ((await get('/products?limit=1')).body.pagination as { total: number }).total
    await put(coffee, { ...tea, name: 'Black tea' })
    assert.equal(await total(), 3)
    await put({ ...coffee, modifications: [] })
    assert.equal(await total(), 2)
    await put({ ...tea, id: 8 })
    assert.equal(await total(), 3)
  })

  test('narrows each product to the members asked for, in their order, id, name and type always among them', async () => {
    const { get } = await brand({ rows: [coffee, tea] })
    const { body } = await get('/products?fields=taxes,price')
    assert.deepEqual(body.data, [
      { id: 1, name: 'Café', type: 'DISH', price: 3.5, taxes: [{ id: 1, name: 'VAT', rate: 10 }] },
      { id: 2, name: 'Large', type: 'MODIFICATION', price: 4.1 },
      { id: 7, name: 'Tea', type: 'PRODUCT', price: 2 },
    ])
    assert.deepEqual((await get('/products?fields=id&limit=1')).body.data, [{ id: 1, name: 'Café', type: 'DISH' }])
  })

  const questions: [query: string, ids: number[]][] = [
    ['filters=["type","PRODUCT"]', [7]],
    ['filters=[["type",["DISH","MODIFICATION"]]]', [1, 2]],
    ['filters=[["parent_id",1]]', [2]],
    ['filters=[["parent_id",null]]', [1, 7]],
    ['filters=[["barcode","like","6381"]]', [2]],
    ['filters=[["price",">=",3.5]]&sort[0][0]=price&sort[0][1]=desc', [2, 1]],
    ['filters=[["has_modifications",true]]', [1]],
    ['filters=[["full_name","like","CRÈME"]]', [1]],
    ['filters=[["cost_price","<",1]]', [1]],
    ['filters=[["status",1],["id",">",1]]', [2]],
    ['filters=[["updated_at",">=","2026-01-02T00:00:00Z"]]', [1, 2, 7]],
    ['filters=[["created_at",">","2026-01-01"]]', []],
    ['date[0]=2026-01-01&date[1]=2026-01-01', [1, 2, 7]],
    ['sort[0][0]=name&sort[0][1]=desc', [7, 2, 1]],
    ['sort[0]=price&sort[1]=-1&per_page=2', [2, 1]],
    ['selects[]=price&page_size=1&page=3', [7]],
  ]
  for (const [query, ids] of questions)
    test(`finds ${JSON.stringify(ids)} for ${query}`, async () => {
      const { get } = await brand({ rows: [coffee, tea] })
      assert.deepEqual(idsOf(await get(`/products?${encodeURI(query)}`)), ids)
    })

  test('answers 400 for what it does not know, with what was wrong, where, and a suggestion', async () => {
    const { get } = await brand()
    const wrong: [query: string, details: object][] = [
      ['limit=101', { parameter: 'limit', minimum: 1, maximum: 100 }],
      ['page=0', { parameter: 'page', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }],
      ['limt=5', { parameter: 'limt', unknown: 'limt', suggestion: 'limit' }],
      ['fields=prise', { parameter: 'fields', unknown: 'prise', suggestion: 'price' }],
      ['sort[0][0]=nane', { parameter: 'sort', unknown: 'nane', suggestion: 'name', index: 0 }],
      ['filters=[["tipe","DISH"]]', { parameter: 'filters', unknown: 'tipe', suggestion: 'type', index: 0 }],
    ]
    for (const [query, details] of wrong) {
      const { status, body } = await get(`/products?${encodeURI(query)}`)
      assert.equal(status, 400, query)
      assert.equal(body.error, 'invalid_parameter')
      assert.deepEqual(body.details, details)
    }
    assert.equal((await get('/products?include=prices')).status, 400)
  })

  test('sends texts of every script and escape as they came', async () => {
    const full_name = 'Ünïcödé "quoted" \\ back \n line \u2028 😀 \u0007 ﬁ'
    const { get } = await brand({
      rows: [
        { ...tea, full_name },
        { ...tea, id: 8, name: 'plain' },
      ],
    })
    for (const query of ['', '?fields=full_name', '?sort[0][0]=id&sort[0][1]=desc'])
      assert.ok(((await get(`/products${query}`)).body.data as Product[]).some((one) => one.full_name === full_name))
  })
})
