import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { comptoir, comptoirJson, type Serving, serving } from '../../test/command.ts'
import { onEmbeddedEngine } from '../../test/engines.ts'

const BIN = fileURLToPath(new URL('../../bin/comptoir.js', import.meta.url))

interface Listed {
  data: { id: number; name: string; type: string; price?: number }[]
  pagination?: { total: number }
}

onEmbeddedEngine('comptoir call', (make) => {
  let server: Serving
  let home: string
  let profile: string
  let here: { env: Record<string, string> }

  const naming = (file: string) => [
    ...['profile', 'set', '--profile', file, '--url', `${server.url}/v2`, '--client-id', 'demo-client'],
    ...['--brand', 'demo', '--integrator', 'demo-integrator'],
  ]
  const withSecret = (secret: string) => ({ env: { ...here.env, COMPTOIR_CLIENT_SECRET: secret } })
  const call = (...words: string[]) => comptoir(here, ['call', ...words])

  const onTerminal = (words: string[]) =>
    promisify(execFile)('script', ['-qec', [process.execPath, BIN, ...words].join(' '), '/dev/null'], {
      env: { PATH: process.env.PATH, ...here.env },
    })

  before(async () => {
    const installation = await make()
    server = await serving(installation, ['--demo'])
    home = join(installation.env.COMPTOIR_DATA!, '..')
    here = { env: { HOME: home } }
    profile = join(home, '.config', 'comptoir', 'profile.json')
    await comptoirJson(withSecret('demo-secret'), naming(profile))
  })

  test('profile set writes a file that only its owner can read', async () => {
    assert.equal(statSync(profile).mode & 0o777, 0o600)
    const open = join(home, 'open.json')
    writeFileSync(open, '{}', { mode: 0o644 })
    const { code, stdout, stderr } = await comptoir(withSecret('demo-secret'), naming(open))
    assert.deepEqual([code, stdout, stderr], [0, `The profile is in ${open}.\n`, ''])
    assert.equal(statSync(open).mode & 0o777, 0o600)
    assert.equal(JSON.parse(readFileSync(open, 'utf8')).clientSecret, 'demo-secret')

    chmodSync(open, 0o640)
    const refused = await call('GET', '/products', '--profile', open)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^comptoir: Others can read .*chmod 600/)
  })

  test('the secret is typed unseen, or refused where nobody can type', async () => {
    const file = join(home, 'typed.json')
    const typing = onTerminal(naming(file))
    typing.child.stdout!.on('data', (text) => /secret: $/.test(text) && typing.child.stdin!.end('typed-secret\r'))
    const { stdout } = await typing
    assert.match(stdout, /^Client secret: \s+The profile is in/)
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).clientSecret, 'typed-secret')

    const { code, stderr } = await comptoir(here, naming(file))
    assert.equal(code, 1)
    assert.match(stderr, /set COMPTOIR_CLIENT_SECRET\n$/)
    assert.match((await comptoir(here, [...naming(file), '--secret', 'x'])).stderr, /unknown option '--secret'/)
  })

  test('a list is a table, and says that there is more', async () => {
    const { code, stdout, stderr } = await call(
      ...['GET', '/products', '--fields', 'price,recipe', '--limit', '3', '--sort', 'price:desc,name:asc'],
      ...['--filters', '[["type","DISH"]]'],
    )
    assert.equal(code, 0, stderr)
    const [headings, ...rows] = stdout.trimEnd().split('\n')
    assert.deepEqual(headings!.split(/\s+/), ['id', 'name', 'type', 'price', 'recipe'])
    assert.equal(rows.length, 3)
    for (const row of rows) assert.match(row, /^\d+ .* DISH +[\d.]+ +\[\d+\]$/)
    assert.match(stderr, /^Page 1 of \d+; --page or --all gives more\.\n$/)
  })

  test('--json is the answer as it came, --all one list of every page', async () => {
    const words = ['call', 'GET', '/products', '--fields', 'name', '--limit', '7']
    const second = await comptoirJson<Listed>(here, [...words, '--page', '2'])
    const all = await comptoirJson<Listed>(here, [...words, '--all'])
    assert.equal(second.data.length, 7)
    assert.equal(all.data.length, second.pagination!.total)
    assert.deepEqual(all.data.slice(7, 14), second.data)
    assert.equal(new Set(all.data.map(({ id }) => id)).size, all.data.length)
    assert.match((await onTerminal([...words, '--all'])).stdout, /GET \/products █+░* \d+ %/)
    assert.match((await call('GET', '/receipts/1', '--all')).stderr, /is not a list/)
  })

  test('--include brings what is related, and --venue goes to another venue', async () => {
    const lists = await comptoirJson<{ data: { prices: unknown[] }[] }>(here, [
      ...['call', 'GET', '/price-lists', '--include', 'prices'],
    ])
    assert.ok(lists.data[0]!.prices.length > 0)
    const { code, stderr } = await call('GET', '/receipts/1', '--venue', '999')
    assert.equal(code, 1)
    assert.match(stderr, /^comptoir: [^\n]+\n$/)
  })

  test('a body is sent as an argument or from standard input; one object is shown as JSON', async () => {
    const words = ['call', 'POST', '/customers', '--idempotency-key', 'once', '--body']
    const first = await comptoir(here, [...words, '{"name":"Aysel"}'])
    const again = await comptoir(here, [...words, '-'], '{"name":"Aysel"}')
    assert.equal(first.code, 0, first.stderr)
    assert.equal(JSON.parse(first.stdout).name, 'Aysel')
    assert.equal(again.stdout, first.stdout)
    assert.match((await comptoir(here, [...words, '{name'])).stderr, /^comptoir: --body is not JSON/)
  })

  test('what the service refuses is one line with what it said', async () => {
    const { code, stdout, stderr } = await call('GET', '/products', '--fields', 'prize')
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^comptoir: [^\n]*prize[^\n]*\(request [^\n]+\)\n$/)
    assert.match((await call('FETCH', '/products')).stderr, /Allowed choices are GET/)
    assert.match((await call('GET', '/../docs')).stderr, /no path of the API/)
    assert.match((await call('POST', '/auth', '--body', '{}')).stderr, /signs in by itself/)
  })

  test('a wrong secret is one line, and is not in it', async () => {
    const wrong = await comptoir(withSecret('canary-secret'), ['call', 'GET', '/products'])
    assert.deepEqual([wrong.code, wrong.stdout], [1, ''])
    assert.match(wrong.stderr, /^comptoir: Invalid credentials[^\n]*\n$/)
    const broken = join(home, 'broken.json')
    writeFileSync(broken, '{"clientSecret": canary-secret', { mode: 0o600 })
    const unread = await call('GET', '/products', '--profile', broken)
    assert.equal(unread.stderr, `comptoir: ${broken} is not a profile\n`)
    for (const text of [wrong.stderr, unread.stderr, server.logged()]) assert.ok(!text.includes('canary'), text)
  })

  test('a client whose secret would travel in the clear is not set up', async () => {
    const file = join(home, 'clear.json')
    const words = naming(file).map((word) => word.replace(server.url, 'http://pos.example.com'))
    const { code, stderr } = await comptoir(withSecret('demo-secret'), words)
    assert.equal(code, 1)
    assert.match(stderr, /must be https/)
    assert.throws(() => statSync(file))
    assert.match((await call('GET', '/products', '--profile', file)).stderr, /comptoir profile set makes it/)
  })
})
