import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { moveStock } from './move.ts'
import { movingStock, NOW, scaled } from './stock-fixture.ts'

onEachEngine('stock that moves', (make, engine) => {
  const brand = movingStock(make)
  async function started() {
    const built = await brand()
    const stocks = () =>
      built.db.rows<{ storage_id: number; product_id: number; quantity: number; value: number; movements: number }>(
        `select storage_id, product_id, quantity, value, movements from stocks
         where brand_id = ? order by storage_id, product_id`,
        [built.brand_id],
      )
    return { ...built, stocks }
  }

  test('rows that are missing start at 0, and each movement begins where the one before it ended', async () => {
    const { move, stocks, db, brand_id } = await started()
    const supplied = await move([
      { product_id: 51, quantity: scaled(3), cost: scaled(2) },
      { product_id: 51, quantity: scaled(1), cost: scaled(4) },
      { product_id: 52, storage_id: 2, quantity: scaled(5), cost: scaled(1) },
    ])
    const sold = await move([
      { product_id: 51, quantity: scaled(-1.5) },
      { product_id: 52, quantity: scaled(-0.25) },
      { product_id: 53, quantity: scaled(-2) },
    ])
    const { id, stock_id, ...first } = sold[0]!
    assert.deepEqual(first, {
      venue_id: 1,
      storage_id: 1,
      position: 3,
      reserved: 0,
      product_id: 51,
      unit_id: 4,
      quantity: -1.5,
      before_quantity: 4,
      after_quantity: 2.5,
      before: 10,
      after: 6.25,
      cost: 2.5,
      before_cost: 2.5,
      total_cost: -3.75,
      operated_at: NOW,
    })
    assert.equal(stock_id, supplied[0]!.stock_id)
    const rows = [...supplied, ...sold]
    for (const { before_quantity, quantity, after_quantity, before, total_cost, after } of rows) {
      assert.equal(before_quantity! + quantity!, after_quantity)
      assert.equal(before! + total_cost!, after)
    }
    assert.equal(supplied[1]!.before_quantity, supplied[0]!.after_quantity)
    const kept = (await stocks()).map((row) => ({ ...row }))
    assert.deepEqual(kept, [
      { storage_id: 1, product_id: 51, quantity: 25_000, value: 62_500, movements: 3 },
      { storage_id: 1, product_id: 52, quantity: -2_500, value: 0, movements: 1 },
      { storage_id: 1, product_id: 53, quantity: -20_000, value: 0, movements: 1 },
      { storage_id: 2, product_id: 52, quantity: 50_000, value: 50_000, movements: 1 },
    ])
    const [total] = await db.rows<{ value: number }>(
      `select value from counters where brand_id = ? and name = 'stock_operations:1'`,
      [brand_id],
    )
    assert.equal(total!.value, 6)
    const events = await db.rows<{ venue_id: number; data: string }>(
      `select venue_id, data from events where brand_id = ? and type = 'stock.moved' order by position`,
      [brand_id],
    )
    assert.deepEqual(
      events.map(({ venue_id, data }) => ({ venue_id, ...JSON.parse(data) })),
      [supplied, sold].map((moved) => ({
        venue_id: 1,
        first_id: moved[0]!.id,
        last_id: moved[2]!.id,
        count: 3,
      })),
    )
    assert.ok(id > supplied[2]!.id)
  })

  test('two that take the same things in opposite order both do, and none is lost', async () => {
    const { move, stocks } = await started()
    const take = (...products: number[]) => move(products.map((product_id) => ({ product_id, quantity: scaled(-1) })))
    await Promise.all([...Array(10).keys()].flatMap(() => [take(51, 52, 53), take(53, 52, 51)]))
    assert.deepEqual(
      (await stocks()).map(({ quantity, movements }) => ({ quantity, movements })),
      [51, 52, 53].map(() => ({ quantity: scaled(-20), movements: 20 })),
    )
  })

  test('what comes back in parts, across 0 too, is what was taken, to the digit', async () => {
    const { move, stocks } = await started()
    // So little that a part of it is rounded to nothing on the way.
    await move([{ product_id: 51, quantity: 51, value: 4 }])
    const [sold] = await move([{ product_id: 51, quantity: -130 }])
    const worth = (count: number) => Math.round((-scaled(sold!.total_cost!) * count) / 130)
    let back = 0
    for (const part of [71, 2, 57]) {
      const value = worth(back + part) - worth(back)
      back += part
      await move([{ product_id: 51, quantity: part, value, parent_id: sold!.id }])
    }
    const [stock] = await stocks()
    assert.deepEqual([stock!.quantity, stock!.value], [51, 4])
  })

  test('a storage of another venue is not one to take from', async () => {
    const { move, stocks } = await started()
    await assert.rejects(move([{ product_id: 51, storage_id: 3, quantity: scaled(1), cost: 0 }]), /another venue/)
    assert.deepEqual(await stocks(), [])
  })

  if (engine === 'SQLite') return // there is one writer at a time, whatever it writes

  test('a stock that is locked delays no other venue', async () => {
    const { command, move } = await started()
    await Promise.all([
      move([{ product_id: 51, quantity: -1 }]),
      move([{ product_id: 51, quantity: -1 }], { venue_id: 2 }),
    ])
    const locked = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const holder = command(async (context) => {
      await moveStock(context, [{ product_id: 51, quantity: -1 }])
      locked.resolve()
      await done.promise
    })
    await locked.promise
    await move([{ product_id: 51, quantity: -1 }], { venue_id: 2 })
    let waited = true
    const same = move([{ product_id: 51, quantity: -1 }]).then(() => {
      waited = false
    })
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.ok(waited, 'in its own venue others wait for it')
    done.resolve()
    await Promise.all([holder, same])
  })
})
