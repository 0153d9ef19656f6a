import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { api } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { MERGE_RULES } from '../../events/merge.ts'
import { type CountedReceipt, dayStep } from '../../resources/sales/day-totals.ts'
import { openDatabase } from '../../storage/open.ts'
import { toScaled } from '../../values/values.ts'
import { AT, isNotStored, lineOf, saleOf, whole } from './books-fixture.ts'
import type { Finding } from './finding.ts'
import { auditInThreads } from './running/threads.ts'

// The aim: a million receipts of three lines are checked within a minute, on two processors that do nothing else. RECEIPTS=1000000
// tries it, which takes some minutes; without, the same is done with enough rows for several threads.

const RECEIPTS = Number(process.env.RECEIPTS ?? 12_000)
const SECONDS = 60
const PER_DAY = 1_000
const LINES = 3

onEachEngine('what an audit of the books costs', (make, engine) => {
  const { brand, running } = api(make)
  let id: number

  before(async () => {
    const lines = Array.from({ length: LINES }, (_, k) => lineOf(k + 1, 3.3 + k, 1, 'SERVED'))
    const total = Number(whole(1, lines).total)
    const paid = { paid: total, payment_methods: [{ id: 1, name: 'Cash', amount: total }] }
    const sold = whole(1, lines, { status: 2, closed_at: AT, ...paid })
    const rows = [{ kind: 'product', id: 1, name: 'Tea', type: 'PRODUCT' }, sold, ...saleOf(1, 1, total)]
    id = (await brand({ rows })).id
    const filler = await openDatabase((await running()).installation.config, 'command', MERGE_RULES)
    for (const text of [...multiplied(engine), ...daysOf(sold)]) await filler.transaction((tx) => tx.run(text, [id]))
    await filler.transaction((tx) => tx.run('analyze', []))
    await filler.close()
  })

  test(`${RECEIPTS} receipts are checked`, async (context) => {
    const { installation } = await running()
    const db = await openDatabase(installation.config, 'command', MERGE_RULES)
    await db.transaction((tx) =>
      tx.run(
        'update receipts set details = replace(details, \'"e_tax":0\', \'"e_tax":1\') where brand_id = ? and id = 17',
        [id],
      ),
    )
    const heard: number[] = []
    const [start, used] = [performance.now(), process.cpuUsage()]
    const { receipts, findings } = await auditInThreads(db, installation.config, id, (count) => heard.push(count))
    const seconds = (performance.now() - start) / 1_000
    const { user, system } = process.cpuUsage(used)
    await db.close()
    context.diagnostic(
      `${receipts} receipts in ${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of processors`,
    )
    assert.equal(receipts, RECEIPTS)
    assert.deepEqual(
      [
        ...new Set(
          findings
            .filter(isOfStock)
            .filter(isNotStored)
            .map(({ invariant, subject }) => `${invariant} ${subject}`),
        ),
      ],
      ['I1 receipt 17', 'I11 day 2020-01-01 of venue 1'],
    )
    assert.equal(heard.at(-1), RECEIPTS)
    assert.ok(heard.filter((count) => count > 0).length > 1, 'in several pieces')
    if (RECEIPTS >= 1_000_000) assert.ok(seconds < SECONDS, `${seconds} s`)
  })
})

/** Money was booked for the first receipt only, and only its lines have tickets of their own. */
const isOfStock = ({ invariant }: Finding) => !['I5', 'I6', 'I10', 'I14', 'I19'].includes(invariant)

/** Copies of the first receipt and its lines, the same number each day from 2020-01-01. */
function multiplied(engine: 'SQLite' | 'PostgreSQL'): string[] {
  const [first, last] = [2, RECEIPTS]
  const numbers =
    engine === 'SQLite'
      ? `with recursive numbers (n) as (select ${first} union all select n + 1 from numbers where n < ${last})`
      : `with numbers as (select n from generate_series(${first}, ${last}) as n)`
  const day =
    engine === 'SQLite'
      ? `date('2020-01-01', '+' || (n / ${PER_DAY}) || ' days')`
      : `to_char(date '2020-01-01' + (n / ${PER_DAY})::int, 'YYYY-MM-DD')`
  const instant = `${day} || 'T10:00:00.000Z'`
  const named = (text: string, is: string) => `'{"id":' || (${is}) || substr(${text}, instr(${text}, ','))`
  return [
    `${numbers} insert into receipts
       (brand_id, id, venue_id, status, total, created_at, updated_at, closed_at, shift_date, version, rule, terms, details, body)
     select brand_id, n, venue_id, status, total, ${instant}, ${instant}, ${instant}, ${day}, version, rule, terms, details,
       ${named('body', 'n')}
     from receipts cross join numbers where brand_id = ? and id = 1`,
    `${numbers} insert into receipt_lines
       (brand_id, id, venue_id, receipt_id, position, product_id, cid, state, ticket_id, count, subtotal, total, tax, copied, body)
     select brand_id, ${LINES} * (n - 1) + id, venue_id, n, position, product_id, cid, state, ticket_id, count, subtotal, total, tax,
       copied, ${named('body', `${LINES} * (n - 1) + id`)}
     from receipt_lines cross join numbers where brand_id = ? and receipt_id = 1`,
    // Each line takes one from a stock that is below zero and worth nothing.
    `insert into stock_operations (brand_id, id, venue_id, receipt_id, product_id, receipt_product_id, stock_id, storage_id, operated_at,
       position, quantity, before_quantity, after_quantity, before, after, total_cost, body)
     select brand_id, id, venue_id, receipt_id, product_id, id, 1, 1, '2026-02-01T10:00:00.000Z',
       id, -10000, -10000 * (id - 1), -10000 * id, 0, 0, 0, '{}' from receipt_lines where brand_id = ?`,
    `insert into stocks (brand_id, id, venue_id, storage_id, product_id, quantity, value, cost, movements, updated_at)
     select brand_id, 1, 1, 1, 1, -10000 * count(*), 0, 0, count(*), '2026-02-01T10:00:00.000Z'
     from receipt_lines where brand_id = ? group by brand_id`,
  ]
}

/** Statements that write the day totals: every receipt adds what the first one adds. */
function daysOf(sold: Row): string[] {
  const step = dayStep(sold as unknown as CountedReceipt)
  const { taxes = [] } = sold as unknown as CountedReceipt
  const days = 'from receipts where brand_id = ? and id > 1 group by brand_id, venue_id, shift_date'
  return [
    `insert into venue_days (brand_id, venue_id, shift_date, last_number, ${Object.keys(step).join(', ')})
     select brand_id, venue_id, shift_date, 0, ${Object.values(step)
       .map((amount) => `${amount} * count(*)`)
       .join(', ')} ${days}`,
    ...taxes.map(
      ({ id, name, rate, base, amount }) =>
        `insert into tax_days (brand_id, venue_id, shift_date, tax_id, rate, included, name, base, amount, receipts)
         select brand_id, venue_id, shift_date, ${id}, ${toScaled(rate)}, 1, '${name}', ${toScaled(base)} * count(*),
           ${toScaled(amount)} * count(*), count(*) ${days}`,
    ),
  ]
}
