import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, atRate, type Credentials, countStatus, keepAlive, slowestMs, tally } from '../harness/client.ts'
import { demoClient, demoInstallation } from '../harness/demo-installation.ts'
import { serve } from '../harness/server.ts'
import { checked, type Trial } from '../harness/trial.ts'
import { haproxy } from './haproxy.ts'

const ATTEMPTS = 3
const STARVED_MS = 1_000

/** A process that is asked to leave finishes what it has begun, and nobody notices. */
export async function rollingRestart(trial: Trial): Promise<void> {
  const installation = await demoInstallation(trial)
  const [workers, signals, perSecond] = trial.quick ? [2, 2, 100] : [3, 6, 200]
  const supervised = await serve(trial, installation, { COMPTOIR_WORKERS: String(workers) })
  let gone = 0

  await trial.promise(
    'a rolling restart fails no request',
    checked(`${signals} × SIGTERM, ${workers} workers, ${perSecond}/s`, async () => {
      const restarts = async () => {
        await sleep(500)
        for (let signal = 0; signal < signals; signal++) {
          process.kill(supervised.workers()[gone++]!, 'SIGTERM')
          await supervised.ready(workers + gone)
        }
        await sleep(500)
      }
      return seen(() => traffic(supervised.url, installation.credentials, perSecond, restarts()))
    }),
  )
  await supervised.stop()
  if (trial.quick) return

  const settings = { COMPTOIR_FLEET: '3', COMPTOIR_DRAIN_S: '1' }
  const servers = await Promise.all([1, 2, 3].map(() => serve(trial, installation, settings)))
  const balancer = await haproxy(trial, servers)
  if (!balancer) return
  await trial.promise(
    'the same, of servers behind HAProxy',
    checked(`3 × SIGTERM and start again, ${perSecond}/s`, async () => {
      const restarts = async () => {
        await sleep(500)
        for (const [index, server] of servers.entries()) {
          await server.stop()
          servers[index] = await serve(trial, installation, { ...settings, PORT: new URL(server.url).port })
          await sleep(1_000) // for the balancer to see it
        }
      }
      return seen(() => traffic(balancer, installation.credentials, perSecond, restarts()))
    }),
  )
}

/** Half of the requests on kept connections, half on fresh ones. */
async function traffic(
  url: string,
  credentials: Credentials,
  perSecond: number,
  during: Promise<void>,
): Promise<Answer[]> {
  const { call: ask } = await demoClient(url, credentials)
  const agent = keepAlive(20)
  const answers = await atRate(perSecond, during, (index) => ask(undefined, index % 2 === 0 ? { agent } : {}))
  agent.destroy()
  return answers
}

/** A machine on which requests wait for a second is too busy for so many, restart or not: such a run is void. */
async function seen(run: () => Promise<Answer[]>) {
  for (let voided = 0; ; voided++) {
    const answers = await run()
    const ok = countStatus(answers, 200) === answers.length
    if (!ok && slowestMs(answers) >= STARVED_MS && voided < ATTEMPTS) continue
    const why = [...new Set(answers.flatMap(({ failure }) => failure ?? []))]
    return { seen: [tally(answers), ...why, ...(voided > 0 ? [`${voided} void`] : [])].join('; '), ok }
  }
}
