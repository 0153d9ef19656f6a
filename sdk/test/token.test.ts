import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { AuthenticationError, ServerError } from '../src/index.ts'
import { fakeClock } from './clock.ts'
import { clientOf, denied, open, rateLimited, refused, restaurant, tokensUsed } from './restaurant.ts'

const HOUR = 3600
const PATIENT = { timeoutMs: 120_000 } // a thousand sockets take a busy machine a while

test('a thousand calls at once sign in once', async (t) => {
  const demo = restaurant()
  const client = clientOf(await open(t, demo), PATIENT)

  const receipts = await Promise.all(Array.from({ length: 1000 }, () => client.receipts.get(1)))

  assert.equal(receipts.length, 1000)
  assert.equal(demo.count('/auth'), 1)
  assert.equal(demo.count('/receipts/1'), 1000)
})

test('a token that expires in mid-flight costs one extra call and no error', async () => {
  const clock = fakeClock()
  const demo = restaurant(clock.options)
  // The token is good when the call leaves and no longer when it arrives.
  const slowly: typeof demo.fetch = (url, init) => {
    if (demo.count('/auth') === 1 && url.endsWith('/receipts/1')) clock.pass(HOUR + 1)
    return demo.fetch(url, init)
  }
  const client = clientOf(demo, { ...clock.options, fetch: slowly })

  assert.equal((await client.receipts.get(1)).id, 1)

  assert.deepEqual(
    demo.asked.map(({ path }) => path),
    ['/auth', '/receipts/1', '/auth', '/receipts/1'],
  )
})

test('a thousand calls whose token is refused sign in again once', async (t) => {
  const demo = restaurant()
  const client = clientOf(await open(t, demo), PATIENT)
  await client.receipts.get(1)
  demo.revoke()

  await Promise.all(Array.from({ length: 1000 }, () => client.receipts.get(1)))

  assert.equal(demo.count('/auth'), 2)
})

test('a refusal that arrives late does not cost the token that has been renewed since', async () => {
  const demo = restaurant()
  let arrive = () => {}
  const late = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const client = clientOf(demo, {
    tokenStore: { get: () => undefined, set() {} },
    fetch: async (url, init) => {
      const answer = await demo.fetch(url, init)
      if (url.endsWith('/stock-operations/1') && answer.status === 401) await late
      return answer
    },
  })
  await client.receipts.get(1)
  demo.revoke()

  const slow = client.stockOperations.get(1)
  await client.receipts.get(1)
  arrive()
  await slow
  await client.receipts.get(1)
  assert.equal(demo.count('/auth'), 2)
})

for (const [random, early] of [
  [0, 180],
  [0.5, 270],
])
  test(`a token is renewed ${early} s before it expires when the draw is ${random}, and nobody waits for it`, async () => {
    const clock = fakeClock()
    const demo = restaurant(clock.options)
    const client = clientOf(demo, { ...clock.options, random: () => random! })
    await client.receipts.get(1)
    const [before] = tokensUsed(demo)

    clock.pass(HOUR - early! - 1)
    await client.receipts.get(1)
    assert.equal(demo.count('/auth'), 1)

    clock.pass(1)
    await client.receipts.get(1)
    assert.deepEqual(tokensUsed(demo), [before, before, before])
    assert.equal(demo.count('/auth'), 2)

    await setImmediate()
    await client.receipts.get(1)
    assert.notEqual(tokensUsed(demo)[3], before)
    assert.equal(demo.count('/auth'), 2)
  })

/** When each of 100 clients that signed in together renews, in seconds before its token expires, asked every five seconds. */
async function renewals(random: () => number): Promise<number[]> {
  const clock = fakeClock()
  const moments: number[] = []
  let waiting = Array.from({ length: 100 }, () => {
    const demo = restaurant(clock.options)
    return { demo, client: clientOf(demo, { ...clock.options, random }) }
  })
  for (const { client } of waiting) await client.receipts.get(1)
  const window = HOUR * 0.1
  clock.pass(HOUR - window)
  for (let left = window; left > 0; left -= 5) {
    for (const { client } of waiting) await client.receipts.get(1)
    const renewed = waiting.filter(({ demo }) => demo.count('/auth') === 2)
    moments.push(...renewed.map(() => left))
    waiting = waiting.filter((each) => !renewed.includes(each))
    clock.pass(5)
  }
  return moments
}

const spread = (moments: number[]) => Math.max(...moments) - Math.min(...moments)

test('100 clients whose tokens expire in the same second spread their renewals over 150 s and more', async (t) => {
  const moments = await renewals(Math.random)
  t.diagnostic(`100 renewals spread over ${spread(moments)} s`)
  assert.equal(moments.length, 100)
  assert.ok(spread(moments) >= 150, `only ${spread(moments)} s`)
})

test('without the draw they would all come back in the same second', async () => {
  const moments = await renewals(() => 0.5)
  assert.equal(moments.length, 100)
  assert.equal(spread(moments), 0)
})

test('a second 401 is an error', async () => {
  const demo = restaurant()
  demo.instead('/receipts/1', denied(401, 'Invalid token'), denied(401, 'Invalid token'))

  await assert.rejects(clientOf(demo).receipts.get(1), (error: AuthenticationError) => {
    assert.ok(error instanceof AuthenticationError)
    assert.deepEqual([error.status, error.slug], [401, 'Invalid token'])
    return true
  })
  assert.equal(demo.count('/receipts/1'), 2)
  assert.equal(demo.count('/auth'), 2)
})

test('a second 401 in one call is an error, also when another failure came between', async () => {
  const demo = restaurant()
  const refusal = denied(401, 'Invalid token')
  demo.instead('/receipts/1', refusal, refused(503, 'unavailable'), refusal)

  const client = clientOf(demo, { ...fakeClock().options, random: () => 0 })
  await assert.rejects(client.receipts.get(1), { name: 'AuthenticationError', status: 401 })
  assert.deepEqual([demo.count('/receipts/1'), demo.count('/auth')], [3, 2])

  assert.equal((await client.receipts.get(1)).id, 1, 'the next call has a repeat of its own')
})

for (const [what, options, expected] of [
  ['401', { clientSecret: 'wrong' }, { status: 401, message: 'Invalid credentials' }],
  ['400', { integratorId: 'nobody' }, { status: 400, slug: 'Invalid integrator_id' }],
] as const)
  test(`a ${what} from POST /auth is final`, async () => {
    const demo = restaurant()
    await assert.rejects(clientOf(demo, options).receipts.get(1), { name: 'AuthenticationError', ...expected })
    assert.equal(demo.asked.length, 1)
  })

test('success: false is an error, though its status is 200', async () => {
  const demo = restaurant()
  const error = 'Integrator is in test mode. But brand is not in test mode'
  demo.instead('/auth', denied(200, error, { brand: 'demo', integrator: 'demo-integrator' }))

  await assert.rejects(clientOf(demo).receipts.get(1), {
    name: 'AuthenticationError',
    status: 200,
    slug: error,
    details: { brand: 'demo', integrator: 'demo-integrator' },
  })
  assert.equal(demo.asked.length, 1)
})

test('an answer without a token is an error', async () => {
  const demo = restaurant()
  demo.instead('/auth', { status: 200, body: { success: true, token: 'two\nlines', expires_in: 1, expires_at: 1 } })
  await assert.rejects(clientOf(demo).receipts.get(1), ServerError)
})

test('while the token lives, a renewal that fails costs no call and is tried again later', async () => {
  const clock = fakeClock()
  const demo = restaurant(clock.options)
  const client = clientOf(demo, { ...clock.options, random: () => 0, maxRetries: 0 })
  await client.receipts.get(1)
  clock.pass(HOUR - 180)
  demo.instead('/auth', refused(503, 'unavailable'), rateLimited(30))

  for (let call = 0; call < 5; call++) {
    await client.receipts.get(1)
    await setImmediate()
  }
  assert.equal(demo.count('/auth'), 2)

  clock.pass(10)
  await client.receipts.get(1)
  await setImmediate()
  assert.equal(demo.count('/auth'), 3)

  clock.pass(10)
  await client.receipts.get(1)
  await setImmediate()
  assert.equal(demo.count('/auth'), 4)
  assert.equal(new Set(tokensUsed(demo)).size, 1)
})

test('who gives up waiting for the token does not take it from the others', async () => {
  const demo = restaurant()
  const sent: string[] = []
  const client = clientOf(demo, { onRequest: ({ route }) => void sent.push(route) })
  const controller = new AbortController()
  const impatient = client.receipts.get(1, { signal: controller.signal })
  const patient = client.receipts.get(1)

  controller.abort(new Error('enough'))
  await assert.rejects(impatient, /enough/)
  assert.equal((await patient).id, 1)
  assert.deepEqual(sent, ['/auth', '/receipts/{id}'])
})

test('a client whose clock is an hour off signs in once all the same', async () => {
  for (const off of [-HOUR, HOUR, 24 * HOUR]) {
    const demo = restaurant()
    const client = clientOf(demo, { now: () => Date.now() + off * 1000 })
    for (let call = 0; call < 5; call++) await client.receipts.get(1)
    assert.equal(demo.count('/auth'), 1)
  }
})
