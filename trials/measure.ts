import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Redis } from 'ioredis'
import { installPackages, PACKAGES_FOR } from '../scripts/packages.ts'
import { faultProxy } from '../server/test/fault-proxy.ts'
import { type Credentials, inParallel, keepAlive, medianMs, signIn } from './harness/client.ts'
import { demoClient, demoInstallation } from './harness/demo-installation.ts'
import { serve } from './harness/server.ts'
import { openTrial, type Trial } from './harness/trial.ts'

// The figures of docs/scale.md: what one worker and two answer, and what each request asks of PostgreSQL and Redis.

const CONNECTIONS = 16
const SECONDS = 5
/** Sold as it was bought, with nothing to choose. */
const PLAIN = `products?limit=1&filters=${encodeURIComponent('[["type","PRODUCT"]]')}`

const say = (line: string) => void process.stdout.write(`${line}\n`)
await installPackages(PACKAGES_FOR.fleetTrials, say)
const { runExperiment, close } = openTrial({ quick: false, seed: 0, soakMinutes: 0, say })
await runExperiment('measure', measure)
await close()

async function measure(trial: Trial): Promise<void> {
  const installation = await demoInstallation(trial)
  const proxy = await faultProxy(installation.env.DATABASE_URL!)
  trial.after(proxy.close)
  const redis = new Redis(installation.redis.url)
  trial.after(() => redis.disconnect())

  const counted = await serve(trial, installation, { DATABASE_URL: proxy.url, COMPTOIR_LOG_LEVEL: 'info' })
  const kinds = await kindsOf(counted.url, installation.credentials)
  say('request                      PostgreSQL  Redis')
  for (const [name, one] of Object.entries(kinds)) {
    const { postgres, redis } = await callsOf(one)
    say(`${name.padEnd(27)}  ${postgres.toFixed(1).padStart(10)}  ${redis.toFixed(1).padStart(5)}`)
  }
  for (const workers of [1, 2]) {
    const server = await serve(trial, installation, { COMPTOIR_WORKERS: String(workers) })
    say(`\n${workers} of ${availableParallelism()} cores for workers`)
    say('request                      answers/s  median ms  worker CPU ms')
    for (const [name, one] of Object.entries(await kindsOf(server.url, installation.credentials))) {
      const pids = workers === 1 ? [server.pid] : server.workers()
      const cpuBefore = cpuMs(pids)
      const { perSecond, ms } = await paceOf(one)
      const cpu = (cpuMs(pids) - cpuBefore) / (perSecond * SECONDS)
      const columns = [perSecond.toFixed(0).padStart(9), ms.toFixed(1).padStart(9), cpu.toFixed(2).padStart(13)]
      say([name.padEnd(27), ...columns].join('  '))
    }
    await server.stop()
  }

  const [, scriptCalls, scriptUs] = /cmdstat_evalsha:calls=(\d+),usec=(\d+)/.exec(await redis.info('commandstats'))!
  say(`Redis: ${(Number(scriptUs) / Number(scriptCalls)).toFixed(0)} µs a call`)
  const [pair] = await redis.keys('rl:{t3:*') // one that has counted thousands in its minute
  const bytes = (await redis.memory('USAGE', pair!)) ?? 0
  say(`Redis: ${(bytes / (await redis.llen(pair!))).toFixed(1)} bytes a counted call`)

  /** Round trips of one request, by itself, once everything is warm; what the process asks by itself is subtracted. */
  async function callsOf(one: () => Promise<unknown>) {
    for (let warm = 0; warm < 20; warm++) await one()
    const before = [proxy.sent(), await scripts()] as const
    const startedAt = performance.now()
    for (let call = 0; call < 50; call++) await one()
    const polls = (performance.now() - startedAt) / 500 // the directory's own, every half second
    return { postgres: (proxy.sent() - before[0] - polls) / 50, redis: ((await scripts()) - before[1]) / 50 }
  }

  async function scripts(): Promise<number> {
    return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0)
  }
}

async function kindsOf(url: string, credentials: Credentials) {
  const agent = keepAlive(CONNECTIONS)
  const { call: ask } = await demoClient(url, credentials)
  const first = async (path: string) => {
    const { body } = await ask(`/v2/${path}`)
    return (body.data as { id: number }[])[0]!.id
  }
  const order = { sale_type_id: await first('sale-types'), products: [{ product_id: await first(PLAIN), count: 1 }] }
  let customers = 0
  const create = () =>
    ask('/v2/customers', {
      agent,
      method: 'POST',
      body: { name: 'Scale' },
      headers: { 'idempotency-key': `${url} ${customers++}` },
    })
  return {
    'GET /receipts/1': () => ask('/v2/receipts/1', { agent }),
    'GET /products?limit=50': () => ask('/v2/products?limit=50', { agent }),
    'POST /customers, with a key': create,
    'POST /orders, one line': () => ask('/v2/orders', { agent, method: 'POST', body: order }),
    'POST /auth': () => signIn(url, credentials, `10.200.${customers >> 8}.${customers++ & 255}`),
  }
}

/** The processor time of some processes; unlike their rate, other processes hardly change it. */
function cpuMs(pids: readonly number[]): number {
  const times = pids.map((pid) => {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13)
    return (Number(user) + Number(system)) * 10 // in hundredths of a second
  })
  return times.reduce((sum, time) => sum + time, 0)
}

/** A closed loop of as many clients as there are connections. */
async function paceOf(one: () => ReturnType<typeof signIn>) {
  const answers: Awaited<ReturnType<typeof one>>[] = []
  const over = performance.now() + SECONDS * 1000
  await inParallel(CONNECTIONS, async () => {
    while (performance.now() < over) answers.push(await one())
  })
  const failed = answers.filter(({ status }) => status !== 200).length
  if (failed > 0) say(`${failed} OF ${answers.length} FAILED`)
  return { perSecond: answers.length / SECONDS, ms: medianMs(answers) }
}
