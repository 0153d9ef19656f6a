import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import { receipts } from '../../resources/sales/receipts.ts'
import { cancelled, type WholeReceipt, withTotals } from '../receipts/whole-receipt.ts'
import { TOTALS_RULE } from '../totals.ts'
import { auditBooks } from './audit.ts'
import { AT, isNotStored, lineOf, ROWS, whole } from './books-fixture.ts'

onEachEngine('the books: receipts (I1, I2, I3, I9)', (make) => {
  const { brand, running } = api(make)
  const found = async (brand: number) =>
    (await auditBooks((await running()).deps.db, brand)).findings
      .filter(isNotStored)
      .map(({ invariant, subject }) => `${invariant} ${subject}`)
  const change = async (text: string, values: (string | number)[]) =>
    (await running()).deps.db.transaction((tx) => tx.run(text, values))

  test('receipts that were exported and imported are sound, history too', async () => {
    const client = await brand({ rows: ROWS })
    const { deps } = await running()
    assert.deepEqual(await auditBooks(deps.db, client.id), { receipts: 4, findings: [] })
    const { objects } = await receipts.readExportPage(deps.db, client.id, undefined)
    const other = await brand({
      rows: [
        ...ROWS.slice(0, 3),
        ...objects.map((text) => ({ kind: 'receipt', ...JSON.parse(text) })),
        ...ROWS.slice(7),
      ],
    })
    assert.deepEqual(await auditBooks(deps.db, other.id), { receipts: 4, findings: [] })
    assert.deepEqual((await receipts.readExportPage(deps.db, other.id, undefined)).objects, objects)
    for (const [table, count] of [
      ['receipt_lines', 4],
      ['tickets', 4],
      ['reservations', 2],
    ] as const) {
      const rows = await deps.db.rows(`select * from ${table} where brand_id = ?`, [other.id])
      assert.equal(rows.length, count, table)
    }
  })

  test('a total that its lines do not make is named (I1)', async () => {
    const wrong = ROWS.map((row) => (row.kind === 'receipt' && row.id === 1 ? { ...row, total: 1 } : row))
    const { findings } = await auditBooks((await running()).deps.db, (await brand({ rows: wrong })).id)
    assert.deepEqual(
      findings.map(({ invariant, subject }) => `${invariant} ${subject}`),
      ['I1 receipt 1', 'I1 receipt 1'],
    )
    assert.match(findings[0]!.problem, /^total is 1, the lines make /)
    assert.match(findings[1]!.problem, /^subtotal − total_discount \+ .* not 1$/, 'the sum is checked by itself')
    const [line, ...others] = ROWS[3]!.receipt_products as Record<string, unknown>[]
    const share = { ...ROWS[3]!, receipt_products: [{ ...line, receipt_discount: 0 }, ...others] }
    const shares = await auditBooks((await running()).deps.db, (await brand({ rows: ROWS.with(3, share) })).id)
    assert.equal(shares.findings.length, 2)
    assert.match(shares.findings[1]!.problem, /^the discounts and shares of the lines: these make /)
  })

  test('a receipt whose total is too large to be made is named (I1)', async () => {
    const { id } = await brand({ rows: ROWS })
    const line = `"price":4.5,`
    await change(
      `update receipt_lines set body = replace(body, ?, '"price":90000000000,') where brand_id = ? and id = 12`,
      [line, id],
    )
    assert.deepEqual(await found(id), ['I1 receipt 1'])
    const huge = await brand({ rows: ROWS })
    const total = `replace(body, '"total":', '"total":1000000000')`
    await change(`update receipts set body = ${total} where brand_id = ? and id = 1`, [huge.id])
    assert.deepEqual(await found(huge.id), ['I1 receipt 1', 'I1 receipt 1'])
  })

  test('nothing remains to be paid of a cancelled receipt, also where it had a delivery fee', async () => {
    const open: WholeReceipt = {
      receipt: { id: 3, venue_id: 1, status: 1, lock: false, payment_methods: [], delivery_fee: 3.5, paid: 0 },
      rule: TOTALS_RULE,
      terms: { money_places: 2 },
      lines: [lineOf(31, 5, 2)],
    }
    const { receipt } = cancelled(withTotals(open), { waste: false }, AT)
    assert.deepEqual([receipt.total, receipt.remaining], [3.5, 0])
    const row = whole(3, [lineOf(31, 5, 2, 'VOID')], { status: 3, deleted_at: AT, delivery_fee: 3.5 })
    assert.deepEqual(await found((await brand({ rows: ROWS.with(5, row) })).id), [])
    const wrong = ROWS.with(5, { ...row, remaining: 3.5 })
    assert.deepEqual(await found((await brand({ rows: wrong })).id), ['I1 receipt 3'])
  })

  test('payments that do not add up, and what is left of a cancelled receipt, are named (I3)', async () => {
    const paid = whole(1, [lineOf(11, 3, 1)], { payment_methods: [{ id: 1, name: 'Cash', amount: 2 }] })
    assert.deepEqual(await found((await brand({ rows: ROWS.with(3, paid) })).id), ['I3 receipt 1', 'I14 receipt 1'])
    const alive = whole(3, [lineOf(31, 5, 2)], { status: 3 })
    assert.deepEqual(await found((await brand({ rows: ROWS.with(5, alive) })).id), ['I3 receipt 3'])
  })

  test('a closed receipt that is not paid, was closed too early or moved something else is named (I2)', async () => {
    const [, , , , closed] = ROWS
    for (const [more, problem] of [
      [{ payment_methods: [] }, /its payments add up to 0, not to 9\.9/],
      [{ closed_at: '2026-01-31T10:00:00.000Z' }, /before it was made/],
    ] as const) {
      const { id } = await brand({ rows: ROWS.with(4, { ...closed!, ...more }) })
      const { findings } = await auditBooks((await running()).deps.db, id)
      assert.deepEqual(
        findings.map(({ invariant, subject }) => `${invariant} ${subject}`),
        ['I2 receipt 2', ...('payment_methods' in more ? ['I14 receipt 2'] : [])],
      )
      assert.match(findings[0]!.problem, problem)
    }
    const { id } = await brand({ rows: ROWS })
    const MOVED = 'where brand_id = ? and receipt_id = 2'
    await change(`update stock_operations set quantity = quantity + 1 ${MOVED}`, [id])
    assert.deepEqual(await found(id), ['I2 receipt 2'])
    await change(`update stock_operations set quantity = quantity - 1, receipt_product_id = 11 ${MOVED}`, [id])
    assert.deepEqual(await found(id), ['I2 receipt 2', 'I2 receipt 2'], 'of a line that it does not have')
    await change(`delete from stock_operations ${MOVED}`, [id])
    assert.deepEqual(await found(id), ['I2 receipt 2'])
  })

  test('a reservation that is missing, wrong or left over is named (I9)', async () => {
    const { id } = await brand({ rows: ROWS })
    await change('update reservations set quantity = quantity + 1 where brand_id = ? and line_id = 11', [id])
    assert.deepEqual(await found(id), ['I9 receipt 1'])
    await change('delete from reservations where brand_id = ? and line_id = 11', [id])
    assert.deepEqual(await found(id), ['I9 receipt 1'])
    await change('update reservations set line_id = 21, receipt_id = 2 where brand_id = ?', [id])
    assert.deepEqual(await found(id), ['I9 receipt 1', 'I9 receipt 1', 'I9 receipt 2'])
  })

  test('a receipt that is changed while its parts are read is no finding', async () => {
    const { id } = await brand({ rows: ROWS })
    const { db } = (await running()).deps
    let changes = 0
    const busy: typeof db = {
      ...db,
      async rows(text, values) {
        const rows = await db.rows(text, values)
        // Somebody voids a line after the receipts were read, and before the lines are.
        if (text.includes('from receipts ') && changes < 2)
          await change(
            changes++ === 0
              ? `update reservations set quantity = quantity + 1 where brand_id = ? and line_id = 11`
              : `update reservations set quantity = quantity - 1 where brand_id = ? and line_id = 11`,
            [id],
          ).then(() => change('update receipts set version = version + 1 where brand_id = ? and id = 1', [id]))
        return rows as never
      },
    }
    assert.deepEqual((await auditBooks(busy, id)).findings, [])
    assert.equal(changes, 2)
  })
})
