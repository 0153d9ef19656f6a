import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Installation, onEachEngine, onEmbeddedEngine } from '../../test/database/engines.ts'
import { faultProxy } from '../../test/fault-proxy.ts'
import { services } from '../../test/service.ts'
import type { Wait } from '../http/call.ts'
import { redisWindows } from './redis-window.ts'

// §8 with the count in Redis: what a request may lose to it, and whose clock counts.

const { REDIS_URL } = process.env
const absent = REDIS_URL ? false : 'REDIS_URL is not set'
const DEADLINE_MS = 50
const MAX_MS = 60 // it is checked at ticks

onEmbeddedEngine('a request while Redis is slow', (make) => {
  const service = services(make)

  for (const delayMs of [25, 30, 45])
    test(`waits ${MAX_MS} ms at most, though each of three calls takes ${delayMs} ms`, { skip: absent }, async (t) => {
      const proxy = await faultProxy(REDIS_URL!)
      t.after(proxy.close)
      const windows = await redisWindows({ url: proxy.url, fleet: 1, deadlineMs: DEADLINE_MS })
      // A wait is counted in ticks, so that what a busy machine adds is not in it. A clock would measure the machine.
      const waits: (Wait | undefined)[] = []
      const { take, look } = windows
      windows.take = (tier, key, limit, wait) => {
        waits.push(wait)
        return take(tier, key, limit, wait)
      }
      windows.look = (tier, key, limit, wait) => {
        waits.push(wait)
        return look(tier, key, limit, wait)
      }
      const { call, brand, token } = await service({}, windows)
      const { credentials } = await brand('bistro')
      const headers = { 'x-token': await token(credentials) }
      proxy.slow(delayMs / 2)
      for (let round = 0; round < 5; round++) {
        waits.length = 0
        assert.equal((await call('/receipts/1', { headers })).status, 404) // after tier 3, so it asks three times
        assert.equal(waits.length, 3)
        assert.equal(new Set(waits).size, 1, 'one wait for all of them')
        assert.ok(waits[0]!.ms <= MAX_MS, `${waits[0]!.ms} ms`)
      }
    })
})

onEachEngine('two processes whose clocks are ten seconds apart', (make, engine) => {
  const skip = engine === 'SQLite' ? 'one process at a time serves a SQLite database' : absent
  let installation: Promise<Installation> | undefined
  const service = services(() => {
    installation ??= make()
    return installation
  })

  async function apart(slug: string) {
    const [fast, slow] = [await service(), await service()]
    fast.clock.ms += 5_000
    slow.clock.ms -= 5_000
    const { credentials } = await fast.brand(slug)
    await slow.deps.directory.refresh()
    return { fast, slow, credentials }
  }

  test('admit exactly 300 of a pair together, and tell the same Reset', { skip }, async () => {
    const { fast, slow, credentials } = await apart('bistro')
    const headers = { 'x-token': await fast.token(credentials) }
    const startedAt = performance.now()

    const crowd = Array.from({ length: 200 }, () => [fast, slow]).flat()
    const answers = await Promise.all(crowd.map(({ call }) => call('/products?limit=1', { headers })))

    const passed = Math.ceil((performance.now() - startedAt) / 1000)
    const refused = answers.filter(({ status }) => status === 429) // the others are admitted, also where the machine is too busy for them
    assert.equal(refused.length, 100)
    for (const { headers: told } of refused) {
      const reset = Number(told['ratelimit-reset'])
      assert.ok(reset <= 60 && reset >= 60 - passed, `${reset}`)
    }
  })

  test('take each other’s tokens at once, each until its own clock says that they expired', { skip }, async () => {
    const { fast, slow, credentials } = await apart('brasserie')
    const made = await Promise.all([fast, slow].map((one) => one.signIn(credentials)))
    const accepts = async (one: typeof fast, { body }: (typeof made)[0]) =>
      (await one.call('/products?limit=1', { headers: { 'x-token': String(body.token) } })).status
    for (const answer of made) assert.deepEqual([await accepts(fast, answer), await accepts(slow, answer)], [200, 200])

    const [token] = made
    fast.clock.ms = Number(token!.body.expires_at) * 1000 + 1
    slow.clock.ms = fast.clock.ms - 10_000
    assert.deepEqual([await accepts(fast, token!), await accepts(slow, token!)], [401, 200])
    slow.clock.ms += 10_000
    assert.equal(await accepts(slow, token!), 401)
  })
})
