import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { until } from '../../../test/until.ts'
import { type Deadline, isOver } from '../../storage/database.ts'
import { Call } from '../call.ts'
import { refusalFor } from '../errors.ts'
import { asHook } from '../rules.ts'
import { loadShedder } from './shed.ts'

function serving(limits: Omit<Parameters<typeof loadShedder>[0], 'onClientGone'>) {
  const app = Fastify()
  const gone: number[] = []
  app.decorateRequest('call')
  app.addHook('onRequest', async (request) => {
    request.call = new Call({})
  })
  const shedder = loadShedder({ ...limits, onClientGone: (reply) => void gone.push(reply.statusCode) })
  app.addHook('onRequest', asHook(shedder.admit))
  app.addHook('onResponse', async (_request, reply) => shedder.release(reply))
  app.addHook('onClose', async () => shedder.close())
  app.setErrorHandler((error, request, reply) => {
    const { status, headers, body } = refusalFor(error, request.id, 0)
    return reply.status(status).headers(headers).send(body)
  })
  return Object.assign(app, { gone })
}

test('a request beyond the cap in flight is answered 503 with Retry-After, and the next one after a slot frees is served', async () => {
  const app = serving({ maxInFlight: 2 })
  const waiting: (() => void)[] = []
  app.get('/slow', () => new Promise((resolve) => waiting.push(() => resolve('done'))))

  const served = [app.inject('/slow'), app.inject('/slow')]
  while (waiting.length < 2) await new Promise(setImmediate)
  const refused = await app.inject('/slow')
  assert.deepEqual(
    [refused.statusCode, refused.json().error, refused.headers['retry-after']],
    [503, 'unavailable', '5'],
  )
  for (const finish of waiting) finish()
  assert.deepEqual(
    (await Promise.all(served)).map(({ statusCode }) => statusCode),
    [200, 200],
  )
  const later = app.inject('/slow')
  while (waiting.length < 3) await new Promise(setImmediate)
  waiting[2]!()
  assert.equal((await later).statusCode, 200)
})

test('a request that is not answered in time is answered 503 with Retry-After, and no other is', async () => {
  const app = serving({ deadlineMs: 1_000 })
  app.get('/never', () => new Promise(() => {}))
  app.get('/quick', () => 'done')
  const late = app.inject('/never')
  assert.equal((await app.inject('/quick')).statusCode, 200)
  const { statusCode, headers } = await late
  assert.deepEqual([statusCode, headers['retry-after']], [503, '5'])
  await app.close()
})

test('a write that is not answered in time is never made afterwards, or its outcome is reported as unknown', async () => {
  const app = serving({ deadlineMs: 100 })
  const deadlines: Deadline[] = []
  app.post('/:committing', (request) => {
    const { committing } = request.params as { committing: string }
    request.call.deadline = { expiresAt: performance.now() + 60_000, committing: committing === 'true' }
    deadlines.push(request.call.deadline)
    return new Promise(() => {})
  })
  const refused = await Promise.all([
    app.inject({ method: 'POST', url: '/false' }),
    app.inject({ method: 'POST', url: '/true' }),
  ])
  assert.deepEqual(
    refused.map((answer) => [answer.statusCode, answer.json().error]),
    [
      [503, 'unavailable'],
      [503, 'outcome_unknown'],
    ],
  )
  assert.deepEqual(
    deadlines.map((deadline) => isOver(deadline)),
    [true, false],
  )
  await app.close()
})

test('an answer that is being sent takes as long as its client does, and one that nobody takes is timed', async () => {
  const app = serving({ deadlineMs: 500 })
  const rejected: unknown[] = []
  const note = (error: unknown) => void rejected.push(error)
  process.on('unhandledRejection', note)
  let socket: Socket | undefined
  async function* pieces() {
    yield 'first,'
    await sleep(2_500) // the shedder looks once a second
    yield 'last'
  }
  app.get('/slow', (_request, reply) => reply.send(Readable.from(pieces(), { objectMode: false })))
  app.get('/large', (request, reply) => {
    socket = request.raw.socket
    return reply.send(Readable.from([Buffer.alloc(20_000_000), Buffer.alloc(20_000_000)]))
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const idle = connect(Number(new URL(address).port), '127.0.0.1')
  idle.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
  try {
    const answer = await fetch(`${address}/slow`)
    assert.deepEqual([answer.status, await answer.text()], [200, 'first,last'])
    assert.deepEqual(rejected, [])
    assert.equal(socket?.timeout, 20_000)
  } finally {
    process.off('unhandledRejection', note)
    idle.destroy()
    await app.close()
  }
})

test('clients that leave in the middle of their bodies leave their slots too', async () => {
  const app = serving({ maxInFlight: 2 })
  app.post('/', () => 'done')
  app.get('/quick', () => 'done')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const clients = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  for (const client of clients)
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{')
  const answers = (status: number) =>
    until(async () => (await app.inject('/quick')).statusCode === status, `not answered ${status}`)
  await answers(503)
  for (const client of clients) client.destroy()
  await answers(200)
  assert.deepEqual(app.gone, [499, 499])
  await app.close()
})

test('while each turn of the event loop takes too long, requests are refused at once; after one that did, none is', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let clock = 0
  const app = serving({ now: () => clock })
  app.get('/', () => 'done')
  const statusAfter = async (...turnsMs: number[]) => {
    for (const ms of turnsMs) {
      clock += ms
      t.mock.timers.tick(50)
    }
    return (await app.inject('/')).statusCode
  }
  assert.equal(await statusAfter(50, 5_000), 200, 'a pause is no overload')
  assert.equal(await statusAfter(350), 503)
  assert.equal(await statusAfter(50), 200)
  assert.equal(await statusAfter(300, 300, 300), 200, 'late, but not too late')
  await app.close()
})
