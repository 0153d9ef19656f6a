import assert from 'node:assert/strict'
import { bodyOf, type Checks, expectMembers, isInteger, need } from '../check.ts'
import type { Answer } from '../client.ts'

// The address of clients of the hosted service (docs/coming-from-the-hosted-service.md): what they send, and what they read.

type Body = Record<string, unknown>

const ENVELOPE = ['success', 'data', 'time', 'timestamp', 'unix']

function expectSuccess(answer: Answer, more: readonly string[] = []): Body {
  const body = bodyOf(answer, 200)
  expectMembers(body, [...ENVELOPE, ...more], ['message', 'pagination'])
  assert.equal(body.success, true)
  assert.match(String(body.timestamp), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, `timestamp: ${body.timestamp}`)
  assert.ok([body.time, body.unix].every(isInteger), 'time and unix are whole numbers')
  return body
}

function rowsOf(answer: Answer): Body[] {
  const body = expectSuccess(answer, ['total', 'sorts', 'meta'])
  assert.deepEqual(body.sorts, [])
  expectMembers(body.meta as Body, ['current_page', 'last_page'])
  assert.ok(isInteger(body.total), 'total is a whole number')
  return body.data as Body[]
}

function expectRefusal(answer: Answer, status: number, exception: string): void {
  const body = bodyOf(answer, status)
  expectMembers(body, ['success', 'error', 'message'], ['details'])
  assert.equal(body.success, false)
  const expected = [{ message: body.message, type: 'server_side', exception, http_code: status }]
  assert.deepEqual(body.error, expected, answer.text.slice(0, 300))
}

const has = (rows: readonly Body[], ...names: string[]) => {
  need(rows.length > 0, 'there are none')
  for (const row of rows)
    for (const name of names) assert.ok(name in row, `${name} in ${JSON.stringify(row).slice(0, 200)}`)
}

export const compat: Checks = async (check, { send }) => {
  const get = (path: string) => send('GET', path)

  await check('products come as existing clients read them, 200 a page', async () => {
    const rows = rowsOf(await get('/products?page=1&limit=200'))
    has(rows, 'id', 'name', 'type', 'media')
    assert.ok(!rows.some(({ type }) => type === 'PRODUCT'), 'goods are GOODS')
    for (const { id, modifications = [], recipe = [], modificator_groups = [] } of rows as Record<string, Body[]>[]) {
      for (const variant of modifications!) assert.equal(variant.parent_id, id)
      for (const ingredient of recipe!) assert.equal(typeof ingredient.price, 'number')
      for (const group of modificator_groups!) assert.deepEqual(group.modifiers, group.modificators)
    }
  })
  await check('a whole query is read from one JSON object', async () => {
    const query = { page: 1, limit: 2, 'selects[]': 'id,name', filters: { type: ['type', ['GOODS', 'DISH']] } }
    const rows = rowsOf(await get(`/products?${encodeURIComponent(JSON.stringify(query))}=`))
    for (const row of rows) expectMembers(row, ['id', 'name', 'type'])
  })
  for (const filter of ['has_variants', 'has_modifiers', 'has_barcode', 'giftable', 'discountable', 'tags'])
    await check(`products are filtered by ${filter}`, async () => {
      rowsOf(await get(`/products?filters[0][0]=${filter}&filter[0][1]=1`))
    })
  await check('products are filtered by plain parameters', async () => {
    for (const { type } of rowsOf(await get('/products?type=GOODS&limit=5'))) assert.equal(type, 'GOODS')
    rowsOf(await get('/products?category_id=1&limit=5'))
    rowsOf(await get('/stations?can_print=true'))
  })
  await check('customers come whole', async () => {
    const rows = rowsOf(await get('/customers?limit=5&with[0]=group&with[1]=balance'))
    has(rows, 'venue_id', 'cid', 'balance_id', 'updated_at', 'group', 'balance')
    for (const { balance } of rows)
      has([balance as Body], 'id', 'amount', 'type', 'position', 'created_at', 'updated_at')
  })
  for (const [path, ...members] of [
    ['/users', 'pin', 'hide'],
    ['/categories', '_lft', '_rgt', 'media'],
    ['/payment-methods', 'is_system'],
    ['/orders', 'payload', 'total_amount'],
    ['/venues', 'name'],
    ['/sale-types', 'name'],
    ['/price-lists', 'name'],
    ['/receipts?sort_by=created_at&sort_order=-1&date_from=2020-01-01T00:00:00', 'status'],
  ] as [string, ...string[]][])
    await check(`GET ${path} has what existing clients read`, async () => has(rowsOf(await get(path)), ...members))
  await check('one row has the envelope of a success', async () => {
    const [first] = rowsOf(await get('/products?limit=1'))
    need(first, 'there is no product')
    expectSuccess(await get(`/products/${first.id}`))
  })
  await check('refusals are lists of errors; 401 keeps its text', async () => {
    expectRefusal(await get('/products/9007199254740991'), 404, 'not_found')
    expectRefusal(await get('/products?colour=red'), 400, 'invalid_parameter')
    expectRefusal(await send('POST', '/orders', { body: { customer_id: 1, payload: {} } }), 400, 'validation_failed')
    const denied = await send('GET', '/products', { token: 'forged' })
    assert.deepEqual(denied.body, { success: false, error: 'Invalid token' })
  })
}
