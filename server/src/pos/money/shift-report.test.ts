import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { CARD, CASH, ROWS, tills } from '../closing/closing-fixture.ts'
import { line } from '../receipts/till-fixture.ts'

/** Two tills in a venue that wants a shift for cash. */
const TWO_TILLS = [
  ...ROWS.map((row) => (row.kind === 'venue' && row.id === 1 ? { ...row, cash_shift: 1 } : row)),
  { kind: 'terminal', id: 3, venue_id: 1, name: 'Bar till', status: 1 },
]

onEachEngine('the report of a cash shift', (make) => {
  const till = tills(make)
  let fixture: Awaited<ReturnType<typeof till>>
  let [one, other] = ['', '']
  before(async () => {
    fixture = await till(TWO_TILLS)
  })

  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
  const read = async (path: string): Promise<any> => {
    const { status, body } = await fixture.built.call(path, { headers: fixture.headers })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }
  const report = (id: string) => read(`/finance/cash-shifts/${id}/report`)
  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
  const done = async (path: string, body: object): Promise<any> => {
    const answer = await fixture.owner.ask('POST', path, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.data
  }

  test('amounts of money may be decimal texts', async () => {
    one = (await done('/shifts', { terminal_id: 1, opening_amount: '100.50' })).id
    const moved = await done(`/shifts/${one}/cash`, { type: 'OUT', amount: '0.50' })
    assert.deepEqual([moved.opening_amount, moved.expected_amount], [100.5, 100])
    for (const amount of ['1.005', '1,5', '', '-1', '1e2'])
      assert.equal((await fixture.owner.ask('POST', `/shifts/${one}/cash`, { type: 'IN', amount })).status, 400, amount)
    const discount = { discount_type: 2, discount_value: '0.50' }
    const id = await fixture.open([{ ...line(2), price: '4.00', discount_type: 2, discount_value: '1.00' }])
    await fixture.owner.ask('PATCH', `/receipts/${id}`, { discount })
    assert.equal((await fixture.read(id)).total, 2.5)
    await done(`/receipts/${id}/cancel`, {})
  })

  test('sales of the drawer, by method and sale type, with their taxes, refunds and cash', async () => {
    const cash = await fixture.open([line(2, 2)], { terminal_id: 1 }) // 9.00, 10 % included
    await done(`/receipts/${cash}/payments`, { payment_methods: [{ id: CASH, amount: 4 }] })
    assert.equal((await fixture.pay(cash, [[CASH, 5]])).status, 200)
    const card = await fixture.open([line(3)], { terminal_id: 1, sale_type_id: 1 }) // 6.20 and 10 %, 20 % included
    assert.equal((await fixture.pay(card, [[CARD, 6.82]])).status, 200)
    const [sold] = (await fixture.read(cash)).receipt_products
    await done(`/receipts/${cash}/refund`, { lines: [{ id: sold.id, count: 1 }] })
    const { sales, taxes, refunds, charges, cash: drawer } = await report(one)
    assert.deepEqual(sales, {
      receipts: 2,
      amount: 15.82,
      by_payment_method: [
        { id: CASH, name: 'Cash', receipts: 1, amount: 9 },
        { id: CARD, name: 'Card', receipts: 1, amount: 6.82 },
      ],
      by_sale_type: [
        { id: 1, name: 'IN', receipts: 1, amount: 6.82 },
        { id: 2, name: 'TAKEAWAY', receipts: 1, amount: 9 },
      ],
    })
    assert.deepEqual(
      [refunds, charges],
      [
        { receipts: 1, amount: 4.5 },
        { service_charge: 0.62, delivery_fee: 0 },
      ],
    )
    assert.deepEqual(drawer, {
      opening: 100.5,
      sales: 9,
      refunds: 4.5,
      tips: 0,
      tips_paid_out: 0,
      in: 0,
      out: 0.5,
      expected: 104.5,
    })
    assert.deepEqual(taxes, [
      { id: 1, name: 'VAT 10 %', rate: 10, included: true, base: 4.65, amount: 0.47 },
      { id: 2, name: 'VAT 20 %', rate: 20, included: true, base: 5.17, amount: 1.03 },
    ])
    const kept = await read('/finance/taxes/report')
    assert.deepEqual(kept.taxes, [
      { ...taxes[0], receipts: 2 },
      { ...taxes[1], receipts: 1 },
    ])
    assert.deepEqual(await read('/finance/taxes/total'), { base: 9.82, amount: 1.5, receipts: 2 })
    await fixture.isSound()
  })

  test('a cancelled receipt is in one report, with what it was worth before', async () => {
    assert.deepEqual((await report(one)).cancelled, { receipts: 1, amount: 2.5 }, 'there was no other shift')
    other = (await done('/shifts', { terminal_id: 3, opening_amount: 50 })).id
    const here = await fixture.open([line(2, 2), line(3)], { terminal_id: 1 })
    await done(`/receipts/${here}/payments`, { payment_methods: [{ id: CARD, amount: 1 }] })
    await done(`/receipts/${here}/cancel`, {})
    await done(`/receipts/${await fixture.open([line(2)])}/cancel`, {})
    assert.deepEqual((await report(one)).cancelled, { receipts: 2, amount: 17.7 })
    assert.deepEqual((await report(other)).cancelled, { receipts: 0, amount: 0 }, 'of no terminal: of neither')
    const listed = await read(`/receipts?filters=[["cash_shift_id","${one}"],["status",3]]`)
    assert.equal(listed.length, 2)
    await fixture.isSound()
  })

  test('an open receipt is in the report of its terminal, or of the only open shift', async () => {
    const open = async () => [(await report(one)).open_receipts, (await report(other)).open_receipts]
    await fixture.open([line(2)], { terminal_id: 3 })
    await fixture.open([line(3)])
    assert.deepEqual(await open(), [
      { receipts: 0, amount: 0 },
      { receipts: 1, amount: 4.5 },
    ])
    await done(`/shifts/${one}/close`, { closing_amount: '104.50' })
    assert.deepEqual(await open(), [
      { receipts: 0, amount: 0 },
      { receipts: 2, amount: 10.7 },
    ])
  })

  test('a top-up in cash goes to the shift that staff name, else to the only open one', async () => {
    const paid = { amount: '12.50', payment_method_id: CASH }
    const third = (await done('/shifts', { terminal_id: 1, opening_amount: 0 })).id
    const refused = await fixture.owner.ask('POST', '/customers/7/balance', paid)
    assert.deepEqual([refused.status, refused.body.error], [409, 'no_cash_shift'])
    assert.equal((await done('/customers/7/balance', { ...paid, cash_shift_id: third })).balance.amount, 12.5)
    const late = await fixture.owner.ask('POST', '/customers/7/balance', { ...paid, cash_shift_id: one })
    assert.deepEqual([late.status, late.body.error], [409, 'no_cash_shift'], 'closed')
    await done(`/shifts/${third}/close`, { closing_amount: 12.5 })
    await done('/customers/7/balance', paid)
    assert.deepEqual([(await report(third)).cash.in, (await report(other)).cash.in], [12.5, 12.5])
    await fixture.isSound()
  })
})
