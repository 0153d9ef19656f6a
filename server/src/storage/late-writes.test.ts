import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEachEngine } from '../../test/database/engines.ts'
import { holdWrites } from '../../test/database/write-lock.ts'
import { MERGE_RULES } from '../events/merge.ts'
import { type Database, type Deadline, StoreUnavailable } from './database.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open.ts'

const NOISE_MS = 2_500

onEachEngine('a write that has to wait', (make, engine) => {
  const opened: Database[] = []
  after(() => Promise.all(opened.map((db) => db.close())))

  async function open() {
    const installation = await make()
    const db = await openDatabase(installation.config, 'request', MERGE_RULES)
    opened.push(db)
    await migrate(db)
    const put = (name: string) =>
      db.transaction((tx) => tx.run('insert into settings (name, value) values (?, ?)', [name, '']))
    const made = () => db.texts(`select name from settings where name like 'w%'`, [])
    return { db, put, made, hold: () => holdWrites(installation, 'settings') }
  }

  const startOf = (work: Promise<unknown>) => work.catch((error: Error) => error)
  const soon = (ms: number): Deadline => ({ expiresAt: performance.now() + ms })

  test('has its own time, however many wait before it; what is refused is not made', async () => {
    const { put, made, hold } = await open()
    const names = (first: string) => Array.from({ length: 600 }, (_, i) => `${first}${i}`) // several commits of SQLite's
    const begun = performance.now()
    await Promise.all(names('healthy ').map((name) => startOf(put(name))))
    const ownMs = performance.now() - begun
    const release = await hold()
    const startedAt = performance.now()
    const answers = await Promise.all(names('w').map((name) => startOf(put(name))))
    const ms = performance.now() - startedAt
    await release()

    assert.ok(answers.every((answer) => answer instanceof StoreUnavailable))
    assert.ok(ms < 2_500 + NOISE_MS + 2 * ownMs, `${ms} ms; ${ownMs} ms when nothing is held`)
    await put('wanted')
    await sleep(200)
    assert.deepEqual(await made(), ['wanted'])
  })

  test('is known not to be made when its time ends before the commit', async () => {
    const { db, made, hold } = await open()
    const release = await hold()
    const put = () =>
      db.transaction(async (tx) => {
        await sleep(600)
        await tx.later('insert into settings (name, value) values (?, ?)', ['w', ''])
      })
    const answer = await startOf(db.withDeadline(soon(1_300), put)) // which leaves less than a lock is waited for
    await release()
    assert.ok(answer instanceof StoreUnavailable, String(answer))
    await sleep(200)
    assert.deepEqual(await made(), [])
  })

  test('is made when the lock is let go in time, beside others whose time is over', async () => {
    const { db, put, made, hold } = await open()
    const release = await hold()
    const short = soon(200)
    const [given, late] = [startOf(put('wanted')), startOf(db.withDeadline(short, () => put('w too late')))]
    await sleep(400)
    await release()
    assert.equal(await given, 1)
    assert.ok((await late) instanceof StoreUnavailable)
    assert.deepEqual(await made(), ['wanted'])
  })

  test('is not made once its request was answered', async () => {
    const { db, put, made, hold } = await open()
    const release = await hold()
    const deadline = soon(60_000)
    const waiting = startOf(db.withDeadline(deadline, () => put('w answered')))
    await sleep(300)
    assert.ok(!deadline.committing)
    deadline.expiresAt = Number.NEGATIVE_INFINITY
    await release()
    assert.ok((await waiting) instanceof StoreUnavailable)
    await put('wanted')
    assert.deepEqual(await made(), ['wanted'])
  })

  const skip = engine === 'SQLite' && 'there is no pool of connections'
  test('is not begun once its request was answered, when it waited for a connection', { skip }, async () => {
    const { db, put, made } = await open()
    const sleepers = Array.from({ length: 10 }, (_, i) => db.rows(`select pg_sleep(0.5), ${i}`, []))
    await sleep(100)
    const deadline = soon(60_000)
    const waiting = startOf(db.withDeadline(deadline, () => put('w answered')))
    deadline.expiresAt = Number.NEGATIVE_INFINITY
    await Promise.all(sleepers)
    assert.ok((await waiting) instanceof StoreUnavailable)
    assert.deepEqual(await made(), [])
  })

  test('is noted with its request from when it is committed', async () => {
    const { db, put } = await open()
    const deadline = soon(60_000)
    await db.withDeadline(deadline, () => put('wanted'))
    assert.ok(deadline.committing)
    const other = soon(60_000)
    await startOf(db.withDeadline(other, () => put('wanted')))
    assert.ok(!other.committing, 'which was a duplicate')
  })
})
