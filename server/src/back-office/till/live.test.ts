import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows } from '../../../test/database/store.ts'
import { eventId } from '../../events/event-id.ts'
import { line, RESTAURANT } from '../../pos/receipts/till-fixture.ts'
import { VOID_TICKETS } from '../../pos/receipts/waiting-tickets.ts'
import { type Browser, offices } from '../office-fixture.ts'
import { follow as followed } from './live-fixture.ts'

onEachEngine('what the screens of till and kitchen read', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>>
  let brand_id: number
  let owner: Browser
  let url: string

  before(async () => {
    built = await office()
    brand_id = (await built.brand('bistro', { rows: RESTAURANT, quota: 1e9 })).id
    owner = await built.staffBrowser('bistro')
    url = await built.app.listen({ port: 0, host: '127.0.0.1' })
  })

  const follow = (browser: Browser, headers?: Record<string, string>) => followed(url, browser, headers)

  const open = async (venue: number, lines: object[] = [], more: object = {}) => {
    const input = { cid: randomUUID(), sale_type_id: 1, lines, ...more }
    const { status, body } = await owner.ask('POST', '/receipts', input, { 'x-venue': String(venue) })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data.id as number
  }

  test('a stream tells what happens in its venue, and goes on where it was left', async () => {
    const live = await follow(owner)
    await open(2)
    const id = await open(1)
    const event = (await live.next())!
    assert.equal(event.type, 'receipt.opened')
    assert.equal((event.data.data as { id: number }).id, id)
    live.stop()
    const missed = await open(1)
    const again = await follow(owner, { 'last-event-id': event.id })
    assert.equal(((await again.next())!.data.data as { id: number }).id, missed)
    again.stop()
  })

  test('a stream for several venues tells what happens in those that one may enter, each with its venue', async () => {
    const live = await followed(url, owner, {}, '?venues=2,99')
    for (const venue of [2, 1, 2]) await open(venue)
    const told = [await live.next(), await live.next(), await live.next()]
    assert.deepEqual(
      told.map((event) => event!.data.venue_id),
      [2, 1, 2],
    )
    live.stop()
    assert.deepEqual(live.venues, [1, 2])

    await putRows(built.deps.db, brand_id, [{ kind: 'user', id: 4, username: 'one-venue', role_id: 2, venue_ids: [1] }])
    await built.deps.directory.refresh()
    const inOne = await followed(url, await built.staffBrowser('bistro', 'one-venue'), {}, '?venues=1,2')
    assert.deepEqual(inOne.venues, [1])
    for (const venue of [2, 1]) await open(venue)
    assert.equal((await inOne.next())!.data.venue_id, 1)
    inOne.stop()
    for (const venues of ['x', '1,', '-1', Array.from({ length: 65 }, () => '1').join()])
      assert.equal((await owner.ask('GET', `/live?venues=${venues}`)).status, 400, venues)
  })

  test('a cursor of another history is answered with a reset', async () => {
    const live = await follow(owner, { 'last-event-id': eventId({ position: 1e6, nonce: 1 }) })
    assert.equal((await live.next())!.type, 'resync')
    live.stop()
  })

  test('tickets of a station: waiting and cooking ones oldest first, then those that are ready', async () => {
    const id = await open(1, [line(1, 2, { note: 'no salt', modifiers: [{ modifier_id: 1 }] }), line(2)], {
      table_id: 1,
    })
    const later = await open(1, [line(1)])
    for (const receipt of [id, later])
      assert.equal((await owner.ask('POST', `/receipts/${receipt}/send`, {})).status, 200)
    const tickets = async (query = '') => (await owner.ask('GET', `/tickets${query}`)).body.data
    const [first, second] = await tickets('?station_id=1')
    assert.deepEqual([first.receipt_id, first.state, second.receipt_id], [id, 'SENT', later])
    assert.deepEqual([first.sale_type, first.table, first.lines[0].cooking_time], ['IN', 'T1', 12])
    assert.deepEqual(
      first.lines.map(({ name, count, note, modifiers }: Record<string, unknown>) => [name, count, note, modifiers]),
      [['Galette', 2, 'no salt', [{ name: 'Egg', count: 1 }]]],
    )
    assert.equal((await tickets()).length, 3)
    for (const step of ['start', 'ready']) await owner.ask('POST', `/tickets/${first.id}/${step}`, {})
    assert.deepEqual(
      (await tickets('?station_id=1')).map(({ id, state }: { id: number; state: string }) => [id, state]),
      [
        [second.id, 'SENT'],
        [first.id, 'READY'],
      ],
    )
    const [cook, waiter] = [await built.staffBrowser('bistro', 'cook'), await built.staffBrowser('bistro', 'waiter')]
    assert.deepEqual(
      [(await cook.ask('GET', '/tickets')).status, (await waiter.ask('GET', '/tickets')).status],
      [200, 403],
    )
    assert.equal((await owner.ask('GET', '/tickets', undefined, { 'x-venue': '2' })).body.data.length, 0)
  })

  test('a ticket that was taken back is shown as such, one that was served is not there', async () => {
    const [served, cancelled] = [await open(1, [line(1)]), await open(1, [line(1)])]
    for (const receipt of [served, cancelled]) await owner.ask('POST', `/receipts/${receipt}/send`, {})
    const ticketOf = async (receipt: number) =>
      (await owner.ask('GET', '/tickets?station_id=1')).body.data.find(
        ({ receipt_id }: { receipt_id: number }) => receipt_id === receipt,
      )
    const { id } = await ticketOf(served)
    for (const step of ['start', 'ready', 'serve']) await owner.ask('POST', `/tickets/${id}/${step}`, {})
    assert.equal((await owner.ask('POST', `/receipts/${cancelled}/cancel`, {})).status, 200)
    assert.equal(await ticketOf(served), undefined)
    assert.equal((await ticketOf(cancelled)).state, 'VOID')
  })

  test('reading tickets walks what waits and what was made last, not what was ever made', async () => {
    const { db } = built.deps
    if (db.dialect.engine !== 'SQLite') return // the planner of PostgreSQL decides by sizes: here there is nothing to decide
    for (const which of [`state in ('SENT', 'COOKING')`, `state = 'READY' and updated_at > '2020'`]) {
      const plan = await db.rows<{ detail: string }>(
        `explain query plan select id from tickets where brand_id = 1 and venue_id = 1 and ${which}`,
        [],
      )
      assert.match(plan.map(({ detail }) => detail).join(), /tickets_(waiting|ready)/)
    }
    const statement = `explain query plan select tickets.id ${VOID_TICKETS}`
    const plan = await db.rows<{ detail: string }>(statement, [1, 1, '', ''])
    assert.match(plan.map(({ detail }) => detail).join(), /receipts_venue_updated_at.*tickets_receipt_id/)
  })

  test('staff read lists and rows as an integration does, each with their own right to it', async () => {
    const id = await open(1, [line(2)])
    const { status, body, headers } = await owner.ask('GET', `/read/receipts/${id}?include=details,receipt_products`)
    assert.deepEqual([status, body.data.id, headers.etag], [200, id, '"1"'])
    assert.equal(body.data.receipt_products.length, 1)
    assert.equal((await owner.ask('GET', `/read/receipts/${id}`, undefined, { 'x-venue': '2' })).status, 404)
    const cook = await built.staffBrowser('bistro', 'cook')
    assert.equal((await cook.ask('GET', `/read/receipts/${id}`)).status, 403)
    assert.equal((await owner.ask('GET', '/read/products?limit=2&include=modificator_groups')).body.data.length, 2)
  })

  test('who cooks learns that tickets may have changed, and nothing of receipts', async () => {
    const live = await follow(await built.staffBrowser('bistro', 'cook'))
    await open(2)
    await open(1)
    const { type, data } = (await live.next())!
    assert.deepEqual([type, data], ['tickets.changed', { venue_id: 1 }])
    live.stop()
  })

  test('it shows nothing that the user may not read, and ends when they may no longer come', async () => {
    const waiter = await built.staffBrowser('bistro', 'waiter')
    const live = await follow(waiter)
    await putRows(built.deps.db, brand_id, [{ kind: 'customer', id: '9', name: 'Emin' }]) // customers:read is not theirs
    const id = await open(1)
    assert.equal(((await live.next())!.data.data as { id: number }).id, id)
    const inactive = { kind: 'user', id: 2, username: 'waiter', role_id: 2, active: false }
    await putRows(built.deps.db, brand_id, [inactive])
    await built.deps.directory.refresh()
    assert.equal(await live.next(), undefined)
  })
})
