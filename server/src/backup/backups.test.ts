import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { type Installation, onEmbeddedEngine } from '../../test/database/engines.ts'
import { until } from '../../test/until.ts'
import { openKeyRing } from '../directory/keys.ts'
import { addBrand } from '../directory/registry.ts'
import { MERGE_RULES } from '../events/merge.ts'
import { openDatabase } from '../storage/open.ts'
import { type Backups, backups, msOf } from './backups.ts'
import { type Copy, listCopies } from './folder.ts'
import { backupAgeMs, lastBackup, lastFailed } from './noted.ts'

const HOUR_MS = 3_600_000

onEmbeddedEngine('copies in a folder', (make) => {
  async function opened({ config }: Installation, { everyMs, keep = 3 }: { everyMs?: number; keep?: number } = {}) {
    const db = await openDatabase(config, 'command', MERGE_RULES)
    const folder = join(dirname(config.COMPTOIR_DATA), 'copies')
    mkdirSync(folder)
    const clock = { ms: Date.parse('2026-03-14T12:00:00.000Z') }
    const made: Copy[] = []
    const failures: string[] = []
    const copies: Backups = backups({
      db,
      now: () => clock.ms,
      folder,
      keep,
      everyMs,
      made: (copy) => made.push(copy),
      failed: (error) => failures.push((error as Error).message),
    })
    const close = async () => {
      await copies.close()
      await db.close()
    }
    return { db, config, folder, clock, made, failures, copies, close }
  }
  const numbers = (folder: string) => listCopies(folder).map(({ number }) => number)

  test('the oldest go, by their numbers, however the clock is moved', async () => {
    const { folder, clock, copies, close } = await opened(await make())
    for (const hours of [0, 24 * 365, -24 * 365, 1, 1]) {
      clock.ms += hours * HOUR_MS
      await copies.make()
    }
    assert.deepEqual(numbers(folder), [3, 4, 5])
    assert.match(readdirSync(folder).join(), /^comptoir-00003-20260314T120000Z\.db,/)
    await close()
  })

  test('two who ask at once get one copy, and two processes one each', async () => {
    const { db, folder, copies, close } = await opened(await make())
    const other = backups({ db, now: Date.now, folder, keep: 3, made() {}, failed() {} })
    const [one, same, another] = await Promise.all([copies.make(), copies.make(), other.make()])
    assert.equal(one.name, same.name)
    assert.notEqual(one.name, another.name)
    assert.equal(listCopies(folder).length, 2)
    await other.close()
    await close()
  })

  test('what a kill has left goes after an hour; what is not ours stays', async () => {
    const { folder, copies, close } = await opened(await make())
    const old = new Date(Date.now() - 2 * HOUR_MS)
    const names = ['comptoir-00001-20260101T000000Z.db.7-ab12.part', 'comptoir-00002-20260101T000000Z.db', 'mine.part']
    for (const name of names) {
      writeFileSync(join(folder, name), '')
      utimesSync(join(folder, name), old, old)
    }
    const young = 'comptoir-00003-20260101T000000Z.db.8-ab12.part'
    writeFileSync(join(folder, young), '')
    await copies.make()
    assert.deepEqual(
      readdirSync(folder).filter((name) => !name.startsWith('comptoir-00001-202603')),
      [young, 'mine.part'],
    )
    await close()
  })

  test('a folder that is gone is noted, copies go on when it is back, and nothing is made elsewhere', async () => {
    const { db, folder, made, failures, copies, close } = await opened(await make(), { everyMs: 20 })
    renameSync(folder, `${folder} away`)
    copies.start()
    await until(() => failures.length > 0, 'it fails')
    assert.match(failures[0]!, /^There is no folder .+: create it first$/)
    assert.equal((await lastFailed(db))?.reason, 'folder')
    assert.ok(!existsSync(folder))
    renameSync(`${folder} away`, folder)
    await until(() => made.length > 1, 'it goes on')
    assert.equal(await lastFailed(db), undefined)
    await close()
    const whole = listCopies(folder).map(({ name }) => name)
    assert.deepEqual(readdirSync(folder), whole, 'a copy that is stopped leaves nothing')
  })

  test('the first is made at once where the last one is old or of a clock that was ahead, and otherwise when it is due', async () => {
    const { clock, made, copies, close, db, config, folder } = await opened(await make(), { everyMs: 24 * HOUR_MS })
    clock.ms = Date.now()
    copies.start()
    await until(() => made.length === 1, 'the first')
    const later = (hours: number) => {
      const others: Copy[] = []
      const now = () => Date.now() + hours * HOUR_MS
      const again = backups({
        ...{ db, now, folder, keep: 3, everyMs: 24 * HOUR_MS, failed() {} },
        made: (copy) => others.push(copy),
      })
      again.start()
      return { again, others }
    }
    const [young, old, ahead] = [later(1), later(25), later(-2)]
    await until(() => old.others.length === 1 && ahead.others.length === 1, 'they are due')
    assert.equal(young.others.length, 0)
    for (const { again } of [young, old, ahead]) await again.close()
    assert.ok(config)
    await close()
  })

  test('the age is that of the last copy; of a clock that was ahead it is none, and then the oldest brand’s', async () => {
    const { db, config, copies, close } = await opened(await make())
    const now = Date.now()
    assert.equal(await backupAgeMs(db, now), undefined)
    await openKeyRing(db, config.COMPTOIR_KEYS)
    await addBrand(db, 'test', { slug: 'bistro', test: false })
    const near = (ms: number | undefined, hours: number) =>
      assert.ok(Math.abs(ms! - hours * HOUR_MS) < HOUR_MS / 2, `${ms}`)
    near(await backupAgeMs(db, now + 50 * HOUR_MS), 50)
    await copies.make()
    const at = Date.parse((await lastBackup(db))!)
    assert.equal(await backupAgeMs(db, at + 7), 7)
    near(await backupAgeMs(db, at - 9 * HOUR_MS), 0)
    await db.transaction((tx) => tx.run(`update brands set created_at = '2020-01-01T00:00:00.000Z'`, []))
    assert.ok((await backupAgeMs(db, at - 9 * HOUR_MS))! > 1e11, 'that copy says nothing')
    await close()
  })

  test('a copy is one file, for its owner, which can be opened where nothing can be written', async () => {
    const { folder, config, copies, close } = await opened(await make())
    const foreign = ['comptoir-00001-20260101T000000Z.db', 'comptoir-00002-20260101T000000Z.db']
    symlinkSync(join(config.COMPTOIR_DATA, 'comptoir.db'), join(folder, foreign[0]!))
    mkdirSync(join(folder, foreign[1]!))
    assert.deepEqual(listCopies(folder), [], 'a link and a folder are no copies')
    const { name, bytes } = await copies.make()
    const stat = statSync(join(folder, name))
    assert.deepEqual([stat.mode & 0o777, stat.size], [0o600, bytes])
    assert.deepEqual(
      readdirSync(folder).filter((each) => !foreign.includes(each)),
      [name],
    )
    await close()
  })
})

test('times are minutes, hours or days up to a week', () => {
  const HELD: [string, number | undefined][] = [
    ['15m', 900_000],
    ['6h', 6 * HOUR_MS],
    ['7d', 168 * HOUR_MS],
    ['8d', undefined],
    ['0m', undefined],
    ['15', undefined],
    ['1.5h', undefined],
  ]
  for (const [text, ms] of HELD) assert.equal(msOf(text), ms, text)
})
