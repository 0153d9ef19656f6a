import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../harness/client.ts'
import { type Engine, sqlOn } from '../harness/installation.ts'
import { type ProcessPool, startProcessPool } from '../harness/process-pool.ts'
import type { Env } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { type Hooks, LOOPBACK, openHooks } from './hooks.ts'
import type { SendingTask } from './processes/sending.ts'
import { checkLog, openReceiver, type Receiver } from './receivers.ts'

const MODULE = new URL('./processes/sending.ts', import.meta.url)
const CLOCK = new URL('./processes/shifted-clock.ts', import.meta.url)
const WITHOUT_TERM = new URL('./processes/without-term.ts', import.meta.url).href
const [STOPPED_MS, WALL_MS] = [60_000, 5 * 60_000]
const [ENDPOINTS, EVENTS, MORE_EVENTS] = [6, 12, 40]
const [IN_FLIGHT, ANSWERED] = [8, 4]
const WAKES_MS = 1_500
const MAX_ROUNDS = 8

/** W24: a sender that was stopped for a minute, and whose endpoints another one has taken over, writes nothing and sends nothing. */
export async function stopped(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { arrivals, stale } = await wake(trial, engine, [], reportFailure)
  if (stale.length > 0) reportFailure(`the stopped sender moved back ${stale.join(', ')}`)
  if (arrivals > 0) reportFailure(`the stopped sender sent ${arrivals} events`)
  return `${ENDPOINTS} endpoints, stopped for ${trial.quick ? 'what its clocks call' : ''} 60 s with requests answered and not written, clocks 5 min ahead and behind`.replace(
    / +/g,
    ' ',
  )
}

/** The trial itself is tried: without the term it must say so. */
export async function noticed(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const { stale } = await wake(trial, engine, ['--import', WITHOUT_TERM], () => {})
    if (stale.length > 0) return `noticed in round ${round}: moved back ${stale.join(', ')}`
  }
  reportFailure(`nobody noticed in ${MAX_ROUNDS} rounds`)
  return 'a sender without the term'
}

async function wake(trial: Trial, engine: Engine, execArgv: string[], reportFailure: ReportFailure) {
  const hooks = await openHooks(trial, engine)
  const endpoints: { id: string; receiver: Receiver }[] = []
  for (let number = 0; number < ENDPOINTS; number++) {
    const receiver = await openReceiver(trial)
    endpoints.push({ id: (await hooks.add(receiver.url)).id, receiver })
  }
  const sender = await startSending(trial, hooks, WALL_MS, execArgv)
  await hooks.publish(EVENTS)
  await Promise.all(endpoints.map(({ id }) => hooks.caughtUp(id)))

  // Some of its requests are answered shortly before it is stopped, the others while it is: none of that is written.
  const from = Math.max(...hooks.feed.keys())
  const [first, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  for (const { receiver } of endpoints)
    receiver.behave(async (response, { position }) => {
      await (position <= from + ANSWERED ? first : others).promise
      response.writeHead(204).end()
    })
  const arrivedAtAll = (count: number) =>
    endpoints.every(({ receiver }) => receiver.log.some((at) => at === from + count))
  await hooks.publish(EVENTS)
  await waitUntil('it sends', 30_000, () => arrivedAtAll(IN_FLIGHT))
  first.resolve()
  await waitUntil('it sends on', 30_000, () => arrivedAtAll(EVENTS))
  await stopUnlocked(hooks, sender)
  const stoppedAt = await hooks.rows()
  others.resolve()
  for (const { receiver } of endpoints) receiver.noteKill()
  if (!trial.quick) await sleep(STOPPED_MS)
  else sender.ahead(STOPPED_MS)
  await endAllLeases(hooks)

  const other = await startSending(trial, hooks, -WALL_MS, execArgv)
  await hooks.publish(MORE_EVENTS)
  await Promise.all(endpoints.map(({ id }) => hooks.caughtUp(id)))
  const ends = await hooks.rows()
  const arrived = total(endpoints, ({ receiver }) => receiver.arrived())
  sender.kill('SIGCONT')
  await sleep(WAKES_MS)
  const now = await hooks.rows()
  const stale = ends.filter(({ position }, index) => now[index]!.position < position).map(({ id }) => id)
  for (const [index, { id, receiver }] of endpoints.entries()) {
    const { position: writtenTo, term } = stoppedAt[index]! // on a busy machine a lease may have run out before
    const expected = { isAlwaysGood: true, losses: term - 1, writtenTo }
    checkLog(`endpoint ${id}`, receiver.log, hooks.feed, expected, reportFailure)
  }
  await Promise.all([other, sender].map(({ stop }) => stop()))
  return { stale, arrivals: total(endpoints, ({ receiver }) => receiver.arrived()) - arrived }
}

const endAllLeases = ({ installation: { db } }: Hooks) =>
  db.transaction((tx) => tx.run('update webhook_endpoints set lease_until = 0', []))

/** Between two of its transactions: one that it holds open would keep everybody from its rows. */
async function stopUnlocked({ installation: { env } }: Hooks, sender: { kill(signal: NodeJS.Signals): void }) {
  for (;;) {
    sender.kill('SIGSTOP')
    if (await isUnlocked(env)) return
    sender.kill('SIGCONT')
    await sleep(5)
  }
}

async function isUnlocked({ DATABASE_URL, COMPTOIR_DATA }: Env): Promise<boolean> {
  try {
    if (DATABASE_URL) await sqlOn(DATABASE_URL, 'select 1 from webhook_endpoints for update nowait')
    else {
      using file = new DatabaseSync(join(COMPTOIR_DATA!, 'comptoir.db'), { timeout: 0 })
      file.exec('begin immediate; rollback')
    }
    return true
  } catch {
    return false
  }
}

const total = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((sum, item) => sum + of(item), 0)

let clocks = 0

async function startSending(trial: Trial, { installation: { env } }: Hooks, wall: number, execArgv: string[]) {
  const file = join(dirname(env.COMPTOIR_DATA!), `clock-${++clocks}`)
  writeFileSync(file, '0')
  const clock = ['--import', `${CLOCK.href}?wall=${wall}&file=${encodeURIComponent(file)}`]
  const pool: ProcessPool<SendingTask, string> = await startProcessPool(trial, MODULE, 1, [...clock, ...execArgv])
  await pool.run([{ act: 'send', env: { ...env, ...LOOPBACK } }])
  const [member] = pool.members
  return {
    kill: (signal: NodeJS.Signals) => void member!.kill(signal),
    ahead: (ms: number) => writeFileSync(file, String(ms)),
    stop: () => pool.run([{ act: 'stop' }]),
  }
}
