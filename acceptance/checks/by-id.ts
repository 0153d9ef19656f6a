import assert from 'node:assert/strict'
import {
  bodyOf,
  type Checks,
  expectEnvelope,
  expectError,
  expectInvalidParameter,
  expectMembers,
  isInstant,
  need,
} from '../check.ts'

const RECEIPT = [
  'id',
  'venue_id',
  'cid',
  'user_id',
  'terminal_id',
  'source',
  'customer_id',
  'sale_type_id',
  'guests',
  'status',
  'lock',
  'total',
  'subtotal',
  'payment_methods',
  'fiscal_id',
  'discount_type',
  'discount_value',
  'service_charge',
  'delivery_fee',
  'order_status',
  'order_number',
  'created_at',
  'updated_at',
  'closed_at',
  'deleted_at',
]
const STOCK_OPERATION = [
  'id',
  'venue_id',
  'stock_id',
  'reserved',
  'receipt_id',
  'receipt_product_id',
  'product_id',
  'modificator_id',
  'operation_id',
  'operation_item_id',
  'parent_id',
  'unit_id',
  'quantity',
  'before_quantity',
  'after_quantity',
  'before',
  'after',
  'cost',
  'before_cost',
  'total_cost',
  'operated_at',
]
const MAX_ID = Number.MAX_SAFE_INTEGER

/** §4.5, §4.6, D3.1: reads by id. */
export const byId: Checks = async (check, { send, receiptId, stockOperationId }) => {
  await check('GET /receipts/{id} gives a receipt in its envelope', async () => {
    const answer = await send('GET', `/receipts/${receiptId}`)
    need(answer.status !== 404, `there is no receipt ${receiptId}: name one with --receipt-id`)
    const body = bodyOf(answer, 200)
    expectEnvelope(body)
    const receipt = body.data as Record<string, unknown>
    expectMembers(receipt, ['id'], RECEIPT)
    assert.equal(receipt.id, Number(receiptId))
    assert.ok([1, 2, 3].includes(receipt.status as number), 'status is 1, 2 or 3')
    assert.ok(isInstant(receipt.created_at), 'created_at is an instant')
    assert.ok(!Object.values(receipt).includes(null), 'a member without a value is left out')
  })
  await check('GET /stock-operations/{id} gives success and data, nothing else', async () => {
    const answer = await send('GET', `/stock-operations/${stockOperationId}`)
    need(answer.status !== 404, `there is no stock operation ${stockOperationId}: name one with --stock-operation-id`)
    const body = bodyOf(answer, 200)
    expectMembers(body, ['success', 'data'])
    const operation = body.data as Record<string, unknown>
    expectMembers(operation, ['id'], STOCK_OPERATION)
    assert.equal(operation.id, Number(stockOperationId))
    const { operated_at, ...numbers } = operation
    assert.ok(operated_at === undefined || isInstant(operated_at), 'operated_at is an instant')
    for (const [name, value] of Object.entries(numbers)) assert.equal(typeof value, 'number', `${name} is a number`)
  })
  for (const path of ['/receipts', '/stock-operations']) {
    await check(`${path}/{id}: two absent ids are answered 404, byte for byte alike`, async () => {
      const [one, other] = [await send('GET', `${path}/${MAX_ID}`), await send('GET', `${path}/${MAX_ID - 1}`)]
      expectError(one, 404, 'not_found')
      assert.equal(other.text, one.text)
      assert.ok(!one.text.includes(String(MAX_ID)), 'the body names no id')
    })
    await check(`${path}/{id}: what is no id is 400`, async () => {
      for (const id of ['zero', '0', '01', '-1', '1.0', '9007199254740992'])
        expectInvalidParameter(await send('GET', `${path}/${id}`), 'id')
    })
    await check(`${path}/{id}: an unknown parameter is 400`, async () => {
      expectInvalidParameter(await send('GET', `${path}/${MAX_ID}?colour=red`), 'colour')
    })
  }
}
