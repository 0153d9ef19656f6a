import type { FastifyReply, FastifyRequest } from 'fastify'
import { pino } from 'pino'
import pretty from 'pino-pretty'
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

/** JSON lines written in batches; on a terminal, lines for people. */
export function openLog(level: string, out: NodeJS.WriteStream): { log: pino.Logger; flush: () => void } {
  const options = { level, base: { pid: process.pid }, timestamp: () => `,"time":"${instantOf(Date.now())}"` }
  if (out.isTTY)
    return {
      log: pino(options, pretty({ colorize: true, ignore: 'pid', translateTime: 'HH:MM:ss', sync: true })),
      flush() {},
    }
  const destination = pino.destination({ dest: 1, sync: false, minLength: 16_000 })
  const timer = setInterval(() => destination.flush(), FLUSH_MS)
  timer.unref()
  return { log: pino(options, destination), flush: () => destination.flushSync() }
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

/** One line for each answer, of members that are listed here: nothing else of a request can get into the log. */
export function answerLine(request: FastifyRequest, reply: FastifyReply): Record<string, unknown> {
  const { caller, method, pattern: route, tiers } = request
  const [request_id, status, ms] = [request.id, reply.statusCode, Math.round(reply.elapsedTime)]
  const address = shownKey(request.addressKey)
  const line: Record<string, unknown> = caller
    ? { request_id, method, route, status, ms, brand: caller.brand, integrator: caller.integrator_id, address }
    : { request_id, method, route, status, ms, address }
  if (tiers?.told) line.tier = tierOf(tiers, tiers.told)
  const sent = request.headers['x-request-id']
  if (typeof sent === 'string' && CLIENT_ID.test(sent)) line.client_request_id = sent
  return line
}
