import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, inParallel, waitUntil } from '../harness/client.ts'
import {
  type Client,
  client,
  type Engine,
  type Installation,
  install,
  retryWhileBusy,
  sqlOn,
} from '../harness/installation.ts'
import { type Server, serve } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'

const WRITERS = 32 // so that on SQLite many share a commit
const LATEST_MS = 300
const FIRST_WITHIN_MS = 30_000
const KILLS_THAT_MEET = 10 // of as many, one at least must meet a write in flight
const KILLS_THAT_TELL = 20 // as many have a 95th percentile

/** What was acknowledged is there after SIGKILL, what was not is there once or not at all, and its key is good for a retry. */
export async function acknowledged(trial: Trial): Promise<void> {
  const { sqliteKills, workerKills, serverKills } = trial.sizes
  await survives(trial, 'SQLite', 'the process is', sqliteKills, killProcess)
  await survives(trial, 'PostgreSQL', 'the worker is', workerKills, killProcess)
  await survives(trial, 'PostgreSQL', 'PostgreSQL is', serverKills, crashPostgres)
}

/** Prepares a kill. The kill ends something at once, restarts it, and returns the server that runs then. */
type PrepareKill = (trial: Trial, installation: Installation, server: Server) => Promise<Kill>
type Kill = () => Promise<Server>

const killProcess: PrepareKill = async (trial, installation, server) => async () => {
  await server.stop('SIGKILL')
  return serve(trial, installation)
}

// A backend that dies by SIGKILL takes the whole server down: it drops its memory, cuts all connections and replays its log.
const crashPostgres: PrepareKill = async (_trial, { env }, server) => {
  const backends = `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  const [backend] = await sqlOn<{ pid: number }>(env.DATABASE_URL!, `${backends} order by backend_start desc limit 1`)
  return async () => {
    process.kill(backend!.pid, 'SIGKILL')
    return server
  }
}

function survives(trial: Trial, engine: Engine, what: string, kills: number, prepareKill: PrepareKill): Promise<void> {
  const promise = `acknowledged writes survive when ${what} killed, ${engine}`
  return trial.promise(promise, async (reportFailure) => {
    const random = trial.random(promise)
    const installation = await install(trial, engine)
    let server = await serve(trial, installation)
    const caller = await client(trial, server.url, installation.credentials)
    const restarts: number[] = []
    const counted = { acknowledged: 0, unknown: 0, inFlight: 0 }
    for (let kill = 0; kill < kills; kill++) {
      const name = `k${kill}`
      const writing = write(caller, name)
      const prepare = () => prepareKill(trial, installation, server)
      const { killedAt, back } = await killAmid(writing, random.between(0, LATEST_MS), prepare)
      server = await back
      caller.moveTo(server.url)
      await waitUntil('it writes again', 30_000, async () => (await create(caller, `${name} again`)).status === 200)
      restarts.push(performance.now() - killedAt)
      const sent = await writing.done
      await check(installation, name, sent, reportFailure)
      const missing = sent.filter(({ answer }) => answer.status !== 200)
      await repeat(installation, caller, name, missing, reportFailure)
      counted.acknowledged += sent.length - missing.length
      counted.unknown += missing.length
      counted.inFlight += missing.filter(({ wasInFlight }) => wasInFlight).length
    }
    await checkWhole(installation, reportFailure)
    if (kills >= KILLS_THAT_MEET && counted.inFlight === 0) reportFailure('no kill met a write in flight')
    const summary = checkRestarts(restarts, trial.sizes.restartMs, reportFailure)
    return `${kills} kills, ${counted.acknowledged} acknowledged, ${counted.unknown} repeated, ${counted.inFlight} of them in flight at a kill, ${summary}`
  })
}

/** Kills while clients write, then stops the clients: a write without an answer by then was in flight. */
async function killAmid(writing: ReturnType<typeof write>, afterMs: number, prepare: () => Promise<Kill>) {
  try {
    await writing.first
    const killNow = await prepare()
    await sleep(afterMs)
    return { killedAt: performance.now(), back: killNow() }
  } finally {
    writing.stop()
  }
}

/** Fails where too many take too long: the 95th percentile, or the median of a few. */
function checkRestarts(restarts: readonly number[], mostMs: number, reportFailure: ReportFailure): string {
  const sorted = restarts.toSorted((a, b) => a - b)
  const percentile = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!)
  const [name, checked] =
    sorted.length >= KILLS_THAT_TELL ? ['95th percentile', percentile(0.95)] : ['median', percentile(0.5)]
  if (checked > mostMs) reportFailure(`writes again after ${checked} ms, the ${name}`)
  return `back in ${percentile(0.5)} ms, at worst ${percentile(1)} ms`
}

interface Sent {
  phone: string
  answer: Answer
  /** True if it was in flight when the clients were stopped. */
  wasInFlight: boolean
}

const create = (caller: Client, phone: string) =>
  caller.ask('/customers', { method: 'POST', body: { name: 'Aysel', phone }, headers: { 'idempotency-key': phone } })

/** Clients who write one customer after the other, each with a phone and a key of its own, and note what they were told. */
function write(caller: Client, name: string) {
  const sent: Sent[] = []
  const first = Promise.withResolvers<void>()
  let over = false
  const done = inParallel(WRITERS, async (writer) => {
    for (let number = 0; !over; number++) {
      const phone = `${name}w${writer}n${number}` // with letters between, for dashes do not tell two phones apart (D4.1)
      const answer = await create(caller, phone)
      sent.push({ phone, answer, wasInFlight: over })
      if (answer.status === 200) first.resolve()
    }
    clearTimeout(late)
  }).then(() => sent)
  const tooLate = new Error(`no write was acknowledged within ${FIRST_WITHIN_MS} ms`)
  const late = setTimeout(() => first.reject(tooLate), FIRST_WITHIN_MS)
  return {
    first: first.promise,
    done,
    stop() {
      over = true
    },
  }
}

async function stored({ db, brand_id }: Installation, name: string): Promise<Map<string, string[]>> {
  const rows = await db.rows<{ id: string; phone: string }>(
    'select id, phone from customers where brand_id = ? and phone >= ? and phone < ?',
    [brand_id, `${name}w`, `${name}x`],
  )
  const ids = new Map<string, string[]>()
  for (const { id, phone } of rows) ids.set(phone, [...(ids.get(phone) ?? []), id])
  return ids
}

async function check(
  installation: Installation,
  name: string,
  sent: readonly Sent[],
  reportFailure: ReportFailure,
): Promise<void> {
  const ids = await stored(installation, name)
  for (const { phone, answer } of sent) {
    const held = ids.get(phone) ?? []
    const description = `${phone}, answered ${answer.status} ${answer.body.error ?? answer.failure ?? ''}`
    if (held.length > 1) reportFailure(`${description}: there ${held.length} times`)
    if (answer.status === 200 && held[0] !== idOf(answer)) reportFailure(`${description}: lost`)
    if (answer.status === 503 && answer.body.error === 'unavailable' && held.length > 0)
      reportFailure(`${description}: there`)
    if (![0, 200, 503].includes(answer.status)) reportFailure(description)
  }
}

const idOf = ({ body }: Answer) => (body.data as { id: string } | undefined)?.id

/** An unacknowledged write that is repeated with its key is stored exactly once. */
async function repeat(
  installation: Installation,
  caller: Client,
  name: string,
  missing: readonly Sent[],
  reportFailure: ReportFailure,
): Promise<void> {
  const answers = await Promise.all(missing.map(({ phone }) => retryWhileBusy(() => create(caller, phone))))
  const ids = await stored(installation, name)
  for (const [index, { phone }] of missing.entries()) {
    const answer = answers[index]!
    const held = ids.get(phone) ?? []
    if (answer.status !== 200 || held.length !== 1 || held[0] !== idOf(answer))
      reportFailure(`${phone}, repeated: ${answer.status} ${JSON.stringify(answer.body)}, there ${held.length} times`)
  }
}

/** Nothing half-written: the engine's own check, and totals that fit the rows. */
async function checkWhole({ db, brand_id }: Installation, reportFailure: ReportFailure): Promise<void> {
  if (db.dialect.engine === 'SQLite') {
    const [verdict] = await db.texts('pragma integrity_check', [])
    if (verdict !== 'ok') reportFailure(`integrity_check: ${verdict}`)
  }
  const [sums] = await db.rows<{ customers: number; counted: number; keys: number }>(
    `select (select count(*) from customers where brand_id = ?) as customers,
            (select value from counters where brand_id = ? and name = 'customers') as counted,
            (select count(*) from idempotency_keys where brand_id = ?) as keys`,
    [brand_id, brand_id, brand_id],
  )
  const { customers, counted, keys } = sums!
  if (customers !== counted || customers !== keys)
    reportFailure(`${customers} customers, counted ${counted}, with ${keys} keys`)
}
