import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { onEachEngine } from '../../test/database/engines.ts'
import { MERGE_RULES } from '../events/merge.ts'
import { openDatabase } from './open.ts'
import { exchange } from './postgres/exchange.ts'
import { prepared } from './postgres/queries.ts'
import { StatementCache } from './statement-cache.ts'

test('what is used stays, what is not goes, and nothing is dropped that can still be had', () => {
  const dropped = new Set<string>()
  const cache = new StatementCache<number>((key) => dropped.add(key))
  cache.add('hot', -1)
  for (let number = 0; number < 2_000; number++) {
    cache.add(`once ${number}`, number)
    assert.equal(cache.get('hot'), -1)
  }
  const kept = Array.from({ length: 2_000 }, (_, number) => `once ${number}`).filter((key) => !dropped.has(key))
  assert.ok(kept.length <= 1_000, `${kept.length} are kept`)
  for (const key of kept.slice(-100)) assert.notEqual(cache.get(key), undefined)
  assert.equal(cache.get('once 0'), undefined)
  assert.ok(!dropped.has('hot'))
})

test('a ? stands for a value; in a literal, a quoted name or a comment it is refused', () => {
  assert.equal(prepared(`select '', 'it''s', "a" from b where c = ? and d = ?`).text.match(/\$\d/g)!.join(), '$1,$2')
  for (const text of [`select '?', ?`, `select 'it''s ?', ?`, 'select "?", ?', 'select ? -- or ?'])
    assert.throws(() => prepared(text), /A \? inside a literal or a comment/)
})

onEachEngine('prepared statements', (make, engine) => {
  const MOST = 1_010 // two generations, and what is not counted among them
  const open = async (t: TestContext) => {
    const db = await openDatabase((await make()).config, 'command', MERGE_RULES)
    t.after(() => db.close())
    return db
  }

  test('one that is in use stays prepared, however many shapes are asked once', async (t) => {
    const db = await open(t)
    await db.transaction(async (tx) => {
      const ask = async (text: string) => (await tx.rows<{ n: number }>(text, [7]))[0]?.n
      for (let number = 0; number < 2_200; number++) {
        assert.equal(await ask(`select cast(? as bigint) + ${number} as n`), 7 + number)
        assert.equal(await ask('select cast(? as bigint) as n'), 7)
      }
      assert.equal(await ask('select cast(? as bigint) + 0 as n'), 7) // one that was dropped
      if (engine === 'SQLite') return // it does not tell what it has prepared
      const kept = await tx.texts(
        "select statement from pg_prepared_statements where statement like '%as bigint)%' order by prepare_time",
        [],
      )
      assert.ok(kept.length <= MOST, `${kept.length} are prepared`)
      assert.equal(kept[0], 'select cast($1 as bigint) as n')
    })
  })

  test('more than are kept, asked together and some of them twice, are all answered', async (t) => {
    const db = await open(t)
    const texts = Array.from({ length: 1_300 }, (_, number) => `select cast(? as bigint) * ${number} as n${number}`)
    const statements = [...texts, ...texts.slice(0, 100), ...texts.slice(-100)]
    for (let round = 0; round < 3; round++)
      await db.transaction(async (tx) => {
        const rows = await Promise.all(statements.map((text) => tx.rows<object>(text, [2])))
        assert.deepEqual(
          rows.map(([row]) => ({ ...row })),
          statements.map((text) => {
            const number = Number(/\d+$/.exec(text)![0])
            return { [`n${number}`]: 2 * number }
          }),
        )
      })
  })

  if (engine === 'SQLite') return

  test('one that is dropped and asked again in one message stays prepared', async (t) => {
    const client = new pg.Client({ connectionString: (await make()).env.DATABASE_URL! })
    await client.connect()
    t.after(() => client.end())
    const ask = async (...numbers: number[]) => {
      const statements = numbers.map((number) => ({ name: `s${number}`, text: `select ${number}`, values: [] }))
      return (await exchange(client, statements)).map(({ rows }) => rows[0]![0])
    }
    for (let number = 0; number < 1_000; number++) await ask(number) // both generations are full
    assert.deepEqual(await ask(0, 1), [0, 1]) // the first makes the second go
    assert.deepEqual(await ask(0, 1), [0, 1])
  })

  test('one that is refused when it is asked first is not kept', async (t) => {
    const db = await open(t)
    for (let number = 0; number < 600; number++)
      for (const attempt of ['first', 'again']) {
        const text = `select ${number} from (select cast(? as bigint) as n) as t where n / 0 = 1`
        await assert.rejects(db.rows(text, [7]), /division by zero/, attempt)
      }
    const [row] = await db.rows<{ kept: number }>('select count(*) as kept from pg_prepared_statements', [])
    assert.ok(row!.kept < 50, `${row!.kept} are prepared`)
  })
})
