import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { putRows, staff } from '../../test/database/store.ts'
import { services } from '../../test/service.ts'
import { rotateCredential, setCredentialEnabled } from '../directory/credentials.ts'
import { rotateKeys } from '../directory/key-changes.ts'
import { addIntegrator, setBrandMode, setIntegrator } from '../directory/registry.ts'

onEachEngine('authentication', (make) => {
  const service = services(make)

  const decoded = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())

  // §5.4, from POST /auth

  test('POST /auth answers exactly the six members of §4.1, and expires_at is the token’s exp', async () => {
    const { brand, signIn } = await service()
    const { status, body, headers } = await signIn((await brand('bistro')).credentials)
    assert.equal(status, 200)
    const claims = decoded(String(body.token))
    assert.deepEqual(body, {
      success: true,
      token: body.token,
      token_type: 'Bearer',
      expires_in: 3600,
      expires_at: claims.exp,
      message: 'Signed in.',
    })
    assert.deepEqual(Object.keys(claims).sort(), [
      'brand',
      'exp',
      'iat',
      'integrator_id',
      'jti',
      'upstream',
      'venue_id',
    ])
    assert.equal(claims.exp - claims.iat, 3600)
    assert.equal(headers['ratelimit-limit'], '60')
    assert.equal(headers['cache-control'], 'no-store')
  })

  test('POST /auth says what is missing for each field that is absent, empty or no string, and for a body that is no object', async () => {
    const { brand, signIn, call } = await service()
    const { credentials } = await brand('bistro')
    const bodies = [undefined, '', '{', '[]', '"x"', 'null', `${'['.repeat(30)}`, '{"client_id":{"__proto__":1}}']
    const broken = Object.keys(credentials).flatMap((name) =>
      [undefined, '', 7, null].map((value) => ({ ...credentials, [name]: value })),
    )
    for (const body of [...bodies, ...broken]) {
      const answer = await call('/auth', {
        method: 'POST',
        body,
        address: `198.51.100.${Math.floor(Math.random() * 250)}`,
      })
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.deepEqual(answer.body, {
        success: false,
        error: 'Missing client_id, client_secret, brand, or integrator_id',
      })
    }
    assert.equal(
      (await signIn({ ...credentials, venue_id: 1, anything: [] })).status,
      200,
      'members that it does not know are ignored',
    )
  })

  test('POST /auth answers 400 for an integrator that is unknown or inactive', async () => {
    const { brand, signIn, deps } = await service()
    const { credentials, integrator } = await brand('bistro')
    const expected = { success: false, error: 'Invalid integrator_id' }
    for (const integrator_id of ['nobody', 'x'.repeat(1000), 'a\0b', '\ud800']) {
      const { status, body } = await signIn({ ...credentials, integrator_id })
      assert.deepEqual({ status, body }, { status: 400, body: expected })
    }
    await setIntegrator(deps.db, 'test', integrator, { active: false })
    await deps.directory.refresh()
    assert.deepEqual((await signIn(credentials)).body, expected)
  })

  test('POST /auth answers 401 with one text for every kind of mismatch', async () => {
    const { brand, signIn } = await service()
    const { credentials } = await brand('bistro')
    await brand('brasserie')
    const wrong = [
      { client_secret: 'guess' },
      { client_id: 'cl_nobody' },
      { brand: 'nowhere' },
      { brand: 'brasserie' },
      { brand: 'a\0b' },
    ]
    const answers = await Promise.all(wrong.map((change) => signIn({ ...credentials, ...change })))
    for (const { status, text } of answers) {
      assert.equal(status, 401)
      assert.equal(text, '{"success":false,"message":"Invalid credentials"}')
    }
  })

  test('POST /auth answers 401 "Client is disabled" only if the secret is right', async () => {
    const { brand, signIn, deps } = await service()
    const { credentials, client_id } = await brand('bistro')
    await setCredentialEnabled(deps.db, 'test', client_id, false)
    const { status, body } = await signIn(credentials)
    assert.deepEqual({ status, body }, { status: 401, body: { success: false, message: 'Client is disabled' } })
    assert.equal((await signIn({ ...credentials, client_secret: 'guess' })).body.message, 'Invalid credentials')
  })

  test('POST /auth answers 200 with success false when a test integrator meets a live brand', async () => {
    const { brand, signIn, deps } = await service()
    await addIntegrator(deps.db, 'test', { name: 'Trial', id: 'trial', test: true })
    const { credentials } = await brand('bistro')
    const { status, body, headers } = await signIn({ ...credentials, integrator_id: 'trial' })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      success: false,
      error: 'Integrator is in test mode. But brand is not in test mode',
      brand: 'bistro',
      integrator: 'trial',
    })
    assert.equal(headers['ratelimit-remaining'], '59')
  })

  test('a refusal that §5.4 does not know keeps its slug and says success false', async () => {
    const { call } = await service()
    const wrongMethod = await call('/auth')
    assert.deepEqual(
      [wrongMethod.status, wrongMethod.body.success, wrongMethod.body.error],
      [405, false, 'method_not_allowed'],
    )
    assert.equal(wrongMethod.headers.allow, 'POST')
    const large = await call('/auth', { method: 'POST', body: `{"brand":"${'x'.repeat(70_000)}"}` })
    assert.deepEqual([large.status, large.body.success, large.body.error], [413, false, 'payload_too_large'])
    const text = await call('/auth', { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } })
    assert.deepEqual([text.status, text.body.success, text.body.error], [415, false, 'unsupported_media_type'])
  })

  // §5.4, from authenticated endpoints

  test('a call without x-token is answered 401 "Headers are missing"', async () => {
    const { call } = await service()
    for (const headers of [{}, { 'x-token': '' }]) {
      const { status, body, headers: sent } = await call('/products', { headers })
      assert.deepEqual({ status, body }, { status: 401, body: { success: false, error: 'Headers are missing' } })
      assert.equal(sent['ratelimit-limit'], '600')
    }
  })

  test('a token that is malformed, forged, of another algorithm or sent twice is answered 401 "Invalid token"', async () => {
    const { brand, call, token, deps } = await service()
    const { credentials } = await brand('bistro')
    const good = await token(credentials)
    const [header, payload, signature] = good.split('.') as [string, string, string]
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const kid = JSON.parse(Buffer.from(header, 'base64url').toString()).kid
    const key = deps.keys.key(kid, 'token')!
    const signed = (head: object, claims = payload) => {
      const input = `${encoded(head)}.${claims}`
      return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
    }
    assert.equal(
      (await call('/products', { headers: { 'x-token': signed({ alg: 'HS256', typ: 'JWT', kid }) } })).status,
      200,
    )
    const bad = [
      'x',
      `${header}.${payload}`,
      `${header}.${encoded({ ...decoded(good), brand: 'brasserie' })}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -1)}`,
      `${encoded({ alg: 'none', kid })}.${payload}.`,
      `${encoded({ alg: 'none', kid })}.${payload}.${signature}`,
      signed({ alg: 'HS512', kid }),
      signed({ alg: 'HS256', kid: 'unknown' }),
      signed({ alg: 'HS256' }),
      signed({ alg: 'HS256', kid, crit: ['exp'] }),
      `${good}, ${good}`,
      `${good}=`,
      ` ${good.replaceAll('-', '+')}x`,
      'x'.repeat(5000),
      'a.b.c',
    ]
    for (const forged of bad) {
      const { status, body } = await call('/products', { headers: { 'x-token': forged } })
      assert.deepEqual(
        { status, body },
        { status: 401, body: { success: false, error: 'Invalid token' } },
        forged.slice(0, 80),
      )
    }
  })

  test('a token is good up to expires_at and answered 401 "Token expired" after it, with expires_at in ISO 8601', async () => {
    const { brand, call, token, clock } = await service({ COMPTOIR_TOKEN_TTL: 60 })
    const good = await token((await brand('bistro')).credentials)
    const exp = decoded(good).exp * 1000
    const tokenAfter = async (ms: number) => {
      clock.ms = ms
      return call('/products', { headers: { 'x-token': good } })
    }
    assert.equal((await tokenAfter(exp - 1)).status, 200)
    assert.equal((await tokenAfter(exp)).status, 200)
    const { status, body } = await tokenAfter(exp + 1)
    assert.deepEqual(
      { status, body },
      { status: 401, body: { success: false, error: 'Token expired', expires_at: new Date(exp).toISOString() } },
    )
  })

  test('a token lives for the whole of its expires_in, also one that is issued late in a second', async () => {
    const { brand, call, signIn, clock } = await service({ COMPTOIR_TOKEN_TTL: 60 })
    const { credentials } = await brand('bistro')
    clock.ms += 999
    const { body } = await signIn(credentials)
    clock.ms += Number(body.expires_in) * 1000
    assert.equal((await call('/products', { headers: { 'x-token': String(body.token) } })).status, 200)
    clock.ms = Number(body.expires_at) * 1000 + 1
    assert.equal((await call('/products', { headers: { 'x-token': String(body.token) } })).status, 401)
  })

  test('an expired token with a broken signature is "Invalid token": expiry is reported for our own tokens only', async () => {
    const { brand, call, token, clock } = await service({ COMPTOIR_TOKEN_TTL: 1 })
    const good = await token((await brand('bistro')).credentials)
    clock.ms += 10_000
    const { body } = await call('/products', { headers: { 'x-token': `${good.slice(0, -2)}AA` } })
    assert.equal(body.error, 'Invalid token')
  })

  test('an integrator that was switched off is answered 401 "Invalid integrator_id"', async () => {
    const { brand, call, token, deps } = await service()
    const { credentials, integrator } = await brand('bistro')
    const good = await token(credentials)
    await setIntegrator(deps.db, 'test', integrator, { active: false })
    await deps.directory.refresh()
    const { status, body } = await call('/products', { headers: { 'x-token': good } })
    assert.deepEqual({ status, body }, { status: 401, body: { success: false, error: 'Invalid integrator_id' } })
  })

  test('a test integrator whose brand goes live is answered 401 with brand and integrator', async () => {
    const { brand, call, token, deps } = await service()
    const { credentials, integrator } = await brand('bistro', { test: true })
    const good = await token(credentials)
    await setBrandMode(deps.db, 'test', 'bistro', false)
    await deps.directory.refresh()
    const { status, body } = await call('/products', { headers: { 'x-token': good } })
    const error = 'Integrator is in test mode. But brand is not in test mode'
    assert.deepEqual({ status, body }, { status: 401, body: { success: false, error, brand: 'bistro', integrator } })
  })

  // D5.6

  test('a credential that was switched off takes its live tokens along, and they stay dead when it is on again', async () => {
    const { brand, call, token, deps } = await service()
    const { credentials, client_id } = await brand('bistro')
    const good = await token(credentials)
    const status = async () => (await call('/products', { headers: { 'x-token': good } })).status
    assert.equal(await status(), 200)
    for (const enabled of [false, true]) {
      await setCredentialEnabled(deps.db, 'test', client_id, enabled)
      await deps.directory.refresh()
      assert.equal(await status(), 401)
    }
    assert.equal((await call('/products', { headers: { 'x-token': await token(credentials) } })).status, 200)
  })

  test('a rotated credential’s old secret and tokens work until the overlap ends', async () => {
    const { brand, call, signIn, token, deps, clock } = await service({ COMPTOIR_TOKEN_TTL: 86_400 })
    const { credentials, client_id } = await brand('bistro')
    const old = await token(credentials)
    clock.ms = Date.now()
    const { client_secret } = await rotateCredential(deps.db, deps.keys, 'test', client_id, 60)
    await deps.directory.refresh()
    const during = await token(credentials)
    const fresh = await token({ ...credentials, client_secret })
    const statuses = async () => {
      const tokensNow = [old, during, fresh]
      return Promise.all(
        tokensNow.map(async (one) => (await call('/products', { headers: { 'x-token': one } })).status),
      )
    }
    assert.deepEqual((await statuses()).slice(1), [200, 200])
    clock.ms = Date.now() + 61_000 // the overlap ends by the real clock
    assert.deepEqual(await statuses(), [401, 401, 200])
    assert.equal((await signIn(credentials)).status, 401)
  })

  test('a deactivated staff user takes the tokens along, and signing in says why', async () => {
    const { brand, call, signIn, token, deps } = await service()
    const { credentials, id } = await brand('bistro')
    const good = await token(credentials)
    await putRows(deps.db, id, [{ kind: 'user', id: 1, username: 'owner', role_id: 1, active: false }])
    await deps.directory.refresh()
    const { status, body } = await call('/products', { headers: { 'x-token': good } })
    assert.deepEqual({ status, body }, { status: 401, body: { success: false, error: 'Invalid token' } })
    const again = await signIn(credentials)
    assert.deepEqual([again.status, again.body.message], [401, 'The staff user of this client is deactivated'])
  })

  test('tokens survive a rotation of the key ring, and new ones are signed with the new key', async () => {
    const { brand, call, token, deps, clock, installation } = await service()
    const { credentials } = await brand('bistro')
    clock.ms = Date.now()
    const old = await token(credentials)
    const { signs_from } = await rotateKeys(deps.db, installation.config.COMPTOIR_KEYS, 'test')
    await deps.keys.reload()
    deps.tokens.forget()
    clock.ms = Date.parse(signs_from) + 1_000
    const fresh = await token(credentials)
    assert.notEqual(old.split('.')[0], fresh.split('.')[0])
    for (const one of [old, fresh]) assert.equal((await call('/products', { headers: { 'x-token': one } })).status, 200)
  })

  test('an expired token is "Token expired" also when its credential was switched off since', async () => {
    const { brand, call, token, deps, clock } = await service({ COMPTOIR_TOKEN_TTL: 60 })
    const { credentials, client_id } = await brand('bistro')
    const old = await token(credentials)
    await setCredentialEnabled(deps.db, 'test', client_id, false)
    await deps.directory.refresh()
    clock.ms += 61_000
    assert.equal((await call('/products', { headers: { 'x-token': old } })).body.error, 'Token expired')
  })

  // §5.2, D5.7, D5.8

  test('x-venue overrides the venue for one request; absent and forbidden ones are 403 alike, a malformed one 400', async () => {
    const { brand, call, token } = await service()
    const rows = [...staff(), { kind: 'venue', id: 2, name: 'Terrace' }, { kind: 'venue', id: 3, name: 'Cellar' }]
    rows[2] = { kind: 'user', id: 1, username: 'owner', role_id: 1, venue_ids: [1, 2] }
    const { credentials } = await brand('bistro', { rows: [rows[0]!, rows[1]!, rows[3]!, rows[4]!, rows[2]!] })
    const good = await token(credentials)
    const productsAt = (venue: string) => call('/products', { headers: { 'x-token': good, 'x-venue': venue } })
    assert.equal((await productsAt('2')).status, 200)
    const [forbidden, absent] = [await productsAt('3'), await productsAt('99')]
    assert.equal(forbidden.status, 403)
    assert.equal(forbidden.body.error, 'forbidden')
    assert.equal(forbidden.text, absent.text)
    for (const malformed of ['', '0', '01', '-1', '1.5', 'x', '1, 2', '9007199254740993']) {
      const { status, body } = await productsAt(malformed)
      assert.deepEqual(
        [status, body.error, body.details],
        [400, 'invalid_parameter', { parameter: 'x-venue' }],
        malformed,
      )
    }
  })

  test('a permission that the staff user lacks is answered 403 and named; a changed role acts on the next call', async () => {
    const { brand, call, token, deps } = await service()
    const { credentials, id } = await brand('bistro', { rows: staff(['receipts:read']) })
    const good = await token(credentials)
    const { status, body } = await call('/products', { headers: { 'x-token': good } })
    assert.deepEqual([status, body.error, body.details], [403, 'forbidden', { required: 'products:read' }])
    await putRows(deps.db, id, [{ kind: 'role', id: 1, name: 'Owner', permissions: ['products:read'] }])
    await deps.directory.refresh()
    assert.equal((await call('/products', { headers: { 'x-token': good } })).status, 200)
  })

  test('the refusals come in the contract’s order', async () => {
    const { brand, call, token, deps, clock } = await service({ COMPTOIR_TOKEN_TTL: 60 })
    const { credentials, integrator } = await brand('bistro', { rows: staff([]), quota: 2 })
    const good = await token(credentials)
    const ask = async (path: string, headers: Record<string, string>, method?: 'POST') => {
      const answer = await call(path, { headers, ...(method && { method }) })
      return [answer.status, answer.body.error]
    }
    assert.deepEqual(await ask('/nowhere', { 'x-token': 'x' }), [404, 'not_found'])
    assert.deepEqual(await ask('/products', { 'x-token': 'x' }, 'POST'), [405, 'method_not_allowed'])
    assert.deepEqual(
      await ask('/products?page=x', { 'x-token': good, 'x-venue': 'x' }),
      [400, 'invalid_parameter'],
      'venue before permission',
    )
    assert.deepEqual(
      await ask('/products?page=x', { 'x-token': good }),
      [403, 'forbidden'],
      'permission before validation',
    )
    assert.deepEqual(
      await ask('/products?page=x', { 'x-token': good, 'x-venue': 'x' }),
      [429, 'rate_limited'],
      'tier 3 before the venue',
    )
    await setIntegrator(deps.db, 'test', integrator, { active: false })
    await deps.directory.refresh()
    assert.deepEqual(await ask('/products', { 'x-token': good }), [401, 'Invalid integrator_id'])
    clock.ms += 61_000
    assert.deepEqual(
      await ask('/products', { 'x-token': good }),
      [401, 'Token expired'],
      'expiry before the integrator',
    )
  })
})
