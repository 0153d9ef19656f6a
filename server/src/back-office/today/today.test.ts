import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { noteBackup } from '../../backup/noted.ts'
import { uuidOf } from '../../demo/random.ts'
import { line, RESTAURANT } from '../../pos/receipts/till-fixture.ts'
import type { Browser } from '../office-fixture.ts'
import { offices, PASSWORD } from '../office-fixture.ts'
import type { Today } from './schema.ts'

const HOUSE: Row[] = [
  ...RESTAURANT,
  { kind: 'venue', id: 3, name: 'Kathmandu', time_zone: 'Asia/Kathmandu', day_starts_at: '00:00' },
  { kind: 'role', id: 4, name: 'Seller', permissions: ['receipts:read'] },
  { kind: 'user', id: 4, username: 'seller', role_id: 4, venue_ids: [1] },
  { kind: 'payment_method', id: 1, name: 'Cash', payment_kind: 'CASH', status: {}, customer_required: 0, position: 1 },
]

/** A receipt that was closed here, as our own export has it. */
const sold = (id: number, venue_id: number, closed_at: string, shift_date: string, total: number): Row => ({
  kind: 'receipt',
  id,
  venue_id,
  cid: uuidOf('sold', id),
  status: 2,
  total,
  subtotal: total,
  created_at: closed_at,
  closed_at,
  shift_date,
  rule: 1,
  terms: { money_places: 2, taxes_included: [] },
  version: 1,
  receipt_products: [],
})

onEachEngine('Today', (make) => {
  const office = offices(make)

  async function opened() {
    const built = await office()
    const { id } = await built.brand('bistro', { rows: HOUSE })
    const seenBy = async (browser: Browser, query = '') => (await browser.ask('GET', `/today${query}`)).body as Today
    const see = async (username: string, query = '') => seenBy(await built.staffBrowser('bistro', username), query)
    return { ...built, brand_id: id, see, seenBy }
  }

  test('sold so far stands against the same weekday up to this minute, by the hours of each venue’s clock', async () => {
    const { deps, brand_id, clock, see } = await opened()
    clock.ms = Date.parse('2026-03-30T10:30:20.000Z') // a Monday: 12:30 in Paris, which was 11:30 UTC a week ago
    await putRows(deps.db, brand_id, [
      sold(1, 1, '2026-03-30T07:59:00.000Z', '2026-03-30', 10), // 09:59
      sold(2, 1, '2026-03-30T08:00:00.000Z', '2026-03-30', 20.5), // 10:00
      sold(3, 1, '2026-03-30T01:00:00.000Z', '2026-03-29', 99), // 03:00 belongs to Sunday
      sold(4, 1, '2026-03-23T11:30:59.000Z', '2026-03-23', 7), // 12:30 in winter
      sold(5, 1, '2026-03-23T11:31:00.000Z', '2026-03-23', 5), // a minute later
      sold(6, 3, '2026-03-30T04:15:00.000Z', '2026-03-30', 3), // 10:00 at UTC+5:45
      sold(7, 3, '2026-03-30T04:14:00.000Z', '2026-03-30', 4),
    ])
    const { sales } = await see('owner')
    assert.deepEqual(
      [sales!.day, sales!.total, sales!.receipts, sales!.before],
      ['2026-03-30', 37.5, 4, { day: '2026-03-23', total: 7, receipts: 1 }],
    )
    assert.equal(sales!.hours.length, 24)
    assert.equal(sales!.hours[0]!.hour, 4, 'from the hour at which the day begins')
    assert.deepEqual(
      sales!.hours.filter(({ total, before }) => total !== 0 || before !== 0),
      [
        { hour: 9, total: 14, before: 0 },
        { hour: 10, total: 23.5, before: 0 },
        { hour: 12, total: 0, before: 12 },
      ],
    )
    assert.equal((await see('seller')).sales!.total, 30.5, 'of the venues that one may enter')
    assert.equal((await see('owner', '?venue_id=3')).sales!.total, 7)
    const refused = (await see('seller', '?venue_id=2')) as unknown as { error: string }
    assert.equal(refused.error, 'forbidden')
  })

  test('what is open, waits, is late and runs out, in the venues that one may enter', async () => {
    const { deps, brand_id, clock, staffBrowser, see, seenBy } = await opened()
    await putRows(deps.db, brand_id, [
      { ...RESTAURANT.find((row) => row.kind === 'product' && row.id === 50)!, low_stock: 5, unit_id: undefined },
      { kind: 'storage', id: 1, venue_id: 1, name: 'Cellar', is_main: 1, status: 1 },
      { kind: 'stock', id: 1, venue_id: 1, storage_id: 1, product_id: 50 },
    ])
    const owner = await staffBrowser('bistro')
    const done = async (method: 'POST' | 'PUT', path: string, body: object) => {
      const answer = await owner.ask(method, path, body, { 'idempotency-key': randomUUID() })
      assert.ok(answer.status < 300, `${path} ${JSON.stringify(answer.body)}`)
      return answer.body.data
    }
    await done('POST', '/shifts', { terminal_id: 1, opening_amount: 50 })
    const opening = { cid: randomUUID(), sale_type_id: 1, terminal_id: 1 }
    const galette = line(1, 1)
    const { id } = await done('POST', '/receipts', { ...opening, lines: [galette, line(2, 1)] })
    await done('POST', `/receipts/${id}/send`, {})
    await done('PUT', '/stop-list/3', { limit: 0 })
    await done('PUT', '/stop-list/4', { limit: 2 })
    const at = new Date(clock.ms).toISOString()
    const seen = await seenBy(owner)
    assert.deepEqual(seen.open, { count: 1, total: 21.34, oldest: at })
    assert.deepEqual(seen.kitchen, { waiting: 2, late: 0 })
    assert.deepEqual(
      seen.shifts!.map(({ id: _, ...shift }) => shift),
      [{ venue: 'Main', terminal: 'Till', opened_at: at, opened_by: 'owner' }],
    )
    assert.deepEqual(seen.short, {
      sold_out: 1,
      few_left: 1,
      low: 1,
      items: [
        { venue: 'Main', name: 'Calvados', left: 0 },
        { venue: 'Main', name: 'Cheese', left: 2 },
        { venue: 'Main', name: 'Flour', left: 0 },
      ],
    })
    clock.ms += 11 * 60_000 // the drink has no time of its own: ten minutes; the dish has twelve
    assert.deepEqual((await seenBy(owner)).kitchen, { waiting: 2, late: 1 })
    clock.ms += 60_000
    assert.deepEqual((await seenBy(owner)).kitchen, { waiting: 2, late: 2 })
    assert.deepEqual((await seenBy(owner, '?venue_id=2')).kitchen, { waiting: 0, late: 0 })
    assert.equal((await see('owner', '?venue_id=2')).open!.count, 0)

    assert.deepEqual(Object.keys(await see('cook')), ['now', 'kitchen', 'notices'])
    assert.deepEqual(Object.keys(await see('seller')), ['now', 'sales', 'open', 'notices'])
  })

  test('notices are for those who can do something about them', async () => {
    const { deps, brand_id, clock, see } = await opened()
    const kinds = async (username = 'owner') => (await see(username)).notices.map(({ kind }) => kind)
    clock.ms = Date.now()
    assert.deepEqual(await kinds(), [])
    const isEmbedded = deps.db.dialect.engine === 'SQLite'
    clock.ms += 49 * 3_600_000
    assert.deepEqual(await kinds(), isEmbedded ? ['backup'] : [])
    assert.deepEqual(await kinds('seller'), [])
    await deps.db.transaction((tx) => noteBackup(tx, new Date(clock.ms).toISOString()))
    assert.deepEqual(await kinds(), [])
    await deps.db.transaction((tx) =>
      tx.run(
        `insert into book_audits (brand_id, at, ms, version, receipts, checked, findings) values (?, ?, 1, '1', 1, '["I1"]', ?)`,
        [
          brand_id,
          new Date(clock.ms).toISOString(),
          JSON.stringify([{ invariant: 'I1', subject: 'receipt 1', problem: 'x' }]),
        ],
      ),
    )
    assert.deepEqual(await kinds(), ['books'])
    assert.deepEqual(await kinds('seller'), [])
  })

  test('a printer that does not print in time is a notice, in its own venue', async () => {
    const { deps, brand_id, clock, seenBy, staffBrowser } = await opened()
    const owner = await staffBrowser('bistro', 'owner')
    await putRows(deps.db, brand_id, [
      { kind: 'venue', id: 3, name: 'Kathmandu', time_zone: 'Asia/Kathmandu', day_starts_at: '00:00', alarm_s: 300 },
      ...[1, 3].map((venue_id) => ({
        ...{
          kind: 'printer',
          id: venue_id,
          venue_id,
          name: `Pass ${venue_id}`,
          printer_kind: 'virtual',
          command: 'escpos',
        },
        ...{ paper: 80, dots: 576, code_page: 'multilingual', mode: 'auto', ack: 1, cut: 1, drawer: 0, status: 1 },
      })),
    ])
    const put = (printer_id: number, seq: number, kind: string, state: string) =>
      deps.db.transaction((tx) =>
        tx.run(
          `insert into print_jobs (brand_id, printer_id, seq, venue_id, kind, state, copies, attempt, begun, duplicate, created_at)
           values (?, ?, ?, ?, ?, ?, 1, 0, 0, 0, ?)`,
          [brand_id, printer_id, seq, printer_id, kind, state, new Date(clock.ms).toISOString()],
        ),
      )
    await put(1, 1, 'ticket', 'waiting')
    await put(1, 2, 'receipt', 'unsure')
    await put(1, 3, 'drawer', 'waiting')
    await put(1, 4, 'ticket', 'printed')
    await put(3, 1, 'ticket', 'waiting')
    const said = async (query = '') => (await seenBy(owner, query)).notices.filter(({ kind }) => kind === 'printers')
    assert.deepEqual(await said(), [])
    clock.ms += 31_000
    const one = [{ kind: 'printers', level: 'error', about: { count: 1, printer: 'Pass 1', waiting: 2 } }]
    assert.deepEqual(await said(), one, 'the other venue waits longer')
    assert.deepEqual(await said('?venue_id=3'), [])
    clock.ms += 300_000
    assert.deepEqual(await said(), [{ ...one[0], about: { count: 2, printer: 'Pass 1', waiting: 3 } }])
    assert.deepEqual((await seenBy(await staffBrowser('bistro', 'seller'))).notices, [], 'who may not see printers')
  })

  test('the checklist says what is still to be done before guests come, to those who may do it', async () => {
    const { brand, staffBrowser, deps } = await office()
    const { id } = await brand('bistro')
    const owner = await staffBrowser('bistro')
    const left = async () => {
      const { status, body } = await owner.ask('GET', '/today/checklist')
      assert.equal(status, 200)
      return Object.entries(body as Record<string, boolean>).flatMap(([name, isDone]) => (isDone ? [] : [name]))
    }
    assert.deepEqual(await left(), ['product', 'taxes', 'hours', 'staff', 'pins', 'printer', 'sale'])
    const tax = { id: 1, name: 'VAT', rate: 10, included: true, status: 1 }
    const product = { kind: 'product', name: 'Soup', type: 'DISH', price: 7 } // without a status: it is sold
    await putRows(deps.db, id, [
      { kind: 'tax', ...tax, sale_type_ids: [], is_default: 0 },
      { ...product, id: 1, taxes: [] },
      { kind: 'role', id: 4, name: 'Seller', permissions: ['receipts:read'] },
      { kind: 'user', id: 4, username: 'seller', role_id: 4 },
    ])
    await deps.directory.refresh()
    assert.deepEqual(await left(), ['taxes', 'hours', 'pins', 'printer', 'sale'])
    await putRows(deps.db, id, [
      { ...product, id: 1, taxes: [{ id: 1, name: 'VAT', rate: 10 }] },
      sold(1, 1, '2026-03-30T07:59:00.000Z', '2026-03-30', 10),
    ])
    assert.deepEqual(await left(), ['hours', 'pins', 'printer'])
    assert.equal((await owner.ask('PUT', '/pin', { password: PASSWORD, pin: '8642' })).status, 204)
    assert.deepEqual(await left(), ['hours', 'printer'])
    assert.equal((await (await staffBrowser('bistro', 'seller')).ask('GET', '/today/checklist')).status, 403)
  })
})
