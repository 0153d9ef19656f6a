import { setTimeout as sleep } from 'node:timers/promises'
import { faultProxy } from '../../server/test/fault-proxy.ts'
import {
  type Answer,
  call,
  countStatus,
  forwardedFor,
  freshAddress,
  inParallel,
  medianMs,
  signIn,
  slowestMs,
  tally,
  waitUntil,
} from '../harness/client.ts'
import { type DemoInstallation, demoClient, demoInstallation, RECEIPT } from '../harness/demo-installation.ts'
import { type Server, serve, serveApart } from '../harness/server.ts'
import { checked, type Trial } from '../harness/trial.ts'

const SERVERS = 2
const FLEET = 4 // two of four: a share is a quarter, however many others there are
const NOISE_MS = 120 // a shared machine's own

interface Fault {
  name: string
  quick?: true
  strike(): Promise<unknown> | unknown
  heal(): Promise<unknown> | unknown
}

/** §8 while the store of the limits fails: each process counts its part alone, nobody waits, and nobody has to restart anything. */
export async function redis(trial: Trial): Promise<void> {
  const installation = await demoInstallation(trial)
  const proxy = await faultProxy(installation.redis.url)
  trial.after(proxy.close)
  const servers = await serveApart(trial, installation, SERVERS, {
    REDIS_URL: proxy.url,
    COMPTOIR_FLEET: String(FLEET),
  })
  const { redis: store } = installation
  const faults: Fault[] = [
    { name: 'down', quick: true, strike: store.stop, heal: store.startAgain },
    { name: 'frozen', quick: true, strike: () => store.signal('SIGSTOP'), heal: () => store.signal('SIGCONT') },
    { name: 'slow by 400 ms', strike: () => proxy.slow(200), heal: proxy.heal },
    { name: 'slow by 30 ms', strike: () => proxy.slow(15), heal: proxy.heal }, // one call is in time, a request's are not
    { name: 'unreachable', strike: proxy.down, heal: proxy.heal },
    {
      name: 'out of memory',
      strike: () => store.tell('CONFIG', 'SET', 'maxmemory', '1'),
      heal: () => store.tell('CONFIG', 'SET', 'maxmemory', '0'),
    },
    {
      name: 'a read-only replica',
      strike: () => store.tell('REPLICAOF', '127.0.0.1', '1'),
      heal: () => store.tell('REPLICAOF', 'NO', 'ONE'),
    },
  ]
  for (const fault of faults.filter(({ quick }) => quick || !trial.quick))
    await live(trial, installation, servers, fault)
  await forgets(trial, installation, servers)
  if (!trial.quick) await absent(trial, installation)
}

/** One fault, from the first request that meets it to the first that no longer does. */
async function live(trial: Trial, installation: DemoInstallation, servers: Server[], { name, strike, heal }: Fault) {
  const [integrator, fresh] = [await installation.newIntegrator(), await installation.newIntegrator()]
  const callers = await Promise.all(servers.map(({ url }) => demoClient(url, integrator)))
  const strangers = await Promise.all(servers.map(({ url }) => demoClient(url, fresh)))
  const { slack } = trial.sizes
  const healthy = await sequentially(40, () => callers[0]!.call())

  await strike()
  try {
    await trial.promise(
      `Redis ${name}: no request waits more than 60 ms`,
      checked('40 in turn', async () => {
        const answers = await sequentially(40, () => callers[0]!.call())
        const [added, usually] = [slowestMs(answers) - medianMs(healthy), medianMs(answers) - medianMs(healthy)]
        // Calls admitted together are also counted locally: 40 and 35 make the share of 75.
        const ok = countStatus(answers, 200) === 35 && added <= (60 + NOISE_MS) * slack && usually <= 10 * slack
        return { seen: `${tally(answers)}; at most ${ms(added)} more, usually ${ms(usually)}`, ok }
      }),
    )
    await sequentially(10, () => callers[1]!.call()) // until the other has noticed too: a crowd that meets the switch is counted by both
    await trial.promise(
      `Redis ${name}: each counts its part of 4 alone`,
      checked('100 calls, 20 sign-ins, 620 failures', async () => {
        const calls = await Promise.all(strangers.map(({ call: ask }) => inParallel(100, () => ask())))
        const address = freshAddress()
        const signIns = await Promise.all(servers.map(({ url }) => inParallel(20, () => signIn(url, fresh, address))))
        const forged = { ...forwardedFor(freshAddress()), 'x-token': 'forged' }
        const failures = await inParallel(620, () => call(servers[0]!.url + RECEIPT, { headers: forged }))
        const tier3 = calls.map((answers) => countStatus(answers, 200))
        const tier1 = signIns.map((answers) => countStatus(answers, 200))
        const tier2 = countStatus(failures, 401)
        const ok = tier3.every((count) => count === 75) && tier1.every((count) => count === 15) && tier2 === 600
        return { seen: `tier 3: ${tier3.join(' and ')}; tier 1: ${tier1.join(' and ')}; tier 2: ${tier2}`, ok }
      }),
    )
    if (!trial.quick)
      await trial.promise(
        `Redis ${name}: told once, not at every call`,
        checked('50 calls over 2.5 s', async () => {
          const changes = () => servers[0]!.said().split(/"Redis (?:unavailable|available again): /).length
          const before = changes()
          await sequentially(50, () => callers[0]!.call().finally(() => sleep(50)))
          return { seen: `the mode changed ${changes() - before} times meanwhile`, ok: changes() === before }
        }),
      )
  } finally {
    await heal()
  }
  await trial.promise(
    `Redis ${name}: the way back is found`,
    checked('until 300 is the limit again', async () => {
      const together = async () => (await Promise.all(callers.map(({ call: ask }) => ask()))).every(isShared)
      const back = await waitUntil('counting together', 10_000 * slack, together)
      return { seen: `after ${ms(back)}`, ok: back <= 5_000 * slack }
    }),
  )
}

/** Redis may lose its scripts or its data; clients see at most a fresh window. */
async function forgets(trial: Trial, installation: DemoInstallation, servers: Server[]) {
  const { redis: store } = installation
  const { call: ask } = await demoClient(servers[0]!.url, await installation.newIntegrator())
  await waitUntil('counting together', 10_000, async () => isShared(await ask()))

  await trial.promise(
    'Redis with its scripts flushed: nothing is lost',
    checked('20 calls, a flush before each', async () => {
      const before = remaining(await ask())
      const answers = await sequentially(20, async () => {
        await store.tell('SCRIPT', 'FLUSH')
        return ask()
      })
      const counted = before - remaining(answers.at(-1)!)
      const alone = answers.filter((answer) => !isShared(answer)).length // a busy machine can keep one from Redis
      const ok = countStatus(answers, 200) === 20 && counted >= 20 - alone && counted <= 20 && alone <= 5
      return { seen: `${tally(answers)}, ${counted} counted${alone > 0 ? `, ${alone} alone` : ''}`, ok }
    }),
  )
  await trial.promise(
    'Redis restarted empty: one fresh window',
    checked('50 calls over the restart', async () => {
      const restarted = store.stop().then(store.startAgain)
      const answers = await sequentially(50, () => ask())
      await restarted
      const back = await waitUntil('counting together', 10_000, async () => isShared(await ask()))
      return { seen: `${tally(answers)}, together again after ${ms(back)}`, ok: countStatus(answers, 200) === 50 }
    }),
  )
}

async function absent(trial: Trial, installation: DemoInstallation) {
  const { redis: store } = installation
  const integrator = await installation.newIntegrator()
  await store.stop()
  await trial.promise(
    'Redis absent at the start: served all the same',
    checked('start, call, start Redis', async () => {
      const server = await serve(trial, installation, { COMPTOIR_FLEET: String(FLEET) })
      const { call: ask } = await demoClient(server.url, integrator)
      const alone = await ask()
      await store.startAgain()
      const back = await waitUntil('counting together', 10_000, async () => isShared(await ask()))
      return { seen: `${alone.status} of ${limit(alone)}, together after ${ms(back)}`, ok: limit(alone) === 75 }
    }),
  )
}

async function sequentially(count: number, one: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  while (answers.length < count) answers.push(await one())
  return answers
}

// The headers tell the limit that was applied, so they tell who counted.
const limit = ({ headers }: Answer) => Number(headers['ratelimit-limit'])
const remaining = ({ headers }: Answer) => Number(headers['ratelimit-remaining'])
const isShared = (answer: Answer) => limit(answer) === 300
const ms = (time: number) => `${Math.max(0, Math.round(time))} ms`
