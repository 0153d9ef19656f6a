import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, call, forwardedFor, freshAddress, inParallel, keepAlive } from '../harness/client.ts'
import { client, databaseUrl, ENGINES, type Engine, install, sqlOn } from '../harness/installation.ts'
import { menu } from '../harness/menu.ts'
import { residentMib } from '../harness/processes.ts'
import { comptoir, type Env, serve, start } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'

const CLIENTS = 8
const SAMPLE_MS = 2_000
// Limit on growth from the second third to the last; the first third fills caches. Under an hour, only garbage shows.
const growthMib = (minutes: number) => (minutes < 60 ? 24 : 4 + minutes / 60 / 3)
const GROWTH_FILES = 16
const GOOD = 86 // of a hundred calls; the others ask for what is not there, or with a forged token
const MIN_ANSWERED_SHARE = 0.9 // of the good ones in the last third, with 2xx
const SPEED = 600
const TOKEN_TTL_S = 86_400 // so that the token outlives the load

/** Hours of everything at once leave nothing behind. */
export async function soak(trial: Trial): Promise<void> {
  if (trial.soakMinutes === 0) return
  const minutes = trial.soakMinutes / ENGINES.length
  for (const engine of ENGINES) {
    await trial.promise(`nothing grows and nothing fails, ${engine}`, (reportFailure) =>
      load(trial, engine, minutes, reportFailure),
    )
    await trial.promise(
      `a restaurant sells at ${SPEED} times its speed and nothing grows, ${engine}`,
      (reportFailure) => restaurant(trial, engine, minutes, reportFailure),
    )
  }
}

async function load(trial: Trial, engine: Engine, minutes: number, reportFailure: ReportFailure): Promise<string> {
  const installation = await install(trial, engine, menu('bistro'))
  const shared = engine === 'PostgreSQL' ? { REDIS_URL: (await trial.redis()).url } : {}
  const server = await serve(trial, installation, {
    ...shared,
    COMPTOIR_LOG_LEVEL: 'info',
    COMPTOIR_TOKEN_TTL: String(TOKEN_TTL_S),
  })
  const caller = await client(trial, server.url, installation.credentials)
  const agent = keepAlive(CLIENTS)
  trial.after(() => agent.destroy())
  const { credentials } = installation
  const random = trial.random(`soak ${engine}`)
  const until = performance.now() + minutes * 60_000
  const statuses = new Map<number, number>()

  const lastThird = { good: 0, answered: 0 }

  const one = (chance: number, number: number): Promise<Answer> => {
    const key = { 'idempotency-key': `soak ${number % 1_000}` }
    if (chance < 40) return caller.ask('/receipts/1', { agent })
    if (chance < 60) return caller.ask('/products?limit=50', { agent })
    if (chance < 70) return caller.ask('/price-lists?include=prices', { agent })
    if (chance < 80) return caller.ask('/customers', { agent, method: 'POST', body: { name: 'Soak' }, headers: key })
    if (chance < GOOD)
      return call(`${server.url}/v2/auth`, { method: 'POST', body: credentials, headers: forwardedFor(freshAddress()) })
    if (chance < 94) return caller.ask('/receipts/999999', { agent })
    return caller.ask('/products?filters=[[', { agent, headers: { 'x-token': 'forged' } })
  }
  const clients = inParallel(CLIENTS, async () => {
    for (let number = 0; performance.now() < until; number++) {
      const chance = random.between(0, 99)
      const { status } = await one(chance, number)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (chance >= GOOD || performance.now() < until - minutes * 20_000) continue
      lastThird.good++
      if (status >= 200 && status < 300) lastThird.answered++
    }
  })
  const memory = await watched(server.pid, minutes, reportFailure)
  await clients
  for (const [status, times] of statuses) if (status === 0 || status >= 500) reportFailure(`${status} × ${times}`)
  // Load that is turned away, by an expired token for one, is no load.
  const { good, answered } = lastThird
  if (answered < good * MIN_ANSWERED_SHARE || good === 0)
    reportFailure(`in the last third ${answered} of ${good} good calls were answered 2xx`)
  const calls = [...statuses.values()].reduce((sum, times) => sum + times, 0)
  return `${calls} calls in ${minutes} min, ${memory}, ${answered} of ${good} good calls answered 2xx in the last third`
}

/** `comptoir demo live` against a server of its own; afterwards its books and its feed are sound. */
async function restaurant(
  trial: Trial,
  engine: Engine,
  minutes: number,
  reportFailure: ReportFailure,
): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'comptoir-soak-'))
  trial.after(() => rmSync(data, { recursive: true, force: true }))
  const env = { COMPTOIR_DATA: data, PORT: '0', ...(engine === 'PostgreSQL' && (await ownDatabase(trial))) }
  await comptoir(env, 'demo')
  const server = await serve(trial, { env })
  const seconds = Math.round(minutes * 60)
  const words = ['demo', 'live', '--speed', String(SPEED), '--for', `${seconds}s`, '--url', server.url, '--json']
  const live = start(env, words)
  trial.after(() => live.stop())
  const memory = await watched(server.pid, minutes, reportFailure)
  const code = await live.exited
  if (code !== 0) reportFailure(`demo live ended with ${code}: ${live.said().slice(-500)}`)
  for (const check of [
    ['audit', 'books', '--brand', 'demo'],
    ['events', 'verify'],
  ])
    await comptoir(env, ...check).catch((error: Error) =>
      reportFailure(`${check.join(' ')}: ${error.message.slice(-500)}`),
    )
  const { placed, accepted, closed } = JSON.parse(live.said()) as Record<string, number>
  if (!closed) reportFailure('nothing was sold')
  return `${seconds} s, ${placed} orders placed, ${accepted} accepted, ${closed} receipts closed, ${memory}`
}

async function ownDatabase(trial: Trial): Promise<Env> {
  const { url } = await trial.postgres()
  await sqlOn(url, 'create database soak_live')
  trial.after(() => sqlOn(url, 'drop database soak_live with (force)'))
  return { DATABASE_URL: databaseUrl(url, 'soak_live'), REDIS_URL: (await trial.redis()).url }
}

/** Looks at a process for so long, and says what it needed. */
async function watched(pid: number, minutes: number, reportFailure: ReportFailure): Promise<string> {
  const until = performance.now() + minutes * 60_000
  const samples: { mib: number; files: number }[] = []
  while (performance.now() < until) {
    samples.push(sample(pid))
    await sleep(SAMPLE_MS)
  }
  const growth = grown(samples)
  if (growth.mib > growthMib(minutes)) reportFailure(`${growth.mib.toFixed(0)} MiB more in the last third`)
  if (growth.files > GROWTH_FILES) reportFailure(`${growth.files.toFixed(0)} more open files in the last third`)
  return `${samples.at(-1)?.mib.toFixed(0)} MiB, ${growth.mib.toFixed(0)} MiB more at the end`
}

const sample = (pid: number) => ({ mib: residentMib(pid), files: readdirSync(`/proc/${pid}/fd`).length })

/** The means of the second and of the last third, compared. */
function grown(samples: readonly { mib: number; files: number }[]) {
  const third = Math.floor(samples.length / 3)
  const mean = (part: typeof samples, name: 'mib' | 'files') =>
    part.reduce((sum, each) => sum + each[name], 0) / Math.max(1, part.length)
  const [second, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)]
  return { mib: mean(last, 'mib') - mean(second, 'mib'), files: mean(last, 'files') - mean(second, 'files') }
}
