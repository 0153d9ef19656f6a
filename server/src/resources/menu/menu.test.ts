import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { api, type Client } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { RESOURCES } from '../catalogue.ts'

type Wire = Record<string, unknown>

const AT = '2026-02-01T10:00:00.000Z'
const dated = { created_at: AT, updated_at: AT }
const category = (id: number, parent_id: number | undefined, more: Wire = {}) => ({
  id,
  name: `Category ${id}`,
  type: 'PRODUCT',
  status: 1,
  ...(parent_id !== undefined && { parent_id }),
  ...dated,
  ...more,
})
const CATEGORIES = [
  category(1, 4), // its parent comes later
  category(2, 4, { position: 1 }),
  category(3, 2, { status: 0 }),
  category(4, undefined),
  category(5, undefined, { type: 'INGREDIENT' }),
  category(6, 3),
]
const saleType = (id: number) => ({ id, name: `S${id}`, system_type: 'IN', channel: 'IN', status: {}, position: id })
const product = (id: number, more: Wire = {}) => ({ id, name: `P${id}`, type: 'DISH', price: id, ...dated, ...more })
const list = (id: number, scopes?: Wire[], status = true) => ({
  id,
  name: `L${id}`,
  status,
  ...dated,
  ...(scopes && { scopes }),
})

const rowsOf = (kind: string, ...rows: Wire[]): Row[] => rows.map((row) => ({ kind, ...row }))

const ROWS: Row[] = [
  ...rowsOf('venue', { id: 2, name: 'Second' }),
  ...rowsOf('category', ...CATEGORIES),
  ...rowsOf('station', { id: 1, name: 'Grill', status: 1, type: 1, printable: 0, ...dated }),
  ...rowsOf('unit', { id: 1, name: 'Piece', symbol: 'pc' }),
  ...rowsOf('sale_type', saleType(1), saleType(2)),
  ...rowsOf(
    'product',
    product(1, {
      category_id: 2,
      station_id: 1,
      unit_id: 1,
      cooking_time: 12,
      barcode: '40',
      takes: [{ product_id: 2, gross: 0.5 }],
    }),
    product(2, { modifications: [{ id: 20, name: 'Large', price: 3, barcode: '41' }], category_id: 5, hidden: true }),
    product(3),
  ),
  ...rowsOf(
    'price_list',
    list(1, [{}]),
    list(2, [{ venue_id: 2, priority: 5 }]),
    list(3, [{ sale_type_id: 2, priority: 9 }]),
  ),
  ...rowsOf('price_list', list(4), list(5, [{ priority: 99 }], false)),
  ...rowsOf(
    'price',
    { id: 1, list_id: 1, product_id: 1, price: 1.1 },
    { id: 2, list_id: 2, product_id: 1, price: 2.2 },
    { id: 3, list_id: 3, product_id: 1, price: 3.3 },
    { id: 4, list_id: 4, product_id: 3, price: 4.4 },
    { id: 5, list_id: 5, product_id: 3, price: 5.5 },
    { id: 6, list_id: 1, product_id: 20, price: 6.6 },
  ),
  ...rowsOf(
    'stop_list_entry',
    { venue_id: 1, id: 1, limit: 2.5, timestamp: 7 },
    { venue_id: 1, id: 2, limit: 0, timestamp: 8, until: '2026-03-01T11:59:59.000Z' }, // over: the clock says 12:00
    { venue_id: 2, id: 2, limit: 0, timestamp: 9, until: '2026-04-01T00:00:00.000Z' },
  ),
  ...rowsOf(
    'customer',
    {
      id: 'a',
      name: 'Ana',
      phone: '+33 (6) 39.98',
      code: 'C-1',
      cid: '00000000-0000-4000-8000-00000000000A',
      spent: 12.5,
      created_at: AT,
      updated_at: AT,
    },
    {
      id: '2',
      name: 'Bob',
      email: 'bob@example.com',
      gender: 1,
      balance: { id: 7, amount: 3, type: 'CUSTOMER' },
      created_at: AT,
    },
  ),
]

onEachEngine('the menu and its customers', (make) => {
  const { brand, running } = api(make)
  let client: Client
  before(async () => {
    client = await brand({ rows: ROWS })
  })
  const data = async (path: string, headers?: Record<string, string>) => {
    const { status, body } = await client.get(encodeURI(path).replaceAll('+', '%2B'), headers)
    assert.equal(status, 200, `${path} ${JSON.stringify(body)}`)
    return body.data as Wire[]
  }
  const ids = async (path: string) => (await data(path)).map(({ id }) => id)
  const whole = (id: number, depth: number): Wire => ({ ...CATEGORIES[id - 1]!, hidden: false, depth })

  test('GET /categories shows the top level, each with its whole active subtree', async () => {
    assert.deepEqual(await data('/categories'), [
      {
        ...whole(4, 0),
        children: [
          { ...whole(2, 1), children: [] },
          { ...whole(1, 1), children: [] },
        ],
      },
      { ...whole(5, 0), children: [] },
    ])
    const [four] = await data('/categories?include_inactive=true&filters=[["id",4]]')
    assert.deepEqual((four!.children as Wire[])[0], {
      ...whole(2, 1),
      children: [{ ...whole(3, 2), children: [{ ...whole(6, 3), children: [] }] }],
    })
  })

  test('GET /categories lists all of them flat, by parent and by type', async () => {
    assert.deepEqual(await data('/categories?include_children=false&limit=1'), [whole(1, 1)])
    assert.deepEqual(await ids('/categories?include_children=false'), [1, 2, 4, 5, 6])
    assert.deepEqual(await ids('/categories?include_children=0&include_inactive=1'), [1, 2, 3, 4, 5, 6])
    assert.deepEqual(await ids('/categories?parent_id=4'), [1, 2])
    assert.deepEqual(await ids('/categories?type=INGREDIENT'), [5])
    assert.deepEqual(await ids('/categories?filters=[["status",0]]&include_children=false'), [3])
    assert.equal((await client.get('/categories?limit=999')).status, 200)
    for (const query of ['limit=1000', 'include_children=maybe', 'parent_id=x'])
      assert.equal((await client.get(`/categories?${query}`)).status, 400, query)
  })

  test('GET /categories/{id} shows one with its subtree, or without', async () => {
    const get = async (path: string) => (await client.get(path)).body.data
    assert.deepEqual(await get('/categories/2'), { ...whole(2, 1), children: [] })
    assert.deepEqual(await get('/categories/3?include_children=false'), whole(3, 2))
    assert.equal((await client.get('/categories/2?parent_id=4')).status, 400)
  })

  test('a category cannot be below itself, and a moved one takes its subtree along', async () => {
    const mover = await brand({ rows: rowsOf('category', ...CATEGORIES) })
    await assert.rejects(mover.put(...rowsOf('category', category(4, 6))), /leads back to itself/)
    await mover.put(...rowsOf('category', category(2, undefined)))
    const { body } = await mover.get('/categories/6')
    const { depth, created_at, updated_at } = body.data as Wire
    assert.deepEqual([depth, created_at, updated_at], [2, AT, AT], 'the import ran with an earlier clock')
    const { db } = (await running()).deps
    const events = await db.texts(
      `select data from events where brand_id = ? and type = 'category.updated' order by position`,
      [mover.id],
    )
    assert.deepEqual(
      events.map((text) => JSON.parse(text)).map(({ id, changed }) => [id, changed]),
      [
        [2, ['position', 'parent_id', 'depth']],
        [3, ['depth']],
        [6, ['depth']],
      ],
    )
  })

  test('what an import says of the time of a category stays, wherever its parent stands in the file', async () => {
    const many = Array.from({ length: 120 }, (_, index) => category(index + 1, index < 114 ? index + 7 : undefined))
    const deep = await brand({ rows: rowsOf('category', ...many) })
    const { body } = await deep.get('/categories/1?include_children=false')
    assert.deepEqual(body.data, { ...category(1, 7), hidden: false, depth: 19 })
    await assert.rejects(deep.put(...rowsOf('category', category(121, 1))), /category 121 makes more than 20 levels/)
  })

  test('finance categories cannot be below themselves either', async () => {
    const finance = (id: number, parent_id: number) => ({ id, name: `F${id}`, type: 'INCOME', status: 1, parent_id })
    await assert.rejects(
      client.put(...rowsOf('finance_category', finance(1, 2), finance(2, 1))),
      /parent_id of finance category 1 leads back to itself/,
    )
  })

  const DETAILS = {
    hidden: false,
    sold_by_weight: false,
    discountable: true,
    giftable: true,
    ignore_service_charge: false,
    takes: [],
  }

  test('products have exactly the specified members, and details only when asked for (P1)', async () => {
    const [plain] = await data('/products?limit=1')
    assert.deepEqual(plain, { id: 1, name: 'P1', type: 'DISH', price: 1, ...dated })
    const { body, text } = await client.get('/products')
    assert.deepEqual([Object.keys(body), text.includes('details')], [['data', 'pagination'], false])
    const detailed = await data('/products?include=details')
    assert.deepEqual(
      detailed.map(({ id, parent_id, barcode, category_id, hidden }) => [id, parent_id, barcode, category_id, hidden]),
      [
        [1, undefined, '40', 2, false],
        [2, undefined, undefined, 5, true],
        [3, undefined, undefined, undefined, false],
        [20, 2, '41', 5, true],
      ],
    )
    assert.deepEqual(detailed[0], {
      ...plain,
      category_id: 2,
      station_id: 1,
      unit_id: 1,
      barcode: '40',
      ...DETAILS,
      cooking_time: 12,
      takes: [{ product_id: 2, gross: 0.5 }],
    })
    assert.deepEqual(await ids('/products?filters=[["category_id",5]]'), [2, 20])
  })

  test('with fields a detail comes only if it is named and included', async () => {
    assert.deepEqual((await data('/products?limit=1&include=details&fields=barcode'))[0], {
      id: 1,
      name: 'P1',
      type: 'DISH',
      barcode: '40',
    })
    assert.deepEqual((await data('/products?limit=1&include=details&fields=price'))[0], {
      id: 1,
      name: 'P1',
      type: 'DISH',
      price: 1,
    })
    const { status, body } = await client.get('/products?fields=barcode')
    assert.deepEqual([status, body.details], [400, { parameter: 'fields', field: 'barcode' }])
    assert.match(String(body.message), /include=details/)
  })

  test('GET /products/{id} includes what it is made of and where it is sold', async () => {
    const { body } = await client.get('/products/1?include=category,station,unit,stop,effective_price,codes,media')
    const { category: its, station, unit, stop, effective_price } = body.data as Wire
    assert.deepEqual(its, whole(2, 1))
    assert.deepEqual([(station as Wire).id, unit], [1, { id: 1, name: 'Piece', symbol: 'pc' }])
    assert.deepEqual([stop, effective_price], [{ id: 1, limit: 2.5, timestamp: 7 }, 1.1])
    const bare = (await client.get('/products/3?include=category,stop')).body.data as Wire
    assert.deepEqual(
      Object.keys(bare).filter((name) => ['category', 'stop'].includes(name)),
      [],
    )
    assert.equal((await client.get('/products/20')).status, 200)
    for (const query of ['page=1', 'include=nothing', 'fields=id'])
      assert.equal((await client.get(`/products/1?${query}`)).status, 400, query)
  })

  test('effective_price follows the list of the highest priority for venue and sale type', async () => {
    const priceOf = async (id: number, query = '', venue = '1') =>
      ((await client.get(`/products/${id}?include=effective_price${query}`, { 'x-venue': venue })).body.data as Wire)
        .effective_price
    assert.equal(await priceOf(1), 1.1)
    assert.equal(await priceOf(1, '', '2'), 2.2)
    assert.equal(await priceOf(1, '&sale_type_id=2', '2'), 3.3)
    assert.equal(await priceOf(1, '&sale_type_id=1', '2'), 2.2)
    assert.equal(await priceOf(3), 3) // list 4 holds nowhere, list 5 is inactive
    assert.equal(await priceOf(20), 6.6)
    assert.deepEqual(
      (await data('/products?include=effective_price&fields=effective_price')).map((row) => row.effective_price),
      [1.1, 2, 3, 6.6],
    )
    for (const path of ['/products/1', '/products', '/products?filters=[["id",99]]'])
      for (const include of ['', '&include=effective_price']) {
        const query = `${path.includes('?') ? '&' : '?'}sale_type_id=9${include}`
        const { status, body } = await client.get(path + query)
        assert.deepEqual([status, body.details], [400, { parameter: 'sale_type_id' }], path + query)
      }
    assert.equal((await client.get('/products?sale_type_id=1')).status, 200)
  })

  test('GET /products/stop-list shows the live entries of the venue, without pages', async () => {
    const { body } = await client.get('/products/stop-list')
    assert.deepEqual(body, { success: true, data: [{ id: 1, limit: 2.5, timestamp: 7 }], total: 1 })
    const there = await client.get('/products/stop-list', { 'x-venue': '2' })
    assert.deepEqual(there.body.data, [{ id: 2, limit: 0, timestamp: 9, until: '2026-04-01T00:00:00.000Z' }])
    assert.equal((await client.get('/products/stop-list?venue=all')).body.total, 2)
    assert.equal((await client.get('/products/stop-list?limit=1')).status, 400)
  })

  test('GET /price-lists/prices shows entries, with their product and list when included', async () => {
    assert.deepEqual(await data('/price-lists/prices?filters=[["list_id",1]]'), [
      { id: 1, list_id: 1, product_id: 1, price: 1.1 },
      { id: 6, list_id: 1, product_id: 20, price: 6.6 },
    ])
    const [first] = await data('/price-lists/prices?include=product,list&filters=[["product_id",3]]')
    assert.deepEqual(first, {
      id: 4,
      list_id: 4,
      product_id: 3,
      price: 4.4,
      product: { id: 3, name: 'P3', type: 'DISH', price: 3, ...dated },
      list: { id: 4, name: 'L4' },
    })
    assert.equal((await client.get('/price-lists/prices?limit=999')).status, 200)
    assert.equal((await client.get('/price-lists/prices?limit=1000')).status, 400)
  })

  test('GET /customers shows specified members, and details when asked for', async () => {
    const { body } = await client.get('/customers')
    assert.deepEqual(Object.keys(body), ['success', 'data', 'total', 'pagination'])
    const [bob, ana] = body.data as Wire[]
    assert.deepEqual(Object.keys(ana!), [
      'id',
      'name',
      'phone',
      'group_id',
      'balance',
      'cashback_balance',
      'group',
      'created_at',
    ])
    assert.deepEqual(
      [bob!.id, (bob!.group as Wire).system_type, bob!.balance],
      ['2', 'default', { id: 7, amount: 3, type: 'CUSTOMER' }],
    )
    const { group, ...one } = (await client.get('/customers/a?include=details')).body.data as Wire
    assert.deepEqual([one.spent, one.receipt_count, one.code, one.updated_at], [12.5, 0, 'C-1', AT])
    assert.equal(one.balance_id, (one.balance as Wire).id)
    assert.ok(!('gender' in one) && (group as Wire).id === 1)
    assert.deepEqual((await client.get('/customers/a')).body, { success: true, data: ana })
    assert.equal((await client.get('/customers/nobody')).status, 404)
    assert.deepEqual((await data('/customers?include=details&fields=cid&limit=1'))[0]!.id, '2')
    for (const member of ['balance_id', 'cashback_balance_id']) {
      const found = await data(`/customers?include=details&filters=[["${member}",${one[member]}]]`)
      assert.deepEqual([found.length, found[0]!.id], [1, 'a'], member)
      const others = await data(`/customers?filters=[["${member}","!=",${one[member]}]]`)
      assert.ok(others.length > 0 && others.every(({ id }) => id !== 'a'), member)
    }
  })

  test('customers are found by phone, code and cid as uniqueness compares them (D4.1)', async () => {
    for (const filter of [
      ['phone', '+33 6-39 98'],
      ['phones', '+3363998'],
      ['phones', 'in', ['1', '+33/6/39/98']],
      ['code', ' C-1 '],
      ['cid', '00000000-0000-4000-8000-00000000000a'],
      ['name', 'like', 'AN'],
      ['phone', 'like', '6-39'],
      ['phones', 'like', '3363'],
      ['code', 'like', 'c-'],
      ['cid', 'like', '00000A'],
      ['id', 'like', 'A'],
    ])
      assert.deepEqual(await ids(`/customers?filters=${JSON.stringify([filter])}`), ['a'], String(filter))
    assert.deepEqual(await ids('/customers?filters=[["email","bob@example.com"]]'), ['2'])
    assert.deepEqual(await ids('/customers?filters=[["email","like","B@EXAMPLE"]]'), ['2'])
    assert.deepEqual(await ids('/customers?filters=[["email","like","%"]]'), [])
    assert.deepEqual(await ids('/categories?filters=[["type","like","gred"]]'), [5])
    assert.deepEqual(await ids('/customers?filters=[["group_id",1]]'), ['2', 'a'])
    assert.equal((await client.get('/customers?limit=999')).status, 200)
    assert.equal((await client.get('/customers?limit=1000')).status, 400)
  })

  test('an export of all of it is read again, to the same export', async () => {
    const { deps } = await running()
    const exported = async (id: number) => {
      const lines: Row[] = []
      for (const { kind, readExportPage } of RESOURCES)
        for (const text of (await readExportPage(deps.db, id, undefined)).objects)
          lines.push({ kind, ...JSON.parse(text) })
      return lines
    }
    const lines = await exported(client.id)
    const copy = await brand({ rows: lines })
    assert.deepEqual(await exported(copy.id), lines)
    assert.deepEqual((await copy.get('/categories')).body, (await client.get('/categories')).body)
  })
})
