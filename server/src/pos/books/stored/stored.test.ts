import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { api } from '../../../../test/api.ts'
import { onEachEngine } from '../../../../test/database/engines.ts'
import type { Row } from '../../../../test/database/store.ts'
import { exampleRows } from '../../../../test/example-rows.ts'
import { RESOURCES } from '../../../resources/catalogue.ts'
import type { Database } from '../../../storage/database.ts'
import { CHECKED } from '../audit.ts'
import { AT, ROWS } from '../books-fixture.ts'
import { type RowCheck, rowFindings } from '../finding.ts'
import { auditReceipts } from '../receipts.ts'
import { BODY_CHECKS } from './bodies.ts'
import { COUNTER_CHECKS } from './counters.ts'

const SHIFT = '0d6ef8c6-6f0e-4f59-9d3b-0c1a2f6a0001'
const CLOSED: Row[] = [
  { kind: 'terminal', id: 7, venue_id: 1, name: 'Till', status: 1 },
  {
    kind: 'cash_shift',
    id: SHIFT,
    venue_id: 1,
    terminal_id: 7,
    number: 1,
    status: 'CLOSED',
    opened_at: AT,
    closed_at: AT,
    opening_amount: 10,
    expected_amount: 10,
    closing_amount: 9.5,
    difference: -0.5,
    receipts: 0,
    shift_date: '2026-02-01',
    report: {
      id: SHIFT,
      number: 1,
      terminal_id: 7,
      opened_at: AT,
      closed_at: AT,
      cash: { opening: 10, expected: 10, counted: 9.5, difference: -0.5 },
    },
  },
]

/** With the counts that examples make: a document has one item, and a shift closed nothing. */
function counted(row: Row): Row {
  if (row.kind === 'operation') return { ...row, booked: 1, items_count: 1 }
  return row.kind === 'cash_shift' ? { ...row, receipts: 0 } : row
}

/** Another value of the same type. */
function another(value: unknown, type: string): unknown {
  if (type === 'boolean') return !value
  if (type === 'integer' || type === 'decimal') return Number(value ?? 0) + 1
  return type === 'instant' ? '2020-02-02T02:02:02.000Z' : `${value ?? ''}x`
}

onEachEngine('the books: what is stored twice (I15, I16)', (make) => {
  const { brand, running } = api(make)
  let db: Database
  let all: number
  let sold: number
  before(async () => {
    db = (await running()).deps.db
    const units = Array.from({ length: 260 }, (_, id) => ({ kind: 'unit', id: id + 10, name: 'Unit', symbol: 'u' }))
    all = (await brand({ rows: [...exampleRows().map(counted), ...units] })).id
    const other = { kind: 'product', id: 2, name: 'Milk', type: 'PRODUCT' }
    sold = (await brand({ rows: [...ROWS, other, ...CLOSED] })).id
  })

  const change = (text: string, values: (string | number)[]) => db.transaction((tx) => tx.run(text, values))
  const found = async (checks: readonly RowCheck[], brand: number) => {
    const findings = []
    for (const check of checks) findings.push(...(await rowFindings(db, brand, check)))
    return findings.map(({ subject, problem }) => `${subject}: ${problem}`)
  }

  test('are checked, and sound after an import', async () => {
    assert.ok(CHECKED.includes('I15') && CHECKED.includes('I16'))
    for (const id of [all, sold]) assert.deepEqual(await found([...BODY_CHECKS, ...COUNTER_CHECKS], id), [])
  })

  test('a text that says another thing than a column beside it is named, member by member', async () => {
    let members = 0
    for (const { table, kind, wire, item, columns, added } of RESOURCES) {
      const subject = kind.replaceAll('_', ' ')
      const checks = BODY_CHECKS.filter((check) => check.subject === subject).slice(0, 1)
      if (checks.length === 0) continue
      for (const json of added?.details ? ['body', 'details'] : ['body']) {
        const isIn = (name: string) => (json === 'body') === name in wire.properties && name in item.properties
        const [row] = await db.rows<{ id: number | string; text: string }>(
          `select id, ${json} as text from ${table} where brand_id = ? order by id limit 1`,
          [all],
        )
        assert.ok(row, table)
        const put = (text: string) =>
          change(`update ${table} set ${json} = ? where brand_id = ? and id = ?`, [text, all, row.id])
        for (const [name, type] of Object.entries(columns).filter(([name]) => isIn(name))) {
          if (table === 'balances' && ['amount', 'updated_at'].includes(name)) continue // put in when it is read
          if (table === 'venues' && name === 'is_main') continue
          const shown = JSON.parse(row.text) as Record<string, unknown>
          await put(JSON.stringify({ ...shown, [name]: another(shown[name], type) }))
          const findings = await found(checks, all)
          assert.equal(findings.length, 1, `${table}.${name}`)
          assert.match(findings[0]!, new RegExp(`^${subject} ${row.id}: ${name} is .*, and its text says `))
          await put(row.text)
          members++
        }
      }
    }
    assert.ok(members > 150, String(members))
    assert.deepEqual(await found(BODY_CHECKS, all), [])
  })

  test('a column of a line that its text does not say is named, member by member', async () => {
    const findings = async () => (await auditReceipts(db, sold, { after: 0, to: 9 })).findings
    const where = 'where brand_id = ? and id = 11'
    for (const [column, wrong, right] of [
      ['product_id', 'product_id + 1', 'product_id - 1'],
      ['ticket_id', 'ticket_id + 1', 'ticket_id - 1'],
      ['count', 'count + 1', 'count - 1'],
      ['subtotal', 'subtotal + 1', 'subtotal - 1'],
      ['total', 'total + 1', 'total - 1'],
      ['tax', 'tax + 1', 'tax - 1'],
      ['state', `'NEW'`, `'SENT'`],
      ['cid', `'other'`, `'line-11'`],
    ]) {
      await change(`update receipt_lines set ${column} = ${wrong} ${where}`, [sold])
      assert.deepEqual(await findings(), [
        {
          invariant: 'I15',
          subject: 'receipt 1',
          problem: `line 11: its text says another ${column} than its column`,
        },
      ])
      await change(`update receipt_lines set ${column} = ${right} ${where}`, [sold])
    }
    assert.deepEqual(await findings(), [])
  })

  test('a report that is not its shift’s is named, member by member', async () => {
    const text = (await db.text('select report from cash_shifts where brand_id = ?', [sold]))!
    const put = (report: object) =>
      change('update cash_shifts set report = ? where brand_id = ?', [JSON.stringify(report), sold])
    const report = JSON.parse(text) as Record<string, unknown> & { cash: Record<string, number> }
    const wrong = [
      ...['number', 'terminal_id'].map((name) => [name, { ...report, [name]: 99 }] as const),
      ...['id', 'opened_at', 'closed_at'].map((name) => [name, { ...report, [name]: AT.slice(1) }] as const),
      ...Object.keys(report.cash).map((name) => [name, { ...report, cash: { ...report.cash, [name]: 99 } }] as const),
    ]
    for (const [name, other] of wrong) {
      await put(other)
      const [first, ...more] = await found(BODY_CHECKS, sold)
      assert.match(first!, new RegExp(`^cash shift ${SHIFT}: its report has ${name} `))
      assert.deepEqual(more, [])
    }
    await put(report)
    assert.deepEqual(await found(BODY_CHECKS, sold), [])
  })

  test('two receipts with one number on a day of a venue, and a customer with more receipts than they say', async () => {
    const details = (await db.text('select details from receipts where brand_id = ? and id = 2', [sold]))!
    const number = (given: number) =>
      change('update receipts set details = ? where brand_id = ? and id = 2', [
        JSON.stringify({ ...JSON.parse(details), number: given }),
        sold,
      ])
    const day = `update receipts set shift_date = '2026-02-01', details = replace(details, '"number"', '"shift_date":"2026-02-01","number"')
      where brand_id = ? and rule > 0 and shift_date is null`
    await change(day, [sold])
    await number(1)
    assert.deepEqual(
      (await found(BODY_CHECKS, sold)).filter((problem) => problem.includes('number')),
      ['receipt 2: receipt 1 has number 1 on 2026-02-01 too'],
    )
    await number(2)
    await change(
      `insert into customers (brand_id, id, name, name_folded, group_id, created_at, updated_at, spent_before, body, details)
       select brand_id, '7', 'x', 'x', min(id), '${AT}', '${AT}', 0,
         '{"id":"7","name":"x","group_id":' || min(id) || ',"created_at":"${AT}"}', '{"receipt_count":0,"updated_at":"${AT}"}'
       from customer_groups where brand_id = ? group by brand_id`,
      [sold],
    )
    await change(`update receipts set customer_id = '7' where brand_id = ? and id = 2`, [sold])
    const said = (await found(BODY_CHECKS, sold)).filter((problem) => problem.includes('receipt_count'))
    assert.deepEqual(said, ['customer 7: receipt_count is 0, and 1 receipts are there'])
    await change('update receipts set customer_id = null where brand_id = ?', [sold])
    await change('delete from customers where brand_id = ?', [sold])
  })

  test('a counter, a total of a day or a mark that is not its rows is named, each of them', async () => {
    const kept = await db.texts(
      `select name from counters where brand_id = ? and instr(name, '_id') = 0 and instr(name, '_number') = 0`,
      [all],
    )
    const isListed = (name: string) => RESOURCES.some(({ table, list }) => list && table === name.split(':')[0])
    const names = kept.filter(isListed)
    assert.ok(names.includes('receipts') && names.includes('receipts:1'))
    const those = `brand_id = ? and instr(name, '_id') = 0 and instr(name, '_number') = 0`
    await change(`update counters set value = value + 1 where ${those}`, [all])
    const counters = (await found(COUNTER_CHECKS, all)).map((problem) => problem.replace(/:[^:]*$/, ''))
    assert.deepEqual(counters.sort(), names.map((name) => `counter ${name}`).sort())
    await change(`update counters set value = value - 1 where ${those}`, [all])
    const days = await db.rows('select day from day_totals where brand_id = ?', [all])
    await change('update day_totals set value = value + 1 where brand_id = ?', [all])
    assert.equal((await found(COUNTER_CHECKS, all)).length, days.length)
    await change('update day_totals set value = value - 1 where brand_id = ?', [all])
    await change('update page_marks set id = id + 1 where brand_id = ?', [all])
    assert.deepEqual(
      (await found(COUNTER_CHECKS, all)).map((problem) => problem.replace(/ \d.*/, '')),
      ['page mark of units', 'page mark of units'],
    )
    await change('update page_marks set id = id - 1 where brand_id = ?', [all])
    assert.deepEqual(await found(COUNTER_CHECKS, all), [])
  })

  test('a counter of ids or numbers below what is there is named, and so are counts of receipts and items', async () => {
    const last = [
      'receipt_id',
      'order_id',
      'waiter_call_id',
      'operation_id',
      'operation_item_id',
      'stock_operation_id',
      'balance_id',
      'transaction_id',
      'operation_number:1',
      'cash_shift_number:1',
    ]
    const values = await db.rows<{ name: string; value: number }>(
      'select name, value from counters where brand_id = ?',
      [all],
    )
    for (const name of last) await change('update counters set value = 0 where brand_id = ? and name = ?', [all, name])
    const findings = (await found(COUNTER_CHECKS, all)).map((problem) => problem.replace(/: it says.*$/, ''))
    assert.deepEqual([...new Set(findings)].sort(), last.map((name) => `counter ${name}`).sort())
    for (const { name, value } of values)
      await change('update counters set value = ? where brand_id = ? and name = ?', [value, all, name])
    await change('update cash_shifts set receipts = receipts + 1 where brand_id = ?', [sold])
    assert.deepEqual(await found(COUNTER_CHECKS, sold), [`cash shift ${SHIFT}: it says 1, and there are 0`])
    await change('delete from operation_items where brand_id = ?', [all])
    const items = (await found(COUNTER_CHECKS, all)).filter((problem) => problem.startsWith('operation '))
    assert.equal(items.length, 3)
  })
})
