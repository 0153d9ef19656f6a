import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { comptoir } from '../../../test/command.ts'
import { onEmbeddedEngine } from '../../../test/database/engines.ts'
import { loadConfig } from '../../config.ts'
import { readTls } from './tls.ts'

const HEALTH = fileURLToPath(new URL('../../../../deploy/health.js', import.meta.url))

onEmbeddedEngine('the certificate', (make) => {
  async function pems() {
    const { env } = await make()
    const folder = env.COMPTOIR_DATA!.replace(/data$/, '')
    const made = (name: string) => {
      const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}-key.pem`)]
      const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=x -keyout ${key} -out ${cert}`
      execFileSync('openssl', words.split(' '), { stdio: 'pipe' })
      return { cert, key }
    }
    const rubbish = join(folder, 'rubbish.pem')
    writeFileSync(rubbish, '-----BEGIN CERTIFICATE-----\nrubbish\n-----END CERTIFICATE-----\n')
    return { env, one: made('one'), other: made('other'), rubbish }
  }

  test('that is sound is read', async () => {
    const { one } = await pems()
    const tls = readTls(loadConfig({ COMPTOIR_TLS_CERT: one.cert, COMPTOIR_TLS_KEY: one.key }))
    assert.deepEqual(tls, { cert: readFileSync(one.cert), key: readFileSync(one.key) })
    assert.equal(readTls(loadConfig({})), undefined)
  })

  test('that is none, whose key is none, or whose key is another’s is refused with a sentence', async () => {
    const { one, other, rubbish } = await pems()
    for (const [cert, key, said] of [
      [rubbish, one.key, /^COMPTOIR_TLS_CERT: .*rubbish.pem holds no PEM certificate$/],
      [one.key, one.key, /^COMPTOIR_TLS_CERT: .*one-key.pem holds no PEM certificate$/],
      [one.cert, rubbish, /^COMPTOIR_TLS_KEY: .*rubbish.pem holds no PEM key/],
      [one.cert, other.key, /^COMPTOIR_TLS_KEY: .* does not belong to the certificate/],
      [`${one.cert}x`, one.key, /^COMPTOIR_TLS_CERT: .*one.pemx cannot be read/],
    ] as const)
      assert.throws(() => readTls(loadConfig({ COMPTOIR_TLS_CERT: cert, COMPTOIR_TLS_KEY: key })), { message: said })
  })

  test('makes the health check of deploy/ ask by HTTPS, and without one it asks by HTTP', async () => {
    const { one } = await pems()
    const tls = { COMPTOIR_TLS_CERT: one.cert, COMPTOIR_TLS_KEY: one.key }
    const check = (port: number, env: Record<string, string>) =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [HEALTH], { env: { HOST: '0.0.0.0', PORT: String(port), ...env } })
        child.once('exit', resolve)
      })
    for (const [server, served, other] of [
      [createHttps(readTls(loadConfig(tls))!), tls, {}],
      [createHttp(), {}, tls],
    ] as const) {
      let status = 200
      server.on('request', ({ url }, response) => response.writeHead(url === '/health/ready' ? status : 404).end())
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      assert.deepEqual([await check(port, served), await check(port, other)], [0, 1])
      status = 503
      assert.equal(await check(port, served), 1)
      server.close()
    }
  })

  test('is looked at before anything else is done at the start', async () => {
    const { env, one, rubbish } = await pems()
    const { code, stdout, stderr } = await comptoir(
      { env: { ...env, COMPTOIR_TLS_CERT: rubbish, COMPTOIR_TLS_KEY: one.key } },
      ['serve'],
    )
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /^comptoir: COMPTOIR_TLS_CERT: [^\n]* holds no PEM certificate\n$/)
  })
})
