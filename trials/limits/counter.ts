import { setTimeout as sleep } from 'node:timers/promises'
import { seeded } from '../../server/src/demo/random.ts'
import { RedisLog, type TimedLimitDecision, type Verb } from '../../server/src/limits/redis-log.ts'
import { redisWindows } from '../../server/src/limits/redis-window.ts'
import { serveTasks } from '../harness/process-pool.ts'

// One of several workers that count in one Redis, and note each decision with the instant it was made by Redis's clock.

export interface Counting {
  url: string
  /** The seed of its random choices. */
  seed: string
  windowMs: number
  /** The limit of each key. */
  keys: { name: string; limit: number }[]
  decisions: number
  /** How long it takes over them, in all. */
  spreadMs: number
  /** True: it remembers refusals for a moment, as the service does. False: it asks Redis each time. */
  remembers: boolean
}

/** Decisions as columns, which cross between processes at once. */
export interface Decisions {
  key: Uint8Array
  counting: Uint8Array
  admitted: Uint8Array
  count: Float64Array
  /** By Redis's clock. */
  stampUs: Float64Array
  /** For a decision that was remembered, between when: by this machine's clock, which is Redis's here, in milliseconds; otherwise 0. */
  sentAtMs: Float64Array
  answeredAtMs: Float64Array
}

const AT_ONCE = 50
const PATIENCE_MS = 60_000 // whether Redis is slow is another experiment's matter

async function count(counting: Counting): Promise<Decisions> {
  const { seed, keys, decisions, spreadMs } = counting
  const random = seeded(seed)
  const { ask, close } = await (counting.remembers ? remembering(counting) : asking(counting))
  const made: Decisions = {
    key: new Uint8Array(decisions),
    counting: new Uint8Array(decisions),
    admitted: new Uint8Array(decisions),
    count: new Float64Array(decisions),
    stampUs: new Float64Array(decisions),
    sentAtMs: new Float64Array(decisions),
    answeredAtMs: new Float64Array(decisions),
  }
  const startedAt = performance.now()
  for (let start = 0; start < decisions; start += AT_ONCE) {
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, decisions - start) }, (_, offset) => decide(start + offset)),
    )
    const ahead = (spreadMs * start) / decisions - (performance.now() - startedAt)
    if (ahead > 0) await sleep(ahead)
  }
  await close()
  return made

  async function decide(index: number): Promise<void> {
    const key = random.between(0, keys.length - 1)
    const counting = random.percent(80)
    const { name, limit } = keys[key]!
    const sentAtMs = Date.now()
    const { admitted, count, stampUs } = await ask(counting ? 'take' : 'look', name, limit)
    made.key[index] = key
    made.counting[index] = Number(counting)
    made.admitted[index] = Number(admitted)
    made.count[index] = count
    if (stampUs === undefined) {
      made.sentAtMs[index] = sentAtMs
      made.answeredAtMs[index] = Date.now()
    } else made.stampUs[index] = stampUs
  }
}

type Ask = (
  verb: Verb,
  name: string,
  limit: number,
) => Promise<Omit<TimedLimitDecision, 'stampUs'> & { stampUs?: number }>

async function asking({ url, windowMs }: Counting): Promise<{ ask: Ask; close(): unknown }> {
  const log = new RedisLog({ url, windowMs, deadlineMs: PATIENCE_MS })
  await log.connected()
  return { ask: (verb, name, limit) => log.ask(verb, name, limit), close: () => log.close() }
}

async function remembering({ url, windowMs }: Counting): Promise<{ ask: Ask; close(): unknown }> {
  const windows = await redisWindows({ url, windowMs, deadlineMs: PATIENCE_MS, fleet: 1 })
  return { ask: async (verb, name, limit) => windows[verb](3, name, limit), close: () => windows.close?.() }
}

serveTasks(count)
