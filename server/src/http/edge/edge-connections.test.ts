import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEmbeddedEngine } from '../../../test/database/engines.ts'
import { staff } from '../../../test/database/store.ts'
import { services } from '../../../test/service.ts'

const MIB = 2 ** 20
const PRODUCTS = 8 // of a MiB each: more than the system takes off our hands for a client that does not read
const STANDSTILL_MS = 20_000
const SOON_MS = 1_000
const SLOW_READER_MS = 3_000
const HEADS = { 'without a body': '', 'with an empty body': 'Content-Length: 0\r\n' }

onEmbeddedEngine('connections on which a client is slow', (make) => {
  const service = services(make)

  /** A service that listens, and what asks it for a large page. */
  async function listening(standstillMs = SOON_MS) {
    const { brand, call, token, app } = await service()
    const soup = { kind: 'product', name: 'Soup', type: 'PRODUCT', price: 1, full_name: 'x'.repeat(MIB) }
    const soups = Array.from({ length: PRODUCTS }, (_, index) => ({ ...soup, id: index + 1 }))
    const { credentials } = await brand('bistro', { rows: [...staff(), ...soups] })
    const headers = { 'x-token': await token(credentials) }
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const ask = (more: string) =>
      `GET /v2/products HTTP/1.1\r\nHost: x\r\nx-token: ${headers['x-token']}\r\n${more}\r\n`
    /** How many requests of its quota of 300 have been looked at. */
    const counted = async () => 299 - Number((await call('/whoami', { headers })).headers['ratelimit-remaining'])
    /** A connection, with the service's end of it. */
    const join = async (options = {}) => {
      const accepted = once(app.server, 'connection') as Promise<[Socket]>
      const client = connect({ port, host: '127.0.0.1', ...options }).on('error', () => {})
      const [server] = await accepted
      const { setTimeout } = server
      server.setTimeout = (ms, ...rest) => setTimeout.call(server, ms === STANDSTILL_MS ? standstillMs : ms, ...rest)
      return { client, closed: new Promise((resolve) => server.once('close', resolve)) }
    }
    return { app, ask, counted, join }
  }

  for (const [way, header] of Object.entries(HEADS)) {
    test(`one that does not read costs one answer and is cut off, ${way}`, { timeout: 60_000 }, async () => {
      const { ask, counted, join } = await listening()
      const { client, closed } = await join()
      client.pause().write(ask(header).repeat(20))
      await closed
      assert.equal(await counted(), 1)
      client.destroy()
    })

    test(`one that reads slowly has its whole answer, ${way}`, { timeout: 60_000 }, async () => {
      const { ask, join } = await listening(SLOW_READER_MS)
      const { client } = await join()
      client.write(ask(`Connection: close\r\n${header}`))
      const startedAt = performance.now()
      let bytes = 0
      for await (const piece of client) {
        bytes += piece.length
        // Four seconds in all. The system asks us for more when it has room for a MiB or so: half a second, far less than a standstill.
        await sleep((500 * piece.length) / MIB)
      }
      assert.ok(bytes > PRODUCTS * MIB, `${bytes} bytes`)
      assert.ok(performance.now() - startedAt > SLOW_READER_MS)
    })
  }

  test('33 requests at once are answered, and one that sends more is cut off', { timeout: 60_000 }, async () => {
    const { join } = await listening()
    const live = 'GET /health/live HTTP/1.1\r\nHost: x\r\n'
    const answersTo = async (requests: string) => {
      const { client } = await join()
      client.write(`${requests}${live}Connection: close\r\n\r\n`)
      let text = ''
      try {
        for await (const piece of client) text += piece
      } catch {} // it was cut off
      return text.split('HTTP/1.1 200 OK').length - 1
    }
    assert.equal(await answersTo(`${live}\r\n`.repeat(32)), 33)
    assert.ok((await answersTo(`${live}\r\n`.repeat(33))) < 33)
  })

  test('a refused client may finish a short body, but send an endless one for a moment only', {
    timeout: 60_000,
  }, async () => {
    const { app, join } = await listening(0)
    app.server.keepAliveTimeout = app.server.requestTimeout = 0
    const post = (length: string) =>
      `POST /v2/customers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`
    const short = post('Content-Length: 2')
    const told = async (client: Socket) => assert.match(String((await once(client, 'data'))[0]), /^HTTP\/1\.1 401 /)
    const kept = await join()
    kept.client.write(short)
    await told(kept.client)
    const endless = await join()
    endless.client.write(`${post('Transfer-Encoding: chunked')}5\r\nhello\r\n`)
    await told(endless.client)
    await endless.closed
    kept.client.write(`{}${short}{}`)
    await told(kept.client) // the connection is still good
    kept.client.destroy()
  })

  test('a connection that stays open after its 408 is closed by the server', { timeout: 60_000 }, async () => {
    const { app, join } = await listening(0)
    app.server.headersTimeout = 500
    const { client, closed } = await join({ allowHalfOpen: true })
    client.write('GET / HTTP/1.1\r\n')
    const [answer] = await once(client, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 408 /)
    await closed
    client.destroy()
  })
})
