import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, unavailable } from '../errors.ts'
import { tooLate } from './deadline.ts'
import { armStallTimeout } from './edge.ts'

const CHECKED_EVERY_MS = 1_000
const TICK_MS = 50

export const CLIENT_LEFT = 499 // nginx's status for the log; it is never sent

interface Shedding {
  maxInFlight?: number
  deadlineMs?: number
  /** For requests outside the base path: a search in the back office may take 15 s. */
  outsideDeadlineMs?: number
  /** The event loop's delay past which requests are refused. */
  lateMs?: number | undefined
  /** Monotonic milliseconds. */
  now?: () => number
  /** Called for each request whose client disconnected before its response: no other hook runs for it. */
  onClientGone: (reply: FastifyReply) => void
}

/**
 * D7.6: caps the requests in flight. Requests beyond the cap, and those that arrive while the event loop is overloaded, are refused at
 * once instead of queued. A request that misses its deadline is answered 503, whatever it waits for. All of them are checked once a
 * second, because a timer for each would slow every request.
 */
export function loadShedder({
  maxInFlight = 10_000,
  deadlineMs = 8_000,
  outsideDeadlineMs = 18_000,
  lateMs = 250,
  now = () => performance.now(),
  onClientGone,
}: Shedding) {
  const inFlight: FastifyReply[] = []

  function release(reply: FastifyReply): void {
    const { call } = reply.request
    const { inFlightIndex: index } = call
    if (index === undefined) return
    const last = inFlight.pop()!
    if (last !== reply) {
      inFlight[index] = last
      last.request.call.inFlightIndex = index
    }
    call.inFlightIndex = undefined
  }

  const timer = setInterval(() => {
    for (const reply of [...inFlight]) {
      const { raw, call } = reply.request
      if (raw.socket.destroyed) {
        release(reply)
        call.refused ||= 'client_left'
        onClientGone(reply.status(CLIENT_LEFT))
        continue
      }
      const begun = reply.sent || reply.raw.headersSent // a stream is `sent` only when it has ended
      if (begun) armStallTimeout(raw.socket)
      // The edge answers 408 to a client that sends its body slowly; and a refusal may be under way already.
      if (reply.elapsedTime < call.shedAfterMs || raw.complete === false || call.refused) continue
      release(reply)
      if (!begun) reply.send(tooLate(reply.request))
    }
  }, CHECKED_EVERY_MS)
  timer.unref()
  const loop = lateness(now, lateMs)

  const admitWithin =
    (ms: number, whileLate = false) =>
    (request: FastifyRequest, reply: FastifyReply): Refusal | undefined => {
      if (inFlight.length >= maxInFlight || (!whileLate && loop.isLate())) return unavailable(request.id)
      request.call.inFlightIndex = inFlight.push(reply) - 1
      request.call.shedAfterMs = ms
      return undefined
    }

  return {
    admit: admitWithin(deadlineMs),
    admitOutsideApi: admitWithin(outsideDeadlineMs),
    /** Admitted even under overload: files in memory cost almost nothing, and a page that misses one stays blank. */
    admitStaticFile: admitWithin(outsideDeadlineMs, true),
    release,
    close() {
      clearInterval(timer)
      loop.close()
    },
  }
}

/** Detects an overloaded event loop. One late tick is no overload: a process that was paused must serve what arrived meanwhile. */
function lateness(now: () => number, lateMs: number) {
  let last = now()
  let lateTicks = 0
  const timer = setInterval(() => {
    lateTicks = now() - last - TICK_MS > lateMs ? lateTicks + 1 : 0
    last = now()
  }, TICK_MS)
  timer.unref()
  return {
    isLate: () => lateTicks > 1,
    close: () => clearInterval(timer),
  }
}
