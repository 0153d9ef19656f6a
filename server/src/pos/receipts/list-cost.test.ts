import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { before, test } from 'node:test'
import { api } from '../../../test/api.ts'
import { type Installation, onEachEngine } from '../../../test/database/engines.ts'
import { buildApp } from '../../app.ts'
import { MERGE_RULES } from '../../events/merge.ts'
import { recount } from '../../resource/write/counters.ts'
import { receipts } from '../../resources/sales/receipts.ts'
import type { Database, Value } from '../../storage/database.ts'
import { openDatabase } from '../../storage/open.ts'

// P3: what a list of receipts costs depends on the page, not on the table. Rows that a query visits are counted, not milliseconds.

const DAYS = 100
/** With RECEIPTS_A_DAY=10800 the table has over a million, which takes some minutes to fill. */
const PER_DAY = Number(process.env.RECEIPTS_A_DAY ?? 200)
const LIMIT = 20
/** A page is ordered as ids and then fetched; a walk looks one row ahead. */
const VISITED = 3 * (LIMIT + 1)

onEachEngine('the cost of a list of receipts', (make, engine) => {
  let installation: Installation
  const { brand, running } = api(async () => (installation = await make()))
  let client: Awaited<ReturnType<typeof brand>>
  let db: Database

  before(async () => {
    client = await brand({
      rows: [{ kind: 'receipt', id: 1, venue_id: 1, status: 2, created_at: '2020-01-01T00:00:00.000Z' }],
    })
    db = (await running()).deps.db
    const filler = await openDatabase(installation.config, 'command', MERGE_RULES) // a command has no deadline
    await filler.transaction(async (tx) => {
      await tx.run(multiplied(engine), [client.id])
      await recount(tx, client.id, receipts)
    })
    await filler.transaction((tx) => tx.run('analyze', []))
    await filler.close()
  })

  /** The queries that a request asks of receipts. */
  async function queriesOf(path: string): Promise<{ text: string; values: readonly Value[] }[]> {
    const statements: { text: string; values: readonly Value[] }[] = []
    const noted = (text: string, values: readonly Value[]) => {
      if (text.includes('from receipts')) statements.push({ text, values })
    }
    const { deps } = await running()
    const app = buildApp({
      ...deps,
      db: {
        ...deps.db,
        rows(text, values) {
          noted(text, values)
          return deps.db.rows(text, values)
        },
        scan(owner, table, text, values) {
          noted(text, values)
          return deps.db.scan(owner, table, text, values)
        },
      },
    })
    const { statusCode, body } = await app.inject({ url: `/v2${path}`, headers: { 'x-token': client.token } })
    assert.equal(statusCode, 200, body)
    assert.equal(JSON.parse(body).data.length, LIMIT)
    await app.close()
    return statements
  }

  const visited = async (path: string) => {
    let rows = 0
    for (const { text, values } of await queriesOf(path))
      rows +=
        engine === 'SQLite'
          ? visitedBySqlite(installation, text.replaceAll(db.dialect.checkpoint, ' and visited()'), values)
          : await visitedByPostgres(db, text, values)
    return rows
  }

  const day = '2026-02-10'
  const changed = encodeURIComponent(JSON.stringify([['updated_at', '>=', `${day}T00:00:00Z`]]))
  for (const [name, path] of [
    ['the newest', '/receipts?'],
    ['a day', `/receipts?date[0]=${day}&date[1]=${day}`],
    ['the days since', `/receipts?date[0]=${day}`],
    ['a walk over a day', `/receipts?after=&date[0]=${day}&date[1]=${day}`],
    ['a walk over what changed', `/receipts?after=&sort[0][0]=updated_at&sort[0][1]=asc&filters=${changed}`],
    ['the last that changed', '/receipts?sort[0][0]=updated_at&sort[0][1]=desc'],
  ] as const)
    test(`${name}: as many rows are visited as the page has, of ${DAYS * PER_DAY}`, async () => {
      const rows = await visited(`${path}&limit=${LIMIT}`)
      assert.ok(rows >= LIMIT && rows <= VISITED, `${rows} rows`)
    })

  test('totals of days are kept right by imports and sales', async () => {
    const total = async (query: string) => (await client.get(`/receipts?limit=1&${query}`)).body.total
    assert.equal(await total(`date[0]=${day}&date[1]=${day}`), PER_DAY)
    assert.equal(await total(`date[0]=${day}`), PER_DAY * 60)
    assert.equal(await total(`date[1]=${day}`), PER_DAY * 41 + 1)
    assert.equal(await total(`date[0]=${day}T00:00:00Z&date[1]=${day}T11:59:59.999Z`), PER_DAY / 2, 'part of a day')
    assert.equal(await total(`date[0]=${day}&date[1]=${day}&venue=all`), PER_DAY)
    await client.put({ kind: 'receipt', id: 9_000_001, venue_id: 1, created_at: `${day}T12:00:00.000Z` })
    assert.equal(await total(`date[0]=${day}&date[1]=${day}`), PER_DAY + 1)
    await client.put({ kind: 'receipt', id: 9_000_001, venue_id: 1, created_at: '2026-02-11T12:00:00.000Z' })
    assert.equal(await total(`date[0]=${day}&date[1]=${day}`), PER_DAY)
    assert.equal(await total('date[0]=2026-02-11&date[1]=2026-02-11'), PER_DAY + 1)
  })
})

/** Many receipts of one venue, made of the first: so many each day from 2026-01-01, changed in the order of their ids. */
function multiplied(engine: 'SQLite' | 'PostgreSQL'): string {
  const numbers =
    engine === 'SQLite'
      ? `with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${DAYS * PER_DAY - 1})`
      : `with numbers as (select n from generate_series(0, ${DAYS * PER_DAY - 1}) as n)`
  const days = `n / ${PER_DAY}`
  const filter =
    engine === 'SQLite'
      ? `strftime('%Y-%m-%dT%H:%M:%S.000Z', '2026-01-01', '+' || (${days}) || ' days', '+' || ((n % ${PER_DAY}) * ${86_400 / PER_DAY}) || ' seconds')`
      : `to_char(timestamp '2026-01-01' + make_interval(days => (${days})::int, secs => (n % ${PER_DAY}) * ${86_400 / PER_DAY}), 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`
  return `${numbers}
    insert into receipts
      (brand_id, id, venue_id, status, total, created_at, updated_at, shift_date, version, rule, details, body)
    select brand_id, 10 + n, venue_id, status, total, ${filter}, ${filter}, substr(${filter}, 1, 10), version, rule, details,
      replace(body, '"id":1,', '"id":' || (10 + n) || ',') from receipts cross join numbers where brand_id = ? and id = 1`
}

/** A long read asks for its deadline as it goes: rows are counted in that place. */
function visitedBySqlite({ config }: Installation, text: string, values: readonly Value[]): number {
  let rows = 0
  const file = new DatabaseSync(join(config.COMPTOIR_DATA, 'comptoir.db'), { readOnly: true })
  file.function('visited', () => {
    rows += 1
    return 1
  })
  assert.ok(text.includes('visited()'), text)
  file.prepare(text).all(...(values as SQLInputValue[]))
  file.close()
  return rows
}

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

async function visitedByPostgres(db: Database, text: string, values: readonly Value[]): Promise<number> {
  const [explained] = await db.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, format json) ${text}`,
    values,
  )
  const visited = (plan: Plan): number =>
    (plan['Relation Name'] === 'receipts'
      ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
      : 0) + (plan.Plans ?? []).reduce((sum, inner) => sum + visited(inner), 0)
  return visited(explained!['QUERY PLAN'][0].Plan)
}
