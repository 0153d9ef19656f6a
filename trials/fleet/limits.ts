import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Answer,
  call,
  countStatus,
  forwardedFor,
  freshAddress,
  inParallel,
  signIn,
  tally,
} from '../harness/client.ts'
import { type DemoInstallation, demoClient, demoInstallation, RECEIPT } from '../harness/demo-installation.ts'
import { type Server, serve, serveApart } from '../harness/server.ts'
import { checked, type Trial } from '../harness/trial.ts'
import { haproxy } from './haproxy.ts'

const ATTEMPTS = 7
const PARTS = [8, 4].flatMap((fleet) => [60, 300].map((limit) => `${Math.floor(limit / fleet)}`))

/** §8 tier 3, rule 3: more workers do not multiply a limit, however they are run. */
export async function fleetLimits(trial: Trial): Promise<void> {
  const installation = await demoInstallation(trial)
  const workers = await serve(trial, installation, { COMPTOIR_WORKERS: '8' })
  await exactly(trial, installation, workers.url, [workers], '8 workers')
  await workers.stop()

  const apart = await serveApart(trial, installation, 4)
  const balancer = await haproxy(trial, apart)
  if (balancer) await exactly(trial, installation, balancer, apart, '4 servers, HAProxy')
}

async function exactly(trial: Trial, installation: DemoInstallation, url: string, servers: Server[], where: string) {
  const { call: warm } = await demoClient(url, installation.credentials)
  await inParallel(200, () => warm()) // so that connections to the stores are there

  // What is not refused is admitted, also where a machine that is too small for the crowd then answers 503.
  const tier = (promise: string, size: number, crowd: (atOnce: number) => Promise<Answer[]>, limit: number) =>
    trial.promise(
      promise,
      checked(`${size.toLocaleString('en')} at once, ${where}`, async () => {
        const { answers, voided, atOnce } = await undisturbed(servers, size, crowd, warm)
        const answered = answers.length - countStatus(answers, 0)
        const ok = answered === answers.length && answered - countStatus(answers, 429) === limit
        return { seen: `${tally(answers)}${voided > 0 ? ` (${voided} void, then ${atOnce} at once)` : ''}`, ok }
      }),
    )

  const calls = async (atOnce: number) => {
    const { call: ask } = await demoClient(url, await installation.newIntegrator())
    return inParallel(1000, () => ask(), atOnce)
  }
  const signIns = (atOnce: number, address = freshAddress()) =>
    inParallel(200, () => signIn(url, installation.credentials, address), atOnce)
  const failures = (atOnce: number, headers = { ...forwardedFor(freshAddress()), 'x-token': 'forged' }) =>
    inParallel(1000, () => call(url + RECEIPT, { headers }), atOnce)

  await tier('tier 3 admits exactly 300 of a pair', 1000, calls, 300)
  if (trial.quick && servers.length > 1) return
  await tier('tier 1 admits exactly 60 of an address', 200, signIns, 60)
  await tier('tier 2 counts exactly 600 failures of an address', 1000, failures, 600)
}

/**
 * A run in which the machine kept a process from Redis for longer than its deadline shows what happens without Redis, which is another
 * experiment. The process says so in its log if it was for long, and in the headers, where a limit is then its part of the whole; the
 * run is void, and the crowd is sent again, from the third time on with half as many of it at once: a machine that cannot do more than
 * that shows the same promise.
 */
async function undisturbed(
  servers: Server[],
  size: number,
  crowd: (atOnce: number) => Promise<Answer[]>,
  warm: () => Promise<Answer>,
) {
  const timesAlone = () => servers.reduce((sum, { said }) => sum + said().split('"mode":"local"').length, 0)
  for (let voided = 0; ; voided++) {
    const before = timesAlone()
    const atOnce = Math.ceil(size / 2 ** Math.max(0, voided - 1))
    const answers = await crowd(atOnce)
    const counted = new Set(answers.flatMap(({ headers }) => headers['ratelimit-limit'] ?? []))
    const disturbed = timesAlone() > before || PARTS.some((part) => counted.has(part))
    if (!disturbed || voided === ATTEMPTS) return { answers, voided, atOnce }
    await sleep(2_000)
    await inParallel(40, () => warm()) // so that a process that counted alone asks Redis again
  }
}
