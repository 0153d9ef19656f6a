import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { onEmbeddedEngine } from '../../../test/database/engines.ts'
import { type Row, staff } from '../../../test/database/store.ts'
import { services } from '../../../test/service.ts'

const rows: Row[] = [...staff(), { kind: 'receipt', id: 1, venue_id: 1, total: 0.3 }]
const MAX_REQUESTS = 1_000

onEmbeddedEngine('how a request is addressed', (make) => {
  const service = services(make)

  async function listening() {
    const { app, brand, token, call } = await service()
    const headers = { 'x-token': await token((await brand('bistro', { rows })).credentials, '127.0.0.1') }
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }

    /** Sends a request as it is written and answers what comes back until the connection closes. */
    async function raw(target: string, { method = 'GET', version = '1.1', host = 'Host: x\r\n', more = '' } = {}) {
      const socket = connect(port, '127.0.0.1')
      const signed = `x-token: ${headers['x-token']}\r\n`
      socket.write(`${method} ${target} HTTP/${version}\r\n${host}${signed}${more}Connection: close\r\n\r\n`)
      let text = ''
      for await (const chunk of socket) text += chunk
      const [head = '', body = ''] = text.split('\r\n\r\n')
      const [first = '', ...lines] = head.split('\r\n')
      const sent = Object.fromEntries(
        lines.map((line) => [line.split(': ', 1)[0]!.toLowerCase(), line.slice(line.indexOf(': ') + 2)]),
      )
      return { status: Number(first.split(' ')[1]), headers: sent, body }
    }
    /** What tiers 2 and 3 have counted for this client. */
    const counted = async () => {
      const { body } = await call('/whoami', { headers, address: '127.0.0.1' })
      const tiers = JSON.stringify(body)
      return { tiers, remaining: [...tiers.matchAll(/"remaining":(\d+)/g)].map(([, left]) => Number(left)) }
    }
    return { raw, counted, port, app }
  }

  test('an absolute URL is routed, counted and limited like a plain one', async () => {
    const { raw, counted } = await listening()
    for (const target of ['/v2/receipts/1', '/v2/nowhere', '/v2/products?nonsense=1']) {
      const before = (await counted()).remaining
      const plain = await raw(target)
      const between = (await counted()).remaining
      const spent = between.map((left, tier) => left - before[tier]!)
      assert.ok(spent.some((count) => count !== 0))
      for (const authority of ['http://x', 'HTTP://127.0.0.1:8080', 'https://user@x']) {
        const before = (await counted()).remaining
        const absolute = await raw(authority + target)
        const after = (await counted()).remaining
        assert.deepEqual(
          [absolute.status, JSON.parse(absolute.body).error],
          [plain.status, JSON.parse(plain.body).error],
          authority + target,
        )
        assert.deepEqual(Object.keys(absolute.headers), Object.keys(plain.headers))
        assert.deepEqual(
          after.map((left, tier) => left - before[tier]!),
          spent,
          authority + target,
        )
      }
    }
    assert.equal((await raw('http://x/health/live')).status, 200)
    assert.equal((await raw('http://x')).status, (await raw('/')).status)
  })

  test('{base_url} is its own root, and a letter written as a percent sequence is that letter', async () => {
    const { raw, counted } = await listening()
    const root = await raw('/v2/')
    for (const target of ['/v2', '/v2?x=1', '/%762', '/v%32/', '/%76%32/nowhere', 'http://x/v2']) {
      const { remaining: before } = await counted()
      const answer = await raw(target)
      const { remaining: after } = await counted()
      assert.deepEqual([answer.status, answer.body], [root.status, root.body], target)
      assert.equal(before[1]! - after[1]!, 1, `${target} counts in tier 2`)
    }
    assert.equal((await raw('/v2/%72eceipts/%31')).status, 200)
    assert.equal((await raw('/v2x')).headers['ratelimit-limit'], undefined)
  })

  test('HEAD is answered like GET, without the body, everywhere', async () => {
    const { raw, counted } = await listening()
    for (const target of [
      '/v2/receipts/1',
      '/v2/products',
      '/v2/receipts/2',
      '/v2/nowhere',
      '/v2/auth',
      '/v2/products?nonsense=1',
      '/',
      '/health/live',
      '/health/ready',
      '/openapi.json',
      '/docs/',
      '/docs',
      '/nowhere',
      '/back-office/',
      '/back-office/brands',
      '/back-office/api/session',
    ]) {
      const { remaining: first } = await counted()
      const get = await raw(target)
      const { remaining: second } = await counted()
      const head = await raw(target, { method: 'HEAD' })
      const { remaining: third } = await counted()
      assert.equal(head.body, '', target)
      assert.deepEqual([head.status, Object.keys(head.headers)], [get.status, Object.keys(get.headers)], target)
      if (target !== '/v2/receipts/1')
        // its envelope has the time it took
        assert.equal(head.headers['content-length'], get.headers['content-length'], target)
      assert.deepEqual(
        third.map((left, tier) => left - second[tier]!),
        second.map((left, tier) => left - first[tier]!),
        target,
      )
    }
    const unsigned = await raw('/v2/products', { method: 'HEAD', more: 'x-token: nonsense\r\n' })
    assert.equal(unsigned.status, 401)
  })

  test('a wrong method is 405 and says which are right, under the base path and outside it', async () => {
    const { raw } = await listening()
    const targets = {
      '/v2/products': 'GET, HEAD',
      '/': 'GET, HEAD',
      '/openapi.json': 'GET, HEAD',
      '/docs': 'GET, HEAD',
      '/docs/js/scalar.js': 'GET, HEAD',
      '/health/ready': 'GET, HEAD',
      '/back-office': 'GET, HEAD',
      '/back-office/': 'GET, HEAD',
      '/back-office/brands': 'GET, HEAD',
    }
    for (const [target, allow] of Object.entries(targets))
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        const { status, headers, body } = await raw(target, { method, more: 'Content-Length: 0\r\n' })
        assert.deepEqual(
          [status, headers.allow, JSON.parse(body).error],
          [405, allow, 'method_not_allowed'],
          `${method} ${target}`,
        )
      }
    const { headers } = await raw('/back-office/api/password', { method: 'PATCH' })
    assert.equal(headers.allow, 'PUT')
    for (const target of ['/nowhere', '/docs/nowhere', '/health', '/back-office/api/nowhere'])
      for (const method of ['GET', 'POST', 'HEAD'])
        assert.equal((await raw(target, { method })).status, 404, `${method} ${target}`)
  })

  test('HTTP/1.1 without Host is 400; HTTP/1.0 needs none', async () => {
    const { raw } = await listening()
    for (const target of ['/v2/receipts/1', '/v2/nowhere', '/health/live', 'http://x/v2/receipts/1']) {
      const { status, body } = await raw(target, { host: '' })
      assert.deepEqual([status, JSON.parse(body).details], [400, { parameter: 'host' }], target)
    }
    assert.equal((await raw('/v2/receipts/1', { host: '', version: '1.0' })).status, 200)
  })

  test('two Host headers are 400, whatever they say', async () => {
    const { raw } = await listening()
    for (const target of ['/v2/receipts/1', '/v2/nowhere', '/health/live', 'http://x/v2/receipts/1'])
      for (const host of ['Host: x\r\nHost: x\r\n', 'Host: x\r\nAccept: */*\r\nHOST: y\r\n']) {
        const { status, body } = await raw(target, { host })
        assert.deepEqual([status, JSON.parse(body).details], [400, { parameter: 'host' }], target)
        assert.match(JSON.parse(body).message, /one Host header/)
      }
    assert.equal((await raw('/v2/receipts/1', { more: 'X-Host: y\r\n' })).status, 200)
  })

  test('raw UTF-8 in a URL is refused with a sentence of its own', async () => {
    const { raw } = await listening()
    for (const target of ['/v2/products?filters=[["name","Crème"]]', '/v2/products?Crème=1', '/v2/crème']) {
      const { status, body } = await raw(target)
      assert.deepEqual([status, JSON.parse(body).error], [400, 'invalid_parameter'])
      assert.match(JSON.parse(body).message, /percent-encode/)
    }
  })

  test('an unknown path and an unknown record have sentences of their own', async () => {
    const { raw } = await listening()
    const [path, record] = [await raw('/v2/nowhere'), await raw('/v2/receipts/2')]
    assert.deepEqual([path.status, record.status], [404, 404])
    assert.notEqual(JSON.parse(path.body).message, JSON.parse(record.body).message)
  })

  test(`the answer to request ${MAX_REQUESTS} of a connection says that it closes, and closes it`, async () => {
    const { port } = await listening()
    const socket = connect(port, '127.0.0.1')
    const request = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'
    let text = ''
    let answered = 0
    for (; answered < MAX_REQUESTS - 10; answered++) {
      socket.write(request)
      text = String((await once(socket, 'data'))[0])
      assert.match(text, /^HTTP\/1\.1 200 /)
      assert.doesNotMatch(text, /connection: close/i)
    }
    socket.write(request.repeat(20)) // ten more than are answered
    text = ''
    for await (const chunk of socket) text += chunk
    const answers = text.split('HTTP/1.1 ').slice(1)
    assert.equal(answers.length, 10)
    assert.ok(answers.every((answer) => answer.startsWith('200 ')))
    assert.deepEqual(
      answers.map((answer) => /connection: close/i.test(answer)),
      [...new Array(9).fill(false), true],
    )
  })
})
