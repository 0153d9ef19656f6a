import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { services } from '../../test/service.ts'
import { createCredential, rotateCredential } from '../directory/credentials.ts'
import { DEMO_SECRET } from '../directory/secrets.ts'

onEachEngine('a credential with the demo’s secret', (make) => {
  const service = services(make)

  async function demo(settings = {}) {
    const built = await service(settings)
    const { slug, integrator } = await built.brand('bistro') // a brand of its own: the data was once a demo
    const fixed = { client_id: 'demo-client', client_secret: DEMO_SECRET }
    await createCredential(built.deps.db, built.deps.keys, 'test', { brand: slug, username: 'owner', fixed })
    await built.deps.directory.refresh()
    const body = { ...fixed, brand: slug, integrator_id: integrator }
    const from = (address: string, headers = {}) =>
      built.call('/auth', { method: 'POST', body, address, headers: { host: '127.0.0.1:8080', ...headers } })
    return { ...built, body, from }
  }

  test('signs in on loopback, and is answered like a wrong secret from anywhere else', async () => {
    const { from, call, body } = await demo()
    for (const [address, host] of [
      ['127.0.0.1', '127.0.0.1:8080'],
      ['127.8.8.8', 'localhost'],
      ['::1', '[::1]:8080'],
      ['::ffff:127.0.0.1', 'localhost:8080'],
    ] as const)
      assert.equal((await from(address, { host })).status, 200, address)
    const wrong = { ...body, client_secret: 'wrong' }
    const { text } = await call('/auth', { method: 'POST', body: wrong, address: '192.0.2.1' })
    for (const address of ['192.0.2.1', '10.0.0.1', '2001:db8::1', '::ffff:192.0.2.1']) {
      const refused = await from(address)
      assert.deepEqual([refused.status, refused.text], [401, text], address)
    }
  })

  test('does not sign in through a proxy on this machine, whatever that says', async () => {
    const { from } = await demo()
    for (const name of [
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'forwarded',
      'x-real-ip',
      'via',
      'cf-connecting-ip',
      'true-client-ip',
    ])
      assert.equal((await from('127.0.0.1', { [name]: '127.0.0.1' })).status, 401, name)
    assert.equal((await from('127.0.0.1', { host: 'pos.example.com' })).status, 401)
    const trusting = await demo({ COMPTOIR_TRUSTED_PROXIES: '127.0.0.1' })
    assert.equal((await trusting.from('127.0.0.1')).status, 401, 'a peer that is a proxy')
  })

  test('works from anywhere once its secret is a random one', async () => {
    const { deps, body, call } = await demo()
    const { client_secret } = await rotateCredential(deps.db, deps.keys, 'test', 'demo-client', 3600)
    const status = async (secret: string) =>
      (await call('/auth', { method: 'POST', body: { ...body, client_secret: secret }, address: '192.0.2.1' })).status
    assert.deepEqual([await status(client_secret), await status(DEMO_SECRET)], [200, 401])
  })
})
