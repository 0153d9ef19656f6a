// §8 tier 3, rule 3: workers share the counts in Redis, so that more workers do not multiply a limit. While Redis fails, each worker
// counts its share.

import type { Key, LimitDecision, Tier, Wait } from '../http/call.ts'
import { RedisLog, type Verb } from './redis-log.ts'
import { memoryWindows, type WindowOptions, type Windows } from './window.ts'

/** `shared`: Redis counts. `local`: Redis fails, and this process counts its share of the limits. */
export type Mode = 'shared' | 'local'

export interface RedisWindowsOptions extends WindowOptions {
  url: string
  /** How many processes share Redis. */
  fleet: number
  /** How long one request may wait for Redis, over all of its calls. */
  deadlineMs?: number
  /** Called at each change of mode; `cause` is the failure that made it local. */
  onMode?: (mode: Mode, cause?: Error) => void
}

export interface RedisWindows extends Windows {
  readonly mode: Mode
}

/** Waits for the first connection. If Redis is down at the start, this process counts locally until Redis is up. */
export async function redisWindows(options: RedisWindowsOptions): Promise<RedisWindows> {
  const { fleet, deadlineMs = 50, now = () => performance.now(), onMode } = options
  const store = new RedisLog({ ...options, deadlineMs })
  const local = memoryWindows(options)
  const breaker = circuitBreaker(now, onMode)
  const refusals = recentRefusals(now)
  await store.connected().catch(breaker.open)

  function decide(
    verb: Verb,
    tier: Tier,
    key: Key,
    limit: number,
    wait?: Wait,
  ): LimitDecision | Promise<LimitDecision> {
    const name = `rl:{t${tier}:${key}}` // a Redis cluster chooses the node by the text in braces
    const refusal = refusals.find(name, limit)
    if (refusal) return refusal
    if (breaker.mode() === 'shared') return decideTogether(verb, tier, key, limit, name, wait)
    if (breaker.shouldProbe()) void probe()
    return decideAlone(verb, tier, key, limit)
  }

  async function decideTogether(
    verb: Verb,
    tier: Tier,
    key: Key,
    limit: number,
    name: string,
    wait?: Wait,
  ): Promise<LimitDecision> {
    const sentAt = now()
    let decision: LimitDecision
    try {
      decision = await store.ask(verb, name, limit, wait)
    } catch (cause) {
      breaker.recordFailure(cause as Error)
      return decideAlone(verb, tier, key, limit)
    }
    if (!decision.admitted) refusals.add(name, decision, sentAt)
    else if (verb === 'take') local.take(tier, key, limit) // so that counting locally starts with the recent events
    return decision
  }

  /**
   * Asks Redis once, outside any request. It must be a write: a Redis that is full, or a replica, still answers reads. And it must be
   * fast: a request asks up to three times, so a call may take a third of the request's time.
   */
  async function probe(): Promise<void> {
    const sentAt = now()
    try {
      await store.ask('take', 'rl:{trial}', Number.MAX_SAFE_INTEGER)
    } catch {
      return
    }
    if (now() - sentAt < deadlineMs / 3) breaker.close()
  }

  const decideAlone = (verb: Verb, tier: Tier, key: Key, limit: number) =>
    local[verb](tier, key, shareOf(tier, limit, fleet))

  return {
    take: (...args) => decide('take', ...args),
    look: (...args) => decide('look', ...args),
    overflows: local.overflows,
    close: async () => store.close(),
    get mode() {
      return breaker.mode()
    },
  }
}

/**
 * The part of a limit that one process applies while Redis fails. Tiers 1 and 3 are divided by the number of processes, so that guessing
 * credentials stays slow and quotas are not multiplied; at least one sign-in is admitted. Tier 2 is not divided: it only protects the
 * service, and refusing good calls protects nothing.
 */
function shareOf(tier: Tier, limit: number, fleet: number): number {
  if (tier === 2) return limit
  const part = Math.floor(limit / fleet)
  return tier === 1 ? Math.max(1, part) : part
}

/** Opens after five failures within a second: Redis is then no longer asked, but probed once a second. Closes when a probe succeeds. */
function circuitBreaker(now: () => number, onMode: RedisWindowsOptions['onMode']) {
  let mode: Mode = 'shared'
  let failures: number[] = []
  let probeAt = 0

  function open(cause: Error) {
    mode = 'local'
    failures = []
    probeAt = now() + 1000
    onMode?.('local', cause)
  }

  return {
    mode: () => mode,
    open,

    recordFailure(cause: Error) {
      if (mode === 'local') return // the call was under way when the breaker opened
      failures = [...failures.filter((failedAt) => now() - failedAt < 1000), now()]
      if (failures.length >= 5) open(cause)
    },

    shouldProbe(): boolean {
      if (now() < probeAt) return false
      probeAt = now() + 1000
      return true
    },

    close() {
      if (mode === 'shared') return
      mode = 'shared'
      onMode?.('shared')
    },
  }
}

/**
 * Remembers refusals: no slot becomes free before the reset, so repeated requests need no call to Redis. A refusal is remembered for at
 * most a second and for one limit, so that a raised quota takes effect at once.
 */
function recentRefusals(now: () => number) {
  const refusals = new Map<string, { limit: number; count: number; until: number; freesAt: number }>()

  return {
    find(name: string, limit: number): LimitDecision | undefined {
      const refusal = refusals.get(name)
      if (refusal?.limit !== limit || now() >= refusal.until) return undefined
      return { admitted: false, limit, count: refusal.count, resetMs: refusal.freesAt - now() }
    },

    /** Redis decided at some time between `sentAt` and now: the refusal expires counted from the earlier, the reset from the later. */
    add(name: string, { limit, count, resetMs }: LimitDecision, sentAt: number) {
      for (const [oldest, { until }] of refusals) {
        if (now() < until) break
        refusals.delete(oldest)
      }
      refusals.delete(name) // to be set again as the youngest
      refusals.set(name, { limit, count, until: sentAt + Math.min(resetMs, 1000), freesAt: now() + resetMs })
    },
  }
}
