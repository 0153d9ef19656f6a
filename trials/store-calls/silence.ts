import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reply } from '../harness/in-process.ts'
import { type Broke, shuffled, type Trial } from '../harness/trial.ts'
import { changeBetween } from './census.ts'
import { type Plan, planOf, type Store, storeHit } from './faults.ts'
import { counted, judge, judgeAnswer, told, type Whole } from './judge.ts'
import type { Request } from './requests.ts'
import type { Stand } from './stand.ts'

// How long an answer may take, on a machine that does other things too. Redis is waited for 50 ms. PostgreSQL has to answer in time for
// one within 4 s, or 15 s where people search. Whatever else a request waits for, after 8 s it is told so.
const GIVEN_UP_MS: Record<Store, number> = {
  Redis: 1_000,
  database: 6_000,
  transaction: 6_000,
  'shared read': 6_000,
  activity: 18_000,
}
const SHED_MS = 12_000
const AT_ONCE = 5 // fewer than there are connections

/** A request that was made and has met its fault, if it came so far. */
interface Waiting {
  request: Request
  plan: Plan
  answer: Promise<{ reply: Reply | undefined; ms: number }>
}

async function makeUntilHit(stand: Stand, request: Request, call: number): Promise<Waiting> {
  const plan = planOf('never answers', call)
  const { ask } = await stand.prepare(request, plan)
  const askedAt = performance.now()
  let answered = false
  const answer = ask().then((reply) => {
    answered = true
    return { reply, ms: performance.now() - askedAt }
  })
  while (!plan.hit && !answered) await nextTurn()
  return { request, plan, answer }
}

async function judgeWaiting({ request, plan, answer }: Waiting, mostMs: number, broke: Broke): Promise<void> {
  const { reply, ms } = await answer
  const what = told(request, plan, reply)
  judgeAnswer(request, plan, reply, broke)
  if (ms > mostMs) broke(`${what}: after ${ms.toFixed(0)} ms`)
  if (plan.hit && request.strict && reply?.status !== 503) broke(`${what}: not 503`)
}

/**
 * Each call of each operation, all at once; answers how to await and judge them. The back office is left out: what it asks SQLite
 * returns at once, and nothing but the engine bounds what it asks the thread beside.
 */
export async function hangOnSqlite(
  stand: Stand,
  wholes: ReadonlyMap<Request, Whole>,
): Promise<(broke: Broke) => Promise<string>> {
  const before = await stand.census()
  const waiting: Waiting[] = []
  for (const request of stand.api) {
    const calls = wholes.get(request)!.met.filter((store) => store === 'database').length
    for (let call = 1; call <= calls; call++) waiting.push(await makeUntilHit(stand, request, call))
  }
  return async (broke) => {
    for (const each of waiting) {
      await judgeWaiting(each, SHED_MS, broke)
      if (!each.plan.hit) broke(`${told(each.request, each.plan, (await each.answer).reply)}: the call was not made`)
    }
    const change = changeBetween(before, await stand.census())
    if (change !== '') broke(`those that were given up changed ${change}`)
    return `${waiting.length} requests at once, each waiting for another call`
  }
}

/** Each call to Redis, and some to PostgreSQL. */
export async function silentPostgres(
  trial: Trial,
  stand: Stand,
  wholes: ReadonlyMap<Request, Whole>,
  broke: Broke,
): Promise<string> {
  const random = trial.random('store calls that never answer')
  const all = [...wholes].flatMap(([request, { met }]) => met.map((store, at) => ({ request, store, call: at + 1 })))
  const ofStore = (name: Store) =>
    shuffled(
      all.filter(({ store }) => store === name),
      random,
    )
  const asked = ofStore('Redis')
  for (const { request, call } of asked) await silentRedis(stand, request, call, wholes.get(request)!, broke)

  const rounds = trial.sizes.silentRounds
  const [outside, inside] = [ofStore('database'), ofStore('transaction')]
  // One within a transaction comes last: it holds locks that others would wait for.
  const groups = Array.from({ length: rounds }, () => [...outside.splice(0, AT_ONCE), ...inside.splice(0, 1)])
  const silent: Store[] = asked.map(() => 'Redis')
  for (const group of [...groups, ofStore('activity').slice(0, 2)])
    silent.push(...(await silentAtOnce(stand, group, broke)))
  return `silent calls: ${counted(silent)}`
}

async function silentRedis(stand: Stand, request: Request, call: number, whole: Whole, broke: Broke): Promise<void> {
  const plan = planOf('never answers', call)
  const startedAt = performance.now()
  const attempt = await stand.attempt(request, plan)
  const ms = performance.now() - startedAt
  judge(request, plan, attempt, whole, broke)
  if (ms > GIVEN_UP_MS.Redis) broke(`${told(request, plan, attempt.reply)}: after ${ms.toFixed(0)} ms`)
}

/** Answers which stores were silent. */
async function silentAtOnce(
  stand: Stand,
  group: readonly { request: Request; call: number }[],
  broke: Broke,
): Promise<Store[]> {
  const before = await stand.census()
  const waiting: Waiting[] = []
  for (const { request, call } of group) waiting.push(await makeUntilHit(stand, request, call))
  const hit: Store[] = []
  for (const each of waiting) {
    const store = storeHit(each.plan)
    if (store && each.plan.hit) hit.push(store)
    else broke(`${told(each.request, each.plan, (await each.answer).reply)}: the call was not made`)
    await judgeWaiting(each, GIVEN_UP_MS[store ?? 'database'], broke)
  }
  const change = changeBetween(before, await stand.census())
  if (change !== '' && group.every(({ request }) => request.strict)) broke(`those that were given up changed ${change}`)
  return hit
}
