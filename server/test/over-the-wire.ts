import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import inject, { type InjectOptions, type Response } from 'light-my-request'

/** Like `app.inject`, but through the server's request listener, so that a request takes the same path as one from outside. */
export async function overTheWire(app: FastifyInstance, request: InjectOptions): Promise<Response> {
  await app.ready()
  const answer = await inject((...both) => void app.server.emit('request', ...both), request)
  await nextTurn() // responses are recorded at the end of the tick
  return answer
}
