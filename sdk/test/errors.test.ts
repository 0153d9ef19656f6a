import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import * as sdk from '../src/index.ts'
import { CREDENTIALS, clientOf, denied, open, refused, restaurant } from './restaurant.ts'

const { Comptoir, ComptoirError } = sdk

for (const [status, kind] of [
  [400, sdk.ValidationError],
  [403, sdk.PermissionError],
  [404, sdk.NotFoundError],
  [409, sdk.ConflictError],
  [413, sdk.ValidationError],
  [415, sdk.ValidationError],
  [422, sdk.ValidationError],
  [429, sdk.RateLimitError],
  [500, sdk.ServerError],
  [503, sdk.ServerError],
  [405, sdk.ComptoirError],
] as const)
  test(`a ${status} is a ${kind.name} with all that the answer said`, async () => {
    const demo = restaurant()
    demo.instead('/receipts/1', refused(status, 'some_slug', { field: 'phone' }))
    const error = await failure(clientOf(demo, { maxRetries: 0 }).receipts.get(1))

    assert.equal(Object.getPrototypeOf(error), kind.prototype)
    assert.ok(error instanceof ComptoirError)
    assert.equal(error.name, kind.name)
    assert.equal(error.message, 'Refused: some_slug.')
    assert.equal(error.status, status)
    assert.equal(error.slug, 'some_slug')
    assert.deepEqual(error.details, { field: 'phone' })
    assert.equal(error.requestId, 'request-1')
    assert.deepEqual(JSON.parse(JSON.stringify(error)), {
      name: kind.name,
      message: 'Refused: some_slug.',
      status,
      slug: 'some_slug',
      details: { field: 'phone' },
      requestId: 'request-1',
    })
    assert.ok(error.stack!.startsWith(`${kind.name}: Refused: some_slug.`))
  })

const failure = (call: Promise<unknown>): Promise<sdk.ComptoirError> =>
  call.then(
    () => assert.fail('it succeeded'),
    (error) => error,
  )

test('an expired token that cannot be renewed says when it expired', async () => {
  const demo = restaurant()
  const expired = denied(401, 'Token expired', { expires_at: '2026-01-01T00:00:00.000Z' })
  demo.instead('/receipts/1', expired, expired)
  const error = await failure(clientOf(demo).receipts.get(1))
  assert.ok(error instanceof sdk.AuthenticationError)
  assert.deepEqual(error.details, { expires_at: '2026-01-01T00:00:00.000Z' })
})

test('a redirect is not followed, neither with a token nor with the secret', async (t) => {
  const [demo, thief] = [restaurant(), restaurant()]
  const elsewhere = await open(t, thief)
  const client = clientOf(await open(t, demo), { maxRetries: 0 })
  const redirect = (path: string) => ({ status: 307, headers: { location: elsewhere + path } })
  demo.instead('/auth', redirect('/auth'))
  assert.equal((await failure(client.receipts.get(1))).status, 307)
  demo.instead('/receipts/1', redirect('/receipts/1'))
  assert.equal((await failure(client.receipts.get(1))).status, 307)
  assert.equal(thief.asked.length, 0)
})

/** Everything a log could make of a value. */
const shown = (value: unknown) =>
  [
    inspect(value, { depth: 20, showHidden: true, getters: true }),
    JSON.stringify(value),
    String(value),
    value instanceof Error ? value.stack : '',
  ].join('\n')

test('neither a client nor an error ever shows the secret or a token', async () => {
  const demo = restaurant()
  const client = clientOf(demo, { maxRetries: 0, tokenStore: sdk.memoryTokenStore() })
  await client.receipts.get(1)
  const token = demo.asked.at(-1)!.headers.get('x-token')!
  // A server, or a proxy on the way, that sends back what it was sent; a runtime that quotes it.
  const echo = (...sent: string[]) => ({ error: 'echo', message: `You sent ${sent}`, details: { deep: [{ sent }] } })
  const quote = () => Promise.reject(new TypeError(`"${token}" and "demo-secret" are invalid values`))

  const seen: unknown[] = [client, client.venue(2), client.products, client.products.list(), sdk.memoryTokenStore()]
  for (const status of [200, 307, 400, 409, 429, 500]) {
    demo.instead('/receipts/1', { status, body: { success: false, ...echo(token, 'demo-secret') } })
    seen.push(await failure(client.receipts.get(1)))
  }
  for (const status of [200, 400, 401]) {
    demo.instead('/auth', { status, body: { success: false, ...echo('demo-secret') } })
    seen.push(await failure(clientOf(demo).receipts.get(1)))
  }
  seen.push(await failure(clientOf(demo, { maxRetries: 0, fetch: quote }).receipts.get(1)))

  for (const value of seen) assert.doesNotMatch(shown(value), new RegExp(`demo-secret|${token}`))
  assert.equal(inspect(client.venue(2)), 'Comptoir {"baseUrl":"https://pos.example/v2","brand":"demo","venue":2}')
})

test('a secret is not shown in the way that JSON writes it either', async () => {
  const clientSecret = 'a"quoted\\secret/é'
  const escapes = [...clientSecret].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  for (const written of [JSON.stringify(clientSecret).slice(1, -1), escapes]) {
    const body = `{"error":"echo","message":"You sent ${written}","details":{"deep":["${written}"]}}`
    const headers = { 'x-request-id': 'request-1' }
    const client = clientOf('https://pos.example/v2', {
      clientSecret,
      fetch: async () => new Response(body, { status: 400, headers }),
    })
    const error = await failure(client.receipts.get(1))
    assert.equal(error.message, 'You sent [hidden]')
    assert.deepEqual(error.details, { deep: ['[hidden]'] })
    assert.equal(error.requestId, 'request-1')
  }
})

test('https is required, except on this machine', () => {
  for (const baseUrl of [
    'https://pos.example/v2',
    'http://localhost:8080/v2',
    'http://127.0.0.1/v2',
    'http://[::1]:8080/v2',
  ])
    assert.ok(new Comptoir({ ...CREDENTIALS, baseUrl }))
  for (const baseUrl of [
    'http://pos.example/v2',
    'http://127.evil.example/v2',
    'http://localhost.evil.example/v2',
    'ftp://localhost',
  ])
    assert.throws(() => new Comptoir({ ...CREDENTIALS, baseUrl }), /must be https/, baseUrl)
  for (const baseUrl of ['https://user:secret@pos.example/v2', 'https://pos.example/v2?x=1', 'pos.example', ''])
    assert.throws(() => new Comptoir({ ...CREDENTIALS, baseUrl }), TypeError, baseUrl)
})

test('a slash at the end of the base address makes no difference', async () => {
  const demo = restaurant()
  assert.equal((await clientOf(demo, { baseUrl: 'https://pos.example/v2/' }).receipts.get(1)).id, 1)
})

test('a credential that is missing is named', () => {
  for (const name of ['clientId', 'clientSecret', 'brand', 'integratorId'] as const)
    for (const value of ['', undefined as unknown as string])
      assert.throws(() => clientOf('https://pos.example/v2', { [name]: value }), new TypeError(`${name} is missing`))
})

test('it refuses to run in a browser, and only there', (t) => {
  const globals = globalThis as Record<string, unknown>
  t.after(() => {
    for (const name of ['self', 'window', 'document']) delete globals[name]
  })
  globals.self = globalThis // a worker
  assert.ok(clientOf('https://pos.example/v2'))
  globals.window = globalThis // Deno 1
  assert.ok(clientOf('https://pos.example/v2'))
  globals.document = {}
  assert.throws(() => clientOf('https://pos.example/v2'), /does not run in a browser/)
})
