import { ENGINES } from '../harness/installation.ts'
import type { Broke, Trial } from '../harness/trial.ts'
import { noFault, planOf, type Store, storeHit, WAYS } from './faults.ts'
import { counted, judge, type Whole, wasCountedAlone } from './judge.ts'
import { randomFaults } from './random.ts'
import type { Request } from './requests.ts'
import { hangOnSqlite, silentPostgres } from './silence.ts'
import { openStand, type Stand } from './stand.ts'

const MOST_CALLS = 100

/** For each route, each of its calls to a store goes wrong in each way: a documented answer, no hang, no half of a change. */
export async function storeCalls(trial: Trial): Promise<void> {
  let judgeHung: Awaited<ReturnType<typeof hangOnSqlite>>
  for (const engine of ENGINES) {
    const wholes = new Map<Request, Whole>()
    let stand: Promise<Stand> | undefined
    const opened = () => {
      stand ??= openStand(trial, engine) // within a promise, which tells why it cannot be had
      return stand
    }
    await trial.promise(`each store call of each route may fail, ${engine}`, async (broke) =>
      failEach(trial, await opened(), wholes, broke),
    )
    await trial.promise(`requests that meet faults at once leave what they say, ${engine}`, async (broke) =>
      randomFaults(trial, await opened(), wholes, broke),
    )
    if (engine === 'SQLite')
      judgeHung = await hangOnSqlite(await opened(), wholes) // their answers take a while
    else
      await trial.promise(`a store call that never answers is given up, ${engine}`, async (broke) =>
        silentPostgres(trial, await opened(), wholes, broke),
      )
  }
  await trial.promise('a store call that never answers is given up, SQLite', (broke) => judgeHung(broke))
}

async function failEach(trial: Trial, stand: Stand, wholes: Map<Request, Whole>, broke: Broke): Promise<string> {
  const requests = [...stand.api, ...(trial.sizes.officeRoutes > 0 ? stand.office : [])]
  const hits: Store[] = []
  let alone = 0
  for (const request of requests) {
    const whole = await withoutFault(stand, request, broke)
    wholes.set(request, whole)
    for (const way of WAYS)
      for (let call = 1; call <= MOST_CALLS; call++) {
        const plan = planOf(way, call)
        const attempt = await stand.attempt(request, plan)
        const store = storeHit(plan)
        if (store === undefined) break
        hits.push(store)
        judge(request, plan, attempt, whole, broke)
        if (store === 'Redis' && wasCountedAlone(attempt, whole)) alone++
      }
    const again = await stand.attempt(request, noFault())
    if (again.reply?.status !== whole.reply?.status) broke(`${request.name}: ${again.reply?.status} afterwards`)
  }
  if (stand.engine === 'PostgreSQL' && alone === 0) broke('no fault of Redis made the service count alone')
  const calls = [...wholes.values()].map(({ met }) => met.length)
  return `${requests.length} requests of ${Math.min(...calls)} to ${Math.max(...calls)} calls, faults hit: ${counted(hits)}`
}

/** What a request does when nothing goes wrong. One that is refused at the door, or comes to no store, would try nothing. */
async function withoutFault(stand: Stand, request: Request, broke: Broke): Promise<Whole> {
  await stand.attempt(request, noFault()) // so that what is done once is done
  const plan = noFault()
  const { reply, change } = await stand.attempt(request, plan)
  if (!reply || !request.expected(reply.status))
    broke(`${request.name}: ${reply?.status} ${reply?.text.slice(0, 200)} without any fault`)
  const own = noFault()
  await (await stand.prepare(request, own, true)).ask() // the directory is full, so the rest is its own
  if (!own.met.some((store) => store === 'database' || store === 'activity'))
    broke(`${request.name}: nothing that it asks itself can fail, but only ${own.met.join(', ')}`)
  if (stand.engine === 'PostgreSQL' && request.strict && !own.met.includes('Redis'))
    broke(`${request.name}: it does not ask Redis`)
  return { reply, change, met: plan.met }
}
