import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { ROWS, tills } from '../closing/closing-fixture.ts'
import { doDueOrders } from './timed.ts'

onEachEngine('orders, where it is easy to be wrong', (make) => {
  const till = tills(make)
  const shop = async (settings: object = {}, more: Row[] = []) => {
    const rows = ROWS.map((row) => (row.kind === 'venue' && row.id === 1 ? { ...row, ...settings } : row))
    const fixture = await till([...rows, ...more])
    const { built, headers, owner } = fixture
    const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
      // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
      built.call(path, { method, ...(body && { body }), headers }) as Promise<any>
    return {
      ...fixture,
      call,
      place: (body: object = {}, path = '/orders') =>
        call('POST', path, { sale_type_id: 2, products: [{ product_id: 1, count: 1 }], ...body }),
      setLimit: (limit: number) => owner.ask('PUT', '/stop-list/1', { limit }),
      left: async () => (await call('GET', '/products/stop-list')).body.data[0].limit as number,
    }
  }
  const stopped = (limit: number): Row => ({ kind: 'stop_list_entry', id: 1, venue_id: 1, limit })

  test('what is meant as a dry run and is none is refused, and a dry run takes no ids', async () => {
    const { place, call, db, brand_id } = await shop()
    const counters = () => db.rows('select name, value from counters where brand_id = ? order by name', [brand_id])
    const before = await counters()
    for (const query of ['dry_run=true', 'dry_run=', 'dry_run=2', 'dryrun=1', 'dry_run=1&dry_run=1']) {
      const { status, body } = await place({}, `/orders?${query}`)
      assert.deepEqual([status, body.error], [400, 'invalid_parameter'], query)
    }
    assert.equal((await place({}, '/orders?dry_run=1')).status, 200)
    assert.deepEqual(await counters(), before)
    assert.equal((await place({}, '/orders?dry_run=0')).body.data.status, 'PENDING')
    assert.equal((await call('GET', '/orders')).body.total, 1)
  })

  test('an order that another system left waiting is refused by staff, never accepted (P22)', async () => {
    const imported = {
      kind: 'order',
      id: 900,
      venue_id: 1,
      status: 'PENDING',
      sale_type_id: 2,
      cid: randomUUID(),
      products: [],
      subtotal: 1,
      total: 1,
      price_differs: false,
      integrator: 'Hub',
      integrator_id: 'hub',
      created_at: '2026-02-01T10:00:00.000Z',
    }
    const { owner, isSound } = await shop({}, [imported])
    const { status, body } = await owner.ask('POST', '/orders/900/accept', {})
    assert.deepEqual([status, body.error], [409, 'rejected'])
    const refused = await owner.ask('POST', '/orders/900/refuse', { reason: 'Too old' })
    assert.equal(refused.status, 200, JSON.stringify(refused.body))
    await isSound()
  })

  test('a list of one status', async () => {
    const { place, owner, call } = await shop()
    const [one, other] = [(await place()).body.data, (await place()).body.data]
    await owner.ask('POST', `/orders/${one.id}/refuse`, { reason: 'No oven' })
    const { body } = await call('GET', '/orders?status=PENDING')
    assert.deepEqual([body.total, body.data[0].id], [1, other.id])
    assert.equal((await call('GET', '/orders?status=DELIVERED')).body.total, 0)
  })

  test('one order sent many times at once is one order, also when it takes the last portion', async () => {
    const { place, left, isSound } = await shop({ accept: 'always' }, [stopped(3)])
    for (let round = 1; round <= 3; round++) {
      const integration_uuid = randomUUID()
      const spelt = (text: string, index: number) => (index % 2 ? text.toUpperCase() : text)
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) => place({ integration_uuid: spelt(integration_uuid, index) })),
      )
      const [{ body }] = answers
      for (const answer of answers) assert.equal(answer.body.data?.id, body.data.id, JSON.stringify(answer.body))
      assert.equal(await left(), 3 - round)
    }
    assert.equal((await place()).body.error, 'sold_out')
    await isSound()
  })

  test('staff say how many are left, also with the number that is left: what is held returns to no other limit', async () => {
    const { place, owner, setLimit, left, isSound } = await shop({}, [stopped(1)])
    const { id } = (await place()).body.data
    assert.equal(await left(), 0)
    assert.equal((await setLimit(0)).body.message, 'Saved.')
    assert.equal((await setLimit(0)).body.message, 'Nothing changed.')
    await owner.ask('POST', `/orders/${id}/refuse`, { reason: 'No oven' })
    assert.equal(await left(), 0)
    await isSound()
  })

  test('a line that holds portions of an old limit and of the present one gives the present ones back', async () => {
    for (let round = 0; round < 4; round++) {
      // Which of two limits comes first is chance.
      const { open, line, read, owner, setLimit, left, isSound } = await shop({}, [stopped(5)])
      const id = await open([line(1, 3)])
      const { receipt_products } = await read(id)
      const path = `/receipts/${id}/lines/${receipt_products[0].id}`
      await setLimit(10)
      await owner.ask('PATCH', path, { count: 4 })
      assert.equal(await left(), 9)
      await owner.ask('PATCH', path, { count: 3 })
      assert.equal(await left(), 10)
      await owner.ask('DELETE', path)
      assert.equal(await left(), 10)
      await isSound()
    }
  })

  test('the event of portions that come back says how many are left; that of a receipt names its order', async () => {
    const { place, owner, call } = await shop({}, [stopped(3)])
    const lines = [1, 2].map((count) => ({ product_id: 1, count }))
    const { id } = (await place({ products: lines })).body.data
    const { next } = (await call('GET', '/events?after=latest')).body
    await owner.ask('POST', `/orders/${id}/refuse`, { reason: 'No oven' })
    const kept = (await place({ products: lines })).body.data
    await owner.ask('POST', `/orders/${kept.id}/accept`, {})
    const { data } = (await call('GET', `/events?after=${next}&types=stop_list.changed,receipt.*`)).body
    const told = data.map(({ type, data: { limit, order_id } }: never) => [type, limit ?? order_id])
    assert.deepEqual(told, [
      ['stop_list.changed', 3],
      ['stop_list.changed', 0],
      ['receipt.opened', kept.id],
    ])
  })

  test('a price that is not that of every interval of a timer differs', async () => {
    const { place } = await shop({ accept: 'always' }, [
      {
        kind: 'product',
        id: 30,
        name: 'Billiards',
        type: 'TIMER',
        status: 1,
        price: 5,
        setting: {
          interval: 60,
          prices: [
            { price: 5, from: 0 },
            { price: 8, from: 60 },
          ],
        },
      },
    ])
    const hours = async (price?: number) => {
      const { body } = await place({
        products: [{ product_id: 30, count: 120, ...(price !== undefined && { price }) }],
      })
      return [body.data.status, body.data.total, body.data.price_differs]
    }
    assert.deepEqual(await hours(), ['RECEIVED', 13, false])
    assert.deepEqual(await hours(5), ['PENDING', 10, true])
  })

  test('an order expires within the years that there are', async () => {
    const { place } = await shop()
    const { status, body } = await place({ scheduled_at: '9999-12-31T23:59:59Z' })
    assert.deepEqual([status, body.details.errors[0].field], [400, 'scheduled_at'])
    assert.equal((await place({ scheduled_at: '9998-12-31T23:59:59Z' })).body.data.status, 'PENDING')
  })

  test('bodies are known for two minutes and then forgotten', async () => {
    const { place, db, built, brand_id } = await shop()
    const rows = async () => (await db.rows('select 1 as one from recent_orders where brand_id = ?', [brand_id])).length
    const { id } = (await place({ order_number: 'N1' })).body.data
    assert.equal((await place({ order_number: 'N1' })).body.data.id, id)
    built.clock.ms += 119_000
    const dueAt = (ms: number) => doDueOrders(db, new Date(ms).toISOString())
    await dueAt(built.clock.ms)
    assert.equal((await place({ order_number: 'N1' })).body.data.id, id)
    built.clock.ms += 1_000
    assert.notEqual((await place({ order_number: 'N1' })).body.data.id, id)
    await dueAt(built.clock.ms + 600_000)
    assert.equal(await rows(), 0)
  })
  test('the status that clients send with each product is read and ignored', async () => {
    const { place } = await shop()
    const sent = (status: unknown) => ({
      integration_uuid: '6f1b7a54-3a55-4c55-9a0c-5a7a3f1d2c01',
      products: [{ product_id: 1, count: 1, status }],
    })
    const { status, body } = await place(sent(1))
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.data.products[0].status, undefined)
    for (const other of [true, 'NEW', null, { id: 1 }, undefined])
      assert.equal((await place(sent(other))).body.data?.id, body.data.id, JSON.stringify(other))
  })
  test('an order whose time has passed says so in every read: sent again by uuid or body, in a dry run, as an event’s object, in the back office', async () => {
    const { call, place, owner, built, left } = await shop({ order_expiry_s: 60 }, [stopped(9)])
    const { next } = (await call('GET', '/events?after=latest')).body
    const path = `/events?after=${next}&types=order.created&include=object`
    const sent = (body: object) => async () => (await place(body)).body.data
    const reads: [string, object, (id: number) => Promise<{ status: string; reason?: string }>][] = [
      ['uuid', { integration_uuid: randomUUID() }, (id) => again(id)],
      ['body', { order_number: 'N1' }, (id) => again(id)],
      [
        'dry run',
        { integration_uuid: randomUUID() },
        async (id) => (await place(bodies.get(id)!, '/orders?dry_run=1')).body.data,
      ],
      [
        'feed',
        {},
        async (id) =>
          (await call('GET', path)).body.data
            .map(({ object }: never) => object)
            .find((each: { id: number }) => each.id === id),
      ],
      [
        'event',
        {},
        async (id) => {
          const { data } = (await call('GET', path.replace('&include=object', ''))).body
          const event = data.find((each: { data: { id: number } }) => each.data.id === id)
          return (await call('GET', `/events/${event.id}?include=object`)).body.data.object
        },
      ],
      [
        'list of the back office',
        {},
        async (id) => (await owner.ask('GET', `/data/orders?filters=[["id",${id}]]`)).body.data[0],
      ],
      ['list', {}, async (id) => (await call('GET', `/orders?filters=[["id",${id}]]`)).body.data[0]],
    ]
    const bodies = new Map<number, object>()
    const again = async (id: number) => sent(bodies.get(id)!)()
    for (const [what, body, read] of reads) {
      const { id } = await sent(body)()
      bodies.set(id, body)
      assert.equal((await read(id)).status, 'PENDING', what)
      built.clock.ms += 60_000
      const { status, reason } = await read(id)
      assert.deepEqual([status, reason], ['IGNORE', 'expired'], what)
    }
    assert.equal(await left(), 9)
  })

  test('a dry run finds a uuid that was used', async () => {
    const { place, open, read, line } = await shop()
    const dry = (body: object) => place(body, '/orders?dry_run=1')
    const integration_uuid = randomUUID()
    const { id, ...order } = (await place({ integration_uuid })).body.data
    assert.deepEqual((await dry({ integration_uuid: integration_uuid.toUpperCase() })).body.data, order)
    const other = await dry({ integration_uuid, comment: 'other' })
    assert.deepEqual([other.status, other.body.error, other.body.details], [409, 'duplicate_order', { id }])
    const { cid } = await read(await open([line(1)]))
    const used = await dry({ integration_uuid: cid })
    assert.deepEqual([used.status, used.body.error], [409, 'duplicate_cid'])
  })
})
