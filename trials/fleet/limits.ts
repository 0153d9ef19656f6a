import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, call, from, stranger, tally, together, withStatus } from '../harness/client.ts'
import type { Installation, Stage } from '../harness/demo-installation.ts'
import { client, RECEIPT, type Server, serve, serveApart, signIn } from '../harness/server.ts'
import { haproxy } from './haproxy.ts'

const ATTEMPTS = 4
const PARTS = [8, 4].flatMap((fleet) => [60, 300].map((limit) => `${Math.floor(limit / fleet)}`))

/** §8 tier 3, rule 3: more workers do not multiply a limit, however they are run. */
export async function limits(stage: Stage): Promise<void> {
  const installation = await stage.installation()
  const workers = await serve(stage, installation, { COMPTOIR_WORKERS: '8' })
  await exactly(stage, installation, workers.url, [workers], '8 workers')
  await workers.stop()

  const apart = await serveApart(stage, installation, 4)
  const balancer = await haproxy(stage, apart)
  if (balancer) await exactly(stage, installation, balancer, apart, '4 servers, HAProxy')
}

async function exactly(stage: Stage, installation: Installation, url: string, servers: Server[], where: string) {
  const { call: warm } = await client(url, 'demo-integrator')
  await together(200, () => warm()) // so that connections to the stores are there

  // What is not refused is admitted, also where a machine that is too small for the crowd then answers 503.
  const tier = (promise: string, tried: string, crowd: () => Promise<Answer[]>, limit: number) =>
    stage.promise(promise, `${tried} at once, ${where}`, async () => {
      const { answers, voided } = await undisturbed(servers, crowd, warm)
      const answered = answers.length - withStatus(answers, 0)
      const ok = answered === answers.length && answered - withStatus(answers, 429) === limit
      return { seen: `${tally(answers)}${voided > 0 ? ` (${voided} void)` : ''}`, ok }
    })

  const thousandCalls = async () => {
    const { call: ask } = await client(url, await installation.integrator())
    return together(1000, () => ask())
  }
  const signIns = (address = stranger()) => together(200, () => signIn(url, 'demo-integrator', address))
  const failures = (headers = { ...from(stranger()), 'x-token': 'forged' }) =>
    together(1000, () => call(url + RECEIPT, { headers }))

  await tier('tier 3 admits exactly 300 of a pair', '1,000', thousandCalls, 300)
  if (stage.quick && servers.length > 1) return
  await tier('tier 1 admits exactly 60 of an address', '200', () => signIns(), 60)
  await tier('tier 2 counts exactly 600 failures of an address', '1,000', () => failures(), 600)
}

/**
 * A run in which the machine kept a process from Redis for longer than its deadline shows what happens without Redis, which is another
 * experiment. The process says so in its log if it was for long, and in the headers, where a limit is then its part of the whole; the
 * run is void, and another crowd is sent.
 */
async function undisturbed(servers: Server[], crowd: () => Promise<Answer[]>, warm: () => Promise<Answer>) {
  const timesAlone = () => servers.reduce((sum, { said }) => sum + said().split('"mode":"local"').length, 0)
  for (let voided = 0; ; voided++) {
    const before = timesAlone()
    const answers = await crowd()
    const counted = new Set(answers.flatMap(({ headers }) => headers['ratelimit-limit'] ?? []))
    const disturbed = timesAlone() > before || PARTS.some((part) => counted.has(part))
    if (!disturbed || voided === ATTEMPTS) return { answers, voided }
    await sleep(2_000)
    await together(40, () => warm()) // whoever counted alone finds its way back
  }
}
