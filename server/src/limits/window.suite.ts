// The tests that every implementation of Windows passes, and a simple reference implementation to compare with.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { LimitDecision } from '../http/call.ts'
import type { Windows } from './window.ts'

/** An implementation under test, with the clock that it reads. */
interface Stage {
  windows: Windows
  windowMs: number
  /** Time passes for the events of this key. */
  pass(ms: number, key: string): Promise<void>
  /** How far an instant may be missed: 0 where the clock is a variable of the test. */
  slackMs: number
}

/** Each adapter's test calls it with itself. */
export function windowSuite(name: string, open: () => Stage) {
  describe(name, { concurrency: true }, () => {
    test('admits as many events as the limit, and not one more', async () => {
      const { windows, windowMs, ...stage } = open()
      const key = randomUUID()

      const decisions = await Promise.all(times(301, () => windows.take(3, key, 300)))

      assert.deepEqual(seen(decisions[0]!), { admitted: true, limit: 300, count: 1 })
      assert.deepEqual(seen(decisions[299]!), { admitted: true, limit: 300, count: 300 })
      assert.deepEqual(seen(decisions[300]!), { admitted: false, limit: 300, count: 300 })
      assertNear(decisions[300]!.resetMs, windowMs, stage)
    })

    test('an event has left when it is exactly one window old', async () => {
      const { windows, windowMs, pass, slackMs } = open()
      const key = randomUUID()
      await sequentially(3, () => windows.take(1, key, 3))

      await pass(windowMs - 1 - slackMs, key)
      const before = await windows.take(1, key, 3)
      await pass(1 + 2 * slackMs, key)
      const after = await windows.take(1, key, 3)

      assert.deepEqual(seen(before), { admitted: false, limit: 3, count: 3 })
      assertNear(before.resetMs, 1 + slackMs, { slackMs })
      assert.deepEqual(seen(after), { admitted: true, limit: 3, count: 1 })
      assertNear(after.resetMs, windowMs, { slackMs })
    })

    test('each event leaves in its own time', async () => {
      const { windows, windowMs, pass, slackMs } = open()
      const key = randomUUID()
      await windows.take(3, key, 2)
      await pass(windowMs / 2, key)
      await windows.take(3, key, 2)

      await pass(windowMs / 2 + slackMs, key)
      const [next, oneMore] = await sequentially(2, () => windows.take(3, key, 2))

      assert.deepEqual(seen(next!), { admitted: true, limit: 2, count: 2 })
      assert.deepEqual(seen(oneMore!), { admitted: false, limit: 2, count: 2 })
      assertNear(oneMore!.resetMs, windowMs / 2 - slackMs, { slackMs })
    })

    test('a caller that waits as long as a refusal says is admitted', async () => {
      const { windows, windowMs, pass } = open()
      const key = randomUUID()
      await windows.take(3, key, 2)
      await pass(windowMs / 4, key)
      await windows.take(3, key, 2)

      for (const _ of [1, 2, 3]) {
        const refusal = await windows.take(3, key, 2)
        assert.equal(refusal.admitted, false)
        await pass(refusal.resetMs, key)
        assert.equal((await windows.take(3, key, 2)).admitted, true)
      }
    })

    test('what is refused is not counted, so asking on does not keep anyone out', async () => {
      const { windows, windowMs, pass, slackMs } = open()
      const key = randomUUID()
      await windows.take(2, key, 1)

      for (let quarter = 0; quarter < 3; quarter++) {
        await pass((windowMs - slackMs) / 4, key)
        const refusals = await sequentially(20, () => windows.take(2, key, 1))
        assert.ok(refusals.every(({ admitted, count }) => !admitted && count === 1))
      }
      await pass((windowMs - slackMs) / 4 + 2 * slackMs, key)

      assert.equal((await windows.take(2, key, 1)).admitted, true)
    })

    test('a look counts nothing and sees what a take would meet', async () => {
      const { windows, windowMs, slackMs } = open()
      const key = randomUUID()

      const empty = await sequentially(5, () => windows.look(2, key, 1))
      await windows.take(2, key, 1)
      const full = await windows.look(2, key, 1)
      const wider = await windows.look(2, key, 2)

      for (const decision of empty) {
        assert.deepEqual(seen(decision), { admitted: true, limit: 1, count: 0 })
        assert.equal(decision.resetMs, 0)
      }
      assert.deepEqual(seen(full), { admitted: false, limit: 1, count: 1 })
      assert.deepEqual(seen(wider), { admitted: true, limit: 2, count: 1 })
      for (const { resetMs } of [full, wider]) assertNear(resetMs, windowMs, { slackMs })
    })

    test('a limit of 0 refuses everyone for a whole window, whatever was counted before', async () => {
      const { windows, windowMs, pass } = open()
      const key = randomUUID()

      await sequentially(3, () => windows.take(3, key, 5))
      await pass(windowMs / 4, key)

      const known = await windows.take(3, key, 0)
      const unseen = await windows.take(3, randomUUID(), 0)

      assert.deepEqual(seen(known), { admitted: false, limit: 0, count: 3 })
      assert.deepEqual(seen(unseen), { admitted: false, limit: 0, count: 0 })
      assert.deepEqual([known.resetMs, unseen.resetMs], [windowMs, windowMs])
    })

    test('a raised limit acts at once', async () => {
      const { windows } = open()
      const key = randomUUID()
      await sequentially(3, () => windows.take(3, key, 2))

      assert.deepEqual(seen(await windows.take(3, key, 3)), { admitted: true, limit: 3, count: 3 })
      assert.equal((await windows.take(3, key, 3)).admitted, false)
    })

    test('a lowered limit refuses until enough events have left, and says when', async () => {
      const { windows, windowMs, pass, slackMs } = open()
      const key = randomUUID()
      await sequentially(2, () => windows.take(3, key, 4))
      await pass(windowMs / 2, key)
      await sequentially(2, () => windows.take(3, key, 4))

      const three = await windows.take(3, key, 3)
      const two = await windows.take(3, key, 2)
      await pass(windowMs / 2 + slackMs, key)
      const later = await windows.take(3, key, 2)

      assert.deepEqual(seen(three), { admitted: false, limit: 3, count: 4 })
      assertNear(three.resetMs, windowMs / 2, { slackMs }) // the second-oldest leaves
      assert.deepEqual(seen(two), { admitted: false, limit: 2, count: 4 })
      assertNear(two.resetMs, windowMs, { slackMs }) // the third-oldest leaves
      assert.deepEqual(seen(later), { admitted: false, limit: 2, count: 2 })
      assert.equal((await windows.take(3, key, 3)).admitted, true)
    })

    test('neither keys nor tiers share a log', async () => {
      const { windows } = open()
      const [one, other] = [randomUUID(), randomUUID()]

      const decisions = [
        await windows.take(1, one, 1),
        await windows.take(2, one, 1),
        await windows.take(3, one, 1),
        await windows.take(3, other, 1),
        await windows.take(3, randomAddress(), 1),
      ]

      assert.ok(decisions.every(({ admitted }) => admitted))
    })

    test('of ten calls at once, the one free slot admits one', async () => {
      const { windows } = open()
      const key = randomAddress()
      await Promise.all(times(599, () => windows.take(2, key, 600)))

      const decisions = await Promise.all(times(10, () => windows.take(2, key, 600)))

      assert.equal(decisions.filter(({ admitted }) => admitted).length, 1)
      assert.ok(decisions.every(({ count }) => count === 600))
    })

    test('a key without events for a whole window has its full limit again', async () => {
      const { windows, windowMs, pass } = open()
      const key = randomUUID()
      await sequentially(3, () => windows.take(3, key, 3))

      await pass(2 * windowMs, key)

      assert.deepEqual(seen(await windows.look(3, key, 3)), { admitted: true, limit: 3, count: 0 })
      assert.equal((await windows.look(3, key, 3)).resetMs, 0)
      assert.deepEqual(seen(await windows.take(3, key, 3)), { admitted: true, limit: 3, count: 1 })
    })
  })
}

/** The plainest implementation, which the others must agree with: it keeps every stamp and counts them each time. */
export class Oracle {
  readonly #window: number
  readonly #counted = new Map<unknown, number[]>()

  constructor(window: number) {
    this.#window = window
  }

  decide({ verb, key, limit }: Decision, now: number) {
    const live = (this.#counted.get(key) ?? []).filter((stamp) => now - stamp < this.#window)
    const admitted = live.length < limit
    if (admitted && verb === 'take') live.push(now)
    this.#counted.set(key, live)
    const freeing = admitted ? live[0] : live[live.length - limit]
    const reset = freeing === undefined ? (admitted ? 0 : this.#window) : this.#window - (now - freeing)
    return { admitted, limit, count: live.length, reset }
  }
}

export interface Decision {
  verb: 'take' | 'look'
  key: number
  limit: number
}

/** Few keys and small limits that change from call to call, so that full and lowered windows are the rule. */
export const decision: fc.Arbitrary<Decision> = fc.record({
  verb: fc.constantFrom('take', 'take', 'look'),
  key: fc.nat(4),
  limit: fc.oneof(fc.constant(6), fc.nat(12)),
})

/** All that two adapters must agree on to the letter. */
export const seen = ({ admitted, limit, count }: LimitDecision) => ({ admitted, limit, count })

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const randomAddress = () => Math.floor(Math.random() * 2 ** 32)

export async function sequentially<T>(count: number, call: () => T | Promise<T>): Promise<T[]> {
  const results: T[] = []
  while (results.length < count) results.push(await call())
  return results
}

function assertNear(actual: number, expected: number, { slackMs }: { slackMs: number }) {
  assert.ok(Math.abs(actual - expected) <= slackMs, `${actual} is not within ${slackMs} of ${expected}`)
}
