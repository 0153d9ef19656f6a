import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows } from '../../../test/database/store.ts'
import { line } from '../receipts/till-fixture.ts'
import { BALANCE, CARD, CASH, patiently, SUPPLIES, tills, WITH_SHIFT } from './closing-fixture.ts'

const EMPTY = { amount: 0, type: 'CASHBACK' }

const count = (statuses: readonly number[]) =>
  Object.fromEntries([...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]))

onEachEngine('closes that race', (make, engine) => {
  const till = tills(make)
  let fixture: Awaited<ReturnType<typeof till>>
  before(async () => {
    fixture = await till(WITH_SHIFT)
    await fixture.supply(SUPPLIES)
  })

  test('of 200 closes of one receipt one is 200, 199 are 409, and there is one set of movements', async () => {
    const id = await fixture.open([line(10, 3)], { terminal_id: 1 })
    const cash = await fixture.amountOf('CASH')
    const { expected_amount } = await fixture.shift()
    const close = () => patiently(() => fixture.pay(id, [[CASH, 9.99]]))
    const answers = await Promise.all(Array.from({ length: 200 }, close))
    assert.deepEqual(count(answers.map(({ status }) => status)), { 200: 1, 409: 199 })
    const errors = new Set(answers.flatMap(({ body }) => body.error ?? []))
    assert.deepEqual([...errors], ['receipt_closed'])
    assert.equal((await fixture.movements(id)).length, 3)
    assert.equal(await fixture.amountOf('CASH'), cash + 9.99)
    assert.equal((await fixture.shift()).expected_amount, expected_amount + 9.99)
    await fixture.isSound()
  })

  test('of two closes that spend one customer balance one is 200 and one is 409', async () => {
    const ids = [0, 1].map(() => fixture.open([line(1, 2)], { customer_id: 20 })) // 29.80 of 50
    const answers = await Promise.all((await Promise.all(ids)).map((id) => fixture.pay(id, [[BALANCE, 29.8]])))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assert.equal(answers.find(({ status }) => status === 409)!.body.error, 'insufficient_balance')
    assert.equal(await fixture.amountOf('CUSTOMER'), 20.2)
    await fixture.isSound()
  })

  test('a customer who came without balances gets one of each, however many bookings need them at once', async () => {
    const without = { balance: { amount: 0, type: 'CUSTOMER' }, cashback_balance: { id: null, ...EMPTY } }
    await putRows(fixture.db, fixture.brand_id, [{ kind: 'customer', id: '30', name: 'New', ...without }])
    await fixture.db.transaction((tx) =>
      tx.run('update brands set cashback_percent = 100000 where id = ?', [fixture.brand_id]),
    )
    const counted = async () =>
      (await fixture.built.call('/finance/balances/customer', { headers: fixture.headers })).body.total as number
    const before = await counted()
    const sales = await Promise.all(Array.from({ length: 12 }, () => fixture.open([line(2)], { customer_id: 30 })))
    const paid = sales.map((id) => patiently(() => fixture.pay(id, [[CARD, 4.5]])))
    const topUp = { amount: 5, payment_method_id: CARD }
    const raised = sales.map(() => patiently(() => fixture.owner.ask('POST', '/customers/30/balance', topUp)))
    const answers = await Promise.all([...paid, ...raised])
    await fixture.db.transaction((tx) =>
      tx.run('update brands set cashback_percent = 0 where id = ?', [fixture.brand_id]),
    )
    assert.deepEqual(count(answers.map(({ status }) => status)), { 200: 24 })
    const { balance, cashback_balance } = await fixture.customer('30')
    assert.deepEqual([(balance as { amount: number }).amount, cashback_balance.amount], [60, 5.4])
    const owned = await fixture.db.rows<{ type: string; amount: number }>(
      `select type, amount from balances where brand_id = ? and customer_id = '30' order by type`,
      [fixture.brand_id],
    )
    assert.deepEqual(
      owned.map(({ type, amount }) => [type, amount / 10_000]),
      [
        ['CASHBACK', 5.4],
        ['CUSTOMER', 60],
      ],
    )
    assert.equal(await counted(), before + 2)
    await fixture.isSound()
  })

  test('closes, parts, refunds and lines beside each other wait in one order, and the books stay sound', async () => {
    const sales = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        fixture.open([line(index % 2 ? 10 : 1), line(index % 3 ? 2 : 10)], {
          terminal_id: 1,
          ...(index % 4 === 0 && { customer_id: 20 }),
        }),
      ),
    )
    const done = await Promise.all(
      sales.map(async (id, index) => {
        const { remaining } = await fixture.read(id)
        const lines = [line(3)]
        const added = patiently(() => fixture.owner.ask('POST', `/receipts/${id}/lines`, { lines }))
        const closed = patiently(() => fixture.pay(id, [[index % 2 ? CASH : CARD, remaining]]))
        await added
        const { status, body } = await closed
        if (status !== 200) return body.error ?? status // the line came first: another sum remains
        return (await patiently(() => fixture.owner.ask('POST', `/receipts/${id}/refund`, {}))).status
      }),
    )
    assert.ok(
      done.every((each) => each === 200 || each === 'validation_failed'),
      String(done),
    )
    await fixture.isSound()
    if (engine === 'PostgreSQL') {
      const [{ deadlocks }] = (await fixture.db.rows(
        'select deadlocks from pg_stat_database where datname = current_database()',
        [],
      )) as [{ deadlocks: number }]
      assert.equal(deadlocks, 0)
    }
  })
})
