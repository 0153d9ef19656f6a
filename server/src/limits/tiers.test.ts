import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onEachEngine, onEmbeddedEngine } from '../../test/database/engines.ts'
import { type Answer, services } from '../../test/service.ts'
import { setQuota } from '../directory/registry.ts'
import { addressKey, clientAddresses, shownKey, trustedProxies } from '../http/edge/address.ts'

// §8 and D7: the boundaries of the three tiers, counted in memory and, on PostgreSQL, in Redis.

const resetOf = ({ headers }: Answer) => Number(headers['ratelimit-reset'])

onEachEngine('the limits', (make, engine) => {
  const service = services(make)
  const inRedis = engine === 'PostgreSQL'
  // storage/redis-window.test.ts has the same boundaries, on windows of four seconds.
  const movesTheClock = { skip: inRedis && 'Redis counts by a clock that no test can move' }

  /** The three headers. In memory the clock stands still; in Redis the seconds since the test began are given back. */
  let begun = 0
  const shown = (answer: Answer) => {
    const { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining } = answer.headers
    const passed = inRedis ? Math.ceil((performance.now() - begun) / 1000) : 0
    const reset = resetOf(answer)
    return [Number(limit), Number(remaining), reset < 60 && reset >= 60 - passed ? 60 : reset]
  }

  async function ready(options: Parameters<Awaited<ReturnType<typeof service>>['brand']>[1] = {}) {
    const built = await service()
    const made = await built.brand('bistro', options)
    begun = performance.now()
    const token = await built.token(made.credentials, '203.0.113.9')
    const good = (address = '192.0.2.1') => built.call('/products?limit=1', { headers: { 'x-token': token }, address })
    const bad = (address = '192.0.2.1') => built.call('/products', { headers: { 'x-token': 'x' }, address })
    const times = async (count: number, call: () => Promise<Answer>) => {
      let last: Answer | undefined
      for (let i = 0; i < count; i++) last = await call()
      return last!
    }
    return { ...built, ...made, good, bad, times, made }
  }

  test('requests 1, 300 and 301 of a pair', async () => {
    const { good, times } = await ready()
    assert.deepEqual(shown(await good()), [300, 299, 60])
    const last = await times(299, good)
    assert.deepEqual([last.status, ...shown(last)], [200, 300, 0, 60])
    const over = await good()
    assert.deepEqual([over.status, ...shown(over)], [429, 300, 0, 60])
    const reset = resetOf(over)
    assert.deepEqual(
      [over.body.error, over.body.details, over.headers['retry-after']],
      ['rate_limited', { tier: 3, limit: 300, reset }, `${reset}`],
    )
  })

  test('the 301st at 59.999 s and at 60.000 s', movesTheClock, async () => {
    const { good, times, clock } = await ready()
    await times(300, good)
    clock.ms += 59_999
    const early = await good()
    assert.deepEqual([early.status, shown(early)[2]], [429, 1])
    clock.ms += 1
    assert.equal((await good()).status, 200)
  })

  test('300 spread evenly over 60 s, then one more at 60.0 s', movesTheClock, async () => {
    const { good, clock } = await ready()
    const start = clock.ms
    for (let i = 0; i < 300; i++) {
      clock.ms = start + i * 200
      await good()
    }
    clock.ms = start + 60_000
    const next = await good()
    assert.deepEqual([next.status, shown(next)[1]], [200, 0])
  })

  test('a sole client that waits Reset after any 429 gets in', movesTheClock, async () => {
    const { good, times, clock } = await ready({ quota: 7 })
    for (let round = 0; round < 20; round++) {
      await times(1 + (round % 9), good)
      clock.ms += round * 731
      const answer = await good()
      if (answer.status !== 429) continue
      clock.ms += shown(answer)[2]! * 1000
      assert.equal((await good()).status, 200, `round ${round}`)
    }
  })

  test('two tokens of a pair share its budget and a new one does not reset it; two brands and two integrators each have their own', async () => {
    const { good, times, token, call, credentials, brand } = await ready()
    await times(150, good)
    const second = await token(credentials, '203.0.113.10')
    const with2 = () => call('/products?limit=1', { headers: { 'x-token': second } })
    await times(150, with2)
    assert.equal((await good()).status, 429)
    const third = await token(credentials, '203.0.113.11')
    assert.equal((await call('/products?limit=1', { headers: { 'x-token': third } })).status, 429)

    const other = await brand('brasserie', { integrator: 'bistro-hub' })
    const otherBrand = await token(other.credentials, '203.0.113.12')
    assert.deepEqual(
      shown(await call('/products?limit=1', { headers: { 'x-token': otherBrand }, address: '192.0.2.2' })),
      [300, 299, 60],
    )
    const otherHub = await brand('auberge')
    const otherIntegrator = await token({ ...credentials, integrator_id: otherHub.integrator }, '203.0.113.13')
    assert.deepEqual(
      shown(await call('/products?limit=1', { headers: { 'x-token': otherIntegrator }, address: '192.0.2.3' })),
      [300, 299, 60],
    )
  })

  test('600 × 401, then a valid token from that address is refused by tier 2; another address is not', async () => {
    const { good, bad, times } = await ready()
    const last = await times(600, bad)
    assert.deepEqual([last.status, ...shown(last)], [401, 600, 0, 60])
    const blocked = await good()
    assert.deepEqual([blocked.status, ...shown(blocked)], [429, 600, 0, 60])
    assert.deepEqual(blocked.body.details, { tier: 2, limit: 600, reset: resetOf(blocked) })
    assert.equal((await good('192.0.2.99')).status, 200)
  })

  test('599 failures counted, then 10 failing requests at once: one 401 and nine 429', async () => {
    const { bad, times } = await ready()
    await times(599, bad)
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => bad()))).map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [401, ...Array(9).fill(429)])
  })

  const crowd = inRedis ? 1_500 : 5_000 // of which the last is answered before a busy machine gives up on it
  test(`${crowd} concurrent bad tokens are answered exactly 600 times with 401`, async () => {
    const { bad } = await ready()
    const answers = await Promise.all(Array.from({ length: crowd }, () => bad()))
    assert.equal(answers.filter(({ status }) => status === 401).length, 600)
    assert.equal(answers.filter(({ status }) => status === 429).length, crowd - 600)
  })

  test(
    'tier 2 recovers 60 s after the first failure though valid requests went on and were refused',
    movesTheClock,
    async () => {
      const { good, bad, times, clock } = await ready()
      await times(600, bad)
      for (let i = 0; i < 20; i++) {
        clock.ms += 2_950
        assert.equal((await good()).status, 429)
      }
      clock.ms += 1_000
      assert.equal((await good()).status, 200)
    },
  )

  test('tier 3’s refusals count in tier 2: after 600 of them the address is blocked for every brand', async () => {
    const { good, times, brand, token, call } = await ready()
    await times(300, good)
    const last = await times(600, good)
    assert.partialDeepStrictEqual(last.body.details, { tier: 3, limit: 300 })
    assert.equal(shown(await good())[0], 600)
    const other = await brand('brasserie')
    const second = await token(other.credentials, '203.0.113.20')
    assert.equal((await call('/products', { headers: { 'x-token': second } })).body.error, 'rate_limited')
  })

  test('POST /auth: 60 of any kind, the 61st is 429, and tier 2 is untouched', async () => {
    const { call, signIn, credentials, good } = await ready()
    const kinds = [
      () => signIn(credentials, '192.0.2.1'),
      () => signIn({ ...credentials, client_secret: 'guess' }, '192.0.2.1'),
      () => call('/auth', { method: 'POST', body: '{' }),
      () => call('/auth', { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } }),
      () => call('/auth', { method: 'POST', body: `"${'x'.repeat(70_000)}"` }),
    ]
    for (let i = 0; i < 60; i++) assert.notEqual((await kinds[i % kinds.length]!()).status, 429)
    const over = await signIn(credentials, '192.0.2.1')
    assert.deepEqual([over.status, ...shown(over)], [429, 60, 0, 60])
    assert.equal(over.headers['retry-after'], `${resetOf(over)}`)
    assert.deepEqual(
      [over.body.success, over.body.error, typeof over.body.message],
      [false, 'Too many requests', 'string'],
    )
    assert.deepEqual(shown(await good()), [300, 299, 60])
  })

  test('the headers show the tier with less left; tier 2 only once it has counted a failure', async () => {
    const { good, bad, times } = await ready()
    await times(349, bad)
    await times(19, good)
    assert.deepEqual(shown(await good()), [600, 251, 60])
    const { good: roomy, bad: fail, lines } = await ready({ quota: 5_000 })
    assert.deepEqual(shown(await roomy()), [5_000, 4_999, 60])
    await fail()
    assert.deepEqual(shown(await roomy()), [600, 599, 60])
    const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
    assert.deepEqual(
      logged.map(({ route, tier }) => [route, tier]),
      [
        ['/v2/auth', 1],
        ['/v2/products', 3],
        ['/v2/products', 2],
        ['/v2/products', 2],
      ],
      'and the log names it',
    )
  })

  test('a lowered quota holds until enough has left; quota 0 refuses always', movesTheClock, async () => {
    const { good, times, deps, clock } = await ready({ quota: 300 })
    for (let i = 0; i < 200; i++) {
      await good()
      clock.ms += 100
    }
    const quota = async (per_minute: number) => {
      await setQuota(deps.db, 'test', 'bistro', 'bistro-hub', per_minute)
      await deps.directory.refresh()
    }
    await quota(100)
    const refused = await good()
    // 200 events 100 ms apart, 20 s since the first: the 101st is 10 s old.
    assert.deepEqual([refused.status, shown(refused)[2]], [429, 50])
    clock.ms += 50_000
    assert.equal((await good()).status, 200)
    await quota(0)
    const never = await times(3, good)
    assert.deepEqual([never.status, ...shown(never)], [429, 0, 0, 60])
  })

  test('404 and 405 count in tier 2 and not in tier 3; 413 and 415 with a valid token count in both', async () => {
    const { call, token, credentials, good } = await ready()
    const valid = await token(credentials, '203.0.113.30')
    await call('/nowhere', { headers: { 'x-token': valid } })
    await call('/products', { method: 'DELETE', headers: { 'x-token': valid } })
    await call('/%zz', { headers: { 'x-token': valid } })
    const large = await call('/customers', {
      method: 'POST',
      headers: { 'x-token': valid },
      body: `"${'x'.repeat(70_000)}"`,
    })
    const text = await call('/customers', {
      method: 'POST',
      headers: { 'x-token': valid, 'content-type': 'text/plain' },
      body: 'x',
    })
    assert.deepEqual([large.status, text.status], [413, 415])
    assert.deepEqual(shown(await good()), [300, 297, 60], 'two of them and this one in tier 3')
    assert.deepEqual(shown(await call('/nowhere')), [600, 594, 60])
  })

  test('every answer of an authenticated route carries the headers: 200, 400, 403, 404, 409', async () => {
    const { call, token, credentials } = await ready()
    const headers = { 'x-token': await token(credentials, '203.0.113.31') }
    const post = (body: unknown) => call('/customers', { method: 'POST', headers, body })
    const answers = [
      await call('/products', { headers }),
      await call('/products?page=0', { headers }),
      await call('/products', { headers: { ...headers, 'x-venue': '9' } }),
      await call('/receipts/1', { headers }),
      await post({ name: 'Aysel', phone: '1' }),
      await post({ name: 'Leyla', phone: '1' }),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 400, 403, 404, 200, 409],
    )
    for (const answer of answers) {
      assert.ok(shown(answer).every(Number.isInteger), answer.text)
      assert.match(String(answer.headers['x-request-id']), /^[0-9a-f-]{36}$/)
    }
  })

  test('a forwarded address is believed from a trusted proxy only', async () => {
    const built = await service({ COMPTOIR_TRUSTED_PROXIES: '10.0.0.0/8' })
    const failing = (address: string, forwarded: string) =>
      built.call('/products', { headers: { 'x-token': 'x', 'x-forwarded-for': forwarded }, address })
    await failing('192.0.2.1', '198.51.100.1')
    assert.equal(shown(await failing('192.0.2.1', '198.51.100.2'))[1], 598, 'an untrusted peer is one key')
    await failing('10.0.0.1', '1.2.3.4, 198.51.100.7, 10.0.0.2')
    assert.equal(shown(await failing('10.0.0.9', '9.9.9.9, 198.51.100.7'))[1], 598, 'the right-most that is no proxy')
  })
})

onEmbeddedEngine('a forwarded address that cannot be read', (make) => {
  const service = services(make)
  test('is logged once a minute, and one that is absent is not', async () => {
    const { call, clock, lines } = await service({ COMPTOIR_TRUSTED_PROXIES: '10.0.0.0/8' })
    const ask = (headers: Record<string, string>) => call('/products', { headers, address: '10.0.0.1' })
    const warnings = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('X-Forwarded-For'))
    await ask({})
    await ask({ 'x-forwarded-for': '198.51.100.7' })
    assert.equal(warnings().length, 0)
    for (let again = 0; again < 3; again++) await ask({ 'x-forwarded-for': 'canary' })
    assert.deepEqual(
      warnings().map(({ level, proxy }) => [level, proxy]),
      [[40, '10.0.0.1']],
    )
    assert.ok(!lines.some((line) => line.includes('canary')))
    clock.ms += 60_000
    await ask({ 'x-forwarded-for': 'canary' })
    assert.equal(warnings().length, 2)
  })
})

describe('a client’s address', () => {
  const peer = (remoteAddress: string, forwarded?: string) =>
    ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as never
  const { addressOf } = clientAddresses(trustedProxies(['10.0.0.0/8', 'fd00::/8']))

  test('an IPv4-mapped address and its IPv4 address are one key', () => {
    assert.equal(clientAddresses(undefined).keyOf(peer('::ffff:1.2.3.4')), addressKey('1.2.3.4'))
    assert.equal(shownKey(addressKey('203.0.113.9')), '203.0.113.9')
  })

  test('two addresses in one /64 are one key, two /64s are two', () => {
    assert.equal(addressKey('2001:db8:0:1::1'), addressKey('2001:db8::1:ffff:0:0:2'))
    assert.notEqual(addressKey('2001:db8:0:1::1'), addressKey('2001:db8:0:2::1'))
    assert.equal(addressKey('::1'), addressKey('0:0:0:0:0:0:0:2'))
    assert.equal(shownKey(addressKey('2001:db8:0:1:a:b:c:d')), '2001:db8:0:1::/64')
  })

  test('behind trusted proxies it is the right-most that is not one of them; a malformed entry leaves the peer', () => {
    assert.equal(addressOf(peer('10.0.0.1', '8.8.8.8, 9.9.9.9, 10.1.1.1')), '9.9.9.9')
    assert.equal(addressOf(peer('::ffff:10.0.0.1', '8.8.8.8')), '8.8.8.8')
    assert.equal(addressOf(peer('10.0.0.1', 'unknown')), '10.0.0.1')
    assert.equal(addressOf(peer('10.0.0.1', '8.8.8.8, garbage')), '10.0.0.1')
    assert.equal(addressOf(peer('10.0.0.1', '')), '10.0.0.1')
    assert.equal(addressOf(peer('192.0.2.1', '8.8.8.8')), '192.0.2.1')
    assert.equal(addressOf(peer('fd00::1', '2001:db8::1')), '2001:db8::1')
  })

  test('ports, brackets and every spelling of an IPv4-mapped address are read', () => {
    const client = (forwarded: string) => addressOf(peer('10.0.0.1', forwarded))
    assert.equal(client('203.0.113.1:1111'), '203.0.113.1')
    assert.equal(client('[2001:db8::1]:443'), '2001:db8::1')
    assert.equal(client('[2001:db8::1]'), '2001:db8::1')
    assert.equal(client('203.0.113.1:1111, 10.0.0.2:80, [fd00::2]:80'), '203.0.113.1')
    for (const mapped of ['::FFFF:203.0.113.1', '::ffff:cb00:7101', '0:0:0:0:0:ffff:cb00:7101', '[::ffff:cb00:7101]:9'])
      assert.equal(client(mapped), '203.0.113.1', mapped)
    assert.equal(client('203.0.113.1, ::FFFF:0a00:0002'), '203.0.113.1', 'a proxy in disguise')
    for (const unreadable of ['203.0.113.1:x', '[203.0.113.1', '2001:db8::1:443:x', '203.0.113:80', '[]:80'])
      assert.equal(client(unreadable), '10.0.0.1', unreadable)
  })
})
