import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { comptoir, comptoirJson, type Serving, serving, start } from '../../test/command.ts'
import { type Installation, onEmbeddedEngine } from '../../test/database/engines.ts'
import { putRows, staff } from '../../test/database/store.ts'
import { until } from '../../test/until.ts'
import { createCredential } from '../directory/credentials.ts'
import { openKeyRing } from '../directory/keys.ts'
import { addBrand, addIntegrator } from '../directory/registry.ts'
import { MERGE_RULES } from '../events/merge.ts'
import { migrate } from '../storage/migrate.ts'
import { openDatabase } from '../storage/open.ts'
import { isSignedBy, receiver } from '../webhooks/receiver-fixture.ts'

const BRAND = ['--brand', 'bistro']

onEmbeddedEngine('comptoir webhooks and comptoir listen', (make) => {
  let installation: Installation
  let server: Serving
  let customers = 0
  let client: Record<'client_id' | 'client_secret' | 'brand' | 'integrator_id', string>

  const webhooks = <Answer>(...words: string[]) => comptoirJson<Answer>(installation, ['webhooks', ...words, ...BRAND])
  const stateOf = async (id: string) => (await webhooks<{ state: string }>('show', id)).state

  before(async () => {
    const made = await make()
    const db = await openDatabase(made.config, 'command', MERGE_RULES)
    await migrate(db)
    const ring = await openKeyRing(db, made.config.COMPTOIR_KEYS)
    const { id } = await addBrand(db, 'test', { slug: 'bistro', test: false })
    await putRows(db, id, staff())
    await addIntegrator(db, 'test', { name: 'Hub', id: 'hub', test: false })
    const credential = await createCredential(db, ring, 'test', { brand: 'bistro', username: 'owner' })
    await db.close()
    client = { ...credential, brand: 'bistro', integrator_id: 'hub' }
    const home = dirname(made.env.COMPTOIR_DATA!)
    installation = { ...made, env: { ...made.env, COMPTOIR_WEBHOOK_ALLOW: '127.0.0.0/8', HOME: home } }
    server = await serving(installation)
  })

  const json = { 'content-type': 'application/json' }

  async function token(): Promise<string> {
    const signedIn = await fetch(`${server.url}/v2/auth`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(client),
    })
    return ((await signedIn.json()) as { token: string }).token
  }

  /** New customers, one event each. */
  async function addCustomers(count: number): Promise<void> {
    const headers = { ...json, 'x-token': await token() }
    for (let at = 0; at < count; at++) {
      const body = JSON.stringify({ name: `Guest ${++customers}` })
      const answer = await fetch(`${server.url}/v2/customers`, { method: 'POST', headers, body })
      assert.equal(answer.status, 200)
    }
  }

  test('an endpoint is made, followed, paused, rotated and deleted; a killed server loses nothing; a copy sends nothing', async () => {
    const hub = await receiver()
    const words = ['--client-id', client.client_id, '--integrator', 'hub', '--types', 'customer.created']
    const { id, secret } = await webhooks<{ id: string; secret: string }>('add', hub.url, ...words)
    await until(async () => (await stateOf(id)) === 'active')
    await addCustomers(30)
    await server.stop('SIGKILL')
    server = await serving(installation)
    await addCustomers(5)
    await until(() => new Set(hub.events().map((event) => event.id)).size === 35)
    const repeats = hub.events().length - 35
    assert.ok(repeats <= 72, `${repeats} repeats`)
    assert.ok(hub.events().every((event) => isSignedBy(secret, event)))

    assert.match((await comptoir(installation, ['webhooks', 'test', id, ...BRAND])).stdout, /^delivered, status 204/)
    assert.ok((await webhooks<unknown[]>('log', id)).length > 0)
    assert.deepEqual(await webhooks<unknown[]>('held', id), [])
    assert.notEqual((await webhooks<{ secret: string }>('rotate', id)).secret, secret)
    await webhooks('replay', id, '--after', 'oldest')
    assert.match((await comptoir(installation, ['webhooks', 'list', ...BRAND])).stdout, /active/)

    const copy = join(dirname(installation.env.COMPTOIR_DATA!), 'copy', 'comptoir.db')
    mkdirSync(dirname(copy))
    await comptoirJson(installation, ['backup', copy])
    const restored = {
      env: {
        ...installation.env,
        COMPTOIR_DATA: dirname(copy),
        COMPTOIR_KEYS: join(installation.env.COMPTOIR_DATA!, 'keys.json'),
      },
    }
    const other = await serving(restored)
    const there = () => comptoirJson<{ state: string; reason?: string }>(restored, ['webhooks', 'show', id, ...BRAND])
    await until(async () => (await there()).reason === 'restored')
    await other.stop()
    assert.deepEqual(await comptoirJson(restored, ['webhooks', 'resume', '--all']), { count: 1 })
    assert.equal((await there()).state, 'active')

    await webhooks('pause', id)
    assert.equal(await stateOf(id), 'paused')
    await webhooks('resume', id)
    await webhooks('delete', id)
    const gone = await comptoir(installation, ['webhooks', 'show', id, ...BRAND])
    assert.deepEqual([gone.code, gone.stderr], [1, 'comptoir: There is no record with this id.\n'])
  })

  test('listen goes on after kills of either side, in order and without a gap', async () => {
    const hub = await receiver()
    const profile = join(installation.env.HOME!, 'listen.json')
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const forward = ['--forward', hub.url, '--types', 'customer.created', '--from', 'oldest', '--secret', secret]
    const named = () => ({
      env: {
        ...installation.env,
        COMPTOIR_URL: `${server.url}/v2`,
        COMPTOIR_CLIENT_ID: client.client_id,
        COMPTOIR_CLIENT_SECRET: client.client_secret,
        COMPTOIR_BRAND: client.brand,
        COMPTOIR_INTEGRATOR_ID: client.integrator_id,
      },
    })
    const listen = () => start(named(), ['listen', ...forward, '--profile', profile])
    let listening = listen()
    await hub.has(3)
    listening.kill('SIGKILL')
    hub.answer(500)
    listening = listen()
    const before = hub.events().length
    await until(() => hub.events().length > before)
    hub.answer(204)
    const seen = () => [...new Set(hub.events().map((event) => event.id))]
    await addCustomers(3)
    const answer = await fetch(`${server.url}/v2/events?after=oldest&types=customer.created&limit=1000`, {
      headers: { 'x-token': await token() },
    })
    const { data } = (await answer.json()) as { data: { id: string }[] }
    await until(() => seen().length === data.length)
    listening.kill('SIGKILL')
    assert.deepEqual(
      seen(),
      data.map(({ id }) => id),
    )
    assert.ok(hub.events().every((event) => isSignedBy(secret, event)))
  })
})
