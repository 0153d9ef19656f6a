import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultProxy, faultProxy } from '../../server/test/fault-proxy.ts'
import {
  type Answer,
  atRate,
  call,
  countStatus,
  inParallel,
  signIn,
  slowestMs,
  tally,
  waitUntil,
} from '../harness/client.ts'
import { type DemoClient, type DemoInstallation, demoClient, demoInstallation } from '../harness/demo-installation.ts'
import { type Server, serve } from '../harness/server.ts'
import { checked, type Trial } from '../harness/trial.ts'

interface Fault {
  name: string
  quick?: true
  strike(): Promise<unknown> | unknown
  heal(): Promise<unknown> | unknown
}

/** The data's store fails: every request is refused in time, the process lives on, and all is well as soon as the store is. */
export async function postgres(trial: Trial): Promise<void> {
  const engine = await trial.postgres()
  const installation = await demoInstallation(trial)
  const proxy = await faultProxy(installation.env.DATABASE_URL!)
  trial.after(proxy.close)
  const server = await serve(trial, installation, { DATABASE_URL: proxy.url })
  const caller = await demoClient(server.url, installation.credentials)
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [engine.pid, ...childrenOf(engine.pid)]) process.kill(pid, name)
  }
  const faults: Fault[] = [
    { name: 'down', quick: true, strike: proxy.down, heal: proxy.heal },
    { name: 'frozen', quick: true, strike: () => signal('SIGSTOP'), heal: () => signal('SIGCONT') },
    { name: 'silent', strike: proxy.freeze, heal: proxy.heal },
    { name: 'slow by 6 s', strike: () => proxy.slow(3_000), heal: proxy.heal },
  ]
  for (const fault of faults.filter(({ quick }) => quick || !trial.quick))
    await live(trial, installation, server, caller, proxy, fault)
  await sluggish(trial, caller, proxy)
  if (!trial.quick) await underLoad(trial, server, caller, proxy)
}

async function live(
  trial: Trial,
  installation: DemoInstallation,
  { url }: Server,
  caller: DemoClient,
  proxy: FaultProxy,
  { name, strike, heal }: Fault,
) {
  const { slack } = trial.sizes
  await inParallel(10, () => caller.call())
  await strike()
  try {
    await trial.promise(
      `PostgreSQL ${name}: 503 with Retry-After within 4 s`,
      checked('20 reads, 10 sign-ins, 10 writes', async () => {
        const answers = (
          await Promise.all([
            inParallel(20, () => caller.call()),
            inParallel(10, (index) => signIn(url, installation.credentials, `192.0.2.${index}`)),
            inParallel(10, () => create(caller, {})),
          ])
        ).flat()
        const refused = answers.filter(({ status, headers }) => status === 503 && Number(headers['retry-after']) > 0)
        const ok = refused.length === answers.length && slowestMs(answers) <= 4_000 * slack
        return { seen: `${tally(answers)}, the last after ${Math.round(slowestMs(answers))} ms`, ok }
      }),
    )
    await trial.promise(
      `PostgreSQL ${name}: alive, not ready`,
      checked('both health checks', async () => {
        const [live, ready] = [await call(`${url}/health/live`), await call(`${url}/health/ready`)]
        const ok = live.status === 200 && live.ms < 1_000 * slack && ready.status === 503 && ready.ms <= 4_000 * slack
        return { seen: `live ${live.status}, ready ${ready.status}`, ok }
      }),
    )
    if (name === 'silent')
      await trial.promise(
        'a connection that missed its deadline is destroyed',
        checked('connections left', async () => {
          // What is left: the one that listens, the one that asks for changes, and two of the request log, which may take longer.
          const gone = await waitUntil('four connections', 5_000 * slack, () => proxy.connections() <= 4)
          return { seen: `${proxy.connections()} after ${Math.round(gone)} ms`, ok: true }
        }),
      )
  } finally {
    await heal()
  }
  await trial.promise(
    `PostgreSQL ${name}: well again within 2 s`,
    checked('until a read, a write and readiness', async () => {
      const back = await waitUntil('well again', 10_000 * slack, async () => {
        const answers = [await caller.call(), await create(caller, {}), await call(`${url}/health/ready`)]
        return answers.every(({ status }) => status === 200)
      })
      return { seen: `after ${Math.round(back)} ms`, ok: back <= 2_000 * slack }
    }),
  )
}

/** Slow enough that no single call is late, and yet a write of many calls would be. */
async function sluggish(trial: Trial, caller: DemoClient, proxy: FaultProxy) {
  await trial.promise(
    'PostgreSQL slow by 700 ms: answered within 4 s',
    checked('4 reads, 4 writes', async () => {
      await inParallel(10, () => caller.call()) // so that nobody waits for a new connection
      proxy.slow(350)
      const answers = await Promise.all([inParallel(4, () => caller.call()), inParallel(4, () => create(caller, {}))])
      await proxy.heal()
      const all = answers.flat()
      const ok =
        all.every(({ status }) => status === 200 || status === 503) && slowestMs(all) <= 4_000 * trial.sizes.slack
      return { seen: `${tally(all)}, the last after ${Math.round(slowestMs(all))} ms`, ok }
    }),
  )
}

/** More requests than a failing store can answer are refused, and pile up nowhere. */
async function underLoad(trial: Trial, { url }: Server, caller: DemoClient, proxy: FaultProxy) {
  const { slack } = trial.sizes
  const faults = [
    ['slow by 200 ms', () => proxy.slow(100)],
    ['down', proxy.down],
  ] as const
  for (const [name, strike] of faults)
    await trial.promise(
      `PostgreSQL ${name}: refuses what is too much`,
      checked('100/s for 5 s, then until well', async () => {
        await waitUntil('well again', 10_000 * slack, async () => (await caller.call()).status === 200)
        await strike()
        const lives: Answer[] = []
        const watching = async () => {
          for (let second = 0; second < 5; second++) {
            lives.push(await call(`${url}/health/live`))
            await sleep(1_000)
          }
        }
        const answers = await atRate(100, watching(), () => caller.call())
        await proxy.heal()
        const back = await waitUntil('well again', 10_000 * slack, async () => (await caller.call()).status === 200)
        const allAnswered = countStatus(answers, 200) + countStatus(answers, 503) === answers.length
        const alive = countStatus(lives, 200) === lives.length && slowestMs(lives) < 1_000 * slack
        return {
          seen: `${tally(answers)}, the last after ${Math.round(slowestMs(answers))} ms; well after ${Math.round(back)} ms`,
          ok: allAnswered && alive && slowestMs(answers) <= 4_000 * slack && back <= 2_000 * slack,
        }
      }),
    )
}

const create = (
  caller: DemoClient,
  { name = 'Scale', key = randomUUID() as string }: { name?: string; key?: string },
) => caller.call('/v2/customers', { method: 'POST', body: { name }, headers: { 'idempotency-key': key } })

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
