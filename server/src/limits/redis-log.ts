// The sliding logs of §8 in Redis or Valkey: one script, and a wait that has an end.
import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import type { LimitDecision, Wait } from '../http/call.ts'
import { StoreUnavailable } from '../storage/database.ts'

export type Verb = 'take' | 'look'

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

/** How many times a process looks for answers until it gives up. */
const TICKS = 5

/** Admitted as 1 or 0, count, reset, now. */
type Reply = [number, number, number, number]

/** A decision with its time, by Redis's clock. */
export interface TimedLimitDecision extends LimitDecision {
  stampUs: number
}

/** The logs in Redis or Valkey. Fails rather than let anyone wait. */
export class RedisLog {
  readonly #redis: Redis<'legacy'>
  readonly #windowUs: number
  readonly #deadlineMs: number
  readonly #timer: ReturnType<typeof deadlineTimer>
  #overdue = 0
  #trouble: Error | undefined

  constructor({ url, windowMs = 60_000, deadlineMs }: { url: string; windowMs?: number; deadlineMs: number }) {
    this.#windowUs = windowMs * 1000
    this.#deadlineMs = deadlineMs
    this.#timer = deadlineTimer(deadlineMs)
    this.#redis = new Redis<'legacy'>(url, {
      lazyConnect: true,
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 1000,
      socketTimeout: 3000, // a connection that no longer answers is closed and opened again
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

  /** Adds the time that it waited to `wait`, and fails without waiting once that is used up. */
  async ask(verb: Verb, name: string, limit: number, wait: Wait = { ms: 0 }): Promise<TimedLimitDecision> {
    if (this.#redis.status !== 'ready') throw new StoreUnavailable('No connection to Redis', { cause: this.#trouble })
    // An earlier call has already waited too long, so this one does not wait. The late answer, or losing the connection, ends this.
    if (this.#overdue > 0) throw new StoreUnavailable('Redis does not answer')
    if (this.#timer.isOver(wait)) throw this.#tooSlow()
    const [admitted, count, resetUs, stampUs] = await this.#inTime(this.#run(verb, name, limit).catch(refuse), wait)
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

  #inTime<T>(answer: Promise<T>, wait: Wait): Promise<T> {
    return new Promise((resolve, reject) => {
      const answered = this.#timer.start(wait, () => {
        this.#overdue++
        answer.catch(() => {}).finally(() => this.#overdue--)
        reject(this.#tooSlow())
      })
      answer.finally(answered).then(resolve, reject)
    })
  }

  #tooSlow(): Error {
    return new StoreUnavailable(`Redis did not answer within ${this.#deadlineMs} ms`)
  }
}

/** Redis begins what it refuses with a word for the reason, OOM or READONLY; the rest can quote. */
function refuse(error: Error): never {
  const [reason] = error.message.split(' ', 1)
  throw error.name === 'ReplyError' ? new StoreUnavailable(`Redis refused: ${reason}`) : error
}

/**
 * Limits how long a request waits for Redis. Waiting time is added up in ticks, and the sockets are read before each. A late tick counts
 * as one: a process that is too busy to send a call or to read its response must not conclude that Redis is slow. (ioredis's
 * commandTimeout uses the clock, and starts when earlier calls have been answered.)
 */
function deadlineTimer(deadlineMs: number) {
  const tickMs = deadlineMs / TICKS
  const calls = new Set<{ wait: Wait; seenAt: number; giveUp(): void }>()
  let ticking = false

  const isOver = ({ ms }: Wait) => ms > deadlineMs - tickMs / 2 // at the tick that is nearest to the deadline

  function addTime(call: { wait: Wait; seenAt: number }) {
    const now = performance.now()
    const passed = now - call.seenAt
    call.wait.ms += Math.min(passed, tickMs)
    call.seenAt = now
  }
  function nextTick() {
    ticking = calls.size > 0
    if (ticking) setTimeout(setImmediate, tickMs, tick) // sockets are read before the next immediate
  }
  function tick() {
    for (const call of calls) {
      addTime(call)
      if (!isOver(call.wait)) continue
      calls.delete(call)
      call.giveUp()
    }
    nextTick()
  }

  return {
    isOver,
    /** Adds to `wait` and calls `giveUp` once it is over, until what it returns is called. */
    start(wait: Wait, giveUp: () => void): () => void {
      const call = { wait, seenAt: performance.now(), giveUp }
      calls.add(call)
      if (!ticking) nextTick()
      return () => {
        if (calls.delete(call)) addTime(call)
      }
    },
  }
}
