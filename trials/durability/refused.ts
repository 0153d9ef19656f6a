import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type Answer,
  atRate,
  forwardedFor,
  freshAddress,
  inParallel,
  slowestMs,
  tally,
  waitUntil,
} from '../harness/client.ts'
import { type Client, client, ENGINES, type Engine, type Installation, install } from '../harness/installation.ts'
import { BIN, serve } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'

const PER_SECOND = 75
const SLOW_MS = 9_500 // from the head of a slow one to the end of the lock
const AFTER_MS = 1_500 // in which whatever was left in a queue would be made

/** Writes beside a lock that lasts: what is answered `unavailable` was not made and never will be, and is answered in time. */
export async function refused(trial: Trial): Promise<void> {
  for (const engine of ENGINES)
    await trial.promise(`what is refused beside a long lock is not made, ${engine}`, (reportFailure) =>
      besideLock(trial, engine, reportFailure),
    )
}

interface Sent {
  name: string
  answer: Answer
}

async function besideLock(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { lockedMs, crowdOfWriters, slowBodies, answeredMs } = trial.sizes
  const installation = await install(trial, engine)
  const server = await serve(trial, installation)
  const caller = await client(trial, server.url, installation.credentials)
  const sent: Sent[] = []
  const note = async (name: string, answering: Promise<Answer>) => {
    const answer = await answering
    sent.push({ name, answer })
    return answer
  }

  const release = await (engine === 'SQLite' ? importSlowly : lockTable)(trial, installation)
  const over = sleep(lockedMs).then(release)
  const random = trial.random(`refused ${engine}`)
  const post = (name: string) => note(name, caller.ask('/customers', { method: 'POST', body: { name } }))
  // Many at once: they wait for several commits of SQLite's, one after the other.
  const crowd = inParallel(crowdOfWriters, (index) => post(`crowd ${index}`))
  // The time of a body is the client's: these are in the queue when the shedder answers them, and the lock ends soon after.
  const slow = sleep(lockedMs - SLOW_MS).then(() =>
    inParallel(slowBodies, (index) =>
      note(`slow ${index}`, postSlowly(server.url, caller, `slow ${index}`, random.between(7_300, 7_900))),
    ),
  )
  const isOver = over.then(() => sleep(AFTER_MS))
  const steady = await atRate(PER_SECOND, isOver, (index) => post(`steady ${index}`))
  await slow
  await sleep(AFTER_MS)

  await compare(installation, sent, reportFailure)
  await crowd
  const late = slowestMs(steady)
  if (late > answeredMs) reportFailure(`one was answered after ${Math.round(late)} ms`)
  const { unavailable = 0, outcome_unknown: unknown = 0 } = countsOf(sent)
  if (unavailable === 0) reportFailure('nothing was refused: nothing was tried')
  return `${sent.length} writes beside a lock of ${lockedMs / 1000} s: ${tally(sent.map(({ answer }) => answer))}, ${unavailable} unavailable, ${unknown} unknown, at worst ${Math.round(late)} ms`
}

const countsOf = (sent: readonly Sent[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(sent, ({ answer }) => String(answer.body.error))).map(([name, answers]) => [
      name,
      answers!.length,
    ]),
  )

/** Holds what clients were told against the table, and has the engine check itself. */
async function compare(
  { db, brand_id }: Installation,
  sent: readonly Sent[],
  reportFailure: ReportFailure,
): Promise<void> {
  const names = new Map<string, number>()
  for (const name of await db.texts('select name from customers where brand_id = ?', [brand_id]))
    names.set(name, (names.get(name) ?? 0) + 1)
  for (const { name, answer } of sent) {
    const { status, body, failure } = answer
    const held = names.get(name) ?? 0
    const description = `${name}, answered ${status} ${body.error ?? failure ?? ''}`
    if (status === 200 && held !== 1) reportFailure(`${description}: there ${held} times`)
    if (status === 503 && body.error === 'unavailable' && held > 0) reportFailure(`${description}: there`)
    if (held > 1) reportFailure(`${description}: there ${held} times`)
    if (status !== 200 && status !== 503) reportFailure(description)
  }
  if (db.dialect.engine === 'PostgreSQL') return
  const [verdict] = await db.texts('pragma integrity_check', [])
  if (verdict !== 'ok') reportFailure(`integrity_check: ${verdict}`)
}

/** Creates a customer with a body that comes later than its head. */
async function postSlowly(url: string, { token }: Client, name: string, bodyAfterMs: number): Promise<Answer> {
  const startedAt = performance.now()
  const body = JSON.stringify({ name })
  const post = request(`${url}/v2/customers`, {
    method: 'POST',
    headers: {
      'x-token': token,
      'content-type': 'application/json',
      'content-length': body.length,
      ...forwardedFor(freshAddress()),
    },
  })
  const answering = once(post, 'response') as Promise<[IncomingMessage]> // which may come before the body is sent
  answering.catch(() => {}) // it is waited for below
  post.flushHeaders()
  await sleep(bodyAfterMs)
  post.end(body)
  const [answer] = await answering
  return {
    status: answer.statusCode!,
    headers: answer.headers,
    body: (await json(answer)) as Answer['body'],
    ms: performance.now() - startedAt,
  }
}

type Hold = (trial: Trial, installation: Installation) => Promise<() => Promise<void>>

/** An import that waits for more: it holds the file's one lock until its input ends. */
const importSlowly: Hold = async (trial, { env, config }) => {
  const child = spawn(process.execPath, [BIN, 'import', '--brand', 'bistro', '-'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  trial.after(() => child.kill('SIGKILL'))
  const probe = new DatabaseSync(join(config.COMPTOIR_DATA, 'comptoir.db'))
  let refusals = 0 // in a row: the server writes too, but never for as long
  await waitUntil('the import has the lock', 30_000, () => {
    try {
      probe.exec('begin immediate; rollback')
      refusals = 0
    } catch {
      refusals++
    }
    return refusals >= 20
  })
  probe.close()
  return async () => {
    child.stdin.end()
    if ((await exited) !== 0) throw new Error('the import failed')
  }
}

const lockTable: Hold = async (trial, { env }) => {
  const holder = new pg.Client({ connectionString: env.DATABASE_URL! })
  holder.on('error', () => {}) // it is ended with the server
  trial.after(() => holder.end())
  await holder.connect()
  await holder.query('begin; lock table customers in share row exclusive mode')
  return async () => void (await holder.query('rollback'))
}
