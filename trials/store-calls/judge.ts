import type { Reply } from '../harness/in-process.ts'
import type { Broke } from '../harness/trial.ts'
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
export function judgeAnswer(request: Request, plan: Plan, reply: Reply | undefined, broke: Broke): void {
  try {
    if (!reply) throw new Error('it hangs')
    if (reply.status === 500) throw new Error('a store that fails is no failure inside')
    request.check(reply)
  } catch (error) {
    broke(`${describeFailure(request, plan, reply)}: ${(error as Error).message}`)
  }
}

export function judge(
  request: Request,
  plan: Plan,
  { reply, change }: Attempt,
  whole: FaultFreeRun,
  broke: Broke,
): void {
  const what = describeFailure(request, plan, reply)
  if (!plan.hit) broke(`${what}: the fault was not met`)
  judgeAnswer(request, plan, reply, broke)
  if (!reply) return
  if (change !== '' && change !== whole.change) broke(`${what}: changed ${change}, not ${whole.change}`)
  if (reply.status < 300 && change !== whole.change)
    broke(`${what}: changed ${change || 'nothing'}, not ${whole.change}`)
  if (request.strict && reply.text.includes('"unavailable"') && change !== '') broke(`${what}: changed ${change}`)
  if (storeHit(plan) === 'Redis') judgeCountedAlone(what, reply, whole.reply, broke)
}

/** D7.4: while Redis fails, each worker counts alone. A client notices by the limit in the headers, and by nothing else. */
function judgeCountedAlone(what: string, reply: Reply, whole: Reply | undefined, broke: Broke): void {
  if (reply.status !== whole?.status) broke(`${what}: not ${whole?.status}`)
  const [limit, together] = [limitOf(reply), limitOf(whole)]
  if (![together, together / FLEET].includes(limit)) broke(`${what}: the limit is ${limit}, of ${together}`)
}

/** NaN without the header, as in the back office. */
const limitOf = (reply: Reply | undefined) => Number(reply?.headers['ratelimit-limit'])

export const wasCountedAlone = ({ reply }: Attempt, whole: FaultFreeRun) => limitOf(reply) < limitOf(whole.reply)

export const counted = (stores: readonly Store[]) =>
  [...Map.groupBy(stores, (store) => store)].map(([store, calls]) => `${store} ${calls.length}`).join(', ')
