import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { onEmbeddedEngine } from '../../test/database/engines.ts'
import { QUICK_PASSWORDS } from '../../test/service.ts'
import { RESTAURANT } from '../pos/receipts/till-fixture.ts'
import { type Browser, offices, PASSWORD } from './office-fixture.ts'
import { addDemoAccounts, inviteUser } from './people/accounts.ts'
import { passwordHash } from './people/passwords.ts'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "worker-src 'self'; manifest-src 'self'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types comptoir-worker"

onEmbeddedEngine('what stands before the back office', (make) => {
  const office = offices(make)

  test('over HTTPS behind a trusted proxy the cookie is Secure and HSTS is sent; plain HTTP is refused', async () => {
    const { app, deps, brand, browser } = await office({ HOST: '0.0.0.0', COMPTOIR_TRUSTED_PROXIES: '192.0.2.0/24' })
    await brand('bistro')
    const token = await inviteUser(deps.db, 'test', 'bistro', 'owner', deps.now())
    const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
    const person = browser({ headers: forwarded })
    const accepted = await person.ask('POST', '/invitation/acceptance', { token, password: PASSWORD })
    const { status, headers, cookies } = accepted
    assert.equal(status, 204)
    assert.match(cookies[0]!, /^__Secure-sid=[\w-]{43}; Path=\/back-office; HttpOnly; SameSite=Strict; Secure$/)
    assert.match(
      cookies[1]!,
      /^__Secure-device=[\w-]{43}; Path=\/back-office\/api; Max-Age=7776000; HttpOnly; SameSite=Strict; Secure$/,
    )
    assert.equal(headers['strict-transport-security'], 'max-age=31536000')
    assert.equal((await person.ask('GET', '/me')).status, 200)
    const page = await app.inject({ url: '/back-office/sign-in', headers: forwarded, remoteAddress: '192.0.2.1' })
    assert.equal(page.headers['strict-transport-security'], 'max-age=31536000', 'the pages say so too')

    const renamed = browser({ headers: forwarded })
    renamed.cookie = person.cookie!.replace('__Secure-', '')
    assert.equal((await renamed.ask('GET', '/me')).status, 401, 'a name that plain HTTP could have set is not read')
    const plain = browser({ headers: { ...forwarded, 'x-forwarded-proto': 'http' } })
    plain.cookie = person.cookie
    assert.equal((await plain.ask('GET', '/me')).status, 403)
    const stranger = browser({ address: '198.51.100.7', headers: forwarded })
    stranger.cookie = person.cookie
    assert.equal((await stranger.ask('GET', '/me')).status, 403, 'only a trusted proxy is believed')
  })

  test('on loopback the cookie has its plain name, unreadable and bound to our site and path, and every answer its policy', async () => {
    const { app, deps, brand, browser } = await office()
    await brand('bistro')
    const token = await inviteUser(deps.db, 'test', 'bistro', 'owner', deps.now())
    const visitor = browser()
    const { headers, cookies } = await visitor.ask('POST', '/invitation/acceptance', { token, password: PASSWORD })
    assert.match(cookies[1]!, /^device=[\w-]{43}; Path=\/back-office\/api; Max-Age=7776000; HttpOnly; SameSite=Strict$/)
    assert.match(cookies[0]!, /^sid=[\w-]{43}; Path=\/back-office; HttpOnly; SameSite=Strict$/)
    assert.equal(headers['strict-transport-security'], undefined)
    const refusal = await browser().ask('GET', '/me')
    const nowhere = await app.inject('/back-office/assets/nothing.js')
    const nothing = await browser().ask('POST', '/operator/nothing', {})
    for (const answered of [headers, refusal.headers, nowhere.headers, nothing.headers])
      for (const [name, value] of Object.entries({
        'content-security-policy': POLICY,
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      }))
        assert.equal(answered[name], value)
  })

  test('a state is changed by our own pages only, with JSON and our header', async () => {
    const { app, brand, staffBrowser } = await office()
    await brand('bistro')
    const { cookie } = await staffBrowser('bistro')
    const ours = { host: 'pos.example.com', 'x-comptoir': '1', cookie: cookie!, 'content-type': 'application/json' }
    const send = async (headers: Record<string, string>) =>
      (await app.inject({ method: 'DELETE', url: '/back-office/api/session', headers, payload: '{}' })).statusCode
    const { 'x-comptoir': _, ...bare } = ours
    for (const [why, headers] of Object.entries({
      'no word of where it comes from': ours,
      'another site': { ...ours, 'sec-fetch-site': 'cross-site' },
      'a sibling site': { ...ours, 'sec-fetch-site': 'same-site' },
      'typed into the address bar': { ...ours, 'sec-fetch-site': 'none' },
      'another origin, in an old browser': { ...ours, origin: 'https://pos.example.com' },
      'an origin within ours': { ...ours, origin: 'http://pos.example.com.evil.example' },
      'another origin that borrows ours': { ...ours, 'sec-fetch-site': 'cross-site', origin: 'http://pos.example.com' },
      'without our header': { ...bare, 'sec-fetch-site': 'same-origin' },
    }))
      assert.equal(await send(headers), 403, why)
    assert.equal(await send({ ...ours, 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' }), 415)
    assert.equal(await send({ ...ours, origin: 'http://pos.example.com' }), 204, 'an old browser on our page')
  })

  test('every address that changes something refuses another site, for every kind of person', async () => {
    const { app, brand, operatorBrowser } = await office()
    const { client_id } = await brand('bistro')
    const { cookie } = await operatorBrowser('ada')
    for (const [method, path] of [
      ['POST', 'session'],
      ['DELETE', 'session'],
      ['POST', 'operator/session'],
      ['POST', 'invitation'],
      ['POST', 'invitation/acceptance'],
      ['PUT', 'password'],
      ['POST', 'credentials'],
      ['PATCH', `credentials/${client_id}`],
      ['POST', `credentials/${client_id}/secret`],
      ['POST', 'operator/brands'],
      ['PATCH', 'operator/brands/bistro'],
      ['PUT', 'operator/brands/bistro/quotas/bistro-hub'],
      ['POST', 'operator/brands/bistro/invitations'],
      ['POST', `operator/brands/bistro/credentials/${client_id}/rotation`],
      ['POST', 'operator/integrators'],
      ['PATCH', 'operator/integrators/bistro-hub'],
    ] as const) {
      const { body } = await app.inject({
        method,
        url: `/back-office/api/${path}`,
        headers: { host: 'pos.example.com', 'x-comptoir': '1', 'sec-fetch-site': 'cross-site', cookie: cookie! },
        payload: {},
      })
      assert.equal(JSON.parse(body).error, 'cross_site', `${method} ${path}`)
    }
  })

  test('what a page sends for its person is not done as another who signed in since, nor in another brand', async () => {
    const { brand, staffBrowser, operatorBrowser } = await office()
    for (const slug of ['bistro', 'other']) await brand(slug, { rows: RESTAURANT })
    const [waiter, owner, elsewhere] = [
      await staffBrowser('bistro', 'waiter'),
      await staffBrowser('bistro'),
      await staffBrowser('other', 'waiter'),
    ]
    const idOf = async (person: Browser) => (await person.ask('GET', '/me')).body.id
    assert.deepEqual([await idOf(waiter), await idOf(owner)], [2, 1])
    const open = async (person: Browser, headers: Record<string, string>) => {
      const input = { cid: randomUUID(), sale_type_id: 1 }
      const { status, body, cookies } = await person.ask('POST', '/receipts', input, headers)
      return status === 200 ? 200 : [status, body.error, cookies]
    }
    const refused = [401, 'signed_out', []] // and nobody is signed out by it
    for (const person of ['2', '01', 'owner', '', '1,1'])
      assert.deepEqual(await open(owner, { 'x-person': person }), refused, person)
    assert.deepEqual(await open(owner, { 'x-person': '1', 'x-brand': 'other' }), refused)
    assert.deepEqual(await open(elsewhere, { 'x-person': '2', 'x-brand': 'bistro' }), refused)
    assert.equal((await owner.ask('GET', '/me', undefined, { 'x-person': '2' })).body.error, 'signed_out')
    const operator = await operatorBrowser('ada')
    const made = await operator.ask('POST', '/operator/integrators', { name: 'Hub', test: true }, { 'x-person': '1' })
    assert.equal(made.body.error, 'signed_out')
    for (const person of [owner, elsewhere])
      assert.equal((await person.ask('GET', '/read/receipts')).body.data.length, 0, 'nothing was done')

    assert.equal(await open(waiter, { 'x-person': '2', 'x-brand': 'bistro' }), 200)
    assert.equal(await open(owner, {}), 200, 'a program of one’s own needs no such header')
  })

  test('a host that is no host is not this machine', async () => {
    const { deps, brand, browser } = await office()
    await brand('demo')
    const people = {
      brand: 'demo',
      username: 'owner',
      operator: 'operator',
      password: await passwordHash('demo', QUICK_PASSWORDS),
    }
    await addDemoAccounts(deps.db, 'demo', people)
    const input = { brand: 'demo', username: 'owner', password: 'demo' }
    for (const host of ['[::1', 'a b', '%'])
      assert.equal((await browser({ address: '127.0.0.1', host }).ask('POST', '/session', input)).status, 401, host)
  })
})
