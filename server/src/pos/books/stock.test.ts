import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { movingStock, ROWS } from '../stock/stock-fixture.ts'
import { auditBooks } from './audit.ts'
import { isNotStored } from './books-fixture.ts'

const KITCHEN: Row[] = [
  ...ROWS,
  { kind: 'supplier', id: 5, name: 'Mill', status: 1 },
  { kind: 'product', id: 60, name: 'Dough', type: 'PREPARATION', recipe: [{ id: 51, pivot: { gross: '0.500' } }] },
  { kind: 'stock_operation', id: 3, venue_id: 1, stock_id: 8, product_id: 51, quantity: -9, operation_id: 70 }, // history
]

onEachEngine('the books: stock (I4, I12, I13)', (make) => {
  const brand = movingStock(make)
  let built: Awaited<ReturnType<typeof brand>>
  const documents: Record<string, number> = {}

  before(async () => {
    built = await brand(KITCHEN)
    const send = async (path: string, body?: object) => {
      const { status, text, body: answer } = await built.client.send('POST', path, body)
      assert.equal(status, 200, text)
      return (answer.data as { id: number }).id
    }
    const publish = async (name: string, type: number, items: object[], more: object = {}) => {
      documents[name] = await send('/operations', { type, storage_id: 1, items, ...more })
      await send(`/operations/${documents[name]}/publish`)
    }
    const flour = { product_id: 51, quantity: 4 }
    await publish(
      'supply',
      1,
      [
        { ...flour, cost: 2.5 },
        { product_id: 52, quantity: 3, cost: 0.3333 },
      ],
      { supplier_id: 5 },
    )
    await publish('opening', 11, [{ ...flour, cost: 1 }])
    await publish('transfer', 3, [{ ...flour, quantity: 3 }], { to_storage_id: 2 })
    await publish('waste', 4, [{ ...flour, quantity: 0.7 }])
    await publish('production', 7, [{ product_id: 60, quantity: 20 }])
    await publish('count', 9, [
      { product_id: 51, counted: 1.5 },
      { product_id: 52, counted: 3 },
    ])
    await publish('return', 10, [{ ...flour, quantity: 1 }], { supplier_id: 5 })
    await publish('guest', 5, [{ ...flour, quantity: 1 }])
    for (const name of ['transfer', 'production', 'count', 'supply'])
      await send(`/operations/${documents[name]}/reverse`)
    documents.draft = await send('/operations', { type: 4, storage_id: 1, items: [flour] })
  })

  const found = async () =>
    (await auditBooks(built.db, built.brand_id)).findings.map(({ invariant, subject }) => `${invariant} ${subject}`)
  const change = (text: string, values: (string | number)[]) => built.db.transaction((tx) => tx.run(text, values))
  /** Damages the books, sees what is found, and mends them. */
  async function damaged(text: string, mended: string, values: (string | number)[]): Promise<string[]> {
    assert.ok((await change(text, values)) > 0, text)
    const findings = (await auditBooks(built.db, built.brand_id)).findings
      .filter(isNotStored)
      .map(({ invariant, subject }) => `${invariant} ${subject}`)
    await change(mended, values)
    assert.deepEqual(await found(), [])
    return findings
  }
  const idsOf = async (text: string, values: (string | number)[]) =>
    (await built.db.rows<{ id: number }>(text, values)).map(({ id }) => id)

  test('are sound after documents of every type, published and reversed', async () => {
    assert.deepEqual(await found(), [])
    const [negative] = await built.db.rows<{ quantity: number }>(
      'select min(after_quantity) as quantity from stock_operations where brand_id = ?',
      [built.brand_id],
    )
    assert.ok(negative!.quantity < 0, 'more was taken than was there')
  })

  test('a stock that is not the sum of its movements is named (I4)', async () => {
    const [id] = await idsOf('select id from stocks where brand_id = ? order by id limit 1', [built.brand_id])
    for (const column of ['quantity', 'value', 'movements'])
      assert.deepEqual(
        await damaged(
          `update stocks set ${column} = ${column} + 1 where brand_id = ? and id = ?`,
          `update stocks set ${column} = ${column} - 1 where brand_id = ? and id = ?`,
          [built.brand_id, id!],
        ),
        [`I4 stock ${id}`],
        column,
      )
  })

  test('a movement that does not go on from the one before it is named (I4)', async () => {
    const [second] = await idsOf(
      'select id from stock_operations where brand_id = ? and position = 2 order by id limit 1',
      [built.brand_id],
    )
    for (const column of ['before_quantity', 'before', 'quantity', 'total_cost', 'position']) {
      const where = 'where brand_id = ? and id = ?'
      const findings = await damaged(
        `update stock_operations set ${column} = ${column} + 900000 ${where}`,
        `update stock_operations set ${column} = ${column} - 900000 ${where}`,
        [built.brand_id, second!],
      )
      assert.ok(findings.includes(`I4 stock operation ${second}`), `${column}: ${findings}`)
    }
    const where = 'where brand_id = ? and id = ?'
    const [stock] = await built.db.rows<{ stock_id: number }>(`select stock_id from stock_operations ${where}`, [
      built.brand_id,
      second!,
    ])
    const gone = await damaged(
      `update stock_operations set stock_id = 999999 ${where}`,
      `update stock_operations set stock_id = ${stock!.stock_id} ${where}`,
      [built.brand_id, second!],
    )
    assert.ok(gone.includes(`I4 stock ${stock!.stock_id}`) && gone.includes(`I4 stock operation ${second}`))
  })

  test('a document whose items do not have their movements is named (I12)', async () => {
    const { brand_id } = built
    for (const name of ['supply', 'transfer', 'waste', 'production', 'count', 'return', 'guest', 'opening']) {
      const [item] = await idsOf('select id from operation_items where brand_id = ? and operation_id = ? order by id', [
        brand_id,
        documents[name]!,
      ])
      const where = 'where brand_id = ? and id = ?'
      const wrong = await damaged(
        `update operation_items set quantity = quantity + 1 ${where}`,
        `update operation_items set quantity = quantity - 1 ${where}`,
        [brand_id, item!],
      )
      assert.deepEqual(wrong, [`I12 operation item ${item}`], name)
      const [movement] = await idsOf(
        'select id from stock_operations where brand_id = ? and operation_item_id = ? order by id desc limit 1',
        [brand_id, item!],
      )
      const lost = await damaged(
        `update stock_operations set operation_item_id = 999999 ${where}`,
        `update stock_operations set operation_item_id = ${item} ${where}`,
        [brand_id, movement!],
      )
      assert.deepEqual(lost, [`I12 operation item ${item}`, `I12 stock operation ${movement}`], name)
    }
    const [item] = await idsOf('select id from operation_items where brand_id = ? and operation_id = ?', [
      brand_id,
      documents.waste!,
    ])
    const where = 'where brand_id = ? and id = ?'
    const draft = await damaged(
      `update operations set status = 2 ${where}`,
      `update operations set status = 1 ${where}`,
      [brand_id, documents.waste!],
    )
    assert.deepEqual(draft, [`I12 operation item ${item}`], 'a draft has none')
  })

  test('a document or a stock in a storage of another venue is named (I13)', async () => {
    const { brand_id } = built
    for (const [table, subject, column] of [
      ['operations', 'operation', 'storage_id'],
      ['stocks', 'stock', 'storage_id'],
      ['operations', 'operation', 'to_storage_id'],
    ] as const) {
      const [row] = await built.db.rows<{ id: number; was: number | null }>(
        `select id, ${column} as was from ${table} where brand_id = ? and ${column} is not null order by id limit 1`,
        [brand_id],
      )
      const where = 'where brand_id = ? and id = ?'
      const findings = await damaged(
        `update ${table} set ${column} = 3 ${where}`,
        `update ${table} set ${column} = ${row!.was} ${where}`,
        [brand_id, row!.id],
      )
      assert.deepEqual(findings, [`I13 ${subject} ${row!.id}`], column)
    }
  })
})
