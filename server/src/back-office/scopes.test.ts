import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RouteOptions } from 'fastify'
import { onEmbeddedEngine } from '../../test/database/engines.ts'
import { offices } from './office-fixture.ts'

const API = '/back-office/api'
/** What a person does who is not signed in yet. */
const OPEN = [
  'POST /session',
  'POST /operator/session', //
  'POST /invitation',
  'POST /invitation/acceptance',
  'GET /setup', // with the link in a header
  'POST /setup',
  'GET /device', // with the cookie of the device
  'POST /device/session',
]

onEmbeddedEngine('who may call the routes of the back office', (make) => {
  const office = offices(make)

  test('every route but the few open ones requires a session and its own person’s page, and the operator’s do not exist for staff', async () => {
    const { app, brand, browser, staffBrowser, operatorBrowser } = await office()
    const routes: { method: 'GET'; path: string }[] = []
    app.addHook('onRoute', ({ method, url }: RouteOptions) => {
      if (url.startsWith(`${API}/`))
        for (const each of [method].flat()) routes.push({ method: each as 'GET', path: url.slice(API.length) })
    })
    await app.ready()
    await brand('bistro')
    const [stranger, staff, operator] = [browser(), await staffBrowser('bistro'), await operatorBrowser('ada')]

    const named = routes.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(named.filter((route) => OPEN.includes(route)).sort(), [...OPEN].sort())
    const guarded = routes.filter((_, i) => !OPEN.includes(named[i]!))
    const ofOperator = guarded.filter(({ path }) => path.startsWith('/operator/'))
    assert.ok(
      guarded.length > 30 && ofOperator.length > 15,
      `${guarded.length} and ${ofOperator.length} routes were found`,
    )
    for (const { method, path } of guarded) {
      const refused = await stranger.ask(method, path)
      assert.deepEqual([refused.status, refused.body.error], [401, 'signed_out'], `${method} ${path}`)
    }
    const writes = guarded.filter(({ method }) => !['GET', 'HEAD'].includes(method))
    assert.ok(writes.length > 60, `${writes.length} routes that write were found`)
    for (const { method, path } of guarded)
      for (const other of [{ 'x-person': '999' }, { 'x-brand': 'elsewhere' }]) {
        const { status, body, cookies } = await staff.ask(method, path, undefined, other)
        const refusal = method === ('HEAD' as string) ? 'signed_out' : body.error
        assert.deepEqual(
          [status, refusal, cookies],
          [401, 'signed_out', []],
          `${method} ${path}, of somebody else’s page`,
        )
      }
    for (const { method, path } of ofOperator)
      assert.equal((await staff.ask(method, path)).status, 404, `${method} ${path}, asked by staff`)
    for (const { method, path } of guarded.filter(({ path }) =>
      /^\/(data|edit|credentials|staff|activity|audit)\b/.test(path),
    ))
      assert.equal((await operator.ask(method, path)).status, 403, `${method} ${path}, asked by an operator`)
  })
})
