import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Installation, onEachEngine } from '../../test/database/engines.ts'
import { stoppingAfter } from '../../test/database/stopping-migrations.ts'
import { MERGE_RULES } from '../events/merge.ts'
import type { Database, Queries } from './database.ts'
import { knownMigrations, migrate } from './migrate.ts'
import { openDatabase } from './open.ts'

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

  test('stopped at any statement they resume to the same schema', async () => {
    const clean = await using(await make('empty'), async (db) => {
      await migrate(db)
      return schemaOf(db)
    })
    await using(await make('empty'), async (db) => {
      for (let allowed = 0; ; allowed++) {
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

  test('a newer schema is refused with a sentence', async () => {
    await using(await make('empty'), async (db) => {
      await migrate(db)
      await db.transaction((tx) => tx.run(`insert into comptoir_migrations values (9999, 'future', '')`, []))
      await assert.rejects(migrate(db), /newer version/)
    })
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
