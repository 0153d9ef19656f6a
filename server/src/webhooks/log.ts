import { randomBytes } from 'node:crypto'
import type { ActivityStore } from '../storage/activity-store.ts'
import type { Value } from '../storage/database.ts'
import { instantOf } from '../values/values.ts'

// W18: what was sent when, and what came of it. Kept in the activity store, whose loss harms no delivery.

const FLUSH_MS = 200
const MAX_BUFFERED = 10_000
const HOUR_MS = 3_600_000
const KEPT_MS = 30 * 86_400_000
const MAX_LINES = 2_000_000
const TRIMMED_EVERY_MS = 60_000

export type Cause = 'live' | 'retry' | 'probe' | 'replay' | 'test' | 'verification'

export interface LogLine {
  readonly at: number
  readonly brand_id: number
  readonly endpoint_id: string
  readonly event: string
  readonly type: string
  readonly attempt: number
  readonly cause: Cause
  readonly status: number | null
  readonly class: string | null
  readonly ms: number
  readonly skew_s: number | null
  readonly answer: string | null
}

const COLUMNS = [
  'id',
  'at',
  'brand_id',
  'endpoint_id',
  'event',
  'type',
  'attempt',
  'cause',
  'status',
  'class',
  'ms',
  'skew_s',
  'answer',
] as const
const NUMBERS: ReadonlySet<string> = new Set(['at', 'brand_id', 'attempt', 'status', 'ms', 'skew_s'])

export interface LogFilter {
  readonly event?: string | undefined
  readonly type?: string | undefined
  readonly class?: string | undefined
  readonly status?: number | undefined
  readonly cause?: string | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Older than this line. */
  readonly after?: string | undefined
  readonly limit: number
}

/** How an endpoint did in the last day. */
export interface Figures {
  readonly success_rate: number
  readonly p95_ms: number
}

/** What came of the attempts of an hour that begins at `at`. */
export interface Hour {
  readonly at: string
  readonly delivered: number
  readonly failed: number
}

interface DeliveryLogOptions {
  readonly activity: ActivityStore
  readonly now: () => number
  readonly failed: (error: unknown) => void
}

export function deliveryLog({ activity, now, failed }: DeliveryLogOptions) {
  let lines: unknown[][] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let [last, count] = [0, 0]
  const selected = COLUMNS.map((name, index) =>
    NUMBERS.has(name) ? `cast(value ->> ${index} as bigint)` : `value ->> ${index}`,
  )
  const insert = `insert into webhook_log (${COLUMNS.join(', ')}) select ${selected.join(', ')} from ${activity.dialect.elements}`
  const trimmer = setInterval(() => trim().catch(failed), TRIMMED_EVERY_MS).unref()

  /** Sorts in the order of the attempts; random at its end, because several processes write. */
  function idOf(at: number): string {
    count = at === last ? count + 1 : 0
    last = at
    const tail = randomBytes(4).toString('hex')
    return `${at.toString(36).padStart(9, '0')}${count.toString(36).padStart(4, '0')}${tail}`
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const taken = lines
    lines = []
    if (taken.length > 0) await activity.put(insert, new TextEncoder().encode(JSON.stringify(taken)))
  }

  function flush(): Promise<void> {
    writing = writing.then(write).catch(failed)
    return writing
  }

  async function trim(): Promise<void> {
    await activity.run('delete from webhook_log where at < ?', [now() - KEPT_MS])
    await activity.run(
      'delete from webhook_log where id <= (select id from webhook_log order by id desc limit 1 offset ?)',
      [MAX_LINES],
    )
  }

  return {
    note(line: LogLine): void {
      if (lines.length >= MAX_BUFFERED) return
      const row: Readonly<Record<string, unknown>> = { id: idOf(line.at), ...line }
      lines.push(COLUMNS.map((name) => row[name] ?? null))
      timer ??= setTimeout(flush, FLUSH_MS).unref()
    },
    /** When this resolves, every noted line is in the store, or lost. */
    flush,
    async stop(): Promise<void> {
      clearInterval(trimmer)
      await flush()
    },

    /** Lines of an endpoint, the newest first. */
    async list(brand_id: number, endpoint_id: string, { limit, since, until, after, ...equal }: LogFilter) {
      await flush()
      const conditions = ['brand_id = ?', 'endpoint_id = ?']
      const values: Value[] = [brand_id, endpoint_id]
      const where = (condition: string, value: Value | undefined) => {
        if (value === undefined) return
        conditions.push(condition)
        values.push(value)
      }
      for (const [name, value] of Object.entries(equal)) where(`${name} = ?`, value)
      where('at >= ?', since)
      where('at <= ?', until)
      where('id < ?', after)
      return activity.rows<LogLine & { id: string }>(
        `select ${COLUMNS.join(', ')} from webhook_log where ${conditions.join(' and ')} order by id desc limit ?`,
        [...values, limit],
      )
    },

    /** What came of the attempts of each hour, the oldest first; an hour without any is absent. */
    async hours(brand_id: number, endpoint_id: string, since: number): Promise<Hour[]> {
      await flush()
      const rows = await activity.rows<{ hour: number; delivered: number; failed: number }>(
        `select at / ${HOUR_MS} as hour, sum(case when class is null then 1 else 0 end) as delivered,
           sum(case when class is null then 0 else 1 end) as failed
         from webhook_log where brand_id = ? and endpoint_id = ? and at >= ? and cause in ('live', 'retry', 'probe', 'replay')
         group by at / ${HOUR_MS} order by at / ${HOUR_MS}`,
        [brand_id, endpoint_id, since],
      )
      return rows.map(({ hour, delivered, failed }) => ({
        at: instantOf(Number(hour) * HOUR_MS),
        delivered: Number(delivered),
        failed: Number(failed),
      }))
    },

    /** Figures by endpoint, of endpoints that something was sent to since. */
    async figures(brand_id: number, since: number): Promise<ReadonlyMap<string, Figures>> {
      const rows = await activity.rows<{ endpoint_id: string; rate: number; p95: number }>(
        `select endpoint_id, cast(sum(case when class is null then 1 else 0 end) * 10000 / count(*) as bigint) as rate,
           min(case when place * 100 >= total * 95 then ms end) as p95
         from (
           select endpoint_id, class, ms, row_number() over (partition by endpoint_id order by ms) as place,
             count(*) over (partition by endpoint_id) as total
           from webhook_log where brand_id = ? and at >= ? and cause in ('live', 'retry', 'probe', 'replay')
         ) as attempts group by endpoint_id`,
        [brand_id, since],
      )
      return new Map(
        rows.map(({ endpoint_id, rate, p95 }) => [
          endpoint_id,
          { success_rate: Number(rate) / 10_000, p95_ms: Number(p95) },
        ]),
      )
    },
  }
}

export type DeliveryLog = ReturnType<typeof deliveryLog>
