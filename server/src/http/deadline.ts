import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database, Deadline } from '../storage/database.ts'
import { outcomeUnknown, type Refusal, unavailable } from './errors.ts'

const ANSWER_MS = 3_500

const deadlineFrom = (ms: number): Deadline => ({ at: ms + ANSWER_MS })

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent where a request only reads and went the short way. */
    deadline: Deadline | undefined
  }
}

/**
 * A request has its answer within 4 s, if only a 503: its calls to the database share one deadline, or many of them, each just in time,
 * would be late together. While its body is read the time stands still, for that is the client's.
 */
export function answerInTime(app: FastifyInstance, { before }: Database): void {
  app.decorateRequest('deadline')
  app.addHook('onRequest', (request, _reply, done) => {
    const deadline = deadlineFrom(performance.now())
    request.deadline = deadline
    before(deadline, done)
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    request.deadline!.at -= performance.now()
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    request.deadline!.at += performance.now()
    done()
  })
}

/** The same for what has no body and arrived at an instant. */
export const inTime =
  ({ before }: Database) =>
  (arrivedAt: number, work: () => void): void =>
    before(deadlineFrom(arrivedAt), work)

/** Runs one step of an answer that is already being sent, and may take longer than the others do, under a deadline of its own. */
export const withDeadline = <Result>({ before }: Database, step: () => Result): Result =>
  before(deadlineFrom(performance.now()), step)

/** The answer to a request that took too long. A change of it that is not being committed by now never will be. */
export function tooLate({ deadline, id }: FastifyRequest): Refusal {
  if (deadline?.committing) return outcomeUnknown(id)
  if (deadline) deadline.at = Number.NEGATIVE_INFINITY
  return unavailable(id)
}
