import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { RESOURCES } from '../../resources/catalogue.ts'
import { countedTaxes } from '../../resources/sales/day-totals.ts'
import { auditBooks } from '../books/audit.ts'
import { CARD, SHIFT, tills, WITH_SHIFT } from '../closing/closing-fixture.ts'
import { line } from '../receipts/till-fixture.ts'

interface Taxed {
  id: number
  rate: number
  included: boolean
  base: number
  amount: number
  receipts: number
}

onEachEngine('a tax that is added to prices while a receipt is open', (make) => {
  const till = tills(make)

  test('is counted by tax, rate and whether prices hold it, and the receipt once', async () => {
    const { open, owner, pay, read, built, headers, isSound, db, brand_id } = await till(WITH_SHIFT)
    const id = await open([line(3)], { terminal_id: 1 })
    assert.equal((await owner.ask('PATCH', '/edit/taxes/2', { included: false })).status, 200)
    assert.equal((await owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(3)] })).status, 200)
    const { total, taxes } = await read(id)
    assert.equal(total, 13.64) // 6.20 with tax in it, 6.20 and 1.24
    assert.deepEqual(
      taxes.map(({ base, amount }: Taxed) => [base, amount]),
      [
        [5.17, 1.03],
        [6.2, 1.24],
      ],
    )
    const { status, body } = await pay(id, [[CARD, total]])
    assert.equal(status, 200, JSON.stringify(body))
    const report = async () => {
      const answer = await built.call('/finance/taxes/report', { headers })
      return (answer.body.data as { taxes: Taxed[] }).taxes
    }
    const figures = ({ rate, included, base, amount, receipts }: Taxed) => [rate, included, base, amount, receipts]
    assert.deepEqual((await report()).map(figures), [
      [20, true, 5.17, 1.03, 1],
      [20, false, 6.2, 1.24, 1],
    ])
    const sums = await built.call('/finance/taxes/total', { headers })
    assert.deepEqual(sums.body.data, { base: 11.37, amount: 2.27, receipts: 1 })
    const ofShift = await built.call(`/finance/cash-shifts/${SHIFT}/report`, { headers })
    assert.deepEqual(
      (ofShift.body.data as { taxes: Taxed[] }).taxes.map(({ included, amount }) => [included, amount]),
      [
        [true, 1.03],
        [false, 1.24],
      ],
    )
    await isSound()

    const rows: Row[] = []
    for (const { kind, readExportPage } of RESOURCES)
      for (const text of (await readExportPage(db, brand_id, undefined)).objects)
        rows.push({ kind, ...JSON.parse(text) } as Row)
    const copy = (await built.brand(`taxed-copy-of-${brand_id}`, { rows })).id
    const days = (brand: number) =>
      db.rows('select rate, included, base, amount, receipts from tax_days where brand_id = ? order by included', [
        brand,
      ])
    assert.deepEqual(await days(copy), await days(brand_id))
    assert.deepEqual((await auditBooks(db, copy)).findings, [])

    const second = (await read(id)).receipt_products[1].id
    const refund = await owner.ask('POST', `/receipts/${id}/refund`, { lines: [{ id: second }] })
    assert.equal(refund.status, 200, JSON.stringify(refund.body))
    assert.deepEqual((await report()).map(figures), [
      [20, true, 5.17, 1.03, 1],
      [20, false, 0, 0, 1],
    ])
    await isSound()
  })
})

test('imported history: the taxes that prices held add up to i_tax', () => {
  const tax = (id: number, amount: number) => ({ id, name: `Tax ${id}`, rate: 10, base: 10, amount })
  const sorts = (i_tax: number, e_tax: number, ...amounts: number[]) =>
    countedTaxes({ taxes: amounts.map((amount, index) => tax(index + 1, amount)), i_tax, e_tax }, null).map(
      ({ included }) => included,
    )
  assert.deepEqual(sorts(3, 0, 1, 2), [true, true])
  assert.deepEqual(sorts(0, 3, 1, 2), [false, false])
  assert.deepEqual(sorts(1.5, 2, 1, 2, 0.5), [true, false, true])
  assert.deepEqual(sorts(-2, -1, -1, -2), [false, true])
})
