import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/services.ts'
import { createCredential, setCredentialEnabled } from '../../server/src/directory/credentials.ts'
import { addIntegrator } from '../../server/src/directory/registry.ts'
import { type Answer, call, forwardedFor, freshAddress, signIn, waitUntil } from '../harness/client.ts'
import { type Credentials, ENGINES, type Installation, install, retryWhileBusy } from '../harness/installation.ts'
import { serve } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'

const OF_A_PAIR = 4 // E8
const MAX_TRIES = 200
const GIVE_UP_MS = 60_000
const LEAVE_WITHIN_MS = 1_000
const REVOKED_WITHIN_MS = 2_000
const LATEST = '/v2/events?after=latest'

/** E7, E8: calls that wait are answered when their worker leaves, and refused when their right ends. */
export async function waits(trial: Trial): Promise<void> {
  for (const engine of ENGINES) {
    let made: Promise<Installation> | undefined
    const installation = () => {
      made ??= install(trial, engine) // within a promise, which tells why it cannot be had
      return made
    }
    await trial.promise(`a revoked credential ends a wait within 2 s, ${engine}`, async (reportFailure) =>
      revoked(trial, await installation(), reportFailure),
    )
    await trial.promise(`all waits are answered within 1 s of SIGTERM, ${engine}`, async (reportFailure) =>
      leaving(trial, await installation(), reportFailure),
    )
  }
}

/** Counted by the clock of this machine, which in the quick form may be busy with other things. */
async function revoked(trial: Trial, installation: Installation, reportFailure: ReportFailure): Promise<string> {
  const { db, keys, credentials } = installation
  const server = await serve(trial, installation)
  const own = await createCredential(db, keys, 'trust', { brand: 'bistro', username: 'owner' })
  const { ask } = await reader(server.url, { ...credentials, ...own })
  const { body } = await retryWhileBusy(() => ask(LATEST))
  const waiting = retryWhileBusy(() => ask(`/v2/events?after=${body.next}&wait=25&types=feed.resync`))
  await sleep(1_000) // it waits
  const startedAt = performance.now()
  await setCredentialEnabled(db, 'trust', own.client_id, false)
  const { status } = await waiting
  const ms = performance.now() - startedAt
  if (status !== 401) reportFailure(`it was answered ${status}`)
  if (ms > REVOKED_WITHIN_MS * trial.sizes.slack) reportFailure(`it was answered after ${ms.toFixed(0)} ms`)
  await server.stop()
  return `${status} after ${ms.toFixed(0)} ms`
}

async function leaving(trial: Trial, installation: Installation, reportFailure: ReportFailure): Promise<string> {
  const { waits: count, slack } = trial.sizes
  const port = await freePort()
  const server = await serve(trial, installation, { COMPTOIR_METRICS_PORT: String(port) })
  const readers = await readersOf(installation, server.url, count / OF_A_PAIR)
  const { body } = await retryWhileBusy(() => readers[0]!.ask(LATEST))
  const answers = readers.flatMap(({ ask }) =>
    Array.from({ length: OF_A_PAIR }, () =>
      retryWhileBusy(() => ask(`/v2/events?after=${body.next}&wait=25`)).then((answer) => ({
        ...answer,
        answeredAt: performance.now(),
      })),
    ),
  )
  const waiting = async () => /^comptoir_events_waiting_readers (\d+)$/m.exec(await textOf(port))?.[1]
  await waitUntil(`${count} calls wait`, 20_000, async () => Number(await waiting()) === count)
  const leftAt = performance.now()
  process.kill(server.pid, 'SIGTERM')
  const all = await Promise.all(answers)
  const ms = Math.max(...all.map(({ answeredAt }) => answeredAt)) - leftAt
  for (const { status, body: answerBody, failure } of all)
    if (status !== 200 || (answerBody.data as unknown[]).length > 0 || answerBody.next !== body.next)
      reportFailure(`${status} ${failure ?? JSON.stringify(answerBody)}`)
  if (ms > LEAVE_WITHIN_MS * slack) reportFailure(`the last was answered after ${ms.toFixed(0)} ms`)
  await server.exited
  return `${count} waits on one worker, the last answered after ${ms.toFixed(0)} ms`
}

/** Clients of as many integrators. */
async function readersOf({ db, credentials }: Installation, url: string, count: number): Promise<Reader[]> {
  const readers: Reader[] = []
  for (let number = 0; number < count; number++) {
    const { id } = await addIntegrator(db, 'trust', { name: `Reader ${number}`, test: false })
    readers.push(await reader(url, { ...credentials, integrator_id: id }))
  }
  return readers
}

const textOf = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

interface Reader {
  ask(path: string): Promise<Answer>
}

/** One integrator's client; each call has a connection of its own. */
async function reader(url: string, credentials: Credentials): Promise<Reader> {
  for (let tries = 1; ; tries++) {
    const { status, body } = await signIn(url, credentials)
    if (status === 200) {
      const headers = { 'x-token': String(body.token), ...forwardedFor(freshAddress()) }
      return { ask: (path) => call(url + path, { headers, giveUpMs: GIVE_UP_MS }) }
    }
    if (tries === MAX_TRIES) throw new Error(`POST /auth answered ${status}`)
    await sleep(50) // a new integrator is known within a second (D5.6)
  }
}
