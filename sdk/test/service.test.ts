import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { comptoirJson, type Serving, serving } from '../../server/test/command.ts'
import { type Installation, onEmbeddedEngine } from '../../server/test/database/engines.ts'
import { type ComptoirOptions, RateLimitError } from '../src/index.ts'
import { clientOf } from './restaurant.ts'

// What the other tests promise of a restaurant in a hundred lines, held against the service itself.

const PATIENT = { timeoutMs: 120_000 } // a thousand sockets take a busy machine a while

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await holds()); await setTimeout(50))
    if (Date.now() > end) assert.fail('it did not come to be within a minute')
}

/** How often the service answered a route, by its own log. */
const answered = (server: Serving, route: string) => server.logged().split(`"route":"/v2${route}"`).length - 1

onEmbeddedEngine('the SDK and the service', (make) => {
  let here: Installation
  let server: Serving
  const client = (options: Partial<ComptoirOptions> = {}) => clientOf(`${server.url}/v2`, { ...PATIENT, ...options })

  const quota = (calls: number) =>
    comptoirJson(here, ['brand', 'set', 'demo', '--integrator', 'demo-integrator', '--quota', String(calls)])

  before(async () => {
    here = await make('demo')
    server = await serving(here, ['--demo'])
    await quota(1_000_000)
    // The service takes a change in within a second (D5.6).
    const limits: (string | null)[] = []
    const watching = client({
      fetch: async (url, init) => {
        const answer = await fetch(url, init)
        limits.push(answer.headers.get('ratelimit-limit'))
        return answer
      },
    })
    await until(async () => {
      await watching.receipts.get(1)
      return limits.at(-1) === '1000000'
    })
    await until(() => answered(server, '/auth') === 1) // the log is written in batches
  })

  test('with the quota raised, 1,000 parallel calls cause one POST /auth', async (t) => {
    const [signIns, calls] = [answered(server, '/auth'), answered(server, '/stock-operations/:id')]
    const one = client()

    const all = await Promise.all(Array.from({ length: 1000 }, () => one.stockOperations.get(1)))

    assert.equal(all.length, 1000)
    await until(() => answered(server, '/stock-operations/:id') >= calls + 1000) // more where a busy server refused some
    t.diagnostic(`1,000 calls, ${answered(server, '/auth') - signIns} POST /auth`)
    assert.equal(answered(server, '/auth') - signIns, 1)
  })

  test('a token that expires in mid-flight costs one extra call and no error', async () => {
    const { env } = await make('demo')
    const brief = await serving({ env: { ...env, COMPTOIR_TOKEN_TTL: '4' } }, ['--demo'])
    const sent: string[] = []
    const one = clientOf(`${brief.url}/v2`, {
      ...PATIENT,
      onRequest: ({ route }) => void sent.push(route),
      // The token is good when the call leaves and no longer when it arrives.
      fetch: async (url, init) => {
        const token = new Headers(init.headers).get('x-token')
        if (token !== null && sent.length === 2) await until(() => Date.now() > expiryOf(token))
        return fetch(url, init)
      },
    })
    assert.equal((await one.receipts.get(1)).id, 1)
    assert.deepEqual(sent, ['/auth', '/receipts/{id}', '/auth', '/receipts/{id}'])
    assert.equal(await brief.stop(), 0)
  })

  test('lists are iterated over all pages, read by page, and narrowed', async () => {
    const list = client().products.list({ fields: ['price'], sort: [['price', 'desc']], limit: 20 })
    const { data, pagination } = await list.page()
    assert.ok(pagination.total_pages > 2, `${pagination.total_pages} pages`)
    assert.deepEqual(Object.keys(data[0]!).sort(), ['id', 'name', 'price', 'type'])
    const prices = new Map<number, number>()
    for await (const { id, price = 0 } of list) prices.set(id, price)
    assert.equal(prices.size, pagination.total)
    assert.deepEqual(
      [...prices.values()],
      [...prices.values()].sort((one, other) => other - one),
    )

    const [plain] = (await client().priceLists.list({ limit: 1 }).page()).data
    assert.ok(plain && !('prices' in plain))
    const [priced] = (
      await client()
        .priceLists.list({ include: ['prices'], fields: ['prices'], limit: 1 })
        .page()
    ).data
    assert.deepEqual(Object.keys(priced!), ['id', 'prices'])
    assert.ok(priced!.prices.length > 0)
  })

  test('receipts and stock movements are read in the venue that is asked for', async () => {
    const one = client()
    const [receipt, movement] = [await one.receipts.get(1), await one.stockOperations.get(1)]
    assert.equal((await one.venue(receipt.venue_id).receipts.get(1)).total, receipt.total)
    assert.equal(movement.id, 1)
    const elsewhere = receipt.venue_id === 1 ? 2 : 1
    await assert.rejects(one.venue(elsewhere).receipts.get(1), { name: 'NotFoundError', status: 404 })
  })

  test('a customer is created once however often the same key is sent', async () => {
    const one = client()
    const aysel = { name: 'Aysel', phone: '+994 50 111 22 33' }
    const first = await one.customers.create(aysel, { idempotencyKey: 'till 7, guest 12' })
    assert.deepEqual(await one.customers.create(aysel, { idempotencyKey: 'till 7, guest 12' }), first)
    await assert.rejects(one.customers.create(aysel), {
      name: 'ConflictError',
      status: 409,
      slug: 'duplicate_phone',
      details: { field: 'phone' },
    })
    const other = { ...aysel, name: 'Leyla' }
    await assert.rejects(one.customers.create(other, { idempotencyKey: 'till 7, guest 12' }), {
      name: 'ValidationError',
      status: 422,
      slug: 'idempotency_mismatch',
    })
  })

  test('an answer that is lost on the way does not make a second customer', async () => {
    let answers = 0
    const one = client({
      random: () => 0,
      fetch: async (url, init) => {
        const answer = await fetch(url, init)
        if (url.endsWith('/customers') && ++answers === 1) throw new TypeError('the network is gone')
        return answer
      },
    })
    assert.equal((await one.customers.create({ name: 'Nigar', phone: '+994 50 111 22 44' })).name, 'Nigar')
    assert.equal(answers, 2)
  })

  for (const [what, options, expected] of [
    ['a wrong secret', { clientSecret: 'wrong' }, { status: 401, message: 'Invalid credentials' }],
    ['a client that is switched off', { clientId: 'demo-disabled' }, { status: 401, message: 'Client is disabled' }],
    ['an unknown integrator', { integratorId: 'nobody' }, { status: 400, slug: 'Invalid integrator_id' }],
    [
      'a test integrator that meets a live brand, at status 200,',
      { brand: 'demo-live', clientId: 'demo-live-client' },
      { status: 200, details: { brand: 'demo-live', integrator: 'demo-integrator' } },
    ],
  ] as const)
    test(`${what} is an AuthenticationError, and final`, async () => {
      const signIns: unknown[] = []
      const one = client({ ...options, onRequest: (event) => void signIns.push(event) })
      await assert.rejects(one.receipts.get(1), { name: 'AuthenticationError', ...expected })
      assert.equal(signIns.length, 1)
    })

  test('refusals are the error of their kind, with what the service said and under which id it is logged', async () => {
    const one = client()
    const refusals = [
      [() => one.request('GET', '/products', { query: { limit: 0 } }), 'ValidationError', 400, 'invalid_parameter'],
      [() => one.customers.create({ name: '' }), 'ValidationError', 400, 'validation_failed'],
      [() => one.venue(999).receipts.get(1), 'PermissionError', 403, 'forbidden'],
      [() => one.receipts.get(Number.MAX_SAFE_INTEGER), 'NotFoundError', 404, 'not_found'],
    ] as const
    for (const [call, name, status, slug] of refusals) {
      const error = await call().then(
        () => assert.fail(`${name}: it succeeded`),
        (error) => error,
      )
      assert.deepEqual([error.name, error.status, error.slug], [name, status, slug])
      await until(() => server.logged().includes(error.requestId))
    }
  })

  // The last one: it takes the quota away.
  test('a 429 is a RateLimitError that says how long to wait', async () => {
    const one = client({ maxRetries: 0 })
    await one.receipts.get(1)
    await quota(1)
    let error: unknown
    await until(async () => {
      error = await one.receipts.get(1).catch((refused) => refused)
      return error instanceof Error
    })
    assert.ok(error instanceof RateLimitError)
    assert.deepEqual([error.status, error.slug], [429, 'rate_limited'])
    assert.ok(error.retryAfterSeconds! >= 1 && error.retryAfterSeconds! <= 60, `${error.retryAfterSeconds} s`)
    assert.deepEqual(error.details, { tier: 3, limit: 1, reset: error.retryAfterSeconds })
  })
})

/** When a token expires, in milliseconds, as it says itself. */
const expiryOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).exp * 1000
