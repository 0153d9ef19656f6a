import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { RESOURCES } from '../../resources/catalogue.ts'
import { auditBooks } from '../books/audit.ts'
import { BALANCE, CARD, CASH, ROWS, tills, WITH_SHIFT } from '../closing/closing-fixture.ts'
import { line } from '../receipts/till-fixture.ts'

onEachEngine('payouts', (make) => {
  const till = tills(make)
  const shop = async (rows: Row[] = ROWS) => {
    const fixture = await till(rows)
    return {
      ...fixture,
      payOut: (body: object, headers: Record<string, string> = {}) =>
        fixture.owner.ask('POST', '/payouts', body, headers),
      accountOf: async (type: string, venue_id = 1) => {
        const [row] = await fixture.db.rows<{ id: number }>(
          'select id from balances where brand_id = ? and type = ? and venue_id = ? order by id limit 1',
          [fixture.brand_id, type, venue_id],
        )
        return row!.id
      },
    }
  }

  test('take what a card was paid to the bank, never below 0, under a category of their own and without an event', async () => {
    const { open, pay, payOut, accountOf, amountOf, isSound, db, brand_id, built, headers } = await shop()
    assert.equal((await pay(await open([line(3)]), [[CARD, 6.2]])).status, 200)
    const balance_id = await accountOf('CARD')
    const { status, body } = await payOut({ balance_id, amount: '5.20', note: 'To the bank' })
    assert.equal(status, 200, JSON.stringify(body))
    const { amount, before_amount, after_amount, description, venue_id, category_id } = body.data
    assert.deepEqual([amount, before_amount, after_amount, description, venue_id], [-5.2, 6.2, 1, 'To the bank', 1])
    const category = await built.call(`/finance/categories/${category_id}`, { headers })
    assert.equal((category.body.data as { system_type: string }).system_type, 'PAYOUT')
    const short = await payOut({ balance_id, amount: 1.01, note: 'More' })
    assert.deepEqual(
      [short.status, short.body.error, short.body.details],
      [409, 'insufficient_balance', { balance: 1 }],
    )
    assert.equal(await amountOf('CARD'), 1)
    const events = async () => (await db.rows('select position from events where brand_id = ?', [brand_id])).length
    const before = await events()
    assert.equal((await payOut({ balance_id, amount: 1, note: 'The rest' })).status, 200)
    assert.equal(await events(), before)
    await isSound()
  })

  test('are of accounts of the house at this venue, and of a drawer only where no shifts are kept', async () => {
    const { payOut, accountOf, open, pay, owner, db, brand_id } = await shop(WITH_SHIFT)
    assert.equal((await pay(await open([line(3)], { terminal_id: 1 }), [[CASH, 6.2]])).status, 200)
    const note = 'To the bank'
    const fields = async (body: object) =>
      (await payOut(body)).body.details.errors.map((each: { rule: string }) => each.rule)
    assert.deepEqual(await fields({ balance_id: await accountOf('CASH'), amount: 1, note }), ['cash_shift'])
    assert.deepEqual(await fields({ balance_id: await accountOf('CARD', 2), amount: 1, note }), ['exists'])
    assert.deepEqual(await fields({ balance_id: 900, amount: 1, note }), ['type'], 'a customer’s')
    assert.deepEqual(await fields({ balance_id: 123_456, amount: 1, note }), ['exists'])
    assert.deepEqual(await fields({ balance_id: 123_456, amount: 1, note: 'To \u202eknab' }), ['characters'])
    const card = await accountOf('CARD')
    for (const wrong of [{ amount: 0 }, { amount: -1 }, { amount: 1.001 }, { amount: 1, note: ' ' }])
      assert.equal((await payOut({ balance_id: card, note, ...wrong })).status, 400, JSON.stringify(wrong))
    const settings = (await owner.ask('PATCH', '/edit/venues/1', { cash_shift: 0 })).status
    assert.equal(settings, 200)
    assert.equal((await payOut({ balance_id: await accountOf('CASH'), amount: 1, note })).status, 200)
    assert.deepEqual((await auditBooks(db, brand_id)).findings, [])
  })

  test('need their permission, and a key books them once', async () => {
    const { payOut, accountOf, built, slug, open, pay, amountOf } = await shop()
    assert.equal((await pay(await open([line(3)]), [[CARD, 6.2]])).status, 200)
    const body = { balance_id: await accountOf('CARD'), amount: 1, note: 'To the bank' }
    const waiter = await built.staffBrowser(slug, 'waiter')
    const refused = await waiter.ask('POST', '/payouts', body)
    assert.deepEqual([refused.status, refused.body.error], [403, 'forbidden'])
    for (const _ of [1, 2]) assert.equal((await payOut(body, { 'idempotency-key': 'payout-1' })).status, 200)
    assert.equal(await amountOf('CARD'), 5.2)
  })

  test('make room in an account, which holds up to 9 × 10^11, in an export too', async () => {
    const { open, pay, payOut, accountOf, db, brand_id, built, amountOf, isSound } = await shop()
    const id = await accountOf('CARD')
    const full: Row = {
      kind: 'balance',
      id,
      venue_id: 1,
      name: 'Card',
      type: 'CARD',
      position: 2,
      amount: 899_999_999_995,
    }
    await putRows(db, brand_id, [full])
    const receipt = await open([line(3)])
    const refused = await pay(receipt, [[CARD, 6.2]])
    assert.equal(refused.status, 400)
    assert.match(JSON.stringify(refused.body), /beyond 9 × 10\^11/)
    await isSound()
    const rows: Row[] = []
    for (const { kind, readExportPage } of RESOURCES)
      for (const text of (await readExportPage(db, brand_id, undefined)).objects)
        rows.push({ kind, ...JSON.parse(text) } as Row)
    const copy = (await built.brand(`full-copy-of-${brand_id}`, { rows })).id
    assert.deepEqual((await auditBooks(db, copy)).findings, [])
    assert.equal((await payOut({ balance_id: id, amount: 1e11, note: 'To the bank' })).status, 200)
    assert.equal((await pay(receipt, [[CARD, 6.2]])).status, 200)
    assert.equal(await amountOf('CARD'), 800_000_000_001.2)
    assert.equal((await payOut({ balance_id: id, amount: 100_000_000_000.01, note: 'Too much' })).status, 400)
    await isSound()
    assert.equal((await pay(await open([line(3)], { customer_id: 20 }), [[BALANCE, 6.2]])).status, 200)
  })
})
