import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ActivityStore } from '../../server/src/storage/activity-store.ts'
import { type Database, OutcomeUnknown, type Queries, StoreUnavailable } from '../../server/src/storage/database.ts'

/** How a call to a store goes wrong: it is not done, it is not done and that takes a while, or it is done and nobody is told. */
export const WAYS = ['fails', 'times out', 'is cut off when done'] as const
export type Way = (typeof WAYS)[number] | 'never answers'
/** What a call went to. */
export type Store = 'database' | 'transaction' | 'shared read' | 'activity' | 'Redis'

/** Which call of a request goes wrong. */
export interface Plan {
  way: Way
  /** The first is 1. */
  call: number
  /** Which stores were called, in this order. */
  met: Store[]
  /** Whether a call went wrong by now. */
  hit: boolean
  /** Fulfilled once the request is over. */
  over: PromiseWithResolvers<void>
  isOver: boolean
}

export const planOf = (way: Way, call: number): Plan => ({
  way,
  call,
  met: [],
  hit: false,
  over: Promise.withResolvers(),
  isOver: false,
})
export const noFault = () => planOf('fails', Number.POSITIVE_INFINITY)
/** The store whose call goes wrong; undefined while so many were not made. */
export const storeHit = ({ met, call }: Plan): Store | undefined => met[call - 1]

const LATE_MS = 5
const inRequest = new AsyncLocalStorage<Plan>()

/** Does `work`, in which one call to a store goes wrong; what goes on beside it is left alone. */
export const underFault = <Result>(plan: Plan, work: () => Promise<Result>): Promise<Result> =>
  inRequest.run(plan, work).finally(() => {
    plan.isOver = true
    plan.over.resolve()
  })

const lost = () => new StoreUnavailable('the connection was lost')

/** How one kind of call goes wrong. */
interface Manner {
  lost?: () => Error
  /** Where it was done. */
  cut?: () => Error
  silence: (plan: Plan) => Promise<unknown>
}

/** Makes a call, unless it is the one of the request's plan that goes wrong. */
export async function meet<Result>(
  plan: Plan | undefined,
  store: Store,
  call: () => Result | Promise<Result>,
  { lost: failed = lost, cut = failed, silence }: Manner,
): Promise<Result> {
  if (!plan || plan.met.push(store) !== plan.call) return call()
  plan.hit = true
  if (plan.way === 'never answers') await silence(plan)
  if (plan.way === 'times out') await sleep(LATE_MS)
  if (plan.way === 'is cut off when done') {
    await call()
    throw cut()
  }
  throw failed()
}

/** None for what a request has left to be done later. */
export function planOfRequest(): Plan | undefined {
  const plan = inRequest.getStore()
  return plan?.isOver ? undefined : plan
}

/** PostgreSQL itself is silent, so that it is the service's deadline for its calls that ends this. Elsewhere nothing ends it. */
const silenceOf =
  ({ dialect, rows }: Pick<Queries, 'dialect' | 'rows'>) =>
  (): Promise<unknown> =>
    dialect.engine === 'PostgreSQL' ? rows('select pg_sleep(60)', []) : new Promise<never>(() => {})

/** Queries that go wrong by the plan; without one given, by that of the request they are asked in. */
function faultyQueries(queries: Queries, given?: Plan): Queries {
  const manner = { silence: silenceOf(queries) }
  const planNow = () => given ?? planOfRequest()
  const store = given ? 'transaction' : 'database'
  const ask = <Result>(call: () => Promise<Result>) => meet(planNow(), store, call, manner)
  return {
    ...queries,
    rows: (text, values) => ask(() => queries.rows(text, values)),
    text: (text, values) => ask(() => queries.text(text, values)),
    texts: (text, values) => ask(() => queries.texts(text, values)),
    run: (text, values) => ask(() => queries.run(text, values)),
  }
}

export function faultyDatabase(db: Database): Database {
  const isAsync = db.dialect.engine === 'PostgreSQL'
  const manner = { silence: silenceOf(db) }
  const apart = { silence: silenceOf({ ...db.apart, dialect: db.dialect }) }
  const ask = <Result>(call: () => Result | Promise<Result>, how = manner) =>
    meet(planOfRequest(), 'database', call, how)
  const transaction: Database['transaction'] = (work) => {
    const plan = planOfRequest()
    const cut = () => new OutcomeUnknown('the connection was lost at the commit')
    // Within a transaction of SQLite's a call is over when it returns, so there is no waiting for it.
    const inside = plan && (isAsync || plan.way !== 'never answers')
    const faulty = () => db.transaction((tx) => work(inside ? faultyQueries(tx, plan) : tx))
    return meet(plan, 'database', faulty, { ...manner, cut })
  }
  return {
    ...db,
    ...faultyQueries(db),
    ...(db.readTogether && { readTogether: faultyReads(db.readTogether) }),
    transaction,
    apart: {
      rows: (text, values) => ask(() => db.apart.rows(text, values), apart),
      run: (text, values) => ask(() => db.apart.run(text, values), apart),
    },
    ping: () => ask(() => db.ping(), apart),
    scan: (...asked) => ask(() => db.scan(...asked)),
    async *batches(...asked) {
      await ask(() => undefined)
      yield* db.batches(...asked) as AsyncIterable<never[]>
    },
  }
}

/** Beginning a read that many share is a call, too, and one that nobody waits for. */
const faultyReads =
  (readTogether: NonNullable<Database['readTogether']>): typeof readTogether =>
  (work) => {
    const plan = planOfRequest()
    if (!plan || plan.way === 'never answers' || plan.met.push('shared read') !== plan.call) return readTogether(work)
    plan.hit = true
    if (plan.way === 'is cut off when done') readTogether(work)
    throw lost()
  }

export function faultyAside(activity: ActivityStore): ActivityStore {
  const manner = { silence: silenceOf(activity) }
  const ask = <Result>(call: () => Promise<Result>) => meet(planOfRequest(), 'activity', call, manner)
  return {
    ...activity,
    rows: (text, values) => ask(() => activity.rows(text, values)),
    run: (text, values) => ask(() => activity.run(text, values)),
    put: (text, json) => ask(() => activity.put(text, json)),
  }
}
