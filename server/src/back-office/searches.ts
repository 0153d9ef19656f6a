import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { tooManyCalls, tooManySearches } from '../http/errors.ts'
import { seconds } from '../limits/tiers.ts'
import type { Windows } from '../limits/window.ts'
import { personOf } from './guard.ts'

const CALLS = 3_000
const MAX_EACH = 4

/** D7.6: one person's calls in a minute; an onRequest hook inside the scope `signedIn`. Pairs of tier 3 begin with a number, so no key is both. */
export const limitCalls = (windows: Windows) => async (request: FastifyRequest) => {
  const decision = await windows.take(3, `person:${personOf(request).account.id}`, CALLS)
  if (!decision.admitted) throw tooManyCalls(decision.limit, seconds(decision))
}

/**
 * At most four searches of one account run at a time in a process: people share a few readers, and one person must not take them
 * all. A search counts until its result was read, also when its client has left.
 */
export function limitSearches() {
  const running = new Map<number, number>()
  const counted = new WeakSet<FastifyRequest>()

  function finish(request: FastifyRequest): void {
    const { id } = personOf(request).account
    if (!counted.delete(request)) return
    const left = running.get(id)! - 1
    if (left > 0) running.set(id, left)
    else running.delete(id)
  }

  return {
    /** An onRequest hook inside the scope `signedIn`. */
    async start(request: FastifyRequest): Promise<void> {
      const { id } = personOf(request).account
      const count = running.get(id) ?? 0
      if (count >= MAX_EACH) throw tooManySearches(MAX_EACH)
      running.set(id, count + 1)
      counted.add(request)
    },
    /** An onSend hook: Fastify runs it for failures too. */
    async end(request: FastifyRequest, _reply: unknown, payload: unknown): Promise<void> {
      if (payload instanceof Readable) payload.once('close', () => finish(request))
      else if (counted.has(request)) finish(request)
    },
  }
}
export type Searches = ReturnType<typeof limitSearches>
