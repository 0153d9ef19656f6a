import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { offices, PASSWORD } from '../office-fixture.ts'
import { changePassword, findUserAccount, inviteUser } from './accounts.ts'
import { weakness } from './passwords.ts'
import { openSession } from './sessions.ts'

const NEW = 'seven cups of strong coffee'

test('a password is refused when it is short, common, a repetition, or a name', () => {
  for (const password of ['eleven char', 'Password1234', 'abababababab', 'bistrobistro1', 'owner-owner-owner'])
    assert.ok(weakness(password, ['owner', 'bistro']), password)
  for (const password of [PASSWORD, 'Ünïcödé señor ☕', 'correct horse battery'])
    assert.equal(weakness(password, ['owner', 'bistro']), undefined, password)
})

onEachEngine('passwords of the back office', (make) => {
  const office = offices(make)

  test('changing a password ends all other sessions of the account, and is in the audit log', async () => {
    const { brand, browser, staffBrowser, deps } = await office()
    await brand('bistro')
    const owner = await staffBrowser('bistro')
    const elsewhere = browser()
    const credentials = { brand: 'bistro', username: 'owner', password: PASSWORD }
    assert.equal((await elsewhere.ask('POST', '/session', credentials)).status, 204)
    const link = await inviteUser(deps.db, 'test', 'bistro', 'owner', deps.now())
    const before = owner.cookie

    const changed = await owner.ask('PUT', '/password', { password: PASSWORD, new_password: NEW })
    assert.equal(changed.status, 204, JSON.stringify(changed.body))
    assert.notEqual(owner.cookie, before)
    assert.equal((await owner.ask('GET', '/me')).status, 200)
    assert.equal((await elsewhere.ask('GET', '/me')).status, 401)
    const thief = Object.assign(browser(), { cookie: before })
    assert.equal((await thief.ask('GET', '/me')).status, 401, 'the cookie from before is dead')
    assert.equal((await browser().ask('POST', '/invitation', { token: link })).status, 404, 'and so is an open link')

    assert.equal((await browser().ask('POST', '/session', credentials)).status, 401)
    assert.equal((await browser().ask('POST', '/session', { ...credentials, password: NEW })).status, 204)
    const { rows } = (await owner.ask('GET', '/audit?search=user.password')).body
    assert.deepEqual(
      rows.map(({ actor, subject }: Row) => [actor, subject]),
      [
        ['user:bistro/owner', 'owner'], // this change, and the invitation that was taken up
        ['user:bistro/owner', 'owner'],
      ],
    )
  })

  test('of two changes at once one is refused, and only the other password signs in', async () => {
    const { brand, browser, staffBrowser } = await office()
    await brand('bistro')
    const credentials = { brand: 'bistro', username: 'owner', password: PASSWORD }
    const [one, other] = [await staffBrowser('bistro'), browser()]
    assert.equal((await other.ask('POST', '/session', credentials)).status, 204)
    const chosen = [NEW, `${NEW} too`]
    const answers = await Promise.all(
      [one, other].map((each, index) =>
        each.ask('PUT', '/password', { password: PASSWORD, new_password: chosen[index]! }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [204, 401])
    for (const [index, password] of chosen.entries()) {
      const { status } = await browser().ask('POST', '/session', { ...credentials, password })
      assert.equal(status, statuses[index])
    }
    assert.equal((await [one, other][statuses.indexOf(401)]!.ask('GET', '/me')).status, 401)
  })

  test('a password that was replaced while it was checked opens no session', async () => {
    const { brand, staffBrowser, deps } = await office()
    await brand('bistro')
    await staffBrowser('bistro')
    const proven = (await findUserAccount(deps.db, 'bistro', 'owner'))!
    await changePassword(deps.db, proven, 'another hash')
    await assert.rejects(openSession(deps.db, proven.id, deps.now(), proven.password!), { status: 401 })
    assert.deepEqual(await deps.db.rows('select hash from sessions where account_id = ?', [proven.id]), [])
  })

  test('changing a password takes the current one and a good new one, and guessing is slowed down', async () => {
    const { brand, browser, staffBrowser } = await office()
    await brand('bistro')
    const owner = await staffBrowser('bistro')
    const change = (password: string, new_password = NEW) => owner.ask('PUT', '/password', { password, new_password })
    assert.equal((await change(PASSWORD, 'eleven char')).body.error, 'password_weak')
    assert.equal((await change(PASSWORD, 'owner-owner-owner')).body.error, 'password_weak')
    for (let i = 0; i < 3; i++) assert.equal((await change('a guess')).body.error, 'sign_in_refused')
    assert.equal((await change(PASSWORD)).body.error, 'too_many_attempts')
    assert.equal((await browser().ask('PUT', '/password', { password: PASSWORD, new_password: NEW })).status, 401)
    assert.equal((await owner.ask('GET', '/me')).status, 200, 'nothing has changed')
  })

  test('an operator who changes the password keeps the authenticator app', async () => {
    const { operatorBrowser, deps } = await office()
    const ada = await operatorBrowser('ada')
    const app = () =>
      deps.db.rows<{ totp_kid: string; totp_cipher: string }>('select totp_kid, totp_cipher from accounts', [])
    const before = await app()
    assert.ok(before[0]!.totp_cipher)
    assert.equal((await ada.ask('PUT', '/password', { password: PASSWORD, new_password: NEW })).status, 204)
    assert.deepEqual(await app(), before)
    const [last] = (await ada.ask('GET', '/operator/audit')).body.rows
    assert.deepEqual([last.actor, last.action, last.brand], ['operator:ada', 'operator.password', null])
  })

  test('a crowd of strangers keeps nobody else out, and nobody else notices', { timeout: 60_000 }, async () => {
    const { brand, browser, staffBrowser, call, deps } = await office()
    await brand('bistro')
    const owner = await staffBrowser('bistro')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const refused: number[] = []
    const crowd = Array.from({ length: 35 }, (_, index) =>
      deps
        .hashing(
          { account: `nobody${index}`, known: false },
          () => held,
          () => new Error('full'),
        )
        .catch(() => refused.push(index)),
    )
    const right = { brand: 'bistro', username: 'owner', password: PASSWORD }
    const stranger = browser({ address: '203.0.113.77' }).ask('POST', '/session', right)
    const known = owner.ask('POST', '/session', right)
    assert.equal((await call('/products')).status, 401)
    release()
    assert.deepEqual([(await stranger).status, (await known).status], [204, 204])
    await Promise.all(crowd)
    assert.ok(refused.length > 0 && refused.every((index) => index > 1 && index < 5), `${refused}`)
  })
})
