// §8 tier 3, rule 3: workers share one log, so that more workers do not multiply a limit. When the store fails, each counts alone.
import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { type Key, memoryWindows, type Standing, type Tier, type WindowOptions, type Windows } from './window.ts'

/** `shared`: Redis counts. `local`: it fails, and this process counts its part alone. */
export type Mode = 'shared' | 'local'

export interface RedisWindowsOptions extends WindowOptions {
  url: string
  /** How many processes share the store. */
  fleet: number
  /** How long one call may wait for the store. */
  deadlineMs?: number
  /** Called once for each change of mode, with what made it local. */
  onMode?: (mode: Mode, cause?: Error) => void
}

export interface RedisWindows extends Windows {
  readonly mode: Mode
}

/** Waits for the first connection. A store that is down at the start is one that fails: the local policy rules until it is there. */
export async function redisWindows(options: RedisWindowsOptions): Promise<RedisWindows> {
  const { fleet, now = () => performance.now(), onMode } = options
  const store = new RedisLog(options)
  const local = memoryWindows(options)
  const way = wayToStore(now, onMode)
  const refusals = recentRefusals(now)
  await store.connected().catch(way.breakOff)

  function decide(tier: Tier, key: Key, limit: number, verb: Verb): Standing | Promise<Standing> {
    const name = `rl:{t${tier}:${key}}` // braces: a cluster places a key by what they enclose
    const refusal = refusals.find(name, limit)
    if (refusal) return refusal
    if (way.mode() === 'shared') return decideTogether(tier, key, limit, verb, name)
    if (way.mayBeTried()) void tryStore()
    return decideAlone(tier, key, limit, verb)
  }

  async function decideTogether(tier: Tier, key: Key, limit: number, verb: Verb, name: string): Promise<Standing> {
    const askedAt = now()
    let standing: Standing
    try {
      standing = await store.ask(verb, name, limit)
    } catch (cause) {
      way.failed(cause as Error)
      return decideAlone(tier, key, limit, verb)
    }
    if (!standing.admitted) refusals.add(name, standing, askedAt)
    else if (verb === 'take') local.take(tier, key, limit) // a switch to counting alone then starts warm
    return standing
  }

  /** Tries it with an event that nobody waits for. It must be a write: a store that is full, or a replica, still answers looks. */
  const tryStore = () => store.ask('take', 'rl:{trial}', Number.MAX_SAFE_INTEGER).then(way.mend, () => {})

  const decideAlone = (tier: Tier, key: Key, limit: number, verb: Verb) =>
    local[verb](tier, key, shareOf(tier, limit, fleet))

  return {
    take: (tier, key, limit) => decide(tier, key, limit, 'take'),
    look: (tier, key, limit) => decide(tier, key, limit, 'look'),
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

type Verb = 'take' | 'look'

// One script, one round trip and Redis's own clock, so that workers cannot disagree about the window. Stamps are microseconds.
const SCRIPT = `
local key, limit, window = KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local function stamp(index) return tonumber(redis.call('LINDEX', key, index)) end

local time = redis.call('TIME')
local clock = tonumber(time[1]) * 1000000 + tonumber(time[2])
local now = clock
local count = redis.call('LLEN', key)
if count > 0 then
  local newest = stamp(-1)
  -- A clock set back by up to a window stands still until it has caught up with the log. Further back, the log means nothing.
  if newest > now and newest - now <= window then now = newest end
  if newest > now or newest <= now - window then
    redis.call('DEL', key)
    count = 0
  elseif stamp(0) <= now - window then
    local gone, live = 0, count - 1
    while live - gone > 1 do
      local middle = math.floor((gone + live) / 2)
      if stamp(middle) <= now - window then gone = middle else live = middle end
    end
    redis.call('LTRIM', key, live, -1)
    count = count - live
  end
end

local admitted = count < limit
if admitted and ARGV[1] == 'take' then
  redis.call('RPUSH', key, now)
  redis.call('PEXPIREAT', key, math.ceil((now + window) / 1000) + 1000)
  count = count + 1
end

local reset = admitted and 0 or window                 -- of an empty log, of a limit of 0
local freeing = stamp(admitted and 0 or count - limit) -- later than the oldest only where the limit was lowered
if freeing then reset = freeing + window - clock end
return { admitted and 1 or 0, count, reset, now }
`
const SCRIPT_SHA = createHash('sha1').update(SCRIPT).digest('hex')

/** How many times a process looks for an answer until it gives up. */
const TICKS = 5

/** Admitted as 1 or 0, count, reset, now. */
type Reply = [number, number, number, number]

/** A standing, and the instant it is true of by Redis's clock. */
export interface StampedStanding extends Standing {
  stampUs: number
}

/** The logs in Redis or Valkey. Fails rather than let anyone wait. */
export class RedisLog {
  readonly #redis: Redis
  readonly #windowUs: number
  readonly #deadlineMs: number
  readonly #patience: ReturnType<typeof patience>
  #overdue = 0
  #trouble: Error | undefined

  constructor({ url, windowMs = 60_000, deadlineMs = 50 }: { url: string; windowMs?: number; deadlineMs?: number }) {
    this.#windowUs = windowMs * 1000
    this.#deadlineMs = deadlineMs
    this.#patience = patience(deadlineMs)
    this.#redis = new Redis(url, {
      lazyConnect: true,
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 1000,
      socketTimeout: 3000, // a connection that died without a word is given up, and made anew
      retryStrategy: (attempt) => Math.min(50 * 2 ** (attempt - 1), 1000),
      reconnectOnError: (error) => error.message.includes('READONLY'), // after a failover the old primary is a replica
    })
    this.#redis.on('error', (error: Error) => {
      this.#trouble = error
    })
    this.#redis.on('ready', () => {
      this.#trouble = undefined
    })
  }

  async connected(): Promise<void> {
    await this.#redis.connect().catch((error: Error) => {
      throw this.#trouble ?? error
    })
  }

  async ask(verb: Verb, name: string, limit: number): Promise<StampedStanding> {
    if (this.#redis.status !== 'ready') throw new Error('No connection to Redis', { cause: this.#trouble })
    // Whoever asked first has waited for everyone. The late answer, or the loss of the connection, ends this.
    if (this.#overdue > 0) throw new Error('Redis does not answer')
    const [admitted, count, resetUs, stampUs] = await this.#inTime(this.#run(verb, name, limit))
    return { admitted: admitted === 1, limit, count, resetMs: resetUs / 1000, stampUs }
  }

  close() {
    this.#redis.disconnect()
  }

  async #run(verb: Verb, name: string, limit: number): Promise<Reply> {
    const call = [1, name, verb, limit, this.#windowUs] as const
    try {
      return (await this.#redis.evalsha(SCRIPT_SHA, ...call)) as Reply
    } catch (error) {
      if (!(error as Error).message.includes('NOSCRIPT')) throw error
      return (await this.#redis.eval(SCRIPT, ...call)) as Reply // which loads it, too
    }
  }

  #inTime<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const answered = this.#patience.wait(() => {
        this.#overdue++
        answer.catch(() => {}).finally(() => this.#overdue--)
        reject(new Error(`Redis did not answer within ${this.#deadlineMs} ms`))
      })
      answer.finally(answered).then(resolve, reject)
    })
  }
}

/**
 * How long answers are waited for, in ticks; at each, whatever the sockets hold has been read. A tick that is late itself does not count:
 * a process that is too busy to send a call or to read its answer must not conclude that the store is slow. (ioredis's commandTimeout
 * goes by the clock, and starts when earlier calls have been answered.)
 */
function patience(deadlineMs: number) {
  const tickMs = deadlineMs / TICKS
  const waiting = new Set<{ ticks: number; giveUp(): void }>()
  let lastTick: number | undefined

  function nextTick() {
    lastTick = performance.now()
    setTimeout(setImmediate, tickMs, tick) // sockets are read before the next immediate
  }
  function tick() {
    const onTime = performance.now() - lastTick! < 2 * tickMs
    for (const call of waiting) {
      if (onTime) call.ticks++
      if (call.ticks < TICKS) continue
      waiting.delete(call)
      call.giveUp()
    }
    lastTick = undefined
    if (waiting.size > 0) nextTick()
  }

  return {
    /** Calls `giveUp` once it has been too long, unless what it returns is called before. */
    wait(giveUp: () => void): () => void {
      const call = { ticks: 0, giveUp }
      waiting.add(call)
      if (lastTick === undefined) nextTick()
      return () => void waiting.delete(call)
    },
  }
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
