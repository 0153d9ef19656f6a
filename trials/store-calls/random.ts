import type { Reply } from '../harness/in-process.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { checkAnswer, type FaultFreeRun } from './check.ts'
import { FAULT_KINDS, noFault, type Plan, planOf } from './faults.ts'
import type { FaultyService, Prepared } from './faulty-service.ts'
import { phoneOf, type Request } from './requests.ts'

const LANES = 8
const MAKING_PERCENT = 20 // of the requests make customers, who are looked for afterwards

/** Requests of any kind, several at a time, each with a fault somewhere; afterwards what they were told must be what is stored. */
export async function randomFaults(
  trial: Trial,
  service: FaultyService,
  wholes: ReadonlyMap<Request, FaultFreeRun>,
  reportFailure: ReportFailure,
): Promise<string> {
  const random = trial.random(`store calls at once ${service.engine}`)
  const count = trial.sizes.randomFaults
  const making = service.api.filter(({ creates }) => creates)
  const chosen: { request: Request; plan: Plan; prepared: Prepared }[] = []
  // All before the first fault: requests share commits and reads, so a fault of one may refuse what another is prepared with.
  for (let index = 0; index < count; index++) {
    const request = random.pick(random.percent(MAKING_PERCENT) ? making : service.api)
    const { met, ownCalls } = wholes.get(request)!
    // What several ask of the directory at once one of them asks for all: half of the faults are of calls that each makes itself.
    const held = random.percent(50)
    const plan = planOf(random.pick(FAULT_KINDS), random.between(1, held ? ownCalls : met.length))
    chosen.push({ request, plan, prepared: await service.prepare(request, plan, held) })
  }
  const created = new Map<number, Reply | undefined>()
  let hits = 0
  const lane = async () => {
    for (let next = chosen.pop(); next; next = chosen.pop()) {
      const { request, plan, prepared } = next
      const reply = await prepared.ask()
      checkAnswer(request, plan, reply, reportFailure)
      if (request.creates) created.set(prepared.turn, reply)
      if (plan.hit) hits++
    }
  }
  // All of them end before the next promise begins, also where one fails.
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane))
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
  await checkStored(service, created, reportFailure)
  for (const request of service.api) {
    const reply = await (await service.prepare(request, noFault())).ask()
    if (!reply || !request.expected(reply.status)) reportFailure(`${request.name}: ${reply?.status} afterwards`)
  }
  return `${count} requests, ${LANES} at a time, ${hits} faults hit, ${created.size} customers held against what was told`
}

async function checkStored(
  { db }: FaultyService,
  created: ReadonlyMap<number, Reply | undefined>,
  reportFailure: ReportFailure,
): Promise<void> {
  const rows = await db.rows<{ phone: string | null }>('select phone from customers', [])
  const stored = Map.groupBy(rows, ({ phone }) => phone)
  for (const [turn, reply] of created) {
    const found = stored.get(phoneOf(turn))?.length ?? 0
    const unknown = reply === undefined || reply.text.includes('"outcome_unknown"')
    const right = unknown ? found <= 1 : found === (reply.status < 300 ? 1 : 0)
    if (!right)
      reportFailure(`${phoneOf(turn)}, answered ${reply?.status} ${reply?.text.slice(0, 100)}: stored ${found} times`)
  }
}
