import type { FastifyRequest } from 'fastify'
import { unavailable } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    inFlight: boolean
  }
}

/** D7.6: one cap on requests in flight; what is beyond it is refused at once rather than queued. */
export function loadShedder(most = 10_000) {
  let inFlight = 0
  return {
    async enter(request: FastifyRequest): Promise<void> {
      if (inFlight >= most) throw unavailable(request.id)
      inFlight++
      request.inFlight = true
    },
    async leave(request: FastifyRequest): Promise<void> {
      if (request.inFlight) inFlight--
    },
  }
}
