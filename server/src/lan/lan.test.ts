import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connect, type DetailedPeerCertificate } from 'node:tls'
import { until } from '../../test/until.ts'
import { loadConfig } from '../config.ts'
import { makeLeaf, readAuthority } from './certificates.ts'
import { connectServer } from './connect-server.ts'
import { type Lan, openLan } from './lan.ts'
import { lanHost, lanNames } from './names.ts'

const DAY_MS = 86_400_000
const NOW = Math.floor(Date.now() / 1000) * 1000 // clients check certificates by the real clock
const folder = mkdtempSync(join(tmpdir(), 'comptoir-lan-'))
after(() => rmSync(folder, { recursive: true, force: true }))
let folders = 0

/** A machine whose clock and addresses a test changes. */
function machineIn(place = join(folder, String(++folders))) {
  const machine = { time: NOW, names: { names: ['till', 'till.local', 'localhost'], addresses: ['127.0.0.1', '::1'] } }
  const warnings: string[] = []
  const open = () =>
    openLan({ COMPTOIR_DATA: place }, (sentence) => warnings.push(sentence), {
      now: () => machine.time,
      names: () => machine.names,
      checkMs: 5,
    })
  const file = (name: string) => join(place, 'lan', name)
  return { ...machine, set: (change: Partial<typeof machine>) => Object.assign(machine, change), open, file, warnings }
}

/** The certificate that a client accepts for a host, or why it accepts none. */
function handshake(port: number, host: string, ca?: string): Promise<DetailedPeerCertificate | string> {
  return new Promise((resolve) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: /^[\d.:]+$/.test(host) ? '' : host,
      ...(ca && { ca }),
    })
    socket.once('secureConnect', () => {
      resolve(socket.getPeerCertificate(true))
      socket.destroy()
    })
    socket.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(code === 'UNSPECIFIED' ? message : code!),
    )
  })
}

async function served(tls: { cert: string; key: string }) {
  const server = createServer(tls, (_request, response) => response.end('ok')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return { server, port: (server.address() as AddressInfo).port }
}

test('a client with the authority accepts the certificate by name and address, and no other client does', async () => {
  const { open, file } = machineIn()
  const lan = await open()
  const { port } = await served(lan.tls())
  for (const host of ['till', 'till.local', 'localhost', '127.0.0.1'])
    assert.equal(typeof (await handshake(port, host, lan.authority.pem)), 'object', host)
  assert.equal(await handshake(port, 'till.local'), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  assert.equal(await handshake(port, 'example.com', lan.authority.pem), 'ERR_TLS_CERT_ALTNAME_INVALID')
  for (const name of ['authority.pem', 'leaf.pem']) assert.equal(statSync(file(name)).mode & 0o777, 0o600, name)
  const leaf = new X509Certificate(lan.tls().cert)
  assert.ok(leaf.validToDate.getTime() - leaf.validFromDate.getTime() <= 397 * DAY_MS)
  assert.equal(leaf.validFromDate.getTime(), NOW - DAY_MS, 'a device whose clock is behind accepts it')
  assert.deepEqual((await open()).tls(), lan.tls(), 'the next start serves the same')
})

test('what the authority signs for other names or public addresses is refused', async () => {
  const { open, file } = machineIn()
  const { authority } = await open()
  const key = readFileSync(file('authority.pem'), 'utf8').split('-----')[2]!
  const signer = await readAuthority(authority.pem, Buffer.from(key, 'base64'))
  const refusedAs = async (names: string[], addresses: string[], host: string) => {
    const pem = await makeLeaf(signer, { names, addresses }, Date.now())
    const { port } = await served({ cert: new X509Certificate(pem).toString(), key: pem })
    return handshake(port, host, authority.pem)
  }
  assert.equal(await refusedAs(['bank.example'], [], 'bank.example'), 'permitted subtree violation')
  assert.equal(await refusedAs(['localhost'], ['8.8.8.8'], 'localhost'), 'permitted subtree violation')
  assert.equal(await refusedAs(['localhost'], ['2001:db8::1'], 'localhost'), 'permitted subtree violation')
})

test('a new address and a certificate that ends soon are followed without a restart', async () => {
  const { open, set } = machineIn()
  const lan = await open()
  const { server, port } = await served(lan.tls())
  const renewals: unknown[] = []
  after(lan.follow(server, { renewed: (names) => renewals.push(names), failed: assert.ifError }))
  const seen = async () => {
    const peer = await handshake(port, 'till.local', lan.authority.pem)
    assert.ok(typeof peer === 'object', String(peer))
    return peer
  }
  const first = await seen()
  assert.doesNotMatch(first.subjectaltname!, /192\.168/)

  set({ names: { names: ['till', 'till.local', 'localhost'], addresses: ['192.168.1.20', '127.0.0.1'] } })
  await until(async () => renewals.length === 1, 'the address was not noticed')
  const second = await seen()
  assert.match(second.subjectaltname!, /192\.168\.1\.20/)
  assert.equal(second.issuerCertificate.fingerprint256, lan.authority.fingerprint, 'devices trust it already')

  set({ time: NOW + 370 * DAY_MS })
  await until(async () => renewals.length === 2, 'the certificate was not renewed')
  assert.ok(new X509Certificate(lan.tls().cert).validToDate.getTime() > NOW + 397 * DAY_MS)
})

test('an authority that is lost, damaged or out of time is a sentence, and never replaced silently', async () => {
  const lost = machineIn()
  await lost.open()
  rmSync(lost.file('authority.pem'))
  await assert.rejects(lost.open(), {
    name: 'Error',
    message: /authority\.pem is gone.* put a copy of it back, or remove /,
  })
  assert.ok(!existsSync(lost.file('authority.pem')))

  const damaged = machineIn()
  const before = (await damaged.open()).authority.fingerprint
  const whole = readFileSync(damaged.file('authority.pem'))
  truncateSync(damaged.file('authority.pem'), 300)
  await assert.rejects(damaged.open(), /authority\.pem cannot be used/)
  writeFileSync(damaged.file('authority.pem'), whole)
  truncateSync(damaged.file('leaf.pem'), 300)
  assert.equal((await damaged.open()).authority.fingerprint, before, 'a damaged leaf is made again')

  const early = machineIn()
  early.set({ time: 0 })
  await assert.rejects(early.open(), /clock says 1970-01-01: set it before/)
  early.set({ time: NOW })
  const { cert } = (await early.open()).tls()
  early.set({ time: 0 })
  assert.equal((await early.open()).tls().cert, cert, 'after a power cut with a clock that lost its time')
  assert.match(early.warnings.join(), /valid from 20.* to .*clock says 1970-01-01: set the clock$/)
  rmSync(early.file('leaf.pem'))
  await assert.rejects(early.open(), /clock says 1970-01-01: set the clock/)
  early.set({ time: NOW + 3_660 * DAY_MS })
  await assert.rejects(early.open(), /set the clock, or put a copy/)
})

test('a machine with a new name is reached by its addresses', async () => {
  const renamed = machineIn()
  const before = await renamed.open()
  renamed.set({ names: { names: ['bar', 'bar.local', 'localhost'], addresses: ['192.168.1.20'] } })
  const lan = await renamed.open()
  assert.equal(lan.authority.fingerprint, before.authority.fingerprint)
  assert.deepEqual([lan.isFor('192.168.1.20'), lan.isFor('bar.local')], [true, false])
  assert.match(renamed.warnings.join(), /made for till, till\.local, localhost, not for bar, bar\.local/)
})

test('names and addresses are those that other devices can use', () => {
  const at = (address: string, internal = false) =>
    ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as never
  const found = lanNames('Till.example.com', {
    lo: [at('127.0.0.1', true), at('::1', true)],
    docker0: [at('172.17.0.1')],
    eth0: [at('203.0.113.9'), at('fd00::2'), at('fe80::1'), at('192.168.1.20')],
  })
  assert.deepEqual(found, {
    names: ['till.example.com', 'till', 'till.local', 'localhost'],
    addresses: ['192.168.1.20', 'fd00::2', '172.17.0.1', '127.0.0.1', '::1'],
  })
  assert.equal(lanHost({ HOST: '::' }, found), '192.168.1.20')
  assert.equal(lanHost({ HOST: '::' }, { names: ['till.local'], addresses: ['127.0.0.1'] }), 'till.local')
  assert.deepEqual(lanNames('my_host', {}).names, ['localhost'])
})

test('plain HTTP has the page and the certificate, without cookies, whatever is asked for', async () => {
  const lan: Lan = await machineIn().open()
  const config = loadConfig({ COMPTOIR_LAN: '1', HOST: '127.0.0.1' })
  const server = connectServer(config, lan, 8443, () => NOW).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  const ask = (path: string, options = {}) => fetch(`http://127.0.0.1:${port}${path}`, options)

  const page = await ask('/')
  const html = await page.text()
  assert.equal(page.status, 200)
  assert.ok(html.includes(lan.authority.fingerprint) && html.includes('https://127.0.0.1:8443/back-office/'))
  assert.ok(!/(src|href)="(https?:)?\/\/(?!127\.0\.0\.1:8443)/.test(html), 'nothing is loaded from elsewhere')
  assert.equal(page.headers.get('set-cookie'), null)
  assert.match(
    page.headers.get('content-security-policy')!,
    /default-src 'none'.*connect-src https:\/\/127\.0\.0\.1:8443;/,
  )
  for (const path of ['/back-office/api/me', '/v2/products', '/health/ready'])
    assert.equal((await ask(path)).status, 404)
  assert.equal((await ask('/', { method: 'POST', body: 'x' })).status, 405)
  assert.ok(!html.includes('till.local'), 'the service listens on one address only')
  const french = await (await ask('/', { headers: { 'accept-language': 'fr-CH, en;q=0.8' } })).text()
  assert.match(french, /<html lang="fr">.*<h1>Connecter un appareil<\/h1>/s)

  const der = Buffer.from(await (await ask('/comptoir.crt')).arrayBuffer())
  assert.equal(new X509Certificate(der).fingerprint256, lan.authority.fingerprint)
  assert.equal(await (await ask('/comptoir.pem')).text(), lan.authority.pem)
  const profile = await ask('/comptoir.mobileconfig')
  assert.equal(profile.headers.get('content-type'), 'application/x-apple-aspen-config')
  const [, content] = /<data>([^<]+)<\/data>/.exec(await profile.text())!
  assert.deepEqual(Buffer.from(content!, 'base64'), lan.authority.der)
})
