import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { type Browser, offices } from '../../back-office/office-fixture.ts'
import { auditBooks } from '../books/audit.ts'
import { CARD, ROWS } from '../closing/closing-fixture.ts'
import { line } from '../receipts/till-fixture.ts'

onEachEngine('courses and the floor', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>>
  let owner: Browser
  let brand_id: number
  let headers: Record<string, string>

  before(async () => {
    built = await office()
    const rows = [
      { kind: 'course', id: 1, name: 'Starters', status: 1 },
      { kind: 'course', id: 2, name: 'Mains', status: 1 },
      { kind: 'course', id: 3, name: 'Desserts', status: 1 },
      { kind: 'category', id: 77, name: 'Mains', type: 'PRODUCT', status: 1, course: 2 },
      ...ROWS.map((row) => (row.kind === 'product' && row.id === 1 ? { ...row, category_id: 77 } : row)),
      { kind: 'hall', id: 5, venue_id: 1, name: 'Terrace', position: 2, status: 1 },
      { kind: 'hall', id: 6, venue_id: 1, name: 'Room', position: 1, status: 1 },
      { kind: 'table', id: 10, venue_id: 1, name: 'T10', hall_id: 6, seats: 4, status: 1 },
      { kind: 'table', id: 11, venue_id: 1, name: 'T2', hall: 'Room', status: 1 },
      { kind: 'table', id: 12, venue_id: 1, name: 'G1', hall: 'Garden', status: 1 },
      { kind: 'table', id: 13, venue_id: 1, name: 'T3', status: 0 },
      { kind: 'role', id: 4, name: 'Host', permissions: ['venues:read'] },
      { kind: 'user', id: 4, username: 'host', role_id: 4 },
    ]
    const brand = await built.brand('bistro', { rows, quota: 1e9 })
    brand_id = brand.id
    owner = await built.staffBrowser('bistro')
    headers = { 'x-token': await built.token(brand.credentials) }
  })

  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
  const ask = async (method: 'GET' | 'POST', path: string, body?: object, status = 200): Promise<any> => {
    const answer = await owner.ask(method, path, body)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return status === 200 ? answer.body.data : answer.body
  }
  const post = (path: string, body: object = {}, status = 200) => ask('POST', path, body, status)
  const open = async (more: object = {}): Promise<number> =>
    (await post('/receipts', { cid: randomUUID(), sale_type_id: 1, table_id: 10, ...more })).id
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const api = async (path: string): Promise<any> => {
    const { status, body } = await built.call(path, { headers })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }
  const linesOf = async (id: number) => (await api(`/receipts/${id}?include=receipt_products`)).receipt_products
  const statesOf = async (id: number): Promise<string[]> =>
    (await linesOf(id)).map(
      ({ course, state, hold }: { course?: number; state: string; hold: boolean }) =>
        `${course ?? '-'} ${state}${hold ? ' held' : ''}`,
    )
  const isSound = async () => assert.deepEqual((await auditBooks(built.deps.db, brand_id)).findings, [])

  test('what is sent is the first course and what has none; the others wait until they are fired', async () => {
    const lines = [line(2, 1, { course: 1, seat: 1 }), line(1, 2), line(2, 1, { course: 3 }), line(2)]
    const id = await open({ lines })
    assert.deepEqual(await statesOf(id), ['1 NEW', '2 NEW', '3 NEW', '- NEW'])
    await post(`/receipts/${id}/send`)
    const expected = ['1 SENT', '2 NEW held', '3 NEW held', '- SENT']
    assert.deepEqual(await statesOf(id), expected)
    await post(`/receipts/${id}/send`) // a second time there is nothing to send
    await post(`/receipts/${id}/lines`, { lines: [line(2), line(2, 1, { course: 1 }), line(2, 1, { course: 2 })] })
    await post(`/receipts/${id}/send`)
    const more = ['- SENT', '1 SENT', '2 NEW held'] // the late one of a course that was fired goes
    assert.deepEqual(await statesOf(id), [...expected, ...more])
    const [, main] = await linesOf(id)
    assert.equal((await owner.ask('PATCH', `/receipts/${id}/lines/${main.id}`, { count: 1 })).status, 200)
    await post(`/receipts/${id}/fire`, { course: 1 }) // nothing is left of it
    await post(`/receipts/${id}/fire`, { course: 2 })
    assert.deepEqual(
      (await statesOf(id)).filter((state) => state.startsWith('2')),
      ['2 SENT', '2 SENT'],
    )
    assert.deepEqual((await statesOf(id))[2], '3 NEW held')
    const [first, fired] = await linesOf(id)
    assert.ok(first.sent_at <= fired.sent_at)
    assert.equal(first.user_id, 1)
    assert.equal((await owner.ask('POST', `/receipts/${id}/fire`, { course: 10 })).status, 400)
    await isSound()
  })

  test('a station gets one ticket for each course, and sees what is held', async () => {
    const lines = [line(1, 1, { course: 1, seat: 2, note: 'no nuts', allergy: true }), line(1, 3), line(1)]
    const id = await open({ table_id: 11, lines })
    const before = (await owner.ask('GET', '/tickets?station_id=1')).body
    assert.ok(!before.next.some((next: { receipt_id: number }) => next.receipt_id === id))
    await post(`/receipts/${id}/send`)
    const { data, next } = (await owner.ask('GET', '/tickets?station_id=1')).body
    const own = data.filter((ticket: { receipt_id: number }) => ticket.receipt_id === id)
    assert.deepEqual(
      own.map(({ course, lines: its }: { course: string; lines: object[] }) => [course, its.length]),
      [['Starters', 1]],
    )
    assert.deepEqual([own[0].lines[0].seat, own[0].lines[0].allergy], [2, true])
    assert.deepEqual(
      next.filter((each: { receipt_id: number }) => each.receipt_id === id),
      [{ receipt_id: id, table: 'T2', course_id: 2, course: 'Mains', count: 4 }],
    )
    await post(`/receipts/${id}/fire`, { course: 9 })
    const tickets = (await ask('GET', '/tickets?station_id=1')).filter(
      (ticket: { receipt_id: number }) => ticket.receipt_id === id,
    )
    assert.deepEqual(tickets.map(({ course }: { course: string }) => course).sort(), ['Mains', 'Starters'])
    await isSound()
  })

  test('courses hold at tables of the house only; closing sends what is held', async () => {
    const lines = () => [line(2, 1, { course: 1 }), line(2, 1, { course: 2 }), line(2, 1, { course: 3 })]
    const all = ['1 SENT', '2 SENT', '3 SENT']
    const takeaway = await open({ sale_type_id: 2, lines: lines() })
    await post(`/receipts/${takeaway}/send`)
    assert.deepEqual(await statesOf(takeaway), all)
    const bar = (await post('/receipts', { cid: randomUUID(), sale_type_id: 1, lines: lines() })).id
    await post(`/receipts/${bar}/send`)
    assert.deepEqual(await statesOf(bar), all)
    const table = await open({ lines: lines() })
    await post(`/receipts/${table}/send`)
    assert.deepEqual(await statesOf(table), ['1 SENT', '2 NEW held', '3 NEW held'])
    const { total } = await api(`/receipts/${table}`)
    await post(`/receipts/${table}/close`, { payment_methods: [{ id: CARD, amount: total }] })
    assert.deepEqual(await statesOf(table), all)
    await isSound()
  })

  test('a course that was fired stays fired, although its lines moved away', async () => {
    const id = await open({ lines: [line(2, 1, { course: 1 }), line(2, 1, { course: 2 }), line(2, 1, { course: 3 })] })
    await post(`/receipts/${id}/send`)
    await post(`/receipts/${id}/fire`, { course: 2 })
    const [first, second] = await linesOf(id)
    const gone = { cid: randomUUID(), lines: [{ id: first.id }, { id: second.id }] }
    await post(`/receipts/${id}/split`, { parts: [gone] })
    await post(`/receipts/${id}/lines`, { lines: [line(2, 1, { course: 2 })] })
    await post(`/receipts/${id}/send`)
    assert.deepEqual(await statesOf(id), ['3 NEW held', '2 SENT'])
    await isSound()
  })

  test('a void line is not held, and a line can change its course and seat until it is sent', async () => {
    const id = await open({ lines: [line(2, 1, { course: 1, seat: 3 }), line(2, 1, { course: 2 })] })
    await post(`/receipts/${id}/send`)
    const [, held] = await linesOf(id)
    const changed = await owner.ask('PATCH', `/receipts/${id}/lines/${held.id}`, { course: 0, seat: 4, allergy: true })
    assert.equal(changed.status, 200)
    const [, after] = await linesOf(id)
    assert.deepEqual([after.course, after.seat, after.allergy, after.hold], [undefined, 4, true, true])
    assert.equal((await owner.ask('DELETE', `/receipts/${id}/lines/${held.id}`)).status, 200)
    assert.deepEqual(await statesOf(id), ['1 SENT', '- VOID'])
    await isSound()
  })

  test('guests are split off by their seats, and pay by them', async () => {
    const lines = [line(2, 2, { seat: 1 }), line(2, 1, { seat: 2 }), line(1), line(3, 1, { seat: 2 })]
    const id = await open({ sale_type_id: 2, lines })
    await post(`/receipts/${id}/send`)
    const { total } = await api(`/receipts/${id}`)
    const shares = await ask('GET', `/receipts/${id}/shares?by=seat`)
    assert.deepEqual(
      shares.map(({ label, amount }: { label: string; amount: number }) => [label, amount]),
      [
        ['seat 1', 16.45], // 9.00 and half of 14.90
        ['seat 2', 18.15],
      ],
    )
    assert.equal(total, 34.6)
    const [source, part] = await post(`/receipts/${id}/split`, {
      parts: [{ cid: randomUUID(), seats: [2], guests: 1 }],
    })
    assert.deepEqual([source.total, part.total], [23.9, 10.7])
    assert.equal((await linesOf(part.id)).length, 2)
    const nobody = { parts: [{ cid: randomUUID(), seats: [9] }] }
    assert.equal((await owner.ask('POST', `/receipts/${id}/split`, nobody)).status, 400)
    const without = await open({ lines: [line(2)] })
    assert.equal((await owner.ask('GET', `/receipts/${without}/shares?by=seat`)).status, 400)
    await isSound()
  })

  test('the floor has halls by position and tables by name, each with its state', async () => {
    const at = async (name: string) =>
      (await ask('GET', '/floor')).tables.find((table: { name: string }) => table.name === name)
    const { halls, tables, now, idle_minutes } = await ask('GET', '/floor')
    assert.deepEqual(
      halls.map(({ name }: { name: string }) => name),
      ['Garden', 'Room', 'Terrace'],
    )
    assert.deepEqual(
      tables.map(({ name }: { name: string }) => name),
      ['G1', 'T1', 'T2', 'T10'],
    )
    assert.ok(Date.parse(now) > 0)
    assert.deepEqual(idle_minutes, [15, 30])
    assert.equal((await at('G1')).state, 'free')
    const id = await open({ table_id: 12, guests: 3, lines: [line(1)] })
    const seated = await at('G1')
    assert.deepEqual([seated.state, seated.guests, seated.receipts[0].id], ['seated', 3, id])
    await post(`/receipts/${id}/send`)
    assert.equal((await at('G1')).state, 'ordered')
    const [galette] = await linesOf(id)
    await post(`/tickets/${galette.id}/ready`)
    assert.equal((await at('G1')).state, 'ready')
    await post(`/receipts/${id}/lock`)
    const bill = await at('G1')
    assert.deepEqual([bill.state, bill.receipts[0].lock, bill.receipts[0].total > 0], ['bill', true, true])
    assert.ok(bill.idle_s >= 0 && bill.since <= now.replace(/^./, '9'))
    await post(`/receipts/${id}/unlock`)
    const call = await built.call('/waiter-call', { method: 'POST', headers, body: { table_id: 12, type: 'PAY' } })
    assert.equal(call.status, 200, JSON.stringify(call.body))
    assert.equal((await at('G1')).call.type, 'PAY')
    const [shown] = (await api('/tables?limit=100&include=state')).filter(({ name }: { name: string }) => name === 'G1')
    const { id: _, name: __, hall_id: ___, ...state } = await at('G1')
    assert.deepEqual({ ...shown.state, idle_s: 0 }, { ...state, idle_s: 0 }, 'the API has the state of the floor')
    const host = await built.staffBrowser('bistro', 'host')
    assert.equal((await host.ask('GET', '/read/tables')).status, 200)
    const refused = await host.ask('GET', '/read/tables?include=state')
    assert.equal(refused.status, 403)
    assert.match(refused.body.message, /receipts:read/)
    await post(`/receipts/${id}/cancel`, {})
    assert.equal((await at('G1')).state, 'free')
    assert.equal((await owner.ask('GET', '/floor', undefined, { 'x-venue': '2' })).body.data.tables.length, 1)
  })

  test('a hall of another name is shown by its tables, which are made in it by hand and by import', async () => {
    assert.equal((await owner.ask('PATCH', '/edit/halls/6', { name: 'Great room' })).status, 200)
    const names = async () =>
      Object.fromEntries(
        (await api('/tables?limit=100')).map(({ name, hall }: { name: string; hall?: string }) => [name, hall]),
      )
    assert.deepEqual(await names(), { T1: undefined, T10: 'Great room', T2: 'Great room', G1: 'Garden', T3: undefined })
    assert.equal((await owner.ask('PATCH', '/edit/tables/11', { hall_id: null })).status, 200)
    assert.equal((await owner.ask('PATCH', '/edit/tables/12', { hall_id: 5 })).status, 200)
    const after = await names()
    assert.deepEqual([after.T2, after.G1], [undefined, 'Terrace'])
    await isSound()
  })
})
