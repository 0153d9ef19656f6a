import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ComptoirOptions,
  ConnectionError,
  type RequestEvent,
  type ResponseEvent,
  ServerError,
} from '../src/index.ts'
import { fakeClock } from './clock.ts'
import { type Answer, clientOf, type Mishap, open, refused, restaurant } from './restaurant.ts'

const unavailable: Answer = { ...refused(503, 'unavailable'), headers: { 'retry-after': '5', 'ratelimit-reset': '60' } }

function patient(options: Partial<ComptoirOptions> = {}) {
  const clock = fakeClock()
  const demo = restaurant(clock.options)
  return { clock, demo, client: clientOf(demo, { ...clock.options, random: () => 0.5, ...options }) }
}

for (const mishap of [
  'cut',
  'lost',
  refused(500, 'internal_error'),
  refused(502, 'bad_gateway'),
  refused(408, 'request_timeout'),
] as const)
  test(`a read is repeated after ${typeof mishap === 'string' ? `its answer is ${mishap}` : mishap.status}`, async () => {
    const { demo, client } = patient()
    demo.instead('/receipts/1', mishap, mishap)
    assert.equal((await client.receipts.get(1)).id, 1)
    assert.equal(demo.count('/receipts/1'), 3)
  })

test('the waits are drawn between nothing and a bound that doubles, up to 20 s', async () => {
  for (const random of [0, 0.5, 1]) {
    const { clock, demo, client } = patient({ random: () => random, maxRetries: 8 })
    demo.instead('/receipts/1', ...Array.from({ length: 8 }, () => 'cut' as const))
    await client.receipts.get(1)
    const bounds = [500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]
    assert.deepEqual(
      clock.slept,
      bounds.map((bound) => bound * random),
    )
  }
})

test('Retry-After is waited out before the drawn wait', async () => {
  const { clock, demo, client } = patient()
  demo.instead('/receipts/1', unavailable)
  await client.receipts.get(1)
  assert.deepEqual(clock.slept, [5250])
})

for (const [what, until, date, expected] of [
  ['by the clock of the answer', 'Thu, 01 Jan 2026 02:00:07 GMT', 'Thu, 01 Jan 2026 02:00:00 GMT', 7250],
  ['by ours where the answer has none', 'Thu, 01 Jan 2026 00:00:09 GMT', undefined, 9250],
  ['no time at all where it has passed', 'Wed, 31 Dec 2025 23:59:00 GMT', undefined, 250],
  ['no time at all where it is no date', 'soon', undefined, 250],
] as const)
  test(`Retry-After as a date is waited out: ${what}`, async () => {
    const { clock, demo, client } = patient()
    const headers = { 'retry-after': until, ...(date && { date }) }
    demo.instead('/receipts/1', { ...unavailable, headers })
    await client.receipts.get(1)
    assert.deepEqual(clock.slept, [expected])
  })

test('the error of a refusal has the seconds of a Retry-After date', async () => {
  const { demo, client } = patient({ maxRetries: 0 })
  demo.instead('/receipts/1', { ...unavailable, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' } })
  await assert.rejects(client.receipts.get(1), { name: 'ServerError', retryAfterSeconds: 60 })
})

test('what keeps failing is an error in the end', async () => {
  const { demo, client } = patient()
  demo.instead('/receipts/1', ...Array.from({ length: 6 }, () => refused(500, 'internal_error', { request_id: 'r' })))
  await assert.rejects(client.receipts.get(1), { name: 'ServerError', status: 500, slug: 'internal_error' })
  assert.equal(demo.count('/receipts/1'), 6)

  demo.instead('/receipts/1', ...Array.from({ length: 6 }, () => 'cut' as const))
  await assert.rejects(client.receipts.get(1), (error: ConnectionError) => {
    assert.ok(error instanceof ConnectionError)
    assert.deepEqual([error.status, error.slug], [undefined, 'ECONNRESET'])
    return true
  })
})

test('a refusal is not repeated', async () => {
  for (const status of [400, 403, 404, 409, 413, 415, 422]) {
    const { demo, client } = patient()
    demo.instead('/receipts/1', refused(status, 'no'))
    await assert.rejects(client.receipts.get(1), { status })
    assert.equal(demo.count('/receipts/1'), 1)
  }
})

const leavesOpen: (Answer | Mishap)[] = [
  'lost',
  'cut',
  refused(503, 'outcome_unknown'),
  refused(500, 'internal_error'),
  refused(408, 'request_timeout'),
]

test('a write whose outcome is unknown is repeated under the same key, and done once', async () => {
  for (const mishap of leavesOpen) {
    const { demo, client } = patient()
    demo.instead('/customers', mishap)
    const customer = await client.customers.create({ name: 'Aysel', phone: '+994501112233' })
    assert.equal(customer.name, 'Aysel')
    const keys = demo.asked
      .filter(({ path }) => path === '/customers')
      .map(({ headers }) => headers.get('idempotency-key'))
    assert.equal(keys.length, 2)
    assert.match(keys[0]!, /^[\da-f-]{36}$/)
    assert.equal(keys[1], keys[0])
  }
})

test('a write told to go without a key is not repeated when its outcome is unknown', async () => {
  for (const mishap of leavesOpen) {
    const { demo, client } = patient()
    demo.instead('/customers', mishap)
    await assert.rejects(client.customers.create({ name: 'Aysel' }, { idempotencyKey: false }), /Error: /)
    assert.equal(demo.count('/customers'), 1)
    assert.equal(demo.asked.at(-1)!.headers.get('idempotency-key'), null)
  }
})

test('a key that is given is used, and each call without one gets its own', async () => {
  const { demo, client } = patient()
  await client.customers.create({ name: 'Aysel' }, { idempotencyKey: 'till 7, guest 12' })
  await client.customers.create({ name: 'Aysel' })
  await client.customers.create({ name: 'Aysel' })
  const keys = demo.asked.map(({ headers }) => headers.get('idempotency-key')).filter((key) => key !== null)
  assert.equal(keys[0], 'till 7, guest 12')
  assert.equal(new Set(keys).size, 3)
  for (const idempotencyKey of ['', 'x'.repeat(256), 'two\nlines'])
    await assert.rejects(client.customers.create({ name: 'Aysel' }, { idempotencyKey }), TypeError)
})

test('a repeated write waits while its first attempt is still at work', async () => {
  const { demo, client } = patient()
  demo.instead('/customers', 'cut', refused(409, 'idempotency_in_progress'), refused(409, 'idempotency_in_progress'))
  assert.equal((await client.customers.create({ name: 'Aysel' })).name, 'Aysel')
  assert.equal(demo.count('/customers'), 4)
})

test('an attempt that is not answered in time is given up, and the next may succeed', async (t) => {
  const demo = restaurant()
  const client = clientOf(await open(t, demo), { random: () => 0 })
  await client.receipts.get(1)
  demo.instead('/receipts/1', 'silence')
  assert.equal((await client.receipts.get(1, { timeoutMs: 3000 })).id, 1)

  demo.instead('/receipts/1', 'silence', 'silence')
  await assert.rejects(client.receipts.get(1, { timeoutMs: 100, maxRetries: 1 }), {
    name: 'ConnectionError',
    slug: 'timeout',
    message: 'GET /receipts/{id} was not answered within 100 ms',
  })
})

test('the deadline holds for the call as a whole, whatever it is waiting for', async () => {
  for (const path of ['/auth', '/receipts/1']) {
    const demo = restaurant()
    demo.instead(path, 'silence')
    await assert.rejects(clientOf(demo, { timeoutMs: 500 }).receipts.get(1, { deadlineMs: 50 }), {
      name: 'ConnectionError',
      slug: 'timeout',
      message: 'GET /receipts/{id} took more than 50 ms in all',
    })
  }
})

test('an AbortSignal ends a call that is under way', async (t) => {
  const demo = restaurant()
  const client = clientOf(await open(t, demo))
  demo.instead('/receipts/1', 'silence')
  const controller = new AbortController()
  const call = client.receipts.get(1, { signal: controller.signal })
  while (demo.count('/receipts/1') === 0) await new Promise(setImmediate)
  controller.abort(new Error('enough'))
  await assert.rejects(call, /enough/)
})

test('over a real socket, a connection that is cut is a failure that passes', async (t) => {
  const demo = restaurant()
  const client = clientOf(await open(t, demo), { random: () => 0 })
  demo.instead('/auth', 'cut')
  demo.instead('/customers', 'lost')
  const { name } = await client.customers.create({ name: 'Aysel', phone: '+994501112233' })
  assert.equal(name, 'Aysel')
  assert.equal(demo.count('/auth'), 2)
  assert.equal(demo.count('/customers'), 2)
})

test('nobody listening is a ConnectionError that says so', async () => {
  const client = clientOf('http://127.0.0.1:9/v2', { maxRetries: 0 })
  await assert.rejects(client.receipts.get(1), {
    name: 'ConnectionError',
    message: /^POST \/auth .*: (ECONNREFUSED|TypeError)$/,
  })
})

test('an answer that is not JSON is a ServerError', async () => {
  const client = clientOf(restaurant(), { maxRetries: 0, fetch: async () => new Response('<html>') })
  await assert.rejects(client.receipts.get(1), ServerError)
})

test('observers see every attempt, and nothing that is confidential', async () => {
  const events: (RequestEvent | ResponseEvent)[] = []
  const { clock, demo, client } = patient({
    onRequest: (event) => void events.push(event),
    onResponse: (event) => void events.push(event),
    fetch: (url, init) => {
      clock.pass(0.25)
      return demo.fetch(url, init)
    },
  })
  demo.instead('/receipts/1', 'cut')
  await client.receipts.get(1)

  const attempt = (method: string, route: string, number: number, status: number | undefined) => [
    { method, route, attempt: number },
    { method, route, attempt: number, status, milliseconds: 250 },
  ]
  assert.deepEqual(events, [
    ...attempt('POST', '/auth', 1, 200),
    ...attempt('GET', '/receipts/{id}', 1, undefined),
    ...attempt('GET', '/receipts/{id}', 2, 200),
  ])
})

test('an observer that throws does not disturb the call', async () => {
  const upset = () => {
    throw new Error('observer')
  }
  const { client } = patient({ onRequest: upset, onResponse: upset })
  assert.equal((await client.receipts.get(1)).id, 1)
})
