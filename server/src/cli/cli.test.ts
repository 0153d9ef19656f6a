import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { comptoir, comptoirAlone, comptoirJson, serving, start } from '../../test/command.ts'
import { onEachEngine } from '../../test/database/engines.ts'
import { until } from '../../test/until.ts'
import { MERGE_RULES } from '../events/merge.ts'
import { openDatabase } from '../storage/open.ts'

const rows = (...objects: object[]) => objects.map((object) => `${JSON.stringify(object)}\n`).join('')
const staff = rows(
  { kind: 'venue', id: 1, name: 'Main', is_main: true },
  { kind: 'role', id: 1, name: 'Owner', permissions: ['*'] },
  { kind: 'user', id: 1, username: 'owner', role_id: 1 },
)

onEachEngine('the command line', (make, engine) => {
  test('builds a brand that can be integrated with, step by step', async () => {
    const here = await make()
    await comptoirJson(here, ['brand', 'add', 'bistro', '--name', 'Le Bistro', '--test'])
    const { integrator_id } = await comptoirJson<{ integrator_id: string }>(here, ['integrator', 'add', 'Hub'])
    assert.match(integrator_id, /^int_/)
    const imported = await comptoirJson(here, ['import', '--brand', 'bistro', '-'], staff)
    assert.deepEqual(imported, { rows: 3, kinds: { venue: 1, role: 1, user: 1 } })
    const created = await comptoirJson<{ client_id: string; client_secret: string }>(here, [
      'credentials',
      'create',
      '--brand',
      'bistro',
      '--user',
      'owner',
    ])
    assert.deepEqual(Object.keys(created), ['client_id', 'client_secret'])
    await comptoirJson(here, ['credentials', 'disable', created.client_id])
    const rotated = await comptoirJson<{ client_secret: string }>(here, [
      'credentials',
      'rotate',
      created.client_id,
      '--overlap',
      '60',
    ])
    assert.notEqual(rotated.client_secret, created.client_secret)
    await comptoirJson(here, ['brand', 'set', 'bistro', '--live', '--integrator', integrator_id, '--quota', '5000'])
    await comptoirJson(here, ['integrator', 'set', integrator_id, '--inactive', '--test'])
    await comptoirJson(here, ['keys', 'rotate'])
    assert.deepEqual(
      (await comptoirJson<{ slug: string; test: boolean }[]>(here, ['brand', 'list'])).map(({ slug, test: mode }) => [
        slug,
        mode,
      ]),
      [['bistro', false]],
    )
    assert.deepEqual(
      (await comptoirJson<{ enabled: boolean }[]>(here, ['credentials', 'list', '--brand', 'bistro'])).map(
        ({ enabled }) => enabled,
      ),
      [false],
    )
    const { intact } = await comptoirJson<{ intact: boolean }>(here, ['audit', 'verify'])
    assert.ok(intact)
    const { stdout } = await comptoir(here, ['export', '--brand', 'bistro'])
    assert.match(stdout, /^\{"kind":"venue","id":1,"name":"Main","is_main":true,"time_zone":"UTC",/)
  })

  test('`audit books` names what is broken and ends with status 1', async () => {
    const here = await make()
    await comptoir(here, ['brand', 'add', 'bistro'])
    const open = { kind: 'receipt', id: 7, venue_id: 1, status: 1, total: 5, paid: 3, payment_methods: [] }
    await comptoirJson(here, ['import', '--brand', 'bistro', '-'], staff + rows(open))
    const { code, stdout } = await comptoir(here, ['audit', 'books', '--brand', 'bistro'])
    assert.equal(code, 1)
    assert.match(stdout, /bistro +I3 +receipt 7 +the payments add up to 0, and paid is 3/)
    await comptoirJson(here, ['import', '--brand', 'bistro', '-'], rows({ ...open, paid: 0 }))
    assert.match((await comptoir(here, ['audit', 'books'])).stdout, /The books are sound: 1 receipts\./)
    assert.match((await comptoir(here, ['audit', 'books', '--brand', 'none'])).stderr, /There is no brand none/)
  })

  test('`audit verify --expect` finds rows that were cut off the end, which the chain alone does not show', async () => {
    const here = await make()
    for (const slug of ['one', 'two', 'three']) await comptoir(here, ['brand', 'add', slug])
    const { last } = await comptoirJson<{ last: string }>(here, ['audit', 'verify'])
    assert.match(last, /^3:[\da-f]{64}$/)
    assert.match((await comptoir(here, ['audit', 'verify'])).stdout, new RegExp(`The last row is ${last}:`))
    await comptoir(here, ['brand', 'add', 'four'])
    assert.equal((await comptoir(here, ['audit', 'verify', '--expect', last])).code, 0)

    const db = await openDatabase(here.config, 'command', MERGE_RULES)
    await db.transaction(async (tx) => {
      await tx.run('delete from audit where id > 2', [])
      await tx.run('update directory_version set version = 2', [])
    })
    await db.close()
    assert.equal((await comptoir(here, ['audit', 'verify'])).code, 0)
    const cut = await comptoir(here, ['audit', 'verify', '--expect', last])
    assert.deepEqual([cut.code, cut.stderr.includes('broken at row 3')], [1, true])
    const { intact, broken_at } = JSON.parse(
      (await comptoir(here, ['audit', 'verify', '--json', '--expect', last])).stdout,
    )
    assert.deepEqual([intact, broken_at], [false, 3])
    assert.notEqual((await comptoir(here, ['audit', 'verify', '--expect', '3'])).code, 0)
  })

  test('`--json` counts anywhere on the line', async () => {
    const here = await make()
    for (const words of [
      ['--json', 'brand', 'list'],
      ['brand', '--json', 'list'],
      ['brand', 'list', '--json'],
    ])
      assert.equal((await comptoir(here, words)).stdout, '[]\n')
  })

  test('serves beside other commands, and leaves in good order on SIGTERM', async () => {
    const here = await make()
    const server = await serving(here)
    assert.equal((await fetch(`${server.url}/health/live`)).status, 200)
    assert.equal((await fetch(`${server.url}/health/ready`)).status, 200)
    await comptoirJson(here, ['brand', 'add', 'bistro'])
    if (engine === 'SQLite') {
      const copy = join(here.config.COMPTOIR_DATA, 'copy.db')
      await comptoirJson(here, ['backup', copy])
      assert.equal(statSync(copy).mode & 0o777, 0o600)
    } else assert.match((await comptoir(here, ['backup', 'copy.db'])).stderr, /pg_dump/)
    assert.equal(await server.stop(), 0)
  })

  const mistakes: [what: string, words: string[], said: RegExp, input?: string][] = [
    ['an unknown command', ['frobnicate'], /unknown command 'frobnicate'/],
    ['an unknown option', ['brand', 'list', '--wat'], /unknown option '--wat'/],
    ['a missing argument', ['brand', 'add'], /missing required argument 'slug'/],
    ['a file that is not there', ['import', '--brand', 'bistro', 'nowhere.ndjson'], /nowhere\.ndjson cannot be read/],
    ['a folder for a file', ['import', '--brand', 'bistro', '.'], /is a folder/],
    ['an export as one document', ['export', '--brand', 'bistro', '--json'], /export writes NDJSON.*leave out --json/],
    [
      'broken NDJSON',
      ['import', '--brand', 'bistro', '-'],
      /-:2: not JSON/,
      `${rows({ kind: 'venue', id: 1, name: 'x' })}{"kind":\n`,
    ],
    ['an unknown kind', ['import', '--brand', 'bistro', '-'], /-:1: kind must be one of/, rows({ kind: 'ship' })],
    [
      'a dangling reference',
      ['import', '--brand', 'bistro', '-'],
      /-:1: .*points at no row/,
      rows({ kind: 'receipt', id: 1, venue_id: 4 }),
    ],
    ['bytes that are not UTF-8', ['import', '--brand', 'bistro', '-'], /-:1: the file is not UTF-8/, '\u{fffd}'],
    ['a brand that is not there', ['export', '--brand', 'nobody'], /There is no brand "nobody"/],
    ['a duplicate slug', ['brand', 'add', 'bistro'], /already a brand "bistro"/],
    ['a slug that cannot be one', ['brand', 'add', 'Le Bistro!'], /cannot be a brand's slug/],
    ['a quota that is no number', ['brand', 'set', 'bistro', '--integrator', 'x', '--quota', 'many'], /whole number/],
    ['two options that exclude each other', ['brand', 'set', 'bistro', '--test', '--live'], /exclude each other/],
    ['nothing to change', ['integrator', 'set', 'x'], /say what to change/],
  ]
  test('answers a mistake with one line on stderr and exit code 1, and stores nothing', async (t) => {
    const here = await make()
    await comptoirJson(here, ['brand', 'add', 'bistro'])
    const before = (await comptoir(here, ['export', '--brand', 'bistro'])).stdout
    for (const [what, words, said, input] of mistakes)
      await t.test(what, async () => {
        const bytes = what.startsWith('bytes') ? Buffer.from([0x7b, 0xff, 0xfe, 0x0a]) : input
        const run = what.startsWith('un') ? comptoirAlone : comptoir // some by themselves: an exit code is a process's
        const { code, stdout, stderr } = await run(here, words, bytes)
        assert.equal(code, 1)
        assert.equal(stdout, '')
        assert.match(stderr, said)
        assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
        assert.ok(!stderr.includes('    at '), stderr)
      })
    assert.equal((await comptoir(here, ['export', '--brand', 'bistro'])).stdout, before)
  })

  test('a service without brands offers its setup once; a brand that is added for it gets a link of its own', async () => {
    const here = await make()
    const LINK = /http:\/\/127\.0\.0\.1:\d+\/back-office\/setup#[\w-]{43}/
    const first = await serving(here)
    const offered = () => first.logged().split('"msg":"setup"').length > 1 && /link is good once/.test(first.logged())
    await until(async () => offered(), 'no link is offered')
    assert.match(first.logged(), LINK)
    await first.stop()

    const json = await serving(here, ['--json'])
    await until(async () => json.logged().includes('"msg":"setup"'), 'no link is logged')
    assert.doesNotMatch(json.logged(), /link is good once/)
    for (const line of json.logged().trim().split('\n')) JSON.parse(line)
    await json.stop()

    const add = ['brand', 'add', 'bistro', '--setup', '--origin', 'https://pos.example.com']
    const links = [await comptoirJson<{ link: string }>(here, add), await comptoirJson<{ link: string }>(here, add)]
    assert.notEqual(links[0]!.link, links[1]!.link, 'the second replaces the first')
    assert.match(links[1]!.link, /^https:\/\/pos\.example\.com\/back-office\/setup#[\w-]{43}$/)
    const later = await serving(here)
    assert.doesNotMatch(later.logged(), /"msg":"setup"/)
    await later.stop()
    await comptoirJson(here, ['import', '--brand', 'bistro', '-'], staff)
    assert.match((await comptoir(here, add)).stderr, /Brand "bistro" is set up already/)
    assert.match((await comptoir(here, ['brand', 'add', 'x', '--origin', 'https://x'])).stderr, /goes with --setup/)
  })

  test('a port in use is said in a sentence', async () => {
    const here = await make()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const { code, stderr } = await comptoir({ env: { ...here.env, PORT: String(port) } }, ['serve'])
    other.close()
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`^comptoir: Port ${port} on 127\\.0\\.0\\.1 is in use[^\\n]*\\n$`))
  })

  test('a key ring that does not fit the database is said in a sentence', async () => {
    const [here, other] = [await make(), await make()]
    for (const installation of [here, other]) {
      await comptoirJson(installation, ['brand', 'add', 'bistro'])
      await comptoirJson(installation, ['keys', 'rotate'])
    }
    const { code, stderr } = await comptoir({ env: { ...here.env, COMPTOIR_KEYS: other.config.COMPTOIR_KEYS } }, [
      'serve',
    ])
    assert.equal(code, 1)
    assert.match(stderr, /does not fit this database/)
  })

  if (engine === 'SQLite') {
    test('a second server on one data folder is refused with the holder’s process id', async () => {
      const here = await make()
      const server = await serving(here)
      const { code, stderr } = await comptoir(here, ['serve'])
      assert.equal(code, 1)
      assert.match(stderr, new RegExp(`already served by process ${server.pid}\\n$`))
      assert.equal(await server.stop(), 0)
    })

    test('a server that was killed does not keep the folder', async () => {
      const here = await make()
      const first = await serving(here)
      await first.stop('SIGKILL')
      const second = await serving(here)
      assert.equal(await second.stop(), 0)
    })

    test('a data folder that cannot be written is said in a sentence', async () => {
      const here = await make()
      writeFileSync(`${here.config.COMPTOIR_DATA}-file`, '')
      const env = { ...here.env, COMPTOIR_DATA: `${here.config.COMPTOIR_DATA}-file/data` }
      const { code, stderr } = await comptoir({ env }, ['brand', 'list'])
      assert.equal(code, 1)
      assert.match(stderr, /^comptoir: The data folder [^\n]* cannot be written[^\n]*\n$/)
    })

    test('an unreachable PostgreSQL is said in a sentence', async () => {
      const { env } = await make()
      const { code, stderr } = await comptoir({ env: { ...env, DATABASE_URL: 'postgres://x@127.0.0.1:1/x' } }, [
        'brand',
        'list',
      ])
      assert.equal(code, 1)
      assert.match(stderr, /^comptoir: PostgreSQL cannot be reached[^\n]*\n$/)
    })

    test('imports a large file with flat memory, and not row by row', async () => {
      const here = await make()
      await comptoirJson(here, ['brand', 'add', 'bistro'])
      const file = `${here.config.COMPTOIR_DATA}-large.ndjson`
      const line = (id: number) => ({
        kind: 'receipt',
        id,
        venue_id: 1,
        user_id: 1,
        status: 2,
        total: id / 100,
        subtotal: id / 100,
        created_at: '2026-01-01T10:00:00.000Z',
        payment_methods: [{ id: 1, name: 'Cash', amount: id / 100 }],
      })
      mkdirSync(here.config.COMPTOIR_DATA, { recursive: true })
      writeFileSync(file, staff + rows(...Array.from({ length: 60_000 }, (_, index) => line(index + 1))))
      const child = start(here, ['import', '--brand', 'bistro', file, '--json'])
      let largest = 0
      let seconds = 0
      const watch = setInterval(() => {
        largest = Math.max(largest, residentKiB(child.pid!))
        seconds = Math.max(seconds, processorSeconds(child.pid!))
      }, 50)
      const code = await new Promise((resolve) => child.once('close', resolve))
      clearInterval(watch)
      assert.equal(code, 0)
      process.stdout.write(
        `imported ${Math.round(60_003 / seconds)} rows a second of a processor, start included, ${Math.round(largest / 1024)} MiB at most\n`,
      )
      assert.ok(largest < 400 * 1024, `${largest} KiB`)
      assert.ok(60_003 / seconds > 1_000, `${60_003 / seconds} rows a second`) // 10,000 and more; processor time, so that others do not count
    })
  }
})

function residentKiB(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** User and system time; the clock of /proc ticks 100 times a second on every Linux that Node runs on. */
function processorSeconds(pid: number): number {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13)
    return (Number(user) + Number(system)) / 100
  } catch {
    return 0
  }
}
