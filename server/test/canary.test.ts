import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ActivityStore } from '../src/storage/activity-store.ts'
import { type BodySchema, operations, resolved } from './answers/conformance.ts'
import { onEachEngine } from './database/engines.ts'
import { services } from './service.ts'

// Secrets and personal data go in by every route, on success and on failure; none may come out where people and programs look.

/** Every operation of the API but signing in, which has bodies of its own. */
const secured = operations.filter(({ security }) => security === undefined)
const NOWHERE = { method: 'GET', path: '/nowhere', parameters: [], requestBody: undefined } as const

/** Bodies with the text in every member that takes one; in the required ones only; in one that is not known; and broken off. */
function bodiesWith(text: string, { properties = {}, required = [] }: BodySchema): unknown[] {
  const values = Object.entries(properties).flatMap(([name, member]): [string, unknown][] => {
    const { type, format } = resolved(member)
    if (type === 'string') return [[name, format?.includes('email') ? `${text}@example.com` : text]]
    return type === 'array' ? [[name, [text]]] : type === 'object' ? [[name, { [text]: text }]] : []
  })
  const whole = Object.fromEntries(values)
  const least = Object.fromEntries(values.filter(([name]) => required.includes(name)))
  const free = Object.fromEntries(values.filter(([name]) => !resolved(properties[name]!).format)) // what no format refuses
  return [whole, free, free, least, { ...least, [text]: 1 }, `{"${text}":"${text}`]
}

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

    const headers = [
      { 'x-token': good },
      { 'x-token': canary },
      { 'x-token': good, 'x-venue': canary },
      { cookie: `sid=${canary}`, authorization: canary },
    ]
    for (const { method, path, parameters, requestBody } of [...secured, NOWHERE]) {
      const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name!)
      const places = [
        path.replaceAll(/\{\w+\}/g, '1'),
        ...(path.includes('{') ? [path.replaceAll(/\{\w+\}/g, canary)] : []),
        ...[...query, canary].map((name) => `${path.replaceAll(/\{\w+\}/g, '1')}?${name}=${canary}`),
        ...(query.includes('filters') ? [`${path}?filters=[["name","${canary}"]]`] : []),
      ]
      const { schema } = requestBody?.content['application/json'] ?? {}
      for (const body of schema ? bodiesWith(canary, resolved(schema)) : [undefined])
        for (const place of schema ? places.slice(0, 1) : places)
          for (const sent of headers)
            answers.push(
              await call(place, {
                method,
                body,
                headers: { ...sent, ...(schema && { 'idempotency-key': `${canary} ${answers.length}` }) },
              }),
            )
    }
    for (const expected of [200, 400, 401, 404, 409])
      assert.ok(
        answers.some(({ status }) => status === expected),
        `nothing was answered ${expected}`,
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
  const deadline = performance.now() + 60_000
  for (;;) {
    const lines = await activity.rows('select * from request_log', [])
    if (lines.length >= calls) return JSON.stringify([lines, await activity.rows('select * from minute_counts', [])])
    assert.ok(performance.now() < deadline, `${lines.length} of ${calls} calls are in the log`)
    await sleep(50)
  }
}
