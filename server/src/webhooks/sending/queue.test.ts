import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { deliveryQueue, type Held, type Item, type Sending } from './queue.ts'

// W10 against a naive model: a receiver that notes what reached it, a feed, and a store that is read again after each kill.

type Act =
  | { kind: 'publish'; object: string }
  | { kind: 'send' }
  | { kind: 'settle'; which: number; outcome: 'delivered' | 'failed' | 'refused' | 'passed' | 'unsent' }
  | { kind: 'write' }
  | { kind: 'kill' }
  | { kind: 'mode'; mode: 'active' | 'probe' }
  | { kind: 'later'; ms: number }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('publish' as const), object: fc.constantFrom('', 'a', 'b', 'c') }),
  },
  { weight: 5, arbitrary: fc.constant({ kind: 'send' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      which: fc.nat(7),
      outcome: fc.constantFrom(
        'delivered' as const,
        'delivered' as const,
        'failed' as const,
        'refused' as const,
        'passed' as const,
        'unsent' as const,
      ),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'write' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'kill' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('mode' as const),
      mode: fc.constantFrom('active' as const, 'probe' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('later' as const), ms: fc.constantFrom(1_000, 60_000, 90_000_000) }),
  },
)

/** One endpoint, its feed and its store. */
function model() {
  const feed: Item[] = []
  const stored = { cursor: { position: 0, nonce: 0 }, held: new Map<number, Held>() }
  const reached = new Map<number, number>()
  const settledFor = new Set<number>()
  let queue = deliveryQueue<Item>(stored.cursor, [], () => 0.5)
  let flying: Sending<Item>[] = []
  let [now, mode] = [0, 'active' as 'active' | 'probe']
  let repeats = 0

  const fill = () => {
    while (queue.wantsMore() && queue.readTo.position < feed.length) {
      const item = feed[queue.readTo.position]!
      queue.add(item, item.type === 'unwanted' ? undefined : item)
    }
  }
  const inStore = (position: number) => {
    const held = stored.held.get(position)
    return held ? held.state !== 'waiting' : position <= stored.cursor.position
  }

  const acts: Record<Act['kind'], (given: never) => void> = {
    publish({ object }: { object: string }) {
      const position = feed.length + 1
      feed.push({ position, nonce: position, type: position % 7 === 0 ? 'unwanted' : 'wanted', object })
    },
    send() {
      fill()
      const sending = queue.next(now, mode)
      if (!sending) return
      const { position, object } = sending.item
      if (object !== '')
        for (const before of feed.slice(0, position - 1))
          if (before.object === object && before.type === 'wanted')
            assert.ok(settledFor.has(before.position), `${position} went out before ${before.position} was over`)
      if (object === '')
        for (const before of feed.slice(0, position - 1)) {
          const isFlying = flying.some(({ item, cause }) => item.position === before.position && cause === 'live')
          assert.ok(!isFlying || sending.cause !== 'live', `${position} has no object and overtook ${before.position}`)
        }
      if (inStore(position)) assert.fail(`${position} was settled and written, and went out again`)
      flying.push(sending)
      reached.set(position, (reached.get(position) ?? 0) + 1)
    },
    settle({ which, outcome }: Extract<Act, { kind: 'settle' }>) {
      const [sending] = flying.splice(which % Math.max(1, flying.length), 1)
      if (!sending) return
      if (outcome === 'unsent') return queue.putBack(sending)
      const failure = { class: 'connect', status: null }
      queue.settle(
        sending,
        outcome === 'delivered' || outcome === 'passed' ? { kind: outcome } : { kind: outcome, ...failure },
        now,
      )
      if (outcome !== 'failed') settledFor.add(sending.item.position)
      else if (sending.attempt >= 13 && sending.cause === 'retry') settledFor.add(sending.item.position)
    },
    write() {
      const changes = queue.changes()
      if (!changes) return
      for (const held of [...changes.added, ...changes.changed]) stored.held.set(held.position, held)
      for (const { position } of changes.removed) assert.ok(stored.held.delete(position), 'removes what is stored')
      assert.ok(changes.cursor.position >= stored.cursor.position, 'the cursor moved back')
      stored.cursor = changes.cursor
      for (const item of feed.slice(0, stored.cursor.position))
        if (item.type === 'wanted')
          assert.ok(
            settledFor.has(item.position) || stored.held.get(item.position)?.state === 'waiting',
            `the cursor passed ${item.position}, which is neither over nor held`,
          )
      queue.written()
      const waiting = [...stored.held.values()].filter(({ state }) => state === 'waiting').length
      assert.ok(queue.size <= waiting + 2 * 72, `${queue.size} events in memory, ${waiting} waiting`)
    },
    kill() {
      repeats = [...settledFor].filter((position) => !inStore(position)).length + flying.length
      assert.ok(repeats <= 72, `${repeats} repeats`)
      for (const position of [...settledFor]) if (!inStore(position)) settledFor.delete(position)
      flying = []
      const kept = [...stored.held.values()].filter(
        ({ state, position }) => state === 'waiting' || position > stored.cursor.position,
      )
      queue = deliveryQueue<Item>(stored.cursor, kept, () => 0.5)
    },
    mode({ mode: given }: { mode: 'active' | 'probe' }) {
      mode = given
    },
    later({ ms }: { ms: number }) {
      now += ms
    },
  }

  /** Everything that is still to come, with a receiver that answers. */
  function finish(): void {
    mode = 'active'
    for (let rounds = 0; ; rounds++) {
      assert.ok(rounds < 100_000, 'it does not end')
      now += 90_000_000
      acts.send(undefined as never)
      if (flying.length === 0) break
      acts.settle({ which: 0, outcome: 'delivered' } as never)
      acts.write(undefined as never)
    }
    acts.write(undefined as never)
    assert.equal(stored.cursor.position, feed.length)
    for (const item of feed)
      if (item.type === 'wanted') assert.ok(settledFor.has(item.position), `${item.position} was lost`)
    assert.ok([...stored.held.values()].every(({ state }) => state !== 'waiting'))
  }

  return { apply: (given: Act) => acts[given.kind](given as never), finish }
}

test('W10: each event at least once and those of an object in order, whatever fails and whenever it is killed', () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 20, maxLength: 300, size: 'max' }), (acts) => {
      const { apply, finish } = model()
      for (const each of acts) apply(each)
      finish()
    }),
    { numRuns: 300 },
  )
})

test('a kill repeats at most 72 deliveries, also when the first of many hangs', () => {
  const queue = deliveryQueue<Item>({ position: 0, nonce: 0 }, [])
  let [read, sent] = [0, 0]
  for (let at = 0; at < 500; at++) {
    while (queue.wantsMore() && read < 500) {
      const item = { position: ++read, nonce: 1, type: 'x', object: `o ${read}` }
      queue.add(item, item)
    }
    const sending = queue.next(0, 'active')
    if (!sending) break
    sent++
    if (sent > 1) queue.settle(sending, { kind: 'delivered' }, 0)
  }
  assert.equal(sent, 72)
})

test('what a receiver refuses is not kept in memory, however much that is', () => {
  const queue = deliveryQueue<Item>({ position: 0, nonce: 0 }, [])
  let largest = 0
  for (let position = 1; position <= 5_000; position++) {
    const item = { position, nonce: 1, type: 'x', object: 'a' }
    queue.add(item, item)
    queue.settle(queue.next(0, 'active')!, { kind: 'refused', class: 'status_4xx', status: 400 }, 0)
    if (position % 64 === 0) assert.equal(queue.changes()!.added.length, 64)
    queue.written()
    largest = Math.max(largest, queue.size)
  }
  assert.ok(largest <= 2 * 72, `${largest} events in memory`)
})

test('a failing receiver is probed with the oldest waiting event and the next at the cursor, in turn', () => {
  const held: Held = {
    position: 1,
    nonce: 1,
    type: 'x',
    object: 'a',
    state: 'waiting',
    attempts: 1,
    next_at: 9e15,
    class: 'tls',
    status: null,
  }
  const queue = deliveryQueue<Item>({ position: 1, nonce: 1 }, [held])
  for (const position of [2, 3]) {
    const item = { position, nonce: 1, type: 'x', object: position === 2 ? 'a' : 'b' }
    queue.add(item, item)
  }
  const probed = [1, 2, 3, 4].map(() => {
    const sending = queue.next(0, 'probe')!
    queue.settle(sending, { kind: 'failed', class: 'connect', status: null }, 0)
    return sending.item.position
  })
  assert.deepEqual(probed, [3, 1, 3, 1])
  assert.equal(queue.waiting, 2, 'what is behind a held one of its object is held too')
  assert.equal(queue.changes()!.added[0]!.attempts, 0, 'a probe is no attempt of the event')
})
