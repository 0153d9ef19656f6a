import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Tiers } from '../http/call.ts'
import { tierOf } from '../limits/tiers.ts'
import type { ActivityStore } from '../storage/activity-store.ts'
import { lineBuffer } from './line-buffer.ts'
import { loggedError } from './log.ts'

const FLUSH_AFTER_MS = 400
const FLUSH_AT_BYTES = 256 << 10 // of a busy service; the larger a batch, the more memory it goes through
const BUFFER_BYTES = 4 << 20 // some 18,000 lines
const MAX_COUNTS = 100_000
const MAX_WAIT_MS = 30_000 // for a store that is away
const TRIMMED_EVERY_MS = 60_000
const COUNTS_KEPT_DAYS = 30
const DAY_MS = 86_400_000

/** How long the log is kept, and how long it may get. */
interface Retention {
  days: number
  rows: number
}

interface RequestLogDeps {
  activity: ActivityStore
  log: FastifyBaseLogger
  now: () => number
  retention: Retention
  /** Told how many lines were lost, which is never a reason to hold up a request. */
  dropped: (lines: number) => void
}

const LINE = [
  'at',
  'request_id',
  'method',
  'route',
  'status',
  'micros',
  'brand',
  'integrator_id',
  'client_id',
  'venue_id',
  'tier',
  'budget',
  'remaining',
  'error',
] as const
const NUMBERS: ReadonlySet<string> = new Set([
  'at',
  'status',
  'micros',
  'venue_id',
  'tier',
  'budget',
  'remaining',
  'minute',
  'calls',
])
/** Histogram buckets: under 0.25 ms, then each bound doubles; the last has no upper bound. */
export const LATENCY_BUCKETS = 16
const FIRST_BUCKET_MICROS = 250
/** The upper bound of a bucket, in milliseconds. */
export const bucketEndMs = (index: number) => (FIRST_BUCKET_MICROS / 1000) * 2 ** index
const bucketOf = (micros: number) => Math.min(LATENCY_BUCKETS - 1, 32 - Math.clz32(micros / FIRST_BUCKET_MICROS))

const BUCKET_COLUMNS = Array.from({ length: LATENCY_BUCKETS }, (_, index) => `took_${index}`)
const COUNT_KEY = ['brand', 'minute', 'integrator_id', 'status', 'error'] as const
const COUNTED = ['calls', ...BUCKET_COLUMNS]

/** Calls of one minute with the same brand, integrator, status and error, counted. */
interface Count {
  key: [brand: string, minute: number, integrator_id: string, status: number, error: string]
  /** Brand and integrator, as JSON: the part that the lines of these calls share, as is `error`. */
  who: string
  error: string
  calls: number
  took: number[]
}

/**
 * Records every call of the integration API for the back office: one line each, and counters per minute. Both are buffered here and
 * written in batches, outside requests. A full buffer drops lines and counts them; the counters lose nothing while the store is down.
 */
export function requestLog({ activity, log, now, retention, dropped }: RequestLogDeps) {
  const lines = lineBuffer(BUFFER_BYTES)
  let counts = new Map<string, Count>()
  let latest: Count | undefined
  let lastClient: [id: string, json: string] = ['', '""']
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isHurried = false
  let failures = 0
  let sinceTrim = 0
  const trimmer = setInterval(() => trim().catch(failed), TRIMMED_EVERY_MS).unref()

  const insertLines = `insert into request_log (${LINE.join(', ')}) select ${selected(LINE)} from ${activity.dialect.elements}`
  // Insert in key order: workers that update the same minute would deadlock otherwise.
  const addCounts = `insert into minute_counts (${[...COUNT_KEY, ...COUNTED].join(', ')})
    select ${selected([...COUNT_KEY, ...COUNTED])} from ${activity.dialect.elements} where true
    on conflict (${COUNT_KEY.join(', ')}) do update set ${COUNTED.map((name) => `${name} = minute_counts.${name} + excluded.${name}`).join(', ')}`

  async function write(): Promise<void> {
    const [newLines, newCounts] = [lines.take(), counts]
    counts = new Map()
    latest = undefined
    const outcomes = await Promise.allSettled([writeCounts(newCounts), writeLines(newLines)]) // counts first, so that every line shown is counted
    sinceTrim += newLines.count
    if (sinceTrim >= retention.rows / 20) outcomes.push(...(await Promise.allSettled([trim()])))
    const failure = outcomes.find((outcome) => outcome.status === 'rejected')
    failures = failure ? failures + 1 : 0
    if (failure) failed(failure.reason)
  }

  const failed = (error: unknown) => log.warn({ error: loggedError(error) }, 'activity could not be written')

  async function writeLines({ json, count }: ReturnType<typeof lines.take>): Promise<void> {
    if (count === 0) return
    try {
      await activity.put(insertLines, json)
    } catch (error) {
      dropped(count)
      throw error
    }
  }

  async function writeCounts(batch: ReadonlyMap<string, Count>): Promise<void> {
    if (batch.size === 0) return
    const sorted = [...batch].sort(([one], [other]) => (one < other ? -1 : 1))
    try {
      const rows = sorted.map(([, { key, calls, took }]) => [...key, calls, ...took])
      await activity.put(addCounts, new TextEncoder().encode(JSON.stringify(rows)))
    } catch (error) {
      for (const [name, { key, calls, took }] of batch) {
        const kept = countOf(name, key)
        kept.calls += calls
        for (let index = 0; index < LATENCY_BUCKETS; index++) kept.took[index]! += took[index]!
      }
      throw error
    }
  }

  /** Every minute, and whenever the log has grown by a twentieth of what it may be, the oldest go. */
  async function trim(): Promise<void> {
    sinceTrim = 0
    const at = now()
    await activity.run('delete from request_log where at < ?', [at - retention.days * DAY_MS])
    await activity.run(
      'delete from request_log where at <= (select at from request_log order by at desc limit 1 offset ?)',
      [retention.rows],
    )
    await activity.run('delete from minute_counts where minute < ?', [minuteOf(at - COUNTS_KEPT_DAYS * DAY_MS)])
  }

  function countOf(name: string, key: Count['key']): Count {
    let count = counts.get(name)
    if (count === undefined) {
      const [brand, , integrator_id, , error] = key
      const who = `${JSON.stringify(brand)},${JSON.stringify(integrator_id)}`
      count = { key, who, error: JSON.stringify(error), calls: 0, took: new Array<number>(LATENCY_BUCKETS).fill(0) }
      if (counts.size < MAX_COUNTS) counts.set(name, count) // more are only there when the store has been away for hours
    }
    return count
  }

  /** Mostly it is the one that was counted last. */
  function countAlike(brand: string, minute: number, integrator_id: string, status: number, error: string): Count {
    const last = latest?.key
    const isSame =
      last?.[4] === error && last[3] === status && last[1] === minute && last[2] === integrator_id && last[0] === brand
    if (isSame) return latest!
    const name = `${brand} ${minute} ${integrator_id} ${status} ${error}`
    latest = counts.get(name) ?? countOf(name, [brand, minute, integrator_id, status, error])
    return latest
  }

  /** One write at a time: what comes meanwhile waits for the next. */
  function later(): void {
    if (writing || isHurried) return
    isHurried = lines.bytes >= FLUSH_AT_BYTES && failures === 0
    if (timer && !isHurried) return
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        timer = undefined
        isHurried = false
        writing = write().finally(() => {
          writing = undefined
          if (lines.count > 0 || counts.size > 0) later()
        })
      },
      isHurried ? 0 : Math.min(FLUSH_AFTER_MS * 2 ** failures, MAX_WAIT_MS),
    ).unref()
  }

  return {
    note(request: FastifyRequest, reply: FastifyReply, tiers: Tiers): void {
      const { party, refused, pattern, caller } = request.call
      const at = now()
      const micros = Math.round(reply.elapsedTime * 1000)
      const status = reply.statusCode
      const { brand = '', integrator_id = '', client_id = '' } = party ?? {}

      const count = countAlike(brand, minuteOf(at), integrator_id, status, refused)
      count.calls++
      count.took[bucketOf(micros)]!++

      const usage = tiers.reported ?? tiers.calls ?? tiers.failures ?? tiers.signIns!
      const { limit, count: used } = usage
      // In the order of LINE. Ids, methods and patterns are our own and need no escaping; JSON.stringify of the whole line is slow.
      const call = `${at},"${request.id}","${request.method}","${pattern}",${status},${micros}`
      if (client_id !== lastClient[0]) lastClient = [client_id, JSON.stringify(client_id)]
      const who = `${count.who},${lastClient[1]},${caller?.venue_id ?? 'null'}`
      const budget = `${tierOf(tiers, usage)},${limit},${Math.max(0, limit - used)}`
      if (!lines.add(`[${call},${who},${budget},${count.error}]`)) dropped(1)
      later()
    },

    /** When this resolves, every recorded call is in the store, or lost. */
    async flushAndStop(): Promise<void> {
      clearInterval(trimmer)
      await writing
      clearTimeout(timer)
      timer = undefined
      isHurried = false
      await write()
    },
  }
}

const minuteOf = (ms: number) => Math.floor(ms / 60_000)

function selected(columns: readonly string[]): string {
  const isNumber = (name: string) => NUMBERS.has(name) || name.startsWith('took_')
  return columns
    .map((name, index) => (isNumber(name) ? `cast(value ->> ${index} as bigint)` : `value ->> ${index}`))
    .join(', ')
}
