import type { FastifyReply, FastifyRequest } from 'fastify'

/** One of the rules that a request passes; it throws what it refuses. Most know their answer at once. */
export type Step = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>

/**
 * Several rules as one hook of Fastify's. A rule that answers at once costs no promise and no turn of the event loop: on a request that
 * takes 30 µs in all, ten of those would be felt.
 */
export function inOrder(...steps: Step[]) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void | Promise<void> => {
    for (let at = 0; at < steps.length; at++) {
      const waiting = steps[at]!(request, reply)
      if (waiting) return finish(waiting, at + 1, request, reply)
    }
    done()
  }

  // Fastify goes on by the promise, so `done` is not called.
  async function finish(waiting: Promise<void>, from: number, request: FastifyRequest, reply: FastifyReply) {
    await waiting
    for (let at = from; at < steps.length; at++) await steps[at]!(request, reply)
  }
}

/** Goes on with a value, at once if it is there already. */
export const whenKnown = <Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> => (value instanceof Promise ? value.then(next) : next(value))
