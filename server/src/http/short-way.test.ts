import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { onEachEngine } from '../../test/engines.ts'
import { overTheWire } from '../../test/over-the-wire.ts'
import { services } from '../../test/service.ts'
import { putRows, type Row, staff } from '../../test/store.ts'
import { StoreUnavailable } from '../storage/database.ts'

const rows: Row[] = [
  ...staff(),
  { kind: 'venue', id: 2, name: 'Second' },
  { kind: 'receipt', id: 1, venue_id: 1, total: 0.3, order_number: 'Crème brûlée €' },
  { kind: 'product', id: 7, name: 'Crème brûlée', type: 'DISH', price: 9.5 },
  { kind: 'price_list', id: 3, name: 'Évening' },
]

const receiptOf = (name: string, id: number): Row => ({
  kind: 'receipt',
  id,
  venue_id: 1,
  order_number: `${name}-${id}`,
})

// Requests that are usual enough for the short way, and others.
const SHORT: [path: string, headers?: Record<string, string>][] = [
  ['/receipts/1'],
  ['/receipts/2'],
  ['/receipts/9007199254740991'],
  ['/stock-operations/1'],
  ['/products'],
  ['/products?limit=1&fields=name'],
  ['/products?limit=0'],
  ['/products?nonsense=1'],
  ['/products?filters[name][contains]=br%C3%BBl'],
  ['/products?filters[name][contains]=%zz'],
  ['/price-lists?include=prices'],
  ['/whoami'],
  ['/receipts/1', { 'x-venue': '2' }],
  ['/receipts/1', { 'x-venue': 'two' }],
  ['/receipts/1', { 'x-venue': '9' }],
  ['/receipts/1', { 'x-token': '' }],
  ['/receipts/1', { 'x-token': 'no.token.atall' }],
  ['/products', { 'x-token': 'no token' }],
]
const LONG: typeof SHORT = [
  ['/receipts/'],
  ['/receipts/0'],
  ['/receipts/01'],
  ['/receipts/9007199254740992'],
  ['/receipts/1/'],
  ['/receipts/%31'],
  ['//receipts/1'],
  ['/Products'],
  ['/products/'],
  ['/products;a=1'],
  ['/customers'],
  ['/nowhere'],
  ['/products', { 'content-length': '0' }],
]

onEachEngine('the short way', (make) => {
  const service = services(make)

  async function bothWays(options: Parameters<Awaited<ReturnType<typeof service>>['brand']>[1] = { rows }) {
    const built = await service()
    let taken = 0
    built.app.addHook('onRequest', (_request, _reply, done) => {
      taken++ // by Fastify
      done()
    })
    const client = await built.brand('bistro', options)
    const token = await built.token(client.credentials)
    let clients = 0

    /** The answer by either way, each to a client of its own, without what differs between any two answers. */
    async function answers(path: string, headers: Record<string, string> = {}) {
      const ways = [built.app.inject.bind(built.app), overTheWire.bind(undefined, built.app)]
      const seen: { status: number; headers: object; body: string }[] = []
      let short = false
      for (const ask of ways) {
        const before = taken
        const address = { remoteAddress: `203.0.113.${++clients % 250}` }
        const answer = await ask({ url: `/v2${path}`, headers: { 'x-token': token, ...headers }, ...address })
        short = taken === before
        const id = String(answer.headers['x-request-id'])
        const { date, 'ratelimit-remaining': _remaining, 'ratelimit-reset': _reset, ...rest } = answer.headers
        assert.equal(Number(rest['content-length']), Buffer.byteLength(answer.body))
        delete rest['content-length'] // as long as the milliseconds that it took
        const sent = answer.body.replaceAll(id, 'ID').replace(/"time":\d+/, '"time":0')
        const alike = sent.replace(/"(remaining|reset)":\d+/g, '"$1":0')
        seen.push({ status: answer.statusCode, headers: { ...rest, 'x-request-id': 'ID' }, body: alike })
      }
      return { long: seen[0]!, own: seen[1]!, short }
    }
    return { ...built, client, token, answers }
  }

  test('answers what Fastify would, to the byte, and leaves to it what is unusual', async () => {
    const { answers } = await bothWays()
    for (const request of [...SHORT, ...LONG]) {
      const [path, headers] = request
      const { long, own, short } = await answers(path, headers)
      assert.deepEqual(own, long, path)
      // Fastify tells of an unknown address or method without our hook.
      if (SHORT.includes(request) || ![404, 405].includes(own.status))
        assert.equal(short, SHORT.includes(request), path)
    }
  })

  test('refuses alike: without a permission, past a quota, and when the store fails', async () => {
    const unable = await bothWays({ rows: staff(['products:read']) })
    const spent = await bothWays({ rows, quota: 0 })
    const away = await bothWays({ rows })
    away.deps.db.text = () => Promise.reject(new StoreUnavailable('away'))
    const broken = await bothWays({ rows })
    broken.deps.db.text = () => Promise.reject(new Error('canary'))
    const wanted = [403, 429, 503, 500]
    for (const [index, { answers }] of [unable, spent, away, broken].entries()) {
      const { long, own, short } = await answers('/receipts/1')
      assert.deepEqual([own, short], [long, true])
      assert.equal(own.status, wanted[index])
    }
  })

  test('many at once, of two brands with the same ids, each get their own', async () => {
    const { app, call, brand, signIn } = await bothWays({ rows, quota: 1_000 })
    const tokens = new Map<string, string>()
    for (const name of ['one', 'two']) {
      const made = [...staff(), ...Array.from({ length: 50 }, (_, n) => receiptOf(name, n + 1))]
      const { credentials } = await brand(name, { rows: made, quota: 1_000 })
      tokens.set(name, String((await signIn(credentials)).body.token))
    }
    const asked = Array.from({ length: 200 }, (_, n) => ({ name: n % 2 ? 'one' : 'two', id: (n % 60) + 1 }))
    await app.ready()
    const got = await Promise.all(
      asked.map(({ name, id }) => call(`/receipts/${id}`, { headers: { 'x-token': tokens.get(name)! } })),
    )
    for (const [index, { name, id }] of asked.entries()) {
      const { status, body } = got[index]!
      assert.equal(status, id > 50 ? 404 : 200)
      if (status === 200) assert.equal((body.data as { order_number: string }).order_number, `${name}-${id}`)
    }
  })

  test('a change is seen by the next request, whoever made it, and also on the same connection', async () => {
    const { app, token, client, installation, deps } = await bothWays()
    const { openDatabase } = await import('../storage/dialect.ts')
    const other = await openDatabase(installation.config, 'command')
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1')
    const get = async () => {
      socket.write(`GET /v2/receipts/1 HTTP/1.1\r\nHost: x\r\nX-Token: ${token}\r\n\r\n`)
      const [bytes] = await once(socket, 'data')
      return JSON.parse(String(bytes).split('\r\n\r\n')[1]!).data.total
    }
    for (let total = 1; total <= 40; total++) {
      await putRows(total % 2 ? other : deps.db, client.id, [{ kind: 'receipt', id: 1, venue_id: 1, total }])
      assert.equal(await get(), total)
    }
    socket.destroy()
    await other.close()
  })

  test('requests sent in one piece are answered in their order', async () => {
    const { app, token } = await bothWays()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1')
    const paths = Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? '/nowhere' : `/receipts/${(n % 2) + 1}`))
    socket.write(paths.map((path) => `GET /v2${path} HTTP/1.1\r\nHost: x\r\nX-Token: ${token}\r\n\r\n`).join(''))
    let text = ''
    while (text.split('HTTP/1.1 ').length <= paths.length) text += String((await once(socket, 'data'))[0])
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
    assert.deepEqual(
      statuses,
      paths.map((path) => (path === '/receipts/1' ? 200 : 404)),
    )
    socket.destroy()
  })
})
