import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { skipWithout } from '../../../../scripts/packages.ts'
import { onEmbeddedEngine } from '../../../test/database/engines.ts'
import { overTheWire } from '../../../test/over-the-wire.ts'
import { services } from '../../../test/service.ts'

onEmbeddedEngine('the HTTP edge', (make) => {
  const service = services(make)

  /** Sends bytes as they are and answers everything that comes back until the connection closes. */
  async function raw(port: number, bytes: string | Buffer): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    socket.write(bytes)
    let text = ''
    for await (const chunk of socket) text += chunk
    return text
  }

  async function listening(settings: Parameters<typeof service>[0] = {}) {
    const built = await service(settings)
    await built.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = built.app.server.address() as { port: number }
    return { ...built, port, url: `http://127.0.0.1:${port}` }
  }

  const body = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

  test('bytes that are no HTTP are answered 400 in the contract’s body, and the connection is closed', async () => {
    const { port } = await listening()
    const answer = await raw(port, 'HELLO\r\n\r\n')
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.match(answer, /x-request-id: [0-9a-f-]{36}/)
    assert.deepEqual(body(answer), {
      error: 'invalid_parameter',
      message: 'This is not an HTTP request.',
      details: { parameter: 'request' },
    })
  })

  test('two lengths for one body, in either order, are answered 400: nothing can be smuggled', async () => {
    const { port } = await listening()
    const smuggled = [
      'Content-Length: 4\r\nTransfer-Encoding: chunked',
      'Transfer-Encoding: chunked\r\nContent-Length: 4',
    ]
    for (const headers of smuggled) {
      const answer = await raw(
        port,
        `POST /v2/auth HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n0\r\n\r\nGET /v2/x HTTP/1.1\r\nHost: x\r\n\r\n`,
      )
      assert.match(answer, /^HTTP\/1\.1 400 /)
      assert.equal(answer.split('HTTP/1.1').length, 2, 'one answer')
    }
  })

  test('a head of 16 KiB is read, so that a filter has room for 100 values of 80 bytes; beyond it the answer is 431', async () => {
    const { port } = await listening()
    const values = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(80, 'x'))
    const filters = encodeURIComponent(JSON.stringify([['barcode', values]]))
    const brackets = values.map((value, index) => `filters%5B0%5D%5B1%5D%5B${index}%5D=${value}`).join('&')
    const ask = (query: string) =>
      raw(port, `GET /v2/products?${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    assert.match(await ask(`filters=${filters}`), /^HTTP\/1\.1 401 /)
    assert.match(await ask(`filters%5B0%5D%5B0%5D=barcode&${brackets}`), /^HTTP\/1\.1 401 /)
    const answer = await ask('x'.repeat(16_400))
    assert.match(answer, /^HTTP\/1\.1 431 /)
    assert.equal(body(answer).error, 'headers_too_large')
  })

  test('a request that does not come to its end is answered 408 request_timeout', async () => {
    const { port, app } = await listening()
    app.server.requestTimeout = 500
    const answer = await raw(port, 'POST /v2/auth HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{')
    assert.match(answer, /^HTTP\/1\.1 408 /)
    assert.equal(body(answer).error, 'request_timeout')
  })

  test('a body without end is answered 413 after 64 KiB', async () => {
    const { port } = await listening()
    const chunk = `2000\r\n${'x'.repeat(0x2000)}\r\n`
    const head =
      'POST /v2/auth HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    const answer = await raw(port, head + chunk.repeat(12))
    assert.match(answer, /^HTTP\/1\.1 413 /)
  })

  test('only application/json is read: odd content types are 415, and none gets a body past validation', async () => {
    const { brand, call, token } = await service()
    const headers = { 'x-token': await token((await brand('bistro')).credentials) }
    const invalid = { name: 7, admin: true }
    const odd = [
      'application/json; garbage',
      'application/json; charset=iso-8859-1',
      'application/json; charset=utf-88',
      'application/json; charset=utf--8',
      'application/json; charset=utf-8; charset=utf-16',
      'application/json; charset="utf-8',
      'application/json charset=utf-8',
      'application/json;;= ',
      'application/jsonp',
      'text/plain',
      'multipart/form-data',
      'application/json, text/plain',
      '',
    ]
    for (const type of odd) {
      const { status } = await call('/customers', {
        method: 'POST',
        body: invalid,
        headers: { ...headers, 'content-type': type },
      })
      assert.equal(status, 415, JSON.stringify(type))
    }
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'application/json; charset=UTF8',
      'application/json; charset="utf8"',
      'application/json ; charset=utf-8',
      'application/json\t;\tcharset="utf-8"',
      'application/json;',
      'application/json; ; charset=utf-8 ;',
      'application/json; odata.metadata=minimal; q="a;\\"b"; Charset=Utf-8',
      'APPLICATION/JSON',
    ])
      assert.equal(
        (
          await call('/customers', {
            method: 'POST',
            body: { name: 'Aysel' },
            headers: { ...headers, 'content-type': type },
          })
        ).status,
        200,
      )
    const compressed = await call('/customers', {
      method: 'POST',
      body: { name: 'x' },
      headers: { ...headers, 'content-encoding': 'gzip' },
    })
    assert.equal(compressed.status, 415)
  })

  test('malformed JSON, poisoned members, deep nesting and bytes that are not UTF-8 are 400', async () => {
    const { brand, call, token, app } = await service()
    const headers = { 'x-token': await token((await brand('bistro')).credentials) }
    const nested = (depth: number) => `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const bad = [
      '{',
      '{"name":"x"} x',
      '{"__proto__":{"admin":true},"name":"x"}',
      '{"constructor":{"prototype":{}},"name":"x"}',
      nested(20),
      nested(20_000),
    ]
    for (const text of bad) {
      const { status, body: sent } = await call('/customers', { method: 'POST', body: text, headers })
      assert.deepEqual([status, sent.error], [400, 'invalid_json'], text.slice(0, 60))
    }
    const { body: misplaced } = await call('/customers', { method: 'POST', body: '{"name":"x",\n  "code":,}', headers })
    assert.deepEqual(misplaced, {
      error: 'invalid_json',
      message: 'The body is not JSON: unexpected character, at line 2, column 10.',
      details: { position: 22, line: 2, column: 10 },
    })
    for (const text of ['null', '[]', '7', '"x"']) {
      const { status, body: sent } = await call('/customers', { method: 'POST', body: text, headers })
      assert.deepEqual([status, sent.error], [400, 'validation_failed'], text)
    }
    const bytes = await app.inject({
      method: 'POST',
      url: '/v2/customers',
      headers: { ...headers, 'content-type': 'application/json' },
      payload: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    })
    assert.equal(bytes.json().error, 'invalid_json')
    const { body: flat } = await call('/customers', { method: 'POST', body: nested(19), headers })
    assert.equal(flat.error, 'validation_failed')
  })

  test('an unknown path and a wrong method are 404 and 405 whatever body comes with them', async () => {
    const { call, app } = await service()
    for (const body of ['{', '', '{}', 'a=b'])
      for (const type of ['application/json', 'application/x-www-form-urlencoded', 'x']) {
        const headers = { 'content-type': type }
        assert.equal((await call('/nothing', { method: 'POST', body, headers })).status, 404, `${type} ${body}`)
        assert.equal((await call('/products', { method: 'PUT', body, headers })).status, 405, `${type} ${body}`)
        assert.equal((await app.inject({ method: 'POST', url: '/nowhere', headers, payload: body })).statusCode, 404)
      }
  })

  test('an expectation that nobody knows has the contract’s answer', async () => {
    const { port } = await listening()
    const answer = await raw(port, 'GET /v2/products HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n')
    assert.match(answer, /^HTTP\/1\.1 401 /)
    assert.match(answer, /x-request-id: [0-9a-f-]{36}/)
  })

  test('every answer has a request id of ours; a client’s own is only logged, if it is well-formed', async () => {
    const { call, lines } = await service()
    const { headers } = await call('/products', { headers: { 'x-request-id': 'client-chosen-1' } })
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
    await call('/products', { headers: { 'x-request-id': 'bad id\u0007' } })
    const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
    assert.deepEqual(
      logged.map(({ client_request_id }) => client_request_id),
      ['client-chosen-1', undefined],
    )
  })

  test('a failure inside says nothing of the inside but the request id', async () => {
    const { brand, call, token, deps, lines } = await service()
    const headers = { 'x-token': await token((await brand('bistro')).credentials) }
    deps.db.text = () => Promise.reject(new Error('canary: select secret from somewhere'))
    deps.db.rows = deps.db.text as never
    const { status, body: sent, text, headers: answered } = await call('/receipts/1', { headers })
    assert.equal(status, 500)
    assert.deepEqual([sent.error, sent.details], ['internal_error', { request_id: answered['x-request-id'] }])
    assert.ok(!text.includes('canary'))
    assert.ok(lines.some((line) => line.includes(String(answered['x-request-id'])) && line.includes('"failed"')))
  })

  test('behind proxies on another address than loopback, plain HTTP and strangers are 403, health excepted', async () => {
    const { app } = await service({ HOST: '0.0.0.0', COMPTOIR_TRUSTED_PROXIES: '10.0.0.0/8' })
    const ask = async (remoteAddress: string, proto?: string, url = '/v2/products') => {
      const headers = proto === undefined ? {} : { 'x-forwarded-proto': proto }
      return (await overTheWire(app, { url, remoteAddress, headers })).statusCode
    }
    assert.equal(await ask('10.0.0.1', 'https'), 401)
    assert.equal(await ask('10.0.0.1', 'http'), 403)
    assert.equal(await ask('10.0.0.1'), 403)
    assert.equal(await ask('192.0.2.1', 'https'), 403)
    assert.equal(await ask('192.0.2.1', undefined, '/health/live'), 200)
  })

  test('TLS is served by Node itself, from a certificate and its key', { skip: skipWithout('openssl') }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'comptoir-tls-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        '1',
        '-keyout',
        key,
        '-out',
        cert,
        ...subject,
      ],
      { stdio: 'pipe' },
    )
    const { port } = await listening({ COMPTOIR_TLS_CERT: cert, COMPTOIR_TLS_KEY: key })
    const status = await new Promise((resolve, reject) =>
      request({ port, host: '127.0.0.1', path: '/health/live', ca: readFileSync(cert) }, (answer) =>
        resolve(answer.resume().statusCode),
      )
        .on('error', reject)
        .end(),
    )
    assert.equal(status, 200)
    const silent = connect(port, '127.0.0.1')
    const startedAt = performance.now()
    for await (const _ of silent) assert.fail('nothing is said to who says nothing')
    const seconds = (performance.now() - startedAt) / 1000
    assert.ok(seconds > 4 && seconds < 30, `a handshake that does not come ends after 5 s, not ${seconds}`)
  })
})
