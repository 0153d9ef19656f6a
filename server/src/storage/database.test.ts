import assert from 'node:assert/strict'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEachEngine } from '../../test/database/engines.ts'
import { until } from '../../test/until.ts'
import { MERGE_RULES } from '../events/merge.ts'
import { type Database, type Deadline, ReferenceViolation, UniqueViolation } from './database.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open.ts'
import { insertRow, updateRows, upsertRow } from './rows.ts'

onEachEngine('the storage', (make, engine) => {
  const opened: Database[] = []
  after(() => Promise.all(opened.map((db) => db.close())))

  async function open(installation?: Awaited<ReturnType<typeof make>>): Promise<Database> {
    const db = await openDatabase((installation ?? (await make())).config, 'request', MERGE_RULES)
    opened.push(db)
    await migrate(db)
    return db
  }

  const addBrand = (db: Database, id: number, slug = `b${id}`) =>
    db.transaction((tx) =>
      tx.run('insert into brands (id, slug, name, test, created_at) values (?, ?, ?, 0, ?)', [id, slug, slug, '']),
    )

  test('the changes of a transaction are visible to everybody when it resolves', async () => {
    const installation = await make()
    const [one, other] = [await open(installation), await open(installation)]
    await addBrand(one, 1)
    assert.deepEqual(await one.texts('select slug from brands', []), ['b1'])
    assert.deepEqual(await other.texts('select slug from brands', []), ['b1'])
  })

  test('a row is inserted, changed and replaced by the names of its columns', async () => {
    const db = await open()
    const read = () =>
      db
        .rows<object>('select account_id, place, used_at from known_places order by place', [])
        .then((rows) => rows.map((row) => ({ ...row })))
    const [kept, changed] = [
      { account_id: 1, place: 'a', used_at: '1' },
      { account_id: 1, place: 'b', used_at: '1' },
    ]
    await db.transaction(async (tx) => {
      await insertRow(tx, 'accounts', { loopback_only: 0, id: 1, operator: 'ada' }) // the rest stays null
      for (const row of [kept, changed]) await insertRow(tx, 'known_places', row)
      await updateRows(tx, 'known_places', { account_id: 1, place: 'b' }, { used_at: '2' })
    })
    assert.deepEqual(await read(), [kept, { ...changed, used_at: '2' }])
    await db.transaction(async (tx) => {
      await upsertRow(tx, 'known_places', ['account_id', 'place'], { ...changed, used_at: '3' })
      await upsertRow(tx, 'known_places', ['account_id', 'place'], { ...changed, place: 'c' })
    })
    assert.deepEqual(await read(), [kept, { ...changed, used_at: '3' }, { ...changed, place: 'c' }])
  })

  test('a transaction that fails leaves nothing, and those beside it stay whole', async () => {
    const db = await open()
    const results = await Promise.allSettled([
      addBrand(db, 1),
      db.transaction(async (tx) => {
        await tx.run('insert into brands (id, slug, name, test, created_at) values (2, ?, ?, 0, ?)', ['b2', 'b2', ''])
        throw new Error('changed its mind')
      }),
      addBrand(db, 3),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(await db.texts('select slug from brands order by slug', []), ['b1', 'b3'])
  })

  const putSetting = 'insert into settings (name, value) values (?, ?)'
  const settings = (db: Database) => db.texts(`select name from settings where name like 'test %' order by name`, [])

  test('what a transaction writes later, its next statement sees; with nothing after it, it is there too', async () => {
    const db = await open()
    await db.transaction(async (tx) => {
      await tx.later(putSetting, ['test 1', ''])
      assert.deepEqual(await tx.texts(`select name from settings where name = 'test 1'`, []), ['test 1'])
      await tx.later(putSetting, ['test 2', ''])
    })
    await db.transaction((tx) => tx.later(putSetting, ['test 3', '']))
    assert.deepEqual(await settings(db), ['test 1', 'test 2', 'test 3'])
  })

  test('a transaction whose later write is refused fails with that, and leaves nothing', async () => {
    const db = await open()
    await db.transaction((tx) => tx.later(putSetting, ['test 1', '']))
    for (const last of ['nothing', 'a read', 'an event'])
      await assert.rejects(
        db.transaction(async (tx) => {
          await tx.run(putSetting, [`test ${last}`, ''])
          await tx.later(putSetting, ['test 1', 'again'])
          if (last === 'a read') await tx.rows('select 1 as one', [])
          if (last === 'an event') tx.publish({ brand_id: 1, type: 'customer.created', subject: '1', data: {} })
        }),
        (error) => error instanceof UniqueViolation && /^settings(_pkey|\.name)?/.test(error.constraint),
      )
    assert.deepEqual(await settings(db), ['test 1'])
  })

  test('what a transaction asks for at once is answered in its order', async () => {
    const db = await open()
    const answers = await db.transaction((tx) =>
      Promise.all([
        tx.run(putSetting, ['test 1', 'one']),
        tx.text(`select value from settings where name = 'test 1'`, []),
        tx.run(`update settings set value = 'two' where name = 'test 1'`, []),
        tx.rows<{ value: string }>(`select value from settings where name = 'test 1'`, []),
      ]),
    )
    assert.deepEqual([...answers.slice(0, 3), ...answers[3].map(({ value }) => value)], [1, 'one', 1, 'two'])
  })

  test('a statement that failed when it was new can be asked again', async () => {
    const db = await open()
    for (let time = 0; time < 12; time++) {
      await assert.rejects(db.transaction((tx) => tx.rows('select value from settings where no_column = ?', ['x'])))
      const [row] = await db.transaction((tx) => tx.rows<{ n: number }>('select ? + 1 as n', [time]))
      assert.equal(Number(row!.n), time + 1)
    }
  })

  test('reads that are asked for at once see all that was committed before', async () => {
    const db = await open()
    for (let value = 1; value <= 50; value++) {
      const late = db.rows<{ value: string }>(`select value from settings where name = 'test 1'`, [])
      await db.transaction((tx) =>
        tx.run(`${putSetting} on conflict (name) do update set value = excluded.value`, ['test 1', String(value)]),
      )
      const reads = await Promise.all(
        Array.from({ length: 3 }, () =>
          db.rows<{ value: string }>(`select value from settings where name = 'test 1'`, []),
        ),
      )
      assert.deepEqual(
        reads.flat().map((row) => row.value),
        Array(3).fill(String(value)),
      )
      await late
    }
  })

  test('a unique index refuses with its name, a missing parent as a reference', async () => {
    const db = await open()
    await addBrand(db, 1)
    await assert.rejects(
      addBrand(db, 2, 'b1'),
      (error) => error instanceof UniqueViolation && error.constraint === 'brands_slug',
    )
    const orphan = db.transaction((tx) =>
      tx.run(
        `insert into venues (brand_id, id, name, name_folded, is_main, body) values (9, 1, 'x', 'x', 0, '{}')`,
        [],
      ),
    )
    await assert.rejects(orphan, ReferenceViolation)
  })

  test('a row cannot point into another brand', async () => {
    const db = await open()
    await addBrand(db, 1)
    await addBrand(db, 2)
    await db.transaction((tx) =>
      tx.run('insert into roles (brand_id, id, name, permissions) values (1, 1, ?, ?)', ['r', '[]']),
    )
    const foreign = db.transaction((tx) =>
      tx.run(
        `insert into users
           (brand_id, id, username, username_key, name, role_id, active, created_at, updated_at, body)
         values (2, 1, 'u', 'u', 'u', 1, 1, '', '', '{}')`,
        [],
      ),
    )
    await assert.rejects(foreign, ReferenceViolation)
  })

  test('integers are exact up to 2^53 − 1 and refused beyond', async () => {
    const db = await open()
    await addBrand(db, 1)
    const put = (name: string, value: string) =>
      db.transaction((tx) => tx.run(`insert into counters (brand_id, name, value) values (1, ?, ${value})`, [name]))
    await put('fits', '9007199254740991')
    await put('too large', '9007199254740993')
    const read = (name: string) => db.rows<{ value: number }>('select value from counters where name = ?', [name])
    assert.deepEqual(
      (await read('fits')).map(({ value }) => value),
      [9007199254740991],
    )
    await assert.rejects(read('too large'))
  })

  test('text sorts and compares by code points', async () => {
    const db = await open()
    for (const [id, slug] of ['é', 'z', 'a', 'Z', '_', '-', '😀', '\u{ffee}'].entries())
      await addBrand(db, id + 1, slug)
    const sorted = await db.texts('select slug from brands order by slug', [])
    assert.deepEqual(sorted, ['-', 'Z', '_', 'a', 'z', 'é', '\u{ffee}', '😀'])
  })

  test('a long read comes in batches, in order, at one moment, while others see what was committed since', async () => {
    const db = await open()
    await db.transaction(async (tx) => {
      for (let id = 1; id <= 2_000; id++)
        await tx.later('insert into brands (id, slug, name, test, created_at) values (?, ?, ?, 0, ?)', [
          id,
          `b${id}`,
          '',
          '',
        ])
    })
    const seen: number[] = []
    let batches = 0
    for await (const batch of db.batches<[number]>(1, 'select id from brands order by id', [])) {
      if (++batches === 1) {
        await addBrand(db, 9_999)
        assert.deepEqual(await db.texts('select slug from brands where id = ?', [9_999]), ['b9999'])
      }
      seen.push(...batch.map(([id]) => id))
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 2_000 }, (_, index) => index + 1),
    )
    assert.ok(batches >= 8, `${batches} batches`)
    const [latest] = (await Array.fromAsync(db.batches<[number]>(1, 'select max(id) from brands', []))).flat()
    assert.deepEqual(latest, [9_999])
  })

  test('a long read that is given up or fails is in nobody’s way', async () => {
    const db = await open()
    for (let id = 1; id <= 3; id++) await addBrand(db, id)
    const numbers = 'select one.id from brands as one cross join brands as two cross join brands as three'
    const all = [numbers, ...Array.from('abcd', (name) => `cross join brands as ${name}`)].join(' ')
    for await (const batch of db.batches(1, all, [])) {
      assert.ok(batch.length > 0)
      break
    }
    await assert.rejects(Array.fromAsync(db.batches(1, 'select nothing', [])))
    const reads = await Promise.all(Array.from({ length: 4 }, () => Array.fromAsync(db.batches(1, all, []))))
    for (const batches of reads) assert.equal(batches.flat().length, 3 ** 7)
  })

  test('a process hears of a change that another made', async () => {
    const installation = await make()
    const [one, other] = [await open(installation), await open(installation)]
    let heard = 0
    const stop = other.watch(() => heard++)
    await sleep(300)
    const before = heard
    await one.transaction(async (tx) => {
      await tx.run('update directory_version set version = version + 1', [])
      if (tx.dialect.announce) await tx.rows(tx.dialect.announce, [])
    })
    await until(() => heard > before)
    stop()
  })

  if (engine === 'PostgreSQL') {
    test('equal reads of one tick are one, and each has rows of its own', async () => {
      const db = await open()
      const read = () => db.rows<{ at: number }>('select random() as at', [])
      const [[one], [other]] = await Promise.all([read(), read()])
      assert.equal(one!.at, other!.at)
      assert.notEqual(one, other)
      assert.notEqual((await read())[0]!.at, one!.at)
      const bytes = () => db.rows<{ data: Uint8Array }>(`select ${db.dialect.bytes(`repeat('é', 4000)`)} as data`, [])
      const [[mine], [theirs]] = await Promise.all([bytes(), bytes()])
      mine!.data.fill(0)
      assert.equal(Buffer.from(theirs!.data).toString(), 'é'.repeat(4_000))
    })

    test('a transaction that goes on after a statement has failed is not taken for made', async () => {
      const db = await open()
      const heedless = db.transaction(async (tx) => {
        await tx.run(putSetting, ['test 1', ''])
        await tx.run(putSetting, ['test 1', '']).catch(() => {})
      })
      await assert.rejects(heedless, /had failed/)
      assert.deepEqual(await settings(db), [])
    })

    test('a transaction whose events cannot be written leaves nothing on its connection for the next transaction', async () => {
      const db = await open()
      await addBrand(db, 1)
      const unwritable = db.transaction(async (tx) => {
        await tx.run(putSetting, ['test lost', ''])
        tx.publish({ brand_id: 1, type: 'customer.created', subject: '1', data: { count: 1n } })
      })
      await assert.rejects(unwritable, /BigInt/)
      for (let turn = 0; turn < 20; turn++) await db.transaction((tx) => tx.run(putSetting, [`test ${turn}`, '']))
      assert.equal((await settings(db)).includes('test lost'), false)
    })

    test('a transaction that is over takes no more statements', async () => {
      const db = await open()
      let late: Promise<unknown> | undefined
      const failed = db.transaction((tx) =>
        Promise.all([
          tx.rows('select 1', []).then(() => Promise.reject(new Error('given up'))),
          tx.rows('select 2', []).then(() => {
            late = sleep(50).then(() => tx.run(putSetting, ['test late', '']))
            return late
          }),
        ]),
      )
      await assert.rejects(failed, /given up/)
      await assert.rejects(late!, /is over/)
      assert.deepEqual(await settings(db), [])
    })

    test('a read without a deadline is not held to that of a request beside it', async () => {
      const db = await open()
      const late = db.withDeadline({ expiresAt: performance.now() + 50 } as Deadline, () =>
        db.rows('select 1 as one', []),
      )
      const free = db.rows('select 2 as two', [])
      await assert.rejects(late, /too slow for one request/)
      assert.deepEqual(await free, [{ two: 2 }])
    })
  }

  if (engine === 'SQLite') {
    test('the file is the owner’s alone, durable at each commit, and marked as ours', async () => {
      const installation = await make('empty')
      const folder = installation.config.COMPTOIR_DATA
      mkdirSync(folder, { mode: 0o755 })
      const db = await open(installation)
      assert.equal(statSync(folder).mode & 0o777, 0o700)
      assert.equal(statSync(join(folder, 'comptoir.db')).mode & 0o777, 0o600)
      const pragma = async (name: string) => Object.values((await db.rows<object>(`pragma ${name}`, []))[0]!)[0]
      assert.equal(await pragma('journal_mode'), 'wal')
      assert.equal(await pragma('synchronous'), 2)
      assert.equal(await pragma('foreign_keys'), 1)
      assert.equal(await pragma('application_id'), 0x436f6d70)
    })

    test('transactions of one tick share a commit, and the log does not grow without end', async () => {
      const installation = await make()
      const db = await open(installation)
      await addBrand(db, 1)
      for (let round = 0; round < 40; round++)
        await Promise.all(
          Array.from({ length: 100 }, (_, i) =>
            db.transaction((tx) =>
              tx.rows('insert into counters (brand_id, name, value) values (1, ?, 0) returning value', [
                `${round} ${i} ${'x'.repeat(500)}`,
              ]),
            ),
          ),
        )
      const log = statSync(join(installation.config.COMPTOIR_DATA, 'comptoir.db-wal')).size
      assert.ok(log < 16 * 1024 * 1024, `the log has ${log} bytes`)
    })
  }
})
