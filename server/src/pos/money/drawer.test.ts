import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows } from '../../../test/database/store.ts'
import { type Browser, offices } from '../../back-office/office-fixture.ts'
import { auditBooks } from '../books/audit.ts'
import { RESTAURANT } from '../receipts/till-fixture.ts'

const method = (id: number, payment_kind: string) => ({
  kind: 'payment_method',
  id,
  name: payment_kind,
  payment_kind,
  status: { 2: 0 },
  customer_required: 0,
  position: id,
})
const ROWS = [...RESTAURANT, method(1, 'CASH'), method(2, 'CARD'), method(3, 'CUSTOMER')]

onEachEngine('drawers and balances', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>>
  let owner: Browser
  let waiter: Browser
  let brand_id: number
  let headers: Record<string, string>
  let credentials: Awaited<ReturnType<typeof built.brand>>['credentials']

  before(async () => {
    built = await office()
    const brand = await built.brand('bistro', { rows: ROWS, quota: 1e9 })
    brand_id = brand.id
    owner = await built.staffBrowser('bistro')
    waiter = await built.staffBrowser('bistro', 'waiter')
    credentials = brand.credentials
    headers = { 'x-token': await built.token(credentials) }
  })

  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
  const read = async (path: string): Promise<any> => {
    const { status, body } = await built.call(path, { headers })
    assert.equal(status, 200, `${path} ${JSON.stringify(body)}`)
    return body
  }
  const isSound = async () => assert.deepEqual((await auditBooks(built.deps.db, brand_id)).findings, [])
  const eventsOf = (type: string) =>
    built.deps.db.rows<{ subject: string; data: string; venue_id: number | null }>(
      'select subject, data, venue_id from events where brand_id = ? and type = ? order by position',
      [brand_id, type],
    )
  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
  const done = async (answer: ReturnType<Browser['ask']>): Promise<any> => {
    const { status, body } = await answer
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }

  let shift: string

  test('one shift a terminal, of two racing ones the other is 409 with the one that is open', async () => {
    const open = () => owner.ask('POST', '/shifts', { terminal_id: 1, opening_amount: 100 })
    const answers = await Promise.all([open(), open()])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    const made = answers.find(({ status }) => status === 200)!.body
    shift = made.data.id
    assert.deepEqual(Object.keys(made), ['success', 'data', 'message'])
    assert.deepEqual(Object.keys(made.data), [
      'id',
      'venue_id',
      'terminal_id',
      'number',
      'status',
      'opened_at',
      'opened_by',
      'opening_amount',
      'expected_amount',
      'receipts',
      'shift_date',
    ])
    const refused = answers.find(({ status }) => status === 409)!.body
    assert.deepEqual([refused.error, refused.details.id], ['shift_open', shift])
    const [opened, ...others] = await eventsOf('cash_shift.opened')
    assert.deepEqual(
      [opened!.subject, opened!.venue_id, JSON.parse(opened!.data), others.length],
      [shift, 1, { id: shift }, 0],
    )
  })

  test('amounts are checked, permissions are needed, and a terminal of another venue is none', async () => {
    for (const body of [
      { terminal_id: 2, opening_amount: 1 },
      { terminal_id: 1, opening_amount: -1 },
      { terminal_id: 1, opening_amount: 1.005 },
    ])
      assert.equal((await owner.ask('POST', '/shifts', body)).status, 400, JSON.stringify(body))
    assert.equal((await waiter.ask('POST', '/shifts', { terminal_id: 1, opening_amount: 1 })).status, 403)
    assert.equal((await owner.ask('POST', '/shifts/1/cash', { type: 'IN', amount: 1 })).status, 400)
    const unknown = '0d6ef8c6-6f0e-4f59-9d3b-0c1a2f6a0009'
    assert.equal((await owner.ask('POST', `/shifts/${unknown}/cash`, { type: 'IN', amount: 1 })).status, 404)
  })

  test('cash in and cash out move the drawer and the balance of cash', async () => {
    await done(owner.ask('POST', `/shifts/${shift}/cash`, { type: 'IN', amount: 50, description: 'Change' }))
    const key = { 'idempotency-key': 'out' }
    const out = () => done(owner.ask('POST', `/shifts/${shift}/cash`, { type: 'OUT', amount: 20.5 }, key))
    assert.equal((await out()).expected_amount, 129.5)
    assert.equal((await out()).expected_amount, 129.5, 'the same key again takes nothing')
    const { data } = await read('/finance/balances?type=CASH&filters=[["venue_id",1]]')
    assert.deepEqual([data.length, data[0].amount], [1, 29.5])
    const { data: moves } = await read(`/finance/transactions?filters=[["cash_shift_id","${shift}"]]`)
    assert.deepEqual(
      moves.map(({ amount, before_amount, after_amount }: Record<string, number>) => [
        before_amount,
        amount,
        after_amount,
      ]),
      [
        [50, -20.5, 29.5],
        [0, 50, 50],
      ],
    )
    assert.equal(moves[1].description, 'Change')
    assert.equal((await eventsOf('cash_shift.updated')).length, 2)
    await isSound()
  })

  test('a top-up raises the balance of the customer and what it was paid with', async () => {
    const paid = (payment_method_id: number, amount: number) =>
      owner.ask('POST', '/customers/7/balance', { amount, payment_method_id })
    const customer = await done(paid(1, 30))
    assert.deepEqual([customer.id, customer.balance.amount], ['7', 30])
    await done(paid(2, 12.25))
    assert.equal((await read('/customers/7')).data.balance.amount, 42.25)
    assert.equal((await read(`/finance/cash-shifts/${shift}`)).data.expected_amount, 159.5)
    assert.equal((await paid(3, 1)).status, 400, 'a balance is not paid with a balance')
    assert.equal((await paid(9, 1)).status, 400)
    assert.equal((await paid(1, 0)).status, 400)
    assert.equal((await owner.ask('POST', '/customers/99/balance', { amount: 1, payment_method_id: 1 })).status, 404)
    assert.equal((await waiter.ask('POST', '/customers/7/balance', { amount: 1, payment_method_id: 1 })).status, 403)
    const changed = await eventsOf('customer.balance_changed')
    assert.deepEqual(JSON.parse(changed.at(-1)!.data).balance, { type: 'CUSTOMER', from: 30, to: 42.25 })
    await isSound()
  })

  test('closing counts, books the difference and keeps the report as it was', async () => {
    const before = (await read(`/finance/cash-shifts/${shift}/report`)).data
    assert.deepEqual(before.cash, {
      opening: 100,
      sales: 0,
      refunds: 0,
      tips: 0,
      tips_paid_out: 0,
      in: 80,
      out: 20.5,
      expected: 159.5,
    })
    assert.deepEqual(Object.keys(before), [
      'id',
      'number',
      'terminal_id',
      'opened_at',
      'sales',
      'discounts',
      'gifts',
      'charges',
      'taxes',
      'refunds',
      'cancelled',
      'tips',
      'cash',
      'open_receipts',
    ])
    const close = () => owner.ask('POST', `/shifts/${shift}/close`, { closing_amount: 150 })
    const answers = await Promise.all([close(), close()])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    const closed = (await read(`/finance/cash-shifts/${shift.toUpperCase()}`)).data
    assert.deepEqual(
      [closed.status, closed.closing_amount, closed.expected_amount, closed.difference],
      ['CLOSED', 150, 159.5, -9.5],
    )
    const { data: cash } = await read('/finance/balances?type=CASH&filters=[["venue_id",1]]')
    assert.equal(cash[0].amount, 50, 'what was put in, taken out and counted')
    const report = await built.call(`/finance/cash-shifts/${shift}/report`, { headers })
    assert.deepEqual((report.body as { data: { cash: object } }).data.cash, {
      ...before.cash,
      counted: 150,
      difference: -9.5,
    })
    built.clock.ms += 1_000
    const next = await done(owner.ask('POST', '/shifts', { terminal_id: 1, opening_amount: 10 }))
    assert.equal(next.number, closed.number + 1)
    await done(owner.ask('POST', `/shifts/${next.id}/cash`, { type: 'IN', amount: 5 }))
    const late = await owner.ask('POST', `/shifts/${shift}/cash`, { type: 'IN', amount: 5 })
    assert.deepEqual([late.status, late.body.error], [409, 'no_cash_shift'])
    built.clock.ms += 86_400_000
    headers = { 'x-token': await built.token(credentials) }
    const later = await built.call(`/finance/cash-shifts/${shift}/report`, { headers })
    assert.equal(later.text, report.text)
    assert.equal((await eventsOf('cash_shift.closed')).length, 1)
    await isSound()
  })

  test('shifts are a list of the venue, newest first; an id that is no UUID is 400', async () => {
    const { data, total } = await read('/finance/cash-shifts')
    assert.deepEqual([total, data[0].status, data[1].id], [2, 'OPEN', shift])
    assert.equal((await read('/finance/cash-shifts?filters=[["status","OPEN"]]')).total, 1)
    for (const path of ['1', 'x/report'])
      assert.equal((await built.call(`/finance/cash-shifts/${path}`, { headers })).status, 400)
    const elsewhere = { headers: { ...headers, 'x-venue': '2' } }
    assert.equal((await built.call(`/finance/cash-shifts/${shift}`, elsewhere)).status, 404)
    assert.equal((await built.call(`/finance/cash-shifts/${shift}/report`, elsewhere)).status, 404)
  })

  test('views of balances: accounts without pages, people’s when asked, over a time, and day by day', async () => {
    const accounts = await read('/finance/balances/list')
    assert.deepEqual(Object.keys(accounts), ['success', 'data', 'total'])
    assert.deepEqual(new Set(accounts.data.map(({ type }: { type: string }) => type)), new Set(['CASH', 'CARD']))
    assert.equal(accounts.total, 4, 'of each method one a venue')
    assert.equal((await read('/finance/balances/list?type=CARD')).total, 2)
    const filtered = '/finance/balances/list?filters=[["type","CUSTOMER"],["customer_id","7"]]'
    assert.equal((await read(filtered)).data[0].amount, 42.25, 'customers’ where type asks')
    const people = await read('/finance/balances/customer?filters=[["customer_id","7"]]')
    assert.deepEqual(
      people.data.map(({ type, amount }: { type: string; amount: number }) => [type, amount]),
      [
        ['CUSTOMER', 42.25],
        ['CASHBACK', 0],
      ],
    )
    assert.equal((await read('/finance/balances?type=CUSTOMER')).total, 2)
    const [cash] = (await read('/finance/balances?type=CASH&filters=[["venue_id",1]]')).data
    assert.equal((await read(`/finance/balances/${cash.id}`)).data.amount, cash.amount)
    const moved = await read(`/finance/balances/transactions?filters=[["id",${cash.id}]]`)
    assert.deepEqual(moved.data, [
      { id: cash.id, name: 'CASH', type: 'CASH', opening: 0, in: 85, out: 30, closing: 55 },
    ])
    const day = new Date(built.clock.ms).toISOString().slice(0, 10)
    const today = await read(`/finance/balances/transactions?date[0]=${day}&date[1]=${day}&filters=[["id",${cash.id}]]`)
    assert.deepEqual([today.data[0].opening, today.data[0].closing], [55, 55])
    const states = await read(`/finance/balances/date-states?filters=[["id",${cash.id}]]`)
    assert.equal(states.total, 30)
    assert.deepEqual(
      states.data.slice(-3).map(({ amount }: { amount: number }) => amount),
      [0, 55, 55],
    )
    assert.equal((await built.call('/finance/balances/date-states?date[0]=2020-01-01', { headers })).status, 400)
  })

  test('amounts by day are what the house holds: a debt to a supplier is in them only by name', async () => {
    const today = async (query = '') => (await read(`/finance/balances/date-states${query}`)).data.at(-1).amount
    const held = await today()
    const debt = {
      kind: 'supplier',
      id: 5,
      name: 'Mill',
      status: 1,
      balance: { id: 950, amount: 80, type: 'SUPPLIER' },
    }
    await putRows(built.deps.db, brand_id, [debt])
    assert.equal(await today(), held)
    for (const filter of ['["id",950]', '["type","SUPPLIER"]', '["supplier_id",5]'])
      assert.equal(await today(`?filters=[${filter}]`), 80, filter)
    assert.equal(await today('?type=SUPPLIER'), 80)
  })

  test('taxes over business days come from the kept totals', async () => {
    assert.deepEqual((await read('/finance/taxes/report')).data, { taxes: [] })
    assert.deepEqual((await read('/finance/taxes/total?venue=all&date[0]=2026-01-01')).data, {
      base: 0,
      amount: 0,
      receipts: 0,
    })
    const timed = await built.call('/finance/taxes/total?date[0]=2026-01-01T10:00:00Z', { headers })
    assert.equal(timed.status, 400)
  })
})
