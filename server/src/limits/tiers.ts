import type { FastifyReply, FastifyRequest } from 'fastify'
import { JSON_TYPE } from '../http/body.ts'
import type { Call, LimitDecision, Tier, Tiers } from '../http/call.ts'
import { type Refusal, rateLimited, signInLimited } from '../http/errors.ts'
import { whenKnown } from '../http/rules.ts'
import type { Windows } from './window.ts'

// §8: three tiers, each a sliding window of one minute, and the headers that report the tightest.

const SIGN_INS = 60
const FAILURES = 600
const CALLS = 300

/** Tier 3's key: integrator and brand, with their lengths, so that no two pairs give the same key. */
const pairKey = (integrator: string, brand: string) => `${integrator.length}:${integrator}:${brand.length}:${brand}`

export function limits(windows: Windows) {
  return {
    /** Tier 1: every POST /auth, by address, whatever its content. */
    signIns({ call }: FastifyRequest) {
      const waited = { ms: 0 }
      return whenKnown(windows.take(1, call.addressKey, SIGN_INS, waited), (decision) => {
        call.tiers = { waited, signIns: decision }
        return decision.admitted ? undefined : signInLimited(decision.limit, seconds(decision))
      })
    },

    /** Tier 2, before the token is checked: reads the count without adding to it, because the status is not known yet. */
    failures({ call }: FastifyRequest) {
      const waited = { ms: 0 }
      return whenKnown(windows.look(2, call.addressKey, FAILURES, waited), (decision) => {
        call.tiers = { waited, failures: decision }
        if (decision.admitted) return undefined
        call.tiers.refusedByFailures = true
        return rateLimited(2, decision.limit, seconds(decision))
      })
    },

    /** Tier 3, once the caller is known: all of a pair's tokens and all workers share it. */
    calls({ call: { caller, quota, tiers } }: FastifyRequest) {
      const pair = pairKey(caller.integrator_id, caller.brand)
      return whenKnown(windows.take(3, pair, quota ?? CALLS, tiers!.waited), (decision) => {
        tiers!.calls = decision
        return decision.admitted ? undefined : rateLimited(3, decision.limit, seconds(decision))
      })
    },

    /** The count of a pair in tier 3, for the back office. */
    callsOf: (integrator: string, brand: string, quota: number | undefined) =>
      windows.look(3, pairKey(integrator, brand), quota ?? CALLS),

    /** The counts of a caller in each tier after this request. */
    async decisions({ addressKey, tiers }: Call): Promise<Record<Tier, LimitDecision>> {
      const { failures, calls, waited } = tiers!
      return { 1: await windows.look(1, addressKey, SIGN_INS, waited), 2: failures!, 3: calls! }
    },

    /**
     * Runs as a response is sent. A failure is counted in tier 2; if tier 2 is full by now, because of concurrent failures, the response
     * becomes a 429. A 5xx stays visible. Then the rate-limit headers are set from the counts at hand.
     */
    countFailureAndSetHeaders(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
      const { tiers, addressKey } = request.call
      if (!tiers) return payload
      if (reply.statusCode >= 400 && tiers.failures && !tiers.refusedByFailures)
        return whenKnown(windows.take(2, addressKey, FAILURES, tiers.waited), (failures) => {
          tiers.failures = failures
          const isReplaced = !failures.admitted && reply.statusCode < 500
          const sent = isReplaced
            ? replaced(request, reply, rateLimited(2, failures.limit, seconds(failures)))
            : payload
          setRateLimitHeaders(reply, tiers)
          return sent
        })
      setRateLimitHeaders(reply, tiers)
      return payload
    },
  }
}

function setRateLimitHeaders(reply: FastifyReply, tiers: Tiers): void {
  tiers.reported = tightest(tiers)
  writeHeaders(reply, tiers.reported)
}

function replaced(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): string {
  request.call.refused = refusal.name
  reply.removeHeader('allow')
  reply.status(refusal.status).type(JSON_TYPE)
  return refusal.text
}

// D7.2: whole seconds until one more slot is free, at least 1 after a refusal.
export const seconds = ({ admitted, resetMs }: LimitDecision) => Math.max(admitted ? 0 : 1, Math.ceil(resetMs / 1000))
export const remaining = ({ limit, count }: LimitDecision) => Math.max(0, limit - count)

export const tierOf = ({ signIns, failures }: Tiers, decision: LimitDecision): Tier =>
  decision === signIns ? 1 : decision === failures ? 2 : 3

/** D7.2: the tier with the fewest remaining; on a tie the longer reset, then tier 3. Tier 2 takes part once it has counted a failure, or alone. */
function tightest({ signIns, failures, calls }: Tiers): LimitDecision {
  if (signIns) return signIns
  if (!calls) return failures!
  if (!failures || failures.count === 0) return calls
  const difference = remaining(failures) - remaining(calls)
  return difference < 0 || (difference === 0 && seconds(failures) > seconds(calls)) ? failures : calls
}

function writeHeaders(reply: FastifyReply, decision: LimitDecision): void {
  const reset = reply.statusCode === 429 ? Math.max(1, seconds(decision)) : seconds(decision)
  reply.header('ratelimit-limit', decision.limit)
  reply.header('ratelimit-remaining', remaining(decision))
  reply.header('ratelimit-reset', reset)
  if (reply.statusCode === 429) reply.header('retry-after', reset)
}
