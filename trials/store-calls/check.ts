import type { Reply } from '../harness/in-process.ts'
import type { ReportFailure } from '../harness/trial.ts'
import { type Plan, type Store, storeHit } from './faults.ts'
import { FLEET } from './faulty-redis.ts'
import type { Attempt } from './faulty-service.ts'
import type { Request } from './requests.ts'

/** What a request does when nothing goes wrong. */
export interface FaultFreeRun extends Attempt {
  /** What it calls, in this order. */
  met: Store[]
  /** How many calls it makes when nothing of the directory has to be read. */
  ownCalls: number
}

export function describeFailure({ name }: Request, plan: Plan, reply: Reply | undefined): string {
  const answer = reply ? `${reply.status} ${reply.text.slice(0, 200)}` : 'no answer'
  return `${name}, call ${plan.call} (${storeHit(plan)}) ${plan.kind}: ${answer}`
}

/** An answer that the description, or the back office, knows; no answer is none. */
export function checkAnswer(
  request: Request,
  plan: Plan,
  reply: Reply | undefined,
  reportFailure: ReportFailure,
): void {
  try {
    if (!reply) throw new Error('it hangs')
    if (reply.status === 500) throw new Error('a store that fails is no failure inside')
    request.check(reply)
  } catch (error) {
    reportFailure(`${describeFailure(request, plan, reply)}: ${(error as Error).message}`)
  }
}

export function check(
  request: Request,
  plan: Plan,
  { reply, change }: Attempt,
  whole: FaultFreeRun,
  reportFailure: ReportFailure,
): void {
  const what = describeFailure(request, plan, reply)
  if (!plan.hit) reportFailure(`${what}: the fault was not met`)
  checkAnswer(request, plan, reply, reportFailure)
  if (!reply) return
  if (change !== '' && change !== whole.change) reportFailure(`${what}: changed ${change}, not ${whole.change}`)
  if (reply.status < 300 && change !== whole.change)
    reportFailure(`${what}: changed ${change || 'nothing'}, not ${whole.change}`)
  if (request.strict && reply.text.includes('"unavailable"') && change !== '')
    reportFailure(`${what}: changed ${change}`)
  if (storeHit(plan) === 'Redis') checkCountedAlone(what, reply, whole.reply, reportFailure)
}

/** D7.4: while Redis fails, each worker counts alone. A client notices by the limit in the headers, and by nothing else. */
function checkCountedAlone(what: string, reply: Reply, whole: Reply | undefined, reportFailure: ReportFailure): void {
  if (reply.status !== whole?.status) reportFailure(`${what}: not ${whole?.status}`)
  const [limit, together] = [limitOf(reply), limitOf(whole)]
  if (![together, together / FLEET].includes(limit)) reportFailure(`${what}: the limit is ${limit}, of ${together}`)
}

/** NaN without the header, as in the back office. */
const limitOf = (reply: Reply | undefined) => Number(reply?.headers['ratelimit-limit'])

export const wasCountedAlone = ({ reply }: Attempt, whole: FaultFreeRun) => limitOf(reply) < limitOf(whole.reply)

export const counted = (stores: readonly Store[]) =>
  [...Map.groupBy(stores, (store) => store)].map(([store, calls]) => `${store} ${calls.length}`).join(', ')
