import assert from 'node:assert/strict'
import { bodyOf, type Checks, expectBody, expectMembers, isInteger } from '../check.ts'

const MISSING = { success: false, error: 'Missing client_id, client_secret, brand, or integrator_id' }
const FIELDS = ['client_id', 'client_secret', 'brand', 'integrator_id']

/** §4.1, §5.4: POST /auth. */
export const auth: Checks = async (check, { send, credentials }) => {
  const signIn = (body: unknown) => send('POST', '/auth', { token: null, body })
  const signInText = (text: string) => send('POST', '/auth', { token: null, text })

  await check('POST /auth gives a token', async () => {
    const answer = await signIn({ ...credentials, venue_id: 1 }) // clients of version 1 still send it
    const body = bodyOf(answer, 200)
    expectMembers(body, ['success', 'token', 'token_type', 'expires_in', 'expires_at', 'message'])
    assert.equal(body.success, true)
    assert.equal(body.token_type, 'Bearer')
    assert.equal(typeof body.message, 'string')
    assert.ok(isInteger(body.expires_in) && (body.expires_in as number) > 0, 'expires_in is a number of seconds')
    const serverNow = Date.parse(answer.headers.date!) / 1000
    const left = (body.expires_at as number) - serverNow - (body.expires_in as number)
    assert.ok(isInteger(body.expires_at) && Math.abs(left) <= 2, 'expires_at is expires_in from now, as a Unix time')
  })
  await check('the token is a JWT with the claims of §5.2', async () => {
    const { token, expires_at } = bodyOf(await signIn(credentials), 200) as { token: string; expires_at: number }
    const [head, claims] = token.split('.', 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    assert.equal(head.alg, 'HS256')
    assert.equal(typeof head.kid, 'string')
    expectMembers(claims, ['brand', 'venue_id', 'integrator_id', 'upstream', 'iat', 'exp', 'jti'])
    assert.equal(claims.brand, credentials.brand)
    assert.equal(claims.integrator_id, credentials.integrator_id)
    assert.ok(isInteger(claims.venue_id), 'venue_id is an integer')
    assert.equal(claims.exp, expires_at)
    assert.ok(!token.includes(credentials.client_secret), 'no secret in the token')
  })
  for (const field of FIELDS)
    await check(`POST /auth without ${field} is refused`, async () =>
      expectBody(await signIn({ ...credentials, [field]: undefined }), 400, MISSING),
    )
  await check('an empty field and one that is no string count as omitted', async () => {
    expectBody(await signIn({ ...credentials, client_id: '' }), 400, MISSING)
    expectBody(await signIn({ ...credentials, brand: 1 }), 400, MISSING)
  })
  await check('malformed JSON and a body that is no object count as empty', async () => {
    expectBody(await signInText('{"client_id":'), 400, MISSING)
    expectBody(await signInText('[]'), 400, MISSING)
  })
  await check('an unknown integrator_id is refused', async () =>
    expectBody(await signIn({ ...credentials, integrator_id: 'acceptance-nobody' }), 400, {
      success: false,
      error: 'Invalid integrator_id',
    }),
  )
  await check('every wrong combination is refused with one text', async () => {
    const wrong = [{ client_secret: 'wrong' }, { client_id: 'acceptance-nobody' }, { brand: 'acceptance-nobody' }]
    for (const part of wrong)
      expectBody(await signIn({ ...credentials, ...part }), 401, { success: false, message: 'Invalid credentials' })
  })
  await check('GET /auth is 405 and names POST', async () => {
    const answer = await send('GET', '/auth', { token: null })
    expectAuthRefusal(bodyOf(answer, 405), 'method_not_allowed')
    assert.equal(answer.headers.allow, 'POST')
  })
  await check('POST /auth takes application/json of at most 64 KiB', async () => {
    const plain = await send('POST', '/auth', { token: null, text: 'x', headers: { 'content-type': 'text/plain' } })
    expectAuthRefusal(bodyOf(plain, 415), 'unsupported_media_type')
    const large = await signIn({ ...credentials, padding: 'x'.repeat(65_536) })
    expectAuthRefusal(bodyOf(large, 413), 'payload_too_large')
  })
}

/** D5.1: other failures of POST /auth. */
function expectAuthRefusal(body: Record<string, unknown>, error: string): void {
  expectMembers(body, ['success', 'error', 'message'])
  assert.equal(body.success, false)
  assert.equal(body.error, error)
  assert.equal(typeof body.message, 'string')
}
