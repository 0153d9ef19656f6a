import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { shownKey } from '../http/edge/address.ts'
import { tierOf } from '../limits/tiers.ts'
import {
  OutcomeUnknown,
  ReferenceViolation,
  StoreFull,
  StoreUnavailable,
  UniqueViolation,
  UnusableDatabase,
} from '../storage/database.ts'
import { instantOf } from '../values/values.ts'
import { openLogFile } from './log-file.ts'

/** JSON lines written in batches; on a terminal, lines for people. */
export async function openLog(
  level: string,
  out: NodeJS.WriteStream,
): Promise<{ log: pino.Logger; flush: () => void }> {
  const options = { level, base: { pid: process.pid }, timestamp: () => `,"time":"${instantOf(Date.now())}"` }
  if (out.isTTY) {
    const { default: pretty } = await import('pino-pretty')
    return {
      log: pino(options, pretty({ colorize: true, ignore: 'pid', translateTime: 'HH:MM:ss', sync: true })),
      flush() {},
    }
  }
  const file = openLogFile(1, lostLine)
  process.once('exit', file.flush) // however the process ends, what explains it is written
  return { log: pino(options, file), flush: file.flush }
}

const lostLine = (lines: number) =>
  `{"level":40,"time":"${instantOf(Date.now())}",${PID},"lines":${lines},"msg":"part of the log could not be written"}\n`

// Their words are our own; what some add of a driver's says why it cannot be reached, and quotes no row.
const OURS = [StoreUnavailable, OutcomeUnknown, StoreFull, UniqueViolation, ReferenceViolation, UnusableDatabase]

/**
 * What a failure may leave in the log. The words of a driver or of the language can quote a client's values, and head the stack: of
 * those only the code and the place stay.
 */
export function loggedError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error }
  const { name, message, stack = '', code, errcode, cause } = error as Error & { code?: unknown; errcode?: unknown }
  return {
    name,
    ...(code !== undefined && { code }),
    ...(errcode !== undefined && { errcode }), // SQLite's own
    ...(OURS.some((kind) => error instanceof kind) && { message }),
    at: stack
      .replace(message, '')
      .split('\n')
      .filter((line) => line.startsWith('    at ')),
    ...(cause !== undefined && { cause: loggedError(cause) }),
  }
}

const CLIENT_ID = /^[A-Za-z0-9-]{8,64}$/

/**
 * One line for each answer, of members that are listed here: nothing else of a request can get into the log. It is put together by
 * hand and goes past pino, which takes three times as long for it.
 */
export function answerLog(log: FastifyBaseLogger): (request: FastifyRequest, reply: FastifyReply) => void {
  const { [pino.symbols.streamSym]: out, levelVal } = log as unknown as Inside
  if (levelVal > INFO) return () => {}
  return (request, reply) => void out.write(answerLine(request, reply))
}

/** What a pino logger is made of. */
interface Inside {
  [pino.symbols.streamSym]: { write(line: string): unknown }
  levelVal: number
}
const INFO = 30
const PID = `"pid":${process.pid}`

// What is ours, or was checked, needs no escape; an integrator's id is whatever the operator chose.
function answerLine(request: FastifyRequest, reply: FastifyReply): string {
  const { caller, tiers, pattern, addressKey } = request.call
  const sent = request.headers['x-request-id']
  const time = `{"level":30,"time":"${instantOf(Date.now())}",${PID}`
  const call = `"request_id":"${request.id}","method":"${request.method}","route":"${pattern}"`
  const answer = `"status":${reply.statusCode},"ms":${Math.round(reply.elapsedTime)}`
  const who = caller ? `,"brand":"${caller.brand}","integrator":${JSON.stringify(caller.integrator_id)}` : ''
  const tier = tiers?.told ? `,"tier":${tierOf(tiers, tiers.told)}` : ''
  const theirs = typeof sent === 'string' && CLIENT_ID.test(sent) ? `,"client_request_id":"${sent}"` : ''
  return `${time},${call},${answer}${who},"address":"${shownKey(addressKey)}"${tier}${theirs},"msg":"answered"}\n`
}
