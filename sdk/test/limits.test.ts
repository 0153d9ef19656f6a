import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { RateLimitError } from '../src/index.ts'
import { fakeClock } from './clock.ts'
import { clientOf, open, rateLimited, restaurant } from './restaurant.ts'

const seconds = (slept: number[]) => slept.map((milliseconds) => milliseconds / 1000)

test('a 429 is waited out for RateLimit-Reset, then twice as long on each consecutive one', async () => {
  const clock = fakeClock()
  const demo = restaurant(clock.options)
  const client = clientOf(demo, { ...clock.options, random: () => 0 })
  demo.instead('/receipts/1', rateLimited(7), rateLimited(7), rateLimited(7))

  assert.equal((await client.receipts.get(1)).id, 1)
  assert.deepEqual(seconds(clock.slept), [7, 14, 28])
})

test('the wait is never shorter than what the last 429 asked for, and at most a tenth longer', async () => {
  for (const random of [0, 0.999]) {
    const clock = fakeClock()
    const demo = restaurant(clock.options)
    demo.instead('/receipts/1', rateLimited(1), rateLimited(60))

    await clientOf(demo, { ...clock.options, random: () => random }).receipts.get(1)
    const [first, second] = seconds(clock.slept)
    assert.ok(first! >= 1 && first! < 1.1, `${first}`)
    assert.ok(second! >= 120 && second! < 132, `${second}`)
  }
})

test('doubling ends at five minutes', async () => {
  const clock = fakeClock()
  const demo = restaurant(clock.options)
  const client = clientOf(demo, { ...clock.options, random: () => 0, deadlineMs: Number.POSITIVE_INFINITY })
  demo.instead('/receipts/1', ...Array.from({ length: 5 }, () => rateLimited(60)))

  await client.receipts.get(1)
  assert.deepEqual(seconds(clock.slept), [60, 120, 240, 300, 300])
})

test('a wait that the deadline does not leave room for is not begun', async () => {
  const clock = fakeClock()
  const demo = restaurant(clock.options)
  const client = clientOf(demo, { ...clock.options, random: () => 0, deadlineMs: 100_000 })
  demo.instead('/receipts/1', rateLimited(60), rateLimited(60))

  await assert.rejects(client.receipts.get(1), {
    name: 'RateLimitError',
    status: 429,
    slug: 'rate_limited',
    retryAfterSeconds: 60,
    details: { tier: 3, limit: 300, reset: 60 },
  })
  assert.deepEqual(seconds(clock.slept), [60])
})

test('there are no more retries than allowed, for the client or for one call', async () => {
  const clock = fakeClock()
  const demo = restaurant(clock.options)
  const client = clientOf(demo, { ...clock.options, maxRetries: 2 })
  demo.instead('/receipts/1', ...Array.from({ length: 4 }, () => rateLimited(1)))

  await assert.rejects(client.receipts.get(1), RateLimitError)
  assert.equal(demo.count('/receipts/1'), 3)
  await assert.rejects(client.receipts.get(1, { maxRetries: 0 }), RateLimitError)
  assert.equal(demo.count('/receipts/1'), 4)
})

test('a write that was refused with 429 is sent again even without an idempotency key', async () => {
  const clock = fakeClock()
  const demo = restaurant(clock.options)
  demo.instead('/customers', rateLimited(1))
  await clientOf(demo, clock.options).customers.create({ name: 'Aysel' }, { idempotencyKey: false })
  assert.equal(demo.count('/customers'), 2)
})

test('an AbortSignal ends the waiting at once', async (t) => {
  const demo = restaurant()
  const client = clientOf(await open(t, demo))
  await client.receipts.get(1)
  demo.instead('/receipts/1', rateLimited(60))
  const controller = new AbortController()
  const waiting = client.receipts.get(1, { signal: controller.signal })
  const answered = () => demo.count('/receipts/1') === 2
  while (!answered()) await setImmediate()

  controller.abort(new Error('enough'))
  await assert.rejects(waiting, /enough/)
  assert.equal(demo.count('/receipts/1'), 2)
})

test('a 429 from POST /auth is waited out too, by all callers together', async () => {
  const clock = fakeClock()
  const demo = restaurant(clock.options)
  const client = clientOf(demo, { ...clock.options, random: () => 0 })
  demo.instead('/auth', rateLimited(20))

  await Promise.all(Array.from({ length: 50 }, () => client.receipts.get(1)))
  assert.equal(demo.count('/auth'), 2)
  assert.deepEqual(seconds(clock.slept), [20])
})

test('asked to pace itself, a client with 1,000 calls and room for 300 a minute is never refused', async () => {
  const clock = fakeClock()
  const demo = restaurant({ ...clock.options, quota: 300 })
  const statuses: (number | undefined)[] = []
  const client = clientOf(demo, {
    ...clock.options,
    pace: true,
    fetch: async (url, init) => {
      await setImmediate() // an answer takes its time, and the other calls do not wait for it
      return demo.fetch(url, init)
    },
    onResponse: ({ route, status }) => {
      if (route !== '/auth') statuses.push(status)
    },
  })
  const startedAt = clock.now()

  await Promise.all(Array.from({ length: 1000 }, () => client.receipts.get(1)))

  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.equal(statuses.length, 1000)
  assert.equal((clock.now() - startedAt) / 1000, 180) // 300 at once, then 300 after each minute
})

test('pacing is shared by the clients of all venues', async () => {
  const clock = fakeClock()
  const demo = restaurant({ ...clock.options, quota: 10 })
  const statuses: (number | undefined)[] = []
  const client = clientOf(demo, {
    ...clock.options,
    pace: true,
    onResponse: ({ status }) => void statuses.push(status),
  })

  await Promise.all(Array.from({ length: 30 }, (_, index) => client.venue(1 + (index % 3)).receipts.get(1)))

  assert.deepEqual(new Set(statuses), new Set([200]))
})

test('a call that gives up its place in the queue holds up nobody', async () => {
  const clock = fakeClock()
  const demo = restaurant({ ...clock.options, quota: 4 })
  const sent: string[] = []
  const client = clientOf(demo, { ...clock.options, pace: true, onRequest: ({ route }) => void sent.push(route) })
  const controller = new AbortController()
  const calls = Array.from({ length: 6 }, (_, index) =>
    client.receipts.get(1, index % 2 ? { signal: controller.signal } : {}),
  )
  controller.abort(new Error('enough'))

  const outcomes = await Promise.allSettled(calls)
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected'],
  )
  assert.equal(sent.filter((route) => route === '/receipts/{id}').length, 3)
})

test('a paced client goes on after calls that got no answer', async () => {
  const clock = fakeClock()
  const demo = restaurant({ ...clock.options, quota: 100 })
  const client = clientOf(demo, { ...clock.options, pace: true })
  demo.instead('/receipts/1', 'cut', 'cut', 'cut')
  await Promise.all(Array.from({ length: 10 }, () => client.receipts.get(1)))
  assert.equal(demo.count('/receipts/1'), 13)
})
