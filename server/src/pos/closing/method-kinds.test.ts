import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { RESOURCES } from '../../resources/catalogue.ts'
import { auditBooks } from '../books/audit.ts'
import { line } from '../receipts/till-fixture.ts'
import { CARD, CASH, ROWS, tills, WITH_SHIFT } from './closing-fixture.ts'

const VOUCHER = 6

interface Placed {
  status: number
  body: { data: { id: number; status: string } }
}

interface Shown {
  id: number
  kind: string
  balance?: { id: number; type: string }
}
const voucher = (more: object = {}): Row => ({
  kind: 'payment_method',
  id: VOUCHER,
  name: 'Voucher',
  payment_kind: 'OTHER',
  status: {},
  customer_required: 0,
  position: 6,
  ...more,
})

// I14: each payment keeps the kind and the balance that it was booked on, whatever becomes of its method.
onEachEngine('the kind of a payment method', (make) => {
  const till = tills(make)
  const shop = async (rows: Row[] = ROWS) => {
    const fixture = await till([...rows, voucher()])
    return {
      ...fixture,
      setKind: (id: number, payment_kind: string) =>
        fixture.owner.ask('PATCH', `/edit/payment-methods/${id}`, { payment_kind }),
      method: async (id: number) => {
        const { body } = await fixture.built.call(`/payment-methods?limit=100`, { headers: fixture.headers })
        return (body.data as Shown[]).find((each) => each.id === id)!
      },
      /** What a row says, however an import would be refused to say it. */
      force: (id: number, kind: string) =>
        fixture.db.transaction((tx) =>
          tx.run(
            `update payment_methods set kind = ?, body = replace(body, '"kind":"' || kind || '"', '"kind":"' || ? || '"')
             where brand_id = ? and id = ?`,
            [kind, kind, fixture.brand_id, id],
          ),
        ),
      sold: async (method: number, more: object = {}) => {
        const id = await fixture.open([line(3)], more)
        const { status, body } = await fixture.pay(id, [[method, 6.2]])
        assert.equal(status, 200, JSON.stringify(body))
        return id
      },
    }
  }
  const NOT_USED = { customer_id: 20, terminal_id: 1 }

  test('stays as soon as something was paid by it, at the form and in an import', async () => {
    const { setKind, sold, method, db, brand_id, isSound } = await shop()
    await sold(VOUCHER)
    const refused = await setKind(VOUCHER, 'CUSTOMER')
    assert.deepEqual([refused.status, refused.body.error], [409, 'method_in_use'])
    await assert.rejects(
      putRows(db, brand_id, [voucher({ payment_kind: 'CUSTOMER' })]),
      /payment_kind of method 6 stays OTHER/,
    )
    assert.equal((await method(VOUCHER)).kind, 'OTHER')
    assert.equal((await setKind(VOUCHER, 'OTHER')).status, 200, 'the same')
    await putRows(db, brand_id, [voucher({ name: 'Gift card' })])
    await isSound()
  })

  test('stays while an order that is paid by it waits, and is free again when nobody accepts the order', async () => {
    const { setKind, built, headers, owner } = await shop()
    const body = {
      sale_type_id: 2,
      products: [{ product_id: 2, count: 1 }],
      integration_uuid: randomUUID(),
      payments: [{ id: VOUCHER, amount: 4.5 }],
    }
    const placed = (await built.call('/orders', { method: 'POST', headers, body })) as unknown as Placed
    assert.deepEqual([placed.status, placed.body.data.status], [200, 'PENDING'], JSON.stringify(placed.body))
    assert.equal((await setKind(VOUCHER, 'CUSTOMER')).body.error, 'method_in_use')
    assert.equal((await owner.ask('POST', `/orders/${placed.body.data.id}/refuse`, { reason: 'No' })).status, 200)
    assert.equal((await setKind(VOUCHER, 'CUSTOMER')).status, 200)
  })

  test('and of an order and a change of the kind at once one is refused', async () => {
    const { setKind, built, headers, owner } = await shop()
    for (let round = 0; round < 5; round++) {
      const body = {
        sale_type_id: 2,
        products: [{ product_id: 2, count: 1 }],
        integration_uuid: randomUUID(),
        payments: [{ id: VOUCHER, amount: 4.5 }],
      }
      const [placed, changed] = await Promise.all([
        built.call('/orders', { method: 'POST', headers, body }) as unknown as Promise<Placed>,
        setKind(VOUCHER, 'CUSTOMER'),
      ])
      assert.notDeepEqual([placed.status, changed.status], [200, 200], JSON.stringify(placed.body))
      if (placed.status === 200) await owner.ask('POST', `/orders/${placed.body.data.id}/refuse`, { reason: 'No' })
      assert.equal((await setKind(VOUCHER, 'OTHER')).status, 200)
    }
  })

  test('may change while nothing was paid by it, and its accounts change with it', async () => {
    const { setKind, method, db, brand_id, sold, isSound, owner, amountOf } = await shop()
    for (const kind of ['CARD', 'CUSTOMER', 'CASH', 'OTHER'] as const) {
      const { status, body } = await setKind(VOUCHER, kind)
      assert.equal(status, 200, JSON.stringify(body))
      const { balance } = await method(VOUCHER)
      assert.equal(balance?.type, kind === 'CUSTOMER' ? undefined : kind)
    }
    await putRows(db, brand_id, [voucher({ payment_kind: 'CARD' })])
    const id = await sold(VOUCHER)
    assert.deepEqual([await amountOf('CARD'), await amountOf('OTHER')], [6.2, 0])
    assert.equal((await owner.ask('POST', `/receipts/${id}/refund`, {})).status, 200)
    assert.equal(await amountOf('CARD'), 0)
    await isSound()
    const wrong = voucher({ id: 7, payment_kind: 'CASH', balance: { id: 7_000, name: 'Bank', type: 'CARD' } })
    await assert.rejects(putRows(db, brand_id, [wrong]), /balance.type is CARD/)
  })

  test('is read by nothing that gives money back: a refund, a cancel and the close of a part that was paid', async () => {
    const { force, open, owner, pay, sold, amountOf, shift, customer, db, brand_id, isSound, read } =
      await shop(WITH_SHIFT)
    await db.transaction((tx) => tx.run('update brands set cashback_percent = 100000 where id = ?', [brand_id]))
    const start = await amountOf('CUSTOMER')
    const bought = await sold(VOUCHER, NOT_USED)
    const byCard = await sold(CARD, NOT_USED)
    const [cancelled, closed] = [await open([line(3)], NOT_USED), await open([line(3)], NOT_USED)]
    const part = { payment_methods: [{ id: VOUCHER, amount: 2 }] }
    for (const id of [cancelled, closed])
      assert.equal((await owner.ask('POST', `/receipts/${id}/payments`, part)).status, 200)
    await force(VOUCHER, 'CUSTOMER')
    await force(CARD, 'CASH')
    for (const id of [bought, byCard]) {
      const { status, body } = await owner.ask('POST', `/receipts/${id}/refund`, {})
      assert.equal(status, 200, JSON.stringify(body))
    }
    assert.equal((await owner.ask('POST', `/receipts/${cancelled}/cancel`, {})).status, 200)
    assert.equal((await pay(closed, [[CASH, 4.2]])).status, 200)
    assert.deepEqual(
      (await read(closed)).payment_methods.map(({ id }: { id: number }) => id),
      [VOUCHER, CASH],
    )
    assert.deepEqual(
      [await amountOf('OTHER'), await amountOf('CARD'), await amountOf('CASH'), (await shift()).expected_amount],
      [2, 0, 4.2, 104.2],
    )
    assert.equal(await amountOf('CUSTOMER'), start)
    assert.equal((await customer('20')).cashback_balance.amount, 0.62, 'all of the last one earns')
    await isSound()
    assert.equal((await owner.ask('POST', `/receipts/${closed}/refund`, {})).status, 200)
    assert.deepEqual([await amountOf('OTHER'), await amountOf('CASH')], [0, 0])
    await isSound()
  })

  test('and an account that an import links instead: what was booked goes back to where it was booked', async () => {
    const { open, owner, pay, db, brand_id, balances, isSound, method, read } = await shop()
    const id = await open([line(3)])
    const first = (await method(VOUCHER)).balance!.id
    const part = { payment_methods: [{ id: VOUCHER, amount: 2 }] }
    assert.equal((await owner.ask('POST', `/receipts/${id}/payments`, part)).status, 200)
    const balance = { id: 7_000, name: 'Vouchers', type: 'OTHER' }
    await putRows(db, brand_id, [voucher({ balance, accounts: { 1: 7_000 } })])
    assert.equal((await pay(id, [[VOUCHER, 4.2]])).status, 200)
    const amounts = async () => (await balances()).filter((each) => each.id === first || each.id === 7_000)
    assert.deepEqual(
      (await amounts()).map(({ amount }) => amount),
      [20_000, 42_000],
    )
    const input = { payment_methods: [{ id: VOUCHER, amount: 6.2 }] }
    const { status, body } = await owner.ask('POST', `/receipts/${id}/refund`, input)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      (await amounts()).map(({ amount }) => amount),
      [0, 0],
    )
    assert.equal((await read(body.data.id)).paid, -6.2)
    await isSound()
  })

  test('and what payments were booked on come with an export, so the copy gives back to the same accounts', async () => {
    const { built, db, brand_id, sold, force } = await shop()
    await sold(VOUCHER)
    const rows: Row[] = []
    for (const { kind, readExportPage } of RESOURCES)
      for (const text of (await readExportPage(db, brand_id, undefined)).objects)
        rows.push({ kind, ...JSON.parse(text) } as Row)
    const copy = (await built.brand(`copy-of-${brand_id}`, { rows })).id
    const termsOf = async (brand: number) =>
      (await db.texts('select terms from receipts where brand_id = ? order by id', [brand])).map((text) =>
        JSON.parse(text),
      )
    assert.deepEqual(await termsOf(copy), await termsOf(brand_id))
    assert.match(
      JSON.stringify(await termsOf(copy)),
      /"payments":\[\{"id":6,"kind":"OTHER","balance_id":\d+,"amount":62000\}\]/,
    )
    assert.deepEqual((await auditBooks(db, copy)).findings, [])
    await assert.rejects(putRows(db, copy, [voucher({ payment_kind: 'CARD' })]), /stays OTHER/)
    await force(VOUCHER, 'CARD') // of the first brand, which the copy does not see
    const [receipt] = rows.filter(({ kind }) => kind === 'receipt') as (Row & { terms: { payments: object[] } })[]
    const [booked] = receipt!.terms.payments
    const terms = { ...receipt!.terms, payments: [{ ...booked, balance_id: 123_456 }] }
    const stray = { ...receipt!, id: 999, cid: randomUUID(), receipt_products: [], terms }
    await assert.rejects(putRows(db, copy, [stray]), /balance_id 123456 points at no row/)
  })
})
