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
  let at: Awaited<ReturnType<typeof till>>
  before(async () => {
    at = await till(WITH_SHIFT)
    await at.supply(SUPPLIES)
    await at.db.transaction((tx) => tx.run('update brands set cashback_percent = 70000 where id = ?', [at.brand_id]))
  })

  const refund = (id: number, body: object = {}) => at.owner.ask('POST', `/receipts/${id}/refund`, body)

  /** A sale of crêpes and a galette with an egg, in the house, with a service charge, by balance, cash and card. */
  async function sold() {
    const lines = [line(10, 3), line(1, 2, { modifiers: [{ modifier_id: 1 }] })]
    const id = await at.open(lines, { sale_type_id: 1, customer_id: 20, terminal_id: 1 })
    const { total } = await at.read(id)
    const rest = Math.round((total - 15) * 100) / 100
    const { status, body } = await at.pay(id, [
      [BALANCE, 5],
      [CASH, 10],
      [CARD, rest],
    ])
    assert.equal(status, 200, JSON.stringify(body))
    return { id, total: total as number }
  }

  const state = async () => {
    const { expected_amount } = await at.shift()
    const { spent, total_discount } = await at.customer('20')
    return { stocks: await at.stocks(), balances: await at.balances(), expected_amount, spent, total_discount }
  }

  for (const [name, parts] of [
    ['in one part', [{}]],
    [
      'in several parts',
      [
        { lines: [{ at: 0, count: 1 }] },
        {
          lines: [
            { at: 1, count: 1 },
            { at: 0, count: 1 },
          ],
        },
        { lines: [{ at: 1 }] },
        {},
      ],
    ],
  ] as const)
    test(`a refund ${name} brings stock, balances, shift and customer back to the digit`, async () => {
      await at.supply(SUPPLIES) // rows that are there
      const start = await state()
      const { id, total } = await sold()
      assert.notDeepEqual(await state(), start)
      const { receipt_products } = await at.read(id)
      const refunds: number[] = []
      for (const part of parts) {
        const lines =
          'lines' in part
            ? part.lines.map(({ at: index, ...rest }) => ({ id: receipt_products[index].id, ...rest }))
            : undefined
        const { status, body } = await refund(id, lines ? { lines } : {})
        assert.equal(status, 200, JSON.stringify(body))
        refunds.push(body.data.id)
        await at.isSound()
      }
      assert.deepEqual(await state(), start)
      const all = await Promise.all(refunds.map((each) => at.read(each)))
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
    const [crepes, galettes] = (await at.read(id)).receipt_products
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
    const open = await at.open([line(2)])
    assert.equal((await refund(open)).body.error, 'not_refundable')
  })

  test('waste brings no stock back, and the books know it', async () => {
    const { id } = await sold()
    const stocks = await at.stocks()
    const { status, body } = await refund(id, { waste: true })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(await at.stocks(), stocks)
    assert.deepEqual(await at.movements(body.data.id), [])
    await at.isSound()
  })

  test('money goes back by methods of the receipt, by each at most what it paid', async () => {
    const { id, total } = await sold()
    const [crepes] = (await at.read(id)).receipt_products
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
    await at.isSound()
  })

  test('events: the receipt is refunded, the refund is a closed receipt', async () => {
    const { id } = await sold()
    const { body } = await refund(id)
    const ofReceipt = (await at.events(id)).at(-1)!
    assert.equal(ofReceipt.type, 'receipt.refunded')
    assert.equal(JSON.parse(ofReceipt.data).refund_id, body.data.id)
    assert.deepEqual(
      (await at.events(body.data.id)).map(({ type }) => type),
      ['receipt.closed'],
    )
    const { calculation } = await at.read(body.data.id, 'calculation')
    assert.equal(calculation, undefined, 'P11 did not make it')
  })

  test('refunds that race give back no more than was sold, once', async () => {
    const { id } = await sold()
    const stocks = await at.stocks()
    const answers = await Promise.all(Array.from({ length: 8 }, () => refund(id)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 409)])
    assert.notDeepEqual(await at.stocks(), stocks)
    await at.isSound()
  })

  test('an export that is imported elsewhere has the same closed receipts and refunds, and sound books', async () => {
    const rows: Row[] = []
    for (const { kind, readExportPage } of RESOURCES)
      for (let after: number | string | undefined, more = true; more; ) {
        const { objects, next } = await readExportPage(at.db, at.brand_id, after)
        rows.push(...objects.map((text) => ({ kind, ...JSON.parse(text) }) as Row))
        after = next
        more = next !== undefined
      }
    const other = (await at.built.brand('copy', { rows })).id
    assert.deepEqual((await auditBooks(at.db, other)).findings, [])
    const bodies = (brand: number) => at.db.texts('select body from receipts where brand_id = ? order by id', [brand])
    assert.deepEqual(await bodies(other), await bodies(at.brand_id))
  })

  test('a refund that is not its part of the receipt is named (I1), and a movement that is missing (I2)', async () => {
    const { id } = await sold()
    const [crepes] = (await at.read(id)).receipt_products
    const one = (await refund(id, { lines: [{ id: crepes.id, count: 1 }] })).body.data.id as number
    const two = (await refund(id, { lines: [{ id: crepes.id, count: 1 }] })).body.data.id as number
    const found = async () =>
      (await auditBooks(at.db, at.brand_id)).findings
        .filter(isNotStored)
        .map(({ invariant, subject }) => `${invariant} ${subject}`)
    const change = (text: string, values: (string | number)[]) => at.db.transaction((tx) => tx.run(text, values))
    const damaged = async (table: string, column: string, row: number, edit: (text: string) => string) => {
      const where = `from ${table} where brand_id = ? and id = ?`
      const text = (await at.db.text(`select ${column} ${where}`, [at.brand_id, row]))!
      const put = (value: string) =>
        change(`update ${table} set ${column} = ? where brand_id = ? and id = ?`, [value, at.brand_id, row])
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

    const [moved] = await at.movements(one)
    const SET = 'update stock_operations set quantity = quantity'
    const ONE = 'where brand_id = ? and id = ?'
    await change(`${SET} + 1 ${ONE}`, [at.brand_id, moved!.id])
    assert.ok((await found()).includes(`I2 receipt ${one}`))
    await change(`${SET} - 1 ${ONE}`, [at.brand_id, moved!.id])
    await change(`update stock_operations set receipt_id = ? ${ONE}`, [two, at.brand_id, moved!.id])
    const mixed = await found()
    assert.ok(mixed.includes(`I2 receipt ${one}`) && mixed.includes(`I2 receipt ${two}`), String(mixed))
    await change(`update stock_operations set receipt_id = ? ${ONE}`, [one, at.brand_id, moved!.id])
    assert.deepEqual(await found(), [])
  })
})
