import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reply } from '../harness/in-process.ts'
import { type ReportFailure, shuffled, type Trial } from '../harness/trial.ts'
import { check, checkAnswer, counted, describeFailure, type FaultFreeRun } from './check.ts'
import { type Plan, planOf, type Store, storeHit } from './faults.ts'
import type { FaultyService, Prepared } from './faulty-service.ts'
import type { Request } from './requests.ts'
import { changeBetween } from './snapshot.ts'

// How long an answer may take, on a machine that does other things too. Redis is waited for 50 ms. PostgreSQL has to answer in time for
// one within 4 s, or 15 s where people search. Whatever else a request waits for, after 8 s it is answered 503.
const GIVEN_UP_MS: Record<Store, number> = {
  Redis: 5_000,
  database: 7_500,
  transaction: 7_500,
  'shared read': 7_500, // neither these
  'id block': 7_500, // nor these are ever silent
  activity: 18_000,
}
const SHED_MS = 18_000
const AT_ONCE = 5 // fewer than there are connections

/** A request that was made and has met its fault, if it came so far. */
interface Waiting {
  request: Request
  plan: Plan
  answer: Promise<{ reply: Reply | undefined; ms: number }>
}

/** A request that can be made, and will wait for this call. */
interface Ready {
  request: Request
  plan: Plan
  ask: Prepared['ask']
}

async function ready(service: FaultyService, request: Request, call: number): Promise<Ready> {
  const plan = planOf('never answers', call)
  return { request, plan, ask: (await service.prepare(request, plan)).ask }
}

async function makeUntilHit({ request, plan, ask }: Ready): Promise<Waiting> {
  const sentAt = performance.now()
  let answered = false
  const answer = ask().then((reply) => {
    answered = true
    return { reply, ms: performance.now() - sentAt }
  })
  while (!plan.hit && !answered) await nextTurn()
  return { request, plan, answer }
}

async function checkWaiting(
  { request, plan, answer }: Waiting,
  mostMs: number,
  reportFailure: ReportFailure,
): Promise<void> {
  const { reply, ms } = await answer
  const what = describeFailure(request, plan, reply)
  checkAnswer(request, plan, reply, reportFailure)
  if (ms > mostMs) reportFailure(`${what}: after ${ms.toFixed(0)} ms`)
  if (plan.hit && request.strict && reply?.status !== 503) reportFailure(`${what}: not 503`)
}

/**
 * Each call of each operation, all at once; answers how to await and check them. The back office is left out: what it asks SQLite
 * returns at once, and nothing but the engine bounds what it asks the thread beside.
 */
export async function hangOnSqlite(
  service: FaultyService,
  wholes: ReadonlyMap<Request, FaultFreeRun>,
): Promise<(reportFailure: ReportFailure) => Promise<string>> {
  const prepared: Ready[] = []
  for (const request of service.api) {
    const calls = wholes.get(request)!.met.filter((store) => store === 'database').length
    for (let call = 1; call <= calls; call++) prepared.push(await ready(service, request, call))
  }
  const before = await service.snapshot()
  const waiting: Waiting[] = []
  for (const each of prepared) waiting.push(await makeUntilHit(each))
  return async (reportFailure) => {
    for (const each of waiting) {
      await checkWaiting(each, SHED_MS, reportFailure)
      if (!each.plan.hit)
        reportFailure(`${describeFailure(each.request, each.plan, (await each.answer).reply)}: the call was not made`)
    }
    const change = changeBetween(before, await service.snapshot())
    if (change !== '') reportFailure(`those that were given up changed ${change}`)
    return `${waiting.length} requests at once, each waiting for another call`
  }
}

/** Each call to Redis, or some in the quick form, and some to PostgreSQL. */
export async function silentPostgres(
  trial: Trial,
  service: FaultyService,
  wholes: ReadonlyMap<Request, FaultFreeRun>,
  reportFailure: ReportFailure,
): Promise<string> {
  const random = trial.random('store calls that never answer')
  const all = [...wholes].flatMap(([request, { met }]) =>
    met.filter((store) => store !== 'id block').map((store, index) => ({ request, store, call: index + 1 })),
  )
  const ofStore = (name: Store) =>
    shuffled(
      all.filter(({ store }) => store === name),
      random,
    )
  const calls = ofStore('Redis').slice(0, trial.sizes.silentRedis)
  for (const { request, call } of calls) await silentRedis(service, request, call, wholes.get(request)!, reportFailure)

  const rounds = trial.sizes.silentRounds
  const [outside, inside] = [ofStore('database'), ofStore('transaction')]
  // One within a transaction comes last: it holds locks that others would wait for.
  const groups = Array.from({ length: rounds }, () => [...outside.splice(0, AT_ONCE), ...inside.splice(0, 1)])
  const silent: Store[] = calls.map(() => 'Redis')
  for (const group of [...groups, ofStore('activity').slice(0, 2)])
    silent.push(...(await silentAtOnce(service, group, reportFailure)))
  return `silent calls: ${counted(silent)}`
}

async function silentRedis(
  service: FaultyService,
  request: Request,
  call: number,
  whole: FaultFreeRun,
  reportFailure: ReportFailure,
): Promise<void> {
  const plan = planOf('never answers', call)
  const startedAt = performance.now()
  const attempt = await service.attempt(request, plan)
  const ms = performance.now() - startedAt
  check(request, plan, attempt, whole, reportFailure)
  if (ms > GIVEN_UP_MS.Redis)
    reportFailure(`${describeFailure(request, plan, attempt.reply)}: after ${ms.toFixed(0)} ms`)
}

/** Answers which stores were silent. */
async function silentAtOnce(
  service: FaultyService,
  group: readonly { request: Request; call: number }[],
  reportFailure: ReportFailure,
): Promise<Store[]> {
  const prepared: Ready[] = []
  for (const { request, call } of group) prepared.push(await ready(service, request, call))
  const before = await service.snapshot()
  const waiting: Waiting[] = []
  for (const each of prepared) waiting.push(await makeUntilHit(each))
  const hit: Store[] = []
  for (const each of waiting) {
    const store = storeHit(each.plan)
    if (store && each.plan.hit) hit.push(store)
    else reportFailure(`${describeFailure(each.request, each.plan, (await each.answer).reply)}: the call was not made`)
    await checkWaiting(each, GIVEN_UP_MS[store ?? 'database'], reportFailure)
  }
  const change = changeBetween(before, await service.snapshot())
  if (change !== '' && group.every(({ request }) => request.strict))
    reportFailure(`those that were given up changed ${change}`)
  return hit
}
