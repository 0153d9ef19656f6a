import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comptoir, comptoirJson, serving } from '../../test/command.ts'
import { onEachEngine } from '../../test/database/engines.ts'
import { until } from '../../test/until.ts'

onEachEngine('comptoir keys', (make, engine) => {
  test('revoke ends the tokens of a key on every worker within a second, and signing in goes on', async () => {
    const made = await make('demo')
    const { REDIS_URL } = process.env
    const several = engine === 'PostgreSQL' && REDIS_URL
    const here = { env: { ...made.env, ...(several && { REDIS_URL, COMPTOIR_WORKERS: '2' }) } }
    const server = await serving(here, ['--demo'])
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({
      client_id: 'demo-client',
      client_secret: 'demo-secret',
      brand: 'demo',
      integrator_id: 'demo-integrator',
    })
    const signIn = async () =>
      ((await (await fetch(`${server.url}/v2/auth`, { method: 'POST', headers, body })).json()) as { token: string })
        .token
    // A connection each, so that every worker is asked.
    const statuses = (token: string) =>
      Promise.all(
        Array.from({ length: 8 }, async () => {
          const init = { headers: { 'x-token': token, connection: 'close' } }
          return (await fetch(`${server.url}/v2/products?limit=1`, init)).status
        }),
      )
    const old = await signIn()
    assert.deepEqual(await statuses(old), Array(8).fill(200))
    const [key] = await comptoirJson<{ kid: string }[]>(here, ['keys', 'list'])
    const { code, stdout, stderr } = await comptoir(here, ['keys', 'revoke', key!.kid])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /is revoked: its tokens are refused on every server within a second/)
    assert.match(stdout, /Key \S+ signs from now on/)
    await until(async () => (await statuses(old)).every((status) => status === 401))
    assert.deepEqual(await statuses(await signIn()), Array(8).fill(200))
    assert.equal(await server.stop(), 0)
  })

  test('rotate says when the new key begins to sign, list shows no secret, and a wrong kid is said to be one', async () => {
    const here = await make()
    const { stdout } = await comptoir(here, ['keys', 'rotate'])
    const [, kid, from] = /^Key (\S+) signs from (\S+)\. Copy the key ring/.exec(stdout)!
    assert.ok(Math.abs(Date.parse(from!) - Date.now()) < 60_000, stdout)
    const listed = await comptoirJson<{ kid: string }[]>(here, ['keys', 'list'])
    assert.deepEqual(
      listed.map((key) => Object.keys(key)),
      Array(2).fill(['kid', 'created_at', 'revoked_at']),
    )
    assert.equal(listed[1]!.kid, kid)
    assert.match((await comptoir(here, ['keys', 'revoke', 'x'])).stderr, /^comptoir: The key ring has no key "x"/)
  })
})
