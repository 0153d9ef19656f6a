import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { line } from '../receipts/till-fixture.ts'
import { AT, CASH, ROWS, tills } from './closing-fixture.ts'

const HOUR_MS = 3_600_000
const EARLIER = new Date(Date.parse(AT) - 12 * HOUR_MS).toISOString() // the business day before
const CREPE = 10
const HOUSE: Row[] = [
  ...ROWS.map((row) => (row.kind === 'venue' && row.id === 1 ? { ...row, cash_shift: 1 } : row)),
  { kind: 'storage', id: 1, venue_id: 1, name: 'Kitchen', is_main: 1, status: 1 },
]

onEachEngine('a clock that is set back', (make) => {
  const till = tills(make)

  /** A till at noon, and the hand that sets its clock back. */
  const atNoon = async () => {
    const fixture = await till(HOUSE)
    const done = async (path: string, body: object = {}, method: 'POST' | 'PATCH' = 'POST') => {
      const answer = await fixture.owner.ask(method, path, body)
      assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
      return answer.body.data
    }
    const setBack = () => {
      fixture.built.clock.ms = Date.parse(EARLIER)
    }
    return { ...fixture, done, setBack }
  }
  const shiftOf = (done: Awaited<ReturnType<typeof atNoon>>['done']) =>
    done('/shifts', { terminal_id: 1, opening_amount: 100 })

  test('closes a receipt not before it was made, on the same business day', async () => {
    const { done, setBack, open, read, pay, movements, isSound, db, brand_id } = await atNoon()
    await shiftOf(done)
    const first = await open([line(CREPE)])
    await pay(first, [[CASH, 3.33]])
    const id = await open([line(CREPE)])
    setBack()
    await done(`/receipts/${id}/lines`, { lines: [line(CREPE)] })
    const refused = await pay(id, [[CASH, 6.66]], { closed_at: '2026-03-01T12:00:00.001Z' })
    assert.equal(refused.status, 400)
    assert.match(JSON.stringify(refused.body), /closed_at must not be in the future/)
    await pay(id, [[CASH, 6.66]])
    const closed = await read(id)
    assert.deepEqual([closed.closed_at, closed.updated_at, closed.shift_date], [AT, AT, '2026-03-01'])
    for (const { created_at, updated_at } of closed.receipt_products)
      assert.deepEqual([created_at, updated_at], [AT, AT])
    assert.equal((await movements(id)).length, 6)
    const times = await db.texts('select operated_at from stock_operations where brand_id = ?', [brand_id])
    assert.deepEqual([...new Set(times)], [AT], 'stock moves forward too')

    const refund = await done(`/receipts/${id}/refund`, {})
    assert.deepEqual([refund.created_at, refund.closed_at], [AT, AT])
    await isSound()
  })

  test('cancels a receipt, and moves its tickets, not before they were made', async () => {
    const { done, setBack, open, read, owner, isSound } = await atNoon()
    const [cooked, cancelled] = [await open([line(1)]), await open([line(1)])]
    await done(`/receipts/${cooked}/send`)
    setBack()
    const ticket = async () => (await owner.ask('GET', '/tickets')).body.data[0]
    await done(`/tickets/${(await ticket()).id}/start`)
    assert.deepEqual([(await ticket()).created_at, (await ticket()).updated_at], [AT, AT])
    await done(`/receipts/${cancelled}/cancel`)
    const { deleted_at, updated_at } = await read(cancelled)
    assert.deepEqual([deleted_at, updated_at], [AT, AT])
    await isSound()
  })

  test('closes a shift, publishes and reverses a document, and ends a call not before they began', async () => {
    const { done, setBack, built, headers, isSound } = await atNoon()
    const shift = await shiftOf(done)
    const items = [{ product_id: 50, quantity: 2, cost: 1 }]
    const document = await done('/operations', { type: 1, storage_id: 1, items })
    const call = await built.call('/waiter-call', { method: 'POST', headers, body: { table_id: 1, type: 'WAITER' } })
    assert.equal(call.status, 200, call.text)
    setBack()
    assert.equal((await done(`/shifts/${shift.id}/close`, { closing_amount: 90 })).closed_at, AT)
    const changed = await done(`/operations/${document.id}`, { description: 'flour' }, 'PATCH')
    assert.deepEqual([changed.created_at, changed.updated_at], [AT, AT])
    const published = await done(`/operations/${document.id}/publish`)
    assert.deepEqual([published.published_at, published.updated_at], [AT, AT])
    const reversal = await done(`/operations/${document.id}/reverse`)
    assert.deepEqual([reversal.created_at, reversal.published_at], [AT, AT])
    await done(`/waiter-calls/${(call.body.data as { id: number }).id}/done`)
    await isSound()
  })

  test('accepts an order not before it was placed', async () => {
    const { done, setBack, built, headers, read, isSound } = await atNoon()
    const body = { sale_type_id: 2, integration_uuid: randomUUID(), products: [{ product_id: CREPE, count: 1 }] }
    const placed = await built.call('/orders', { method: 'POST', headers, body })
    assert.equal(placed.status, 200, placed.text)
    setBack()
    const order = await done(`/orders/${(placed.body.data as { id: number }).id}/accept`)
    assert.deepEqual([order.created_at, order.updated_at], [AT, AT])
    const receipt = await read(order.receipt_id)
    assert.deepEqual([receipt.created_at, receipt.shift_date], [AT, '2026-03-01'])
    await isSound()
  })

  test('changes no row to a time before its last change', async () => {
    const { done, setBack, owner } = await atNoon()
    await owner.ask('PATCH', '/edit/stations/1', { name: 'Hot kitchen' })
    await done('/customers/20/balance', { amount: 5, payment_method_id: 2 })
    setBack()
    await owner.ask('PATCH', '/edit/stations/1', { name: 'Kitchen' })
    const { body } = await owner.ask('GET', '/read/stations/1')
    assert.deepEqual([body.data.name, body.data.updated_at], ['Kitchen', AT])
    await done('/customers/20/balance', { amount: 5, payment_method_id: 2 })
    const customer = await owner.ask('GET', '/read/customers/20?include=details')
    assert.equal(customer.body.data.updated_at, AT)
  })
})
