import type { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { putManyProducts, staff } from '../../server/test/database/store.ts'
import { type Answer, atRate, inParallel, keepAlive, medianMs, tally } from '../harness/client.ts'
import { addTenant, client, type Installation, install, retryWhileBusy } from '../harness/installation.ts'
import { menu } from '../harness/menu.ts'
import type { Server } from '../harness/server.ts'
import { type Env, serve } from '../harness/server.ts'
import type { Trial } from '../harness/trial.ts'

const PER_SECOND = 40
const MIN_SERVED_SHARE = 0.9
const LATE_TURNS = 8

/**
 * A process that stood still answers what has waited; one that is always late refuses; one that never moves is replaced. On
 * SQLite, a brand that reads much does not hold the event loop for the others.
 */
export async function eventLoop(trial: Trial): Promise<void> {
  await neighbours(trial)
  await pauses(trial)
  await overload(trial)
  await standstill(trial)
}

const FILTERS = [
  'filters=[["name","like","9 9"]]',
  'filters=[["price",">",1],["status","is null",null]]',
  'filters=[["barcode","is not null",null]]&sort[0][0]=price&sort[0][1]=desc',
].map(encodeURI)
const GREEDY = 8
const NEIGHBOURS_CALLS = 200

const neighbours = (trial: Trial) =>
  trial.promise('on SQLite a brand that filters many products keeps no other brand waiting', async (reportFailure) => {
    const { filteredProducts, neighbourMs, slack } = trial.sizes
    const installation = await install(trial, 'SQLite')
    const { db, keys, brand_id } = installation
    await putManyProducts(db, brand_id, filteredProducts)
    const other = await addTenant(db, keys, 'corner', 'hub-2', [...staff(), ...menu('corner')])
    const server = await serve(trial, installation)
    const greedy = await client(trial, server.url, installation.credentials)
    const neighbour = await client(trial, server.url, other.credentials)
    const calls = async () => {
      const answers: Answer[] = []
      for (let n = 0; n < NEIGHBOURS_CALLS; n++) answers.push(await neighbour.ask('/products'))
      return answers
    }
    await calls() // so that all code is compiled
    const alone = await calls()
    let over = false
    const filtered: Answer[] = []
    const filtering = inParallel(GREEDY, async (n) => {
      while (!over) filtered.push(await greedy.ask(`/products?${FILTERS[n % FILTERS.length]}`))
    })
    await sleep(500)
    const beside = await calls()
    over = true
    await filtering
    if (!areServed(beside, trial)) reportFailure(tally(beside))
    if (filtered.some(({ status }) => status !== 200 && status !== 503)) reportFailure(tally(filtered))
    if (!filtered.some(({ status }) => status === 200)) reportFailure('no filter was answered')
    const [before, after] = [medianMs(alone), medianMs(beside)]
    // In the short form the machine may be slow for both.
    if (after > Math.max(neighbourMs, (slack - 1) * before))
      reportFailure(`the neighbour's median was ${after.toFixed(1)} ms`)
    return `${filteredProducts} products, filters ${tally(filtered)}; the neighbour's median ${before.toFixed(1)} ms alone, ${after.toFixed(1)} ms beside them`
  })

/** Whether all were answered 200, but for those that a busy machine sheds: these get a 503. */
function areServed(answers: readonly Answer[], { sizes }: Trial): boolean {
  const shed = answers.filter(isShed)
  return answers.every((each) => each.status === 200 || isShed(each)) && shed.length <= sizes.shed * answers.length
}

const isShed = ({ status, body }: Answer) => status === 503 && body.error === 'unavailable'

/** A server, and calls to it as long as something is done to it; each fourth writes. */
async function underCalls(trial: Trial, settings: Env, strike: (server: Server, agent: Agent) => Promise<unknown>) {
  const installation = await install(trial, 'PostgreSQL', menu('bistro'))
  const server = await serve(trial, installation, { REDIS_URL: (await trial.redis()).url, ...settings })
  const caller = await client(trial, server.url, installation.credentials)
  const agent = keepAlive(200)
  trial.after(() => agent.destroy())
  const answers = await atRate(PER_SECOND, strike(server, agent), (index) =>
    index % 4 === 0
      ? caller.ask('/customers', { method: 'POST', body: { name: 'Paused' }, agent })
      : caller.ask('/receipts/1', { agent }),
  )
  return { installation, server, answers, ask: () => retryWhileBusy(() => caller.ask('/receipts/1')) }
}

async function stopFor(pid: number, ms: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  await sleep(ms)
  process.kill(pid, 'SIGCONT')
}

/** Nothing that was acknowledged is missing, and nothing that was refused is there. */
async function wrong({ db }: Installation, answers: readonly Answer[]): Promise<string | undefined> {
  const rows = await db.texts(`select id from customers where name = 'Paused'`, [])
  const writes = answers.filter((_, index) => index % 4 === 0)
  const acknowledged = writes.filter(({ status }) => status === 200).length
  const unknown = writes.filter(({ status, body }) => status === 0 || body.error === 'outcome_unknown').length
  if (rows.length >= acknowledged && rows.length <= acknowledged + unknown) return undefined
  return `${acknowledged} writes were acknowledged, ${unknown} unknown, ${rows.length} are there`
}

const pauses = (trial: Trial) =>
  trial.promise('a process that stood still answers everything that waited', async (reportFailure) => {
    const random = trial.random('pauses')
    const { pauses } = trial.sizes
    const { installation, answers } = await underCalls(trial, {}, async ({ pid }) => {
      for (let pause = 0; pause < pauses; pause++) {
        await sleep(200)
        await stopFor(pid, random.between(300, 1_000))
      }
      await sleep(500)
    })
    if (!areServed(answers, trial)) reportFailure(tally(answers))
    const difference = await wrong(installation, answers)
    if (difference) reportFailure(difference)
    return `${pauses} pauses of up to 1 s, ${tally(answers)}`
  })

const overload = (trial: Trial) =>
  trial.promise('a process that is late turn after turn refuses, and recovers', async (reportFailure) => {
    const { installation, answers, ask } = await underCalls(trial, {}, async ({ pid }) => {
      for (let turn = 0; turn < LATE_TURNS; turn++) {
        await stopFor(pid, 450)
        await sleep(20) // no more time than one turn takes
      }
      await sleep(1_000)
    })
    const refused = answers.filter(isShed)
    if (answers.some((answer) => answer.status !== 200 && !refused.includes(answer))) reportFailure(tally(answers))
    if (refused.length === 0) reportFailure('nothing was refused')
    const difference = await wrong(installation, answers)
    if (difference) reportFailure(difference)
    if ((await ask()).status !== 200) reportFailure('it did not recover')
    return `${LATE_TURNS} turns of 450 ms, ${tally(answers)}`
  })

const standstill = (trial: Trial) =>
  trial.promise('a worker that stands still is ended and replaced, others serve', async (reportFailure) => {
    const { replacedMs } = trial.sizes
    let tookMs = 0
    const { installation, server, answers, ask } = await underCalls(
      trial,
      { COMPTOIR_WORKERS: '2' },
      async (server, agent) => {
        const startedAt = performance.now()
        process.kill(server.workers()[0]!, 'SIGSTOP')
        await Promise.race([server.ready(3), sleep(2 * replacedMs)])
        tookMs = performance.now() - startedAt
        await sleep(1_000)
        agent.destroy() // a connection that was just being handed to it is nobody's
      },
    )
    if (server.workers().length < 3) reportFailure('it was not replaced')
    if (tookMs > replacedMs) reportFailure(`it was replaced after ${Math.round(tookMs)} ms`)
    // What the one that stood still had been given is cut with it; the other's clients notice nothing.
    const whole = answers.filter(({ status }) => status !== 0)
    if (whole.length < answers.length * MIN_SERVED_SHARE || !areServed(whole, trial)) reportFailure(tally(answers))
    const difference = await wrong(installation, answers)
    if (difference) reportFailure(difference)
    if ((await ask()).status !== 200) reportFailure('it did not recover')
    return `replaced after ${(tookMs / 1000).toFixed(1)} s, ${tally(answers)}`
  })
