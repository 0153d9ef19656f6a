import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row, staff } from '../../../test/database/store.ts'
import { services } from '../../../test/service.ts'
import type { Caller } from '../../http/call.ts'
import { Refusal } from '../../http/errors.ts'
import { type CommandContext, runCommand } from '../../resource/write/commands.ts'
import { idBlocks } from '../../resource/write/id-blocks.ts'
import { balanceFor, customerBalance } from './accounts.ts'
import { book, type Posting } from './book.ts'

const ROWS: Row[] = [
  ...staff(),
  { kind: 'venue', id: 2, name: 'Other' },
  { kind: 'payment_method', id: 1, name: 'Cash', payment_kind: 'CASH', status: {}, customer_required: 0, position: 1 },
  { kind: 'payment_method', id: 2, name: 'Card', payment_kind: 'CARD', status: {}, customer_required: 0, position: 2 },
  { kind: 'customer', id: '7', name: 'Aysel', balance: { id: 500, amount: 20, type: 'CUSTOMER' } },
  { kind: 'supplier', id: 3, name: 'Mill', status: 1 },
]

onEachEngine('booking', (make, engine) => {
  const service = services(make)
  let built: Awaited<ReturnType<typeof service>>
  let brand_id: number
  let blocks: ReturnType<typeof idBlocks>

  before(async () => {
    built = await service()
    brand_id = (await built.brand('bistro', { rows: ROWS })).id
    blocks = idBlocks(built.deps.db)
  })

  const caller = (venue_id = 1) => ({ brand_id, venue_id, user: { id: 1, username: 'owner' } }) as unknown as Caller

  const command = async <Result>(work: (context: CommandContext) => Promise<Result>, venue_id = 1) => {
    const ids = await blocks.reserve(brand_id, { transaction_id: 10, balance_id: 1 })
    const now = new Date().toISOString()
    return built.deps.db.transaction((tx) => runCommand({ tx, caller: caller(venue_id), now, ids }, work))
  }
  const post = (...postings: Posting[]) => command((context) => book(context, postings))

  const chain = (balance_id: number) =>
    built.deps.db.rows<{ before_amount: number; amount: number; after_amount: number; body: string }>(
      'select before_amount, amount, after_amount, body from transactions where brand_id = ? and balance_id = ? order by step',
      [brand_id, balance_id],
    )
  const amountOf = async (id: number) =>
    (
      await built.deps.db.rows<{ amount: number }>('select amount from balances where brand_id = ? and id = ?', [
        brand_id,
        id,
      ])
    )[0]!.amount

  /** I5 */
  async function assertChain(balance_id: number) {
    let index = 0
    for (const { before_amount, amount, after_amount } of await chain(balance_id)) {
      assert.equal(before_amount, index)
      index += amount
      assert.equal(after_amount, index)
    }
    assert.equal(await amountOf(balance_id), index)
  }

  test('a payment method has a balance of its kind in each venue, and payments by balance go to the customer’s', async () => {
    const kinds = { cash: { id: 1, kind: 'CASH' }, balance: { id: 9, kind: 'CUSTOMER' } } as const
    const [here, there] = [
      await command((context) => balanceFor(context, kinds.cash, undefined)),
      await command((context) => balanceFor(context, kinds.cash, undefined), 2),
    ]
    assert.notEqual(here, there)
    const rows = await built.deps.db.rows(
      'select type, venue_id from balances where brand_id = ? and id in (?, ?) order by venue_id',
      [brand_id, here, there],
    )
    assert.deepEqual(
      rows.map((row) => ({ ...(row as object) })),
      [
        { type: 'CASH', venue_id: 1 },
        { type: 'CASH', venue_id: 2 },
      ],
    )
    assert.equal(await command((context) => balanceFor(context, kinds.balance, '7')), 500)
    await assert.rejects(
      command((context) => balanceFor(context, kinds.balance, undefined)),
      (error) => error instanceof Refusal && error.status === 400,
    )
  })

  test('an imported amount has an OPENING transaction, and the same file again books nothing', async () => {
    const [opening, ...others] = await chain(500)
    assert.deepEqual([opening!.before_amount, opening!.amount, others.length], [0, 200_000, 0])
    await putRows(built.deps.db, brand_id, ROWS)
    assert.equal((await chain(500)).length, 1)
    await putRows(built.deps.db, brand_id, [{ ...ROWS.find(({ id }) => id === '7')!, kind: 'customer' }])
    assert.equal((await chain(500)).length, 1)
    await assertChain(500)
  })

  test('racing bookings make one chain without a gap, and each customer shows what the balance has', async () => {
    const cash = await command((context) => balanceFor(context, { id: 1, kind: 'CASH' }, undefined))
    const many = Array.from({ length: 20 }, (_, index) =>
      post({ balance_id: cash, category: 'SALE', amount: (index + 1) * 10_000 }),
    )
    await Promise.all(many)
    assert.equal(await amountOf(cash), 210 * 10_000)
    assert.equal((await chain(cash)).length, 20)
    await assertChain(cash)
    await post({ balance_id: 500, category: 'TOP_UP', amount: 55_000, receipt_id: 12 })
    const body = await built.deps.db.text('select body from customers where brand_id = ? and id = ?', [brand_id, '7'])
    assert.equal(JSON.parse(body!).balance.amount, 25.5)
    const [event] = await built.deps.db.rows<{ data: string }>(
      `select data from events where brand_id = ? and type = 'customer.balance_changed' order by position desc limit 1`,
      [brand_id],
    )
    assert.deepEqual(JSON.parse(event!.data), {
      id: '7',
      balance: { type: 'CUSTOMER', from: 20, to: 25.5 },
      receipt_id: 12,
    })
    await post({ balance_id: 500, category: 'SALE', amount: -55_000 })
  })

  test('two bookings that spend one balance: one goes through, the other is refused and leaves nothing', async () => {
    const cash = await command((context) => balanceFor(context, { id: 1, kind: 'CASH' }, undefined))
    const [steps, held] = [(await chain(cash)).length, await amountOf(cash)]
    const spend = () =>
      post(
        { balance_id: cash, category: 'SALE', amount: 10_000 },
        { balance_id: 500, category: 'SALE', amount: -150_000 },
      )
    const outcomes = await Promise.allSettled([spend(), spend()])
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    assert.equal(refused.length, 1)
    assert.deepEqual([refused[0].status, refused[0].body.error], [409, 'insufficient_balance'])
    assert.equal(await amountOf(500), 50_000)
    assert.deepEqual([(await chain(cash)).length, await amountOf(cash)], [steps + 1, held + 10_000])
    await post({ balance_id: 500, category: 'REFUND', amount: -80_000, mayGoBelowZero: true })
    assert.equal(await amountOf(500), -30_000)
    await assertChain(500)
  })

  test('balances are locked by id: bookings in opposite orders do not end in a deadlock', async () => {
    const [cash, card] = [
      await command((context) => balanceFor(context, { id: 1, kind: 'CASH' }, undefined)),
      await command((context) => balanceFor(context, { id: 2, kind: 'CARD' }, undefined)),
    ]
    const sale = (balance_id: number) => ({ balance_id, category: 'SALE', amount: 10_000 }) as const
    const pairs = Array.from({ length: 30 }, (_, index) =>
      index % 2 ? post(sale(cash), sale(card)) : post(sale(card), sale(cash)),
    )
    await Promise.all(pairs)
    await assertChain(cash)
    await assertChain(card)
    assert.equal(await amountOf(card), 30 * 10_000)
  })

  test('a supply is owed to the supplier and adds to what was spent', async () => {
    const supplier = async () =>
      JSON.parse((await built.deps.db.text('select body from suppliers where brand_id = ? and id = 3', [brand_id]))!)
    const { balance } = await supplier()
    await post({ balance_id: balance.id, category: 'SUPPLY', amount: 1_250_000, operation_id: 4 })
    const after = await supplier()
    assert.deepEqual([after.balance.amount, after.spent], [125, 125])
    await assertChain(balance.id)
  })

  test('a customer who came without a cashback balance gets one with the first booking', async () => {
    await putRows(built.deps.db, brand_id, [
      { kind: 'customer', id: '8', name: 'Leyla', cashback_balance: { id: null, amount: 0, type: 'CASHBACK' } },
    ])
    await command(async (context) => {
      const balance_id = await customerBalance(context, '8', 'CASHBACK')
      await book(context, [{ balance_id, category: 'CASHBACK', amount: 12_500 }])
    })
    const body = await built.deps.db.text('select body from customers where brand_id = ? and id = ?', [brand_id, '8'])
    const { cashback_balance } = JSON.parse(body!)
    assert.equal(cashback_balance.amount, 1.25)
    await assertChain(cashback_balance.id)
  })

  test('two bookings that both find no balance make one, and nobody else waits for the customer meanwhile (P16)', async () => {
    const rows = [
      { kind: 'customer', id: '9', name: 'Nigar', balance: { id: 600, amount: 1, type: 'CUSTOMER' } },
      { kind: 'customer', id: '10', name: 'Sona' },
    ] as const
    const without = { cashback_balance: { id: null, amount: 0, type: 'CASHBACK' } }
    await putRows(
      built.deps.db,
      brand_id,
      rows.map((row) => ({ ...row, ...without })),
    )
    const [found, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const earn = (customer_id: string, meanwhile: () => Promise<void>) =>
      command(async (context) => {
        const balance_id = await customerBalance(context, customer_id, 'CASHBACK')
        await meanwhile()
        await book(context, [{ balance_id, category: 'CASHBACK', amount: 10_000 }])
      })
    const first = earn('9', () => {
      found.resolve()
      return goOn.promise
    })
    await found.promise
    const second = earn('9', async () => {})
    const others = () =>
      Promise.all([post({ balance_id: 600, category: 'TOP_UP', amount: 10_000 }), earn('10', async () => {})])
    const late = setTimeout(10_000, 'late', { ref: false })
    const waited = engine === 'SQLite' ? 'one writer' : await Promise.race([others().then(() => 'done'), late])
    await setTimeout(50) // the second has looked too
    goOn.resolve()
    await Promise.all([first, second])
    assert.notEqual(waited, 'late')
    const owned = await built.deps.db.rows<{ id: number; amount: number }>(
      `select id, amount from balances where brand_id = ? and customer_id = '9' and type = 'CASHBACK'`,
      [brand_id],
    )
    assert.deepEqual(
      owned.map(({ amount }) => amount),
      [20_000],
    )
    const body = await built.deps.db.text(`select body from customers where brand_id = ? and id = '9'`, [brand_id])
    assert.deepEqual(JSON.parse(body!).cashback_balance, { id: owned[0]!.id, amount: 2, type: 'CASHBACK' })
    await assertChain(owned[0]!.id)
  })

  test('an import leaves a customer the balances that they have', async () => {
    const line = { kind: 'customer', id: '8', name: 'Leyla' } as const
    const owned = () =>
      built.deps.db.rows<{ id: number; type: string; amount: number }>(
        `select id, type, amount from balances where brand_id = ? and customer_id = '8' order by type`,
        [brand_id],
      )
    const [cashback, balance] = await owned()
    await putRows(built.deps.db, brand_id, [{ ...line, balance: { amount: 4, type: 'CUSTOMER' } }])
    assert.deepEqual(
      (await owned()).map((row) => ({ ...row })),
      [{ ...cashback }, { ...balance, amount: 40_000 }],
    )
    await assert.rejects(
      putRows(built.deps.db, brand_id, [{ ...line, balance: { id: 777, amount: 4, type: 'CUSTOMER' } }]),
      new RegExp(`balance.id is 777, and the customer has balance ${balance!.id}`),
    )
  })

  test('the list’s totals are those of the rows', async () => {
    for (const table of ['transactions', 'balances']) {
      const [rows] = await built.deps.db.rows<{ count: number }>(
        `select count(*) as count from ${table} where brand_id = ?`,
        [brand_id],
      )
      const counted = await built.deps.db.rows<{ name: string; value: number }>(
        `select name, value from counters where brand_id = ? and (name = ? or name like ?)`,
        [brand_id, table, `${table}:%`],
      )
      const sum = counted.filter(({ name }) => name !== table).reduce((total, { value }) => total + value, 0)
      assert.deepEqual([counted.find(({ name }) => name === table)!.value, sum], [rows!.count, rows!.count], table)
    }
  })
})
