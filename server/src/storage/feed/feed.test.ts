import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEachEngine } from '../../../test/database/engines.ts'
import { stores } from '../../../test/database/store.ts'
import { addBrand } from '../../directory/registry.ts'
import { MERGE_RULES } from '../../events/merge.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open.ts'
import type { Tables } from '../tables.ts'
import { collectEvents } from './collect.ts'
import type { NewEvent, Published } from './new-event.ts'

const anEvent = (more: Partial<NewEvent> = {}): NewEvent => ({
  brand_id: 1,
  type: 'product.updated',
  subject: '7',
  data: { id: 7, changed: ['name'] },
  ...more,
})

const merge = (...events: Partial<NewEvent>[]) => {
  const collected = collectEvents(MERGE_RULES)
  for (const event of events) collected.add(anEvent(event))
  return collected
    .events()
    .map(({ type, subject, data }) => ({ type, subject, data: JSON.parse(JSON.stringify(data)) }))
}

test('events of one object and type become one, and what was created stays created', () => {
  assert.deepEqual(merge({}, { data: { id: 7, changed: ['price', 'name'] } }, { subject: '8' }), [
    { type: 'product.updated', subject: '7', data: { id: 7, changed: ['name', 'price'] } },
    { type: 'product.updated', subject: '8', data: { id: 7, changed: ['name'] } },
  ])
  assert.deepEqual(merge({ type: 'product.created', data: { id: 7, changed: ['name'] } }, {}), [
    { type: 'product.created', subject: '7', data: { id: 7, changed: ['name'] } },
  ])
  assert.deepEqual(merge({}, { type: 'product.deleted', data: { id: 7 } }), [
    { type: 'product.deleted', subject: '7', data: { id: 7 } },
  ])
  assert.deepEqual(merge({ type: 'product.created' }, { type: 'product.deleted' }), [])
})

test('merged events keep the first `from` and the last `to`, add up movements, and replace more than 200 product ids by `all`', () => {
  const state = (from: number, to: number) => ({ type: 'receipt.updated', data: { id: 7, status: { from, to } } })
  assert.deepEqual(merge(state(1, 2), state(2, 3))[0]!.data.status, { from: 1, to: 3 })
  const moved = (id: number, receipt_id: number) => ({
    type: 'stock.moved',
    subject: '',
    data: { first_id: id, last_id: id, count: 1, receipt_id },
  })
  assert.deepEqual(merge(moved(4, 9), moved(2, 9))[0]!.data, { first_id: 2, last_id: 4, count: 2, receipt_id: 9 })
  assert.deepEqual(merge(moved(4, 9), moved(2, 8))[0]!.data, { first_id: 2, last_id: 4, count: 2 })
  const price = (product_id: number) => ({
    type: 'price_list.prices_changed',
    data: { id: 7, product_ids: [product_id] },
  })
  const prices = Array.from({ length: 201 }, (_, index) => price(index + 1))
  assert.equal(merge(...prices.slice(0, 200))[0]!.data.product_ids.length, 200)
  assert.deepEqual(merge(...prices)[0]!.data, { id: 7, all: true })
})

test('two balances of one customer are two events', () => {
  const moved = (type: string, from: number, to: number) => ({
    type: 'customer.balance_changed',
    data: { id: '7', balance: { type, from, to } },
  })
  const merged = merge(moved('CUSTOMER', 0, 5), moved('CASHBACK', 1, 2), moved('CUSTOMER', 5, 7))
  assert.deepEqual(
    merged.map(({ data }) => data.balance),
    [
      { type: 'CUSTOMER', from: 0, to: 7 },
      { type: 'CASHBACK', from: 1, to: 2 },
    ],
  )
})

onEachEngine('publishing', (make) => {
  const open = stores(make)
  const feedOf = (db: Database, brand_id: number) =>
    db.rows<Tables['events']>('select * from events where brand_id = ? order by position', [brand_id])

  async function twoBrands() {
    const { db, installation } = await open()
    const ids = []
    for (const slug of ['bistro', 'cantine']) ids.push((await addBrand(db, 'test', { slug, test: false })).id)
    return { db, installation, one: ids[0]!, other: ids[1]! }
  }

  test('gives positions without a gap, in commit order, to transactions at the same time', async () => {
    const { db, installation, one, other } = await twoBrands()
    const second = await openDatabase(installation.config, 'patient', MERGE_RULES)
    try {
      const write = (number: number) => {
        const event = anEvent({ brand_id: number % 2 ? one : other, subject: String(number) })
        return (number % 3 ? db : second).transaction(async (tx) => {
          tx.publish(event)
          tx.publish({ ...event, subject: `${number}b` })
          await tx.rows('select 1', [])
        })
      }
      await Promise.all(Array.from({ length: 40 }, (_, number) => write(number)))
    } finally {
      await second.close()
    }
    for (const brand_id of [one, other]) {
      const events = await feedOf(db, brand_id)
      assert.deepEqual(
        events.map(({ position }) => position),
        Array.from({ length: 41 }, (_, index) => index + 1),
      )
      assert.equal(events[0]!.type, 'customer_group.created')
      const times = events.map(({ at }) => at)
      assert.deepEqual(times, times.toSorted())
      for (let index = 1; index < 41; index += 2) assert.equal(events[index + 1]!.subject, `${events[index]!.subject}b`)
      assert.equal(new Set(events.map(({ nonce }) => nonce)).size, 41)
    }
  })

  test('a transaction that fails publishes nothing, and one whose events cannot be appended fails whole', async () => {
    const { db, one } = await twoBrands()
    const failing = db.transaction(async (tx) => {
      tx.publish(anEvent({ brand_id: one }))
      throw new Error('changed my mind')
    })
    await assert.rejects(failing, /changed my mind/)
    const homeless = db.transaction(async (tx) => {
      await tx.run(`insert into settings (name, value) values ('written', 'yes')`, [])
      tx.publish(anEvent({ brand_id: 99 }))
    })
    await assert.rejects(homeless, /has no feed/)
    assert.deepEqual(await db.rows(`select name from settings where name = 'written'`, []), [])
    assert.equal((await feedOf(db, one)).length, 1)
  })

  test('M5: a menu has the mark of the last event that can change it, also of many, and of none that was rolled back', async () => {
    const { db, one, other } = await twoBrands()
    const marks = () =>
      db
        .rows<Tables['menu_marks']>('select * from menu_marks order by brand_id, venue_id', [])
        .then((rows) => rows.map(({ brand_id, venue_id, position }) => [brand_id, venue_id, position]))
    const stop = (venue_id: number, brand_id = one) =>
      anEvent({ brand_id, type: 'stop_list.changed', venue_id, data: { id: 7, limit: 0 } })
    const publish = (...events: NewEvent[]) =>
      db.transaction(async (tx) => {
        for (const event of events) tx.publish(event)
      })
    assert.deepEqual(
      await marks(),
      [one, other].map((brand_id) => [brand_id, 0, 0]),
      'nothing is on a menu yet',
    )
    await publish(anEvent({ brand_id: one }), stop(2), anEvent({ brand_id: one, type: 'customer.updated' }), stop(1))
    assert.deepEqual(await marks(), [
      [one, 0, 2],
      [one, 1, 5],
      [one, 2, 3],
      [other, 0, 0],
    ])
    const many = Array.from({ length: 250 }, (_, index) => anEvent({ brand_id: one, subject: String(index) }))
    await publish(...many, stop(2), anEvent({ brand_id: other }))
    await db
      .transaction(async (tx) => {
        tx.publish(anEvent({ brand_id: one }))
        throw new Error('changed my mind')
      })
      .catch(() => {})
    await publish(anEvent({ brand_id: one, type: 'customer.updated' }))
    assert.deepEqual(await marks(), [
      [one, 0, 255],
      [one, 1, 5],
      [one, 2, 256],
      [other, 0, 2],
    ])
    const [mark] = await db.rows<Tables['menu_marks']>('select * from menu_marks where brand_id = ? and venue_id = 0', [
      one,
    ])
    assert.equal(mark!.nonce, (await feedOf(db, one)).find(({ position }) => position === mark!.position)!.nonce)
  })

  test('times never decrease, also when the clock is set back', async () => {
    const { db, one } = await twoBrands()
    await db.transaction((tx) => tx.run(`update events set at = '2099-01-01T00:00:00.000Z' where brand_id = ?`, [one]))
    await db.transaction(async (tx) => tx.publish(anEvent({ brand_id: one })), 'api:hub')
    const [, last] = await feedOf(db, one)
    assert.deepEqual([last!.at, last!.source], ['2099-01-01T00:00:00.000Z', 'api:hub'])
  })

  test('after the commit the process is notified of the brands that have news', async () => {
    const { db, one, other } = await twoBrands()
    const told: (readonly Published[])[] = []
    const stop = db.onPublished((published) => told.push(published))
    await db.transaction(async (tx) => {
      for (const brand_id of [other, one]) tx.publish(anEvent({ brand_id }))
    })
    await db.transaction(async () => {})
    stop()
    await db.transaction(async (tx) => tx.publish(anEvent({ brand_id: one })))
    assert.equal(told.length, 1)
    assert.deepEqual(
      told[0]!.map(({ brand_id, types }) => ({ brand_id, types })),
      [one, other].map((brand_id) => ({ brand_id, types: ['product.updated'] })),
    )
    for (const { waitedMs } of told[0]!) assert.ok(waitedMs >= 0 && waitedMs < 60_000)
  })

  test('the time spent waiting for another publisher is reported', async () => {
    const { db, installation, one } = await twoBrands()
    const other = await openDatabase(installation.config, 'patient', MERGE_RULES)
    try {
      const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
      const holding = other.transaction(async (tx) => {
        await tx.rows(`select 1 from feeds where brand_id = ?${tx.dialect.lockRows}`, [one])
        held()
        await sleep(500)
      })
      await isHeld
      const told: (readonly Published[])[] = []
      const stop = db.onPublished((published) => told.push(published))
      await db.transaction(async (tx) => tx.publish(anEvent({ brand_id: one })))
      stop()
      await holding
      assert.ok(told[0]![0]!.waitedMs > 100, `${told[0]![0]!.waitedMs} ms`)
    } finally {
      await other.close()
    }
  })
})
