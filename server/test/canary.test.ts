import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ActivityStore } from '../src/storage/activity-store.ts'
import { onEachEngine } from './engines.ts'
import { services } from './service.ts'

// Secrets and personal data go in by every route, on success and on failure; none may come out where people and programs look.

onEachEngine('what is logged, counted and refused', (make) => {
  const service = services(make)

  test('holds no secret, token, phone, e-mail, cookie or query value of a client', async () => {
    const { brand, call, signIn, token, deps, lines } = await service()
    const { credentials } = await brand('bistro', { quota: 1e6 })
    const canary = 'canary0123456789'
    const good = await token(credentials)
    const answers = []

    for (const change of [
      {},
      { client_secret: canary },
      { client_id: canary },
      { brand: canary },
      { integrator_id: canary },
    ])
      answers.push(await signIn({ ...credentials, ...change, extra: canary }))
    answers.push(await call('/auth', { method: 'POST', body: `{"client_secret":"${canary}` }))

    const paths = ['/products', '/price-lists', '/receipts/1', '/stock-operations/1', '/nowhere']
    const queries = [
      '',
      `?filters=[["name","${canary}"]]`,
      `?${canary}=1`,
      `?fields=${canary}`,
      `?page=${canary}`,
      `?filters=[["phone","${canary}"]]`,
    ]
    const headers = [
      { 'x-token': good },
      { 'x-token': canary },
      { 'x-token': good, 'x-venue': canary },
      { cookie: `sid=${canary}`, authorization: canary },
    ]
    for (const path of paths)
      for (const query of queries)
        for (const sent of headers) answers.push(await call(`${path}${query}`, { headers: sent }))

    const phone = `+99450${canary}`
    const bodies = [
      { name: canary, phone, email: `${canary}@example.com` },
      { name: canary, phone },
      { phone },
      { name: canary, [canary]: 1 },
      `{"phone":"${phone}`,
    ]
    for (const body of bodies)
      for (const sent of headers)
        answers.push(
          await call('/customers', { method: 'POST', body, headers: { ...sent, 'idempotency-key': canary } }),
        )

    const watched = {
      log: lines.join(''),
      metrics: await deps.metrics.registry.metrics(),
      activity: await activityOf(deps.activity, answers.length + 1), // with the token's own
    }
    for (const [where, text] of Object.entries(watched))
      for (const secret of [canary, good, credentials.client_secret])
        assert.ok(!text.includes(secret), `${where} has ${secret}`)
    for (const { text, status } of answers) {
      assert.ok(!text.includes(credentials.client_secret), text)
      if (status >= 500) assert.fail(text)
      if (status === 409) assert.ok(!text.includes(canary), text)
    }
    assert.ok(lines.length >= answers.length)
  })
})

/** Everything that the request log and its counters hold, once the last call is in it. */
async function activityOf(activity: ActivityStore, calls: number): Promise<string> {
  const deadline = performance.now() + 10_000
  for (;;) {
    const lines = await activity.rows('select * from request_log', [])
    if (lines.length >= calls) return JSON.stringify([lines, await activity.rows('select * from minute_counts', [])])
    assert.ok(performance.now() < deadline, `${lines.length} of ${calls} calls are in the log`)
    await sleep(50)
  }
}
