import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { RESOURCES } from '../../resources/catalogue.ts'
import { movingStock, NOW, ROWS, scaled } from './stock-fixture.ts'

const MENU: Row[] = [
  { kind: 'category', id: 1, name: 'Dry goods', type: 'INGREDIENT', status: 1 },
  ...ROWS.map((row) => (row.id === 51 ? { ...row, category_id: 1, low_stock: 4 } : row)),
  {
    kind: 'receipt',
    id: 7,
    venue_id: 1,
    status: 1,
    rule: 1,
    terms: { money_places: 2 },
    receipt_products: [
      {
        id: 71,
        product_id: 51,
        name: 'Flour',
        count: 1,
        price: 1,
        total: 1,
        reserved: [{ product_id: 51, quantity: scaled(0.5) }],
      },
    ],
  },
  { kind: 'receipt', id: 8, venue_id: 2 },
  { kind: 'stock_operation', id: 3, venue_id: 1, stock_id: 900, product_id: 51, quantity: -9, total_cost: -1 },
]

onEachEngine('GET /stock and what moved it', (make) => {
  const brand = movingStock(make)
  let built: Awaited<ReturnType<typeof brand>>
  let ids: number[]
  const get = async (path: string, headers?: Record<string, string>) => (await built.client.get(path, headers)).body
  const rowsAt = async (path: string) => (await get(path)).data as Record<string, unknown>[]

  before(async () => {
    built = await brand(MENU)
    const supplied = await built.move(
      [
        { product_id: 51, quantity: scaled(3), cost: scaled(2) },
        { product_id: 51, storage_id: 2, quantity: scaled(2), cost: scaled(3) },
        { product_id: 52, quantity: scaled(5), cost: scaled(1.5) },
      ],
      { now: '2026-02-27T10:00:00.000Z' },
    )
    const sold = await built.move([
      { product_id: 51, quantity: scaled(-1), receipt_id: 7, receipt_product_id: 71 },
      { product_id: 53, quantity: scaled(-2), receipt_id: 7, receipt_product_id: 71 },
    ])
    await built.move([{ product_id: 52, quantity: scaled(1), cost: scaled(9) }], { venue_id: 2 })
    ids = [...supplied, ...sold].map(({ id }) => id)
  })

  test('shows what is there, what open receipts reserve in the main storage, and what is available', async () => {
    const { data, total, pagination } = await get('/stock')
    const common = { venue_id: 1, unit_id: 4 }
    const flour = { ...common, product_id: 51, low_stock: 4 }
    const expected = [
      {
        id: ids[0],
        ...flour,
        storage_id: 1,
        quantity: 2,
        reserved: 0.5,
        available: 1.5,
        cost: 2,
        total_cost: 4,
        updated_at: NOW,
      },
      {
        id: ids[1],
        ...flour,
        storage_id: 2,
        quantity: 2,
        reserved: 0,
        available: 2,
        cost: 3,
        total_cost: 6,
        updated_at: '2026-02-27T10:00:00.000Z',
      },
      {
        id: ids[2],
        ...common,
        storage_id: 1,
        product_id: 52,
        quantity: 5,
        reserved: 0,
        available: 5,
        cost: 1.5,
        total_cost: 7.5,
        updated_at: '2026-02-27T10:00:00.000Z',
      },
      {
        id: ids[4],
        ...common,
        storage_id: 1,
        product_id: 53,
        quantity: -2,
        reserved: 0,
        available: -2,
        cost: 0,
        total_cost: 0,
        updated_at: NOW,
      },
    ]
    assert.deepEqual(data, expected)
    assert.equal(total, 4)
    assert.deepEqual(pagination, { page: 1, per_page: 50, total: 4, total_pages: 1 })
    assert.deepEqual((await get(`/stock/${ids[1]}`)).data, expected[1])
    assert.deepEqual(Object.keys((data as object[])[0]!), [
      'id',
      'venue_id',
      'storage_id',
      'product_id',
      'unit_id',
      'quantity',
      'reserved',
      'available',
      'cost',
      'total_cost',
      'low_stock',
      'updated_at',
    ])
  })

  test('knows the list language', async () => {
    const idsOf = async (query: string) => (await rowsAt(`/stock?${query}`)).map(({ id }) => id)
    assert.deepEqual(await idsOf('filters=[["storage_id",2]]'), [ids[1]])
    assert.deepEqual(await idsOf('filters=[["quantity","<",0]]'), [ids[4]])
    assert.deepEqual(await idsOf('filters=[["unit_id",4],["product_id",51]]'), [ids[0], ids[1]])
    assert.deepEqual(await idsOf('sort[0][0]=updated_at&sort[0][1]=desc&fields=id'), [ids[0], ids[4], ids[1], ids[2]])
    assert.equal((await rowsAt('/stock?venue=all')).length, 5)
    const walk = await get('/stock?after=&limit=3')
    const { next } = walk.pagination as { next: string }
    assert.equal((await rowsAt(`/stock?limit=3&after=${next}`)).length, 1)
    assert.equal((await built.client.get('/stock?date[0]=2026-01-01')).status, 400)
  })

  test('sums up with the filters of the list', async () => {
    assert.deepEqual((await get('/stock/total')).data, {
      count: 4,
      quantity: 7,
      reserved: 0.5,
      available: 6.5,
      total_cost: 17.5,
    })
    assert.equal(((await get('/stock/total?filters=[["storage_id",2]]')).data as { quantity: number }).quantity, 2)
    assert.equal(((await get('/stock/total?venue=all')).data as { total_cost: number }).total_cost, 26.5)
    assert.deepEqual((await get('/stock/info')).data, {
      products: 3,
      out_of_stock: 1,
      low_stock: 0,
      negative: 1,
      total_cost: 17.5,
    })
    const low = (await get('/stock/info?filters=[["storage_id",2]]')).data as { low_stock: number }
    assert.equal(low.low_stock, 1)
    assert.deepEqual(((await get('/stock/total?filters=[["id",1]]')).data as { count: number }).count, 0)
  })

  test('sums up by product and by category', async () => {
    const common = { reserved: 0, unit_id: 4 }
    assert.deepEqual(await rowsAt('/stock/product'), [
      {
        product_id: 51,
        name: 'Flour 51',
        unit_id: 4,
        quantity: 4,
        reserved: 0.5,
        available: 3.5,
        total_cost: 10,
        cost: 2.5,
        low_stock: 4,
      },
      { ...common, product_id: 52, name: 'Flour 52', quantity: 5, available: 5, total_cost: 7.5, cost: 1.5 },
      { ...common, product_id: 53, name: 'Flour 53', quantity: -2, available: -2, total_cost: 0, cost: 0 },
    ])
    const { data, total } = await get('/stock/product?page=2&limit=2')
    assert.deepEqual([(data as object[]).length, total], [1, 3])
    assert.deepEqual(await rowsAt('/stock/product-group'), [
      {
        category_id: 1,
        name: 'Dry goods',
        products: 1,
        quantity: 4,
        reserved: 0.5,
        available: 3.5,
        total_cost: 10,
      },
      { products: 2, quantity: 3, reserved: 0, available: 3, total_cost: 7.5 },
    ])
  })

  test('GET /stock-operations is newest first, and filters by where, what and why', async () => {
    const idsOf = async (query: string) => (await rowsAt(`/stock-operations?${query}`)).map(({ id }) => id)
    assert.deepEqual(await idsOf(''), [ids[4], ids[3], ids[2], ids[1], ids[0], 3])
    assert.deepEqual(await idsOf('filters=[["storage_id",2]]'), [ids[1]])
    assert.deepEqual(await idsOf('filters=[["receipt_id",7],["product_id",53]]'), [ids[4]])
    assert.deepEqual(await idsOf(`filters=[["stock_id",${ids[0]}]]`), [ids[3], ids[0]])
    assert.deepEqual(await idsOf('date[0]=2026-02-27&date[1]=2026-02-27'), [ids[2], ids[1], ids[0]])
    const { total } = await get('/stock-operations?date[0]=2026-02-27&date[1]=2026-02-27&limit=1')
    assert.equal(total, 3, 'of whole days it is kept')
    assert.equal((await get('/stock-operations?venue=all')).total, 7)
    assert.ok(ids[0]! > 900, 'no stock has an id that history names')
  })

  test('GET /receipts/{id}/stock-operations is what its lines took, in its own venue', async () => {
    const { data, total } = await get('/receipts/7/stock-operations')
    const rows = data as { id: number; quantity: number }[]
    assert.deepEqual(
      rows.map(({ id, quantity }) => [id, quantity]),
      [
        [ids[4], -2],
        [ids[3], -1],
      ],
    )
    assert.equal(total, 2)
    assert.deepEqual((await rowsAt('/receipts/7/stock-operations?filters=[["product_id",53]]')).length, 1)
    for (const id of [8, 99]) assert.equal((await built.client.get(`/receipts/${id}/stock-operations`)).status, 404)
    const everywhere = await built.client.get('/receipts/7/stock-operations?venue=all')
    assert.equal(everywhere.status, 400, 'a receipt is of one venue')
    const { next } = (await get('/receipts/7/stock-operations?after=&limit=1')).pagination as { next: string }
    assert.equal((await built.client.get(`/receipts/7/stock-operations?after=${next}`)).status, 200)
    assert.equal((await built.client.get(`/stock-operations?after=${next}`)).status, 400, 'a cursor of another list')
  })

  test('sums up what came in and what was taken, and by product what was there before and after', async () => {
    assert.deepEqual((await get('/stock-operations/total?date[0]=2026-03-01')).data, {
      count: 2,
      in: 0,
      out: 3,
      in_cost: 0,
      out_cost: 2,
    })
    const [flour, sugar, salt, ...none] = await rowsAt(
      '/stock-operations/products?date[0]=2026-03-01&date[1]=2026-03-01',
    )
    assert.deepEqual(flour, {
      product_id: 51,
      name: 'Flour 51',
      unit_id: 4,
      opening: 5,
      in: 0,
      out: 1,
      closing: 4,
      opening_cost: 12,
      in_cost: 0,
      out_cost: 2,
      closing_cost: 10,
    })
    assert.deepEqual([sugar!.opening, sugar!.closing], [5, 5])
    assert.deepEqual([salt!.opening, salt!.out, salt!.closing, none], [0, 2, -2, []])
    const before = await rowsAt('/stock-operations/products?date[1]=2026-02-28&filters=[["product_id",51]]')
    assert.deepEqual([before.length, before[0]!.in, before[0]!.closing], [1, 5, 5])
  })

  test('an export that is imported elsewhere has the same stock', async () => {
    const { db, brand_id } = built
    const rows: Row[] = []
    for (const { kind, readExportPage } of RESOURCES) {
      const { objects } = await readExportPage(db, brand_id, undefined)
      rows.push(...objects.map((text) => ({ kind, ...JSON.parse(text) }) as Row))
    }
    const copy = await brand(rows)
    const stocksOf = (brand_id: number) =>
      db.rows<{ brand_id: number }>('select * from stocks where brand_id = ? order by id', [brand_id])
    const plain = (all: { brand_id: number }[]) => all.map(({ brand_id: _, ...row }) => row)
    assert.deepEqual(plain(await stocksOf(copy.brand_id)), plain(await stocksOf(brand_id)))
    assert.deepEqual((await copy.client.get('/stock')).body, await get('/stock'))
    const [after] = await copy.move([{ product_id: 51, quantity: scaled(-1) }])
    assert.equal(after!.before_quantity, 2)
    await putRows(db, copy.brand_id, rows) // what was exported before is only a part of its movements now
    assert.equal(((await copy.client.get(`/stock/${ids[0]}`)).body.data as { quantity: number }).quantity, 1)
    const stray = { kind: 'stock_operation', id: 99_999, venue_id: 1, stock_id: 5, storage_id: 1, position: 1 }
    await assert.rejects(putRows(db, copy.brand_id, [stray]), /position in stock 5, which is not there/)
  })
})
