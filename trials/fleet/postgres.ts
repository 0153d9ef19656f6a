import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultProxy, faultProxy } from '../../server/test/fault-proxy.ts'
import { type Answer, atRate, call, slowest, tally, together, until, withStatus } from '../harness/client.ts'
import type { Installation, Stage, Theatre } from '../harness/demo-installation.ts'
import { client, type Server, serve, signIn } from '../harness/server.ts'

type Client = Awaited<ReturnType<typeof client>>

interface Fault {
  name: string
  quick?: true
  strike(): Promise<unknown> | unknown
  heal(): Promise<unknown> | unknown
}

/** The data's store fails: every request is told so in time, the process lives on, and all is well as soon as the store is. */
export async function postgres(stage: Stage, { postgres: engine }: Theatre): Promise<void> {
  const installation = await stage.installation()
  const proxy = await faultProxy(installation.env.DATABASE_URL!)
  stage.after(proxy.close)
  const server = await serve(stage, installation, { DATABASE_URL: proxy.url })
  const caller = await client(server.url, 'demo-integrator')
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [engine.pid, ...childrenOf(engine.pid)]) process.kill(pid, name)
  }
  const faults: Fault[] = [
    { name: 'down', quick: true, strike: proxy.down, heal: proxy.heal },
    { name: 'frozen', quick: true, strike: () => signal('SIGSTOP'), heal: () => signal('SIGCONT') },
    { name: 'silent', strike: proxy.freeze, heal: proxy.heal },
    { name: 'slow by 6 s', strike: () => proxy.slow(3_000), heal: proxy.heal },
  ]
  for (const fault of faults.filter(({ quick }) => quick || !stage.quick))
    await live(stage, server, caller, proxy, fault)
  await sluggish(stage, caller, proxy)
  if (!stage.quick) await underLoad(stage, server, caller, proxy)
  await cutDuringCommit(stage, installation, caller, proxy)
}

async function live(stage: Stage, { url }: Server, caller: Client, proxy: FaultProxy, { name, strike, heal }: Fault) {
  await together(10, () => caller.call())
  await strike()
  try {
    await stage.promise(
      `PostgreSQL ${name}: 503 with Retry-After within 4 s`,
      '20 reads, 10 sign-ins, 10 writes',
      async () => {
        const answers = (
          await Promise.all([
            together(20, () => caller.call()),
            together(10, (index) => signIn(url, 'demo-integrator', `192.0.2.${index}`)),
            together(10, () => create(caller, {})),
          ])
        ).flat()
        const told = answers.filter(({ status, headers }) => status === 503 && Number(headers['retry-after']) > 0)
        const ok = told.length === answers.length && slowest(answers) <= 4_000
        return { seen: `${tally(answers)}, the last after ${Math.round(slowest(answers))} ms`, ok }
      },
    )
    await stage.promise(`PostgreSQL ${name}: alive, not ready`, 'both health checks', async () => {
      const [live, ready] = [await call(`${url}/health/live`), await call(`${url}/health/ready`)]
      const ok = live.status === 200 && live.ms < 1_000 && ready.status === 503 && ready.ms <= 4_000
      return { seen: `live ${live.status}, ready ${ready.status}`, ok }
    })
    if (name === 'silent')
      await stage.promise('a connection that missed its deadline is destroyed', 'connections left', async () => {
        // What is left: the one that listens, the one that asks for changes, and two of the request log, which may take longer.
        const gone = await until('four connections', 5_000, () => proxy.connections() <= 4)
        return { seen: `${proxy.connections()} after ${Math.round(gone)} ms`, ok: true }
      })
  } finally {
    await heal()
  }
  await stage.promise(`PostgreSQL ${name}: well again within 2 s`, 'until a read, a write and readiness', async () => {
    const back = await until('well again', 10_000, async () => {
      const answers = [await caller.call(), await create(caller, {}), await call(`${url}/health/ready`)]
      return answers.every(({ status }) => status === 200)
    })
    return { seen: `after ${Math.round(back)} ms`, ok: back <= 2_000 }
  })
}

/** Slow enough that no single call is late, and yet a write of many calls would be. */
async function sluggish(stage: Stage, caller: Client, proxy: FaultProxy) {
  await stage.promise('PostgreSQL slow by 700 ms: answered within 4 s', '4 reads, 4 writes', async () => {
    await together(10, () => caller.call()) // so that nobody waits for a new connection
    proxy.slow(350)
    const answers = await Promise.all([together(4, () => caller.call()), together(4, () => create(caller, {}))])
    await proxy.heal()
    const all = answers.flat()
    const ok = all.every(({ status }) => status === 200 || status === 503) && slowest(all) <= 4_000
    return { seen: `${tally(all)}, the last after ${Math.round(slowest(all))} ms`, ok }
  })
}

/** F5, F7: more requests than a failing store can answer are refused, and pile up nowhere. */
async function underLoad(stage: Stage, { url }: Server, caller: Client, proxy: FaultProxy) {
  const faults = [
    ['slow by 200 ms', () => proxy.slow(100)],
    ['down', proxy.down],
  ] as const
  for (const [name, strike] of faults)
    await stage.promise(`PostgreSQL ${name}: refuses what is too much`, '100/s for 5 s, then until well', async () => {
      await until('well again', 10_000, async () => (await caller.call()).status === 200)
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
      const back = await until('well again', 10_000, async () => (await caller.call()).status === 200)
      const told = withStatus(answers, 200) + withStatus(answers, 503) === answers.length
      const alive = withStatus(lives, 200) === lives.length && slowest(lives) < 1_000
      return {
        seen: `${tally(answers)}, the last after ${Math.round(slowest(answers))} ms; well after ${Math.round(back)} ms`,
        ok: told && alive && slowest(answers) <= 4_000 && back <= 2_000,
      }
    })
}

/** F2: nobody knows what became of a commit whose connection broke; its key makes asking again safe. */
async function cutDuringCommit(stage: Stage, { sql }: Installation, caller: Client, proxy: FaultProxy) {
  await until('well again', 10_000, async () => (await caller.call()).status === 200)
  for (const when of ['before', 'after'] as const)
    await stage.promise(
      `cut ${when} COMMIT arrives: repeated, it is done once`,
      '10 writes with a key each',
      async () => {
        const names: string[] = []
        const first: Answer[] = []
        const again: Answer[] = []
        while (names.length < 10) {
          const name = `cut ${when} ${randomUUID()}`
          const key = { name, key: randomUUID() }
          proxy.cut(name, 'commit', when)
          first.push(await create(caller, key))
          again.push(await repeated(caller, key))
          names.push(name)
        }
        const rows = await sql('select name from customers where name = any($1)', [names])
        const unknown = first.filter(({ body }) => body.error === 'outcome_unknown').length
        const replayed = again.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length
        const ok = unknown === 10 && withStatus(again, 200) === 10 && rows.length === 10
        return {
          seen: `${tally(first)}, outcome_unknown × ${unknown}; again: ${tally(again)}, ${replayed} replayed; ${rows.length} rows`,
          ok: ok && replayed === (when === 'after' ? 10 : 0),
        }
      },
    )
}

/** Until PostgreSQL has noticed that the first is gone, it still runs (D4.6). */
async function repeated(caller: Client, key: { name: string; key: string }): Promise<Answer> {
  const answer = await create(caller, key)
  return answer.body.error === 'idempotency_in_progress' ? repeated(caller, key) : answer
}

const create = (caller: Client, { name = 'Scale', key = randomUUID() as string }: { name?: string; key?: string }) =>
  caller.call('/v2/customers', { method: 'POST', body: { name }, headers: { 'idempotency-key': key } })

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
