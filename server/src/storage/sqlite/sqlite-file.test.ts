import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { onEmbeddedEngine } from '../../../test/database/engines.ts'
import { MERGE_RULES } from '../../events/merge.ts'
import { openActivityStore } from '../activity-store.ts'
import { OutcomeUnknown, UnusableDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import { scrubFile } from './scrub.ts'
import { lockFolder } from './sqlite.ts'

// Linux tells there of every lock, by process and inode.
const LOCKS = '/proc/locks'

onEmbeddedEngine('the file of the embedded database', (make) => {
  const skip = !existsSync(LOCKS) && `${LOCKS} is not here`
  const isLocked = (file: string) =>
    readFileSync(LOCKS, 'utf8')
      .split('\n')
      .some((line) => line.includes(` ${process.pid} `) && line.includes(`:${statSync(file).ino} `))

  async function opened() {
    const { config } = await make()
    const db = await openDatabase(config, 'request', MERGE_RULES)
    await migrate(db)
    const [data, log, server] = ['comptoir.db', 'activity.db', 'serve.lock'].map((name) =>
      join(config.COMPTOIR_DATA, name),
    ) as [string, string, string]
    return { config, db, data, log, server }
  }

  /** The next commit fails as one does that the disk did not confirm. */
  function failNextCommit() {
    const { exec } = DatabaseSync.prototype
    DatabaseSync.prototype.exec = function (text) {
      if (text !== 'commit') return exec.call(this, text)
      DatabaseSync.prototype.exec = exec
      throw Object.assign(new Error('disk I/O error'), { errcode: 10 })
    }
  }

  test('holds no text that was deleted or replaced, once it is scrubbed', async () => {
    const { db, data } = await opened()
    const put = (name: string, value: string) =>
      db.transaction((tx) =>
        tx.run(
          'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
          [name, value],
        ),
      )
    const holds = () => ['', '-wal'].map((ending) => readFileSync(data + ending).includes('canary'))
    for (let i = 0; i < 50; i++) await put(`name ${i}`, `canary ${'x'.repeat(i * 97)}`)
    assert.ok(holds()[1], 'it was there')
    for (let i = 0; i < 50; i++) await put(`name ${i}`, 'gone')
    assert.equal(await scrubFile(data, 0), true, 'nobody reads')
    assert.deepEqual(holds(), [false, false], 'what is freed is overwritten (secure_delete), and the log is empty')

    const reader = new DatabaseSync(data, { readOnly: true })
    reader.exec('begin; select 1 from settings')
    reader.prepare('select count(*) from settings').all()
    await put('name 1', 'other')
    assert.equal(await db.scrub!(), false, 'a reader needs the log')
    reader.close()
    assert.equal(await db.scrub!(), true)
    await db.close()
  })

  test('stays locked for as long as it is open, whatever else this process opens and closes', { skip }, async () => {
    const { config, db, data, log } = await opened()
    assert.ok(isLocked(data), 'once it is open')

    const second = await openDatabase(config, 'command', MERGE_RULES)
    assert.ok(isLocked(data), 'while it is open twice')
    await second.close()
    assert.ok(isLocked(data), 'when the second is closed')

    const activity = await openActivityStore(config)
    await activity.rows('select count(*) from brands', [])
    const other = await openActivityStore(config)
    await other.rows('select count(*) from brands', [])
    await other.close()
    assert.ok(isLocked(data), 'beside the thread of the request log')
    assert.ok(isLocked(log), 'and so stays the request log')
    await activity.close()

    await db.backup(join(config.COMPTOIR_DATA, 'copy.db'), () => {})
    assert.ok(isLocked(data), 'after a backup')
    await db.close()
    assert.ok(!isLocked(data), 'until it is closed')
  })

  test('stays locked when the writer is reopened after a failed commit', { skip }, async () => {
    const { db, data } = await opened()
    const put = (name: string) =>
      db.transaction((tx) => tx.run('insert into settings (name, value) values (?, ?)', [name, '']))
    failNextCommit()
    await assert.rejects(put('unknown'), OutcomeUnknown)
    assert.ok(isLocked(data), 'between the two')
    await put('known')
    assert.ok(isLocked(data), 'with the new one')
    await db.close()
  })

  test('is not repeated by a writer that is reopened', async () => {
    const { db, data } = await opened()
    const put = () => db.transaction((tx) => tx.run(`insert into settings (name, value) values ('a', 'b')`, []))
    failNextCommit()
    await assert.rejects(put(), OutcomeUnknown)
    renameSync(data, `${data}.away`)
    await assert.rejects(put(), UnusableDatabase)
    assert.ok(!existsSync(data))
    renameSync(`${data}.away`, data)
    await put()
    await db.close()
  })

  test('has one server, also when the same process asks twice', { skip }, async () => {
    const { config, db, server } = await opened()
    const unlock = await lockFolder(config.COMPTOIR_DATA)
    assert.ok(isLocked(server))
    await assert.rejects(lockFolder(config.COMPTOIR_DATA, 0), UnusableDatabase)
    assert.ok(isLocked(server), 'still')
    unlock()
    await db.close()
  })

  test('is copied once from the first page to the last, however much is written meanwhile', async () => {
    const { config, db } = await opened()
    const put = (name: string, value: string) =>
      db.transaction((tx) => tx.run('insert into settings (name, value) values (?, ?)', [name, value]))
    for (let i = 0; i < 20; i++) await put(`filler ${i}`, 'x'.repeat(2 ** 20)) // five steps of the copy
    const seen: number[] = []
    const writes: Promise<number>[] = []
    await db.backup(join(config.COMPTOIR_DATA, 'copy.db'), (done) => {
      if (seen.push(done) <= 100) writes.push(put(`beside ${seen.length}`, ''))
    })
    await Promise.all(writes)
    assert.ok(seen.length > 2, `${seen.length} steps`)
    assert.deepEqual(
      seen,
      [...new Set(seen)].sort((a, b) => a - b),
    )
    await db.close()
  })
})
