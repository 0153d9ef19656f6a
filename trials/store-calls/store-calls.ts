import { ENGINES } from '../harness/installation.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { check, counted, type FaultFreeRun, wasCountedAlone } from './check.ts'
import { FAULT_KINDS, noFault, planOf, type Store, storeHit } from './faults.ts'
import { type FaultyService, openFaultyService } from './faulty-service.ts'
import { randomFaults } from './random.ts'
import type { Request } from './requests.ts'
import { hangOnSqlite, silentPostgres } from './silence.ts'
import { unpublished } from './unpublished.ts'

const MAX_CALLS = 100
/** What staff do in the largest transactions: tried in the quick form too. */
const LARGEST = ['POST /back-office/api/receipts/:id/close', 'POST /back-office/api/orders/:id/accept']

/** For each route, each of its calls to a store goes wrong in each way: a documented answer, no hang, no half of a change. */
export async function storeCalls(trial: Trial): Promise<void> {
  let checkHung: Awaited<ReturnType<typeof hangOnSqlite>>
  for (const engine of ENGINES) {
    const wholes = new Map<Request, FaultFreeRun>()
    let service: Promise<FaultyService> | undefined
    const opened = () => {
      service ??= openFaultyService(trial, engine) // within a promise, which tells why it cannot be had
      return service
    }
    await trial.promise(`each store call of each route may fail, ${engine}`, async (reportFailure) =>
      failEach(trial, await opened(), wholes, reportFailure),
    )
    await trial.promise(`a write whose events cannot be appended is not made, ${engine}`, async (reportFailure) =>
      unpublished(await opened(), wholes, reportFailure),
    )
    await trial.promise(`requests that meet faults at once leave what they say, ${engine}`, async (reportFailure) =>
      randomFaults(trial, await opened(), wholes, reportFailure),
    )
    if (engine === 'SQLite')
      checkHung = await hangOnSqlite(await opened(), wholes) // their answers take a while
    else
      await trial.promise(`a store call that never answers is given up, ${engine}`, async (reportFailure) =>
        silentPostgres(trial, await opened(), wholes, reportFailure),
      )
  }
  await trial.promise('a store call that never answers is given up, SQLite', (reportFailure) =>
    checkHung(reportFailure),
  )
}

async function failEach(
  trial: Trial,
  service: FaultyService,
  wholes: Map<Request, FaultFreeRun>,
  reportFailure: ReportFailure,
): Promise<string> {
  const isTried = trial.sizes.officeRoutes > 0 ? () => true : ({ name }: Request) => LARGEST.includes(name)
  const requests = [...service.api, ...service.office.filter(isTried)]
  for (const name of LARGEST) if (!requests.some((each) => each.name === name)) reportFailure(`there is no ${name}`)
  const hits: Store[] = []
  let alone = 0
  for (const [index, request] of requests.entries()) {
    const whole = await withoutFault(service, request, reportFailure)
    wholes.set(request, whole)
    // A read changes nothing, so the quick form tries one way on each; on PostgreSQL, where it takes long, on every third.
    const isTriedOnce = trial.quick && request.name.startsWith('GET ')
    if (isTriedOnce && service.engine === 'PostgreSQL' && (index + trial.seed) % 3 > 0) continue
    const ways = isTriedOnce ? [FAULT_KINDS[Math.floor(index / 3) % FAULT_KINDS.length]!] : FAULT_KINDS
    for (const way of ways)
      for (let call = 1; call <= MAX_CALLS; call++) {
        const plan = planOf(way, call)
        const attempt = await service.attempt(request, plan)
        const store = storeHit(plan)
        if (store === undefined) break
        hits.push(store)
        check(request, plan, attempt, whole, reportFailure)
        if (store === 'Redis' && wasCountedAlone(attempt, whole)) alone++
      }
    const again = await service.attempt(request, noFault())
    if (again.reply?.status !== whole.reply?.status) reportFailure(`${request.name}: ${again.reply?.status} afterwards`)
  }
  if (service.engine === 'PostgreSQL' && alone === 0) reportFailure('no fault of Redis made the service count alone')
  const calls = [...wholes.values()].map(({ met }) => met.length)
  return `${requests.length} requests of ${Math.min(...calls)} to ${Math.max(...calls)} calls, faults hit: ${counted(hits)}`
}

/** What a request does when nothing goes wrong. One that is refused at the door, or comes to no store, would try nothing. */
async function withoutFault(
  service: FaultyService,
  request: Request,
  reportFailure: ReportFailure,
): Promise<FaultFreeRun> {
  const { plan, reply, change } = await runTwiceAlike(service, request)
  if (!reply || !request.expected(reply.status))
    reportFailure(`${request.name}: ${reply?.status} ${reply?.text.slice(0, 200)} without any fault`)
  const own = noFault()
  await (await service.prepare(request, own, true)).ask() // the directory is full, so the rest is its own
  if (!request.fixed && !own.callsMade.some((store) => store === 'database' || store === 'activity'))
    reportFailure(`${request.name}: nothing that it asks itself can fail, but only ${own.callsMade.join(', ')}`)
  if (service.engine === 'PostgreSQL' && request.strict && !own.callsMade.includes('Redis'))
    reportFailure(`${request.name}: it does not ask Redis`)
  return { reply, change, met: [...plan.callsMade], ownCalls: Math.max(1, own.callsMade.length) }
}

const MAX_RUNS = 20

/**
 * The second of two that made the same calls and were counted alike: one of many takes a new block of ids, and a machine that does other
 * things too may be late for Redis, and count one alone.
 */
async function runTwiceAlike(service: FaultyService, request: Request) {
  const run = async () => {
    const plan = noFault()
    return { plan, ...(await service.attempt(request, plan)) }
  }
  const outcomeOf = ({ plan, reply }: Awaited<ReturnType<typeof run>>) =>
    `${plan.callsMade.join()} ${reply?.headers['ratelimit-limit']}`
  let before = await run() // so that what is done once is done
  for (let runs = 2; ; runs++) {
    const again = await run()
    if (runs === MAX_RUNS || outcomeOf(again) === outcomeOf(before)) return again
    before = again
  }
}
