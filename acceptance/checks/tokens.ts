import { type Checks, expectBody, expectError, expectInvalidParameter, pageOf } from '../check.ts'

const ROUTES = [
  ['POST', '/customers'],
  ['GET', '/products'],
  ['GET', '/price-lists'],
  ['GET', '/receipts/1'],
  ['GET', '/stock-operations/1'],
] as const

const INVALID = { success: false, error: 'Invalid token' }

/** §5: x-token and x-venue, on every endpoint that needs them. */
export const tokens: Checks = async (check, { send, credentials }) => {
  for (const [method, path] of ROUTES)
    await check(`${method} ${path} without a token is refused`, async () =>
      expectBody(await send(method, path, { token: null }), 401, { success: false, error: 'Headers are missing' }),
    )
  for (const [method, path] of ROUTES)
    await check(`${method} ${path} with a forged token is refused`, async () =>
      expectBody(await send(method, path, { token: 'forged' }), 401, INVALID),
    )
  await check('a token with another signature, claim or algorithm is refused', async () => {
    const { body } = await send('POST', '/auth', { token: null, body: credentials })
    const [head, claims, signature] = String(body?.token).split('.') as [string, string, string]
    const { exp, ...rest } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const longer = Buffer.from(JSON.stringify({ ...rest, exp: exp + 60 })).toString('base64url')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const forged = [
      `${head}.${claims}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
      `${head}.${longer}.${signature}`,
      `${none}.${claims}.`,
    ]
    for (const token of forged) expectBody(await send('GET', '/products', { token }), 401, INVALID)
  })
  await check('x-venue must be an id', async () =>
    expectInvalidParameter(await send('GET', '/products', { headers: { 'x-venue': 'here' } }), 'x-venue'),
  )
  await check('a venue that the brand does not have is forbidden', async () =>
    expectError(await send('GET', '/products', { headers: { 'x-venue': '9007199254740991' } }), 403, 'forbidden'),
  )
  await check('the venue of the token may be named', async () => {
    const { body } = await send('POST', '/auth', { token: null, body: credentials })
    const claims = JSON.parse(Buffer.from(String(body?.token).split('.')[1]!, 'base64url').toString())
    pageOf(await send('GET', '/products?limit=1', { headers: { 'x-venue': String(claims.venue_id) } }))
  })
}
