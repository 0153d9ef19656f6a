import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { verifyAudit } from '../../directory/audit.ts'
import { StoreUnavailable } from '../../storage/database.ts'
import { putEndpoint } from '../../webhooks/endpoint-fixture.ts'
import { offices, PASSWORD } from '../office-fixture.ts'

onEachEngine('the operator’s side of the back office', (make) => {
  const office = offices(make)

  test('a committed change is answered with its result, also when the directory cannot be read afterwards', async () => {
    const { brand, operatorBrowser, signIn, deps } = await office()
    const { credentials } = await brand('bistro')
    const ada = await operatorBrowser('ada')
    const { refresh } = deps.directory
    deps.directory.refresh = () => Promise.reject(new StoreUnavailable('away'))
    const path = `/operator/brands/bistro/credentials/${credentials.client_id}/rotation`
    const rotated = await ada.ask('POST', path, { overlap_s: 0, password: PASSWORD })
    assert.equal(rotated.status, 200, JSON.stringify(rotated.body))
    assert.equal((await ada.ask('POST', '/operator/integrators', { name: 'Hub', test: true })).status, 200)
    assert.equal((await ada.ask('PATCH', '/operator/brands/bistro', { test: true })).status, 204)
    assert.equal((await ada.ask('PATCH', '/operator/brands/bistro', { test: false })).status, 204)
    deps.directory.refresh = refresh
    await refresh()
    assert.equal((await signIn({ ...credentials, ...rotated.body })).status, 200, 'the only copy of the secret is good')
  })

  test('an operator makes brands and integrators, sets modes and quotas, rotates a secret, and is named for all of it', async () => {
    const { brand, operatorBrowser, signIn, deps } = await office()
    const { credentials } = await brand('bistro')
    const ada = await operatorBrowser('ada')
    const done = async (...args: Parameters<typeof ada.ask>) => {
      const { status, body } = await ada.ask(...args)
      assert.ok(status === 200 || status === 204, `${args.slice(0, 2).join(' ')} ${JSON.stringify(body)}`)
      return body
    }
    await done('POST', '/operator/brands', { slug: 'cantine', name: 'La Cantine', test: true })
    assert.equal((await ada.ask('POST', '/operator/brands', { slug: 'cantine', name: 'x', test: true })).status, 409)
    for (const name of ['', ' ', '\u200b', 'a\u0007b']) {
      const refused = await ada.ask('POST', '/operator/integrators', { name, test: true })
      assert.deepEqual([refused.status, refused.body.error], [400, 'validation_failed'], JSON.stringify(name))
    }
    await done('PATCH', '/operator/brands/cantine', { test: false })
    const { integrator_id } = await done('POST', '/operator/integrators', { name: 'Hub', test: true })
    await done('PATCH', `/operator/integrators/${integrator_id}`, { test: false, active: false })
    await done('PUT', `/operator/brands/cantine/quotas/${integrator_id}`, { per_minute: 5000 })
    const { brands } = await done('GET', '/operator/brands')
    assert.deepEqual(
      brands.map(({ slug, test: mode, credentials: count, is_open, quotas }: Row) => ({
        slug,
        mode,
        count,
        is_open,
        quotas,
      })),
      [
        { slug: 'bistro', mode: false, count: 1, is_open: true, quotas: [] },
        { slug: 'cantine', mode: false, count: 0, is_open: false, quotas: [{ integrator_id, per_minute: 5000 }] },
      ],
    )
    const link = await done('POST', '/operator/brands/cantine/setup-link')
    assert.match(link.token, /^[\w-]{43}$/)
    assert.equal((await ada.ask('POST', '/operator/brands/bistro/setup-link')).status, 409)
    const { integrators } = await done('GET', '/operator/integrators')
    assert.ok(integrators.some((row: Row) => row.integrator_id === integrator_id && !row.active && !row.test))

    const path = `/operator/brands/bistro/credentials/${credentials.client_id}/rotation`
    assert.equal((await ada.ask('POST', path, { overlap_s: 60, password: 'wrong' })).status, 401)
    const rotated = await done('POST', path, { overlap_s: 60, password: PASSWORD })
    assert.notEqual(rotated.client_secret, credentials.client_secret)
    for (const secret of [credentials, { ...credentials, ...rotated }])
      assert.equal((await signIn(secret)).status, 200, 'both work while the overlap lasts')
    assert.equal(
      (await ada.ask('POST', '/operator/brands/cantine/credentials/x/rotation', { overlap_s: 0, password: PASSWORD }))
        .status,
      409,
    )

    const mine = (await done('GET', '/operator/audit?search=operator:ada')).rows.map(({ action }: Row) => action)
    assert.deepEqual(mine, [
      'credential.rotate',
      'brand.setup_link',
      'quota.set',
      'integrator.set',
      'integrator.add',
      'brand.set',
      'brand.add',
      'operator.password',
    ])
    assert.deepEqual((await verifyAudit(deps.db, deps.keys.audit)).intact, true)
    const brand_id = Number(await deps.db.text(`select id from brands where slug = 'bistro'`, []))
    const { client_id } = credentials
    const until = deps.now() + 30_000
    const lease = { lease_holder: 'till 1 abcd', lease_until: until }
    await putEndpoint(deps.db, { brand_id, client_id, id: 'we_good', ...lease })
    const breaker = { state: 'failing', reason: 'timeout', failures: 20, due_at: until }
    await putEndpoint(deps.db, { brand_id, client_id, id: 'we_bad', url: 'https://example.com/bad', ...breaker })
    const { states, backlog, endpoints } = await done('GET', '/operator/webhooks')
    assert.deepEqual(states, { active: 1, failing: 1 })
    assert.ok(backlog.events > 0 && backlog.waiting === 0)
    assert.deepEqual(
      endpoints.map(({ brand, id, state, next_probe_at, lease: held }: Row) => [brand, id, state, next_probe_at, held]),
      [
        ['bistro', 'we_bad', 'failing', new Date(until).toISOString(), null],
        ['bistro', 'we_good', 'active', null, { holder: 'till 1 abcd', until: new Date(until).toISOString() }],
      ],
    )
    const { stores } = await done('GET', '/operator/health')
    assert.deepEqual(
      stores.map(({ name, ok }: Row) => [name, ok]),
      [
        [deps.db.dialect.engine, true],
        ['Limits', true],
        ['Activity log', true],
      ],
    )
    const { attempts } = await done('GET', '/operator/sign-ins')
    assert.deepEqual(attempts.map(({ actor, outcome }: Row) => [actor, outcome]).sort(), [
      ['operator:ada', 'password_again'],
      ['operator:ada', 'password_again'],
      ['operator:ada', 'refused'],
      ['operator:ada', 'signed_in'],
    ])
    assert.equal((await ada.ask('GET', '/credentials')).status, 403, 'an operator is nobody’s staff')
  })

  test('an operator invites a brand’s staff by a link that works once, with the password given again', async () => {
    const { brand, browser, operatorBrowser, deps } = await office()
    const { id } = await brand('bistro')
    await brand('trattoria')
    await putRows(deps.db, id, [{ kind: 'user', id: 2, username: 'gone', name: 'Gone', role_id: 1, active: false }])
    await deps.directory.refresh()
    const ada = await operatorBrowser('ada')
    const access = async () =>
      (await ada.ask('GET', '/operator/brands/bistro/staff')).body.users.map((user: Row) => [
        user.username,
        user.access,
      ])
    const invite = (username: string, password = PASSWORD, slug = 'bistro') =>
      ada.ask('POST', `/operator/brands/${slug}/invitations`, { username, password })
    assert.deepEqual(await access(), [['owner', 'none']], 'who is active')

    assert.equal((await invite('owner', 'wrong')).status, 401)
    assert.deepEqual(await access(), [['owner', 'none']], 'a wrong password makes no link')
    const { token } = (await invite('OWNER')).body
    assert.deepEqual(await access(), [['owner', 'link']])
    const owner = browser()
    assert.equal((await owner.ask('POST', '/invitation', { token })).body.brand.slug, 'bistro')
    assert.equal((await owner.ask('POST', '/invitation/acceptance', { token, password: PASSWORD })).status, 204)
    assert.equal((await owner.ask('GET', '/me')).body.brand.slug, 'bistro')
    assert.equal((await owner.ask('POST', '/invitation/acceptance', { token, password: PASSWORD })).status, 404)
    assert.deepEqual(await access(), [['owner', 'password']])

    for (const [username, slug] of [
      ['nobody', 'bistro'],
      ['owner', 'nowhere'],
    ] as const)
      assert.equal((await invite(username, PASSWORD, slug)).body.error, 'rejected', `${slug}/${username}`)
    const { rows } = (await owner.ask('GET', '/audit?search=user.invite')).body
    assert.deepEqual(
      rows.map(({ actor, subject, brand: slug }: Row) => [actor, subject, slug]),
      [['operator:ada', 'owner', 'bistro']],
      'the brand sees who let whom in',
    )
    assert.ok(!JSON.stringify(rows).includes(token))
    assert.equal((await owner.ask('GET', '/operator/brands/bistro/staff')).status, 404)
  })
})
