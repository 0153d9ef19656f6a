import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { setBrandTerms } from '../../directory/brand-terms.ts'
import { auditBooks } from '../books/audit.ts'
import { isNotStored } from '../books/books-fixture.ts'
import { CARD, CASH, ROWS, tills } from '../closing/closing-fixture.ts'
import { line } from '../receipts/till-fixture.ts'
import { doDueOrders } from './timed.ts'

const venues = (settings: object): Row[] =>
  ROWS.map((row) => (row.kind === 'venue' && row.id === 1 ? { ...row, ...settings } : row))

onEachEngine('orders', (make) => {
  const till = tills(make)
  const shop = async (settings: object = {}, more: Row[] = []) => {
    const fixture = await till([...venues(settings), ...more])
    const { built, headers, owner } = fixture
    const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object, more: object = {}) =>
      // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
      built.call(path, { method, ...(body && { body }), headers: { ...headers, ...more } }) as Promise<any>
    return {
      ...fixture,
      call,
      place: (body: object, path = '/orders', more: object = {}) =>
        call('POST', path, { sale_type_id: 2, products: [{ product_id: 1, count: 2 }], ...body }, more),
      accept: (id: number) => owner.ask('POST', `/orders/${id}/accept`, {}),
      refuse: (id: number) => owner.ask('POST', `/orders/${id}/refuse`, { reason: 'No oven' }),
      stops: async () => (await call('GET', '/products/stop-list')).body.data,
    }
  }

  test('one that waits is accepted by staff and becomes an open receipt with its uuid and lines', async () => {
    const { place, accept, call, read, isSound } = await shop()
    const integration_uuid = randomUUID()
    const placed = await place({
      integration_uuid,
      order_number: 'A-7',
      customer: { id: 0, name: 'Guest', phone: '+33 1', address: 'Rue 1' },
      products: [{ product_id: 1, count: 2, note: 'hot', modifiers: [{ modifier_id: 1, count: 1 }] }],
      delivery_fee: '2.50',
      comment: 'Ring twice',
    })
    assert.equal(placed.status, 200, JSON.stringify(placed.body))
    assert.deepEqual([placed.body.message, placed.body.data.status], ['Order created', 'PENDING'])
    const { id } = placed.body.data
    const accepted = await accept(id)
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
    const { body } = await call('GET', `/orders/${id}?include=customer,receipt:id`)
    assert.equal(body.data.status, 'RECEIVED')
    assert.equal(body.data.receipt.cid, integration_uuid)
    const receipt = await read(body.data.receipt_id)
    assert.deepEqual(
      [receipt.status, receipt.cid, receipt.order_id, receipt.order_number, receipt.delivery_fee, receipt.description],
      [1, integration_uuid, id, 'A-7', 2.5, 'Ring twice'],
    )
    assert.equal(receipt.total, placed.body.data.total)
    assert.deepEqual(receipt.receipt_products.length, 1)
    assert.equal((await accept(id)).status, 409)
    await isSound()
  })

  test('a venue that accepts as the client asks does it in one call, and sends what was asked', async () => {
    const { place, read, call } = await shop({ accept: 'client' })
    const answer = await place({
      auto_order_accept: true,
      auto_order_sent_to_station: true,
      payments: [{ id: CARD, amount: 10 }],
    })
    assert.equal(answer.body.data.status, 'RECEIVED', JSON.stringify(answer.body))
    const receipt = await read(answer.body.data.receipt_id)
    assert.deepEqual([receipt.paid, receipt.receipt_products[0].state], [10, 'SENT'])
    assert.equal((await place({})).body.data.status, 'PENDING')
    const differs = await place({ auto_order_accept: true, products: [{ product_id: 1, count: 1, price: 1 }] })
    assert.deepEqual([differs.body.data.status, differs.body.data.price_differs], ['PENDING', true])
    const { body } = await call('GET', '/orders?filters=[["status","=","PENDING"]]')
    assert.equal(body.total, 2, JSON.stringify(body))
  })

  test('what was sent before is the same order', async () => {
    const { place, call } = await shop()
    const uuid = randomUUID()
    const first = await place({ integration_uuid: uuid })
    const again = await place({ integration_uuid: uuid })
    assert.equal(again.body.data.id, first.body.data.id)
    const other = await place({ integration_uuid: uuid, comment: 'other' })
    assert.deepEqual(
      [other.status, other.body.error, other.body.details],
      [409, 'duplicate_order', { id: first.body.data.id }],
    )
    const keyed = await place({}, '/orders', { 'idempotency-key': 'k1' })
    assert.equal((await place({}, '/orders', { 'idempotency-key': 'k1' })).body.data.id, keyed.body.data.id)
    const numbered = await place({ order_number: 'N1' })
    const repeated = await place({ order_number: 'N1' })
    assert.equal(repeated.body.data.id, numbered.body.data.id)
    assert.equal(repeated.headers['idempotency-replayed'], 'true')
    const [one, two] = [await place({}), await place({})]
    assert.notEqual(one.body.data.id, two.body.data.id)
    assert.equal((await call('GET', '/orders')).body.total, 5)
  })

  test('portions are held, and come back when it is refused, taken back or cancelled', async () => {
    const { place, accept, refuse, stops, call, owner, isSound } = await shop({}, [
      { kind: 'stop_list_entry', id: 1, venue_id: 1, limit: 5 },
    ])
    const left = async () => (await stops()).map(({ limit }: { limit: number }) => limit)
    const a = await place({ products: [{ product_id: 1, count: 2 }] })
    const b = await place({ products: [{ product_id: 1, count: 3 }] })
    assert.deepEqual(await left(), [0])
    const none = await place({ products: [{ product_id: 1, count: 1 }] })
    assert.deepEqual(
      [none.status, none.body.error, none.body.details],
      [409, 'sold_out', { products: [{ id: 1, limit: 0 }] }],
    )
    assert.equal((await refuse(a.body.data.id)).status, 200)
    assert.deepEqual(await left(), [2])
    const taken = await call('PUT', `/orders/${a.body.data.id}`, { status: 'IGNORE' })
    assert.deepEqual([taken.status, taken.body.details], [409, { status: 'IGNORE' }])
    const accepted = await accept(b.body.data.id)
    const { receipt_id } = accepted.body.data
    const cancelled = await call('PATCH', `/receipts/${receipt_id}`, { order_status: 'CANCELLED' })
    assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body))
    assert.deepEqual(await left(), [5])
    const open = await owner.ask('POST', '/receipts', {
      cid: randomUUID(),
      sale_type_id: 2,
      lines: [{ cid: randomUUID(), product_id: 1, count: 4 }],
    })
    assert.equal(open.status, 200, JSON.stringify(open.body))
    assert.deepEqual(await left(), [1])
    await isSound()
  })

  test('a dry run writes nothing and says what it would be', async () => {
    const { place, call } = await shop({}, [{ kind: 'stop_list_entry', id: 1, venue_id: 1, limit: 1 }])
    const dry = await place({ products: [{ product_id: 1, count: 1 }] }, '/orders?dry_run=1')
    assert.deepEqual(
      [dry.status, dry.body.data.id, dry.body.data.total],
      [200, undefined, 14.9],
      JSON.stringify(dry.body),
    )
    assert.equal((await place({}, '/orders?dry_run=1')).body.error, 'sold_out')
    assert.equal((await call('GET', '/orders')).body.total, 0)
  })

  test('what cannot be sold is refused by its path', async () => {
    const { place } = await shop()
    const wrong = async (body: object) => {
      const { status, body: answer } = await place(body)
      assert.equal(status, 400, JSON.stringify(answer))
      return answer.details.errors[0].field
    }
    assert.equal(await wrong({ products: [{ product_id: 50, count: 1 }] }), 'products[0].product_id')
    assert.equal(
      await wrong({ products: [{ product_id: 1, count: 1, modifiers: [{ modifier_id: 1, count: 9 }] }] }),
      'products[0].modifiers[0].count',
    )
    assert.equal(await wrong({ customer: { id: 999 } }), 'customer.id')
    assert.equal(await wrong({ payments: [{ id: CASH, amount: 1 }] }), 'payments[0].id')
    assert.equal(await wrong({ scheduled_at: '2020-01-01T00:00:00.000Z' }), 'scheduled_at')
  })

  test('one whose time has passed is ignored from that instant on', async () => {
    const { place, call, accept, built } = await shop({ order_expiry_s: 60 }, [
      { kind: 'stop_list_entry', id: 1, venue_id: 1, limit: 5 },
    ])
    const { id } = (await place({})).body.data
    built.clock.ms += 60_000
    const late = await accept(id)
    assert.deepEqual([late.status, late.body.details], [409, { status: 'IGNORE' }])
    const { body } = await call('GET', `/orders/${id}`)
    assert.deepEqual([body.data?.status, body.data?.reason], ['IGNORE', 'expired'], JSON.stringify(body))
    assert.deepEqual((await call('GET', '/products/stop-list')).body.data[0].limit, 5)
  })

  test('a closed venue says when it opens', async () => {
    const { place } = await shop({ paused_until: '2999-01-01T00:00:00.000Z' })
    const { status, body } = await place({})
    assert.deepEqual(
      [status, body.error, body.details],
      [409, 'venue_closed', { opens_at: '2999-01-01T00:00:00.000Z' }],
    )
  })

  test('racing for the last portions, each is sold once', async () => {
    const { place, stops, call } = await shop({}, [{ kind: 'stop_list_entry', id: 1, venue_id: 1, limit: 10 }])
    const answers: Awaited<ReturnType<typeof place>>[] = []
    const guest = async () => {
      for (let orders = 0; orders < 10; orders++) answers.push(await place({ products: [{ product_id: 1, count: 1 }] }))
    }
    await Promise.all(Array.from({ length: 10 }, guest)) // more at once would wait for connections, not for portions
    const statuses = answers.map(({ status, body }) => (status === 200 ? 'placed' : body.error))
    assert.deepEqual(
      [statuses.filter((each) => each === 'placed').length, statuses.filter((each) => each === 'sold_out').length],
      [10, 90],
    )
    assert.equal((await stops())[0].limit, 0)
    assert.equal((await call('GET', '/orders')).body.total, 10)
  })

  test('of accepting, taking back and expiring at one instant one wins', async () => {
    const { place, accept, call, built, stops, isSound } = await shop({ order_expiry_s: 60 }, [
      { kind: 'stop_list_entry', id: 1, venue_id: 1, limit: 100 },
    ])
    for (let round = 0; round < 20; round++) {
      const { id } = (await place({ products: [{ product_id: 1, count: 1 }] })).body.data
      const [one, other] = await Promise.all([
        accept(id),
        call('PUT', `/orders/${id}`, { status: 'IGNORE' }),
        round % 2 === 0 ? doDueOrders(built.deps.db, new Date(built.clock.ms + 60_000).toISOString()) : undefined,
      ])
      const { data } = (await call('GET', `/orders/${id}`)).body
      const winners = [one.status === 200, other.status === 200, data.reason === 'expired'].filter(Boolean)
      assert.equal(winners.length, 1, JSON.stringify([one.body, other.body, data]))
      assert.equal(data.receipt_id !== undefined, one.status === 200)
    }
    const { body } = await call('GET', '/orders?filters=[["status","=","RECEIVED"]]')
    assert.equal((await stops())[0].limit, 100 - body.total)
    await isSound()
  })

  test('the books know orders without their receipt and portions that nobody holds', async () => {
    const { place, accept, owner, db, brand_id, isSound } = await shop({}, [
      { kind: 'stop_list_entry', id: 1, venue_id: 1, limit: 5 },
    ])
    const { id } = (await place({})).body.data
    await accept(id)
    await place({})
    await isSound()
    const found = async (text: string) => {
      await db.transaction((tx) => tx.run(text, [brand_id]))
      return [
        ...new Set((await auditBooks(db, brand_id)).findings.filter(isNotStored).map(({ invariant }) => invariant)),
      ]
    }
    assert.deepEqual(await found("update orders set status = 'PENDING' where brand_id = ? and status = 'RECEIVED'"), [
      'I7',
    ])
    assert.deepEqual(await found("update orders set status = 'IGNORE' where brand_id = ?"), ['I7', 'I8'])
    assert.deepEqual(await found('update stop_list set remaining = remaining + 1 where brand_id = ?'), ['I7', 'I8'])
    assert.equal((await owner.ask('POST', `/orders/${id}/accept`, {})).status, 409)
  })

  test('a scheduled one goes to the stations in time for its longest line', async () => {
    const { place, accept, read, built } = await shop()
    const instantIn = (minutes: number) => new Date(built.clock.ms + minutes * 60_000).toISOString()
    const { id } = (await place({ scheduled_at: instantIn(120), auto_order_sent_to_station: true })).body.data
    const { receipt_id } = (await accept(id)).body.data
    const stateAt = async (minutes: number) => {
      await doDueOrders(built.deps.db, instantIn(minutes))
      const { order_status, receipt_products } = await read(receipt_id)
      return [order_status, receipt_products[0].state]
    }
    assert.deepEqual(await stateAt(0), ['SCHEDULED', 'NEW'])
    assert.deepEqual(await stateAt(107), ['SCHEDULED', 'NEW'])
    assert.deepEqual(await stateAt(108), ['SCHEDULED', 'SENT']) // a galette takes twelve minutes
    assert.deepEqual(await stateAt(120), ['SCHEDULED', 'SENT'])
  })

  test('who placed it cancels its receipt while nothing cooks, and gets prepayments back', async () => {
    const { place, accept, call, owner, read, isSound } = await shop()
    const cancel = (id: number) => call('PATCH', `/receipts/${id}`, { order_status: 'CANCELLED' })
    const accepted = async () => {
      const { id } = (await place({ payments: [{ id: CARD, amount: 5 }], auto_order_sent_to_station: true })).body.data
      return (await accept(id)).body.data.receipt_id as number
    }
    const [one, other] = [await accepted(), await accepted()]
    assert.equal((await cancel(one)).status, 200)
    const receipt = await read(one)
    assert.deepEqual([receipt.status, receipt.paid, receipt.receipt_products[0].state], [3, 0, 'VOID'])
    const { receipt_products } = await read(other)
    await owner.ask('POST', `/tickets/${receipt_products[0].id}/start`, {})
    const late = await cancel(other)
    assert.deepEqual([late.status, late.body.error], [409, 'receipt_in_kitchen'])
    await isSound()
  })

  test('a line that no station makes keeps nobody from taking the order back', async () => {
    const { place, accept, call, owner, read, isSound } = await shop()
    const accepted = async (...ids: number[]) => {
      const products = ids.map((product_id) => ({ product_id, count: 1 }))
      const { id } = (await place({ products, auto_order_sent_to_station: true })).body.data
      const { receipt_id } = (await accept(id)).body.data
      return { receipt_id, lines: (await read(receipt_id)).receipt_products as { id: number; state: string }[] }
    }
    const cancel = async (id: number) => (await call('PATCH', `/receipts/${id}`, { order_status: 'CANCELLED' })).status
    const states = (lines: { state: string }[]) => lines.map(({ state }) => state)
    const [poured, mixed, begun] = [await accepted(3), await accepted(1, 3), await accepted(1, 3)]
    assert.deepEqual([states(poured.lines), states(mixed.lines)], [['READY'], ['SENT', 'READY']])
    await owner.ask('POST', `/tickets/${begun.lines[0]!.id}/start`, {})
    assert.deepEqual(
      await Promise.all([poured, mixed, begun].map(({ receipt_id }) => cancel(receipt_id))),
      [200, 200, 409],
    )
    await isSound()
  })

  test('a closed receipt stays locked', async () => {
    const { place, accept, call, pay } = await shop()
    const { id, total } = (await place({})).body.data
    const { receipt_id } = (await accept(id)).body.data
    const lock = (value: boolean) => call('PATCH', `/receipts/${receipt_id}`, { lock: value, order_number: 'B-1' })
    assert.deepEqual([(await lock(true)).status, (await lock(false)).status], [200, 200])
    await pay(receipt_id, [[CARD, total]])
    const refused = await lock(false)
    assert.deepEqual([refused.status, refused.body.error], [409, 'receipt_closed'])
    const { status, body } = await lock(true)
    assert.deepEqual([status, body.data.lock, body.data.order_number], [200, true, 'B-1'])
  })

  test('a closed and completed receipt delivers its order', async () => {
    const { place, accept, call, pay, read, isSound } = await shop()
    const { id, total } = (await place({})).body.data
    const { receipt_id } = (await accept(id)).body.data
    const status = async () => (await call('GET', `/orders/${id}`)).body.data.status
    await pay(receipt_id, [[CARD, total]])
    assert.equal(await status(), 'RECEIVED')
    const { status: answered } = await call('PATCH', `/receipts/${receipt_id}`, { order_status: 'COMPLETED' })
    assert.deepEqual([answered, (await read(receipt_id)).order_status], [200, 'COMPLETED'])
    assert.equal(await status(), 'DELIVERED')
    await isSound()
  })

  test('the till takes the same portions, the last one too, and gives them back', async () => {
    const { owner, stops, read, isSound } = await shop({}, [{ kind: 'stop_list_entry', id: 1, venue_id: 1, limit: 2 }])
    const left = async () => (await stops())[0].limit
    const till = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
      const answer = await owner.ask(method, path, body)
      return answer.status === 200 ? (answer.body.data.id as number) : answer.body.error
    }
    const opened = { cid: randomUUID(), sale_type_id: 1, lines: [line(1, 2)] }
    const id = await till('POST', '/receipts', opened)
    assert.equal(await left(), 0)
    assert.equal(await till('POST', `/receipts/${id}/lines`, { lines: [line(1)] }), 'sold_out')
    const [first] = (await read(id)).receipt_products
    assert.equal(await till('PATCH', `/receipts/${id}/lines/${first.id}`, { count: 1 }), id)
    assert.equal(await left(), 1)
    assert.equal(await till('PATCH', `/receipts/${id}/lines/${first.id}`, { count: 2 }), id)
    assert.equal(await left(), 0)
    assert.equal(await till('DELETE', `/receipts/${id}/lines/${first.id}`), id)
    assert.equal(await left(), 2)
    assert.equal(await till('POST', `/receipts/${id}/lines`, { lines: [line(1, 2)] }), id)
    assert.equal(await till('POST', `/receipts/${id}/cancel`, {}), id)
    assert.equal(await left(), 2)
    await isSound()
  })

  test('what a brand does with other prices is its own rule', async () => {
    const { place, db, slug } = await shop({ accept: 'always' })
    const cheap = { products: [{ product_id: 1, count: 1, price: 1 }] }
    const answered = async () => {
      const { status, total, price_differs } = (await place(cheap)).body.data
      return [status, total, price_differs]
    }
    assert.deepEqual(await answered(), ['PENDING', 1, true])
    await setBrandTerms(db, 'test', slug, { order_prices: 'trust' })
    assert.deepEqual(await answered(), ['RECEIVED', 1, true])
    await setBrandTerms(db, 'test', slug, { order_prices: 'ours' })
    assert.deepEqual(await answered(), ['RECEIVED', 14.9, false])
  })

  test('what guests write has no characters that control the direction of text', async () => {
    const { place, call, owner } = await shop()
    const text = 'a\u202eb'
    for (const [body, field] of [
      [{ comment: text }, 'comment'],
      [{ order_number: text }, 'order_number'],
      [{ customer: { name: text } }, 'customer.name'],
      [{ customer: { name: 'Guest', address: text } }, 'customer.address'],
      [{ products: [{ product_id: 1, count: 1, note: text }] }, 'products[0].note'],
      [{ products: [{ product_id: 1, count: 1, product_name: text }] }, 'products[0].product_name'],
    ] as const) {
      const { status, body: answer } = await place(body)
      assert.deepEqual([status, answer.details?.errors?.[0].field], [400, field])
    }
    const input = { table_id: 1, type: 'PAY', payment_method: text }
    assert.equal((await call('POST', '/waiter-call', input)).status, 400)
    const { id } = (await place({ comment: 'שלום' })).body.data
    assert.equal((await owner.ask('POST', `/orders/${id}/refuse`, { reason: text })).status, 400)
    assert.equal((await call('PUT', `/orders/${id}`, { status: 'IGNORE', reason: text })).status, 400)
  })

  test('a guest calls a waiter once, until somebody came', async () => {
    const { call, owner, built, slug } = await shop({}, [
      { kind: 'role', id: 9, name: 'Reader', permissions: ['orders:read'] },
      { kind: 'user', id: 9, username: 'reader', role_id: 9 },
    ])
    const reader = await built.staffBrowser(slug, 'reader')
    const ask = (body: object) => call('POST', '/waiter-call', body)
    const first = await ask({ table_id: 1, type: 'WAITER' })
    assert.equal(first.status, 200, JSON.stringify(first.body))
    assert.equal((await ask({ table_id: 1, type: 'WAITER' })).body.data.id, first.body.data.id)
    const pay = await ask({ table_id: 1, type: 'PAY', payment_method: 'Card' })
    assert.deepEqual([pay.body.data.type, pay.body.data.payment_method], ['PAY', 'Card'])
    assert.equal((await ask({ table_id: 2, type: 'WAITER' })).status, 400) // of another venue
    assert.equal((await ask({ table_id: 1, type: 'WAITER', payment_method: 'Card' })).status, 400)
    const waiting = await owner.ask('GET', '/waiter-calls')
    assert.equal(waiting.body.data.length, 2)
    const refused = await reader.ask('POST', `/waiter-calls/${first.body.data.id}/done`, {})
    assert.deepEqual([refused.status, refused.body.details], [403, { required: 'receipts:write' }])
    assert.equal((await reader.ask('GET', '/waiter-calls')).body.data.length, 2)
    await owner.ask('POST', `/waiter-calls/${first.body.data.id}/done`, {})
    assert.notEqual((await ask({ table_id: 1, type: 'WAITER' })).body.data.id, first.body.data.id)
  })
})
