import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Installation, onEachEngine } from '../../test/database/engines.ts'
import { stoppingAfter } from '../../test/database/stopping-migrations.ts'
import { MERGE_RULES } from '../events/merge.ts'
import { type Database, type Queries, StoreUnavailable } from './database.ts'
import { knownMigrations, type Migration, migrate } from './migrate.ts'
import { lockEngine, openDatabase } from './open.ts'

const OTHER_SCHEMA = /The database was made by another version of Comptoir/

const filesOf = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'base64')] as const)

onEachEngine('migrations', (make, engine) => {
  const using = async <Result>(installation: Installation, work: (db: Database) => Promise<Result>) => {
    const db = await openDatabase(installation.config, 'command', MERGE_RULES)
    try {
      return await work(db)
    } finally {
      await db.close()
    }
  }

  const schemaOf = (db: Queries) =>
    engine === 'SQLite'
      ? db.rows('select type, name, sql from sqlite_schema order by name', [])
      : db.rows(
          `select table_name, column_name, data_type, is_nullable, collation_name from information_schema.columns
           where table_schema = current_schema() order by 1, 2`,
          [],
        )

  test('run once, and again they find nothing to do', async () => {
    await using(await make('empty'), async (db) => {
      const applied = await migrate(db)
      assert.deepEqual(
        applied.map(({ version }) => version),
        (await knownMigrations()).map(({ version }) => version),
      )
      assert.deepEqual(await migrate(db), [])
    })
  })

  test('stopped at whichever statement they resume to the same schema', async () => {
    const clean = await using(await make('empty'), async (db) => {
      await migrate(db)
      return schemaOf(db)
    })
    await using(await make('empty'), async (db) => {
      for (let allowed = 0; ; allowed += 5) {
        const stopped = await migrate(stoppingAfter(db, allowed)).then(
          () => false,
          (error) => {
            assert.equal(error.message, 'stopped')
            return true
          },
        )
        if (!stopped) break
      }
      assert.deepEqual(await schemaOf(db), clean)
    })
  })

  test('two runners at once apply each migration once', async () => {
    const installation = await make('empty')
    const applied = await Promise.all([using(installation, migrate), using(installation, migrate)])
    assert.equal(applied.flat().length, (await knownMigrations()).length)
  })

  /** Completes brands without a number, two at a time; then the column may not be empty. */
  const numbered: Migration[] = [
    { version: 9001, name: 'number', statements: ['alter table brands add column number bigint'], activity: [] },
    {
      version: 9002,
      name: 'numbers',
      statements: ['create unique index brands_number on brands (number)'],
      activity: [],
      async batch(tx) {
        const rows = await tx.rows<{ id: number }>('select id from brands where number is null order by id limit 2', [])
        for (const { id } of rows) await tx.run('update brands set number = id * 10 where id = ?', [id])
        return rows.length
      },
    },
  ]

  test('rows are changed in batches, once each, however often that is stopped', async () => {
    await using(await make(), async (db) => {
      const known = await knownMigrations()
      await migrate(db, known)
      await db.transaction(async (tx) => {
        for (let id = 1; id <= 5; id++)
          await tx.run(`insert into brands (id, slug, name, test, created_at) values (?, ?, '', 0, '')`, [id, `b${id}`])
      })
      const reported: number[] = []
      let stops = 0
      for (let allowed = 0; ; allowed++, stops++)
        try {
          await migrate(stoppingAfter(db, allowed), [...known, ...numbered], (_, rows) => reported.push(rows))
          break
        } catch (error) {
          assert.equal((error as Error).message, 'stopped')
        }
      assert.ok(stops > 3)
      assert.deepEqual(await db.texts('select number from brands order by id', []), [10, 20, 30, 40, 50])
      assert.ok(reported.length > 0)
    })
  })

  /** All that an engine stores: the bytes of every file in the folder, or every table with its rows. */
  const stored = async ({ config }: Installation): Promise<unknown> => {
    if (engine === 'SQLite') return filesOf(config.COMPTOIR_DATA)
    return using({ config } as Installation, async (db) => {
      const tables = await db.texts(`${db.dialect.tableNames} order by 1`, [])
      return Promise.all(tables.map(async (table) => [table, await db.rows(`select * from ${table} order by 1`, [])]))
    })
  }
  test('another schema is refused with a sentence and left as it is', async () => {
    const installation = await make()
    const known = await knownMigrations()
    const edited = (change: Partial<Migration>) => known.with(1, { ...known[1]!, ...change })
    const statements = ['create table x (y text)']
    await using(installation, async (db) => {
      await migrate(db, known)
      for (const other of [
        edited({ statements }),
        edited({ activity: statements }),
        edited({ name: 'other' }),
        known.slice(0, -1),
      ])
        await assert.rejects(migrate(db, other), OTHER_SCHEMA)
      await migrate(db, [...known, ...numbered]) // a newer version
    })
    const before = await stored(installation)
    await assert.rejects(using(installation, migrate), OTHER_SCHEMA)
    if (engine === 'SQLite') await assert.rejects(lockEngine(installation.config), OTHER_SCHEMA)
    assert.deepEqual(await stored(installation), before)
    if (engine === 'PostgreSQL')
      await using(installation, async (db) => {
        await db.transaction((tx) => tx.run('alter table comptoir_migrations drop column hash', []))
        await assert.rejects(migrate(db), OTHER_SCHEMA)
      })
  })

  test('what a newer version only added is let be, and the rest refused', async () => {
    const expanded = [{ ...numbered[0]!, name: 'expand-number' }]
    await using(await make(), async (db) => {
      const known = await knownMigrations()
      await migrate(db, [...known, ...expanded])
      assert.deepEqual(await migrate(db), [])
      await migrate(db, [...known, ...expanded, numbered[1]!])
      await assert.rejects(migrate(db), OTHER_SCHEMA)
    })
  })

  if (engine === 'PostgreSQL')
    test('a column that a newer version adds costs a version that serves one refusal a connection', async () => {
      const installation = await make()
      await using(installation, async (serving) => {
        await migrate(serving)
        const read = () => serving.rows('select * from brands', [])
        await read()
        await using(installation, (newer) => newer.transaction((tx) => tx.run(numbered[0]!.statements[0]!, [])))
        await assert.rejects(read(), StoreUnavailable)
        await read()
        const inTransaction = () => serving.transaction((tx) => tx.rows('select * from brands', []))
        await inTransaction()
        await using(installation, (newer) =>
          newer.transaction((tx) => tx.run('alter table brands add column other text', [])),
        )
        await assert.rejects(inTransaction(), StoreUnavailable)
        await inTransaction()
      })
    })

  if (engine === 'SQLite')
    test('what a crash left in the log of another schema stays there', async () => {
      const [crashed, copy] = [await make(), await make('empty')]
      await using(crashed, async (db) => {
        await migrate(db, [...(await knownMigrations()), ...numbered])
        cpSync(crashed.config.COMPTOIR_DATA, copy.config.COMPTOIR_DATA, { recursive: true })
      })
      const data = () => filesOf(copy.config.COMPTOIR_DATA).filter(([name]) => !name.endsWith('-shm'))
      const before = data()
      assert.deepEqual(
        before.map(([name]) => name),
        ['comptoir.db', 'comptoir.db-wal'],
      )
      await assert.rejects(using(copy, migrate), OTHER_SCHEMA)
      assert.deepEqual(data(), before)
    })

  test('tables of another program are refused with a sentence', async () => {
    const installation = await make('empty')
    if (engine === 'SQLite') {
      mkdirSync(installation.config.COMPTOIR_DATA, { recursive: true })
      const other = new DatabaseSync(join(installation.config.COMPTOIR_DATA, 'comptoir.db'))
      other.exec('create table brands (id integer)')
      other.close()
      await assert.rejects(using(installation, migrate), /not one of Comptoir's/)
    } else
      await using(installation, async (db) => {
        await db.transaction((tx) => tx.run('create table brands (id bigint)', []))
        await assert.rejects(migrate(db), /another program/)
      })
  })

  if (engine === 'SQLite')
    test('a file that is no database is refused with a sentence', async () => {
      const installation = await make('empty')
      mkdirSync(installation.config.COMPTOIR_DATA, { recursive: true })
      writeFileSync(join(installation.config.COMPTOIR_DATA, 'comptoir.db'), 'dear diary, '.repeat(100))
      await assert.rejects(using(installation, migrate), /not a valid SQLite file/)
    })
})

test('two migrations with one number are refused: the second would never run', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-migrations-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const name of ['0001-one.ts', '0002-two.ts', '0002-three.ts'])
    writeFileSync(join(folder, name), "export const up = ''")
  await assert.rejects(knownMigrations(pathToFileURL(`${folder}/`)), /Two migrations have one number/)
})
