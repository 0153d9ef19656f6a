import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { settingsTable } from '../../scripts/settings-table.ts'
import { clientSettings, loadConfig, shownConfig } from './config.ts'

test('an empty environment gives the documented defaults', () => {
  const config = loadConfig({})
  assert.equal(config.PORT, 8080)
  assert.equal(config.HOST, '127.0.0.1')
  assert.equal(config.COMPTOIR_BASE_PATH, '/v2')
  assert.equal(config.COMPTOIR_KEYS, 'data/keys.json')
  assert.equal(config.COMPTOIR_TOKEN_TTL, 3600)
  assert.equal(config.COMPTOIR_FLEET, 1)
  assert.equal(config.DATABASE_URL, undefined)
})

test('every problem is reported together, each by its name', () => {
  assert.throws(
    () => loadConfig({ PORT: 'eighty', COMPTOIR_BASEPATH: '/v2', COMPTOIR_TOKEN_TTL: '0', DATABASE_URL: 'mysql://x' }),
    ({ message }: Error) => {
      for (const name of ['PORT', 'COMPTOIR_BASEPATH is not a setting', 'COMPTOIR_TOKEN_TTL', 'DATABASE_URL'])
        assert.ok(message.includes(name), `${name} in: ${message}`)
      return true
    },
  )
})

test('a contradiction is reported beside a bad value', () => {
  assert.throws(
    () => loadConfig({ PORT: 'abc', COMPTOIR_TRUSTED_PROXIES: 'nonsense' }),
    /PORT.*COMPTOIR_TRUSTED_PROXIES/,
  )
})

test('an empty variable is an absent one', () => {
  assert.equal(loadConfig({ REDIS_URL: '', PORT: '' }).PORT, 8080)
})

test('a local network is served by HTTPS on all addresses, and its page in plain HTTP', () => {
  const lan = loadConfig({ COMPTOIR_LAN: '1' })
  assert.deepEqual([lan.PORT, lan.COMPTOIR_CONNECT_PORT, lan.COMPTOIR_DRAIN_S], [8443, 8080, 0])
  assert.match(lan.HOST, /^(::|0\.0\.0\.0)$/)
  const own = loadConfig({ COMPTOIR_LAN: '1', HOST: '192.168.1.20', PORT: '443' })
  assert.deepEqual([own.PORT, own.HOST], [443, '192.168.1.20'])
  assert.equal(loadConfig({ COMPTOIR_LAN: '0' }).HOST, '127.0.0.1')
})

test('a preset holds until the environment says otherwise, also that there is none', () => {
  const preset = { COMPTOIR_COMPAT_PATH: '/open-api/v2' }
  assert.equal(loadConfig({}).COMPTOIR_COMPAT_PATH, undefined)
  for (const [env, path] of [
    [{}, '/open-api/v2'],
    [{ COMPTOIR_COMPAT_PATH: '/other' }, '/other'],
    [{ COMPTOIR_COMPAT_PATH: '' }, undefined],
  ] as const)
    assert.equal(loadConfig(env, preset).COMPTOIR_COMPAT_PATH, path)
})

test('metrics are on loopback unless another address and a token are given, and the token is not shown', () => {
  assert.equal(loadConfig({}).COMPTOIR_METRICS_HOST, '127.0.0.1')
  const config = loadConfig({ COMPTOIR_METRICS_HOST: '10.0.0.1', COMPTOIR_METRICS_TOKEN: 'secret-of-metrics' })
  assert.deepEqual([config.COMPTOIR_METRICS_HOST, shownConfig(config).COMPTOIR_METRICS_TOKEN], ['10.0.0.1', '***'])
  assert.equal(shownConfig(loadConfig({})).COMPTOIR_METRICS_TOKEN, null)
})

test('COMPTOIR_FLEET follows COMPTOIR_WORKERS', () => {
  const stores = { DATABASE_URL: 'postgres://x/y', REDIS_URL: 'redis://x' }
  assert.equal(loadConfig({ ...stores, COMPTOIR_WORKERS: '4' }).COMPTOIR_FLEET, 4)
  assert.equal(loadConfig({ ...stores, COMPTOIR_WORKERS: '4', COMPTOIR_FLEET: '12' }).COMPTOIR_FLEET, 12)
  assert.throws(() => loadConfig({ ...stores, COMPTOIR_WORKERS: '4', COMPTOIR_FLEET: '2' }), /COMPTOIR_FLEET/)
})

/** The 96 blocks of IPv6 that surround ::ffff:0:0/96. */
function allButIPv4(): string[] {
  const mapped = 0xffffn << 32n
  return Array.from({ length: 96 }, (_, bits) => {
    const size = BigInt(127 - bits)
    const beside = ((mapped >> size) ^ 1n) << size
    const groups = beside.toString(16).padStart(32, '0').match(/.{4}/g)!
    return `${groups.join(':')}/${bits + 1}`
  })
}

type Refused = [what: string, env: Record<string, string>, expected: RegExp]
const refusals: Refused[] = [
  ['metrics on another address without a token', { COMPTOIR_METRICS_HOST: '0.0.0.0' }, /COMPTOIR_METRICS_TOKEN/],
  ['more than one worker without PostgreSQL and Redis', { COMPTOIR_WORKERS: '2' }, /DATABASE_URL and REDIS_URL/],
  ['a base path without a version', { COMPTOIR_BASE_PATH: '/api' }, /COMPTOIR_BASE_PATH/],
  ['a second address that is no path', { COMPTOIR_COMPAT_PATH: 'open-api' }, /COMPTOIR_COMPAT_PATH must be a path/],
  ['a second address that is the first', { COMPTOIR_COMPAT_PATH: '/v2' }, /COMPTOIR_COMPAT_PATH \/v2 is inside \/v2/],
  ['a second address inside the first', { COMPTOIR_COMPAT_PATH: '/v2/old' }, /COMPTOIR_COMPAT_PATH/],
  [
    'a second address around the first',
    { COMPTOIR_BASE_PATH: '/open-api/v2', COMPTOIR_COMPAT_PATH: '/open-api' },
    /COMPTOIR_COMPAT_PATH/,
  ],
  ['a second address among our own pages', { COMPTOIR_COMPAT_PATH: '/back-office/api' }, /COMPTOIR_COMPAT_PATH/],
  ['a local network behind a proxy', { COMPTOIR_LAN: '1', COMPTOIR_TRUSTED_PROXIES: '10.0.0.1' }, /COMPTOIR_LAN makes/],
  [
    'one port for HTTPS and plain HTTP',
    { COMPTOIR_LAN: '1', PORT: '8080' },
    /COMPTOIR_CONNECT_PORT and PORT are both 8080/,
  ],
  ['plain HTTP on another address than loopback', { HOST: '0.0.0.0' }, /COMPTOIR_TLS_CERT .*COMPTOIR_TRUSTED_PROXIES/],
  ['a certificate without its key', { COMPTOIR_TLS_CERT: 'cert.pem' }, /come together/],
  ['proxies by hop count', { COMPTOIR_TRUSTED_PROXIES: '1' }, /CIDR/],
  ['every address as a proxy', { COMPTOIR_TRUSTED_PROXIES: '0.0.0.0/0' }, /every address/],
  ['all of IPv4 in disguise', { COMPTOIR_TRUSTED_PROXIES: '::ffff:10.0.0.0/8' }, /IPv4/],
  ...['::ffff:0:0/96', '::ffff:0.0.0.0/96', '0:0:0:0:0:FFFF::/96', '::/1', '::/80', '::1/64', '0::/3'].map(
    (block): Refused => [`all of IPv4 as ${block}`, { COMPTOIR_TRUSTED_PROXIES: block }, /every IPv4 address/],
  ),
  ...[
    '0.0.0.0/1,128.0.0.0/1',
    '128.0.0.0/1, 10.0.0.0/8, 64.0.0.0/2, 0.0.0.0/2',
    '0.0.0.0/1, ::ffff:128.0.0.0/97',
    '::ffff:0:0/97, ::ffff:8000:0/97',
  ].map((blocks): Refused => [`all of IPv4 as ${blocks}`, { COMPTOIR_TRUSTED_PROXIES: blocks }, /every IPv4 address/]),
  ['all of IPv6 but for IPv4', { COMPTOIR_TRUSTED_PROXIES: allButIPv4().join() }, /every IPv6 address/],
  ['a proxy with a zone', { COMPTOIR_TRUSTED_PROXIES: 'fe80::1%eth0' }, /CIDR/],
  ['a log level that does not exist', { COMPTOIR_LOG_LEVEL: 'loud' }, /one of/],
]
for (const [what, env, expected] of refusals)
  test(`the start is refused with a sentence: ${what}`, () => {
    assert.throws(() => loadConfig(env), expected)
  })

test('another address than loopback is allowed with TLS or behind trusted proxies', () => {
  assert.ok(loadConfig({ HOST: '0.0.0.0', COMPTOIR_TRUSTED_PROXIES: '10.0.0.0/8, 192.168.1.7' }))
  assert.ok(
    loadConfig({ HOST: '0.0.0.0', COMPTOIR_TRUSTED_PROXIES: '::ffff:10.0.0.0/104, 2001:db8::/32, fd00::/8, ::1' }),
  )
  assert.ok(loadConfig({ HOST: '0.0.0.0', COMPTOIR_TRUSTED_PROXIES: '0.0.0.0/1, 128.0.0.0/2, 192.0.0.0/3' }))
  assert.ok(loadConfig({ HOST: '0.0.0.0', COMPTOIR_TRUSTED_PROXIES: allButIPv4().slice(1).join() }))
  assert.ok(loadConfig({ HOST: '0.0.0.0', COMPTOIR_TLS_CERT: 'c', COMPTOIR_TLS_KEY: 'k' }))
})

test('passwords inside addresses are hidden when the settings are shown', () => {
  const config = loadConfig({ DATABASE_URL: 'postgres://me:canary@db/comptoir', REDIS_URL: 'rediss://:canary@cache' })
  assert.ok(!JSON.stringify(shownConfig(config)).includes('canary'))
})

test('the settings of an API client in the environment are ignored by the server, and not shown', () => {
  const env = { COMPTOIR_URL: 'https://pos.example.com/v2', COMPTOIR_CLIENT_SECRET: 'canary', COMPTOIR_BRAND: '' }
  assert.deepEqual(clientSettings(env), { baseUrl: env.COMPTOIR_URL, clientSecret: 'canary' })
  assert.ok(!JSON.stringify(shownConfig(loadConfig(env))).includes('canary'))
})

test('docs/operating.md prints the settings as the schema has them (npm run docs writes it)', () => {
  const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')
  assert.ok(page.includes(settingsTable()))
})
