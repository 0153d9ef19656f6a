import { type Sleep, unlessAborted } from './wait.ts'

/** What an answer says about the limit that is closest to being reached (§8). */
export interface RateLimit {
  remaining: number
  resetSeconds: number
}

/** Lets calls go only while the server has room for them. */
export interface Pacer {
  /** Waits for this call's turn. Who has entered must leave. */
  enter(signal: AbortSignal): Promise<void>
  /** Called with what the answer said; undefined when none came, or it said nothing. */
  leave(rateLimit: RateLimit | undefined): void
}

export function pacer(now: () => number, sleep: Sleep): Pacer {
  let room = 1 // nothing is known yet: the first call goes ahead and finds out
  let inFlight = 0
  let resetAt = 0
  let turn: Promise<unknown> = Promise.resolve()
  let answered = () => {}

  const nextAnswer = () =>
    new Promise<void>((resolve) => {
      answered = resolve
    })

  // Only the call whose turn it is gets here, so there is never more than one that waits for an answer or for the reset.
  async function takeRoom(signal: AbortSignal) {
    while (room <= 0) {
      if (inFlight > 0) await unlessAborted(nextAnswer(), signal)
      else {
        await sleep(Math.max(0, resetAt - now()), signal)
        room = 1 // §8: by then one slot is free, and the answer's headers say if there are more
      }
    }
    room -= 1
    inFlight += 1
  }

  return {
    async enter(signal) {
      const before = turn
      const taken = unlessAborted(before, signal).then(() => takeRoom(signal))
      turn = Promise.allSettled([before, taken]) // one that gives up leaves the queue, not those ahead of it
      return taken
    },

    leave(rateLimit) {
      inFlight -= 1
      if (rateLimit) {
        // Answers overtake each other: while others are under way, one may lower what is thought to be left, never raise it.
        const left = rateLimit.remaining - inFlight
        room = inFlight === 0 ? left : Math.min(room, left)
        resetAt = now() + rateLimit.resetSeconds * 1000
      }
      answered()
    },
  }
}
