import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { memoryTokenStore, type Token, type TokenStore } from '../src/index.ts'
import { fakeClock } from './clock.ts'
import { clientOf, restaurant, tokensUsed } from './restaurant.ts'

const HOUR = 3600

test('clients with one store share one token, and one of them renews it', async () => {
  const clock = fakeClock()
  const demo = restaurant(clock.options)
  const tokenStore = memoryTokenStore()
  const fleet = Array.from({ length: 20 }, (_, index) =>
    clientOf(demo, { ...clock.options, tokenStore, random: () => index / 20 }),
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

test('a token that is refused does not stay in the store, and one that another process has put there does', async () => {
  const demo = restaurant()
  const kept = new Map<string, Token>()
  const tokenStore: TokenStore = {
    get: (key) => kept.get(key),
    set: (key, token) => void kept.set(key, token),
    delete: (key) => void kept.delete(key),
  }
  const client = clientOf(demo, { tokenStore, maxRetries: 0 })
  await client.receipts.get(1)
  demo.revoke()
  demo.instead('/auth', { status: 401, body: { success: false, message: 'Client is disabled' } })
  await assert.rejects(client.receipts.get(1), { name: 'AuthenticationError', message: 'Client is disabled' })
  assert.equal(kept.size, 0)

  await client.receipts.get(1)
  demo.revoke()
  await clientOf(demo, { tokenStore: { ...tokenStore, get: () => undefined } }).receipts.get(1)
  await client.receipts.get(1)
  assert.equal(demo.count('/auth'), 4)
  assert.equal(kept.size, 1)
})

test('a token is renewed on time though the store still has it and the clock is behind', async () => {
  const clock = fakeClock()
  const demo = restaurant({ now: () => clock.now() + 60_000 })
  const client = clientOf(demo, { ...clock.options, tokenStore: memoryTokenStore(), random: () => 0 })
  await client.receipts.get(1)
  clock.pass(HOUR - 180)
  await client.receipts.get(1)
  await setImmediate()
  assert.equal(demo.count('/auth'), 2)
})

test('a token from the store that ends before the one in use is left there', async () => {
  const clock = fakeClock()
  const demo = restaurant(clock.options)
  const elder = { token: 'elder', expires_in: HOUR, expires_at: clock.now() / 1000 + HOUR - 10 }
  const tokenStore: TokenStore = { get: () => (demo.count('/auth') > 0 ? elder : undefined), set() {} }
  const draws = [1] // the earliest moment for the first token, the latest for any other
  const client = clientOf(demo, { ...clock.options, tokenStore, random: () => draws.pop() ?? 0 })
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
