import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { RESOURCES } from '../../resources/catalogue.ts'
import { auditBooks } from '../books/audit.ts'
import { isNotStored } from '../books/books-fixture.ts'
import { BALANCE, CARD, CASH, SUPPLIES, scaled, tills, WITH_SHIFT } from '../closing/closing-fixture.ts'
import { line } from '../receipts/till-fixture.ts'

onEachEngine('receipts that are refunded', (make) => {
  const till = tills(make)
  let fixture: Awaited<ReturnType<typeof till>>
  before(async () => {
    fixture = await till(WITH_SHIFT)
    await fixture.supply(SUPPLIES)
    await fixture.db.transaction((tx) =>
      tx.run('update brands set cashback_percent = 70000 where id = ?', [fixture.brand_id]),
    )
  })

  const refund = (id: number, body: object = {}) => fixture.owner.ask('POST', `/receipts/${id}/refund`, body)

  /** A sale of crêpes and a galette with an egg, in the house, with a service charge, by balance, cash and card. */
  async function sold() {
    const lines = [line(10, 3), line(1, 2, { modifiers: [{ modifier_id: 1 }] })]
    const id = await fixture.open(lines, { sale_type_id: 1, customer_id: 20, terminal_id: 1 })
    const { total } = await fixture.read(id)
    const rest = Math.round((total - 15) * 100) / 100
    const { status, body } = await fixture.pay(id, [
      [BALANCE, 5],
      [CASH, 10],
      [CARD, rest],
    ])
    assert.equal(status, 200, JSON.stringify(body))
    return { id, total: total as number }
  }

  const state = async () => {
    const { expected_amount } = await fixture.shift()
    const { spent, total_discount } = await fixture.customer('20')
    return {
      stocks: await fixture.stocks(),
      balances: await fixture.balances(),
      expected_amount,
      spent,
      total_discount,
    }
  }

  for (const [name, parts] of [
    ['in one part', [{}]],
    [
      'in several parts',
      [
        { lines: [{ index: 0, count: 1 }] },
        {
          lines: [
            { index: 1, count: 1 },
            { index: 0, count: 1 },
          ],
        },
        { lines: [{ index: 1 }] },
        {},
      ],
    ],
  ] as const)
    test(`a refund ${name} brings stock, balances, shift and customer back to the digit`, async () => {
      await fixture.supply(SUPPLIES) // rows that are there
      const start = await state()
      const { id, total } = await sold()
      assert.notDeepEqual(await state(), start)
      const { receipt_products } = await fixture.read(id)
      const refunds: number[] = []
      for (const part of parts) {
        const lines =
          'lines' in part
            ? part.lines.map(({ index, ...rest }) => ({ id: receipt_products[index].id, ...rest }))
            : undefined
        const { status, body } = await refund(id, lines ? { lines } : {})
        assert.equal(status, 200, JSON.stringify(body))
        refunds.push(body.data.id)
        await fixture.isSound()
      }
      assert.deepEqual(await state(), start)
      const all = await Promise.all(refunds.map((each) => fixture.read(each)))
      const sum = all.reduce((back, each) => back + scaled(each.total), 0)
      assert.equal(sum, -scaled(total))
      for (const each of all) {
        assert.deepEqual([each.status, each.parent_id, each.source, each.remaining], [2, id, 'POS', 0])
        assert.ok(each.number > 0 && each.order_id === undefined)
        const { subtotal, total_discount, service_charge_value, delivery_fee, e_tax } = each
        const made = [subtotal, -total_discount, service_charge_value, delivery_fee, e_tax]
        assert.equal(
          made.reduce((back: number, amount: number) => back + scaled(amount), 0),
          scaled(each.total),
        )
      }
      const more = await refund(id)
      assert.deepEqual([more.status, more.body.error], [409, 'not_refundable'])
      const ofRefund = await refund(refunds[0]!)
      assert.deepEqual([ofRefund.status, ofRefund.body.error], [409, 'not_refundable'])
    })

  test('more than is left is 409 with what is left; a line that is none, twice or half is 400', async () => {
    const { id } = await sold()
    const [crepes, galettes] = (await fixture.read(id)).receipt_products
    assert.equal((await refund(id, { lines: [{ id: crepes.id, count: 2 }] })).status, 200)
    const { status, body } = await refund(id, { lines: [{ id: crepes.id, count: 2 }] })
    assert.deepEqual([status, body.error, body.details], [409, 'not_refundable', { line_id: crepes.id, left: 1 }])
    for (const lines of [
      [{ id: 1 }],
      [{ id: galettes.id }, { id: galettes.id }],
      [{ id: galettes.id, count: 0.5 }],
      [{ id: galettes.id, count: 0 }],
    ])
      assert.equal((await refund(id, { lines })).status, 400, JSON.stringify(lines))
    assert.equal((await refund(id, { lines: [] })).status, 409, 'nothing')
    const open = await fixture.open([line(2)])
    assert.equal((await refund(open)).body.error, 'not_refundable')
  })

  test('what is left is said before it is refunded, to the cent', async () => {
    const { id, total } = await sold()
    const [crepes, galettes] = (await fixture.read(id)).receipt_products
    const left = async () => (await fixture.owner.ask('GET', `/receipts/${id}/refund`)).body.data
    const both = [
      { id: crepes.id, count: 3 },
      { id: galettes.id, count: 2 },
    ]
    assert.deepEqual(await left(), { lines: both, delivery_fee: false, total })
    assert.equal((await refund(id, { lines: [{ id: crepes.id, count: 2 }, { id: galettes.id }] })).status, 200)
    const rest = await left()
    assert.deepEqual(rest.lines, [{ id: crepes.id, count: 1 }])
    assert.equal((await refund(id)).body.data.total, -rest.total)
    assert.deepEqual(await left(), { lines: [], delivery_fee: false, total: 0 })
    const open = await fixture.open([line(10, 1)], { sale_type_id: 1 })
    const { status, body } = await fixture.owner.ask('GET', `/receipts/${open}/refund`)
    assert.deepEqual([status, body.error], [409, 'not_refundable'])
  })

  test('waste brings no stock back, and the books know it', async () => {
    const { id } = await sold()
    const stocks = await fixture.stocks()
    const { status, body } = await refund(id, { waste: true })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(await fixture.stocks(), stocks)
    assert.deepEqual(await fixture.movements(body.data.id), [])
    await fixture.isSound()
  })

  test('money goes back by methods of the receipt, by each at most what it paid', async () => {
    const { id, total } = await sold()
    const [crepes] = (await fixture.read(id)).receipt_products
    const part = (payments: [number, number][]) =>
      refund(id, {
        lines: [{ id: crepes.id, count: 3 }],
        payment_methods: payments.map(([method, amount]) => ({ id: method, amount })),
      })
    const back = 10.99 // 9.99 and the service charge on it
    assert.match((await part([[CASH, back]])).body.message, /10\.99.*10/)
    assert.match((await part([[CASH, 5]])).body.message, /5.*10\.99/)
    const [unused] = (await part([[4, back]])).body.details.errors
    assert.deepEqual(
      [unused.field, unused.message],
      ['payment_methods[0].id', 'payment_methods[0].id 4 is no method by which the receipt was paid.'],
    )
    const { status, body } = await part([
      [CASH, 9],
      [CARD, 1.99],
    ])
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      body.data.payment_methods.map(({ id: method, amount }: { id: number; amount: number }) => [method, amount]),
      [
        [CASH, -9],
        [CARD, -1.99],
      ],
    )
    const rest = await refund(id)
    assert.equal(scaled(rest.body.data.total), scaled(back) - scaled(total))
    await fixture.isSound()
  })

  test('events: the receipt is refunded, the refund is a closed receipt', async () => {
    const { id } = await sold()
    const { body } = await refund(id)
    const ofReceipt = (await fixture.events(id)).at(-1)!
    assert.equal(ofReceipt.type, 'receipt.refunded')
    assert.equal(JSON.parse(ofReceipt.data).refund_id, body.data.id)
    assert.deepEqual(
      (await fixture.events(body.data.id)).map(({ type }) => type),
      ['receipt.closed'],
    )
    const { calculation } = await fixture.read(body.data.id, 'calculation')
    assert.equal(calculation, undefined, 'P11 did not make it')
  })

  test('refunds that race give back no more than was sold, once', async () => {
    const { id } = await sold()
    const stocks = await fixture.stocks()
    const answers = await Promise.all(Array.from({ length: 8 }, () => refund(id)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 409)])
    assert.notDeepEqual(await fixture.stocks(), stocks)
    await fixture.isSound()
  })

  test('an export that is imported elsewhere has the same closed receipts and refunds, and sound books', async () => {
    const rows: Row[] = []
    for (const { kind, readExportPage } of RESOURCES)
      for (let after: number | string | undefined, more = true; more; ) {
        const { objects, next } = await readExportPage(fixture.db, fixture.brand_id, after)
        rows.push(...objects.map((text) => ({ kind, ...JSON.parse(text) }) as Row))
        after = next
        more = next !== undefined
      }
    const other = (await fixture.built.brand('copy', { rows })).id
    assert.deepEqual((await auditBooks(fixture.db, other)).findings, [])
    const bodies = (brand: number) =>
      fixture.db.texts('select body from receipts where brand_id = ? order by id', [brand])
    assert.deepEqual(await bodies(other), await bodies(fixture.brand_id))
  })

  test('a refund that is not its part of the receipt is named (I1), and a movement that is missing (I2)', async () => {
    const { id } = await sold()
    const [crepes] = (await fixture.read(id)).receipt_products
    const one = (await refund(id, { lines: [{ id: crepes.id, count: 1 }] })).body.data.id as number
    const two = (await refund(id, { lines: [{ id: crepes.id, count: 1 }] })).body.data.id as number
    const found = async () =>
      (await auditBooks(fixture.db, fixture.brand_id)).findings
        .filter(isNotStored)
        .map(({ invariant, subject }) => `${invariant} ${subject}`)
    const change = (text: string, values: (string | number)[]) => fixture.db.transaction((tx) => tx.run(text, values))
    const damaged = async (table: string, column: string, row: number, edit: (text: string) => string) => {
      const where = `from ${table} where brand_id = ? and id = ?`
      const text = (await fixture.db.text(`select ${column} ${where}`, [fixture.brand_id, row]))!
      const put = (value: string) =>
        change(`update ${table} set ${column} = ? where brand_id = ? and id = ?`, [value, fixture.brand_id, row])
      assert.notEqual(edit(text), text)
      await put(edit(text))
      const findings = await found()
      await put(text)
      return findings
    }
    const findings = await damaged('receipts', 'details', two, (text) => text.replace(/"i_tax":-[\d.]+/, '"i_tax":-9'))
    assert.deepEqual(
      findings.filter((each) => each.startsWith('I1 ')),
      [`I1 receipt ${two}`],
    )
    const chain = await damaged('receipts', 'terms', two, (text) => text.replace(/"count":\d+/, '"count":20000'))
    assert.ok(chain.includes(`I1 receipt ${two}`), 'it did not follow the first')
    const early = await damaged('receipts', 'body', id, (text) =>
      text.replace(/"closed_at":"2026/, '"closed_at":"2020'),
    )
    assert.deepEqual(
      early.filter((each) => each.startsWith('I2 ')),
      [`I2 receipt ${id}`],
    )
    const unpaid = await damaged('receipts', 'body', id, (text) => text.replace(/"amount":10\b/, '"amount":9'))
    assert.ok(unpaid.includes(`I2 receipt ${id}`))

    const [moved] = await fixture.movements(one)
    const SET = 'update stock_operations set quantity = quantity'
    const ONE = 'where brand_id = ? and id = ?'
    await change(`${SET} + 1 ${ONE}`, [fixture.brand_id, moved!.id])
    assert.ok((await found()).includes(`I2 receipt ${one}`))
    await change(`${SET} - 1 ${ONE}`, [fixture.brand_id, moved!.id])
    await change(`update stock_operations set receipt_id = ? ${ONE}`, [two, fixture.brand_id, moved!.id])
    const mixed = await found()
    assert.ok(mixed.includes(`I2 receipt ${one}`) && mixed.includes(`I2 receipt ${two}`), String(mixed))
    await change(`update stock_operations set receipt_id = ? ${ONE}`, [one, fixture.brand_id, moved!.id])
    assert.deepEqual(await found(), [])
  })
})
