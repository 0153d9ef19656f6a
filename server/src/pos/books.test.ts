import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../../test/api.ts'
import { onEachEngine } from '../../test/engines.ts'
import type { Row } from '../../test/store.ts'
import type { ReceiptLine } from '../resources/receipt-schema.ts'
import { receipts } from '../resources/receipts.ts'
import { auditBooks } from './books.ts'
import { cancelled, type Draft, withTotals } from './receipts/draft.ts'
import type { Line } from './receipts/line.ts'
import { reservedBy } from './receipts/store.ts'
import { TOTALS_RULE } from './totals.ts'

const AT = '2026-02-01T10:00:00.000Z'
const VAT = { id: 1, name: 'VAT', rate: 100_000, included: true }

const lineOf = (id: number, price: number, count: number, state: ReceiptLine['state'] = 'SENT'): Line => ({
  shown: {
    id,
    cid: `line-${id}`,
    product_id: 1,
    name: 'Tea',
    station_id: 4,
    count,
    portion_size: 1,
    price,
    subtotal: 0,
    discount_type: 0,
    discount_value: 0,
    total_discount: 0,
    receipt_discount: 0,
    total: 0,
    is_gift: false,
    state,
    modifiers: [],
    taxes: [],
    created_at: AT,
    updated_at: AT,
  },
  copied: {
    content: '',
    taxes: [VAT],
    recipe: [{ product_id: 1, gross: 10_000 }],
    ticket_id: id,
    sold_by_weight: false,
    discountable: true,
    giftable: true,
    ignore_service_charge: false,
  },
})

/** A receipt as our own export has it. */
function whole(id: number, lines: Line[], more: Partial<Draft['receipt']> = {}): Row {
  const draft = withTotals({
    receipt: {
      id,
      venue_id: 1,
      status: 1,
      lock: false,
      payment_methods: [],
      discount_type: 1,
      discount_value: 10,
      service_charge: 10,
      delivery_fee: 0,
      created_at: AT,
      updated_at: AT,
      paid: 0,
      number: id,
      version: 3,
      ...more,
    },
    rule: TOTALS_RULE,
    terms: { money_places: 2 },
    lines,
  })
  const { receipt, rule, terms } = draft
  return {
    kind: 'receipt',
    ...receipt,
    rule,
    terms,
    receipt_products: draft.lines.map((line) => ({
      ...line.shown,
      copied: line.copied,
      ...(reservedBy(draft, line).length > 0 && { reserved: reservedBy(draft, line) }),
    })),
  }
}

const ROWS: Row[] = [
  { kind: 'venue', id: 2, name: 'Other' },
  { kind: 'product', id: 1, name: 'Tea', type: 'PRODUCT' },
  { kind: 'terminal', id: 8, venue_id: 2, name: 'Till', status: 1 },
  whole(1, [lineOf(11, 3.33, 1), lineOf(12, 4.5, 3)]),
  whole(2, [lineOf(21, 5, 2, 'SERVED')], { status: 2, closed_at: AT }),
  whole(3, [lineOf(31, 5, 2, 'VOID')], { status: 3, deleted_at: AT }),
  { kind: 'receipt', id: 4, venue_id: 1, status: 2, total: 99, subtotal: 1 }, // history: anything goes
]

onEachEngine('comptoir audit books', (make) => {
  const { brand, running } = api(make)
  const found = async (of: number) =>
    (await auditBooks((await running()).deps.db, of)).findings.map(
      ({ invariant, subject }) => `${invariant} ${subject}`,
    )
  const change = async (text: string, values: (string | number)[]) =>
    (await running()).deps.db.transaction((tx) => tx.run(text, values))

  test('receipts that were exported and imported are sound, history too', async () => {
    const client = await brand({ rows: ROWS })
    const { deps } = await running()
    assert.deepEqual(await auditBooks(deps.db, client.id), { receipts: 4, findings: [] })
    const { objects } = await receipts.readExportPage(deps.db, client.id, undefined)
    const other = await brand({
      rows: [...ROWS.slice(0, 3), ...objects.map((text) => ({ kind: 'receipt', ...JSON.parse(text) }))],
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

  test('nothing remains to be paid of a cancelled receipt, also where it had a delivery fee', async () => {
    const open: Draft = {
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
    assert.deepEqual(await found((await brand({ rows: ROWS.with(3, paid) })).id), ['I3 receipt 1'])
    const alive = whole(3, [lineOf(31, 5, 2)], { status: 3 })
    assert.deepEqual(await found((await brand({ rows: ROWS.with(5, alive) })).id), ['I3 receipt 3'])
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

  test('a row that points to another venue is named (I13)', async () => {
    const { id } = await brand({ rows: ROWS })
    await change('update receipts set terminal_id = 8 where brand_id = ? and id = 2', [id])
    await change('update receipt_lines set venue_id = 2 where brand_id = ? and id = 11', [id])
    assert.deepEqual(await found(id), ['I13 receipt 2', 'I13 receipt line 11'])
    await change('update receipt_lines set venue_id = 1 where brand_id = ? and id = 11', [id])
    await change('update reservations set venue_id = 2 where brand_id = ? and line_id = 12', [id])
    await change('update tickets set venue_id = 2 where brand_id = ? and id = 21', [id])
    assert.deepEqual(await found(id), ['I13 receipt 2', 'I13 ticket 21', 'I13 reservation of line 12'])
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
