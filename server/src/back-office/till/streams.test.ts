import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows } from '../../../test/database/store.ts'
import { LATE_MS } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'
import { buildApp } from '../../app.ts'
import { closeDeps, openDeps } from '../../deps.ts'
import { eventId } from '../../events/event-id.ts'
import { trimFeeds } from '../../events/trim.ts'
import type { Lifecycle } from '../../http/health.ts'
import { RESTAURANT } from '../../pos/receipts/till-fixture.ts'
import type { Database } from '../../storage/database.ts'
import { type Browser, offices } from '../office-fixture.ts'
import { follow } from './live-fixture.ts'
import { liveStreams } from './streams.ts'

/** A stream shows a sign of life every ten seconds: what ends it earlier was no accident. */
const BEAT_MS = 10_000

onEachEngine('the streams of screens', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>>
  let brand_id: number
  let owner: Browser
  let url: string

  before(async () => {
    built = await office()
    brand_id = (await built.brand('bistro', { rows: RESTAURANT, quota: 1e9 })).id
    owner = await built.staffBrowser('bistro')
    url = await built.app.listen({ port: 0, host: '127.0.0.1' })
  })

  const open = async () => {
    const { status, body } = await owner.ask('POST', '/receipts', { cid: randomUUID(), sale_type_id: 1 })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data.id as number
  }
  type Stream = Awaited<ReturnType<typeof follow>>
  const idOf = async (stream: Stream) => ((await stream.next())?.data.data as { id: number } | undefined)?.id
  const msToEnd = async (stream: Stream) => {
    const from = performance.now()
    assert.equal(await stream.next(), undefined)
    return performance.now() - from
  }

  test('a cursor that cannot be read, or is too old, is answered with a reset', async () => {
    const first = await follow(url, owner)
    await open()
    const { id } = (await first.next())!
    first.stop()
    await open()
    await trimFeeds(built.deps.db, Date.now() + 1_000) // every event, but for what the feed ends with
    const far = eventId({ position: 2 ** 47, nonce: 2 ** 40 })
    for (const lost of ['nonsense', 'evt_', '-1', `${id}0`, id.toUpperCase(), far, id]) {
      const stream = await follow(url, owner, { 'last-event-id': lost })
      assert.equal((await stream.next())?.type, 'resync', lost)
      const made = await open()
      assert.equal(await idOf(stream), made, lost)
      stream.stop()
    }
    const plain = await follow(url, owner, { 'last-event-id': '' })
    const made = await open()
    assert.equal(await idOf(plain), made)
    plain.stop()
  })

  test('it ends when its session does, though nothing happens in the venue', async () => {
    const waiter = await built.staffBrowser('bistro', 'waiter')
    const stream = await follow(url, { cookie: waiter.cookie })
    assert.equal((await waiter.ask('DELETE', '/session', { everywhere: false })).status, 204)
    assert.ok((await msToEnd(stream)) < BEAT_MS / 2)
  })

  test('it ends when its venue is closed to the user, and follows what they may read', async () => {
    const waiter = await built.staffBrowser('bistro', 'waiter')
    const is = async (more: object) => {
      await putRows(built.deps.db, brand_id, [{ kind: 'user', id: 2, username: 'waiter', role_id: 2, ...more }])
      await built.deps.directory.refresh()
    }
    const refused = await fetch(`${url}/back-office/api/live`, { headers: { cookie: waiter.cookie!, 'x-venue': '9' } })
    assert.equal(refused.status, 403)
    const stream = await follow(url, waiter)
    await is({ role_id: 3 }) // a cook: receipts are not theirs
    await open()
    assert.equal((await stream.next())?.type, 'tickets.changed')
    await is({ venue_ids: [2] })
    assert.ok((await msToEnd(stream)) < BEAT_MS / 2)
    const closed = await fetch(`${url}/back-office/api/live`, { headers: { cookie: waiter.cookie!, 'x-venue': '1' } })
    assert.equal(closed.status, 403)
    await is({})
  })

  test('one screen more than a person may have ends the oldest, and wakes no other', async () => {
    const streams = await Promise.all(Array.from({ length: 32 }, () => follow(url, owner)))
    const reads = countReads(built.deps.db)
    const last = await follow(url, owner)
    const ended = await Promise.race(streams.map(async (stream) => ((await stream.next()) ? 'news' : 'ended')))
    assert.equal(ended, 'ended')
    const before = reads()
    await sleep(1_200)
    assert.ok(reads() - before <= 5, `${reads() - before} reads of the feed: each stream wakes another`)
    const made = await open()
    assert.equal(await idOf(last), made)
    for (const stream of [...streams, last]) stream.stop()
  })

  /** More than a connection takes that nobody reads; answers where to begin. */
  const PIECES = 300
  const piece = 'x'.repeat(100_000)
  async function publishMuch(): Promise<string> {
    const { body } = await owner.ask('GET', '/events?after=latest')
    for (let index = 0; index < PIECES; index++)
      await built.deps.db.transaction(async (tx) =>
        tx.publish({ brand_id, type: 'receipt.updated', subject: String(index), venue_id: 1, data: { id: 1, piece } }),
      )
    return body.next
  }

  /** A service, and on it a client that asks for a stream and reads nothing; `socket` is the server's side of it. */
  async function withStalled(options: Parameters<typeof buildApp>[1], from: string) {
    const app = buildApp(built.deps, { lateMs: LATE_MS, ...options })
    const sockets: Socket[] = []
    app.server.on('connection', (socket) => sockets.push(socket))
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const client = connect(Number(new URL(url).port), '127.0.0.1')
    client.pause().on('error', () => {})
    const headers = `host: pos.example.com\r\ncookie: ${owner.cookie}\r\nlast-event-id: ${from}\r\n`
    client.write(`GET /back-office/api/live HTTP/1.1\r\n${headers}\r\n`)
    await until(() => sockets.length === 1 && sockets[0]!.writableLength > 0, 'it does not come to a standstill')
    const close = async () => {
      client.destroy()
      await app.close()
    }
    return { at: url, socket: sockets[0]!, close }
  }

  test('a reader that takes nothing is cut off, and holds little meanwhile', async () => {
    const { socket, close } = await withStalled({ stallMs: 1_000 }, await publishMuch())
    let most = 0
    await until(() => {
      most = Math.max(most, socket.writableLength)
      return socket.destroyed
    }, 'the reader is still there')
    assert.ok(most < (PIECES * piece.length) / 3, `${most} bytes wait in the process`)
    await close()
  })

  test('streams end when the process leaves, also one that nobody reads, and none begins', async () => {
    const lifecycle: Lifecycle = { draining: false }
    const { at: url, socket, close } = await withStalled({ lifecycle }, await publishMuch())
    const stream = await follow(url, owner)
    lifecycle.draining = true
    lifecycle.onDraining!()
    assert.ok((await msToEnd(stream)) < BEAT_MS / 2)
    const from = performance.now()
    await until(() => socket.destroyed)
    assert.ok(performance.now() - from < BEAT_MS / 2)
    assert.ok((await msToEnd(await follow(url, owner))) < BEAT_MS / 2)
    await close()
  })

  test('another worker tells its events, and ends a session everywhere', async () => {
    const { installation, deps } = built
    const opened = await openDeps(installation.config, deps.log)
    const other = { ...opened, now: deps.now, tokens: deps.tokens, windows: deps.windows }
    const worker = buildApp(other, { lateMs: LATE_MS })
    const url = await worker.listen({ port: 0, host: '127.0.0.1' })
    const waiter = await built.staffBrowser('bistro', 'waiter')
    const stream = await follow(url, { cookie: waiter.cookie })
    const made = await open()
    assert.equal(await idOf(stream), made)
    assert.equal((await waiter.ask('DELETE', '/session', { everywhere: true })).status, 204)
    assert.ok((await msToEnd(stream)) < BEAT_MS / 2)
    await worker.close()
    await closeDeps(opened)
  })

  test('no user, brand or process has more streams than it may, and the largest brand makes room', async () => {
    const { db, now } = built.deps
    const cut: string[] = []
    const streams = liveStreams({
      db,
      now,
      stays: async () => true,
      failed: (error) => assert.fail(error as Error),
      most: { ofUser: 2, ofBrand: 3, ofAll: 4 },
    })
    const opened = (brand: number, user: string) => {
      const socket = Object.assign(new EventEmitter(), { setTimeout() {}, destroy() {} })
      const caller = { brand_id: brand, brand: `brand-${brand}`, integrator_id: user }
      const request = { call: { caller }, raw: { socket }, getDecorator: () => ({ session: 's' }) }
      const stream = streams.open(request as unknown as FastifyRequest)
      stream.attach(new PassThrough())
      stream.signal.addEventListener('abort', () => cut.push(`${brand} ${user}`))
      return stream
    }
    for (const [brand, user] of [
      [1, 'a'],
      [1, 'b'],
      [1, 'b'],
    ] as const)
      opened(brand, user)
    assert.deepEqual(cut, [])
    opened(1, 'b')
    assert.deepEqual(cut.splice(0), ['1 b'])
    opened(1, 'c')
    assert.deepEqual(cut.splice(0), ['1 a'])
    opened(2, 'a')
    assert.deepEqual(cut.splice(0), [])
    opened(3, 'a')
    assert.deepEqual(cut.splice(0), ['1 b'])
    streams.close()
    assert.equal(cut.length, 4)
  })
})

/** How often the feed is read from now on. */
function countReads(db: Database): () => number {
  let reads = 0
  const { text } = db
  db.text = (statement, values) => {
    if (statement.includes('from feeds')) reads++
    return text(statement, values)
  }
  return () => reads
}
