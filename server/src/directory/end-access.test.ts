import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { putRows, type Row } from '../../test/database/store.ts'
import { offices } from '../back-office/office-fixture.ts'
import { rotateCredential, setCredentialEnabled } from './credentials.ts'
import { setIntegrator } from './registry.ts'

onEachEngine('access that was ended', (make) => {
  const office = offices(make)

  const owner = (changes: object): Row => ({ kind: 'user', id: 1, username: 'owner', role_id: 1, ...changes })

  async function signedIn() {
    const built = await office({ COMPTOIR_TOKEN_TTL: 86_400 })
    const { brand, token, call, deps, clock } = built
    clock.ms = Date.now()
    const made = await brand('bistro')
    const good = await token(made.credentials)
    const status = async (presented = good) => (await call('/products', { headers: { 'x-token': presented } })).status
    const put = async (...rows: Row[]) => {
      await putRows(deps.db, made.id, rows)
      await deps.directory.refresh()
    }
    return { ...built, ...made, good, status, put }
  }

  test('a user who is deactivated and activated again gets no old token or session back, and keeps the password', async () => {
    const { browser, staffBrowser, credentials, token, status, put, client_id, deps } = await signedIn()
    await rotateCredential(deps.db, deps.keys, 'test', client_id, 3600)
    const person = await staffBrowser('bistro')
    assert.equal((await person.ask('GET', '/me')).status, 200)
    await put(owner({ active: false }))
    assert.equal(await status(), 401)
    await put(owner({ active: true }))
    assert.equal(await status(), 401, 'the token of the earlier secret')
    assert.equal(await status(await token(credentials)), 200)
    assert.equal((await person.ask('GET', '/me')).status, 401)
    const again = browser()
    const session = { brand: 'bistro', username: 'owner', password: 'a long and quiet afternoon' }
    assert.equal((await again.ask('POST', '/session', session)).status, 204)
  })

  test('an integrator that is deactivated and activated again gets no old token back', async () => {
    const { deps, integrator, credentials, token, status } = await signedIn()
    for (const [active, expected] of [
      [false, 401],
      [true, 401],
    ] as const) {
      await setIntegrator(deps.db, 'test', integrator, { active })
      await deps.directory.refresh()
      assert.equal(await status(), expected)
    }
    assert.equal(await status(await token(credentials)), 200)
    await setIntegrator(deps.db, 'test', integrator, { active: true, test: false })
    await deps.directory.refresh()
    assert.equal(await status(await token(credentials)), 200)
  })

  test('an import that gives a user’s number to another username ends password, link and sessions', async () => {
    const { browser, staffBrowser, put } = await signedIn()
    const person = await staffBrowser('bistro')
    await put(owner({ name: 'Another name' }))
    assert.equal((await person.ask('GET', '/me')).status, 200, 'the same person under the same username')
    await put(owner({ username: 'successor' }))
    assert.equal((await person.ask('GET', '/me')).status, 401)
    for (const username of ['owner', 'successor']) {
      const session = { brand: 'bistro', username, password: 'a long and quiet afternoon' }
      assert.equal((await browser().ask('POST', '/session', session)).status, 401, username)
    }
    await staffBrowser('bistro', 'successor')
  })

  test('each earlier secret works until its own end, at most three secrets at a time', async () => {
    const { deps, client_id, credentials, signIn, token, status, clock, good } = await signedIn()
    const rotate = async (overlap: number) => {
      const { client_secret } = await rotateCredential(deps.db, deps.keys, 'test', client_id, overlap)
      await deps.directory.refresh()
      return { ...credentials, client_secret }
    }
    const second = await rotate(3600)
    const ofSecond = await token(second)
    const third = await rotate(60)
    const works = () => Promise.all([credentials, second, third].map(async (one) => (await signIn(one)).status))
    assert.deepEqual(await works(), [200, 200, 200])
    assert.deepEqual([await status(good), await status(ofSecond)], [200, 200])
    await assert.rejects(rotateCredential(deps.db, deps.keys, 'test', client_id, 60), /Three secrets .* are valid/)
    clock.ms = Date.now() + 61_000 // the overlap ends by the real clock
    assert.deepEqual(await works(), [200, 401, 200])
    assert.deepEqual([await status(good), await status(ofSecond)], [200, 401])
    const fourth = await rotate(0)
    assert.deepEqual(await works(), [401, 401, 401])
    assert.equal(await status(good), 401)
    assert.equal((await signIn(fourth)).status, 200)
  })

  test('a credential that was off gives no token of an earlier secret back', async () => {
    const { deps, client_id, credentials, token, status, good } = await signedIn()
    const { client_secret } = await rotateCredential(deps.db, deps.keys, 'test', client_id, 3600)
    await rotateCredential(deps.db, deps.keys, 'test', client_id, 3600)
    await deps.directory.refresh()
    const between = await token({ ...credentials, client_secret })
    for (const enabled of [false, true]) await setCredentialEnabled(deps.db, 'test', client_id, enabled)
    await deps.directory.refresh()
    assert.deepEqual([await status(good), await status(between)], [401, 401])
    assert.equal(await status(await token(credentials)), 200)
  })
})
