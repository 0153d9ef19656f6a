import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'

const CID = '0d6ef8c6-6f0e-4f59-9d3b-0c1a2f6a0001'

const SHIFT = '7c0f7f2e-6b0b-4d55-8a76-0c1a2f6a0009'

const receipt = (id: number, more: object = {}): Row => ({
  kind: 'receipt',
  id,
  venue_id: 1,
  status: 2,
  total: id,
  subtotal: id,
  user_id: 1,
  payment_methods: [{ id: 1, name: 'Cash', amount: id }],
  created_at: `2026-02-0${id}T10:00:00.000Z`,
  updated_at: `2026-02-0${id}T11:00:00.000Z`,
  ...more,
})

const ROWS: Row[] = [
  { kind: 'venue', id: 2, name: 'Other' },
  { kind: 'customer', id: '7', name: 'Aysel' },
  receipt(1, { cid: CID, sale_type_id: 1, terminal_id: 3, source: 'POS', closed_at: '2026-02-01T10:30:00.000Z' }),
  receipt(2, { customer_id: 7, order_number: 'A-1', order_status: 'READY', status: 1, payment_methods: [] }),
  receipt(3, { sale_type_id: 2, source: 'APP', order_status: 'NEW', closed_at: '2026-02-03T03:30:00.000Z' }),
  receipt(4, { venue_id: 2, cid: CID }),
  receipt(5, { status: 3, order_status: 'CANCELLED', payment_methods: [], parent_id: 3, cash_shift_id: SHIFT }),
]

onEachEngine('receipts over the API', (make) => {
  const { brand, running } = api(make)
  const ids = (body: Record<string, unknown>) => (body.data as { id: number }[]).map(({ id }) => id)
  const filter = (...filters: unknown[]) => `/receipts?filters=${encodeURIComponent(JSON.stringify(filters))}`

  /** PATCH, which the client does not have. */
  const patcher = async (client: Awaited<ReturnType<typeof brand>>) => {
    const { call } = await running()
    return (id: number, body: object, headers: Record<string, string> = {}) =>
      call(`/receipts/${id}`, { method: 'PATCH', body, headers: { 'x-token': client.token, ...headers } })
  }

  test('the list has the receipts of the active venue, newest first, and its total twice', async () => {
    const { get } = await brand({ rows: ROWS })
    const { status, body } = await get('/receipts')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['success', 'data', 'total', 'pagination'])
    assert.deepEqual([ids(body), body.total], [[5, 3, 2, 1], 4])
    assert.deepEqual(ids((await get('/receipts', { 'x-venue': '2' })).body), [4])
    assert.deepEqual(ids((await get('/receipts?venue=all')).body), [5, 4, 3, 2, 1])
    assert.equal((await get('/receipts?limit=200')).status, 200)
    assert.equal((await get('/receipts?limit=201')).status, 400)
  })

  test('every filter and sort of the contract', async () => {
    const { get } = await brand({ rows: ROWS })
    const cases: [unknown[], number[]][] = [
      [
        ['status', 2],
        [3, 1],
      ],
      [['sale_type_id', 2], [3]],
      [['terminal_id', 3], [1]],
      [
        ['user_id', 1],
        [5, 3, 2, 1],
      ],
      [['customer_id', 7], [2]],
      [['source', 'APP'], [3]],
      [
        ['order_status', 'in', ['NEW', 'READY']],
        [3, 2],
      ],
      [['order_number', 'A-1'], [2]],
      [['parent_id', 3], [5]],
      [['cash_shift_id', SHIFT], [5]],
      [
        ['shift_date', '2026-02-02'],
        [3, 2],
      ], // 3 was closed before four in the morning
      [
        ['total', '>', 2],
        [5, 3],
      ],
      [
        ['closed_at', 'is not null', ''],
        [3, 1],
      ],
      [
        ['updated_at', '>=', '2026-02-03T11:00:00.000Z'],
        [5, 3],
      ],
    ]
    for (const [filters, expected] of cases)
      assert.deepEqual(ids((await get(filter(filters))).body), expected, JSON.stringify(filters))
    for (const field of ['id', 'created_at', 'updated_at', 'closed_at', 'total'])
      assert.equal((await get(`/receipts?sort[0][0]=${field}&sort[0][1]=desc`)).status, 200, field)
    assert.deepEqual(ids((await get('/receipts?sort[0][0]=total&sort[0][1]=asc')).body), [1, 2, 3, 5])
    assert.deepEqual(ids((await get('/receipts?date[0]=2026-02-02&date[1]=2026-02-03')).body), [3, 2])
  })

  test('a receipt has the specified members only; details and lines come when they are asked for', async () => {
    const lines = [{ id: 9, product_id: 1, name: 'Tea', count: 2, price: 1.5, total: 3 }]
    const { get, put } = await brand({ rows: [{ kind: 'product', id: 1, name: 'Tea', type: 'PRODUCT' }, ...ROWS] })
    await put(receipt(3, { receipt_products: lines }))
    const plain = (await get('/receipts/3')).body.data as Record<string, unknown>
    assert.equal('paid' in plain || 'receipt_products' in plain, false)
    const whole = (await get('/receipts/3?include=details,receipt_products')).body.data as Record<string, unknown>
    assert.deepEqual([whole.paid, whole.remaining, whole.shift_date], [3, 0, '2026-02-03'])
    const [line] = whole.receipt_products as Record<string, unknown>[]
    assert.deepEqual([line!.id, line!.name, line!.total, line!.state, line!.modifiers], [9, 'Tea', 3, 'SERVED', []])
    const [listed] = (await get('/receipts?limit=1&filters=["id",3]&include=receipt_products,details')).body
      .data as object[]
    assert.deepEqual(listed, whole)
    assert.equal((await get('/receipts/3?include=everything')).status, 400)
    assert.equal((await get('/receipts/3?fields=paid')).status, 400)
  })

  test('costs are the sum of the movements, and the margin is what they and the taxes leave', async () => {
    const lines = [
      { id: 8, product_id: 1, name: 'Tea', count: 1, price: 1, total: 1, taxes: [{ id: 1, amount: 0.1 }] },
      { id: 9, product_id: 1, name: 'Tea', count: 2, price: 1, total: 2 },
    ]
    const movement = (id: number, receipt_product_id: number, total_cost: number): Row => ({
      kind: 'stock_operation',
      id,
      venue_id: 1,
      receipt_id: 3,
      receipt_product_id,
      product_id: 1,
      total_cost,
    })
    const { get } = await brand({
      rows: [
        { kind: 'product', id: 1, name: 'Tea', type: 'PRODUCT' },
        ...ROWS.slice(0, 4),
        receipt(3, { receipt_products: lines, total_tax: 0.1 }),
        movement(1, 8, -0.3),
        movement(2, 9, -0.5),
        movement(3, 9, -0.0001),
      ],
    })
    const { costs } = (await get('/receipts/3?include=costs')).body.data as Record<string, unknown>
    assert.deepEqual(costs, {
      cost: 0.8001,
      margin: 2.0999,
      receipt_products: [
        { id: 8, cost: 0.3, margin: 0.6 },
        { id: 9, cost: 0.5001, margin: 1.4999 },
      ],
    })
    const listed = (await get('/receipts?include=costs&fields=costs')).body.data as Record<string, unknown>[]
    assert.deepEqual(listed[0], { id: 3, costs })
    assert.deepEqual(listed[1], { id: 2, costs: { cost: 0, margin: 2, receipt_products: [] } })
  })

  test('a receipt is found by its cid in any case; the lowest id answers for equal ones', async () => {
    const { get } = await brand({ rows: [...ROWS, receipt(6, { cid: CID })] })
    const found = await get(`/receipts/cid/${CID.toUpperCase()}`)
    assert.deepEqual([found.status, (found.body.data as { id: number }).id], [200, 1])
    assert.equal(found.headers.etag, '"1"')
    assert.equal(((await get(`/receipts/cid/${CID}`, { 'x-venue': '2' })).body.data as { id: number }).id, 4)
    assert.equal((await get('/receipts/cid/17')).status, 400)
    const unknown = await get('/receipts/cid/0d6ef8c6-6f0e-4f59-9d3b-0c1a2f6a9999')
    assert.deepEqual([unknown.status, unknown.body.error], [404, 'not_found'])
  })

  test('the calculation is given of receipts that were made here, and not of history', async () => {
    const { get } = await brand({ rows: ROWS })
    const data = (await get('/receipts/1?include=calculation')).body.data as Record<string, unknown>
    assert.equal(data.calculation, undefined)
    assert.equal((await get('/receipts?include=calculation')).status, 400)
  })

  test('order_status moves forward; backwards is 409 with the present one, the same changes nothing', async () => {
    const client = await brand({ rows: ROWS })
    const patch = await patcher(client)
    const first = await patch(3, { order_status: 'IN_PROGRESS', order_number: 'X-9' })
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(
      [(first.body.data as Row).order_status, (first.body.data as Row).order_number, first.headers.etag],
      ['IN_PROGRESS', 'X-9', '"2"'],
    )
    assert.deepEqual(Object.keys(first.body), ['success', 'data', 'message', 'time', 'timestamp', 'unix'])
    assert.equal((await patch(3, { order_status: 'IN_PROGRESS' })).headers.etag, '"2"')
    assert.equal((await client.get('/receipts/3')).headers.etag, '"2"')
    const skipped = await patch(3, { order_status: 'PICKED_UP' })
    assert.equal(skipped.status, 200)
    for (const order_status of ['READY', 'NEW', 'SCHEDULED']) {
      const { status, body } = await patch(3, { order_status })
      assert.deepEqual([status, body.error, body.details], [409, 'order_status_behind', { order_status: 'PICKED_UP' }])
    }
    assert.equal((await patch(1, { order_status: 'NEW' })).headers.etag, '"1"', 'one without a status counts as NEW')
    assert.equal((await patch(1, { order_status: 'SCHEDULED' })).body.error, 'order_status_behind')
    assert.equal((await patch(1, { order_status: 'COMPLETED' })).headers.etag, '"2"')
  })

  test('what a body must be: something, and of this receipt', async () => {
    const client = await brand({ rows: ROWS })
    const patch = await patcher(client)
    for (const body of [
      {},
      { id: 1 },
      { id: 2, lock: true },
      { cid: 'x', lock: true },
      { order_number: 'x'.repeat(21) },
    ])
      assert.equal((await patch(1, body)).status, 400, JSON.stringify(body))
    assert.equal((await patch(1, { total: 1 })).status, 400)
    const { status, body } = await patch(1, { id: 1, cid: CID.toUpperCase(), fiscal_id: 'F-1', lock: true })
    assert.deepEqual([status, (body.data as Row).fiscal_id, (body.data as Row).lock], [200, 'F-1', true])
    assert.equal((await patch(4, { lock: true })).status, 404, 'of another venue')
    assert.equal((await patch(99, { lock: true })).status, 404)
  })

  test('CANCELLED: 403 for a receipt that is not of one’s own order, 409 for a closed or cancelled one', async () => {
    const client = await brand({ rows: ROWS })
    const patch = await patcher(client)
    const cancel = async (id: number) => {
      const { status, body } = await patch(id, { order_status: 'CANCELLED' })
      return [status, body.error]
    }
    assert.deepEqual(await cancel(2), [403, 'forbidden'])
    assert.deepEqual(await cancel(1), [409, 'receipt_closed'])
    assert.deepEqual(await cancel(5), [409, 'receipt_cancelled'])
    assert.deepEqual([(await patch(5, { lock: true })).status], [409])
  })

  test('CANCELLED of one’s own order takes the other labels along', async () => {
    const client = await brand({ rows: ROWS })
    const patch = await patcher(client)
    await (await running()).deps.db.transaction((tx) =>
      tx.run('update receipts set terms = ? where brand_id = ? and id = 2', [
        JSON.stringify({ money_places: 2, integrator_id: client.credentials.integrator_id }),
        client.id,
      ]),
    )
    const labels = { order_number: 'A-2', fiscal_id: 'F-9', lock: true }
    const { status, body } = await patch(2, { order_status: 'CANCELLED', ...labels })
    const { order_number, fiscal_id, lock, ...data } = body.data as Row
    assert.deepEqual([status, data.status, data.order_status], [200, 3, 'CANCELLED'])
    assert.deepEqual({ order_number, fiscal_id, lock }, labels)
  })

  test('a stale If-Match is 412, and of two that saw the same version one wins', async () => {
    const client = await brand({ rows: ROWS })
    const patch = await patcher(client)
    const racing = await Promise.all(
      ['a', 'b', 'c'].map((order_number) => patch(3, { order_number }, { 'if-match': '"1"' })),
    )
    assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 412, 412])
    const { status, body } = await patch(3, { lock: true }, { 'if-match': '"1"' })
    assert.deepEqual([status, body.error, body.details], [412, 'version_mismatch', { version: 2 }])
  })

  test('a list by updated_at returns exactly what changed, and the feed says so', async () => {
    const client = await brand({ rows: ROWS })
    const patch = await patcher(client)
    const since = new Date((await running()).clock.ms).toISOString()
    await patch(1, { fiscal_id: 'F-2' })
    await patch(3, { lock: true })
    assert.deepEqual(ids((await client.get(filter(['updated_at', '>=', since]))).body), [3, 1])
    const { deps } = await running()
    const events = await deps.db.rows<{ subject: string; data: string }>(
      `select subject, data from events where brand_id = ? and type = 'receipt.updated' order by position`,
      [client.id],
    )
    assert.deepEqual(
      events.map(({ subject, data }) => [
        subject,
        JSON.parse(data).changed.includes(subject === '1' ? 'fiscal_id' : 'lock'),
      ]),
      [
        ['1', true],
        ['3', true],
      ],
    )
  })

  test('a repeated import changes neither version nor feed; another value raises the version', async () => {
    const client = await brand({ rows: ROWS })
    await client.put(...ROWS.slice(2))
    assert.equal((await client.get('/receipts/3')).headers.etag, '"1"')
    await client.put(receipt(3, { total: 3.5 }))
    assert.equal((await client.get('/receipts/3')).headers.etag, '"2"')
    const line = { id: 9, product_id: 1, name: 'Tea', count: 2, price: 1.5, total: 3 }
    const tea: Row = { kind: 'product', id: 1, name: 'Tea', type: 'PRODUCT' }
    for (const [count, etag] of [
      [2, '"3"'],
      [2, '"3"'],
      [3, '"4"'],
    ] as const) {
      await client.put(tea, receipt(3, { total: 3.5, receipt_products: [{ ...line, count }] }))
      assert.equal((await client.get('/receipts/3')).headers.etag, etag, 'other lines are a change')
    }
  })
})
