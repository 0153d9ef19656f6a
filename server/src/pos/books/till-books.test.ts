import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { offices } from '../../back-office/office-fixture.ts'
import { RESOURCES } from '../../resources/catalogue.ts'
import { line, RESTAURANT } from '../receipts/till-fixture.ts'
import { auditBooks } from './audit.ts'
import { isNotStored } from './books-fixture.ts'

onEachEngine('the books after a day at the till', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>>
  let brand_id: number
  let ids: number[]

  before(async () => {
    built = await office()
    brand_id = (await built.brand('bistro', { rows: RESTAURANT })).id
    const owner = await built.staffBrowser('bistro')
    const open = async (lines: object[], more: object = {}) => {
      const { body } = await owner.ask('POST', '/receipts', { cid: randomUUID(), sale_type_id: 1, lines, ...more })
      return body.data.id as number
    }
    ids = [
      await open([line(1, 2, { modifiers: [{ modifier_id: 1, count: 2 }], note: 'no salt' }), line(3)], {
        customer_id: 7,
      }),
      await open([line(2, 3), line(4, 0.345)], { table_id: 1, guests: 2 }),
      await open([line(1), line(2)]),
    ]
    await owner.ask('POST', `/receipts/${ids[1]}/send`, {})
    const [{ id: ticket }] = (await built.deps.db.rows<{ id: number }>(
      'select id from tickets where brand_id = ? and receipt_id = ?',
      [brand_id, ids[1]!],
    )) as [{ id: number }]
    await owner.ask('POST', `/tickets/${ticket}/start`, {})
    await owner.ask('POST', `/receipts/${ids[2]}/send`, {})
    await owner.ask('POST', `/receipts/${ids[2]}/cancel`, { waste: true })
  })

  const found = async (brand = brand_id) =>
    (await auditBooks(built.deps.db, brand)).findings
      .filter(isNotStored)
      .map(({ invariant, subject }) => `${invariant} ${subject}`)

  const change = (text: string, values: (string | number)[]) =>
    built.deps.db.transaction((tx) => tx.run(text, [...values]))

  test('are sound after everything that staff did', async () => {
    assert.deepEqual(await found(), [])
    assert.equal((await auditBooks(built.deps.db, brand_id)).receipts, 3)
  })

  test('a reservation that is wrong, missing or left over is named (I9)', async () => {
    const [one, , three] = ids
    const EGGS = 'where brand_id = ? and receipt_id = ? and product_id = 51'
    await change(`update reservations set quantity = quantity + 1 ${EGGS}`, [brand_id, one!])
    assert.deepEqual(await found(), [`I9 receipt ${one}`])
    await change(`update reservations set quantity = quantity - 1, receipt_id = ? ${EGGS}`, [three!, brand_id, one!])
    assert.deepEqual(await found(), [`I9 receipt ${three}`], 'of a line that is another receipt’s')
    await change(`update reservations set receipt_id = ? ${EGGS}`, [one!, brand_id, three!])
    const LINES = 'where brand_id = ? and receipt_id = ? and product_id = 50'
    await change(`update reservations set product_id = 52 ${LINES}`, [brand_id, one!])
    assert.deepEqual(await found(), [`I9 receipt ${one}`], 'missing for one product, and there for another')
    await change('update reservations set product_id = 50 where brand_id = ? and product_id = 52', [brand_id])
    assert.deepEqual(await found(), [])
  })

  test('an export that is imported elsewhere has the same receipts and the same sound books', async () => {
    const { deps } = built
    const rows: Row[] = []
    for (const { kind, readExportPage } of RESOURCES)
      for (let after: number | string | undefined, more = true; more; ) {
        const { objects, next } = await readExportPage(deps.db, brand_id, after)
        rows.push(...objects.map((text) => ({ kind, ...JSON.parse(text) }) as Row))
        after = next
        more = next !== undefined
      }
    const other = (await built.brand('copy', { rows })).id
    assert.deepEqual(await found(other), [])
    for (const table of ['receipt_lines', 'tickets', 'reservations', 'venue_days']) {
      const [one, copy] = await Promise.all(
        [brand_id, other].map((brand) =>
          deps.db.rows<Record<string, unknown>>(`select * from ${table} where brand_id = ?`, [brand]),
        ),
      )
      const plain = (all: Record<string, unknown>[]) =>
        all.map(({ brand_id: _, ...row }) => JSON.stringify({ ...row, updated_at: '', created_at: '' })).sort()
      assert.deepEqual(plain(copy!), plain(one!), table)
    }
    const bodies = (brand: number) => deps.db.texts('select body from receipts where brand_id = ? order by id', [brand])
    assert.deepEqual(await bodies(other), await bodies(brand_id))
    await putRows(
      deps.db,
      other,
      rows.filter(({ kind }) => kind === 'receipt'),
    ) // again changes nothing
    assert.deepEqual(await found(other), [])
  })

  test('totals and lines that do not agree are named (I1), and venues that are mixed up (I13)', async () => {
    const [one, two, three] = ids
    const { deps } = built
    const body = (await deps.db.text('select body from receipts where brand_id = ? and id = ?', [brand_id, one!]))!
    const put = (text: string) =>
      change('update receipts set body = ? where brand_id = ? and id = ?', [text, brand_id, one!])
    await put(body.replace(/"total":[\d.]+/, '"total":1'))
    assert.deepEqual(await found(), [`I1 receipt ${one}`, `I1 receipt ${one}`], 'neither made of its lines nor a sum')
    await put(body)

    await change('update receipts set table_id = 2 where brand_id = ? and id = ?', [brand_id, two!])
    assert.deepEqual(await found(), [`I13 receipt ${two}`])
    await change('update receipts set table_id = 1 where brand_id = ? and id = ?', [brand_id, two!])

    const [first] = await deps.db.rows<{ id: number; body: string }>(
      'select id, body from receipt_lines where brand_id = ? and receipt_id = ? order by id limit 1',
      [brand_id, three!],
    )
    const state = (text: string) =>
      change('update receipt_lines set body = ? where brand_id = ? and id = ?', [text, brand_id, first!.id])
    await state(first!.body.replace('"VOID"', '"SENT"'))
    const alive = await found()
    assert.ok(alive.includes(`I3 receipt ${three}`) && alive.includes(`I1 receipt ${three}`), String(alive))
    await state(first!.body)
    assert.deepEqual(await found(), [])
  })
})
