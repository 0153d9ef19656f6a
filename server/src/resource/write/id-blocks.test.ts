import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows } from '../../../test/database/store.ts'
import { services } from '../../../test/service.ts'
import { receipts } from '../../resources/sales/receipts.ts'
import { type Database, UniqueViolation } from '../../storage/database.ts'
import { type IdBlocks, idBlocks } from './id-blocks.ts'

onEachEngine('ids taken in blocks', (make) => {
  const service = services(make)
  const { brand: newBrand, running } = api(make)

  /** A sale as commands write it (commands.ts): an id that an import took meanwhile is given up, with its block. */
  async function sell(db: Database, blocks: IdBlocks, brand_id: number, cid: string): Promise<number> {
    for (;;) {
      const id = (await blocks.reserve(brand_id, { receipt_id: 1 })).take('receipt_id')
      const context = { brand_id, actor: 'test', now: '2026-01-01T00:00:00.000Z', counted: [] }
      try {
        await db.transaction((tx) => receipts.insert({ ...context, tx }, [{ id, venue_id: 1, cid }]))
        return id
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error
        blocks.forget(brand_id)
      }
    }
  }

  test('no sale and no imported receipt takes the id of another, while workers sell and imports bring ids', async () => {
    const { brand, deps } = await service()
    const { id: brand_id } = await brand('bistro')
    const { db } = deps
    const workers = [idBlocks(db), idBlocks(db)] // as two processes: a block each
    const firsts = await Promise.all(workers.map((blocks, index) => sell(db, blocks, brand_id, `sale ${index}`)))

    // Imports and sales race. What is imported lies inside the blocks that workers hold, where they come only later, and beyond.
    const imported = [...Array(10).keys()].flatMap((index) => [...firsts.map((id) => id + 40 + index), 1_000 + index])
    const imports = (async () => {
      for (const id of imported)
        await putRows(db, brand_id, [{ kind: 'receipt', id, venue_id: 1, cid: `import ${id}` }])
    })()
    const sales = workers.map(async (blocks, worker) => {
      const ids: number[] = []
      for (let number = 0; number < 60; number++) {
        if (number === 25) await imports
        ids.push(await sell(db, blocks, brand_id, `sale ${worker} ${number}`))
      }
      return ids
    })
    const sold = [...firsts, ...(await Promise.all(sales)).flat()]

    const rows = await db.rows<{ id: number; body: string }>('select id, body from receipts where brand_id = ?', [
      brand_id,
    ])
    const cids = new Map(rows.map(({ id, body }) => [id, (JSON.parse(body) as { cid: string }).cid]))
    assert.equal(cids.size, 122 + imported.length)
    for (const id of sold) assert.match(cids.get(id)!, /^sale/)
    for (const id of imported) assert.equal(cids.get(id), `import ${id}`)
    assert.ok(Math.max(...sold) > 1_009, 'a block that met an imported id is given up: the next begins beyond')
  })

  test('a customer whose id, or whose balance, an import took meanwhile is created with another', async () => {
    const { id: brand_id, post } = await newBrand()
    const { db } = (await running()).deps
    const create = async (name: string) => {
      const { status, body } = await post('/customers', { name })
      assert.equal(status, 200)
      return body.data as { id: string; balance: { id: number } }
    }
    const first = await create('Aysel')
    await putRows(db, brand_id, [{ kind: 'customer', id: String(Number(first.id) + 1), name: 'Brought' }])
    const second = await create('Leyla')
    assert.ok(Number(second.id) > Number(first.id) + 1)
    const balance = { id: second.balance.id + 2, amount: 5, type: 'CUSTOMER' }
    await putRows(db, brand_id, [{ kind: 'customer', id: '5000', name: 'Brought too', balance }])
    const third = await create('Nigar')
    assert.ok(third.balance.id > balance.id)
    assert.equal((await db.rows('select id from customers where brand_id = ?', [brand_id])).length, 5)
  })

  test('many who come at once share a block', async () => {
    const { brand, deps } = await service()
    const { id: brand_id } = await brand('bar')
    const blocks = idBlocks(deps.db)
    const reserve = async () => (await blocks.reserve(brand_id, { customer_id: 1 })).take('customer_id')
    const ids = await Promise.all(Array.from({ length: 100 }, reserve))
    assert.deepEqual(
      ids.toSorted((one, other) => one - other),
      Array.from({ length: 100 }, (_, index) => index + 1),
    )
  })
})
