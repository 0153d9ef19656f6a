import type { Key, LimitDecision, Tier, Wait } from '../http/call.ts'

// §8: three tiers, each with a sliding window of one minute. Here is the exact log in memory, for one process (D7.4).

/** The counters of the three tiers. Each tier has its own logs, so a key is unique within its tier only. */
export interface Windows {
  /** Counts an event unless the window is full. */
  take(tier: Tier, key: Key, limit: number, wait?: Wait): LimitDecision | Promise<LimitDecision>
  /** Says what `take` would decide and counts nothing. */
  look(tier: Tier, key: Key, limit: number, wait?: Wait): LimitDecision | Promise<LimitDecision>
  /** Decisions so far that fell to the budget shared by keys too many to be tracked. */
  overflows(tier: Tier): number
  close(): Promise<void>
}

export interface WindowOptions {
  windowMs?: number
  /** Keys tracked in one tier; past them, newcomers share one budget. */
  maxKeys?: number
  /** Milliseconds that never step back. */
  now?: () => number
}

/** Answers at once, without a promise: every request passes here. */
export function memoryWindows(options: WindowOptions = {}) {
  const logs = { 1: new SlidingLog(options), 2: new SlidingLog(options), 3: new SlidingLog(options) }
  return {
    take: (tier: Tier, key: Key, limit: number) => logs[tier].take(key, limit),
    look: (tier: Tier, key: Key, limit: number) => logs[tier].look(key, limit),
    overflows: (tier: Tier) => logs[tier].overflows,
    close: async () => {},
  } satisfies Windows
}

/** The budget of newcomers past `maxKeys`, in limits: a flood of addresses must neither reset nor starve those already tracked. */
const CROWD_SHARE = 10

/** A key's counted events. One is kept as its bare stamp, because most addresses are seen once. */
type Events = number | Ring

/**
 * The stamps of each key's counted events over the last window, which is half-open: an event exactly one window old has left.
 *
 * Keys live in two generations. A key that has counted nothing since the generations turned sits in the old one, and by
 * the next turn, a window later, all its events have left. So a whole generation is dropped at once, without timers or sweeps.
 */
export class SlidingLog {
  readonly #windowMs: number
  readonly #maxKeys: number
  readonly #now: () => number
  readonly #crowd = new Ring()
  #young = new Map<Key, Events>()
  #old = new Map<Key, Events>()
  #turnedAt = Number.NEGATIVE_INFINITY
  overflows = 0

  constructor({ windowMs = 60_000, maxKeys = 1_000_000, now = () => performance.now() }: WindowOptions = {}) {
    this.#windowMs = windowMs
    this.#maxKeys = maxKeys
    this.#now = now
  }

  take(key: Key, limit: number): LimitDecision {
    return this.#decide(key, limit, true)
  }

  look(key: Key, limit: number): LimitDecision {
    return this.#decide(key, limit, false)
  }

  #decide(key: Key, limit: number, counting: boolean): LimitDecision {
    const now = this.#now()
    this.#turn(now)
    const young = this.#young.get(key)
    const events = young ?? this.#old.get(key)
    if (events === undefined && this.#young.size + this.#old.size >= this.#maxKeys) {
      return this.#decideInCrowd(limit * CROWD_SHARE, counting, now)
    }
    const count = countLive(events, now, this.#windowMs)
    const admitted = count < limit
    if (!admitted || !counting) return this.#decision(admitted, limit, count, events, now)

    const kept = count === 0 ? now : withStamp(events!, now)
    if (kept !== young) this.#young.set(key, kept)
    if (young === undefined && events !== undefined) this.#old.delete(key)
    return this.#decision(true, limit, count + 1, kept, now)
  }

  #decideInCrowd(limit: number, counting: boolean, now: number): LimitDecision {
    this.overflows++
    const count = countLive(this.#crowd, now, this.#windowMs)
    const admitted = count < limit
    if (admitted && counting) this.#crowd.push(now)
    return this.#decision(admitted, limit, this.#crowd.size, this.#crowd, now)
  }

  #decision(admitted: boolean, limit: number, count: number, events: Events | undefined, now: number): LimitDecision {
    if (limit === 0) return { admitted, limit, count, resetMs: this.#windowMs } // nothing will free a slot
    if (count === 0) return { admitted, limit, count, resetMs: 0 }
    // A slot frees as the oldest event leaves; or a later one, when the limit was lowered beneath the count.
    const freeing = stampAt(events!, admitted ? 0 : count - limit)
    // Subtracted in this order, rounding never makes it longer than the window.
    return { admitted, limit, count, resetMs: this.#windowMs - (now - freeing) }
  }

  #turn(now: number) {
    const age = now - this.#turnedAt
    if (age < this.#windowMs) return
    this.#old = age < 2 * this.#windowMs ? this.#young : new Map()
    this.#young = new Map()
    this.#turnedAt = now
  }
}

/** Stamps, oldest first, in a circle whose length is a power of two. */
class Ring {
  #stamps = new Array<number>(4)
  #head = 0
  size = 0

  timeAt(index: number): number {
    return this.#stamps[(this.#head + index) & (this.#stamps.length - 1)]!
  }

  push(stamp: number) {
    if (this.size === this.#stamps.length) this.#grow()
    this.#stamps[(this.#head + this.size) & (this.#stamps.length - 1)] = stamp
    this.size++
  }

  dropExpired(now: number, windowMs: number) {
    while (this.size > 0 && now - this.timeAt(0) >= windowMs) {
      this.#head = (this.#head + 1) & (this.#stamps.length - 1)
      this.size--
    }
  }

  #grow() {
    const wider = new Array<number>(this.size * 2)
    for (let index = 0; index < this.size; index++) wider[index] = this.timeAt(index)
    this.#stamps = wider
    this.#head = 0
  }
}

function countLive(events: Events | undefined, now: number, windowMs: number): number {
  if (events === undefined) return 0
  if (typeof events === 'number') return now - events < windowMs ? 1 : 0
  events.dropExpired(now, windowMs)
  return events.size
}

function stampAt(events: Events, index: number): number {
  return typeof events === 'number' ? events : events.timeAt(index)
}

function withStamp(events: Events, stamp: number): Events {
  const ring = typeof events === 'number' ? new Ring() : events
  if (typeof events === 'number') ring.push(events)
  ring.push(stamp)
  return ring
}
