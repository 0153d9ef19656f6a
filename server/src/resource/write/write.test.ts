import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, staff, stores } from '../../../test/database/store.ts'
import type { Page } from '../../http/envelope.ts'
import { parseList } from '../../lists/list.ts'
import { products } from '../../resources/menu/products.ts'
import { receipts } from '../../resources/sales/receipts.ts'
import type { Database } from '../../storage/database.ts'
import { readPage } from '../read/page.ts'
import { takeIds } from './counters.ts'
import { counting } from './write.ts'

const BRAND = 1
const OWNER = { brand_id: BRAND, venue_id: 1, now: '' }
const NOW = '2026-01-01T00:00:00.000Z'

const aBrand = (db: Database) =>
  db.transaction(async (tx) => {
    await tx.run(`insert into brands (id, slug, name, test, created_at) values (?, 'one', '', 0, '')`, [BRAND])
    await tx.run(`insert into feeds (brand_id, tail, tail_at, tail_nonce) values (?, 0, '', 0)`, [BRAND])
  })

/** A product with an even id, whose variant, if any, has the next one. */
const product = (id: number, hasVariant: boolean) => ({
  id,
  name: `Tea ${id}`,
  type: 'PRODUCT' as const,
  modifications: hasVariant ? [{ id: id + 1, name: 'Large' }] : [],
})

onEachEngine('single writes', (make) => {
  const open = stores(make)

  const write = (db: Database, ...rows: ReturnType<typeof product>[]) =>
    db.transaction((tx) =>
      counting({ tx, brand_id: BRAND, actor: 'test', now: NOW }, (context) => products.write(context, rows)),
    )

  /** Every page of the list, of a size that fits no mark. */
  async function assertPages(db: Database, ids: ReadonlySet<number>): Promise<void> {
    const expected = [...ids].sort((one, other) => one - other)
    for (let page = 1; (page - 1) * 90 <= expected.length; page++) {
      const list = parseList(products.list!, `page=${page}&limit=90&fields=id`)
      const { data, total } = (await readPage(db, products, OWNER, list)) as Page & { total: number }
      const shown = JSON.parse(`[${Buffer.from(data as Uint8Array)}]`) as { id: number }[]
      assert.deepEqual(
        [total, shown.map(({ id }) => id)],
        [expected.length, expected.slice((page - 1) * 90, page * 90)],
      )
    }
  }

  test('take ids in blocks before their transaction, each once, and above those that an import brings', async () => {
    const { db } = await open()
    await aBrand(db)
    const block = () => takeIds(db, BRAND, 'product_id', 10)
    const racing = await Promise.all(Array.from({ length: 8 }, block))
    await putRows(db, BRAND, [{ kind: 'product', ...product(500, false) }])
    const later = await Promise.all([block(), block()])
    assert.equal(new Set([...racing, ...later].flat()).size, 100)
    for (const ids of racing)
      assert.deepEqual(
        ids,
        ids.map((_, index) => ids[0]! + index),
      )
    assert.ok(later.flat().every((id) => id > 500))
  })

  test('keep the total and every page, wherever rows are added, replaced and removed', async () => {
    const { db } = await open()
    await aBrand(db)
    const ids = new Set<number>()
    const first = Array.from({ length: 700 }, (_, index) => ({ kind: 'product', ...product(index * 4 + 4, false) }))
    await putRows(db, BRAND, first)
    for (const { id } of first) ids.add(id)
    const step = fc.record({ productId: fc.integer({ min: 1, max: 1_500 }), hasVariant: fc.boolean() })
    const steps = fc.sample(fc.array(step, { minLength: 1, maxLength: 4 }), { numRuns: 40, seed: 19 })
    for (const some of steps) {
      const rows = new Map(some.map(({ productId: at, hasVariant }) => [at * 2, product(at * 2, hasVariant)]))
      await write(db, ...rows.values())
      for (const { id, modifications } of rows.values()) {
        ids.add(id)
        if (modifications.length > 0) ids.add(id + 1)
        else ids.delete(id + 1)
      }
      await assertPages(db, ids)
    }
  })

  test('keep them under many at once, too', async () => {
    const { db } = await open()
    await aBrand(db)
    await putRows(
      db,
      BRAND,
      Array.from({ length: 260 }, (_, index) => ({ kind: 'product', ...product(index * 4 + 4, false) })),
    )
    const added = Array.from({ length: 40 }, (_, index) => product(((index * 7) % 40) * 20 + 2, index % 2 === 0))
    for (let start = 0; start < added.length; start += 8)
      await Promise.all(added.slice(start, start + 8).map((row) => write(db, row)))
    const ids = new Set(Array.from({ length: 260 }, (_, index) => index * 4 + 4))
    for (const { id, modifications } of added) for (const each of [{ id }, ...modifications]) ids.add(each.id)
    await assertPages(db, ids)
  })

  test('count a venue’s rows, and move the count with a row that changes its venue', async () => {
    const { db } = await open()
    await aBrand(db)
    const receipt = (id: number, venue_id: number) => ({ id, venue_id })
    await putRows(db, BRAND, [
      ...staff(),
      { kind: 'venue', id: 2, name: 'Second' },
      ...[1, 2, 3].map((id) => ({ kind: 'receipt', ...receipt(id, 1) })),
    ])
    const put = (...rows: { id: number; venue_id: number }[]) =>
      db.transaction((tx) =>
        counting({ tx, brand_id: BRAND, actor: 'test', now: NOW }, (context) => receipts.write(context, rows)),
      )
    const totals = () =>
      Promise.all(
        [undefined, [1], [2], [1, 2], []].map(async (venues) => {
          const list = parseList(receipts.list!, 'fields=id')
          const { data, total } = (await readPage(db, receipts, { ...OWNER, venues }, list)) as Page & { total: number }
          assert.equal((JSON.parse(`[${Buffer.from(data as Uint8Array)}]`) as []).length, total)
          return total
        }),
      )
    assert.deepEqual(await totals(), [3, 3, 0, 3, 0])
    await put(receipt(4, 2), receipt(5, 1))
    assert.deepEqual(await totals(), [5, 4, 1, 5, 0])
    await put(receipt(5, 2), receipt(1, 1))
    assert.deepEqual(await totals(), [5, 3, 2, 5, 0])
    await putRows(db, BRAND, [{ kind: 'receipt', ...receipt(3, 2) }])
    assert.deepEqual(await totals(), [5, 2, 3, 5, 0])
  })
})
