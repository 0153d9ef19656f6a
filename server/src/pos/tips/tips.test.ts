import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { type Browser, offices } from '../../back-office/office-fixture.ts'
import { RESOURCES } from '../../resources/catalogue.ts'
import { auditBooks } from '../books/audit.ts'
import { BALANCE, CARD, CASH, ROWS } from '../closing/closing-fixture.ts'
import { line } from '../receipts/till-fixture.ts'

onEachEngine('tips', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>>
  let owner: Browser
  let waiter: Browser
  let brand_id: number
  let headers: Record<string, string>
  let signIn: () => Promise<void>

  before(async () => {
    built = await office()
    const brand = await built.brand('bistro', { rows: ROWS, quota: 1e9 })
    brand_id = brand.id
    signIn = async () => {
      owner = await built.staffBrowser('bistro')
      waiter = await built.staffBrowser('bistro', 'waiter')
      headers = { 'x-token': await built.token(brand.credentials) }
    }
    await signIn()
  })

  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
  const post = async (path: string, body: object = {}, status = 200): Promise<any> => {
    const answer = await owner.ask('POST', path, body)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return status === 200 ? answer.body.data : answer.body
  }
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const api = async (path: string): Promise<any> => {
    const { status, body } = await built.call(path, { headers })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }
  const open = async (more: object = {}): Promise<{ id: number; total: number }> =>
    post('/receipts', { cid: randomUUID(), sale_type_id: 2, lines: [line(1), line(2)], ...more })
  const details = (id: number) => api(`/receipts/${id}?include=details`)
  const tips = async (query = '') => (await owner.ask('GET', `/tips${query}`)).body.data
  const isSound = async () => assert.deepEqual((await auditBooks(built.deps.db, brand_id)).findings, [])

  test('a tip is in no amount of the receipt, and is owed to its waiter', async () => {
    const { id, total } = await open()
    await post(`/receipts/${id}/payments`, { payment_methods: [{ id: CASH, amount: 9, tip: 1 }] })
    const paying = { payment_methods: [{ id: CARD, amount: 10.4, tip: 2.5 }] }
    await post(`/receipts/${id}/close`, paying)
    const closed = await details(id)
    assert.deepEqual([closed.total, closed.paid, closed.tip], [total, total, 3.5])
    assert.deepEqual(
      closed.payment_methods.map(({ amount }: { amount: number }) => amount),
      [9, 10.4],
    )
    const [own] = await tips()
    assert.deepEqual([own.user_id, own.tips, own.shared, own.closing], [1, 3.5, 0, 3.5])
    assert.deepEqual(
      own.by_payment_method.map(({ id: method, amount }: { id: number; amount: number }) => [method, amount]),
      [
        [CASH, 1],
        [CARD, 2.5],
      ].sort(([one], [other]) => one! - other!),
    )
    const [balance] = await api('/finance/balances?type=STAFF')
    assert.deepEqual([balance.type, balance.user_id, balance.amount], ['STAFF', 1, 3.5])
    assert.ok(!(await api('/finance/balances')).some(({ type }: { type: string }) => type === 'STAFF'))
    await isSound()
  })

  test('one comes after the receipt was closed, for two days, and says whom it is for', async () => {
    const { id, total } = await open()
    await post(`/receipts/${id}/close`, { payment_methods: [{ id: CARD, amount: total }] })
    await post(`/receipts/${id}/tips`, { payment_method_id: CARD, amount: 4, user_id: 2 })
    assert.equal((await details(id)).tip, 4)
    const own = (await waiter.ask('GET', '/tips')).body.data
    assert.deepEqual([own.length, own[0].user_id, own[0].closing], [1, 2, 4])
    assert.equal((await waiter.ask('GET', '/tips?user_id=1')).status, 403)
    for (const wrong of [
      { payment_method_id: CARD, amount: 0 },
      { payment_method_id: CARD, amount: 1.001 },
      { payment_method_id: BALANCE, amount: 1 },
      { payment_method_id: CARD, amount: 1, user_id: 99 },
    ])
      await post(`/receipts/${id}/tips`, wrong, 400)
    built.clock.ms += 49 * 3_600_000
    await signIn()
    assert.equal(
      (await post(`/receipts/${id}/tips`, { payment_method_id: CARD, amount: 1 }, 409)).error,
      'receipt_closed',
    )
    await isSound()
  })

  test('tips are told by business days, which begin at the hour of the venue', async () => {
    const begin = built.clock.ms
    built.clock.ms = Date.parse('2026-07-10T01:30:00.000Z') // 03:30 in Paris: still the ninth
    await signIn()
    const of = async (query: string) => (await tips(`?user_id=1&${query}`))[0]
    const { closing } = await of('')
    const { id, total } = await open()
    await post(`/receipts/${id}/close`, { payment_methods: [{ id: CARD, amount: total, tip: 3 }] })
    const ninth = await of('from=2026-07-09&to=2026-07-09')
    assert.deepEqual([ninth.opening, ninth.tips, ninth.closing], [closing, 3, closing + 3])
    assert.deepEqual(
      ninth.by_payment_method.map(({ amount }: { amount: number }) => amount),
      [3],
    )
    const tenth = await of('from=2026-07-10')
    assert.deepEqual([tenth.opening, tenth.tips], [closing + 3, 0])
    built.clock.ms = begin
    await signIn()
  })

  test('refunds and cancels give tips back, by their methods and from those who got them', async () => {
    const { id, total } = await open()
    await post(`/receipts/${id}/close`, { payment_methods: [{ id: CARD, amount: total, tip: 5 }] })
    await post(`/receipts/${id}/tips`, { payment_method_id: CASH, amount: 2 })
    const before = (await tips('?user_id=1'))[0].closing
    await post(`/receipts/${id}/refund`, { lines: [], tip: 7.5 }, 400)
    const refund = await post(`/receipts/${id}/refund`, { lines: [], tip: 6 })
    assert.equal((await details(refund.id)).tip, -6)
    assert.equal((await tips('?user_id=1'))[0].closing, before - 6)
    await post(`/receipts/${id}/refund`, { payment_methods: [{ id: CARD, amount: total, tip: 1 }] }, 400)
    await post(`/receipts/${id}/refund`, { tip: 1 })
    await post(`/receipts/${id}/refund`, { lines: [], tip: 1 }, 400)
    const other = await open()
    await post(`/receipts/${other.id}/payments`, { payment_methods: [{ id: CARD, amount: 5, tip: 3 }] })
    await post(`/receipts/${other.id}/cancel`, {})
    assert.equal((await details(other.id)).tip, 0)
    assert.equal((await tips('?user_id=1'))[0].closing, before - 7)
    await isSound()
  })

  test('many tips of one receipt, by several methods and to several people, all go back', async () => {
    const tipped = async (id: number) => {
      for (const payment_method_id of [CARD, CASH])
        for (const user_id of [1, 2]) await post(`/receipts/${id}/tips`, { payment_method_id, amount: 1, user_id })
    }
    const before = (await tips()).map(({ closing }: { closing: number }) => closing)
    const { id } = await open()
    await tipped(id)
    await post(`/receipts/${id}/cancel`, {})
    assert.equal((await details(id)).tip, 0)
    const { id: closed, total } = await open()
    await post(`/receipts/${closed}/close`, { payment_methods: [{ id: CARD, amount: total }] })
    await tipped(closed)
    const refund = await post(`/receipts/${closed}/refund`, { tip: 4 })
    assert.equal((await details(refund.id)).tip, -4)
    assert.deepEqual(
      (await tips()).map(({ closing }: { closing: number }) => closing),
      before,
    )
    await isSound()
  })

  test('tips are paid out, and never more than is owed; the shift and its drawer know', async () => {
    const shift = await post('/shifts', { terminal_id: 1, opening_amount: 100 })
    const { id, total } = await open({ terminal_id: 1 })
    const at = { cash_shift_id: shift.id }
    await post(`/receipts/${id}/close`, { payment_methods: [{ id: CASH, amount: total, tip: 10 }], ...at })
    const card = await open({ terminal_id: 1 })
    await post(`/receipts/${card.id}/close`, { payment_methods: [{ id: CARD, amount: card.total, tip: 4 }], ...at })
    const [{ closing }] = await tips('?user_id=1')
    const payout = { user_id: 1, payment_method_id: CASH, ...at }
    const refused = await post('/tips/payout', { ...payout, amount: closing + 1 }, 409)
    assert.equal(refused.error, 'insufficient_balance')
    assert.equal((await post('/tips/payout', { ...payout, amount: 6 })).left, closing - 6)
    const report = await api(`/finance/cash-shifts/${shift.id}/report`)
    assert.deepEqual([report.tips.amount, report.tips.paid_out], [14, 6])
    assert.deepEqual(
      report.tips.by_user.map(({ user_id, amount }: { user_id: number; amount: number }) => [user_id, amount]),
      [[1, 14]],
    )
    const { sales, tips: inDrawer, tips_paid_out, expected } = report.cash
    assert.deepEqual([sales, inDrawer, tips_paid_out, expected], [total, 10, 6, 100 + total + 4])
    await post('/tips/payout', payout)
    assert.equal((await tips('?user_id=1'))[0].closing, 0)
    assert.equal((await post('/tips/payout', payout, 409)).error, 'insufficient_balance')
    assert.equal((await waiter.ask('POST', '/tips/payout', payout)).status, 403)
    await post(`/shifts/${shift.id}/close`, { closing_amount: 0 })
    await isSound()
  })

  test('tips of people of other venues are neither told, nor given, nor paid out here', async () => {
    const brand = await built.brand('chain', {
      rows: [
        ...ROWS,
        { kind: 'user', id: 4, username: 'other', role_id: 2, venue_ids: [2] },
        {
          kind: 'role',
          id: 9,
          name: 'Manager',
          permissions: ['receipts:read', 'receipts:write', 'receipts:close', 'tips:write'],
        },
        { kind: 'user', id: 5, username: 'manager', role_id: 9, venue_ids: [1] },
      ],
    })
    const chief = await built.staffBrowser('chain')
    const manager = await built.staffBrowser('chain', 'manager')
    const opened = { cid: randomUUID(), sale_type_id: 2, lines: [line(2)] }
    const there = (await chief.ask('POST', '/receipts', opened, { 'x-venue': '2' })).body.data
    const closing = { payment_methods: [{ id: CARD, amount: there.total }] }
    await chief.ask('POST', `/receipts/${there.id}/close`, closing, { 'x-venue': '2' })
    const tip = { payment_method_id: CARD, amount: 7, user_id: 4 }
    assert.equal((await chief.ask('POST', `/receipts/${there.id}/tips`, tip, { 'x-venue': '2' })).status, 200)
    assert.deepEqual((await chief.ask('GET', '/tips', undefined, { 'x-venue': '2' })).body.data[0].closing, 7)
    assert.deepEqual((await manager.ask('GET', '/tips')).body.data, [])
    assert.deepEqual((await manager.ask('GET', '/tips?user_id=4')).body.data, [])
    const payout = await manager.ask('POST', '/tips/payout', { user_id: 4, payment_method_id: CARD })
    assert.deepEqual([payout.status, payout.body.error], [400, 'validation_failed'])
    const here = (await manager.ask('POST', '/receipts', { ...opened, cid: randomUUID() })).body.data
    assert.equal((await manager.ask('POST', `/receipts/${here.id}/tips`, tip)).status, 400)
    assert.deepEqual((await auditBooks(built.deps.db, brand.id)).findings, [])
  })

  test('the pool gets what the venue says, and the tips of orders that nobody accepted', async () => {
    assert.equal((await owner.ask('PATCH', '/edit/venues/1', { tips: 'pool' })).status, 200)
    const { id, total } = await open()
    await post(`/receipts/${id}/close`, { payment_methods: [{ id: CARD, amount: total, tip: 3 }] })
    const pool = async () => (await tips()).find(({ user_id }: { user_id?: number }) => user_id === undefined)
    assert.equal((await pool()).closing, 3)
    assert.equal((await owner.ask('PATCH', '/edit/venues/1', { tips: 'waiter', accept: 'always' })).status, 200)
    const order = await built.call('/orders', {
      method: 'POST',
      headers,
      body: {
        sale_type_id: 2,
        products: [{ product_id: 2, count: 1, seat: 2, course: 1 }],
        payments: [
          { id: CARD, amount: 2, tip: 0.5 },
          { id: CARD, amount: 1, tip: 0.5 },
          { id: CARD, amount: 1.5, tip: 0.5 },
        ],
      },
    })
    assert.equal(order.status, 200, JSON.stringify(order.body))
    assert.equal((await pool()).closing, 4.5)
    assert.deepEqual(
      (await tips()).map(({ user_id }: { user_id?: number }) => user_id),
      [undefined, 1, 2],
      'the pool first, on each engine',
    )
    await post('/tips/payout', { payment_method_id: CARD })
    assert.equal((await pool()).closing, 0)
    await isSound()
  })

  test('a tip that the house or its people do not have is named (I17)', async () => {
    const { id, total } = await open()
    await post(`/receipts/${id}/close`, { payment_methods: [{ id: CARD, amount: total, tip: 2 }] })
    const { db } = built.deps
    const change = (text: string, values: (string | number)[]) => db.transaction((tx) => tx.run(text, values))
    const found = async () =>
      (await auditBooks(db, brand_id)).findings
        .filter(({ invariant }) => invariant === 'I17')
        .map(({ subject, problem }) => `${subject}: ${problem}`)
    const booked = await db.rows<{ id: number; type: string }>(
      `select transactions.id, balances.type from transactions
         join balances on balances.brand_id = transactions.brand_id and balances.id = transactions.balance_id
         join finance_categories as categories on categories.brand_id = transactions.brand_id
           and categories.id = transactions.category_id and categories.system_type = 'TIP'
       where transactions.brand_id = ? and transactions.receipt_id = ?`,
      [brand_id, id],
    )
    assert.deepEqual(booked.map(({ type }) => type).sort(), ['CARD', 'STAFF'])
    const says = (tip: number, house: number, people: number) => [
      `receipt ${id}: its tip is ${tip}; the house has ${house} of it, its people ${people}`,
    ]
    assert.deepEqual(await found(), [])
    for (const [type, expected] of [
      ['CARD', says(2, 3, 2)],
      ['STAFF', says(2, 2, 3)],
    ] as const) {
      const one = booked.find((each) => each.type === type)!.id
      await change('update transactions set amount = amount + 10000 where brand_id = ? and id = ?', [brand_id, one])
      assert.deepEqual(await found(), expected)
      await change('update transactions set amount = amount - 10000 where brand_id = ? and id = ?', [brand_id, one])
    }
    const swap = (column: string) =>
      `update receipts set ${column} = replace(${column}, ?, ?) where brand_id = ? and id = ?`
    for (const [column, is, other, expected] of [
      ['details', '"tip":2', '"tip":5', says(5, 2, 2)],
      ['details', '"tip":2', '"tap":2', says(0, 2, 2)],
      ['terms', '"tips":', '"tops":', says(2, 2, 2)],
    ] as const) {
      await change(swap(column), [is, other, brand_id, id])
      assert.deepEqual(await found(), expected, column)
      await change(swap(column), [other, is, brand_id, id])
    }
    const house = booked.find(({ type }) => type === 'CARD')!.id
    await change('update transactions set receipt_id = null where brand_id = ? and id = ?', [brand_id, house])
    assert.deepEqual(await found(), says(2, 0, 2))
    await change('update transactions set receipt_id = ? where brand_id = ? and id = ?', [id, brand_id, house])
    await isSound()
  })

  test('an import brings tips with their balances, and is refused where these are not there', async () => {
    const { id, total } = await open()
    await post(`/receipts/${id}/close`, { payment_methods: [{ id: CARD, amount: total, tip: 2 }] })
    const { db } = built.deps
    const rows: Row[] = []
    for (const { kind, readExportPage } of RESOURCES)
      for (const text of (await readExportPage(db, brand_id, undefined)).objects)
        rows.push({ kind, ...JSON.parse(text) } as Row)
    const [index, row] = [...rows.entries()].find(([, { kind, id: own }]) => kind === 'receipt' && own === id)!
    const { terms } = row as unknown as { terms: { tips: object[] } }
    for (const member of ['balance_id', 'staff_balance_id']) {
      const wrong = { ...row, terms: { ...terms, tips: [{ ...terms.tips[0], [member]: 987_654 }] } }
      await assert.rejects(
        built.brand(`without-${member.replaceAll('_', '-')}`, { rows: rows.with(index, wrong), quota: 1e9 }),
        new RegExp(`terms\\.tips\\.${member} 987654 points at no row of balances`),
      )
    }
    const copy = (await built.brand('copy', { rows, quota: 1e9 })).id
    assert.deepEqual((await auditBooks(db, copy)).findings, [])
    const owed = (brand: number) =>
      db.rows('select id, user_id, venue_id, amount from balances where brand_id = ? and type = ? order by id', [
        brand,
        'STAFF',
      ])
    assert.deepEqual(await owed(copy), await owed(brand_id))
  })
})
