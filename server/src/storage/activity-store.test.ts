import assert from 'node:assert/strict'
import { renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Installation, onEmbeddedEngine } from '../../test/database/engines.ts'
import { MERGE_RULES } from '../events/merge.ts'
import { type ActivityStore, openActivityStore } from './activity-store.ts'
import { StoreUnavailable } from './database.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open.ts'

onEmbeddedEngine('the store beside the requests, on SQLite', (make) => {
  const open: ActivityStore[] = []
  after(() => Promise.all(open.map((activity) => activity.close())))

  async function opened(installation: Installation): Promise<ActivityStore> {
    const activity = await openActivityStore(installation.config)
    open.push(activity)
    return activity
  }
  async function migrated(): Promise<Installation> {
    const installation = await make()
    const db = await openDatabase(installation.config, 'command', MERGE_RULES)
    await migrate(db)
    await db.close()
    return installation
  }
  const count = async (activity: ActivityStore) =>
    (await activity.rows<{ rows: number }>('select count(*) as rows from minute_counts', []))[0]!.rows
  const took = Array.from({ length: 16 }, () => '0').join(', ')
  const add = (activity: ActivityStore) =>
    activity.run(`insert into minute_counts values ('bistro', 1, 'hub', 200, '', 1, ${took})`, [])
  const fileOf = ({ config }: Installation, name: string) => join(config.COMPTOIR_DATA, name)

  test('keeps what it holds, reads the data beside it, and writes nothing there', async () => {
    const installation = await migrated()
    const first = await opened(installation)
    await add(first)
    await first.close()
    const second = await opened(installation)
    assert.equal(await count(second), 1)
    assert.deepEqual(await second.rows('select id from brands', []), [])
    await assert.rejects(second.run(`insert into settings (name, value) values ('a', 'b')`, []), StoreUnavailable)
    assert.equal(statSync(fileOf(installation, 'activity.db')).mode & 0o777, 0o600)
  })

  test('begins a new file where it is broken or of another version, and not for a failure that may pass', async () => {
    const installation = await migrated()
    const file = fileOf(installation, 'activity.db')
    const first = await opened(installation)
    await add(first)
    await first.close()

    const [data, away] = [fileOf(installation, 'comptoir.db'), fileOf(installation, 'away.db')]
    renameSync(data, away)
    await assert.rejects(count(await opened(installation)), StoreUnavailable)
    renameSync(away, data)
    const well = await opened(installation)
    assert.equal(await count(well), 1, 'nothing is lost')
    await well.run(`update made_by set schema = 'of yesterday'`, [])
    await well.close()
    const other = await opened(installation)
    assert.equal(await count(other), 0, 'another version')
    await other.close()

    writeFileSync(file, 'this is no database, and long enough to be read as the beginning of one '.repeat(20))
    assert.equal(await count(await opened(installation)), 0, 'no sound file')
  })

  test('a thread that ended is started again by the next call, but not after close', async () => {
    const activity = await opened(await migrated())
    await assert.rejects(activity.rows('select no such column', []), StoreUnavailable)
    await add(activity)
    assert.equal(await count(activity), 1)
    await activity.close()
    await assert.rejects(count(activity), StoreUnavailable)
  })

  test('refuses searches when too many wait, and still takes what is to be written', async () => {
    const activity = await opened(await migrated())
    const slow = `with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000) select max(i) as i from n`
    const reads = Array.from({ length: 80 }, () => activity.rows(slow, []))
    const written = add(activity)
    const outcomes = await Promise.allSettled(reads)
    assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 16)
    assert.equal(await written, 1)
  })
})
