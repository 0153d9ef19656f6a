import { bucketEndMs, LATENCY_BUCKETS } from '../../observe/request-log.ts'
import type { ActivityStore } from '../../storage/activity-store.ts'
import type { Value } from '../../storage/database.ts'
import type { Calls, Chart, LoggedCall, OperatorCallsQuery, OperatorChartQuery, Uses } from './schema.ts'

const PAGE = 50
const ERRORS_SHOWN = 10
const USES_SHOWN = 100
const LATELY_MINUTES = 5
const PAIRS_SHOWN = 50

interface Line {
  at: number
  request_id: string
  method: string
  route: string
  status: number
  micros: number
  brand: string
  integrator_id: string
  integrator: string | null
  client_id: string
  credential: string | null
  venue_id: number | null
  tier: number
  budget: number
  remaining: number
  error: string
}

/** A page of the request log, newest first. */
export async function listCalls(activity: ActivityStore, query: OperatorCallsQuery): Promise<Calls> {
  const { text, values } = conditionsOf(query)
  const { request_id } = query
  const [from, ids] = request_id === undefined ? ['request_log', []] : [BY_ID, [request_id, `${request_id}~`]]
  const rows = await activity.rows<Line>(
    `select at, request_id, method, route, status, micros, brand, integrator_id, integrators.name as integrator,
            page.client_id, credentials.name as credential, page.venue_id, tier, budget, remaining, error
     from (select * from ${from} where ${text} order by at desc, request_id desc limit ${PAGE + 1}) as page
     left join integrators on integrators.id = page.integrator_id
     left join brands on brands.slug = page.brand
     left join credentials on credentials.brand_id = brands.id and credentials.client_id = page.client_id
     order by at desc, request_id desc`,
    [...ids, ...values],
  )
  const last = rows.length > PAGE ? rows[PAGE - 1]! : undefined
  return { calls: rows.slice(0, PAGE).map(shown), next: last ? `${last.at}.${last.request_id}` : null }
}

const STATUS = {
  '2xx': 'status < 400',
  '4xx': 'status >= 400 and status < 500',
  '429': 'status = 429',
  '5xx': 'status >= 500',
} as const

// The beginning of an id is enough; an id is made of characters before '~'. Filtered by id first: a scan by age would take long.
const BY_ID = '(select * from request_log where request_id >= ? and request_id < ? limit 10000) as found'

function conditionsOf({ brand, route, status, integrator_id, from, to, before }: OperatorCallsQuery) {
  const conditions: [text: string, ...values: Value[]][] = []
  if (brand !== undefined) conditions.push(['brand = ?', brand])
  if (route !== undefined) conditions.push(['instr(route, ?) > 0', route])
  if (status !== undefined) conditions.push([STATUS[status]])
  if (integrator_id !== undefined) conditions.push(['integrator_id = ?', integrator_id])
  if (from !== undefined) conditions.push(['at >= ?', Date.parse(from)])
  if (to !== undefined) conditions.push(['at <= ?', Date.parse(to)])
  if (before !== undefined) {
    const dot = before.indexOf('.')
    conditions.push(['(at, request_id) < (?, ?)', Number(before.slice(0, dot)), before.slice(dot + 1)])
  }
  return {
    text: ['1 = 1', ...conditions.map(([text]) => text)].join(' and '),
    values: conditions.flatMap(([, ...values]) => values),
  }
}

const shown = ({ at, micros, budget, brand, integrator_id, client_id, error, ...line }: Line): LoggedCall => ({
  ...line,
  at: new Date(at).toISOString(),
  ms: micros / 1000,
  brand: brand || null,
  integrator_id: integrator_id || null,
  client_id: client_id || null,
  limit: budget,
  error: error || null,
})

/** How long a range is, and the step of its chart, in minutes. */
const RANGES = {
  hour: { minutes: 60, step: 1 },
  day: { minutes: 24 * 60, step: 15 },
  week: { minutes: 7 * 24 * 60, step: 120 },
} as const

const OUTCOMES = ['ok', 'client_errors', 'rate_limited', 'server_errors'] as const
type Outcome = (typeof OUTCOMES)[number]

// POST /auth refuses once with a 200 (§5.4).
const OUTCOME = `case when status = 429 then 'rate_limited' when status >= 500 then 'server_errors'
  when status >= 400 or error <> '' then 'client_errors' else 'ok' end`

type Took = Record<`took_${number}`, number>
const summed = (name: string) => `cast(sum(${name}) as bigint) as ${name}`
const BUCKET_SUMS = Array.from({ length: LATENCY_BUCKETS }, (_, index) => summed(`took_${index}`)).join(', ')

/** The counters of a range, one slot for each step, the current one last. */
export async function chartOf(
  activity: ActivityStore,
  { range, brand }: OperatorChartQuery,
  now: number,
): Promise<Chart> {
  const { minutes, step } = RANGES[range]
  const last = Math.floor(now / 60_000 / step)
  const first = last - minutes / step + 1
  const where = `minute >= ?${brand === undefined ? '' : ' and brand = ?'}`
  const values: Value[] = [first * step, ...(brand === undefined ? [] : [brand])]
  const rows = await activity.rows<{ slot: number; outcome: Outcome; calls: number } & Took>(
    `select slot, outcome, ${summed('calls')}, ${BUCKET_SUMS}
     from (select minute / ${step} as slot, ${OUTCOME} as outcome, minute_counts.* from minute_counts where ${where}) as counted
     group by slot, outcome`,
    values,
  )
  const errors = await activity.rows<Chart['errors'][number]>(
    `select error, status, ${summed('calls')} from minute_counts where ${where} and error <> ''
     group by error, status order by 3 desc, error limit ${ERRORS_SHOWN}`,
    values,
  )
  const slots = Array.from({ length: last - first + 1 }, (_, index) => {
    const counted = rows.filter(({ slot }) => slot === first + index)
    const calls = (outcome: Outcome) => counted.find((row) => row.outcome === outcome)?.calls ?? 0
    const took = Array.from({ length: LATENCY_BUCKETS }, (_none, bucket) =>
      counted.reduce((sum, row) => sum + row[`took_${bucket}`]!, 0),
    )
    return {
      at: new Date((first + index) * step * 60_000).toISOString(),
      ...(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, calls(outcome)])) as Record<Outcome, number>),
      p50_ms: percentile(took, 0.5),
      p95_ms: percentile(took, 0.95),
    }
  })
  return { step_s: step * 60, slots, errors }
}

/** The latency below which this fraction of the calls stayed, estimated from the buckets as if calls were spread evenly within one. */
export function percentile(took: readonly number[], part: number): number | null {
  const wanted = took.reduce((sum, calls) => sum + calls, 0) * part
  if (wanted === 0) return null
  let before = 0
  for (const [index, calls] of took.entries()) {
    if (before + calls >= wanted) {
      const [start, end] = [index === 0 ? 0 : bucketEndMs(index - 1), bucketEndMs(index)]
      return Math.round((start + ((end - start) * (wanted - before)) / calls) * 100) / 100
    }
    before += calls
  }
  return bucketEndMs(LATENCY_BUCKETS - 1)
}

/** Integrators and the brands that they called in the last minutes, the busiest first. */
export const listBusyPairs = (
  activity: ActivityStore,
  now: number,
): Promise<{ brand: string; integrator_id: string; integrator: string }[]> =>
  activity.rows(
    `select brand, integrator_id, integrators.name as integrator
     from (select brand, integrator_id, sum(calls) as calls from minute_counts where minute >= ? group by brand, integrator_id) as pairs
     join integrators on integrators.id = pairs.integrator_id
     where brand <> '' order by calls desc, brand, integrator_id limit ${PAIRS_SHOWN}`,
    [Math.floor(now / 60_000) - LATELY_MINUTES],
  )

/** Last use of each credential by each integrator, newest first; of one brand, or of all. */
export const listUses = (activity: ActivityStore, brand?: string): Promise<Uses['uses']> =>
  activity.rows(
    `select slug as brand, uses.client_id, credentials.name as credential, integrator_id, integrators.name as integrator, used_at
     from credential_uses as uses
     join brands on brands.id = uses.brand_id
     join credentials on credentials.brand_id = uses.brand_id and credentials.client_id = uses.client_id
     join integrators on integrators.id = uses.integrator_id
     ${brand === undefined ? '' : 'where slug = ?'} order by used_at desc, uses.client_id limit ${USES_SHOWN}`,
    brand === undefined ? [] : [brand],
  )
