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

// Our own messages. Some add a driver's reason for a failed connection, which contains no row.
const ERRORS_WITH_SAFE_MESSAGE = [
  StoreUnavailable,
  OutcomeUnknown,
  StoreFull,
  UniqueViolation,
  ReferenceViolation,
  UnusableDatabase,
]

/**
 * Log the message only of our own error classes. Messages of drivers and of V8 can contain client data, also in the first line of
 * the stack, so for those we log only the code and the stack frames.
 */
export function loggedError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error }
  const { name, message, stack = '', code, errcode, cause } = error as Error & { code?: unknown; errcode?: unknown }
  return {
    name,
    ...(code !== undefined && { code }),
    ...(errcode !== undefined && { errcode }), // SQLite's own
    ...(ERRORS_WITH_SAFE_MESSAGE.some((kind) => error instanceof kind) && { message }),
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

/** Parts of a pino logger. */
interface Inside {
  [pino.symbols.streamSym]: { write(line: string): unknown }
  levelVal: number
}
const INFO = 30
const PID = `"pid":${process.pid}`

// Our own and validated values need no escaping; an integrator's id is free text of the operator.
function answerLine(request: FastifyRequest, reply: FastifyReply): string {
  const { caller, tiers, pattern, addressKey } = request.call
  const sent = request.headers['x-request-id']
  const time = `{"level":30,"time":"${instantOf(Date.now())}",${PID}`
  const call = `"request_id":"${request.id}","method":"${request.method}","route":"${pattern}"`
  const answer = `"status":${reply.statusCode},"ms":${Math.round(reply.elapsedTime)}`
  const who = caller ? `,"brand":"${caller.brand}","integrator":${JSON.stringify(caller.integrator_id)}` : ''
  const tier = tiers?.reported ? `,"tier":${tierOf(tiers, tiers.reported)}` : ''
  const theirs = typeof sent === 'string' && CLIENT_ID.test(sent) ? `,"client_request_id":"${sent}"` : ''
  return `${time},${call},${answer}${who},"address":"${shownKey(addressKey)}"${tier}${theirs},"msg":"answered"}\n`
}
