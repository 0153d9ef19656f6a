import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { api, type Client } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import type { Answer } from '../../../test/service.ts'
import { client, longestTurn, threadCpuMs } from '../../../test/turns.ts'
import { uuidOf } from '../../demo/random.ts'
import { orders } from '../../resources/sales/orders.ts'
import { receipts } from '../../resources/sales/receipts.ts'
import { operations } from '../../resources/stock/operations.ts'
import { MAX_PAGE_BYTES, stretches } from './large-page.ts'

test('a piece has as many rows as fit into half a mebibyte, and at least one', () => {
  const kib = (...sizes: number[]) => sizes.map((size) => size * 1024)
  assert.deepEqual([...stretches([])], [])
  assert.deepEqual(
    [...stretches(kib(1, 511, 1, 600, 600, 2))],
    [
      [0, 2],
      [2, 3],
      [3, 4],
      [4, 5],
      [5, 6],
    ],
  )
})

test('what lists show inside their rows is weighed', () => {
  assert.deepEqual(Object.keys(receipts.nested!), ['receipt_products', 'costs'])
  assert.deepEqual(Object.keys(operations.nested!), ['items'])
  assert.equal(orders.heavy, true)
})

const MANY = 8
const LINES = 2
const TEA: Row = { kind: 'product', id: 5, name: 'Tea', type: 'PRODUCT', full_name: 'x' }
const HERE: Row = { kind: 'sale_type', id: 1, name: 'Here', system_type: 'IN', channel: 'IN', status: {}, position: 1 }
const many = (row: (id: number) => Row) => Array.from({ length: MANY }, (_, index) => row(index + 1))

const RECEIPTS = many((id) => ({
  kind: 'receipt',
  id,
  venue_id: 1,
  status: 2,
  receipt_products: Array.from({ length: LINES }, (_none, index) => ({
    id: id * LINES + index,
    product_id: 5,
    name: 'Tea',
    note: 'x',
    count: 1,
    price: 3,
    total: 3,
  })),
}))
const ORDERS = many((id) => ({
  kind: 'order',
  id,
  venue_id: 1,
  cid: uuidOf('order', id),
  status: 'IGNORE',
  sale_type_id: 1,
  products: [],
  comment: 'x',
  subtotal: 0,
  total: 0,
  price_differs: false,
  integrator: 'hub',
}))

onEachEngine('A large page', (make) => {
  const { brand, patiently, running } = api(make)

  /** Makes a text in the stored bodies of a table long; half of its bytes are letters of two. */
  async function swell(brand_id: number, table: string, bytes: number): Promise<void> {
    const db = await patiently()
    const long = 'é'.repeat(bytes / 4) + 'n'.repeat(bytes / 2)
    await db.transaction((tx) =>
      tx.run(`update ${table} set body = replace(body, ':"x"', ':"' || ? || '"') where brand_id = ?`, [long, brand_id]),
    )
  }

  const bytesOf = (data: readonly object[]) => Buffer.byteLength(JSON.stringify(data))
  const idsOf = ({ body }: Answer) => (body.data as { id: number }[]).map(({ id }) => id)

  /** As a client would: again when a busy machine makes the service refuse. */
  async function answered({ get }: Client, path: string): Promise<Answer> {
    for (;;) {
      const answer = await get(path)
      if (answer.status !== 503) return answer
      await sleep(100)
    }
  }

  /** A page is refused with a limit, and with that it is answered. */
  async function refusedThenFits(owner: Client, path: string, limit: number): Promise<object[]> {
    const refused = await answered(owner, `${path}&limit=${MANY}`)
    assert.deepEqual(
      [refused.status, refused.body],
      [
        400,
        {
          error: 'page_too_large',
          message: `This page has more than 16 MiB: lower the limit to ${limit}.`,
          details: { limit },
        },
      ],
    )
    const fits = await answered(owner, `${path}&limit=${limit}`)
    assert.equal(fits.status, 200)
    const data = fits.body.data as object[]
    assert.equal(data.length, limit)
    assert.ok(bytesOf(data) <= MAX_PAGE_BYTES)
    return data
  }

  test('of receipts with their lines is refused with the limit that fits, and says what single reads say', async () => {
    const owner = await brand({ rows: [TEA, ...RECEIPTS] })
    await swell(owner.id, 'receipt_lines', 1_600_000)
    const path = '/receipts?include=receipt_products'
    const [first] = (await refusedThenFits(owner, path, 5)) as { id: number }[]
    assert.deepEqual(first, (await answered(owner, `/receipts/${first!.id}?include=receipt_products`)).body.data)
    assert.deepEqual((await answered(owner, `${path}&after=`)).body.details, { limit: 5 })
    const ids = RECEIPTS.map(({ id }) => id).reverse()
    assert.deepEqual(idsOf(await answered(owner, '/receipts?include=costs')), ids) // which only sums them up
    assert.deepEqual((await answered(owner, `${path}&fields=id,status`)).body.data, [
      ...ids.map((id) => ({ id, status: 2 })),
    ])
  })

  test('of one row is always answered', async () => {
    const owner = await brand({ rows: [TEA, ...RECEIPTS] })
    await swell(owner.id, 'receipt_lines', 9_000_000)
    const { status, body } = await answered(owner, '/receipts?include=receipt_products&limit=1')
    assert.equal(status, 200)
    assert.ok(bytesOf(body.data as object[]) > MAX_PAGE_BYTES)
    const two = await answered(owner, '/receipts?include=receipt_products&limit=2')
    assert.deepEqual(two.body.details, { limit: 1 })
  })

  test('of orders, and of events with them, is refused with the limit that fits', async () => {
    const owner = await brand({ rows: [HERE, ...ORDERS] })
    await swell(owner.id, 'orders', 3_200_000)
    const data = await refusedThenFits(owner, '/orders?sort[0][0]=id&sort[0][1]=asc', 5)
    assert.deepEqual(
      (data as { id: number }[]).map(({ id }) => id),
      [1, 2, 3, 4, 5],
    )
    const few = await answered(owner, '/orders?fields=id,status')
    assert.deepEqual(few.body.data, ORDERS.map(({ id, status }) => ({ id, status })).reverse())
    await refusedThenFits(owner, '/events?after=oldest&types=order.created&include=object', 5)
  })

  test('of products is answered whatever its size', async () => {
    const owner = await brand({ rows: many((id) => ({ ...TEA, id, name: `Tea ${id}` })) })
    await swell(owner.id, 'products', 2_400_000)
    for (const query of ['', '?include=effective_price']) {
      const { status, body } = await answered(owner, `/products${query}`)
      assert.equal(status, 200)
      assert.equal((body.data as object[]).length, MANY)
      assert.ok(bytesOf(body.data as object[]) > MAX_PAGE_BYTES)
    }
  })

  test('is made one at a time of a brand, in turns of the event loop that stay short', async (t) => {
    const owner = await brand({ rows: [TEA, ...RECEIPTS] })
    await swell(owner.id, 'receipt_lines', 800_000)
    const { app, deps } = await running()
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    let [working, most, pages] = [0, 0, 0]
    const { inTurn } = deps.db
    deps.db.inTurn = (brand_id, work) =>
      inTurn(brand_id, async () => {
        most = Math.max(most, ++working)
        pages++
        return work().finally(() => working--)
      })
    const clients = [client(), client(), client()]
    try {
      const read = (from: ReturnType<typeof client>) =>
        from(`${address}/v2/receipts?include=receipt_products`, owner.token)
      await read(clients[0]!) // so that all code is compiled
      const ms = await longestTurn(() => Promise.all(clients.map(read)), threadCpuMs)
      assert.ok(pages > 1)
      assert.equal(most, 1)
      t.diagnostic(`the longest turn took ${ms.toFixed(1)} ms`)
      assert.ok(ms < 200, `${ms} ms`) // it takes a tenth of that on a machine of its own
    } finally {
      deps.db.inTurn = inTurn
      for (const each of clients) await each.stop()
    }
  })
})
