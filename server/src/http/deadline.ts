import type { FastifyInstance } from 'fastify'
import type { Database, Deadline } from '../storage/database.ts'

const ANSWER_MS = 3_500

const deadlineFrom = (ms: number): Deadline => ({ at: ms + ANSWER_MS })

declare module 'fastify' {
  interface FastifyRequest {
    deadline: Deadline
  }
}

/**
 * A request has its answer within 4 s, if only a 503: its calls to the database share one deadline, or many of them, each just in time,
 * would be late together. While its body is read the time stands still, for that is the client's.
 */
export function answerInTime(app: FastifyInstance, { before }: Database): void {
  if (!before) return
  app.decorateRequest('deadline')
  app.addHook('onRequest', (request, _reply, done) => {
    request.deadline = deadlineFrom(performance.now())
    before(request.deadline, done)
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    request.deadline.at -= performance.now()
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    request.deadline.at += performance.now()
    done()
  })
}

/** The same for what has no body and arrived at an instant: runs it under a deadline, where calls can be slow. */
export const inTime = ({ before }: Database): ((arrivedAt: number, work: () => void) => void) =>
  before ? (arrivedAt, work) => before(deadlineFrom(arrivedAt), work) : (_, work) => work()

/** Runs one step of an answer that is already being sent, and may take longer than the others do, under a deadline of its own. */
export const withDeadline = <Result>({ before }: Database, step: () => Result): Result =>
  before ? before(deadlineFrom(performance.now()), step) : step()
