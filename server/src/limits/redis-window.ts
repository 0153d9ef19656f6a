// §8 tier 3, rule 3: workers share one log, so that more workers do not multiply a limit. When the store fails, each counts alone.

import type { Key, Standing, Tier, Wait } from '../http/call.ts'
import { RedisLog, type Verb } from './redis-log.ts'
import { memoryWindows, type WindowOptions, type Windows } from './window.ts'

/** `shared`: Redis counts. `local`: it fails, and this process counts its part alone. */
export type Mode = 'shared' | 'local'

export interface RedisWindowsOptions extends WindowOptions {
  url: string
  /** How many processes share the store. */
  fleet: number
  /** How long one request may wait for the store, in all of its calls. */
  deadlineMs?: number
  /** Called once for each change of mode, with what made it local. */
  onMode?: (mode: Mode, cause?: Error) => void
}

export interface RedisWindows extends Windows {
  readonly mode: Mode
}

/** Waits for the first connection. A store that is down at the start is one that fails: the local policy rules until it is there. */
export async function redisWindows(options: RedisWindowsOptions): Promise<RedisWindows> {
  const { fleet, deadlineMs = 50, now = () => performance.now(), onMode } = options
  const store = new RedisLog({ ...options, deadlineMs })
  const local = memoryWindows(options)
  const way = wayToStore(now, onMode)
  const refusals = recentRefusals(now)
  await store.connected().catch(way.breakOff)

  function decide(verb: Verb, tier: Tier, key: Key, limit: number, wait?: Wait): Standing | Promise<Standing> {
    const name = `rl:{t${tier}:${key}}` // braces: a cluster places a key by what they enclose
    const refusal = refusals.find(name, limit)
    if (refusal) return refusal
    if (way.mode() === 'shared') return decideTogether(verb, tier, key, limit, name, wait)
    if (way.mayBeTried()) void tryStore()
    return decideAlone(verb, tier, key, limit)
  }

  async function decideTogether(
    verb: Verb,
    tier: Tier,
    key: Key,
    limit: number,
    name: string,
    wait?: Wait,
  ): Promise<Standing> {
    const askedAt = now()
    let standing: Standing
    try {
      standing = await store.ask(verb, name, limit, wait)
    } catch (cause) {
      way.failed(cause as Error)
      return decideAlone(verb, tier, key, limit)
    }
    if (!standing.admitted) refusals.add(name, standing, askedAt)
    else if (verb === 'take') local.take(tier, key, limit) // a switch to counting alone then starts warm
    return standing
  }

  /**
   * Tries it with an event that nobody waits for. It must be a write: a store that is full, or a replica, still answers looks. And it must
   * be fast: a request asks up to three times, so one that takes more than a third of its time would be left again at once.
   */
  async function tryStore(): Promise<void> {
    const askedAt = now()
    try {
      await store.ask('take', 'rl:{trial}', Number.MAX_SAFE_INTEGER)
    } catch {
      return
    }
    if (now() - askedAt < deadlineMs / 3) way.mend()
  }

  const decideAlone = (verb: Verb, tier: Tier, key: Key, limit: number) =>
    local[verb](tier, key, shareOf(tier, limit, fleet))

  return {
    take: (...asked) => decide('take', ...asked),
    look: (...asked) => decide('look', ...asked),
    overflows: local.overflows,
    close: async () => store.close(),
    get mode() {
      return way.mode()
    },
  }
}

/**
 * What one process of the fleet admits alone. Tiers 1 and 3 are divided: guessing credentials stays slow, and workers still do
 * not multiply a quota; but nobody is shut out of POST /auth. Tier 2 only protects, and refusing good calls protects nothing.
 */
function shareOf(tier: Tier, limit: number, fleet: number): number {
  if (tier === 2) return limit
  const part = Math.floor(limit / fleet)
  return tier === 1 ? Math.max(1, part) : part
}

/** Five failures within a second break the way to the store. It may be tried a second later, and then once a second. */
function wayToStore(now: () => number, onMode: RedisWindowsOptions['onMode']) {
  let mode: Mode = 'shared'
  let failures: number[] = []
  let tryAt = 0

  function breakOff(cause: Error) {
    mode = 'local'
    failures = []
    tryAt = now() + 1000
    onMode?.('local', cause)
  }

  return {
    mode: () => mode,
    breakOff,

    failed(cause: Error) {
      if (mode === 'local') return // under way when it broke
      failures = [...failures.filter((at) => now() - at < 1000), now()]
      if (failures.length >= 5) breakOff(cause)
    },

    mayBeTried(): boolean {
      if (now() < tryAt) return false
      tryAt = now() + 1000
      return true
    },

    mend() {
      if (mode === 'shared') return
      mode = 'shared'
      onMode?.('shared')
    },
  }
}

/**
 * Who was refused a moment ago. Nothing frees a slot before the reset, so whoever keeps asking costs no call to the store. A refusal
 * is remembered for a second at most and for its limit alone, so that a raised quota acts at once.
 */
function recentRefusals(now: () => number) {
  const refusals = new Map<string, { limit: number; count: number; until: number; freesAt: number }>()

  return {
    find(name: string, limit: number): Standing | undefined {
      const refusal = refusals.get(name)
      if (refusal?.limit !== limit || now() >= refusal.until) return undefined
      return { admitted: false, limit, count: refusal.count, resetMs: refusal.freesAt - now() }
    },

    /** The store decided between `askedAt` and now: asking again starts by the earlier, the reset is told by the later. */
    add(name: string, { limit, count, resetMs }: Standing, askedAt: number) {
      for (const [oldest, { until }] of refusals) {
        if (now() < until) break
        refusals.delete(oldest)
      }
      refusals.delete(name) // to be set again as the youngest
      refusals.set(name, { limit, count, until: askedAt + Math.min(resetMs, 1000), freesAt: now() + resetMs })
    },
  }
}
