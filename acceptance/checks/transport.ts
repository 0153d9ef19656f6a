import assert from 'node:assert/strict'
import { bodyOf, type Checks, expectError } from '../check.ts'

const MAX_BODY_BYTES = 65_536
const VARYING = ['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset', 'connection', 'keep-alive']

/** D1, D6: paths, methods, bodies and HEAD. */
export const transport: Checks = async (check, { send }) => {
  await check('an unknown path is 404, with or without a token', async () => {
    const [known, anonymous] = [await send('GET', '/nowhere'), await send('GET', '/nowhere', { token: null })]
    expectError(known, 404, 'not_found')
    assert.equal(anonymous.text, known.text)
  })
  for (const [method, path, allowed] of [
    ['DELETE', '/products', 'GET'],
    ['PATCH', '/price-lists', 'GET'],
    ['POST', '/receipts/1', 'GET'],
    ['PUT', '/stock-operations/1', 'GET'],
    ['DELETE', '/customers', 'POST'],
  ] as const)
    await check(`${method} ${path} is 405 and names ${allowed}`, async () => {
      const answer = await send(method, path, { token: null })
      expectError(answer, 405, 'method_not_allowed')
      const names = String(answer.headers.allow).split(', ')
      assert.ok(names.includes(allowed) && !names.includes(method), `Allow: ${answer.headers.allow}`)
    })
  await check('a body that is not application/json is 415', async () => {
    const headers = { 'content-type': 'text/plain' }
    expectError(await send('POST', '/customers', { text: '{"name":""}', headers }), 415, 'unsupported_media_type')
  })
  await check('a body of 64 KiB is read, one byte more is 413', async () => {
    const sized = (bytes: number) => `{"name":"","description":"${'x'.repeat(bytes - 28)}"}`
    const [fits, large] = [sized(MAX_BODY_BYTES), sized(MAX_BODY_BYTES + 1)]
    assert.equal(Buffer.byteLength(fits), MAX_BODY_BYTES)
    expectError(await send('POST', '/customers', { text: fits }), 400, 'validation_failed')
    expectError(await send('POST', '/customers', { text: large }), 413, 'payload_too_large')
  })
  await check('malformed JSON is 400 invalid_json', async () =>
    expectError(await send('POST', '/customers', { text: '{"name":' }), 400, 'invalid_json'),
  )
  await check('__proto__, constructor and nesting deeper than 20 are 400', async () => {
    const deep = `{"name":${'['.repeat(21)}${']'.repeat(21)}}`
    for (const text of ['{"name":"","__proto__":{}}', '{"name":"","constructor":{}}', deep])
      bodyOf(await send('POST', '/customers', { text }), 400)
  })
  await check('an unknown member of a body is 400 and named', async () => {
    const answer = await send('POST', '/customers', { body: { name: '', colour: 'red' } })
    const { errors } = expectError(answer, 400, 'validation_failed') as { errors: { field: string }[] }
    assert.ok(
      errors.some(({ field }) => field === 'colour'),
      `colour is named: ${answer.text}`,
    )
  })
  for (const path of ['/products?limit=2', '/receipts/9007199254740991'])
    await check(`HEAD ${path} is GET without the body`, async () => {
      const [head, get] = [await send('HEAD', path), await send('GET', path)]
      assert.equal(head.status, get.status)
      assert.equal(head.text, '')
      const lasting = (headers: object) => Object.entries(headers).filter(([name]) => !VARYING.includes(name))
      assert.deepEqual(lasting(head.headers).sort(), lasting(get.headers).sort(), 'the same headers')
    })
}
