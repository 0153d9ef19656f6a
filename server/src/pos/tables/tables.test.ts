import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { type Browser, offices } from '../../back-office/office-fixture.ts'
import { RESOURCES } from '../../resources/catalogue.ts'
import { auditBooks } from '../books/audit.ts'
import { CARD, ROWS } from '../closing/closing-fixture.ts'
import { line } from '../receipts/till-fixture.ts'

onEachEngine('receipts at tables', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>>
  let owner: Browser
  let brand_id: number
  let headers: Record<string, string>

  before(async () => {
    built = await office()
    const brand = await built.brand('bistro', { rows: ROWS, quota: 1e9 })
    brand_id = brand.id
    owner = await built.staffBrowser('bistro')
    headers = { 'x-token': await built.token(brand.credentials) }
  })

  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
  const ask = async (path: string, body: object, status = 200): Promise<any> => {
    const answer = await owner.ask('POST', path, body)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return status === 200 ? answer.body.data : answer.body
  }
  const open = async (more: object = {}): Promise<number> =>
    (await ask('/receipts', { cid: randomUUID(), sale_type_id: 1, table_id: 1, ...more })).id
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const read = async (id: number): Promise<any> => {
    const { status, body } = await built.call(`/receipts/${id}?include=details,receipt_products`, { headers })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }
  const linesOf = async (id: number) => (await read(id)).receipt_products as Record<string, number | string>[]
  const alive = async (id: number) =>
    (await linesOf(id)).filter(({ state }) => state !== 'VOID').map(({ id: own, count, state }) => [own, count, state])
  const tickets = async () =>
    built.deps.db.rows<{
      id: number
      receipt_id: number
      state: string
      created_at: string
      moved_from: number | null
    }>('select id, receipt_id, state, created_at, moved_from from tickets where brand_id = ? order by id', [brand_id])
  const ticketsOf = async (...ids: number[]) => (await tickets()).filter(({ receipt_id }) => ids.includes(receipt_id))
  const isSound = async () => assert.deepEqual((await auditBooks(built.deps.db, brand_id)).findings, [])
  const eventsOf = async (id: number) => {
    const rows = await built.deps.db.rows<{ type: string; data: string }>(
      `select type, data from events where brand_id = ? and subject = ? and type like 'receipt.%' order by position`,
      [brand_id, String(id)],
    )
    return rows.map(({ type, data }) => ({ type, ...JSON.parse(data) }))
  }

  test('a split gives the lines a receipt of their own, with ids, states and money kept', async () => {
    const id = await open({ guests: 5, lines: [line(1, 2), line(2, 3), line(3, 1)] })
    await ask(`/receipts/${id}/send`, {})
    const before = await read(id)
    const [galettes, ciders, calvados] = before.receipt_products
    const parts = [
      { cid: randomUUID(), guests: 2, lines: [{ id: galettes.id }, { id: ciders.id, count: 1 }] },
      { cid: randomUUID(), guests: 1, lines: [{ id: ciders.id, count: 1 }] },
    ]
    const planned = await ask(`/receipts/${id}/split?dry_run=1`, { parts })
    assert.deepEqual((await read(id)).version, before.version)
    const [source, first, second] = await ask(`/receipts/${id}/split`, { parts })
    const totals = (receipts: { total: number }[]) => receipts.map(({ total }) => total)
    assert.deepEqual(totals(planned), totals([source, first, second]))
    assert.deepEqual(await alive(id), [
      [ciders.id, 1, 'SENT'],
      [calvados.id, 1, 'READY'],
    ])
    const [moved, part] = await linesOf(first.id)
    assert.deepEqual([moved!.id, moved!.cid, moved!.count, moved!.state], [galettes.id, galettes.cid, 2, 'SENT'])
    assert.deepEqual([part!.product_id, part!.count, part!.state], [2, 1, 'SENT'])
    assert.notEqual(part!.cid, ciders.cid)
    const after = [await read(id), await read(first.id), await read(second.id)]
    assert.deepEqual(
      after.map(({ guests, table_id }) => [guests, table_id]),
      [
        [2, 1],
        [2, 1],
        [1, 1],
      ],
    )
    assert.deepEqual(new Set(after.map(({ number }) => number)).size, 3)
    const cents = (name: string) => after.reduce((sum, receipt) => sum + Math.round(receipt[name] * 100), 0)
    assert.equal(cents('subtotal'), Math.round(before.subtotal * 100))
    assert.ok(Math.abs(cents('total') - Math.round(before.total * 100)) <= 2)
    const parting = await eventsOf(id)
    assert.deepEqual(parting.at(-1).moved_to, [first.id, second.id])
    assert.deepEqual(
      (await eventsOf(first.id)).map(({ type, moved_from }) => [type, moved_from]),
      [['receipt.opened', [id]]],
    )
    const again = await ask(`/receipts/${id}/split`, { parts })
    assert.deepEqual(
      again.map((receipt: { id: number }) => receipt.id),
      [id, first.id, second.id],
    )
    await isSound()
  })

  test('tickets go with the last of their living lines, and part where lines stay', async () => {
    const id = await open({ lines: [line(1), line(1), line(2)] })
    await ask(`/receipts/${id}/send`, {})
    const sent = await ticketsOf(id)
    const [one, two, cider] = await linesOf(id)
    const target = await open()
    await ask(`/receipts/${id}/move`, { receipt_id: target, lines: [{ id: one!.id }] })
    const parted = await ticketsOf(id, target)
    assert.equal(parted.length, 3)
    const own = parted.find(({ receipt_id }) => receipt_id === target)!
    assert.deepEqual(
      [own.state, own.created_at, own.moved_from],
      ['SENT', sent.find((ticket) => ticket.id === one!.id)!.created_at, id],
    )
    await ask(`/receipts/${id}/move`, { receipt_id: target, lines: [{ id: two!.id }] })
    assert.deepEqual(
      (await ticketsOf(id)).map((ticket) => ticket.id),
      [cider!.id],
    )
    assert.deepEqual((await ticketsOf(target)).map((ticket) => ticket.id).sort(), [own.id, one!.id].sort())
    await ask(`/tickets/${one!.id}/start`, {})
    assert.deepEqual(await alive(target), [
      [one!.id, 1, 'SENT'],
      [two!.id, 1, 'COOKING'],
    ])
    await isSound()
  })

  test('of a ticket whose lines differ, what goes and what stays has each the state of its lines', async () => {
    const id = await open({ lines: [line(1), line(1), line(1)] })
    await ask(`/receipts/${id}/send`, {})
    const [one, two, three] = await linesOf(id)
    await ask(`/tickets/${one!.id}/ready`, { lines: [one!.id, two!.id] })
    const target = await open()
    await ask(`/receipts/${id}/move`, { receipt_id: target, lines: [{ id: three!.id }] })
    const states = async (of: number) => (await ticketsOf(of)).map(({ state }) => state)
    assert.deepEqual([await states(id), await states(target)], [['READY'], ['SENT']])
    await isSound()
  })

  test('a merge takes all living lines; what was void stays, and nothing counts as cancelled', async () => {
    const source = await open({ guests: 2, lines: [line(1), line(2, 2), line(3)] })
    await ask(`/receipts/${source}/send`, {})
    const [galette] = await linesOf(source)
    assert.equal((await owner.ask('DELETE', `/receipts/${source}/lines/${galette!.id}?waste=1`)).status, 200)
    const target = await open({ guests: 2, lines: [line(4, 0.35)] })
    const merged = await ask(`/receipts/${source}/merge`, { receipt_id: target })
    assert.equal(merged.id, target)
    const ended = await read(source)
    assert.deepEqual([ended.status, ended.merged_into, ended.total, ended.receipt_products.length], [3, target, 0, 1])
    assert.deepEqual((await read(target)).guests, 4)
    assert.deepEqual((await linesOf(target)).length, 3)
    const last = (await eventsOf(source)).at(-1)
    assert.deepEqual([last.type, last.merged_into, last.moved_to], ['receipt.cancelled', target, [target]])
    await isSound()
  })

  test('held portions go with their lines, and the stop list is not asked', async () => {
    const limit = await owner.ask('PUT', '/stop-list/3', { limit: 5 })
    assert.equal(limit.status, 200, JSON.stringify(limit.body))
    const left = async () =>
      (
        await built.deps.db.rows<{ remaining: number }>(
          'select remaining from stop_list where brand_id = ? and id = 3',
          [brand_id],
        )
      )[0]!.remaining / 10_000
    const id = await open({ lines: [line(3, 4), line(2)] })
    assert.equal(await left(), 1)
    const [calvados] = await linesOf(id)
    const cid = randomUUID()
    const [, part] = await ask(`/receipts/${id}/split`, { parts: [{ cid, lines: [{ id: calvados!.id, count: 3 }] }] })
    assert.equal(await left(), 1)
    await isSound()
    await ask(`/receipts/${part.id}/cancel`, {})
    assert.equal(await left(), 4)
    await ask(`/receipts/${id}/cancel`, {})
    assert.equal(await left(), 5)
    await isSound()
  })

  test('what cannot go is refused, and changes nothing', async () => {
    const id = await open({ lines: [line(1), line(4, 1.5), line(2, 2)] })
    const [galette, cheese, ciders] = await linesOf(id)
    const other = await open({ lines: [line(2)] })
    const split = (lines: object[], cid: string = randomUUID()) => ({ parts: [{ cid, lines }] })
    const rule = (body: { details: { rule: string }[] | { fields: { rule: string }[] } }) => JSON.stringify(body)
    for (const [lines, expected] of [
      [[{ id: galette!.id }, { id: cheese!.id }, { id: ciders!.id }], 'minimum'],
      [[{ id: 999_999 }], 'exists'],
      [[{ id: cheese!.id, count: 1 }], 'whole'],
      [[{ id: ciders!.id, count: 3 }], 'range'],
      [[{ id: ciders!.id }, { id: ciders!.id }], 'unique'],
      [[], 'required'],
    ] as const)
      assert.match(rule(await ask(`/receipts/${id}/split`, split([...lines]), 400)), new RegExp(`"${expected}"`))
    const move = (path: string, body: object) => owner.ask('POST', `/receipts/${path}`, body)
    const lines = [{ id: galette!.id }]
    assert.equal((await move(`${id}/move`, { lines, receipt_id: id })).status, 400)
    assert.equal((await move(`${id}/move`, { lines, receipt_id: other, version: 7 })).status, 412)
    assert.equal((await move(`${id}/move`, { lines, receipt_id: 999_999 })).status, 404)
    await ask(`/receipts/${other}/lock`, {})
    assert.equal((await move(`${id}/move`, { lines, receipt_id: other })).body.error, 'receipt_locked')
    assert.equal((await move(`${other}/merge`, { receipt_id: id })).body.error, 'receipt_locked')
    await ask(`/receipts/${other}/unlock`, {})
    const paying = { payment_methods: [{ id: CARD, amount: 20 }] }
    assert.equal((await owner.ask('POST', `/receipts/${id}/payments`, paying)).status, 200)
    assert.equal((await move(`${id}/merge`, { receipt_id: other })).body.error, 'receipt_paid')
    const most = split([{ id: galette!.id }, { id: cheese!.id }])
    assert.equal((await move(`${id}/split`, most)).body.error, 'overpaid')
    assert.equal((await linesOf(id)).length, 3)
    await isSound()
  })

  test('an amount off is shared, so that nobody pays more or less in all', async () => {
    const id = await open({ sale_type_id: 2, lines: [line(2, 3, { discount_type: 2, discount_value: 1 }), line(3, 2)] })
    const discount = { discount: { discount_type: 2, discount_value: 2.5 } }
    assert.equal((await owner.ask('PATCH', `/receipts/${id}`, discount)).status, 200)
    const total = (await read(id)).total
    const [ciders, calvados] = await linesOf(id)
    const part = {
      cid: randomUUID(),
      lines: [
        { id: ciders!.id, count: 1 },
        { id: calvados!.id, count: 1 },
      ],
    }
    const [source, made] = await ask(`/receipts/${id}/split`, { parts: [part] })
    assert.equal(Math.round((source.total + made.total) * 100), Math.round(total * 100))
    assert.equal(Math.round((source.discount_value + made.discount_value) * 100), 250)
    await isSound()
  })

  test('several pay one receipt, each their share', async () => {
    const id = await open({ sale_type_id: 2, lines: [line(1), line(2), line(3)] })
    const { total } = await read(id)
    const shares = async (query: string) => (await owner.ask('GET', `/receipts/${id}/shares?${query}`)).body.data
    const [first] = await shares('by=even&count=3')
    const paying = { payment_methods: [{ id: CARD, amount: first.amount, share: first.label }] }
    await ask(`/receipts/${id}/payments`, paying)
    const after = await shares('by=even&count=3')
    assert.deepEqual(
      after.map(({ paid }: { paid: number }) => paid),
      [first.amount, 0, 0],
    )
    assert.deepEqual((await read(id)).payment_methods[0].share, '1/3')
    const [galette] = await linesOf(id)
    const own = await shares(`by=lines&lines=${galette!.id}`)
    assert.deepEqual(
      [own[0].amount, Math.round((own[0].amount + own[1].amount) * 100)],
      [14.9, Math.round(total * 100)],
    )
    assert.equal((await owner.ask('GET', `/receipts/${id}/shares?by=lines&lines=1`)).status, 400)
    assert.equal((await owner.ask('GET', `/receipts/999999/shares?by=even&count=2`)).status, 404)
    await isSound()
  })

  test('a line that left is not added again by a till that repeats its request', async () => {
    const id = await open({ lines: [line(1)] })
    const added = { lines: [line(2)] }
    await ask(`/receipts/${id}/lines`, added)
    const [, cider] = await linesOf(id)
    await ask(`/receipts/${id}/split`, { parts: [{ cid: randomUUID(), lines: [{ id: cider!.id }] }] })
    await ask(`/receipts/${id}/lines`, added)
    assert.equal((await linesOf(id)).length, 1)
  })

  test('an amount off a receipt whose lines cost nothing yet stays at it', async () => {
    const id = await open({ lines: [line(1, 1, { is_gift: true }), line(2, 1, { is_gift: true })] })
    const discount = { discount_type: 2, discount_value: 5 }
    assert.equal((await owner.ask('PATCH', `/receipts/${id}`, { discount })).status, 200)
    const [galette] = await linesOf(id)
    const parts = [{ cid: randomUUID(), lines: [{ id: galette!.id }] }]
    const receipts: { discount_value: number }[] = await ask(`/receipts/${id}/split`, { parts })
    assert.deepEqual(
      receipts.map(({ discount_value }) => discount_value),
      [5, 0],
    )
    await isSound()
  })

  test('an import counts on beyond the tickets that parted', async () => {
    const id = await open({ lines: [line(1, 3)] })
    await ask(`/receipts/${id}/send`, {})
    const [galettes] = await linesOf(id)
    const parts = [{ cid: randomUUID(), lines: [{ id: galettes!.id, count: 1 }] }]
    const [, part] = await ask(`/receipts/${id}/split`, { parts })
    const [parted] = await ticketsOf(part.id)
    const { db } = built.deps
    const rows: Row[] = []
    for (const { kind, readExportPage } of RESOURCES)
      for (const text of (await readExportPage(db, brand_id, undefined)).objects)
        rows.push({ kind, ...JSON.parse(text) } as Row)
    const copy = (await built.brand('copy', { rows, quota: 1e9 })).id
    const last = await db.rows<{ value: number }>(
      `select value from counters where brand_id = ? and name = 'receipt_line_id'`,
      [copy],
    )
    assert.ok(last[0]!.value >= parted!.id, 'a line of that id could never be sent')
    assert.deepEqual((await auditBooks(db, copy)).findings, [])
  })
})
