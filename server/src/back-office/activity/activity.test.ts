import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEachEngine, onEmbeddedEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { LATENCY_BUCKETS } from '../../observe/request-log.ts'
import type { ActivityStore } from '../../storage/activity-store.ts'
import { type Browser, offices } from '../office-fixture.ts'
import { percentile } from './queries.ts'

const LATEST_MS = 60_000

/** Asks until the log, which is written beside the requests, has as many calls. */
async function calls(browser: Browser, query: string, expected: number, prefix = ''): Promise<Row[]> {
  const deadline = performance.now() + LATEST_MS
  for (;;) {
    const { status, body } = await browser.ask('GET', `${prefix}/activity/calls${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    if (body.calls.length >= expected || performance.now() > deadline) {
      assert.equal(body.calls.length, expected)
      return body.calls
    }
    await sleep(50)
  }
}

onEachEngine('Activity', (make) => {
  const office = offices(make)

  test('every call is in the log with all that is known of it, and nothing that it carried', async () => {
    const { brand, call, token, staffBrowser, clock } = await office()
    const { credentials, integrator, client_id } = await brand('bistro')
    const good = await token(credentials)
    const headers = { 'x-token': good }
    const canary = 'canary0123456789'
    const found = await call(`/products?filters=[["name","${canary}"]]`, { headers })
    await call('/receipts/7', { headers })
    await call('/customers', { method: 'POST', headers, body: { name: canary, phone: '+33123456789' } })
    await call('/customers', { method: 'POST', headers, body: { name: canary, phone: '+33123456789' } })
    clock.ms += 3_601_000
    await call(`/products?${canary}=1`, { headers }) // with a token that has expired

    const owner = await staffBrowser('bistro')
    const logged = await calls(owner, '', 6)
    assert.deepEqual(
      logged.map(({ method, route, status, error }) => [method, route, status, error]).sort(),
      [
        ['GET', '/v2/products', 200, null],
        ['GET', '/v2/products', 401, 'Token expired'],
        ['GET', '/v2/receipts/:id', 404, 'not_found'],
        ['POST', '/v2/auth', 200, null],
        ['POST', '/v2/customers', 200, null],
        ['POST', '/v2/customers', 409, 'duplicate_phone'],
      ].sort(),
    )
    const request_id = found.headers['x-request-id']
    const [line] = await calls(owner, `?request_id=${request_id}`, 1)
    const { ms, ...rest } = line!
    assert.ok(Number(ms) > 0)
    assert.deepEqual(rest, {
      at: '2026-03-01T12:00:00.000Z',
      request_id,
      method: 'GET',
      route: '/v2/products',
      status: 200,
      brand: 'bistro',
      integrator_id: integrator,
      integrator,
      client_id,
      credential: 'Open API for owner',
      venue_id: 1,
      tier: 3,
      limit: 300,
      remaining: 299,
      error: null,
    })
    const text = JSON.stringify(logged)
    for (const secret of [canary, good, credentials.client_secret, '+33123456789'])
      assert.ok(!text.includes(secret), secret)
  })

  test('the log is searched by id, route, status, integrator and time, and paged newest first', async () => {
    const { brand, call, token, staffBrowser, clock } = await office()
    const { credentials, integrator } = await brand('bistro')
    const owner = await staffBrowser('bistro')
    const headers = { 'x-token': await token(credentials) }
    let last = ''
    for (let round = 0; round < 60; round++) {
      clock.ms += 1_000
      last = (await call(round % 2 ? '/products' : '/receipts/7', { headers })).headers['x-request-id']!
    }
    await calls(owner, `?request_id=${last}`, 1) // batches are written in their order
    const first = await calls(owner, '', 50)
    assert.deepEqual(
      first.map(({ at }) => at),
      first.map(({ at }) => at).sort((one, other) => (one! < other! ? 1 : -1)),
    )
    const { next } = (await owner.ask('GET', '/activity/calls')).body
    const second = (await owner.ask('GET', `/activity/calls?before=${next}`)).body
    assert.deepEqual([second.calls.length, second.next], [11, null])
    assert.equal(new Set([...first, ...second.calls].map(({ request_id }) => request_id)).size, 61)

    await calls(owner, '?status=4xx', 30)
    await calls(owner, '?status=2xx&route=products', 30)
    await calls(owner, `?integrator_id=${integrator}&route=auth`, 1)
    await calls(owner, '?integrator_id=nobody', 0)
    await calls(owner, `?request_id=${String(first[0]!.request_id).slice(0, 30)}`, 1)
    await calls(owner, '?from=2026-03-01T12:00:51.000Z&to=2026-03-01T12:01:00.000Z', 10)
    assert.equal((await owner.ask('GET', '/activity/calls?status=teapot')).status, 400)
  })

  test('a brand sees its own calls and no other’s; the operator sees all, also those of nobody', async () => {
    const { brand, call, token, staffBrowser, operatorBrowser } = await office()
    const [bistro, trattoria] = [await brand('bistro'), await brand('trattoria')]
    const [owner, operator] = [await staffBrowser('bistro'), await operatorBrowser('ada')]
    await call('/receipts/7', { headers: { 'x-token': await token(bistro.credentials) } })
    await call('/receipts/x', { headers: { 'x-token': await token(trattoria.credentials) } })
    await call('/products', { headers: { 'x-token': 'nonsense' } })
    await call('/nowhere')
    const all = await calls(operator, '', 6, '/operator')
    assert.deepEqual(all.map((line) => `${line.brand} ${line.route}`).sort(), [
      'bistro /v2/auth',
      'bistro /v2/receipts/:id',
      'null /v2/products',
      'null unknown',
      'trattoria /v2/auth',
      'trattoria /v2/receipts/:id',
    ])
    await calls(operator, '?brand=trattoria', 2, '/operator')
    const usesOf = async (browser: Browser, prefix = '') => {
      const deadline = performance.now() + LATEST_MS // the last uses are written beside the requests too
      for (;;) {
        const { uses } = (await browser.ask('GET', `${prefix}/activity/uses`)).body
        if (uses.length > 0 || performance.now() > deadline) return uses.map(({ brand: slug }: Row) => slug).sort()
        await sleep(50)
      }
    }
    assert.deepEqual(await usesOf(operator, '/operator'), ['bistro', 'trattoria'])

    assert.deepEqual(
      (await calls(owner, '', 2)).map((line) => line.brand),
      ['bistro', 'bistro'],
    )
    assert.deepEqual(await usesOf(owner), ['bistro'])
    const { slots, errors } = (await owner.ask('GET', '/activity/chart?range=hour')).body
    assert.deepEqual([slots.at(-1).ok, slots.at(-1).client_errors], [1, 1])
    assert.deepEqual(
      errors.map(({ error }: Row) => error),
      ['not_found'],
    )
    const { budgets } = (await owner.ask('GET', '/activity/budgets')).body
    assert.deepEqual(
      budgets.map(({ brand: slug }: Row) => slug),
      ['bistro'],
    )
    assert.equal((await owner.ask('GET', '/activity/calls?brand=trattoria')).status, 400)
    assert.equal((await owner.ask('GET', '/operator/activity/calls')).status, 404)
  })

  test('a call with a wrong secret is in the brand’s log, without an integrator', async () => {
    const { brand, signIn, staffBrowser } = await office()
    const { credentials } = await brand('bistro')
    const owner = await staffBrowser('bistro')
    await signIn({ ...credentials, client_secret: 'wrong' })
    const [line] = await calls(owner, '', 1)
    assert.deepEqual(
      [line!.status, line!.client_id, line!.integrator_id, line!.error],
      [401, credentials.client_id, null, 'Invalid credentials'],
    )
  })

  test('a user without the permission to manage add-ons sees no activity', async () => {
    const { brand, staffBrowser, deps } = await office()
    const { id } = await brand('bistro')
    await putRows(deps.db, id, [
      { kind: 'role', id: 2, name: 'Waiter', permissions: ['products:read'] },
      { kind: 'user', id: 2, username: 'waiter', name: 'Wanda', role_id: 2 },
    ])
    await deps.directory.refresh()
    const waiter = await staffBrowser('bistro', 'waiter')
    for (const path of ['calls', 'chart?range=hour', 'budgets', 'uses'])
      assert.equal((await waiter.ask('GET', `/activity/${path}`)).status, 403, path)
  })

  test('the chart counts calls by minute and outcome, also those whose lines were lost, and names the errors', async () => {
    const { brand, call, token, staffBrowser, clock } = await office()
    const { credentials } = await brand('bistro', { quota: 4 })
    const owner = await staffBrowser('bistro')
    const headers = { 'x-token': await token(credentials) }
    await call('/receipts/7', { headers })
    for (let round = 0; round < 5; round++) await call('/products', { headers })
    clock.ms += 120_000
    await token(credentials)
    await calls(owner, '', 8)
    const { step_s, slots, errors } = (await owner.ask('GET', '/activity/chart?range=hour')).body
    assert.deepEqual([step_s, slots.length, slots.at(-1).at], [60, 60, '2026-03-01T12:02:00.000Z'])
    const outcomes = ({ ok, client_errors, rate_limited, server_errors }: Row) => [
      ok,
      client_errors,
      rate_limited,
      server_errors,
    ]
    assert.deepEqual(slots.slice(-3).map(outcomes), [
      [4, 1, 2, 0],
      [0, 0, 0, 0],
      [1, 0, 0, 0],
    ])
    assert.ok(slots.at(-1).p50_ms > 0 && slots.at(-1).p95_ms >= slots.at(-1).p50_ms)
    assert.equal(slots.at(-2).p50_ms, null)
    assert.deepEqual(errors, [
      { error: 'rate_limited', status: 429, calls: 2 },
      { error: 'not_found', status: 404, calls: 1 },
    ])
    for (const [range, length] of [
      ['day', 96],
      ['week', 84],
    ]) {
      const wide = (await owner.ask('GET', `/activity/chart?range=${range}`)).body.slots as Row[]
      assert.equal(wide.length, length)
      assert.equal(
        wide.reduce((sum, slot) => sum + Number(slot.ok), 0),
        5,
      )
    }
  })

  test('the gauge shows what tier 3 has left of a pair, and looking takes nothing of it', async () => {
    const { brand, call, token, staffBrowser, operatorBrowser } = await office()
    const { credentials, integrator, client_id } = await brand('bistro', { quota: 20 })
    const owner = await staffBrowser('bistro')
    const operator = await operatorBrowser('ada')
    const headers = { 'x-token': await token(credentials) }
    const begun = performance.now()
    for (let round = 0; round < 5; round++) await call('/products', { headers })
    await calls(owner, '', 6)
    const gauge = { brand: 'bistro', integrator_id: integrator, integrator, limit: 20, used: 5 }
    for (const [browser, path] of [
      [owner, '/activity/budgets'],
      [operator, '/operator/activity/budgets'],
      [owner, '/activity/budgets'],
    ] as const) {
      const deadline = performance.now() + LATEST_MS // the last uses are written beside the requests too
      for (;;) {
        const { budgets } = (await browser.ask('GET', path)).body
        if (budgets.length === 0 && performance.now() < deadline) {
          await sleep(50)
          continue
        }
        const [{ reset_s, ...shown }] = budgets
        assert.deepEqual([budgets.length, shown], [1, gauge])
        const passed = Math.ceil((performance.now() - begun) / 1000)
        assert.ok(reset_s >= 60 - passed && reset_s <= 60, `${reset_s} s`)
        break
      }
    }
    const { uses } = (await owner.ask('GET', '/activity/uses')).body
    assert.deepEqual(
      uses.map(({ client_id: used, integrator_id }: Row) => [used, integrator_id]),
      [[client_id, integrator]],
    )
  })

  test('lines beyond the age or the number of rows to keep are deleted', async () => {
    const { brand, call, token, staffBrowser, clock, deps } = await office({ COMPTOIR_ACTIVITY_ROWS: 40 })
    const { credentials } = await brand('bistro')
    await token(credentials)
    await calls(await staffBrowser('bistro'), '', 1)
    clock.ms += 8 * 86_400_000
    const headers = { 'x-token': await token(credentials) }
    for (let round = 0; round < 50; round++) {
      clock.ms += 10
      await call('/products', { headers })
    }
    const lines = async () => {
      const [row] = await deps.activity.rows<{ lines: number; oldest: number }>(
        'select count(*) as lines, min(at) as oldest from request_log',
        [],
      )
      return row!
    }
    const isTrimmed = ({ lines: left, oldest }: { lines: number; oldest: number }) =>
      left > 1 && left <= 42 && oldest > clock.ms - 86_400_000
    const deadline = performance.now() + LATEST_MS
    while (!isTrimmed(await lines()) && performance.now() < deadline) await sleep(50)
    assert.ok(isTrimmed(await lines()), JSON.stringify(await lines()))
  })

  test('a store that is away loses lines, which are counted, and holds up no call', async () => {
    const { brand, call, token, staffBrowser, deps } = await office()
    const { credentials } = await brand('bistro')
    const owner = await staffBrowser('bistro')
    const { put } = deps.activity
    const headers = { 'x-token': await token(credentials) }
    await calls(owner, '', 1)
    let failures = 0
    deps.activity.put = async () => {
      failures++
      throw new Error('away')
    }
    assert.equal((await call('/products', { headers })).status, 200)
    const deadline = performance.now() + LATEST_MS
    while (failures < 2 && performance.now() < deadline) await sleep(20)
    deps.activity.put = put
    await call('/receipts/7', { headers })
    await calls(owner, '', 2)
    assert.match(await deps.metrics.registry.metrics(), /comptoir_request_log_dropped_total 1\n/)
    const { slots } = (await owner.ask('GET', '/activity/chart?range=hour')).body
    assert.deepEqual([slots.at(-1).ok, slots.at(-1).client_errors], [2, 1], 'the counters lost nothing')
  })
})

onEmbeddedEngine('Activity of a quarter of a million calls', (make) => {
  const office = offices(make)

  test('one is found by its request id within 100 ms', { timeout: 280_000 }, async (context) => {
    const { brand, staffBrowser, deps } = await office()
    await brand('bistro')
    const owner = await staffBrowser('bistro')
    await fillLog(deps.activity, 250_000)
    const [wanted] = await deps.activity.rows<{ request_id: string }>(
      'select request_id from request_log where at = 1772000177777',
      [],
    )
    const times: number[] = []
    for (let round = 0; round < 11; round++) {
      const start = performance.now()
      const { calls: found } = (await owner.ask('GET', `/activity/calls?request_id=${wanted!.request_id}`)).body
      times.push(performance.now() - start)
      assert.equal(found.length, 1)
    }
    const median = times.sort((one, other) => one - other)[5]!
    context.diagnostic(`${median.toFixed(1)} ms`)
    assert.ok(median < 100, `${median} ms`)
  })
})

const fillLog = (activity: ActivityStore, rows: number) =>
  activity.run(
    `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
     insert into request_log select lower(hex(randomblob(4))) || '-' || printf('%027d', n), 1772000000000 + n, 'GET', '/v2/products',
       200, 900, 'bistro', 'hub', 'client', 1, 3, 300, 299, '' from numbers`,
    [rows],
  )

test('a percentile lies within the bucket of its call', () => {
  const took = (calls: Record<number, number>) =>
    Array.from({ length: LATENCY_BUCKETS }, (_, index) => calls[index] ?? 0)
  assert.equal(percentile(took({}), 0.5), null)
  assert.equal(percentile(took({ 0: 1 }), 1), 0.25)
  assert.equal(percentile(took({ 3: 100 }), 0.5), 1.5) // from 1 to 2 ms
  assert.equal(percentile(took({ 3: 90, 8: 10 }), 0.95), 48) // half way from 32 to 64 ms
})
