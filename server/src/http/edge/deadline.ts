import type { FastifyInstance, FastifyRequest, preParsingHookHandler, preValidationHookHandler } from 'fastify'
import type { Database, Deadline } from '../../storage/database.ts'
import type { Call } from '../call.ts'
import { outcomeUnknown, type Refusal, unavailable } from '../errors.ts'

const ANSWER_MS = 3_500

const deadlineFrom = (ms: number): Deadline => ({ expiresAt: ms + ANSWER_MS })

/**
 * Every request is answered within 4 s, if only with 503: its calls to the database share one deadline. The deadline is paused while
 * the body is read, because that time is the client's. Only routes that read a body have the hooks for it.
 */
export function enforceDeadlines(app: FastifyInstance, { withDeadline }: Database): void {
  app.addHook('onRequest', ({ call }, _reply, done) => {
    call.deadline = deadlineFrom(performance.now())
    withDeadline(call.deadline, done)
  })
  // While paused, `at` holds the milliseconds left.
  const pauseDeadline: preParsingHookHandler = ({ call }, _reply, _payload, done) => {
    call.deadline!.expiresAt -= performance.now()
    done()
  }
  const resumeDeadline: preValidationHookHandler = ({ call }, _reply, done) => {
    call.deadline!.expiresAt += performance.now()
    done()
  }
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET') Object.assign(route, { preParsing: pauseDeadline, preValidation: resumeDeadline })
  })
}

/** For a response that is sent in steps and may take longer than others: each step has its own deadline. */
export const withFreshDeadline = <Result>({ withDeadline }: Database, step: () => Result): Result =>
  withDeadline(deadlineFrom(performance.now()), step)

/** A call that has waited for news (E8) has its whole time again. */
export function renewDeadline({ deadline }: Call): void {
  if (deadline) deadline.expiresAt = deadlineFrom(performance.now()).expiresAt
}

/** The refusal for a request that took too long. Unless its change is being committed already, it never will be. */
export function tooLate({ call: { deadline }, id }: FastifyRequest): Refusal {
  if (deadline?.committing) return outcomeUnknown(id)
  if (deadline) deadline.expiresAt = Number.NEGATIVE_INFINITY
  return unavailable(id)
}
