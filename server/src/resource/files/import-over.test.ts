import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { CARD, CASH, SHIFT, SUPPLIES, tills, WITH_SHIFT } from '../../pos/closing/closing-fixture.ts'
import { line } from '../../pos/receipts/till-fixture.ts'
import { RESOURCES } from '../../resources/catalogue.ts'

const STOPPED: Row = { kind: 'stop_list_entry', id: 1, venue_id: 1, limit: 20 }

onEachEngine('an import over a living restaurant', (make) => {
  const till = tills(make)
  let fixture: Awaited<ReturnType<typeof till>>
  let rows: Row[]

  async function exported(): Promise<Row[]> {
    const lines: Row[] = []
    for (const { kind, readExportPage } of RESOURCES)
      for (let after: number | string | undefined, more = true; more; ) {
        const { objects, next } = await readExportPage(fixture.db, fixture.brand_id, after)
        lines.push(...objects.map((text) => ({ kind, ...JSON.parse(text) }) as Row))
        after = next
        more = next !== undefined
      }
    return lines
  }

  const done = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const answer = await fixture.owner.ask(method, path, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.data
  }
  const sell = async (customer_id?: number) => {
    const id = await fixture.open([line(1, 2), line(10)], customer_id === undefined ? {} : { customer_id })
    const { total } = await fixture.read(id)
    assert.equal(
      (
        await fixture.pay(id, [
          [CASH, 1],
          [CARD, total - 1],
        ])
      ).status,
      200,
    )
    return id
  }

  before(async () => {
    fixture = await till([...WITH_SHIFT, STOPPED, { kind: 'terminal', id: 9, venue_id: 1, name: 'Spare', status: 1 }])
    await fixture.supply(SUPPLIES)
    const closed = await sell(7)
    const { receipt_products } = await fixture.read(closed)
    await done('POST', `/receipts/${closed}/refund`, {
      lines: [{ id: receipt_products[1].id, count: 1 }],
      payment_methods: [{ id: CARD, amount: receipt_products[1].total }],
    })
    await fixture.open([line(1)], { table_id: 1 })
    const document = { type: 4, storage_id: 1, items: [{ product_id: 50, quantity: 0.5 }] }
    await done('POST', `/operations/${(await done('POST', '/operations', document)).id}/publish`, {})
    await done('POST', '/operations', document)
    const placed = async () => {
      const body = { sale_type_id: 2, products: [{ product_id: 1, count: 1 }] }
      return (await fixture.built.call('/orders', { method: 'POST', body, headers: fixture.headers })).body.data as {
        id: number
      }
    }
    await done('POST', `/orders/${(await placed()).id}/accept`, {})
    await placed()
    rows = await exported()
    await fixture.isSound()
  })

  const refused = async (lines: Row[], line: number, reason: RegExp) => {
    const was = JSON.stringify(await exported())
    await assert.rejects(
      putRows(fixture.db, fixture.brand_id, lines),
      (error: Error & { line?: number }) => {
        assert.match(error.message, reason)
        assert.equal(error.line, line, error.message)
        return true
      },
      JSON.stringify([reason, lines.at(-1)]),
    )
    assert.equal(JSON.stringify(await exported()), was)
  }
  const rowOf = (kind: string, holds: (row: Row) => boolean = () => true) => {
    const found = rows.find((row) => row.kind === kind && holds(row))
    assert.ok(found, kind)
    return found
  }

  test('changes nothing where it is the export of the same state, whatever the order of members', async () => {
    const was = JSON.stringify(rows)
    await putRows(fixture.db, fixture.brand_id, rows)
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]) => [name, turned(member)]),
      )
    }
    await putRows(fixture.db, fixture.brand_id, rows.map(turned) as Row[])
    assert.equal(JSON.stringify(await exported()), was)
    await fixture.isSound()
  })

  test('changes nothing that is booked: the line is refused, and nothing is imported (P22)', async () => {
    const unit: Row = { kind: 'unit', id: 99, name: 'Piece', symbol: 'pc' }
    const status = (status: number | string) => (row: Row) => row.status === status
    const changed: [row: Row, change: object, reason: RegExp][] = [
      [rowOf('receipt', status(2)), { total: 1 }, /is booked here, and this would change its total/],
      [rowOf('receipt', status(2)), { status: 1, closed_at: undefined }, /its status, closed_at/],
      [rowOf('receipt', status(2)), { rule: undefined, terms: undefined }, /its rule, terms/],
      [rowOf('receipt', status(1)), { paid: 3 }, /its paid/],
      [rowOf('receipt', status(2)), { receipt_products: [] }, /its receipt_products/],
      [rowOf('receipt', status(1)), { receipt_products: [] }, /its receipt_products/],
      [rowOf('order', status('RECEIVED')), { status: 'PENDING', receipt_id: undefined }, /its status, receipt_id/],
      [rowOf('operation', status(1)), { status: 2 }, /its status/],
      [rowOf('operation', status(1)), { booked: undefined }, /its booked/],
      [rowOf('stock_operation', (row) => row.position === 1), { quantity: 7 }, /its quantity/],
      [rowOf('cash_shift'), { expected_amount: 1 }, /its expected_amount/],
      [rowOf('transaction'), { description: 'Tip' }, /its description/],
      [rowOf('stock'), { product_id: 4 }, /moved product 5[012] in storage 1/],
      [rowOf('portion_move'), { line_cid: 'other' }, /its line_cid/],
    ]
    for (const [row, change, reason] of changed) await refused([unit, { ...row, ...change } as Row], 2, reason)
  })

  test('adds nothing to what is booked (P22)', async () => {
    const receipt = rowOf('receipt', ({ status }) => status === 2)
    const document = rowOf('operation', ({ status }) => status === 1)
    const draft = rowOf('operation', ({ status }) => status === 2)
    const item = rowOf('operation_item', ({ operation_id }) => operation_id === document.id)
    const ofDraft = rowOf('operation_item', ({ operation_id }) => operation_id === draft.id)
    const moved = rowOf('stock_operation', ({ position }) => position === 1)
    const money = rowOf('transaction', ({ cash_shift_id }) => cash_shift_id === SHIFT)
    const tail = { id: 90_000, position: 90 }
    for (const row of [
      { ...item, id: 90_000 },
      { ...item, quantity: 9 },
      { ...ofDraft, operation_id: document.id },
      { ...moved, ...tail, receipt_id: receipt.id },
      { ...moved, ...tail, operation_id: document.id, operation_item_id: item.id },
      { ...money, id: 90_000, step: 90, receipt_id: undefined },
      { ...money, id: 90_000, step: 90, cash_shift_id: undefined, receipt_id: receipt.id },
    ] as Row[])
      await refused([row], 1, /is booked here, and this would add to it/)
    const loose = { receipt_id: undefined, operation_id: undefined }
    await refused(
      [{ ...money, ...loose, cash_shift_id: undefined, id: 90_000, step: 90 }],
      1,
      /transaction 90000 does not go on from/,
    )
    const other = { ...moved, ...loose, ...tail, receipt_product_id: undefined, operation_item_id: undefined }
    await refused([other], 1, /stock operation 90000 does not go on from/)
  })

  test('moves no row to another venue that others name, and one that nothing names (I13)', async () => {
    for (const [row, reason] of [
      [rowOf('terminal', ({ id }) => id === 1), /id 1 stays in venue 1, where a (receipt|cash shift) names it/],
      [rowOf('table', ({ id }) => id === 1), /where a receipt names it/],
      [rowOf('storage', ({ venue_id }) => venue_id === 1), /where a (stock|operation)\b/],
      [rowOf('stock'), /where a stock operation names it/],
      [rowOf('order', ({ status }) => status === 'RECEIVED'), /where a receipt names it/],
      [rowOf('operation', ({ status }) => status === 2), /where a operation item names it/],
      [rowOf('balance', ({ venue_id }) => venue_id === 1), /where a (transaction|payment account of method) names it/],
    ] as const)
      await refused([{ ...row, venue_id: 2 } as Row], 1, reason)
    await putRows(fixture.db, fixture.brand_id, [{ kind: 'terminal', id: 9, venue_id: 2, name: 'Spare', status: 1 }])
    await fixture.isSound()
    await putRows(fixture.db, fixture.brand_id, [{ kind: 'terminal', id: 9, venue_id: 1, name: 'Spare', status: 1 }])
  })

  test('keeps what was sold and held since, where it is an older export of ours (I6, I8)', async () => {
    const stops = async () => (await exported()).filter(({ kind }) => kind === 'stop_list_entry')
    fixture.built.clock.ms += 60_000
    await sell(7)
    const [sold, sums] = [await stops(), await fixture.customer('7')]
    const isOfNow = ({ kind }: Row) => kind === 'cash_shift' // which took cash since, so that its line is refused
    await refused(rows, rows.findIndex(isOfNow) + 1, /its expected_amount, receipts/)
    await putRows(
      fixture.db,
      fixture.brand_id,
      rows.filter((row) => !isOfNow(row)),
    )
    assert.deepEqual(await stops(), sold)
    const { spent, receipt_count, total_discount } = await fixture.customer('7')
    assert.deepEqual(
      { spent, receipt_count, total_discount },
      { spent: sums.spent, receipt_count: sums.receipt_count, total_discount: sums.total_discount },
    )
    await fixture.isSound()
  })

  test('brings an entry of the stop list that was replaced, or taken off, back as a new one (I8)', async () => {
    const older = (await exported()).filter(({ kind }) => kind === 'stop_list_entry')
    const { limit, entry } = older[0]!
    const portions = async () => {
      const [left] = (await exported()).filter(({ kind }) => kind === 'stop_list_entry')
      return { limit: left?.limit, isNew: left?.entry !== entry }
    }
    for (const change of [
      () => done('PUT', '/stop-list/1', { limit: 3 }),
      () => fixture.owner.ask('DELETE', '/stop-list/1'),
    ]) {
      await change()
      await putRows(fixture.db, fixture.brand_id, older)
      assert.deepEqual(await portions(), { limit, isNew: true })
      await fixture.isSound()
    }
  })
})
