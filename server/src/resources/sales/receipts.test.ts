import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { Receipt } from './receipts.ts'

const receipt: Row = {
  kind: 'receipt',
  id: 1,
  venue_id: 1,
  cid: 'r-1',
  user_id: 1,
  terminal_id: 9,
  source: 'POS',
  customer_id: 7,
  sale_type_id: 2,
  guests: 3,
  status: 2,
  lock: false,
  total: 0.3,
  subtotal: 0.1,
  payment_methods: [{ id: 1, name: 'Espèces', amount: 0.2 }],
  fiscal_id: 'F-1',
  discount_type: 1,
  discount_value: 12.5,
  service_charge: 0.0001,
  delivery_fee: 99999999999.9999,
  order_status: 'COMPLETED',
  order_number: 'A-17',
  created_at: '2026-01-01T08:00:00.500Z',
  updated_at: '2026-01-01T09:00:00.000Z',
  closed_at: '2026-01-01T10:00:00.000Z',
  deleted_at: '2026-01-02T00:00:00.000Z',
}

onEachEngine('GET /receipts/{id}', (make) => {
  const { brand } = api(make)
  const guest: Row = { kind: 'customer', id: '7', name: 'Aysel' }

  test('answers the imported receipt value for value, in the envelope of §2.1', async () => {
    const { get } = await brand({ rows: [guest, receipt] })
    const { status, body, headers } = await get('/receipts/1')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    const { data, message, time, ...rest } = body
    const { kind, ...wire } = receipt
    assert.deepEqual(data, wire)
    assert.deepEqual(Object.keys(data as object), Object.keys(Receipt.properties))
    assert.deepEqual(rest, { success: true, timestamp: '2026-03-01T12:00:00.000Z', unix: 1772366400 })
    assert.equal(typeof message, 'string')
    assert.ok(Number.isInteger(time))
  })

  test('leaves out what has no value, and keeps an empty list', async () => {
    const { get } = await brand({
      rows: [{ kind: 'receipt', id: 2, venue_id: 1, customer_id: null, closed_at: null, payment_methods: [] }],
    })
    assert.deepEqual(Object.keys((await get('/receipts/2')).body.data as object), [
      'id',
      'venue_id',
      'payment_methods',
      'created_at',
      'updated_at',
    ])
  })

  test('an import may bring lines: they are shown, replaced with the receipt, and never taken from another', async () => {
    const tea: Row = { kind: 'product', id: 5, name: 'Tea', type: 'PRODUCT' }
    const line = (id: number, more: object = {}) => ({
      id,
      product_id: 5,
      name: 'Tea',
      count: 2,
      price: 3,
      total: 6,
      ...more,
    })
    const history = (id: number, status: number, lines?: object[]): Row => ({
      kind: 'receipt',
      id,
      venue_id: 1,
      status,
      total: 6,
      ...(lines && { receipt_products: lines }),
    })
    const { get, put } = await brand({
      rows: [tea, history(1, 2, [line(1), line(2)]), history(2, 3, [line(3)]), history(3, 2)],
    })
    const linesOf = async (id: number) => {
      const { body } = await get(`/receipts/${id}?include=receipt_products`)
      const { receipt_products } = body.data as { receipt_products: { id: number; state: string; subtotal: number }[] }
      return receipt_products.map(({ id: own, state, subtotal }) => [own, state, subtotal])
    }
    assert.deepEqual(await linesOf(1), [
      [1, 'SERVED', 6],
      [2, 'SERVED', 6],
    ])
    assert.deepEqual(await linesOf(2), [[3, 'VOID', 6]], 'a cancelled receipt has void lines')
    assert.deepEqual(await linesOf(3), [])
    await put(history(1, 2))
    assert.equal((await linesOf(1)).length, 2, 'lines that are not named stay')
    await put(history(1, 2, [line(4)]))
    assert.deepEqual(await linesOf(1), [[4, 'SERVED', 6]])
    await assert.rejects(put(history(3, 2, [line(3)])), /line 3 of receipt 3 is another receipt's/)
    await assert.rejects(put(history(3, 2, [line(8), line(8)])), /line 8 of receipt 3 is there twice/)
    await assert.rejects(put(history(3, 2, [line(8, { product_id: 9 })])), /line 8: product_id 9 points at no product/)
    assert.deepEqual(await linesOf(2), [[3, 'VOID', 6]])
  })

  test('writes amounts as the numbers that went in', async () => {
    const { get, put } = await brand()
    const amounts = ['0', '0.1', '0.3', '-0.0001', '1e-4', '99999999999.9999', '-100000000000', '12.5', '1234567.8912']
    for (const [index, amount] of amounts.entries()) {
      await put({ kind: 'receipt', id: index + 1, venue_id: 1, total: JSON.parse(amount) })
      const { text } = await get(`/receipts/${index + 1}`)
      assert.ok(text.includes(`"total":${JSON.parse(amount)},`), `${amount}: ${text}`)
    }
  })

  test('belongs to the active venue: elsewhere it is as absent as one that never was', async () => {
    const rows: Row[] = [
      { kind: 'venue', id: 2, name: 'Terrace' },
      { kind: 'receipt', id: 1, venue_id: 1 },
      { kind: 'receipt', id: 2, venue_id: 2 },
    ]
    const { get } = await brand({ rows })
    assert.equal((await get('/receipts/1')).status, 200)
    assert.equal((await get('/receipts/2', { 'x-venue': '2' })).status, 200)
    const absent = await get('/receipts/99')
    assert.equal(absent.status, 404)
    assert.deepEqual(absent.body, { error: 'not_found', message: 'There is no record with this id.' })
    assert.equal((await get('/receipts/2')).text, absent.text)
    assert.equal((await get('/receipts/1', { 'x-venue': '2' })).text, absent.text)
  })

  test('reads ids up to 2^53 − 1 and answers 400 for anything else', async () => {
    const { get } = await brand({ rows: [{ kind: 'receipt', id: Number.MAX_SAFE_INTEGER, venue_id: 1 }] })
    assert.equal((await get('/receipts/9007199254740991')).status, 200)
    const malformed = [
      '0',
      '-1',
      '01',
      '+1',
      '1.0',
      '1e3',
      '0x1',
      'x',
      '1x',
      '%20',
      '1%20',
      '%31%00',
      '٣',
      '9007199254740992',
      '1'.repeat(17),
      '1'.repeat(90),
      '1'.repeat(4_000),
      'null',
      'undefined',
      '1,2',
      "1'--",
      '%F0%9F%98%80',
    ]
    for (const id of malformed) {
      const { status, body } = await get(`/receipts/${encodeURI(id).replaceAll('%25', '%')}`)
      assert.equal(status, 400, id)
      assert.equal(body.error, 'invalid_parameter')
      assert.deepEqual(body.details, { parameter: 'id' })
    }
  })
})
