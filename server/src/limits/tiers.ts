import type { FastifyReply, FastifyRequest } from 'fastify'
import { JSON_TYPE } from '../http/body.ts'
import type { Call, Standing, Tier, Tiers } from '../http/call.ts'
import { type Refusal, rateLimited, signInLimited } from '../http/errors.ts'
import { whenKnown } from '../http/rules.ts'
import type { Windows } from './window.ts'

// §8: three tiers, each a sliding window of one minute, and the headers that tell the tightest.

const SIGN_INS = 60
const FAILURES = 600
const CALLS = 300

/** The integrator and brand that tier 3 counts together, with lengths, so that no two pairs can read alike. */
const pairKey = (integrator: string, brand: string) => `${integrator.length}:${integrator}:${brand.length}:${brand}`

export function limits(windows: Windows) {
  return {
    /** Tier 1: every POST /auth, by address, whatever is in it. */
    signIns({ call }: FastifyRequest) {
      const waited = { ms: 0 }
      return whenKnown(windows.take(1, call.addressKey, SIGN_INS, waited), (standing) => {
        call.tiers = { waited, signIns: standing }
        return standing.admitted ? undefined : signInLimited(standing.limit, seconds(standing))
      })
    },

    /** Tier 2, before the token is looked at: only looks, because the status is not known yet. */
    failures({ call }: FastifyRequest) {
      const waited = { ms: 0 }
      return whenKnown(windows.look(2, call.addressKey, FAILURES, waited), (standing) => {
        call.tiers = { waited, failures: standing }
        if (standing.admitted) return undefined
        call.tiers.refusedByFailures = true
        return rateLimited(2, standing.limit, seconds(standing))
      })
    },

    /** Tier 3, once the caller is known: all of a pair's tokens and all workers share it. */
    calls({ call: { caller, quota, tiers } }: FastifyRequest) {
      const pair = pairKey(caller.integrator_id, caller.brand)
      return whenKnown(windows.take(3, pair, quota ?? CALLS, tiers!.waited), (standing) => {
        tiers!.calls = standing
        return standing.admitted ? undefined : rateLimited(3, standing.limit, seconds(standing))
      })
    },

    /** Where a pair stands in tier 3, for whoever wants to know. */
    callsOf: (integrator: string, brand: string, quota: number | undefined) =>
      windows.look(3, pairKey(integrator, brand), quota ?? CALLS),

    /** Where a caller stands in each tier after this request. */
    async standings({ addressKey, tiers }: Call): Promise<Record<Tier, Standing>> {
      const { failures, calls, waited } = tiers!
      return { 1: await windows.look(1, addressKey, SIGN_INS, waited), 2: failures!, 3: calls! }
    },

    /**
     * As the answer is sent: a failure is counted, so that concurrent ones cannot slip past the look; one that finds tier 2 full
     * becomes its 429, except a 5xx, which stays visible. Then the headers, from the numbers at hand.
     */
    settle(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
      const { tiers, addressKey } = request.call
      if (!tiers) return payload
      if (reply.statusCode >= 400 && tiers.failures && !tiers.refusedByFailures)
        return whenKnown(windows.take(2, addressKey, FAILURES, tiers.waited), (failures) => {
          tiers.failures = failures
          const isReplaced = !failures.admitted && reply.statusCode < 500
          const sent = isReplaced
            ? replaced(request, reply, rateLimited(2, failures.limit, seconds(failures)))
            : payload
          tell(reply, tiers)
          return sent
        })
      tell(reply, tiers)
      return payload
    },
  }
}

function tell(reply: FastifyReply, tiers: Tiers): void {
  tiers.told = tightest(tiers)
  writeHeaders(reply, tiers.told)
}

function replaced(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): string {
  request.call.refused = refusal.name
  reply.removeHeader('allow')
  reply.status(refusal.status).type(JSON_TYPE)
  return JSON.stringify(refusal.body)
}

// D7.2: whole seconds until one more slot frees, at least 1 for who is refused.
export const seconds = ({ admitted, resetMs }: Standing) => Math.max(admitted ? 0 : 1, Math.ceil(resetMs / 1000))
export const remaining = ({ limit, count }: Standing) => Math.max(0, limit - count)

export const tierOf = ({ signIns, failures }: Tiers, standing: Standing): Tier =>
  standing === signIns ? 1 : standing === failures ? 2 : 3

/** D7.2: the smallest remaining count; on a tie the longer reset, then tier 3. Tier 2 competes once it has counted, or alone. */
function tightest({ signIns, failures, calls }: Tiers): Standing {
  if (signIns) return signIns
  if (!calls) return failures!
  if (!failures || failures.count === 0) return calls
  const difference = remaining(failures) - remaining(calls)
  return difference < 0 || (difference === 0 && seconds(failures) > seconds(calls)) ? failures : calls
}

function writeHeaders(reply: FastifyReply, standing: Standing): void {
  const reset = reply.statusCode === 429 ? Math.max(1, seconds(standing)) : seconds(standing)
  reply.header('ratelimit-limit', standing.limit)
  reply.header('ratelimit-remaining', remaining(standing))
  reply.header('ratelimit-reset', reset)
  if (reply.statusCode === 429) reply.header('retry-after', reset)
}
