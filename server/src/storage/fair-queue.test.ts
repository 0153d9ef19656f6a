import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreUnavailable } from './database.ts'
import { fairQueue } from './fair-queue.ts'

/** Work that ends when the test says so, and the order in which it began. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    },
    async end(name: string) {
      ends.get(name)!()
      await nextTurn()
    },
  }
}

const LONG_MS = 60_000

test('owners take turns, and a new owner waits for one piece of work of the others', async () => {
  const queued = fairQueue({ running: 1, runningEach: 1, waitingEach: 10 })
  const { begun, work, end } = works()
  for (const name of ['a1', 'a2', 'a3', 'a4']) queued(1, LONG_MS, work(name))
  for (const name of ['b1', 'b2']) queued(2, LONG_MS, work(name))
  await nextTurn()
  await end('a1')
  queued(3, LONG_MS, work('c1'))
  for (const name of ['b1', 'a2', 'c1', 'b2', 'a3', 'a4']) await end(name)
  assert.deepEqual(begun, ['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'a4'])
})

test('one owner never has more than its share, also when nobody else asks', async () => {
  const queued = fairQueue({ running: 3, runningEach: 2, waitingEach: 10 })
  const { begun, work, end } = works()
  for (const name of ['a1', 'a2', 'a3']) queued(1, LONG_MS, work(name))
  await nextTurn()
  assert.deepEqual(begun, ['a1', 'a2'])
  for (const name of ['b1', 'b2']) queued(2, LONG_MS, work(name))
  await nextTurn()
  assert.deepEqual(begun, ['a1', 'a2', 'b1'])
  await end('a2')
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'b2'])
  for (const name of ['a1', 'b1', 'b2', 'a3']) await end(name)
  assert.equal(begun.at(-1), 'a3')
})

test('past the bound of an owner the next is refused at once, and others are not', async () => {
  const queued = fairQueue({ running: 1, runningEach: 1, waitingEach: 1 })
  const { work, end } = works()
  const first = queued(1, LONG_MS, work('a1'))
  const second = queued(1, LONG_MS, work('a2'))
  await assert.rejects(queued(1, LONG_MS, work('a3')), StoreUnavailable)
  const other = queued(2, LONG_MS, work('b1'))
  await nextTurn()
  for (const name of ['a1', 'b1', 'a2']) await end(name)
  assert.deepEqual(await Promise.all([first, second, other]), ['a1', 'a2', 'b1'])
})

test('work that waits too long is refused and never begins, and work that fails frees its slot', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const queued = fairQueue({ running: 1, runningEach: 1, waitingEach: 10 })
  const { begun, work, end } = works()
  queued(1, LONG_MS, work('a1'))
  const late = assert.rejects(queued(2, 1_000, work('b1')), StoreUnavailable)
  t.mock.timers.tick(999)
  const patient = queued(2, 1_000, async () => Promise.reject(new Error('broken')))
  t.mock.timers.tick(1)
  await late
  const failed = assert.rejects(patient, /broken/)
  const last = queued(3, LONG_MS, async () => 'c1')
  await end('a1')
  await failed
  assert.equal(await last, 'c1')
  assert.deepEqual(begun, ['a1'])
})
