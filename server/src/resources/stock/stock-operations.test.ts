import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { StockOperation } from './stock-operations.ts'

const operation: Row = {
  kind: 'stock_operation',
  id: 1,
  venue_id: 1,
  stock_id: 3,
  reserved: 0,
  receipt_id: 5,
  receipt_product_id: 6,
  product_id: 2,
  modificator_id: 8,
  operation_id: 9,
  operation_item_id: 10,
  parent_id: 11,
  unit_id: 12,
  quantity: -1.5,
  before_quantity: 10.25,
  after_quantity: 8.75,
  before: 102.5,
  after: 87.5,
  cost: 10,
  before_cost: 10.0001,
  total_cost: -15,
  operated_at: '2026-01-01T08:00:00.500Z',
}

onEachEngine('GET /stock-operations/{id}', (make) => {
  const { brand } = api(make)
  const before: Row[] = [
    { kind: 'product', id: 2, name: 'Tea', type: 'PRODUCT' },
    { kind: 'receipt', id: 5, venue_id: 1 },
  ]

  test('answers success and the imported movement value for value, and nothing else', async () => {
    const { get } = await brand({ rows: [...before, operation] })
    const { status, body, headers } = await get('/stock-operations/1')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    const { kind, ...wire } = operation
    assert.deepEqual(body, { success: true, data: wire })
    assert.deepEqual(Object.keys(body.data as object), Object.keys(StockOperation.properties))
  })

  test('leaves out what has no value', async () => {
    const { get } = await brand({ rows: [{ kind: 'stock_operation', id: 1, venue_id: 1, quantity: 0 }] })
    assert.deepEqual(Object.keys((await get('/stock-operations/1')).body.data as object), [
      'id',
      'venue_id',
      'quantity',
      'operated_at',
    ])
  })

  test('belongs to the active venue: elsewhere it is as absent as one that never was', async () => {
    const { get } = await brand({
      rows: [
        { kind: 'venue', id: 2, name: 'Terrace' },
        { kind: 'stock_operation', id: 1, venue_id: 2 },
      ],
    })
    const absent = await get('/stock-operations/99')
    assert.equal(absent.status, 404)
    assert.equal((await get('/stock-operations/1')).text, absent.text)
    assert.equal((await get('/stock-operations/1', { 'x-venue': '2' })).status, 200)
  })

  test('answers 400 for an invalid id', async () => {
    const { get } = await brand()
    for (const id of ['0', '-1', '01', '1.0', 'x', '9007199254740992'])
      assert.deepEqual((await get(`/stock-operations/${id}`)).body.details, { parameter: 'id' }, id)
  })
})
