import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows } from '../../../test/database/store.ts'
import { line } from '../receipts/till-fixture.ts'
import {
  AT,
  BALANCE,
  CARD,
  CASH,
  CASHBACK,
  OFF,
  SHIFT,
  SUPPLIES,
  scaled,
  tills,
  WITH_SHIFT,
} from './closing-fixture.ts'

onEachEngine('receipts that are closed', (make) => {
  const till = tills(make)
  let fixture: Awaited<ReturnType<typeof till>>
  let shifted: Awaited<ReturnType<typeof till>>
  before(async () => {
    fixture = await till()
    shifted = await till(WITH_SHIFT)
    for (const each of [fixture, shifted]) await each.supply(SUPPLIES)
  })

  test('a day holds up to 10^11, so that its report can be read; a refund makes room', async () => {
    const till = await tills(make)()
    const dear = { ...line(10), price: 6e10, discount_type: 1, discount_value: 100 }
    const first = await till.open([dear])
    assert.equal((await till.pay(first, [])).status, 200)
    const second = await till.open([dear])
    const refused = await till.pay(second, [])
    assert.deepEqual([refused.status, refused.body.message], [400, 'The total of the day would be beyond 10^11.'])
    const report = await till.owner.ask('GET', '/reports/day?from=2026-03-01&to=2026-03-01')
    assert.deepEqual([report.status, report.body.data[0].subtotal], [200, 6e10])
    assert.equal((await till.owner.ask('POST', `/receipts/${first}/refund`, {})).status, 200)
    assert.equal((await till.pay(second, [])).status, 200)
  })

  test('a dish of three ingredients gives three movements of recipe × count, and nothing stays reserved', async () => {
    const { db, brand_id } = fixture
    const start = await fixture.stocks()
    const id = await fixture.open([line(10, 3)])
    const { status, body } = await fixture.pay(id, [[CARD, 9.99]])
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      [body.data.status, body.data.lock, body.data.closed_at, body.data.order_status],
      [2, true, AT, 'COMPLETED'],
    )
    const moved = await fixture.movements(id)
    assert.deepEqual(
      moved.map(({ product_id, quantity }) => [product_id, quantity]),
      [
        [50, scaled(-0.45)],
        [51, scaled(-3)],
        [52, scaled(-0.999)],
      ],
    )
    const [{ id: line_id }] = (await fixture.read(id)).receipt_products
    assert.ok(moved.every(({ receipt_product_id }) => receipt_product_id === line_id))
    for (const [index, { quantity, value }] of (await fixture.stocks()).entries()) {
      assert.equal(quantity, start[index]!.quantity + moved[index]!.quantity)
      assert.equal(value, start[index]!.value + moved[index]!.total_cost)
    }
    const reserved = await db.rows('select line_id from reservations where brand_id = ? and receipt_id = ?', [
      brand_id,
      id,
    ])
    assert.deepEqual(reserved, [])
    const { costs } = await fixture.read(id, 'costs')
    const cost = -moved.reduce((sum, { total_cost }) => sum + total_cost, 0) / 10_000
    assert.equal(costs.cost, cost, 'of the movements')
    assert.equal(costs.receipt_products[0].cost, cost)
    await fixture.isSound()
  })

  test('the cash balance and the shift’s expected amount rise by the cash part', async () => {
    const [cash, card] = [await shifted.amountOf('CASH'), await shifted.amountOf('CARD')]
    const id = await shifted.open([line(10, 3)], { terminal_id: 1 })
    const { status, body } = await shifted.pay(id, [
      [CASH, '5.00'],
      [CARD, 4.99],
    ])
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body.data.payment_methods, [
      { id: CASH, name: 'Cash', amount: 5 },
      { id: CARD, name: 'Card', amount: 4.99 },
    ])
    assert.equal(await shifted.amountOf('CASH'), cash + 5)
    assert.equal(await shifted.amountOf('CARD'), card + 4.99)
    const { expected_amount, receipts } = await shifted.shift()
    assert.deepEqual([expected_amount, receipts], [105, 1])
    assert.equal((await shifted.read(id)).cash_shift_id, SHIFT)
    await shifted.isSound()
  })

  test('cash needs a shift where the venue keeps them (P15); a card does not', async () => {
    const { owner } = shifted
    const other = { 'x-venue': '2' }
    await shifted.built.deps.db.transaction((tx) =>
      tx.run(
        `update venues set settings = replace(settings, '"cash_shift":0', '"cash_shift":1') where brand_id = ? and id = 2`,
        [shifted.brand_id],
      ),
    )
    const input = { cid: '8e6f9f7e-0a54-4f9b-9a43-0c6e1c9c0001', sale_type_id: 2, lines: [line(2)] }
    const { body: opened } = await owner.ask('POST', '/receipts', input, other)
    const close = (id: number) =>
      owner.ask('POST', `/receipts/${opened.data.id}/close`, { payment_methods: [{ id, amount: 4.5 }] }, other)
    const refused = await close(CASH)
    assert.deepEqual([refused.status, refused.body.error], [409, 'no_cash_shift'])
    const closed = await close(CARD)
    assert.equal(closed.status, 200, JSON.stringify(closed.body))
    await shifted.isSound()
  })

  test('payments that are not right are 400, name both sums, and book nothing', async () => {
    const id = await fixture.open([line(10, 3)])
    const before = await fixture.balances()
    const refused = async (payments: [number, number | string][], more: object = {}) => {
      const { status, body } = await fixture.pay(id, payments, more)
      assert.equal(status, 400, JSON.stringify(body))
      return body.message as string
    }
    assert.match(await refused([[CARD, 9.98]]), /9\.98.*9\.99/)
    assert.match(await refused([]), /0.*9\.99/)
    assert.match(await refused([[CARD, 9.99]], { total: '10.00' }), /10.*9\.99/)
    assert.match(await refused([[CARD, 9.991]]), /at most 2 decimals/)
    assert.match(await refused([[CARD, '9,99']]), /must be a number/)
    assert.match(await refused([[OFF, 9.99]]), /is off at this venue/)
    assert.match(await refused([[BALANCE, 9.99]]), /needs a customer/)
    assert.match(await refused([[77, 9.99]]), /no payment method/)
    assert.match(await refused([[CARD, 9.99]], { closed_at: '2026-03-01T12:00:01Z' }), /future/)
    assert.match(await refused([[CARD, 9.99]], { closed_at: '2020-01-01T00:00:00Z' }), /after/)
    assert.match(await refused([[CARD, 9.99]], { id: id + 1 }), /receipt’s own/)
    assert.deepEqual(await fixture.balances(), before)
    assert.deepEqual(await fixture.movements(id), [])
    const { status } = await fixture.pay(id, [[CARD, '9.99']], { total: 9.99, id, cid: '', closed_at: '' })
    assert.equal(status, 200)
    assert.equal((await fixture.pay(await fixture.open([]), [])).status, 400, 'without a line')
  })

  test('the API closes as staff do: If-Match, a time to show, and a key that makes it once', async () => {
    const { built, headers } = fixture
    const id = await fixture.open([line(2)])
    const call = (more: Record<string, string>, body: object) =>
      built.call(`/receipts/${id}/close`, { method: 'POST', headers: { ...headers, ...more }, body })
    const body = { id: '', payment_methods: [{ id: CARD, amount: '4.50', name: 'any' }], total: '4.5' }
    const stale = await call({ 'if-match': '"7"' }, body)
    assert.deepEqual([stale.status, stale.body.error], [412, 'version_mismatch'])
    const key = { 'idempotency-key': 'close-1', 'if-match': '"1"' }
    const first = await call(key, body)
    assert.equal(first.status, 200, JSON.stringify(first.body))
    assert.deepEqual(Object.keys(first.body), ['success', 'data', 'message', 'time', 'timestamp', 'unix'])
    assert.equal(first.headers.etag, '"2"')
    const again = await call(key, body)
    assert.deepEqual([again.status, again.headers['idempotency-replayed']], [200, 'true'])
    const other = await call({}, body)
    assert.deepEqual([other.status, other.body.error, other.body.details], [409, 'receipt_closed', { closed_at: AT }])
    assert.equal((await fixture.movements(id)).length, 1)
    const types = (await fixture.events(id)).map(({ type }) => type)
    assert.deepEqual(types, ['receipt.opened', 'receipt.closed'])
  })

  test('a part is paid, then the rest; more than remains is 400, and a new total below what was paid is 409', async () => {
    const id = await fixture.open([line(10, 3), line(2)])
    const part = (amount: number) =>
      fixture.owner.ask('POST', `/receipts/${id}/payments`, { payment_methods: [{ id: CASH, amount }] })
    const cash = await fixture.amountOf('CASH')
    assert.equal((await part(10)).status, 200)
    assert.equal(await fixture.amountOf('CASH'), cash + 10)
    assert.match((await part(4.5)).body.message, /4\.5.*4\.49/)
    assert.equal((await part(0)).status, 400)
    const { paid, remaining, status } = await fixture.read(id)
    assert.deepEqual([paid, remaining, status], [10, 4.49, 1])
    const [crepes] = (await fixture.read(id)).receipt_products
    const overpaid = await fixture.owner.ask('DELETE', `/receipts/${id}/lines/${crepes.id}`)
    assert.deepEqual([overpaid.status, overpaid.body.error], [409, 'overpaid'])
    assert.equal((await fixture.pay(id, [[CARD, 4.49]])).status, 200)
    assert.equal((await fixture.read(id)).paid, 14.49)
    await fixture.isSound()
  })

  test('a cancelled receipt pays back by the same methods, and what was made and lost leaves the stock', async () => {
    const id = await fixture.open([line(1, 2), line(2)])
    const [cash, card] = [await fixture.amountOf('CASH'), await fixture.amountOf('CARD')]
    await fixture.owner.ask('POST', `/receipts/${id}/send`, {})
    await fixture.owner.ask('POST', `/receipts/${id}/payments`, {
      payment_methods: [
        { id: CASH, amount: 3 },
        { id: CARD, amount: 2 },
      ],
    })
    const { status, body } = await fixture.owner.ask('POST', `/receipts/${id}/cancel`, { waste: true })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      body.data.payment_methods.map((each: { amount: number }) => each.amount),
      [3, 2, -3, -2],
    )
    assert.deepEqual([await fixture.amountOf('CASH'), await fixture.amountOf('CARD')], [cash, card])
    assert.deepEqual(
      (await fixture.movements(id)).map(({ product_id, quantity }) => [product_id, quantity]),
      [
        [2, scaled(-1)],
        [50, scaled(-0.3)],
      ],
    )
    const { costs } = await fixture.read(id, 'costs')
    assert.ok(costs.cost > 0)
    await fixture.isSound()
  })

  test('a line that is voided as waste takes its goods when it is voided, and not again at the close', async () => {
    const id = await fixture.open([line(1), line(2)])
    await fixture.owner.ask('POST', `/receipts/${id}/send`, {})
    const [galette] = (await fixture.read(id)).receipt_products
    const voided = await fixture.owner.ask('DELETE', `/receipts/${id}/lines/${galette.id}?waste=1`)
    assert.equal(voided.status, 200, JSON.stringify(voided.body))
    assert.deepEqual(
      (await fixture.movements(id)).map(({ product_id }) => product_id),
      [50],
    )
    assert.equal((await fixture.pay(id, [[CARD, 4.5]])).status, 200)
    assert.deepEqual(
      (await fixture.movements(id)).map(({ product_id }) => product_id),
      [2, 50],
    )
    await fixture.isSound()
  })

  test('an open receipt of which nothing remains closes by itself when it becomes COMPLETED (S3)', async () => {
    const { built, headers } = fixture
    const complete = async (id: number) => {
      const body = { order_status: 'COMPLETED' }
      const answer = await built.call(`/receipts/${id}`, { method: 'PATCH', headers, body })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.data as { status: number; lock: boolean }
    }
    const unpaid = await fixture.open([line(2)])
    assert.equal((await complete(unpaid)).status, 1)
    const empty = await fixture.open([])
    assert.equal((await complete(empty)).status, 1)
    const paid = await fixture.open([line(2)])
    await fixture.owner.ask('POST', `/receipts/${paid}/payments`, { payment_methods: [{ id: CARD, amount: 4.5 }] })
    const { status, lock } = await complete(paid)
    assert.deepEqual([status, lock], [2, true])
    assert.equal((await fixture.movements(paid)).length, 1)
    const byStaff = await fixture.open([line(2, 1, { is_gift: true })])
    const changed = await fixture.owner.ask('PATCH', `/receipts/${byStaff}`, { order_status: 'COMPLETED' })
    assert.equal(changed.body.data.status, 2, 'a gift costs nothing')
    await fixture.isSound()
  })

  test('a closed sale in the house is COMPLETED when its last line is ready; unsent lines are sent', async () => {
    const id = await fixture.open([line(1)])
    const { body } = await fixture.pay(id, [[CARD, 14.9]])
    assert.equal(body.data.order_status, 'NEW', 'the kitchen has to make it')
    const [ticket] = await fixture.db.rows<{ id: number }>(
      `select id from tickets where brand_id = ? and receipt_id = ? and state = 'SENT'`,
      [fixture.brand_id, id],
    )
    await fixture.owner.ask('POST', `/tickets/${ticket!.id}/start`, {})
    assert.equal((await fixture.read(id)).order_status, 'IN_PROGRESS')
    const ready = await fixture.owner.ask('POST', `/tickets/${ticket!.id}/ready`, {})
    assert.equal(ready.body.data.order_status, 'COMPLETED')
  })

  test('a customer’s purchases add up, cashback is earned on what was not paid by balance, and the group rises (S7)', async () => {
    await fixture.db.transaction((tx) =>
      tx.run('update brands set cashback_percent = 50000 where id = ?', [fixture.brand_id]),
    )
    const before = await fixture.customer('20')
    const id = await fixture.open([line(10, 6)], { customer_id: 20 }) // 19.98
    const { status, body } = await fixture.pay(id, [
      [BALANCE, 10],
      [CARD, 9.98],
    ])
    assert.equal(status, 200, JSON.stringify(body))
    const after = await fixture.customer('20')
    assert.deepEqual([after.spent, after.receipt_count, after.cashback_balance.amount], [19.98, 1, 0.5])
    assert.equal(after.group_id, before.group_id, '20 is not reached')
    assert.equal((after.balance as { amount: number }).amount, 40)
    const more = await fixture.open([line(2)], { customer_id: 20 })
    assert.equal(
      (
        await fixture.pay(more, [
          [CASHBACK, 0.5],
          [CARD, 4],
        ])
      ).status,
      200,
    )
    const risen = await fixture.customer('20')
    assert.deepEqual([risen.spent, risen.group_id, risen.cashback_balance.amount], [24.48, 3, 0.2])
    // What moved both balances leaves nothing behind that a form, or an import, would book again.
    const { status: saved } = await fixture.owner.ask('PATCH', '/edit/venues/2', { phone: '+33 2' })
    assert.equal(saved, 200)
    assert.deepEqual((await fixture.customer('20')).cashback_balance.amount, 0.2)
    await fixture.isSound()
    const part = await fixture.open([line(2)], { customer_id: 20 })
    await fixture.owner.ask('POST', `/receipts/${part}/payments`, { payment_methods: [{ id: BALANCE, amount: 1 }] })
    for (const customer_id of [0, 8])
      assert.equal(
        (await fixture.owner.ask('PATCH', `/receipts/${part}`, { customer_id })).status,
        400,
        'it goes back to 20',
      )
    assert.equal((await fixture.owner.ask('POST', `/receipts/${part}/cancel`, {})).status, 200)
    assert.equal(((await fixture.customer('20')).balance as { amount: number }).amount, 40)
    const poor = await fixture.open([line(2)], { customer_id: 20 })
    const refused = await fixture.pay(poor, [[CASHBACK, 4.5]])
    assert.deepEqual([refused.status, refused.body.error], [409, 'insufficient_balance'])
    await fixture.isSound()
    await fixture.db.transaction((tx) =>
      tx.run('update brands set cashback_percent = 0 where id = ?', [fixture.brand_id]),
    )
  })

  test('imported history is paid and closed without movements, and cannot be refunded (P22)', async () => {
    await putRows(fixture.db, fixture.brand_id, [
      {
        kind: 'receipt',
        id: 900_001,
        venue_id: 1,
        status: 1,
        total: 12,
        sale_type_id: 2,
        customer_id: 8,
        created_at: '2026-02-01T10:00:00.000Z',
        receipt_products: [{ id: 900_001, product_id: 2, name: 'Cider', count: 2, price: 6, total: 12 }],
      },
      { kind: 'receipt', id: 900_002, venue_id: 1, status: 1, total: 5, created_at: '2026-02-01T10:00:00.000Z' },
    ])
    const cash = await fixture.amountOf('CASH')
    const part = await fixture.owner.ask('POST', '/receipts/900001/payments', {
      payment_methods: [{ id: CASH, amount: 2 }],
    })
    assert.equal(part.status, 200, JSON.stringify(part.body))
    const { status, body } = await fixture.pay(900_001, [[CASH, 10]])
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(await fixture.amountOf('CASH'), cash + 12)
    assert.deepEqual(await fixture.movements(900_001), [])
    assert.equal((await fixture.customer('8')).spent, 0)
    const refund = await fixture.owner.ask('POST', '/receipts/900001/refund', {})
    assert.deepEqual([refund.status, refund.body.error], [409, 'not_refundable'])
    await fixture.owner.ask('POST', '/receipts/900002/payments', { payment_methods: [{ id: CASH, amount: 2 }] })
    const cancelled = await fixture.owner.ask('POST', '/receipts/900002/cancel', {})
    assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body))
    assert.equal(await fixture.amountOf('CASH'), cash + 12)
    await fixture.isSound()
  })

  test('a waiter needs the permissions to close and to refund', async () => {
    const waiter = await fixture.built.staffBrowser(fixture.slug, 'waiter')
    const id = await fixture.open([line(2)])
    for (const [path, permission] of [
      ['close', 'receipts:close'],
      ['payments', 'receipts:close'],
      ['refund', 'receipts:refund'],
    ] as const) {
      const { status, body } = await waiter.ask('POST', `/receipts/${id}/${path}`, { payment_methods: [] })
      assert.deepEqual([status, body.details], [403, { required: permission }])
    }
  })
})
