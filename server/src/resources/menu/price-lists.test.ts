import assert from 'node:assert/strict'
import { once as event } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { api, type Client } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import type { Answer } from '../../../test/service.ts'
import { client, longestTurn } from '../../../test/turns.ts'
import { StoreUnavailable } from '../../storage/database.ts'
import type { PriceList } from './price-lists.ts'

const dates = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z' }

const product = { name: 'Tea', type: 'PRODUCT', full_name: 'Tea, black', status: 1, price: 2, cost_price: 0.5 }
const teas: Row[] = [1, 2, 3].map((id) => ({
  kind: 'product',
  id,
  ...product,
  has_modifications: false,
  tags: [{ id: 1, name: 'hot' }],
  ...dates,
}))
const lists: Row[] = [
  { kind: 'price_list', id: 4, name: 'Livraison', description: 'Site "et" téléphone', status: true, ...dates },
  { kind: 'price_list', id: 5, name: 'Empty', status: false, ...dates },
  { kind: 'price_list', id: 6, name: 'Bar', ...dates },
]
const prices: Row[] = [
  { kind: 'price', id: 30, list_id: 4, product_id: 1, price: 2.5 },
  { kind: 'price', id: 10, list_id: 4, product_id: 3, price: 0.3 },
  { kind: 'price', id: 20, list_id: 6, product_id: 1, price: 9 },
]
const rows = [...teas, ...lists, ...prices]

const without = ({ kind, ...wire }: Row) => wire

/** The page of lists with entries, as D2.6 describes it. */
const withPrices = (list: Row) => ({
  ...without(list),
  prices: prices
    .filter(({ list_id }) => list_id === list.id)
    .sort((one, other) => Number(one.id) - Number(other.id))
    .map((price) => ({
      ...without(price),
      product: { id: price.product_id, ...product, has_modifications: false, ...dates },
      list: { id: list.id, name: list.name },
    })),
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

async function memoryInUse(): Promise<number> {
  for (let n = 0; n < 5; n++) {
    collectGarbage()
    await sleep(20) // buffers are freed a little later
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Made on the first call and shared by the others. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make()
    return made
  }
}

const namesOf = ({ body }: Answer) => (body.data as PriceList[]).map(({ name }) => name)

onEachEngine('GET /price-lists', (make) => {
  const { brand, running, patiently } = api(make)

  test('answers the imported lists value for value, without prices unless they are asked for', async () => {
    const { get } = await brand({ rows })
    const { status, body, headers } = await get('/price-lists')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.deepEqual(body, {
      data: lists.map(without),
      pagination: { page: 1, per_page: 50, total: 3, total_pages: 1 },
    })
  })

  test('adds prices in id order, each with its product and its list; a list without any has none', async () => {
    const { get } = await brand({ rows })
    for (const query of ['include=prices', 'with[]=prices', 'with=prices', 'include[]=prices']) {
      const { body } = await get(`/price-lists?${query}`)
      assert.deepEqual(body.data, lists.map(withPrices))
    }
  })

  test('adds prices in whatever order and on whatever page the lists come', async () => {
    const { get } = await brand({ rows })
    const sorted = await get('/price-lists?include=prices&sort[0][0]=name')
    assert.deepEqual(sorted.body.data, [lists[2]!, lists[1]!, lists[0]!].map(withPrices))
    const second = await get('/price-lists?include=prices&limit=1&page=2&sort[0][0]=id&sort[0][1]=desc')
    assert.deepEqual(second.body.data, [withPrices(lists[1]!)])
    const filtered = await get(`/price-lists?include=prices&filters=${encodeURIComponent('[["name","Bar"]]')}`)
    assert.deepEqual(filtered.body.data, [withPrices(lists[2]!)])
    const past = await get('/price-lists?include=prices&page=9')
    assert.deepEqual(past.body, { data: [], pagination: { page: 9, per_page: 50, total: 3, total_pages: 1 } })
  })

  test('shows prices under fields only when fields names them too', async () => {
    const { get } = await brand({ rows })
    const data = async (query: string) => (await get(`/price-lists?${query}&limit=1`)).body.data
    assert.deepEqual(await data('include=prices&fields=status'), [{ id: 4, status: true }])
    assert.deepEqual(await data('include=prices&fields=prices'), [{ id: 4, prices: withPrices(lists[0]!).prices }])
    assert.equal((await get('/price-lists?fields=prices')).status, 400)
  })

  test('sorts by id, name and created_at, and by nothing else', async () => {
    const { get } = await brand({ rows })
    assert.deepEqual(namesOf(await get('/price-lists?sort[0][0]=name&sort[0][1]=asc')), ['Bar', 'Empty', 'Livraison'])
    assert.deepEqual(namesOf(await get('/price-lists?sort[0][0]=id&sort[0][1]=desc')), ['Bar', 'Empty', 'Livraison'])
    assert.deepEqual(namesOf(await get('/price-lists?sort[0][0]=created_at&sort[0][1]=desc')), [
      'Livraison',
      'Empty',
      'Bar',
    ])
    assert.equal((await get('/price-lists?sort[0][0]=status')).status, 400)
  })

  test('takes a limit of 1 to 999', async () => {
    const { get } = await brand({ rows })
    assert.equal((await get('/price-lists?limit=999')).status, 200)
    for (const limit of [0, 1000]) assert.equal((await get(`/price-lists?limit=${limit}`)).status, 400)
  })

  test('does not show the prices of another brand, whose ids are the same', async () => {
    const [one, other] = [await brand({ rows }), await brand({ rows: [...teas, ...lists] })]
    assert.equal((await one.get('/price-lists?include=prices')).text.includes('"price":9'), true)
    assert.equal((await other.get('/price-lists?include=prices')).text.includes('"price":9'), false)
  })

  /** Lists of that many prices each, of products 1 to `kinds`, put in past the importer, which would take its time. */
  async function manyPrices(brand_id: number, counts: readonly number[], kinds = 3): Promise<void> {
    const db = await patiently()
    let last = 1000
    for (const [index, count] of counts.entries()) {
      const [list_id, product] = [lists[index]!.id as number, `(id % ${kinds}) + 1`]
      for (const end = last + count; last < end; last = Math.min(last + 5_000, end)) {
        await db.transaction((tx) =>
          tx.run(
            `insert into prices (brand_id, id, list_id, product_id, price, body)
             with recursive ids (id) as (select ${last + 1} union all select id + 1 from ids where id < ${Math.min(last + 5_000, end)})
             select ${brand_id}, id, ${list_id}, ${product}, 10000,
               '{"id":' || id || ',"list_id":${list_id},"product_id":' || (${product}) || ',"price":1}' from ids`,
            [],
          ),
        )
        await sleep(1)
      }
    }
  }

  /** Waits until the service is no longer too busy: on a slow machine this test leaves it little of the event loop. */
  async function calm({ get }: Client): Promise<void> {
    while ((await get('/price-lists')).status === 503) await sleep(100)
  }

  test('carries all prices of several lists, however many they are together', async () => {
    const owner = await brand({ rows: [...teas, ...lists] })
    const { id, get } = owner
    await manyPrices(id, [12_000, 8_000, 1])
    await calm(owner)
    const full = await get('/price-lists?include=prices&limit=2')
    assert.equal(full.status, 200)
    const counts = (full.body.data as PriceList[]).map((list) => list.prices!.length)
    assert.deepEqual(counts, [12_000, 8_000])
    for (const { prices = [] } of full.body.data as PriceList[])
      assert.deepEqual(
        prices.map((price) => price.id),
        prices.map((price) => price.id).toSorted((one, other) => one - other),
      )
    await calm(owner)
    const beyond = await get('/price-lists?include=prices&limit=3')
    assert.equal(beyond.status, 200)
    assert.deepEqual((beyond.body.data as PriceList[]).slice(0, 2), full.body.data)
    assert.deepEqual(
      (beyond.body.data as PriceList[]).map((list) => list.prices!.length),
      [12_000, 8_000, 1],
    )
  })

  test('says the same of an entry whether there are few or more', async () => {
    const entries = async (count: number) => {
      const { id, get } = await brand({ rows: [...teas, ...lists] })
      await manyPrices(id, [count])
      const { body } = await get('/price-lists?include=prices')
      return (body.data as PriceList[]).map((list) => list.prices!)
    }
    const [few, more] = [await entries(500), await entries(501)]
    assert.deepEqual(
      few.map(({ length }) => length),
      [500, 0, 0],
    )
    assert.deepEqual(few[0], more[0]!.slice(0, -1))
    assert.deepEqual(more[0]!.at(-1)!.list, { id: 4, name: 'Livraison' })
  })

  const LONG = 60_000
  const longPath = '/price-lists?include=prices&limit=1'

  /** A brand whose first list is long, served on a port. */
  const madeOnce = once(async () => {
    const owner = await brand({ rows: [...teas, ...lists] })
    await manyPrices(owner.id, [LONG, 20_000])
    return { ...owner, address: await listening() }
  })
  const longList = async () => {
    const owner = await madeOnce()
    await calm(owner)
    return owner
  }

  const listening = once(async () => {
    const { app } = await running()
    return app.listen({ port: 0, host: '127.0.0.1' })
  })

  test('answers a single list whole, however long it is', async () => {
    const { get } = await longList()
    const { status, body, headers } = await get(longPath)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.deepEqual(body.pagination, { page: 1, per_page: 1, total: 3, total_pages: 3 })
    const [{ prices = [], ...list }] = body.data as [PriceList]
    assert.deepEqual(list, without(lists[0]!))
    assert.equal(prices.length, LONG)
    assert.ok(prices.every(({ id }, index) => id === 1001 + index))
    assert.deepEqual(prices.at(-1), {
      id: 1000 + LONG,
      list_id: 4,
      product_id: ((1000 + LONG) % 3) + 1,
      price: 1,
      product: { id: ((1000 + LONG) % 3) + 1, ...product, has_modifications: false, ...dates },
      list: { id: 4, name: 'Livraison' },
    })
    await longList()
    // One list on the page is enough, whatever the limit; and fields narrows it as it does others.
    const filtered = await get(`/price-lists?include=prices&fields=prices&filters=${encodeURIComponent('[["id",4]]')}`)
    assert.deepEqual(filtered.body.data, [{ id: 4, prices }])
  })

  test('reads long lists in chunks that wait their turn, so that a neighbour waits for few of them', async () => {
    const [{ token, address }, neighbour] = [await longList(), await brand()]
    const { deps } = await running()
    const { scan } = deps.db
    let chunks = 0
    deps.db.scan = async (...query) => {
      const found = await scan(...query)
      if (query[0] !== neighbour.id) chunks++
      return found as never
    }
    try {
      let reading = true
      const read = async () => {
        const answer = await fetch(`${address}/v2${longPath}`, { headers: { 'x-token': token } })
        for await (const _piece of answer.body!); // kept nowhere: that would take the test longer than the service
        return answer.status
      }
      const streams = Promise.all([read(), read(), read(), read()]).finally(() => {
        reading = false
      })
      const waitedFor: number[] = []
      while (reading) {
        const before = chunks
        await deps.db.scan(neighbour.id, undefined, 'select 1', [])
        if (before > 0) waitedFor.push(chunks - before)
        await sleep(5)
      }
      assert.deepEqual(await streams, [200, 200, 200, 200])
      assert.equal(chunks, 4 * (LONG / 500 + 1))
      waitedFor.sort((one, other) => one - other)
      const most = deps.db.dialect.engine === 'SQLite' ? 2 : 8 // those that ran when it came, and their like before it ended
      assert.ok(waitedFor[waitedFor.length >> 1]! <= most, waitedFor.join())
    } finally {
      deps.db.scan = scan
    }
  })

  test('answers HEAD for a long list without reading it', async () => {
    const { token, address } = await longList()
    const { deps } = await running()
    const { scan } = deps.db
    let chunks = 0
    deps.db.scan = async (...query) => {
      chunks++
      return scan(...query) as never
    }
    try {
      const url = `${address}/v2${longPath}`
      const head = await fetch(url, { method: 'HEAD', headers: { 'x-token': token } })
      assert.equal(head.status, 200)
      assert.equal(head.headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal(head.headers.get('content-length'), null)
      await longList() // the connection and the service go on
      assert.equal(chunks, 0)
    } finally {
      deps.db.scan = scan
    }
  })

  test('keeps next to nothing of a long list in memory for clients that do not read it, and answers others meanwhile', async (t) => {
    const owner = await longList()
    const { id, token, address } = owner
    const before = await memoryInUse()
    await calm(owner)
    const sockets = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect(Number(new URL(address).port), '127.0.0.1')
        socket.write(`GET /v2${longPath} HTTP/1.1\r\nhost: localhost\r\nx-token: ${token}\r\n\r\n`)
        await event(socket, 'readable') // it takes some kilobytes, and nobody takes those from it
        return socket
      }),
    )
    try {
      for (let n = 0; n < 20; n++) await calm(owner)
      const held = (await memoryInUse()) - before
      t.diagnostic(`${sockets.length} answers of more than ${LONG * 250} bytes hold ${held} bytes`)
      assert.ok(held < sockets.length * LONG * 25, `${held} bytes`) // a tenth of them
      assert.match(String(sockets[0]!.read()), /^HTTP\/1.1 200 OK\r\n(.+\r\n)*transfer-encoding: chunked/i)
      // What they wait for is no transaction: what is committed now, they will read.
      const db = await patiently()
      const body = JSON.stringify({ id: 1000 + LONG, list_id: 4, product_id: 1, price: 7 })
      const change = 'update prices set body = ? where brand_id = ? and id = ?'
      await db.transaction((tx) => tx.run(change, [body, id, 1000 + LONG]))
      let rest = ''
      for await (const piece of sockets[1]!.setEncoding('utf8')) {
        rest = (rest + piece).slice(-2_000)
        if (rest.endsWith('\r\n0\r\n\r\n')) break
      }
      assert.match(rest, /"id":61000,"list_id":4,"product_id":1,"price":7,/)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })

  test('cuts the connection when the store fails in the middle of a long list, and logs why', async () => {
    const { token, address } = await longList()
    const { deps, lines } = await running()
    const { scan } = deps.db
    let reads = 0
    deps.db.scan = async (...query) => {
      if (++reads > 5) throw new StoreUnavailable('the store was taken away')
      return scan(...query) as never
    }
    try {
      const answer = await fetch(`${address}/v2${longPath}`, { headers: { 'x-token': token } })
      assert.equal(answer.status, 200)
      await assert.rejects(answer.text())
      assert.ok(lines.some((line) => line.includes('the store was taken away')))
    } finally {
      deps.db.scan = scan
    }
  })

  test('holds the event loop for a large page no longer than four times what the same bytes cost as a constant body', async (t) => {
    const carte = Array.from({ length: 2_000 }, (_, i) => ({ ...teas[0]!, id: i + 1, full_name: 'Thé'.repeat(20) }))
    const { id, token, get } = await brand({ rows: [...carte, ...lists] })
    await manyPrices(id, [10_000, 10_000], carte.length)
    const constant = (await get('/price-lists?include=prices')).text
    const address = await listening()
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'content-length': Buffer.byteLength(constant) }).end(constant),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const plain = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const read = client()
    try {
      const page = () => read(`${address}/v2/price-lists?include=prices`, token)
      const held = { page: Number.POSITIVE_INFINITY, constant: Number.POSITIVE_INFINITY }
      // The best of several turns each, taken in turns: whatever else the machine does is in neither.
      for (let round = 0; round < 6; round++) {
        held.constant = Math.min(held.constant, await longestTurn(() => read(plain, token)))
        held.page = Math.min(held.page, await longestTurn(page))
      }
      t.diagnostic(`held ${held.page.toFixed(1)} ms, as a constant body ${held.constant.toFixed(1)} ms`)
      assert.ok(held.page < 4 * held.constant, `${held.page} ms against ${held.constant} ms`)
    } finally {
      await read.stop()
      server.close()
    }
  })
})
