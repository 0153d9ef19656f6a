import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, unavailable } from '../errors.ts'
import { tooLate } from './deadline.ts'
import { armStallTimeout } from './edge.ts'

const CHECKED_EVERY_MS = 1_000
const TICK_MS = 50

const CLIENT_LEFT = 499 // as nginx has it; nobody is sent this

interface Shedding {
  most?: number
  deadlineMs?: number
  /** For what lies outside the base path: a search in the back office may take 15 s. */
  outsideDeadlineMs?: number
  /** The event loop's delay past which requests are refused. */
  lateMs?: number | undefined
  /** Milliseconds, of a clock that nobody sets. */
  now?: () => number
  /** Told of each whose client went away without an answer: nobody else will say so. */
  left: (reply: FastifyReply) => void
}

/**
 * D7.6: one cap on requests in flight; what is beyond it is refused at once rather than queued, and so is what comes while the event
 * loop is too late for everybody. One that is not answered in time is answered 503, whatever it still waits for. They are looked
 * through once a second, since a timer for each would cost them all.
 */
export function loadShedder({
  most = 10_000,
  deadlineMs = 8_000,
  outsideDeadlineMs = 18_000,
  lateMs = 250,
  now = () => performance.now(),
  left,
}: Shedding) {
  const inFlight: FastifyReply[] = []

  function leave(reply: FastifyReply): void {
    const { call } = reply.request
    const { place } = call
    if (place === undefined) return
    const last = inFlight.pop()!
    if (last !== reply) {
      inFlight[place] = last
      last.request.call.place = place
    }
    call.place = undefined
  }

  const timer = setInterval(() => {
    for (const reply of [...inFlight]) {
      const { raw, call } = reply.request
      if (raw.socket.destroyed) {
        leave(reply)
        call.refused ||= 'client_left'
        left(reply.status(CLIENT_LEFT))
        continue
      }
      const begun = reply.sent || reply.raw.headersSent // a stream is `sent` only when it has ended
      if (begun) armStallTimeout(raw.socket)
      // One that is slow to send its body is cut off by the edge, with 408; and a refusal may be on its way.
      if (reply.elapsedTime < call.shedAfterMs || raw.complete === false || call.refused) continue
      leave(reply)
      if (!begun) reply.send(tooLate(reply.request))
    }
  }, CHECKED_EVERY_MS)
  timer.unref()
  const loop = lateness(now, lateMs)

  const enterWithin =
    (ms: number, whileLate = false) =>
    (request: FastifyRequest, reply: FastifyReply): Refusal | undefined => {
      if (inFlight.length >= most || (!whileLate && loop.isLate())) return unavailable(request.id)
      request.call.place = inFlight.push(reply) - 1
      request.call.shedAfterMs = ms
      return undefined
    }

  return {
    enter: enterWithin(deadlineMs),
    enterOutside: enterWithin(outsideDeadlineMs),
    /** Files held in memory cost next to nothing, and a page that lacks one of them stays blank. */
    enterFile: enterWithin(outsideDeadlineMs, true),
    leave,
    close() {
      clearInterval(timer)
      loop.close()
    },
  }
}

/** Whether the event loop is late for what it has to do. Once is no overload: a process that was paused answers what has waited. */
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
