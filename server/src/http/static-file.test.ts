import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { onEmbeddedEngine } from '../../test/database/engines.ts'
import { overTheWire } from '../../test/over-the-wire.ts'
import { LATE_MS, services } from '../../test/service.ts'

const HELD = ['/', '/openapi.json', '/docs/', '/docs/js/scalar.js', '/back-office/']

onEmbeddedEngine('pages and files that everybody gets alike', (make) => {
  const service = services(make)

  /** A service, and the very payloads that it hands to the connection. */
  async function watched() {
    const { app } = await service()
    const payloads: unknown[] = []
    app.addHook('onSend', async (_request, _reply, payload) => {
      payloads.push(payload)
      return payload
    })
    const get = (url: string, headers: Record<string, string> = {}) => overTheWire(app, { url, headers })
    return { get, payloads }
  }

  for (const url of HELD)
    test(`${url} is made and compressed once: every request is sent the same bytes`, async () => {
      const { get, payloads } = await watched()
      const [plain, gzipped] = [await get(url), await get(url, { 'accept-encoding': 'br, gzip' })]
      assert.deepEqual([plain.statusCode, gzipped.statusCode], [200, 200])
      assert.deepEqual(gunzipSync(gzipped.rawPayload), plain.rawPayload)
      for (let again = 0; again < 3; again++) {
        await get(url)
        await get(url, { 'accept-encoding': 'gzip' })
      }
      assert.ok(payloads.every((payload) => Buffer.isBuffer(payload)))
      assert.equal(new Set(payloads).size, 2, 'two Buffers in all')
    })

  test('60 requests at once for the script of GET /docs hold no turn of the event loop, not even the first ones', async () => {
    const { app } = await service()
    const address = await app.listen({ port: 0 })
    const sockets = Array.from({ length: 60 }, () => connect(Number(new URL(address).port)).pause())
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const longest = longestTurn()
    const answered = sockets.map((socket) => once(socket, 'readable'))
    for (const socket of sockets)
      socket.write('GET /docs/js/scalar.js HTTP/1.1\r\nhost: localhost\r\naccept-encoding: gzip\r\n\r\n')
    await Promise.all(answered)
    const ms = longest()
    for (const socket of sockets) socket.destroy()
    assert.ok(ms < 120, `${ms} ms`) // loading and rendering a package took twice as long
  })

  test('the encoding is the one that the client takes', async () => {
    const { get } = await watched()
    const encodings = {
      'gzip, deflate, br': 'gzip',
      GZIP: 'gzip',
      'gzip;q=0.5, *;q=0': 'gzip',
      '*': 'gzip',
      'gzip;q=0': undefined,
      'gzip; q=0.000, *': undefined,
      'br, *;q=0': undefined,
      identity: undefined,
      gzipped: undefined,
      '': undefined,
    }
    for (const [accepted, encoding] of Object.entries(encodings)) {
      const { headers } = await get('/openapi.json', { 'accept-encoding': accepted })
      assert.deepEqual([headers['content-encoding'], headers.vary], [encoding, 'accept-encoding'], accepted)
    }
  })

  for (const url of HELD)
    test(`${url} has an ETag, and a client that holds the same is answered 304 without a body`, async () => {
      const { get } = await watched()
      const { headers } = await get(url)
      const etag = String(headers.etag)
      assert.match(etag, /^W\/"[\w-]+"$/)
      assert.ok(headers['cache-control'])
      for (const sent of [etag, `"other", ${etag}`, etag.slice(2), '*']) {
        const { statusCode, body, headers: answered } = await get(url, { 'if-none-match': sent })
        assert.deepEqual([statusCode, body, answered.etag], [304, '', etag])
      }
      assert.equal((await get(url, { 'if-none-match': '"other"' })).statusCode, 200)
    })

  test('everything outside the tiers is shed while the event loop is late, but for health checks and the files of pages', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    let clock = 0
    t.mock.method(performance, 'now', () => clock)
    const { get } = await watched()
    const statuses = async () => {
      const all: [string, number][] = []
      for (const url of [...HELD, '/docs', '/back-office/api/session', '/health/live', '/health/ready'])
        all.push([url, (await get(url)).statusCode])
      return Object.fromEntries(all)
    }
    const usual = await statuses()
    assert.ok(!Object.values(usual).includes(503))
    for (let late = 0; late < 2; late++) {
      clock += 2 * LATE_MS
      t.mock.timers.tick(50)
    }
    const { '/health/live': live, '/health/ready': ready, '/back-office/': page, ...others } = await statuses()
    assert.deepEqual([live, ready, page], [200, 200, 200])
    assert.deepEqual(new Set(Object.values(others)), new Set([503]))
    clock += 50
    t.mock.timers.tick(50)
    assert.deepEqual(await statuses(), usual)
  })
})

/** Milliseconds that the longest turn of the event loop worked until it is asked: CPU time, which a busy machine does not stretch. */
function longestTurn(): () => number {
  let [longest, last] = [0, process.threadCpuUsage()]
  let isOver = false
  const turn = () => {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, user + system)
    last = process.threadCpuUsage()
    if (!isOver) setImmediate(turn)
  }
  turn()
  return () => {
    isOver = true
    turn()
    return longest / 1000
  }
}
