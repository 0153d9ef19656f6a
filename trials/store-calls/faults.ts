import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ActivityStore } from '../../server/src/storage/activity-store.ts'
import {
  type Database,
  OutcomeUnknown,
  type Queries,
  StoreUnavailable,
  type Transaction,
} from '../../server/src/storage/database.ts'

/** How a call to a store fails: it is not made, it times out without being made, or it is made and the connection is lost. */
export const FAULT_KINDS = ['fails', 'times out', 'is cut off when done'] as const
type FaultKind = (typeof FAULT_KINDS)[number] | 'never answers'
/** The store that a call goes to. */
export type Store = 'database' | 'transaction' | 'id block' | 'shared read' | 'activity' | 'Redis'

/** Which call of a request fails, and how. */
export interface Plan {
  kind: FaultKind
  /** The first is 1. */
  call: number
  /** The store of each call so far. */
  callsMade: Store[]
  /** Whether a call has failed. */
  hit: boolean
  /** Resolves when the request is over. */
  over: PromiseWithResolvers<void>
  isOver: boolean
}

export const planOf = (way: FaultKind, call: number): Plan => ({
  kind: way,
  call,
  callsMade: [],
  hit: false,
  over: Promise.withResolvers(),
  isOver: false,
})
export const noFault = () => planOf('fails', Number.POSITIVE_INFINITY)
/** The store whose call failed; undefined if the request has not made that call. */
export const storeHit = ({ callsMade: met, call }: Plan): Store | undefined => met[call - 1]

const LATE_MS = 5
const inRequest = new AsyncLocalStorage<Plan>()
const inIdBlock = new AsyncLocalStorage<true>()

/** Runs `work`, in which one call to a store fails. Other requests are not affected. */
export const underFault = <Result>(plan: Plan, work: () => Promise<Result>): Promise<Result> =>
  inRequest.run(plan, work).finally(() => {
    plan.isOver = true
    plan.over.resolve()
  })

const lost = () => new StoreUnavailable('the connection was lost')

/** The errors that one kind of call fails with. */
interface FaultBehaviour {
  lost?: () => Error
  /** The error after a call that was made. */
  cut?: () => Error
  silence: (plan: Plan) => Promise<unknown>
}

/** Makes a call, unless the request's plan says that this one fails. */
export async function callOrFail<Result>(
  plan: Plan | undefined,
  store: Store,
  call: () => Result | Promise<Result>,
  { lost: failed = lost, cut = failed, silence }: FaultBehaviour,
): Promise<Result> {
  if (!plan || plan.callsMade.push(inIdBlock.getStore() ? 'id block' : store) !== plan.call) return call()
  plan.hit = true
  if (plan.kind === 'never answers') await silence(plan)
  if (plan.kind === 'times out') await sleep(LATE_MS)
  if (plan.kind === 'is cut off when done') {
    await call()
    throw cut()
  }
  throw failed()
}

/** Undefined after the response, for work that the request left for later. */
export function planOfRequest(): Plan | undefined {
  const plan = inRequest.getStore()
  return plan?.isOver ? undefined : plan
}

/** PostgreSQL itself does not answer, so that the service's deadline for its calls ends the wait. Elsewhere nothing ends it. */
const silenceOf =
  ({ dialect, rows }: Pick<Queries, 'dialect' | 'rows'>) =>
  (): Promise<unknown> =>
    dialect.engine === 'PostgreSQL' ? rows('select pg_sleep(300)', []) : new Promise<never>(() => {})

/** Queries that fail by the given plan, or else by the plan of the current request. */
function faultyQueries(queries: Queries, given?: Plan): Queries {
  const behaviour = { silence: silenceOf(queries) }
  const planNow = () => given ?? planOfRequest()
  const store = given ? 'transaction' : 'database'
  const ask = <Result>(call: () => Promise<Result>) => callOrFail(planNow(), store, call, behaviour)
  return {
    ...queries,
    rows: (text, values) => ask(() => queries.rows(text, values)),
    text: (text, values) => ask(() => queries.text(text, values)),
    texts: (text, values) => ask(() => queries.texts(text, values)),
    run: (text, values) => ask(() => queries.run(text, values)),
  }
}

const faultyTransaction = (tx: Transaction, plan: Plan): Transaction => ({
  ...faultyQueries(tx, plan),
  later: (text, values) => callOrFail(plan, 'transaction', () => tx.later(text, values), { silence: silenceOf(tx) }),
  publish: tx.publish,
  collector: tx.collector,
})

export function faultyDatabase(db: Database): Database {
  const isAsync = db.dialect.engine === 'PostgreSQL'
  const behaviour = { silence: silenceOf(db) }
  const unqueuedBehaviour = { silence: silenceOf({ ...db.unqueued, dialect: db.dialect }) }
  const ask = <Result>(call: () => Result | Promise<Result>, how = behaviour) =>
    callOrFail(planOfRequest(), 'database', call, how)
  const transaction: Database['transaction'] = (work, source) => {
    const plan = planOfRequest()
    const cut = () => new OutcomeUnknown('the connection was lost at the commit')
    // Calls inside a transaction of SQLite are synchronous, so none of them can wait for an answer.
    const inside = plan && (isAsync || plan.kind !== 'never answers')
    const faulty = () => db.transaction((tx) => work(inside ? faultyTransaction(tx, plan) : tx), source)
    return callOrFail(plan, 'database', faulty, { ...behaviour, cut })
  }
  return {
    ...db,
    ...faultyQueries(db),
    ...(db.readTogether && { readTogether: faultyReads(db.readTogether) }),
    transaction,
    withDeadline: faultyBlocks(db.withDeadline),
    unqueued: {
      rows: (text, values) => ask(() => db.unqueued.rows(text, values), unqueuedBehaviour),
      run: (text, values) => ask(() => db.unqueued.run(text, values), unqueuedBehaviour),
    },
    ping: () => ask(() => db.ping(), unqueuedBehaviour),
    scan: (...args) => ask(() => db.scan(...args)),
    async *batches(...args) {
      await ask(() => undefined)
      yield* db.batches(...args) as AsyncIterable<never[]>
    },
  }
}

/**
 * A block of ids, the only call without a deadline, is taken by whichever request finds the last one used up. Such a call is not among
 * those that never answer: which request makes it changes from run to run, and others wait for it too.
 */
const faultyBlocks =
  (withDeadline: Database['withDeadline']): typeof withDeadline =>
  (deadline, work) => {
    if (deadline.expiresAt !== Number.POSITIVE_INFINITY) return withDeadline(deadline, work)
    const taken = () => withDeadline(deadline, work)
    return planOfRequest()?.kind === 'never answers' ? inRequest.exit(taken) : inIdBlock.run(true, taken)
  }

/** Beginning a shared read transaction is a call too, and a synchronous one. */
const faultyReads =
  (readTogether: NonNullable<Database['readTogether']>): typeof readTogether =>
  (work) => {
    const plan = planOfRequest()
    if (!plan || plan.kind === 'never answers' || plan.callsMade.push('shared read') !== plan.call)
      return readTogether(work)
    plan.hit = true
    if (plan.kind === 'is cut off when done') readTogether(work)
    throw lost()
  }

export function faultyActivityStore(activity: ActivityStore): ActivityStore {
  const behaviour = { silence: silenceOf(activity) }
  const ask = <Result>(call: () => Promise<Result>) => callOrFail(planOfRequest(), 'activity', call, behaviour)
  return {
    ...activity,
    rows: (text, values) => ask(() => activity.rows(text, values)),
    run: (text, values) => ask(() => activity.run(text, values)),
    put: (text, json) => ask(() => activity.put(text, json)),
  }
}
