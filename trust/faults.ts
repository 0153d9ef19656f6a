import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import type { Aside } from '../server/src/storage/aside.ts'
import { type Database, OutcomeUnknown, type Queries, StoreUnavailable } from '../server/src/storage/database.ts'
import type { Windows } from '../server/src/storage/window.ts'

/** How a call to a store goes wrong: it is not done, it is not done and that takes a while, or it is done and nobody is told. */
export const WAYS = ['fails', 'times out', 'is cut off when done'] as const
export type Way = (typeof WAYS)[number]

/** Which call of a request goes wrong. */
export interface Plan {
  way: Way
  /** The first is 1. */
  call: number
  /** How many were made. */
  made: number
}

export const wasHit = ({ call, made }: Plan) => made >= call

const LATE_MS = 20
const inRequest = new AsyncLocalStorage<Plan>()

/** Does `work`, in which one call to a store goes wrong; what goes on beside it is left alone. */
export const underFault = <Result>(plan: Plan, work: () => Promise<Result>): Promise<Result> =>
  inRequest.run(plan, work)

const lost = () => new StoreUnavailable('the connection was lost')

async function meet<Result>(plan: Plan | undefined, call: () => Result | Promise<Result>, cut: () => Error = lost) {
  if (!plan || ++plan.made !== plan.call) return call()
  if (plan.way === 'times out') await sleep(LATE_MS)
  if (plan.way === 'is cut off when done') {
    await call()
    throw cut()
  }
  throw lost()
}

/** Queries that go wrong by the plan; without one given, by that of the request they are asked in. */
function faultyQueries(queries: Queries, given?: Plan): Queries {
  const plan = () => given ?? inRequest.getStore()
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      const at = plan()
      if (at && ++at.made === at.call && at.way !== 'is cut off when done') throw lost()
      return node
    },
    async transformResult({ result }) {
      const at = plan()
      if (at && at.made === at.call && at.way === 'is cut off when done') throw lost()
      return result
    },
  }
  return {
    dialect: queries.dialect,
    kysely: queries.kysely.withPlugin(plugin),
    rows: (text, values) => meet(plan(), () => queries.rows(text, values)),
    text: (text, values) => meet(plan(), () => queries.text(text, values)),
    texts: (text, values) => meet(plan(), () => queries.texts(text, values)),
    run: (text, values) => meet(plan(), () => queries.run(text, values)),
  }
}

export function faultyDatabase(db: Database): Database {
  const transaction: Database['transaction'] = (work) => {
    const plan = inRequest.getStore()
    const commitLost = () => new OutcomeUnknown('the connection was lost at the commit')
    return meet(plan, () => db.transaction((tx) => work(plan ? faultyQueries(tx, plan) : tx)), commitLost)
  }
  return {
    ...db,
    ...faultyQueries(db),
    transaction,
    apart: {
      rows: (text, values) => meet(inRequest.getStore(), () => db.apart.rows(text, values)),
      run: (text, values) => meet(inRequest.getStore(), () => db.apart.run(text, values)),
    },
    ping: () => meet(inRequest.getStore(), () => db.ping()),
    async *batches(text, values) {
      await meet(inRequest.getStore(), () => undefined)
      yield* db.batches(text, values) as AsyncIterable<never[]>
    },
  }
}

export const faultyAside = (aside: Aside): Aside => ({
  ...aside,
  rows: (text, values) => meet(inRequest.getStore(), () => aside.rows(text, values)),
  run: (text, values) => meet(inRequest.getStore(), () => aside.run(text, values)),
  put: (text, json) => meet(inRequest.getStore(), () => aside.put(text, json)),
})

export const faultyWindows = (windows: Windows): Windows => ({
  ...windows,
  take: (...asked) => meet(inRequest.getStore(), () => windows.take(...asked)),
  look: (...asked) => meet(inRequest.getStore(), () => windows.look(...asked)),
})
