import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { onEachEngine, onEmbeddedEngine } from '../../../test/database/engines.ts'
import { stores } from '../../../test/database/store.ts'
import { type Database, StoreUnavailable } from '../database.ts'
import { type LongReads, longReads } from './long-reads.ts'

const counting = (to: number | string, condition = '') =>
  `with recursive numbers (id) as (select 1 union all select id + 1 from numbers where id < ${to}${condition})
   select count(*) as count from numbers`

/** Makes the store believe that a brand has many products, so that its scans are long ones. */
const large = (db: Database, ...brands: number[]) =>
  db.transaction(async (tx) => {
    for (const brand of brands) {
      await tx.run(`insert into brands (id, slug, name, test, created_at) values (?, ?, '', 0, '')`, [
        brand,
        `b${brand}`,
      ])
      await tx.run(`insert into counters (brand_id, name, value) values (?, 'products', 100000)`, [brand])
    }
  })

onEachEngine('long reads', (make, engine) => {
  const open = stores(make)
  const slow = engine === 'SQLite' ? counting(300_000) : 'select 1 as count from pg_sleep(0.4)'

  test('others are answered while one runs, and one brand with many does not keep another waiting', async () => {
    const { db } = await open()
    await large(db, 1, 2)
    await Promise.all(Array.from({ length: 10 }, () => db.rows('select 1', []))) // so that nobody waits for a new connection
    const order: string[] = []
    const log = (name: string) => () => void order.push(name)
    const many = Array.from({ length: 12 }, () => db.scan(1, 'products', slow, []).then(log('greedy'), log('greedy')))
    const other = db.scan(2, 'products', slow, []).then(log('other'))
    const short = db.rows('select 1', []).then(log('short'))
    await Promise.all([...many, other, short])
    assert.equal(order[0], 'short', order.join())
    assert.ok(order.indexOf('other') < 9, order.join()) // behind those that ran when it came, of twelve
  })

  test('a read in batches that is under way or waits keeps no other brand waiting but for its turn', async () => {
    const { db } = await open()
    const order: string[] = []
    const all = engine === 'SQLite' ? counting(2_000).replace('count(*) as count', 'id') : slow
    const read = async (brand: number, name: string) => {
      await Array.fromAsync(db.batches(brand, all, []))
      order.push(name)
    }
    const greedy = Array.from({ length: 12 }, () => read(1, 'greedy'))
    await Promise.all([...greedy, read(2, 'other')])
    assert.ok(order.indexOf('other') < 9, order.join())
  })

  test('a scan sees what was committed before it was asked for', async () => {
    const { db } = await open()
    await large(db, 1)
    for (let n = 1; n <= 20; n++) {
      await db.transaction((tx) => tx.run(`insert into settings (name, value) values (?, '')`, [`n${n}`]))
      const [row] = await db.scan<{ n: number }>(
        1,
        'products',
        `select count(*) as n from settings where value = ''`,
        [],
      )
      assert.equal(row!.n, n)
    }
  })
})

onEmbeddedEngine('the thread of long reads, on SQLite', (make) => {
  const open = stores(make)
  const threads: LongReads[] = []
  after(() => Promise.all(threads.map((thread) => thread.close())))

  async function opened(answerMs?: number) {
    const { installation } = await open()
    const file = join(installation.config.COMPTOIR_DATA, 'comptoir.db')
    const reads = longReads(file, answerMs)
    threads.push(reads)
    return { reads, file }
  }

  test('a read ends at its deadline, and the thread answers the next one', async () => {
    const { reads } = await opened(1_000)
    const endless = reads.rows(1, counting('id + 2', ' and (id % 512 <> 0 or within_deadline())'), [])
    await assert.rejects(endless, { errcode: 9 })
    assert.deepEqual({ ...((await reads.rows(1, 'select 7 as n', []))[0] as object) }, { n: 7 })
  })

  test('a statement that fails says with which code, and nothing can be written', async () => {
    const { reads } = await opened()
    await assert.rejects(reads.rows(1, 'select no such column', []), { errcode: 1 })
    await assert.rejects(reads.rows(1, `insert into settings (name, value) values ('a', 'b')`, []), { errcode: 8 })
  })

  test('a thread that ended is started again by the next call, but not after close', async () => {
    const { reads, file } = await opened()
    renameSync(file, `${file}.away`)
    await assert.rejects(reads.rows(1, 'select 1', []), StoreUnavailable)
    renameSync(`${file}.away`, file)
    assert.equal((await reads.rows(1, 'select 1', [])).length, 1)
    const under = assert.rejects(reads.rows(1, counting('id + 2', ' and within_deadline()'), []), StoreUnavailable)
    const waiting = assert.rejects(reads.rows(2, 'select 1', []), StoreUnavailable)
    await reads.close()
    await Promise.all([under, waiting])
    await assert.rejects(reads.rows(1, 'select 1', []), StoreUnavailable)
  })
})
