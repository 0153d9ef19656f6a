import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordQueue } from './password-queue.ts'

const full = () => new Error('full')

/** Two hashes that run until they are released, and a record of who runs after them. */
function occupied() {
  const enter = passwordQueue()
  const order: string[] = []
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const first = [1, 2].map(() => enter({ account: 'busy', known: false }, () => held, full))
  const join = (account: string, known: boolean) =>
    enter({ account, known }, async () => void order.push(account), full).catch(() => void order.push(`no ${account}`))
  return { order, join, release: () => Promise.all([release(), ...first]) }
}

test('two hash at once', async () => {
  const enter = passwordQueue()
  let [running, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
  }
  const owners = Array.from({ length: 20 }, (_, index) => ({ account: String(index), known: index % 2 === 0 }))
  await Promise.all(owners.map((owner) => enter(owner, work, full)))
  assert.equal(most, 2)
})

test('known places and strangers take turns; the newest stranger goes first, the first known', async () => {
  const { order, join, release } = occupied()
  const all = [
    ...['s1', 's2', 's3'].map((name) => join(name, false)),
    ...['k1', 'k2', 'k3'].map((name) => join(name, true)),
  ]
  await release()
  await Promise.all(all)
  assert.deepEqual(order, ['k1', 's3', 'k2', 's2', 'k3', 's1'])
})

test('a crowd of strangers pushes out its own oldest, and nobody of a known place', async () => {
  const { order, join, release } = occupied()
  const known = join('owner', true)
  const crowd = Array.from({ length: 40 }, (_, index) => join(`stranger${index}`, false))
  const last = join('owner elsewhere', false)
  await new Promise(setImmediate)
  assert.deepEqual(
    order,
    Array.from({ length: 9 }, (_, index) => `no stranger${index}`),
    '32 wait',
  )
  await release()
  await Promise.all([known, last, ...crowd])
  assert.deepEqual(order.slice(9, 11), ['owner', 'owner elsewhere'])
})

test('of one account four wait, known or not', async () => {
  for (const known of [true, false]) {
    const { order, join, release } = occupied()
    const tries = Array.from({ length: 10 }, () => join('owner', known))
    const other = join('other', known)
    await new Promise(setImmediate)
    assert.equal(order.length, 6)
    await release()
    await Promise.all([...tries, other])
    assert.equal(order.filter((name) => name === 'owner').length, 4)
    assert.ok(order.includes('other'))
  }
})

test('a call that has waited 3 seconds is refused', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { order, join, release } = occupied()
  const late = join('late', true)
  t.mock.timers.tick(2_999)
  await new Promise(setImmediate)
  assert.deepEqual(order, [])
  t.mock.timers.tick(1)
  await late
  assert.deepEqual(order, ['no late'])
  await release()
})
