import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { putRows, type Row, staff } from '../../test/database/store.ts'
import { until } from '../../test/until.ts'
import { setBrandTerms } from '../directory/brand-terms.ts'
import { credentialLastUsed } from '../observe/credential-last-used.ts'
import type { Database } from '../storage/database.ts'
import { offices, PASSWORD } from './office-fixture.ts'

const waiter: Row[] = [
  { kind: 'role', id: 2, name: 'Waiter', permissions: ['products:read', 'receipts:read'] },
  { kind: 'user', id: 2, username: 'waiter', name: 'Wanda', role_id: 2 },
]

onEachEngine('the back office', (make) => {
  const office = offices(make)

  test('a credential is created, used, switched off, displayed again, and all of it is in the audit log', async () => {
    const { brand, staffBrowser, signIn, token, call, deps } = await office()
    const { id, integrator } = await brand('bistro')
    await putRows(deps.db, id, waiter)
    await deps.directory.refresh()
    const owner = await staffBrowser('bistro')
    const { users, venues } = (await owner.ask('GET', '/staff')).body
    assert.deepEqual(
      users.map(({ name, role, permissions }: Row) => [name, role, permissions]),
      [
        ['Wanda', 'Waiter', ['products:read', 'receipts:read']],
        ['owner', 'Owner', ['*']],
      ],
    )

    const input = { name: '  Delivery hub ', user_id: 2, venue_id: venues[0].id }
    const created = (await owner.ask('POST', '/credentials', input)).body
    const credentials = { ...created, brand: 'bistro', integrator_id: integrator }
    const live = await token(credentials)
    assert.equal((await call('/products', { headers: { 'x-token': live } })).status, 200)

    assert.equal((await owner.ask('PATCH', `/credentials/${created.client_id}`, { enabled: false })).status, 204)
    assert.equal((await call('/products', { headers: { 'x-token': live } })).body.error, 'Invalid token')
    assert.equal((await signIn(credentials)).body.message, 'Client is disabled')

    const reveal = (password: string) => owner.ask('POST', `/credentials/${created.client_id}/secret`, { password })
    assert.equal((await reveal('wrong')).body.error, 'sign_in_refused')
    assert.deepEqual((await reveal(PASSWORD)).body, created)

    const listed = (await owner.ask('GET', '/credentials')).body.credentials
    assert.deepEqual(
      listed.map(({ name, user, enabled }: Row) => [name, (user as Row).role, enabled]),
      [
        ['Delivery hub', 'Waiter', false],
        ['Open API for owner', 'Owner', true],
      ],
    )
    const { rows } = (await owner.ask('GET', `/audit?search=${created.client_id}`)).body
    assert.deepEqual(
      rows.map(({ actor, action }: Row) => [actor, action]),
      [
        ['user:bistro/owner', 'credential.display'],
        ['user:bistro/owner', 'credential.disable'],
        ['user:bistro/owner', 'credential.create'],
      ],
    )
    assert.deepEqual([rows[1].before.enabled, rows[1].after.enabled], [1, 0])
    assert.ok(!JSON.stringify([rows, listed]).includes(created.client_secret))
    assert.equal((await owner.ask('GET', '/audit/verification')).body.intact, true)
  })

  test('a brand’s user gets nothing of another brand, whatever they ask for', async () => {
    const { brand, staffBrowser, deps } = await office()
    await brand('bistro')
    const other = await brand('trattoria')
    const owner = await staffBrowser('bistro')
    const { client_id } = other
    for (const [method, path, body] of [
      ['PATCH', `/credentials/${client_id}`, { enabled: false }],
      ['POST', `/credentials/${client_id}/secret`, { password: PASSWORD }],
    ] as const) {
      const { status, body: answer } = await owner.ask(method, path, body)
      assert.deepEqual([status, answer.error], [409, 'rejected'])
      assert.equal(answer.message, `There is no credential "${client_id}".`, 'as for one that does not exist')
    }
    const seen = await Promise.all(['/me', '/credentials', '/staff', '/audit'].map((path) => owner.ask('GET', path)))
    for (const { status, body } of seen) {
      assert.equal(status, 200)
      assert.ok(!/trattoria/.test(JSON.stringify(body)) && !JSON.stringify(body).includes(client_id))
    }
    for (const path of [
      '/brands',
      '/integrators',
      '/shared-brands',
      '/health',
      '/sign-ins',
      '/audit',
      '/brands/bistro/credentials',
    ])
      assert.equal((await owner.ask('GET', `/operator${path}`)).status, 404, path)
    const untouched = await deps.db.rows<{ enabled: number }>('select enabled from credentials where client_id = ?', [
      client_id,
    ])
    assert.equal(untouched[0]!.enabled, 1)
  })

  test('a user without addons:manage may sign in and sees nothing of the module', async () => {
    const { brand, staffBrowser, deps } = await office()
    const { id, client_id } = await brand('bistro')
    await putRows(deps.db, id, waiter)
    await deps.directory.refresh()
    const wanda = await staffBrowser('bistro', 'waiter')
    assert.deepEqual((await wanda.ask('GET', '/me')).body.permissions, ['products:read', 'receipts:read'])
    for (const [method, path, body] of [
      ['GET', '/credentials'],
      ['GET', '/staff'],
      ['GET', '/audit'],
      ['GET', '/audit/verification'],
      ['POST', '/credentials', { name: 'x', user_id: 1, venue_id: 1 }],
      ['PATCH', `/credentials/${client_id}`, { enabled: false }],
      ['POST', `/credentials/${client_id}/secret`, { password: PASSWORD }],
    ] as const) {
      const { status, body: answer } = await wanda.ask(method, path, body)
      assert.deepEqual([status, answer.details], [403, { required: 'addons:manage' }], `${method} ${path}`)
    }
  })

  test('pages learn from the server how the brand counts its money and which languages its menu has', async () => {
    const { brand, staffBrowser, deps } = await office()
    await brand('bistro')
    const owner = await staffBrowser('bistro', 'owner')
    const money = async () => {
      const { currency, money_places, languages } = (await owner.ask('GET', '/me')).body.brand
      return [currency, money_places, languages]
    }
    assert.deepEqual(await money(), ['EUR', 2, ['en']])
    await setBrandTerms(deps.db, 'cli', 'bistro', { currency: 'JPY', money_places: 0, languages: ['ja', 'EN', 'en'] })
    assert.deepEqual(await money(), ['JPY', 0, ['ja', 'en']])
    const set = (languages: string[]) => () => setBrandTerms(deps.db, 'cli', 'bistro', { languages })
    await assert.rejects(set([]), /1 to 12 languages/)
    await assert.rejects(set(['plain English']), /BCP 47/)
  })

  test('a person reads the pages in the language that they chose, wherever they sign in', async () => {
    const { brand, staffBrowser, browser, deps } = await office()
    const { id } = await brand('bistro')
    await putRows(deps.db, id, waiter)
    await deps.directory.refresh()
    const [owner, wanda] = [await staffBrowser('bistro'), await staffBrowser('bistro', 'waiter')]
    const languageOf = async (person: typeof owner) => (await person.ask('GET', '/me')).body.language
    assert.equal(await languageOf(owner), null)
    assert.equal((await owner.ask('PUT', '/language', { language: 'fr' })).status, 204)
    for (const language of ['', 'French', 'fr_FR', `fr-${'x'.repeat(40)}`, 7])
      assert.equal((await owner.ask('PUT', '/language', { language })).body.error, 'validation_failed', `${language}`)
    const elsewhere = browser()
    await elsewhere.ask('POST', '/session', { brand: 'bistro', username: 'owner', password: PASSWORD })
    assert.deepEqual(
      [await languageOf(owner), await languageOf(elsewhere), await languageOf(wanda)],
      ['fr', 'fr', null],
    )
  })

  test('pages know the clock of every venue that a person may enter, and what stands on its paper', async () => {
    const { brand, staffBrowser, deps } = await office()
    const { id } = await brand('bistro')
    const north: Row = { kind: 'venue', id: 80, name: 'North', time_zone: 'Europe/Paris', print_language: 'fr' }
    const paper = { address: '1 rue du Port', legal_name: 'Port SARL', tax_number: 'FR12', bill_footer: 'Wi-Fi: soupe' }
    await putRows(deps.db, id, [{ ...north, ...paper }])
    await deps.directory.refresh()
    const { venues } = (await (await staffBrowser('bistro')).ask('GET', '/me')).body
    const { bill_footer: footer, ...same } = paper
    assert.deepEqual(
      venues.map(({ id, time_zone, paper }: Row) => [id, time_zone, paper]),
      [
        [1, 'UTC', { language: 'en' }],
        [80, 'Europe/Paris', { language: 'fr', footer, ...same }],
      ],
    )
  })

  test('every route refuses a request without a session', async () => {
    const { app, browser } = await office()
    const routes = [
      '/me',
      '/credentials',
      '/staff',
      '/audit',
      '/operator/brands',
      '/operator/health',
      '/operator/audit',
    ]
    for (const path of routes) assert.equal((await browser().ask('GET', path)).body.error, 'signed_out', path)
    assert.equal((await browser().ask('GET', '/nowhere')).status, 404)
    assert.equal((await app.inject('/back-office/api')).statusCode, 404)
  })

  test('a member that is not in the schema is refused', async () => {
    const { brand, staffBrowser } = await office()
    await brand('bistro')
    const owner = await staffBrowser('bistro')
    for (const body of [
      {},
      { name: '   ', user_id: 1, venue_id: 1 },
      { name: 'x'.repeat(256), user_id: 1, venue_id: 1 },
      { name: 'x', user_id: '1', venue_id: 1 },
      { name: 'x', user_id: 1, venue_id: 0 },
      { name: 'x', user_id: 1, venue_id: 1, enabled: false },
    ])
      assert.equal(
        (await owner.ask('POST', '/credentials', body)).body.error,
        'validation_failed',
        JSON.stringify(body),
      )
    for (const query of ['?before=x', '?before=-1', '?page=2', `?search=${'x'.repeat(101)}`])
      assert.equal((await owner.ask('GET', `/audit${query}`)).body.error, 'invalid_parameter', query)
    const missing = await owner.ask('POST', '/credentials', { name: 'x', user_id: 99, venue_id: 1 })
    assert.deepEqual([missing.status, missing.body.message], [409, 'There is no such staff user.'])
  })

  test('the audit log is paged, newest first, and says so when its chain is broken', async () => {
    const { brand, staffBrowser, deps, clock } = await office()
    const { client_id } = await brand('bistro')
    const owner = await staffBrowser('bistro')
    for (let i = 0; i < 60; i++) await owner.ask('PATCH', `/credentials/${client_id}`, { enabled: i % 2 === 1 })
    const first = (await owner.ask('GET', '/audit')).body
    const second = (await owner.ask('GET', `/audit?before=${first.next}`)).body
    const ids = [...first.rows, ...second.rows].map(({ id }: Row) => id as number)
    assert.equal(first.rows.length, 50)
    assert.equal(second.next, null)
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => b - a),
    )
    assert.equal((await owner.ask('GET', '/audit?search=DISABLE')).body.rows.length, 30)
    await deps.db.transaction((tx) => tx.run(`update audit set actor = 'nobody' where id = 3`, []))
    clock.ms += 60_000
    assert.equal((await owner.ask('GET', '/audit/verification')).body.intact, false)
  })

  test('last use is noted once a minute, outside the request, and tells which brands several integrators call', async () => {
    const { brand, operatorBrowser, staffBrowser, token, call, deps, clock } = await office()
    const bistro = await brand('bistro')
    const other = await brand('trattoria')
    const writes: number[] = []
    const counted: Database = {
      ...deps.db,
      transaction(work) {
        writes.push(clock.ms)
        return deps.db.transaction(work)
      },
    }
    const uses = credentialLastUsed(counted, deps.log, deps.now)
    const caller = { brand_id: bistro.id, client_id: bistro.client_id, integrator_id: bistro.integrator } as never
    for (let i = 0; i < 1000; i++) uses.note(caller)
    await uses.write()
    clock.ms += 59_999
    uses.note(caller)
    await uses.write()
    assert.equal(writes.length, 1)
    clock.ms += 1
    uses.note(caller)
    await uses.write()
    assert.equal(writes.length, 2)

    const used = async (credentials: object) => {
      await call('/products', { headers: { 'x-token': await token(credentials) } })
    }
    await used(bistro.credentials)
    await used({ ...bistro.credentials, integrator_id: other.integrator })
    await used(other.credentials)
    const ada = await operatorBrowser('ada')
    const shared = async () => (await ada.ask('GET', '/operator/shared-brands')).body.brands
    await until(async () => (await shared()).length > 0)
    const [only, ...none] = await shared()
    assert.deepEqual([only.slug, none], ['bistro', []])
    assert.deepEqual(only.integrators.map(({ integrator_id }: Row) => integrator_id).sort(), [
      'bistro-hub',
      'trattoria-hub',
    ])
    const owner = await staffBrowser('bistro')
    const [credential] = (await owner.ask('GET', '/credentials')).body.credentials
    assert.equal(credential.used_at, new Date(clock.ms).toISOString())
  })

  test('a role that loses addons:manage loses the module at once', async () => {
    const { brand, staffBrowser, deps } = await office()
    const { id } = await brand('bistro')
    const owner = await staffBrowser('bistro')
    assert.equal((await owner.ask('GET', '/credentials')).status, 200)
    await putRows(deps.db, id, staff(['products:read']))
    await deps.directory.refresh()
    assert.equal((await owner.ask('GET', '/credentials')).status, 403)
  })
})
