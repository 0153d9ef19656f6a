import type { FastifyInstance, FastifyRequest, preParsingHookHandler, preValidationHookHandler } from 'fastify'
import type { Database, Deadline } from '../../storage/database.ts'
import { outcomeUnknown, type Refusal, unavailable } from '../errors.ts'

const ANSWER_MS = 3_500

const deadlineFrom = (ms: number): Deadline => ({ at: ms + ANSWER_MS })

/**
 * A request is answered within 4 s, if only with 503: its calls to the database share one deadline. While its body is read the time
 * stands still, because that time is the client's. Only routes that read a body have the hooks for it.
 */
export function answerInTime(app: FastifyInstance, { before }: Database): void {
  app.addHook('onRequest', ({ call }, _reply, done) => {
    call.deadline = deadlineFrom(performance.now())
    before(call.deadline, done)
  })
  const stop: preParsingHookHandler = ({ call }, _reply, _payload, done) => {
    call.deadline!.at -= performance.now()
    done()
  }
  const goOn: preValidationHookHandler = ({ call }, _reply, done) => {
    call.deadline!.at += performance.now()
    done()
  }
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET') Object.assign(route, { preParsing: stop, preValidation: goOn })
  })
}

/** Runs one step of an answer that is already being sent, and may take longer than the others do, under a deadline of its own. */
export const withDeadline = <Result>({ before }: Database, step: () => Result): Result =>
  before(deadlineFrom(performance.now()), step)

/** The answer to a request that took too long. A change of it that is not being committed by now never will be. */
export function tooLate({ call: { deadline }, id }: FastifyRequest): Refusal {
  if (deadline?.committing) return outcomeUnknown(id)
  if (deadline) deadline.at = Number.NEGATIVE_INFINITY
  return unavailable(id)
}
