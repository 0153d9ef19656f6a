import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { auditBooks } from '../books/audit.ts'
import { line } from '../receipts/till-fixture.ts'
import { BALANCE, CARD, CASH, ROWS, tills } from './closing-fixture.ts'

// I14: by receipt and account, payments are the transactions of SALE and REFUND. Each member is changed by hand.
onEachEngine('payments and what was booked of them', (make) => {
  const till = tills(make)
  let fixture: Awaited<ReturnType<typeof till>>
  let sold: number
  let refunded: number
  let cancelled: number
  before(async () => {
    fixture = await till(ROWS)
    const { open, pay, owner } = fixture
    sold = await open([line(3)], { customer_id: 20 })
    const payments: [number, number][] = [
      [CASH, 1],
      [CARD, 2],
      [BALANCE, 3.2],
    ]
    assert.equal((await pay(sold, payments)).status, 200)
    const { body } = await owner.ask('POST', `/receipts/${sold}/refund`, {})
    refunded = body.data.id
    cancelled = await open([line(3)])
    await owner.ask('POST', `/receipts/${cancelled}/payments`, { payment_methods: [{ id: CARD, amount: 6.2 }] })
    assert.equal((await owner.ask('POST', `/receipts/${cancelled}/cancel`, {})).status, 200)
    await fixture.isSound()
  })

  const found = async () =>
    (await auditBooks(fixture.db, fixture.brand_id)).findings
      .filter(({ invariant }) => invariant === 'I14')
      .map(({ subject, problem }) => `${subject}: ${problem}`)

  /** What is found while a column of some rows has another value. */
  async function changed(table: string, set: string, where: string, values: (number | string)[]): Promise<string[]> {
    const { db, brand_id } = fixture
    const column = set.split(' ')[0]!
    const held = await db.rows<{ id: number; value: number | string | null }>(
      `select id, ${column} as value from ${table} where brand_id = ? and ${where}`,
      [brand_id, ...values],
    )
    assert.ok(held.length > 0)
    await db.transaction((tx) =>
      tx.run(`update ${table} set ${set} where brand_id = ? and ${where}`, [brand_id, ...values]),
    )
    const findings = await found()
    for (const { id, value } of held)
      await db.transaction((tx) =>
        tx.run(`update ${table} set ${column} = ? where brand_id = ? and id = ?`, [value, brand_id, id]),
      )
    assert.deepEqual(await found(), [], 'mended')
    return findings
  }
  const balanceOf = async (type: string) => (await fixture.balances()).find((each) => each.type === type)!.id

  test('an account, an amount, a category and a receipt of a transaction', async () => {
    const [cash, card] = [await balanceOf('CASH'), await balanceOf('CARD')]
    const own = 'receipt_id = ? and balance_id = ?'
    assert.deepEqual(await changed('transactions', 'amount = 20000', own, [sold, cash]), [
      `receipt ${sold}: balance ${cash}: SALE booked 2, and its payments make 1`,
    ])
    const other = await balanceOf('OTHER')
    assert.deepEqual(await changed('transactions', `balance_id = ${other}`, own, [sold, cash]), [
      `receipt ${sold}: balance ${cash}: SALE booked 0, and its payments make 1`,
      `receipt ${sold}: balance ${other}: SALE booked 1, and its payments make 0`,
    ])
    assert.deepEqual(await changed('transactions', 'category_id = 0', own, [refunded, cash]), [
      `receipt ${refunded}: balance ${cash}: REFUND booked 0, and its payments make -1`,
    ])
    assert.deepEqual(await changed('transactions', 'receipt_id = null', own, [sold, card]), [
      `receipt ${sold}: balance ${card}: SALE booked 0, and its payments make 2`,
    ])
    const stray = await changed('transactions', 'receipt_id = 999999', own, [sold, card])
    assert.match(stray[0]!, /^transaction \d+: it belongs to receipt 999999, which is not there$/)
    assert.equal(stray.length, 2)
  })

  test('a payment of a receipt, and what it keeps of it: method, amount, kind and account', async () => {
    const [cash, card] = [await balanceOf('CASH'), await balanceOf('CARD')]
    const inTerms = (from: string, to: string) =>
      changed('receipts', `terms = replace(terms, '${from}', '${to}')`, 'id = ?', [sold])
    const shows = await changed(
      'receipts',
      `body = replace(body, '"name":"Cash","amount":1', '"name":"Cash","amount":2')`,
      'id = ?',
      [sold],
    )
    assert.match(shows[0]!, new RegExp(`^receipt ${sold}: its payments are .*"amount":2.*and it keeps .*"amount":1`))
    const byOther = await inTerms('{"id":1,"kind":"CASH"', '{"id":2,"kind":"CASH"')
    assert.match(byOther[0]!, /its payments are/)
    assert.deepEqual(await inTerms(`"balance_id":${cash},`, `"balance_id":${card},`), [
      `receipt ${sold}: balance ${card}: SALE booked 2, and its payments make 3`,
      `receipt ${sold}: balance ${cash}: SALE booked 1, and its payments make 0`,
      `receipt ${sold}: by method 1 it was paid as CASH, on balance ${card} of type CARD`,
    ])
    assert.deepEqual(await inTerms('"kind":"CASH"', '"kind":"CARD"'), [
      `receipt ${sold}: by method 1 it was paid as CARD, on balance ${cash} of type CASH`,
    ])
    const personal = await inTerms('"kind":"CUSTOMER"', '"kind":"OTHER"')
    assert.match(personal[0]!, /SALE booked -3.2, and its payments make 3.2$/)
    assert.equal(
      (await inTerms('"payments":[', '"payments":[{"id":1,"kind":"CASH","balance_id":1,"amount":1},')).length,
      2,
    )
    assert.deepEqual((await changed('balances', `type = 'OTHER'`, 'id = ?', [cash])).sort(), [
      `receipt ${sold}: by method 1 it was paid as CASH, on balance ${cash} of type OTHER`,
      `receipt ${refunded}: by method 1 it was paid as CASH, on balance ${cash} of type OTHER`,
    ])
  })

  test('all that the house was paid is gone: every receipt that was paid is named', async () => {
    const { db, brand_id } = fixture
    await db.transaction((tx) =>
      tx.run(
        `delete from transactions where brand_id = ? and balance_id in (
           select id from balances where brand_id = ? and type in ('CASH', 'CARD', 'OTHER'))`,
        [brand_id, brand_id],
      ),
    )
    const named = new Set((await found()).map((each) => each.split(':')[0]))
    for (const id of [sold, refunded, cancelled]) assert.ok(named.has(`receipt ${id}`), `receipt ${id}`)
  })
})
