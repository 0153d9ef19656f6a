import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { shownKey } from './address.ts'
import { tierOf } from './limits.ts'
import { instantOf } from './values.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The route's pattern; never the address itself, which can hold anything. */
    pattern: string
  }
}

const FLUSH_MS = 500
const BATCH = 16_000

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
  const file = pino.destination({ dest: 1, sync: false })
  const lines = inBatches((text) => file.write(text))
  setInterval(lines.pass, FLUSH_MS).unref()
  const flush = () => {
    lines.pass()
    file.flushSync()
  }
  process.once('exit', flush) // however the process ends, what explains it is written
  return { log: pino(options, lines), flush }
}

/** Lines handed on many at a time. The destination's own buffer is measured anew for each line that is put into it. */
function inBatches(handOn: (text: string) => void) {
  let lines: string[] = []
  let length = 0
  function pass(): void {
    if (length === 0) return
    const text = lines.join('')
    lines = []
    length = 0
    handOn(text)
  }
  return {
    pass,
    write(line: string): void {
      lines.push(line)
      length += line.length
      if (length >= BATCH) pass()
    },
  }
}

/** What a failure may leave in the log. A driver's message can quote a client's values, so of those only the code stays. */
export function loggedError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error }
  const { name, stack = '' } = error
  const code = (error as { code?: unknown }).code
  const at = stack.split('\n').filter((line) => line.startsWith('    at '))
  const cause = error.cause === undefined ? {} : { cause: loggedError(error.cause) }
  return { name, ...(code === undefined ? { message: error.message } : { code }), at, ...cause }
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
  const { caller, tiers } = request
  const sent = request.headers['x-request-id']
  const time = `{"level":30,"time":"${instantOf(Date.now())}",${PID}`
  const call = `"request_id":"${request.id}","method":"${request.method}","route":"${request.pattern}"`
  const answer = `"status":${reply.statusCode},"ms":${Math.round(reply.elapsedTime)}`
  const who = caller ? `,"brand":"${caller.brand}","integrator":${JSON.stringify(caller.integrator_id)}` : ''
  const tier = tiers?.told ? `,"tier":${tierOf(tiers, tiers.told)}` : ''
  const theirs = typeof sent === 'string' && CLIENT_ID.test(sent) ? `,"client_request_id":"${sent}"` : ''
  return `${time},${call},${answer}${who},"address":"${shownKey(request.addressKey)}"${tier}${theirs},"msg":"answered"}\n`
}
