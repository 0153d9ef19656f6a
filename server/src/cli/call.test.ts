import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, beforeEach, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { comptoir, comptoirAlone, comptoirJson, type Serving, serving } from '../../test/command.ts'
import { type Installation, onEmbeddedEngine } from '../../test/database/engines.ts'

const BIN = fileURLToPath(new URL('../../bin/comptoir.js', import.meta.url))

interface Listed {
  data: { id: number; name: string; type: string; price?: number }[]
  pagination?: { total: number }
}

onEmbeddedEngine('comptoir call', (make) => {
  let installation: Installation
  let server: Serving
  let home: string
  let profile: string
  let here: { env: Record<string, string> }

  const naming = (file: string) => [
    'profile',
    'set',
    '--profile',
    file,
    '--url',
    `${server.url}/v2`,
    '--client-id',
    'demo-client',
    '--brand',
    'demo',
    '--integrator',
    'demo-integrator',
  ]
  const withSecret = (secret: string) => ({ env: { ...here.env, COMPTOIR_CLIENT_SECRET: secret } })
  const call = (...words: string[]) => comptoir(here, ['call', ...words])
  /** An environment that names the whole client. */
  const named = (secret: string) => ({
    env: {
      ...withSecret(secret).env,
      COMPTOIR_URL: `${server.url}/v2`,
      COMPTOIR_CLIENT_ID: 'demo-client',
      COMPTOIR_BRAND: 'demo',
      COMPTOIR_INTEGRATOR_ID: 'demo-integrator',
    },
  })

  const onTerminal = (words: string[]) =>
    promisify(execFile)('script', ['-qec', [process.execPath, BIN, ...words].join(' '), '/dev/null'], {
      env: { PATH: process.env.PATH, ...here.env },
    })

  before(async () => {
    installation = await make('demo')
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
      'GET',
      '/products',
      '--fields',
      'price,recipe',
      '--limit',
      '3',
      '--sort',
      'price:desc,name:asc',
      '--filters',
      '[["type","DISH"]]',
    )
    assert.equal(code, 0, stderr)
    const [headings, ...rows] = stdout.trimEnd().split('\n')
    assert.deepEqual(headings!.split(/\s+/), ['id', 'name', 'type', 'price', 'recipe'])
    assert.equal(rows.length, 3)
    for (const row of rows) assert.match(row, /^\d+ .* DISH +[\d.]+ +\p{L}.*(; \p{L}|… \(\d+\))/u) // what it is made of
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
    assert.equal((await comptoir(here, [...words, '--all'])).stderr, '') // no bar where there is no terminal
    assert.match((await call('GET', '/receipts/1', '--all')).stderr, /is not a list/)
  })

  test('--include brings what is related, and --venue goes to another venue', async () => {
    const lists = await comptoirJson<{ data: { prices: unknown[] }[] }>(here, [
      'call',
      'GET',
      '/price-lists',
      '--include',
      'prices',
    ])
    assert.ok(lists.data[0]!.prices.length > 0)
    const { stdout } = await call('GET', '/price-lists', '--include', 'prices', '--fields', 'name,prices')
    assert.match(stdout, new RegExp(`price [\\d.]+ product \\p{L}.*… \\(${lists.data[0]!.prices.length}\\)\n`, 'u'))
    const { code, stderr } = await call('GET', '/receipts/1', '--venue', '999')
    assert.equal(code, 1)
    assert.match(stderr, /^comptoir: [^\n]+\n$/)
  })

  test('a body is sent as an argument or from standard input; one object is shown as JSON', async () => {
    const words = ['call', 'POST', '/customers', '--idempotency-key', 'once', '--body']
    const first = await comptoir(here, [...words, '{"name":"Aysel"}'])
    const again = await comptoirAlone(here, [...words, '-'], '{"name":"Aysel"}')
    assert.equal(first.code, 0, first.stderr)
    assert.equal(JSON.parse(first.stdout).name, 'Aysel')
    assert.equal(again.stdout, first.stdout)
    assert.match((await comptoir(here, [...words, '{name'])).stderr, /^comptoir: --body is not JSON/)
  })

  test('a refusal of the service is printed as one line with its message', async () => {
    const { code, stdout, stderr } = await call('GET', '/products', '--fields', 'prize')
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^comptoir: [^\n]*prize[^\n]*\(request [^\n]+\)\n$/)
    assert.match((await call('FETCH', '/products')).stderr, /Allowed choices are GET/)
    assert.match((await call('GET', '/../docs')).stderr, /no path of the API/)
    assert.match((await call('POST', '/auth', '--body', '{}')).stderr, /signs in by itself/)
  })

  test('a wrong secret is one line, and is not in it', async () => {
    const wrong = await comptoir(named('canary-secret'), ['call', 'GET', '/products'])
    assert.deepEqual([wrong.code, wrong.stdout], [1, ''])
    assert.match(wrong.stderr, /^comptoir: Invalid credentials[^\n]*\n$/)
    const broken = join(home, 'broken.json')
    writeFileSync(broken, '{"clientSecret": canary-secret', { mode: 0o600 })
    const unread = await call('GET', '/products', '--profile', broken)
    assert.equal(unread.stderr, `comptoir: ${broken} is not a profile\n`)
    for (const text of [wrong.stderr, unread.stderr, server.logged()]) assert.ok(!text.includes('canary'), text)
  })

  test('the environment names the whole client or none of it', async () => {
    const elsewhere = { HOME: join(home, 'nobody') }
    const whole = await comptoir({ env: { ...named('demo-secret').env, ...elsewhere } }, ['call', 'GET', '/receipts/1'])
    assert.equal(whole.code, 0, whole.stderr)
    assert.throws(() => statSync(elsewhere.HOME)) // nothing is kept where there is no profile
    for (const absent of ['COMPTOIR_BRAND', 'COMPTOIR_CLIENT_SECRET']) {
      const { code, stderr } = await comptoir({ env: { ...named('demo-secret').env, [absent]: '' } }, [
        'call',
        'GET',
        '/receipts/1',
      ])
      assert.equal(code, 1)
      assert.equal(
        stderr,
        `comptoir: Some client variables are missing: set ${absent} too, or none of them to use the profile\n`,
      )
    }
    const half = await comptoir(withSecret('demo-secret'), ['call', 'GET', '/receipts/1'])
    const others = 'COMPTOIR_URL, COMPTOIR_CLIENT_ID, COMPTOIR_BRAND, COMPTOIR_INTEGRATOR_ID'
    assert.ok(half.stderr.includes(`set ${others} too`), half.stderr)
  })

  test('the help says where a secret goes, which is no argument', async () => {
    for (const words of [['call'], ['profile', 'set']]) {
      const { code, stdout } = await comptoir(here, [...words, '--help'])
      assert.equal(code, 0)
      assert.match(stdout, /COMPTOIR_CLIENT_SECRET/)
      assert.doesNotMatch(stdout, /--[a-z-]*(secret|password|token)/)
    }
  })

  describe('the token', () => {
    const file = () => join(home, 'kept', 'profile.json')
    const token = () => `${file()}.token`
    const kept = () => JSON.parse(readFileSync(token(), 'utf8')).token.token as string
    const read = () => call('GET', '/receipts/1', '--profile', file())
    /** How often the service was asked to sign somebody in, once it has logged all that came before. */
    const signIns = async () => {
      const { headers } = await fetch(`${server.url}/v2/`)
      const request = headers.get('x-request-id')!
      for (const end = Date.now() + 60_000; !server.logged().includes(request); await setTimeout(50))
        assert.ok(Date.now() < end, 'it was not logged within a minute')
      return server.logged().split('"route":"/v2/auth"').length - 1
    }

    beforeEach(async () => {
      await comptoirJson(withSecret('demo-secret'), naming(file()))
    })

    test('is kept from one run to the next, in a file that only its owner can read', async () => {
      assert.equal((await read()).code, 0)
      assert.equal(statSync(token()).mode & 0o777, 0o600)
      assert.deepEqual(readdirSync(join(home, 'kept')).sort(), ['profile.json', 'profile.json.token'])
      const [before, first] = [await signIns(), kept()]
      for (let run = 0; run < 3; run++) assert.equal((await read()).code, 0)
      assert.equal(await signIns(), before)
      assert.equal(kept(), first)
      assert.ok(!readFileSync(token(), 'utf8').includes('demo-secret'))
    })

    test('is not used for a profile that was changed, whatever was changed in it', async () => {
      await read()
      writeFileSync(file(), JSON.stringify({ ...JSON.parse(readFileSync(file(), 'utf8')), clientSecret: 'wrong' }))
      assert.match((await read()).stderr, /^comptoir: Invalid credentials/)
      await comptoirJson(withSecret('demo-secret'), naming(file()))
      assert.throws(kept)
    })

    test('is not believed where others could have written or read it', async () => {
      await read()
      const before = await signIns()
      chmodSync(token(), 0o644)
      assert.equal((await read()).code, 0)
      assert.equal(await signIns(), before + 1)
      assert.equal(statSync(token()).mode & 0o777, 0o600)
    })

    test('is removed when it is refused, and replaced as soon as somebody signs in', async () => {
      await read()
      const first = kept()
      const credentials = (verb: string) => comptoirJson(installation, ['credentials', verb, 'demo-client'])
      await credentials('disable')
      let refused = await read()
      for (const end = Date.now() + 60_000; refused.code === 0; refused = await read())
        assert.ok(Date.now() < end, 'it was not refused within a minute')
      assert.match(refused.stderr, /^comptoir: Client is disabled/)
      assert.throws(() => statSync(token()))

      await credentials('enable')
      for (const end = Date.now() + 60_000; (await read()).code !== 0; ) assert.ok(Date.now() < end)
      assert.notEqual(kept(), first)
    })

    test('that cannot be kept costs a sign-in, and no call', async () => {
      mkdirSync(token())
      assert.equal((await read()).code, 0)
      assert.deepEqual(readdirSync(join(home, 'kept')).sort(), ['profile.json', 'profile.json.token'])
      rmdirSync(token())
    })
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
