import { pino } from 'pino'
import pretty from 'pino-pretty'

const FLUSH_MS = 500

/** JSON lines written in batches; on a terminal, lines for people. */
export function openLog(level: string, out: NodeJS.WriteStream): { log: pino.Logger; flush: () => void } {
  const options = { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }
  if (out.isTTY)
    return {
      log: pino(options, pretty({ colorize: true, ignore: 'pid', translateTime: 'HH:MM:ss', sync: true })),
      flush() {},
    }
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4096 })
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
