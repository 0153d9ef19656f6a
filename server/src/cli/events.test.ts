import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comptoir, comptoirJson, start } from '../../test/command.ts'
import { type Installation, onEachEngine } from '../../test/database/engines.ts'
import { MERGE_RULES } from '../events/merge.ts'
import { openDatabase } from '../storage/open.ts'

const ROWS = [
  { kind: 'venue', id: 1, name: 'Main', is_main: true },
  { kind: 'product', id: 1, name: 'Tea', type: 'PRODUCT' },
]

onEachEngine('the change feed, on the command line', (make) => {
  const put = (here: Installation, rows: object[]) =>
    comptoirJson(here, ['import', '--brand', 'bistro', '-'], rows.map((row) => `${JSON.stringify(row)}\n`).join(''))

  test('is printed as it grows, checked, and says when everything is to be read again', async () => {
    const here = await make()
    await comptoirJson(here, ['brand', 'add', 'bistro'])
    await put(here, ROWS)

    const tail = start(here, ['events', 'tail', '--brand', 'bistro', '--types', 'product.*,feed.resync', '--json'])
    const ended = new Promise<number | null>((resolve) => tail.once('close', resolve))
    let text = ''
    tail.stdout.setEncoding('utf8').on('data', (more) => {
      text += more
    })
    const printed = async (lines: number) => {
      for (const end = performance.now() + 60_000; text.split('\n').length <= lines; ) {
        assert.ok(performance.now() < end && tail.exitCode === null, text)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { type: string; position: number; data: { kinds?: string[] } })
    }
    assert.deepEqual(
      (await printed(1)).map(({ type }) => type),
      ['product.created'],
    )
    const { kinds } = await comptoirJson<{ kinds: string[] }>(here, ['events', 'resync', '--brand', 'bistro'])
    const [, resync] = await printed(2)
    assert.deepEqual([resync!.type, resync!.data.kinds], ['feed.resync', kinds])
    assert.ok(kinds.includes('product'))
    tail.kill('SIGTERM')
    assert.equal(await ended, 0)

    const sound = await comptoirJson<object[]>(here, ['events', 'verify'])
    assert.deepEqual(sound, [{ brand: 'bistro', events: 6, first: 1, last: 6, problem: null }])
    const db = await openDatabase(here.config, 'command', MERGE_RULES)
    const change = (statement: string) => db.transaction((tx) => tx.run(statement, []))
    try {
      for (const [statement, back, problem] of [
        [
          'update events set position = 99 where position = 3',
          'update events set position = 3 where position = 99',
          /position 3 is missing/,
        ],
        [
          `update events set at = '2000-01-01T00:00:00.000Z' where position = 5`,
          `update events set at = (select at from events where position = 4) where position = 5`,
          /time of position 5/,
        ],
        ['update events set nonce = -1 where position = 2', 'update events set nonce = 1 where position = 2', /id of/],
      ] as const) {
        await change(statement)
        const { code, stderr } = await comptoir(here, ['events', 'verify'])
        assert.equal(code, 1)
        assert.match(stderr, problem)
        if (statement.includes('position = 99')) {
          const told = await comptoir(here, ['events', 'tail', '--brand', 'bistro'])
          assert.equal(told.code, 1)
          assert.match(told.stderr, /The feed of bistro is broken: .* lacks position/)
        }
        await change(back)
      }
    } finally {
      await db.close()
    }
    assert.match((await comptoir(here, ['events', 'verify'])).stdout, /bistro +6 +1 +6 +sound/)
  })

  test('a mistake is said in a sentence, and --help tells what there is', async () => {
    const here = await make()
    for (const [words, sentence] of [
      [['events', 'tail', '--brand', 'nowhere'], /There is no brand "nowhere"/],
      [['events', 'tail', '--brand', 'x', '--types', 'unicorn.*'], /There is no event type "unicorn\.\*"/],
      [['events', 'resync'], /--brand/],
    ] as const) {
      const { code, stderr } = await comptoir(here, [...words])
      assert.equal(code, 1)
      assert.match(stderr, sentence)
    }
    const { stdout } = await comptoir(here, ['events', '--help'])
    for (const name of ['tail', 'verify', 'resync']) assert.match(stdout, new RegExp(`^  ${name} `, 'm'))
  })
})
