import type { FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from './errors.ts'

const CHECKED_EVERY_MS = 1_000

/**
 * D7.6: one cap on requests in flight; what is beyond it is refused at once rather than queued. One that is not answered in time is
 * answered 503, whatever it still waits for. They are looked through once a second, since a timer for each would cost them all.
 */
export function loadShedder({ most = 10_000, deadlineMs = 8_000 } = {}) {
  const inFlight = new Set<FastifyReply>() // oldest first

  const timer = setInterval(() => {
    for (const reply of inFlight) {
      if (reply.elapsedTime < deadlineMs) break
      if (reply.request.raw.complete === false) continue // a client that is slow to send its body is cut off by the edge, with 408
      inFlight.delete(reply)
      if (!reply.sent && !reply.request.refused) reply.send(unavailable(reply.request.id)) // a refusal is on its way
    }
  }, CHECKED_EVERY_MS)
  timer.unref()

  return {
    enter(request: FastifyRequest, reply: FastifyReply): void {
      if (inFlight.size >= most) throw unavailable(request.id)
      inFlight.add(reply)
    },
    leave(reply: FastifyReply): void {
      inFlight.delete(reply)
    },
    close: () => clearInterval(timer),
  }
}
