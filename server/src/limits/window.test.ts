import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { until } from '../../test/until.ts'
import { decision, Oracle, seen, times, windowSuite } from './window.suite.ts'
import { memoryWindows, SlidingLog } from './window.ts'

windowSuite('memory', () => {
  const clock = fakeClock()
  return {
    windows: memoryWindows({ now: clock.now }),
    windowMs: 60_000,
    slackMs: 0,
    pass: async (ms) => clock.pass(ms),
  }
})

test('300 events spread over a minute make room for one more at its end', () => {
  const clock = fakeClock()
  const log = new SlidingLog({ now: clock.now })
  for (let event = 0; event < 300; event++) {
    log.take('pair', 300)
    clock.pass(200)
  }

  assert.deepEqual(log.take('pair', 300), { admitted: true, limit: 300, count: 300, resetMs: 200 })
  assert.deepEqual(log.take('pair', 300), { admitted: false, limit: 300, count: 300, resetMs: 200 })
})

test('a million decisions are those of the oracle, in verdict, count and reset', () => {
  const windowMs = 100
  // Waits of a window, of nearly one and of several meet the boundary and every age of the two generations.
  const wait = fc.oneof(
    fc.constant(0),
    fc.nat(40),
    fc.constantFrom(windowMs - 1, windowMs, windowMs + 1, 199, 200, 350),
  )
  const history = fc.array(fc.tuple(decision, wait), { minLength: 1000, maxLength: 1000 })

  fc.assert(
    fc.property(history, (steps) => {
      const clock = fakeClock()
      const log = new SlidingLog({ windowMs, now: clock.now })
      const oracle = new Oracle(windowMs)
      for (const [request, ms] of steps) {
        clock.pass(ms)
        const expected = oracle.decide(request, clock.now())
        const { resetMs, ...decision } = log[request.verb](request.key, request.limit)
        // Compared by hand: a million deepEquals take longer than everything else.
        const same =
          decision.admitted === expected.admitted && decision.count === expected.count && resetMs === expected.reset
        if (!same) assert.deepEqual({ ...decision, reset: resetMs }, expected)
      }
    }),
    { numRuns: 1000 },
  )
})

test('a key keeps its log while the generations turn beneath it', () => {
  const clock = fakeClock()
  const log = new SlidingLog({ windowMs: 100, now: clock.now })

  const counts = times(40, () => {
    clock.pass(30)
    return log.take('steady', 10).count
  })

  assert.deepEqual(counts.slice(0, 4), [1, 2, 3, 4])
  assert.ok(counts.slice(4).every((count) => count === 4))
})

test('a million addresses seen once fit in 64 MiB, and three million need no more', () => {
  const log = new SlidingLog()
  const before = heapInUse()

  for (let address = 0; address < 1_000_000; address++) log.take(scattered(address), 60)
  const million = heapInUse() - before
  for (let address = 1_000_000; address < 3_000_000; address++) log.take(scattered(address), 60)
  const threeMillion = heapInUse() - before

  assert.ok(million < 64 * 2 ** 20, `${million} bytes`)
  assert.ok(threeMillion < 64 * 2 ** 20, `${threeMillion} bytes`)
  assert.equal(log.overflows, 2_000_000)
})

test('a flood of addresses neither resets nor starves a key that is tracked', () => {
  const windows = memoryWindows({ maxKeys: 1000, now: fakeClock().now })
  const tracked = times(3, () => windows.take(2, 'tracked', 5))

  for (let flood = 0; flood < 10_000; flood++) windows.take(2, flood, 5)
  const verdicts = times(3, () => windows.take(2, 'tracked', 5))

  assert.deepEqual(
    [...tracked, ...verdicts].map(({ admitted }) => admitted),
    [true, true, true, true, true, false],
  )
  assert.equal(verdicts[2]!.count, 5)
})

test('newcomers past the last tracked key share ten times the limit until room is made', () => {
  const clock = fakeClock()
  const windows = memoryWindows({ maxKeys: 100, now: clock.now })
  for (let address = 0; address < 100; address++) windows.take(1, address, 3)
  assert.equal(windows.overflows(1), 0)

  const newcomers = times(40, (index) => windows.take(1, 1000 + index, 3))
  const looked = windows.look(1, 'late', 3)

  assert.equal(newcomers.filter(({ admitted }) => admitted).length, 30)
  assert.deepEqual(seen(newcomers[0]!), { admitted: true, limit: 30, count: 1 })
  assert.deepEqual(looked, { admitted: false, limit: 30, count: 30, resetMs: 60_000 })
  assert.equal(windows.overflows(1), 41)
  assert.equal(windows.overflows(2), 0)

  clock.pass(120_000)
  assert.deepEqual(windows.take(1, 'late', 3), { admitted: true, limit: 3, count: 1, resetMs: 60_000 })
})

test('a key that moves to the young generation is not tracked twice', () => {
  const clock = fakeClock()
  const log = new SlidingLog({ windowMs: 100, maxKeys: 10, now: clock.now })
  for (let key = 0; key < 9; key++) log.take(key, 5)
  clock.pass(100)
  for (let key = 0; key < 9; key++) log.take(key, 5)

  assert.deepEqual(seen(log.take('newcomer', 5)), { admitted: true, limit: 5, count: 1 })
  assert.equal(log.overflows, 0)
})

test('a fresh event resets in one window, whatever fraction the clock shows', () => {
  for (const ms of times(1000, () => Math.random() * 60_000)) {
    assert.equal(new SlidingLog({ now: fakeClock(ms).now }).take('pair', 300).resetMs, 60_000)
  }
})

test('without a given clock, real time is used', async () => {
  const log = new SlidingLog({ windowMs: 1_000 })
  assert.equal(log.take('pair', 1).admitted, true)
  assert.equal(log.take('pair', 1).admitted, false)

  await until(() => log.take('pair', 1).admitted)
})

function fakeClock(ms = 0) {
  return {
    now: () => ms,
    pass(passed: number) {
      ms += passed
    },
  }
}

/** Distinct for distinct numbers, all over the 32 bits of an address. */
const scattered = (address: number) => Math.imul(address, 2_654_435_761) >>> 0

function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
