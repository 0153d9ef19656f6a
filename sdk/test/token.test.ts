import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { AuthenticationError, memoryTokenStore, ServerError, type TokenStore } from '../src/index.ts'
import { fakeClock } from './clock.ts'
import { clientOf, denied, open, type Restaurant, rateLimited, refused, restaurant } from './restaurant.ts'

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
  const demo = restaurant(clock)
  // The token is good when the call leaves and no longer when it arrives.
  const slowly: typeof demo.fetch = (url, init) => {
    if (demo.count('/auth') === 1 && url.endsWith('/receipts/1')) clock.pass(HOUR + 1)
    return demo.fetch(url, init)
  }
  const client = clientOf(demo, { ...clock, fetch: slowly })

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
    const demo = restaurant(clock)
    const client = clientOf(demo, { ...clock, random: () => random! })
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

const tokensUsed = ({ asked }: Restaurant) =>
  asked.filter(({ path }) => path !== '/auth').map(({ headers }) => headers.get('x-token'))

/** When each of 500 clients that signed in together renews, in seconds before its token expires, asked every five seconds. */
async function renewals(random: () => number): Promise<number[]> {
  const clock = fakeClock()
  const moments: number[] = []
  let waiting = Array.from({ length: 500 }, () => {
    const demo = restaurant(clock)
    return { demo, client: clientOf(demo, { ...clock, random }) }
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

test('500 clients whose tokens expire in the same second spread their renewals over 150 s and more', async (t) => {
  const moments = await renewals(Math.random)
  t.diagnostic(`500 renewals spread over ${spread(moments)} s`)
  assert.equal(moments.length, 500)
  assert.ok(spread(moments) >= 150, `only ${spread(moments)} s`)
})

test('without the draw they would all come back in the same second', async () => {
  const moments = await renewals(() => 0.5)
  assert.equal(moments.length, 500)
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
  const demo = restaurant(clock)
  const client = clientOf(demo, { ...clock, random: () => 0, maxRetries: 0 })
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

test('clients with one store share one token, and one of them renews it', async () => {
  const clock = fakeClock()
  const demo = restaurant(clock)
  const tokenStore = memoryTokenStore()
  const fleet = Array.from({ length: 20 }, (_, index) =>
    clientOf(demo, { ...clock, tokenStore, random: () => index / 20 }),
  )
  for (const client of fleet) await client.receipts.get(1)
  assert.equal(demo.count('/auth'), 1)

  clock.pass(HOUR * 0.89)
  for (let second = 0; second < HOUR * 0.11; second += 5) {
    clock.pass(5)
    for (const client of fleet) await client.receipts.get(1)
  }
  assert.equal(demo.count('/auth'), 2)
  assert.equal(new Set(tokensUsed(demo)).size, 2)
})

test('a token from the store that is refused is replaced there, once', async () => {
  const demo = restaurant()
  const tokenStore = memoryTokenStore()
  const [one, other] = [clientOf(demo, { tokenStore }), clientOf(demo, { tokenStore })]
  await Promise.all([one.receipts.get(1)])
  await other.receipts.get(1)
  demo.revoke()

  await one.receipts.get(1)
  await other.receipts.get(1)
  assert.equal(demo.count('/auth'), 2)
})

test('a token is renewed on time though the store still has it and the clock is behind', async () => {
  const clock = fakeClock()
  const demo = restaurant({ now: () => clock.now() + 60_000 })
  const client = clientOf(demo, { ...clock, tokenStore: memoryTokenStore(), random: () => 0 })
  await client.receipts.get(1)
  clock.pass(HOUR - 180)
  await client.receipts.get(1)
  await setImmediate()
  assert.equal(demo.count('/auth'), 2)
})

test('a token from the store that ends before the one in use is left there', async () => {
  const clock = fakeClock()
  const demo = restaurant(clock)
  const elder = { token: 'elder', expires_in: HOUR, expires_at: clock.now() / 1000 + HOUR - 10 }
  const tokenStore: TokenStore = { get: () => (demo.count('/auth') > 0 ? elder : undefined), set() {} }
  const draws = [1] // the earliest moment for the first token, the latest for any other
  const client = clientOf(demo, { ...clock, tokenStore, random: () => draws.pop() ?? 0 })
  await client.receipts.get(1)
  clock.pass(HOUR * 0.9 + 1)
  for (let call = 0; call < 3; call++) {
    await client.receipts.get(1)
    await setImmediate()
  }
  assert.ok(!tokensUsed(demo).includes('elder'))
  assert.equal(demo.count('/auth'), 2)
})

test('a store keeps the tokens of brands and servers apart, and knows no secret', async () => {
  const keys: string[] = []
  const tokenStore: TokenStore = { get: (key) => void keys.push(key), set() {} }
  const demo = restaurant()
  await clientOf(demo, { tokenStore }).receipts.get(1)
  await clientOf(demo, { tokenStore, baseUrl: 'https://other.example/v2' }).receipts.get(1)
  await assert.rejects(clientOf(demo, { tokenStore, brand: 'bistro' }).receipts.get(1))
  assert.equal(new Set(keys).size, 3)
  assert.ok(!keys.join().includes('demo-secret'))
})

test('a store that fails or holds nonsense costs a sign-in, never a call', async () => {
  const broken: TokenStore = {
    get: () => Promise.reject(new Error('store is down')),
    set() {
      throw new Error('store is down')
    },
  }
  const confused: TokenStore = { get: () => ({ token: 7 }) as never, set() {} }
  const old: TokenStore = { get: () => ({ token: 'old', expires_in: HOUR, expires_at: 1 }), set() {} }
  for (const tokenStore of [broken, confused, old]) {
    const demo = restaurant()
    const client = clientOf(demo, { tokenStore })
    for (let call = 0; call < 3; call++) await client.receipts.get(1)
    assert.equal(demo.count('/auth'), 1)
    assert.equal(demo.count('/receipts/1'), 3)
  }
})
