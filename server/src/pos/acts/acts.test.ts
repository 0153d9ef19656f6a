import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { type Browser, offices } from '../../back-office/office-fixture.ts'
import { requireAct } from '../../resource/write/acts.ts'
import { auditBooks } from '../books/audit.ts'
import { isNotStored } from '../books/books-fixture.ts'
import { line, RESTAURANT } from '../receipts/till-fixture.ts'

const WHY: Row[] = [
  {
    kind: 'payment_method',
    id: 1,
    name: 'Card',
    status: { 1: 1 },
    position: 1,
    payment_kind: 'CARD',
    customer_required: 0,
  },
  { kind: 'reason', id: 1, name: 'Mistake', kinds: ['void', 'cancel'], needs_note: 0, position: 1, status: 1 },
  { kind: 'reason', id: 2, name: 'Other', kinds: ['gift', 'refund'], needs_note: 1, position: 2, status: 1 },
  { kind: 'reason', id: 3, name: 'Old', kinds: ['void'], needs_note: 0, position: 3, status: 0 },
]

test('a route by which people act declares its act, or the server does not start', () => {
  const route = { method: 'POST', url: '/receipts/:id/give', permission: 'receipts:discount' }
  assert.throws(() => requireAct(route), /declares no act/)
  requireAct({ ...route, act: { action: 'give' } })
  requireAct({ ...route, permission: 'customers:write' })
})

onEachEngine('the journal of acts', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>>
  let owner: Browser
  let brand_id: number

  before(async () => {
    built = await office()
    brand_id = (await built.brand('bistro', { rows: [...RESTAURANT, ...WHY] })).id
    owner = await built.staffBrowser('bistro')
  })

  const open = async (...lines: object[]) => openWith({}, ...lines)
  const openWith = async (why: object, ...lines: object[]) => {
    const { status, body } = await owner.ask('POST', '/receipts', {
      cid: randomUUID(),
      sale_type_id: 2,
      table_id: 1,
      lines,
      ...why,
    })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data.id as number
  }
  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
  const acts = async (id: number): Promise<any[]> => (await owner.ask('GET', `/receipts/${id}/acts`)).body.data
  const said = async (id: number) =>
    (await acts(id)).map(({ action, reason_kind, amount }) =>
      [action, reason_kind, amount].filter((each) => each !== undefined),
    )
  const linesOf = (id: number) =>
    built.deps.db.rows<{ id: number }>(
      'select id from receipt_lines where brand_id = ? and receipt_id = ? order by position',
      [brand_id, id],
    )
  const isSound = async () => assert.deepEqual((await auditBooks(built.deps.db, brand_id)).findings, [])

  test('every command writes what it did, once, with who and when', async () => {
    const id = await open(line(2), line(3, 1, { is_gift: true }))
    const [cider] = await linesOf(id)
    await owner.ask('POST', `/receipts/${id}/send`, {})
    await owner.ask('POST', `/receipts/${id}/send`, {}) // there is nothing more to send
    await owner.ask('DELETE', `/receipts/${id}/lines/${cider!.id}?reason_id=1&reason_note=spilled`)
    await owner.ask('DELETE', `/receipts/${id}/lines/${cider!.id}`) // it is void already
    await owner.ask('PATCH', `/receipts/${id}`, { table_id: 0 })
    assert.deepEqual(await said(id), [['gift', 'gift', 6.2], ['send'], ['void', 'void', 4.5], ['table']])
    const [, , gone] = await acts(id)
    const { user_id, line_id, reason_id, note, step } = gone
    assert.deepEqual(
      { user_id, line_id, reason_id, note, step },
      {
        user_id: 1,
        line_id: cider!.id,
        reason_id: 1,
        note: 'spilled',
        step: 3,
      },
    )
    await isSound()
  })

  test('lines say who added them and when they were sent', async () => {
    const id = await open(line(2, 1, { note: 'nuts', allergy: true }))
    await owner.ask('POST', `/receipts/${id}/send`, {})
    const { body } = await owner.ask('GET', `/read/receipts/${id}?include=receipt_products`)
    const [{ user_id, sent_at, allergy }] = body.data.receipt_products
    assert.deepEqual([user_id, typeof sent_at, allergy], [1, 'string', true])
  })

  test('a refund, a cancellation and cash have their acts, and payments their amounts', async () => {
    const id = await open(line(2, 2))
    const total = 9
    const paid = await owner.ask('POST', `/receipts/${id}/close`, { payment_methods: [{ id: 1, amount: total }] })
    assert.equal(paid.status, 200, JSON.stringify(paid.body))
    const back = await owner.ask('POST', `/receipts/${id}/refund`, { reason_id: 2, reason_note: 'cold' })
    assert.equal(back.status, 200, JSON.stringify(back.body))
    assert.deepEqual(await said(id), [['open'], ['close', total], ['refund', 'refund', total]])
    const other = await open(line(2))
    await owner.ask('POST', `/receipts/${other}/cancel`, { reason_id: 1 })
    assert.deepEqual(await said(other), [['open'], ['cancel', 'cancel', 4.5]])
    const { body } = await owner.ask('GET', '/reports/reasons?from=2000-01-01&to=2000-12-31')
    assert.deepEqual(body.data, [], 'nothing was done then')
    await isSound()
  })

  test('a venue that wants reasons refuses what has none, and one that does not fit', async () => {
    const id = await open(line(2), line(3))
    await owner.ask('POST', `/receipts/${id}/send`, {})
    const [one, two] = await linesOf(id)
    const venue = { kind: 'venue', id: 1, name: 'Main', is_main: true, time_zone: 'Europe/Paris' }
    await putRows(built.deps.db, brand_id, [{ ...venue, reason_for: ['void', 'gift'] }])
    const gone = async (query: string) => {
      const { status, body } = await owner.ask('DELETE', `/receipts/${id}/lines/${one!.id}${query}`)
      return [status, body.error, body.details?.kind].filter((each) => each !== undefined)
    }
    assert.deepEqual(await gone(''), [400, 'reason_required', 'void'])
    assert.deepEqual(await gone('?reason_id=2'), [400, 'validation_failed'], 'no reason for a void')
    assert.deepEqual(await gone('?reason_id=3'), [400, 'validation_failed'], 'switched off')
    assert.deepEqual(await gone('?reason_id=9'), [400, 'validation_failed'], 'unknown')
    assert.deepEqual(await said(id), [['open'], ['send']], 'what was refused wrote nothing')
    assert.deepEqual(await gone('?reason_id=1'), [200])
    const gift = (more: object) =>
      owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(3, 1, { is_gift: true })], ...more })
    assert.equal((await gift({})).body.error, 'reason_required')
    assert.equal((await gift({ reason_id: 2 })).status, 400, 'this reason wants a note')
    assert.equal((await gift({ reason_id: 2, reason_note: 'birthday' })).status, 200)
    const fresh = await open(line(2))
    const [added] = await linesOf(fresh)
    assert.equal((await owner.ask('DELETE', `/receipts/${fresh}/lines/${added!.id}`)).status, 200, 'nobody has seen it')
    assert.ok(two)
    const { body } = await owner.ask('GET', '/reports/reasons?from=2026-03-01&to=2026-03-01&by=reason')
    const row = body.data.find(({ kind, name }: Row) => kind === 'gift' && name === 'Other')
    assert.deepEqual([row.count, row.amount], [1, 6.2])
    const csv = await owner.ask('GET', '/reports/reasons.csv?from=2026-03-01&to=2026-03-01&by=user')
    assert.equal(csv.status, 200)
    await isSound()
  })

  test('more of what is given away needs the right to give, and its act says what more is', async () => {
    const waiter = await built.staffBrowser('bistro', 'waiter')
    assert.equal((await owner.ask('PATCH', '/edit/venues/1', { reason_for: [] })).status, 200)
    const id = await open(
      line(2, 1, { is_gift: true }),
      line(3, 1, { price: 1 }),
      line(1, 1, { modifiers: [{ modifier_id: 1, price: 0 }] }),
      line(1, 1, { portion_size: 0.5 }),
      line(2, 1, { discount_type: 1, discount_value: 50 }),
      line(2),
    )
    const lines = (await linesOf(id)).map((each) => each.id)
    const counted = (person: Browser, index: number, count: number) =>
      person.ask('PATCH', `/receipts/${id}/lines/${lines[index]}`, { count })
    for (const index of [0, 1, 2, 3, 4]) {
      assert.equal((await counted(waiter, index, 3)).status, 403, String(index))
      assert.equal((await counted(owner, index, 3)).status, 200, String(index))
      assert.equal((await counted(waiter, index, 2)).status, 200, 'less of it')
    }
    assert.equal((await counted(waiter, 5, 3)).status, 200)
    const given = (await said(id)).filter(([, kind]) => kind !== undefined)
    assert.deepEqual(given, [
      ['gift', 'gift', 4.5],
      ['price', 'price', 5.2],
      ['price', 'price', 1.8],
      ['price', 'price', 7.45],
      ['discount', 'discount', 2.25],
      ['gift', 'gift', 9],
      ['price', 'price', 10.4],
      ['price', 'price', 3.6],
      ['price', 'price', 14.9],
      ['discount', 'discount', 4.5],
    ])
    await isSound()
  })

  test('who accepts an order with prices of its own gives nothing away, and needs no reason', async () => {
    const brand = await built.brand('diner', { rows: [...RESTAURANT, ...WHY] })
    const reason_for = ['void', 'cancel', 'refund', 'discount', 'gift', 'price']
    const venue = { kind: 'venue', id: 1, name: 'Main', is_main: true, time_zone: 'Europe/Paris' }
    await putRows(built.deps.db, brand.id, [{ ...venue, reason_for }])
    const staff = await built.staffBrowser('diner')
    const headers = { 'x-token': await built.token(brand.credentials) }
    const cider = { product_id: 2, count: 1 }
    for (const more of [
      { products: [{ ...cider, price: 1 }] },
      { products: [cider], discount: { discount_type: 1, discount_value: 10 } },
    ]) {
      const body = { sale_type_id: 2, ...more }
      const placed = await built.call('/orders', { method: 'POST', headers, body })
      assert.equal(placed.status, 200, placed.text)
      const { id } = (placed.body as { data: { id: number } }).data
      const accepted = await staff.ask('POST', `/orders/${id}/accept`, {})
      assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
    }
    assert.deepEqual((await auditBooks(built.deps.db, brand.id)).findings, [])
  })

  test('a receipt goes to another waiter, also while its bill is shown, and only they may go on where each has their own', async () => {
    const waiter = await built.staffBrowser('bistro', 'waiter')
    const venue = { kind: 'venue', id: 1, name: 'Main', is_main: true, time_zone: 'Europe/Paris' }
    await putRows(built.deps.db, brand_id, [{ ...venue, own_receipts: 1 }])
    const id = await open(line(2))
    const add = () => waiter.ask('POST', `/receipts/${id}/lines`, { lines: [line(2)] })
    assert.deepEqual((await add()).body.details, { required: 'receipts:others', receipt_id: id })
    await owner.ask('POST', `/receipts/${id}/lock`, {})
    assert.equal((await owner.ask('PATCH', `/receipts/${id}`, { user_id: 99 })).status, 400)
    assert.equal((await owner.ask('PATCH', `/receipts/${id}`, { user_id: 2, table_id: 0 })).status, 200)
    await owner.ask('POST', `/receipts/${id}/unlock`, {})
    assert.equal((await add()).status, 200)
    const moved = (await acts(id)).find(({ action }) => action === 'transfer')
    assert.deepEqual([moved.from, moved.to], ['1', '2'])
    await isSound()
  })

  test('what was done without an act, or has two, is found (I20)', async () => {
    const why = { reason_id: 2, reason_note: 'birthday' }
    const id = await openWith(why, line(2), line(3, 1, { is_gift: true }))
    await built.deps.db.transaction((tx) =>
      tx.run(`delete from receipt_acts where brand_id = ? and receipt_id = ? and action = 'gift'`, [brand_id, id]),
    )
    const found = async () =>
      (await auditBooks(built.deps.db, brand_id)).findings.filter(isNotStored).map(({ invariant }) => invariant)
    assert.deepEqual(await found(), ['I20'])
  })
})
