import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Key, Standing, Windows } from '../storage/window.ts'
import { JSON_TYPE } from './body.ts'
import { type Refusal, rateLimited, signInLimited } from './errors.ts'

// §8: three tiers, each a sliding window of one minute, and the headers that tell the tightest.

const SIGN_INS = 60
const FAILURES = 600
const CALLS = 300

/** Where a request stands in the tiers that it has met. */
export interface Tiers {
  signIns?: Standing
  failures?: Standing
  calls?: Standing
  /** Tier 2's own refusal is not a failure that it counts, or it would never end (D7.1). */
  refusedByFailures?: true
}

declare module 'fastify' {
  interface FastifyRequest {
    addressKey: Key
    tiers: Tiers | null
  }
}

/** The integrator and brand that tier 3 counts together, with lengths, so that no two pairs can read alike. */
const pairKey = (integrator: string, brand: string) => `${integrator.length}:${integrator}:${brand.length}:${brand}`

export function limits(windows: Windows) {
  return {
    /** Tier 1: every POST /auth, by address, whatever is in it. */
    async signIns(request: FastifyRequest): Promise<void> {
      const standing = await windows.take(1, request.addressKey, SIGN_INS)
      request.tiers = { signIns: standing }
      if (!standing.admitted) throw signInLimited(standing.limit, seconds(standing))
    },

    /** Tier 2, before the token is looked at: only looks, because the status is not known yet. */
    async failures(request: FastifyRequest): Promise<void> {
      const standing = await windows.look(2, request.addressKey, FAILURES)
      request.tiers = { failures: standing }
      if (standing.admitted) return
      request.tiers.refusedByFailures = true
      throw rateLimited(2, standing.limit, seconds(standing))
    },

    /** Tier 3, once the caller is known: all of a pair's tokens and all workers share it. */
    async calls({ caller, quota, tiers }: FastifyRequest): Promise<void> {
      const standing = await windows.take(3, pairKey(caller.integrator_id, caller.brand), quota ?? CALLS)
      tiers!.calls = standing
      if (!standing.admitted) throw rateLimited(3, standing.limit, seconds(standing))
    },

    /**
     * As the answer is sent: a failure is counted, so that concurrent ones cannot slip past the look; one that finds tier 2 full
     * becomes its 429, except a 5xx, which stays visible. Then the headers, from the numbers at hand.
     */
    async settle(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
      const { tiers } = request
      if (!tiers) return payload
      let sent = payload
      if (reply.statusCode >= 400 && tiers.failures && !tiers.refusedByFailures) {
        tiers.failures = await windows.take(2, request.addressKey, FAILURES)
        if (!tiers.failures.admitted && reply.statusCode < 500)
          sent = replaced(reply, rateLimited(2, tiers.failures.limit, seconds(tiers.failures)))
      }
      writeHeaders(reply, tightest(tiers))
      return sent
    },
  }
}

function replaced(reply: FastifyReply, refusal: Refusal): string {
  reply.removeHeader('allow')
  reply.status(refusal.status).type(JSON_TYPE)
  return JSON.stringify(refusal.body)
}

// D7.2: whole seconds until one more slot frees, at least 1 for who is refused.
const seconds = ({ admitted, resetMs }: Standing) => Math.max(admitted ? 0 : 1, Math.ceil(resetMs / 1000))
const remaining = ({ limit, count }: Standing) => Math.max(0, limit - count)

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
