import { setTimeout as sleep } from 'node:timers/promises'
import { seeded } from '../server/src/demo/random.ts'
import { RedisLog } from '../server/src/storage/redis-log.ts'
import { serveTasks } from './crowd.ts'

// One of several workers that count in one Redis, and note each decision with the instant it was made by Redis's clock.

export interface Counting {
  url: string
  /** What its random choices come from. */
  seed: string
  windowMs: number
  /** The limit of each key. */
  keys: { name: string; limit: number }[]
  decisions: number
  /** How long it takes over them, in all. */
  spreadMs: number
}

/** Decisions as columns, which cross between processes at once. */
export interface Decisions {
  key: Uint8Array
  counting: Uint8Array
  admitted: Uint8Array
  count: Float64Array
  stampUs: Float64Array
}

const AT_ONCE = 50
const PATIENCE_MS = 60_000 // whether Redis is slow is another experiment's matter

async function count({ url, seed, windowMs, keys, decisions, spreadMs }: Counting): Promise<Decisions> {
  const random = seeded(seed)
  const log = new RedisLog({ url, windowMs, deadlineMs: PATIENCE_MS })
  await log.connected()
  const made: Decisions = {
    key: new Uint8Array(decisions),
    counting: new Uint8Array(decisions),
    admitted: new Uint8Array(decisions),
    count: new Float64Array(decisions),
    stampUs: new Float64Array(decisions),
  }
  const startedAt = performance.now()
  for (let at = 0; at < decisions; at += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, decisions - at) }, (_, offset) => decide(at + offset)))
    const ahead = (spreadMs * at) / decisions - (performance.now() - startedAt)
    if (ahead > 0) await sleep(ahead)
  }
  log.close()
  return made

  async function decide(index: number): Promise<void> {
    const key = random.between(0, keys.length - 1)
    const counting = random.percent(80)
    const { name, limit } = keys[key]!
    const { admitted, count, stampUs } = await log.ask(counting ? 'take' : 'look', name, limit)
    made.key[index] = key
    made.counting[index] = Number(counting)
    made.admitted[index] = Number(admitted)
    made.count[index] = count
    made.stampUs[index] = stampUs
  }
}

serveTasks(count)
