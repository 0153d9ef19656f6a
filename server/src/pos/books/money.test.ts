import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { api } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { RESOURCES } from '../../resources/catalogue.ts'
import { auditBooks } from './audit.ts'
import { AT, lineOf, saleOf, whole } from './books-fixture.ts'
import { wrongDays } from './days.ts'

const SHIFT = '0d6ef8c6-6f0e-4f59-9d3b-0c1a2f6a0001'
const DAY = { shift_date: '2026-02-01', status: 2, closed_at: AT } as const
const sold = whole(2, [lineOf(21, 5, 2, 'SERVED')], { ...DAY, customer_id: 7 })
const { total } = sold as unknown as { total: number }
const paid = { paid: total, remaining: 0, payment_methods: [{ id: 1, name: 'Cash', amount: total }] }

/** As our own export has it. */
const ROWS: Row[] = [
  { kind: 'product', id: 1, name: 'Tea', type: 'PRODUCT' },
  { kind: 'terminal', id: 1, venue_id: 1, name: 'Till', status: 1 },
  { kind: 'balance', id: 900, venue_id: 1, name: 'Drawer', type: 'CASH', position: 1 },
  {
    kind: 'customer',
    id: '7',
    name: 'Aysel',
    spent: 500 + total,
    spent_before: 500,
    balance: { id: 901, amount: 20.5, type: 'CUSTOMER' },
  },
  { kind: 'finance_category', id: 1, name: 'Cash in', type: 'INCOME', system_type: 'CASH_IN', status: 1 },
  { ...sold, ...paid },
  ...saleOf(9, 2, total),
  {
    kind: 'cash_shift',
    id: SHIFT,
    venue_id: 1,
    terminal_id: 1,
    number: 1,
    status: 'OPEN',
    opened_at: AT,
    opening_amount: 100,
    expected_amount: 150,
    receipts: 0,
    shift_date: '2026-02-01',
  },
  ...[20, 30].map(
    (amount, index): Row => ({
      kind: 'transaction',
      id: index + 1,
      venue_id: 1,
      balance_id: 900,
      category_id: 1,
      step: index + 1,
      amount,
      before_amount: index * 20,
      after_amount: index * 20 + amount,
      cash_shift_id: SHIFT,
      operated_at: AT,
    }),
  ),
]

onEachEngine('the books: money (I5, I6, I10, I11)', (make) => {
  const { brand, running } = api(make)
  let id: number
  before(async () => {
    id = (await brand({ rows: ROWS })).id
  })

  const MONEY = ['I5', 'I6', 'I10', 'I11']
  const found = async (brand = id) =>
    (await auditBooks((await running()).deps.db, brand)).findings
      .filter(({ invariant }) => MONEY.includes(invariant))
      .map(({ invariant, subject, problem }) => `${invariant} ${subject}: ${problem}`)

  /** What is found while a column has another value. */
  async function damaged(table: string, set: string, where: string): Promise<string[]> {
    const { db } = (await running()).deps
    const [column] = set.split(' ')
    const [held] = await db.rows<{ value: number | string }>(
      `select ${column} as value from ${table} where brand_id = ? and ${where}`,
      [id],
    )
    await db.transaction((tx) => tx.run(`update ${table} set ${set} where brand_id = ? and ${where}`, [id]))
    const findings = await found()
    await db.transaction((tx) =>
      tx.run(`update ${table} set ${column} = ? where brand_id = ? and ${where}`, [held!.value, id]),
    )
    assert.deepEqual(await found(), [], 'mended')
    return findings
  }

  test('sound books have no findings', async () => assert.deepEqual(await found(), []))

  test('a balance that is not the sum of its transactions, and a chain with a gap (I5)', async () => {
    assert.deepEqual(await damaged('balances', 'amount = amount + 1', 'id = 900'), [
      'I5 balance 900: its amount is 50.0001, and its transactions add up to 50',
    ])
    assert.deepEqual(await damaged('balances', 'steps = 3', 'id = 900'), [
      'I5 balance 900: it was moved 3 times and has 2 transactions',
    ])
    assert.deepEqual(await damaged('balances', 'brought = 10000', 'id = 900'), [
      'I5 balance 900: its amount is 50, and 1 waits to be booked',
    ])
    assert.deepEqual(await damaged('transactions', 'before_amount = 190000', 'id = 2'), [
      'I5 transaction 2: it begins at 19, and the one before it left 20 in balance 900',
    ])
    assert.deepEqual(await damaged('transactions', 'step = 4', 'id = 2'), [
      'I5 transaction 2: it is number 4 of balance 900, and 2 were expected',
    ])
  })

  test('a customer who shows another amount, or another sum of what was spent (I6)', async () => {
    const wrong = `body = replace(body, '"amount":20.5,', '"amount":21,')`
    assert.deepEqual(await damaged('customers', wrong, `id = '7'`), [
      'I6 customer 7: balance 901 has 20.5, and the customer shows something else',
    ])
    const other = `body = replace(body, '"balance":{"id":901,', '"balance":{"id":77,')`
    assert.deepEqual(await damaged('customers', other, `id = '7'`), [
      'I6 customer 7: balance 901 has 20.5, and the customer shows something else',
      'I6 customer 7: the balance that is shown is not there',
    ])
    const without = `body = replace(body, '"balance":{"id":901,"amount":20.5,', '"balance":{"amount":0,')`
    assert.deepEqual(await damaged('customers', without, `id = '7'`), [
      'I6 customer 7: balance 901 has 20.5, and the customer shows something else',
    ])
    assert.deepEqual(await damaged('customers', 'spent_before = 0', `id = '7'`), [
      `I6 customer 7: spent is ${500 + total}, and the receipts make ${total}`,
    ])
  })

  test('a drawer that expects something else (I10)', async () => {
    assert.deepEqual(await damaged('cash_shifts', 'expected_amount = 1490000', `id = '${SHIFT}'`), [
      `I10 cash shift ${SHIFT}: it expects 149, and its opening amount and cash make 150`,
    ])
  })

  test('a day, or one of its taxes, that is not the sum of its receipts (I11)', async () => {
    const day = `shift_date = '2026-02-01'`
    assert.deepEqual(await damaged('venue_days', 'total = total + 100', day), [
      'I11 day 2026-02-01 of venue 1: its total is 0.01 too high',
    ])
    assert.deepEqual(await damaged('venue_days', 'receipts = 0', day), [
      'I11 day 2026-02-01 of venue 1: its receipts is 1 too low',
    ])
    const uncounted = (await damaged('receipts', 'status = 1', 'id = 2')).filter((found) => found.startsWith('I11 day'))
    assert.match(String(uncounted), /^I11 day 2026-02-01 of venue 1: its receipts is 1 too high, /, 'by its column')
    assert.deepEqual(await damaged('tax_days', 'base = base + 100', day), [
      'I11 tax 1 at 10 % on 2026-02-01 in venue 1: its base is 0.01 too high',
    ])
  })

  test('a day that was counted too early is counted again before it is a finding (I11)', async () => {
    assert.deepEqual(await wrongDays((await running()).deps.db, id, new Map()), [])
  })

  test('amounts that are too large to be read are findings, not the end of the audit', async () => {
    const tooLarge = 'total = 1152921504606846976'
    assert.deepEqual(await damaged('receipts', tooLarge, 'id = 2'), [
      'I6 customer 7: an amount of it is too large',
      'I11 day 2026-02-01 of venue 1: an amount of it is too large',
    ])
    assert.deepEqual(await damaged('balances', 'amount = 9007199254740993', 'id = 900'), [
      'I5 balance 900: an amount of it is too large',
    ])
    const endless = 'amount = 9223372036854775807'
    assert.deepEqual(await damaged('transactions', endless, 'balance_id = 900 and step = 1'), [
      'I5 balance: amounts are too large to be added up',
      'I5 transaction 1: an amount of it is too large',
      'I10 cash shift: amounts are too large to be added up',
    ])
  })

  test('an export that is imported elsewhere has the same money', async () => {
    const { deps } = await running()
    const rows: Row[] = []
    for (const { kind, readExportPage } of RESOURCES)
      for (const text of (await readExportPage(deps.db, id, undefined)).objects)
        rows.push({ kind, ...JSON.parse(text) } as Row)
    const copy = (await brand({ rows })).id
    assert.deepEqual(await found(copy), [])
    for (const table of ['balances', 'transactions', 'cash_shifts', 'venue_days', 'tax_days', 'payment_accounts']) {
      const [one, other] = await Promise.all(
        [id, copy].map(async (brand) =>
          (await deps.db.rows<Record<string, unknown>>(`select * from ${table} where brand_id = ?`, [brand]))
            .map(({ brand_id: _, ...row }) => JSON.stringify(row))
            .sort(),
        ),
      )
      assert.deepEqual(other, one, table)
    }
    await putRows(deps.db, copy, rows) // again changes nothing
    assert.deepEqual(await found(copy), [])
  })
})
