import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, OutcomeUnknown, type Queries, StoreUnavailable } from '../../server/src/storage/database.ts'
import { faultProxy } from '../../server/test/fault-proxy.ts'
import { waitUntil } from '../harness/client.ts'
import { client, type Engine } from '../harness/installation.ts'
import { serve } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { counted, LOOPBACK, openHooks, openSending, shared, startSender } from './hooks.ts'
import { checkLog, openReceiver, type Receiver } from './receivers.ts'

const WITHIN_MS = 2_000
const WRITES = 5
const [ENDPOINTS, EVENTS, PAUSE_MS] = [3, 20, 100]
const LOOKS_MS = 3_000 // a sender that has dropped an endpoint after a failure leaves it alone for two seconds
const ONE_IN = 8

/** W25: without Redis nobody hints, and a look each second finds what there is. */
export async function redisCut(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const hooks = await openHooks(trial, engine)
  const settings = await shared(trial, 2)
  const proxy = await faultProxy(settings.REDIS_URL!)
  trial.after(proxy.close)
  const redis = { ...settings, REDIS_URL: proxy.url }
  const receiver = await openReceiver(trial)
  await hooks.add(receiver.url, { types: '["customer.*"]' })
  const server = await serve(trial, hooks.installation, { ...LOOPBACK, ...redis, COMPTOIR_WEBHOOKS: 'off' })
  await startSender(trial, hooks.installation, redis)
  const { ask } = await client(trial, server.url, hooks.installation.credentials)
  const slowest = async () => {
    let most = 0
    for (let write = 0; write < WRITES; write++) {
      const before = receiver.arrived()
      const { status } = await ask('/customers', { method: 'POST', body: { name: 'Guest' } })
      if (status !== 200) reportFailure(`a write was answered ${status}`)
      most = Math.max(most, await waitUntil('it comes', 60_000, () => receiver.arrived() > before))
    }
    return most
  }
  const before = await slowest()
  await proxy.down()
  const meanwhile = await slowest()
  if (meanwhile > WITHIN_MS * trial.sizes.slack) reportFailure(`the slowest came after ${meanwhile.toFixed(0)} ms`)
  await server.stop()
  return `the slowest of ${WRITES} came after ${before.toFixed(0)} ms, and without Redis after ${meanwhile.toFixed(0)} ms`
}

/** Calls of the sender fail, before they are done or after: nothing is lost, and the order stays. */
export async function storeCalls(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { senderFaults } = trial.sizes
  const hooks = await openHooks(trial, engine)
  const random = trial.random(`calls of a sender ${engine}`)
  const endpoints: { id: string; receiver: Receiver }[] = []
  let [isArmed, calls, faults, repeats] = [false, 0, 0, 0]
  const service = await openSending(trial, hooks, ({ db }) => ({ db: faulty(db, fault) }))

  async function fault<Result>(call: () => Promise<Result>, isCommit: boolean): Promise<Result> {
    if (!isArmed) return call()
    calls++
    if (random.between(1, ONE_IN) > 1) return call()
    faults++
    const isDone = random.percent(50)
    if (isDone) await call()
    for (const { receiver } of endpoints) receiver.noteKill() // what was not written may be lost from now on
    if (!isDone) throw new StoreUnavailable('the connection was lost')
    throw isCommit
      ? new OutcomeUnknown('the connection was lost at the commit')
      : new StoreUnavailable('the answer was lost')
  }

  for (let number = 0; number < ENDPOINTS; number++) {
    const receiver = await openReceiver(trial)
    const { id } = await hooks.add(receiver.url, number === 1 ? { payload: 'full' } : {})
    endpoints.push({ id, receiver })
  }
  isArmed = true
  while (faults < senderFaults) {
    const before = calls
    await hooks.publish(EVENTS)
    await waitUntil('it looks', LOOKS_MS, () => calls > before).catch(() => {})
    await sleep(PAUSE_MS)
  }
  isArmed = false
  const losses = await counted(service, 'leases_lost')
  for (const { id, receiver } of endpoints) {
    await hooks.caughtUp(id)
    const missing = [...hooks.feed.keys()].filter((position) => !receiver.accepted.has(position))
    if (missing.length > 0) reportFailure(`endpoint ${id} never got ${missing.length} events`)
    repeats += checkLog(`endpoint ${id}`, receiver.log, hooks.feed, { losses }, reportFailure)
  }
  return `${faults} of ${calls} calls failed, ${hooks.feed.size} events, all delivered in order, ${repeats} twice`
}

type Fault = <Result>(call: () => Promise<Result>, isCommit: boolean) => Promise<Result>

const faultyQueries = (queries: Queries, fault: Fault): Queries => ({
  ...queries,
  rows: (text, values) => fault(() => queries.rows(text, values), false),
  text: (text, values) => fault(() => queries.text(text, values), false),
  texts: (text, values) => fault(() => queries.texts(text, values), false),
  run: (text, values) => fault(() => queries.run(text, values), false),
})

const faulty = (db: Database, fault: Fault): Database => ({
  ...db,
  ...faultyQueries(db, fault),
  transaction: (work, source) =>
    fault(() => db.transaction((tx) => work({ ...tx, ...faultyQueries(tx, fault) }), source), true),
})
