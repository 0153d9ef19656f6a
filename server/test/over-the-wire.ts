import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import inject, { type InjectOptions, type Response } from 'light-my-request'

/** What `app.inject` does, but from the server's own door, so that a request takes the way that one from outside would. */
export async function overTheWire(app: FastifyInstance, request: InjectOptions): Promise<Response> {
  await app.ready()
  const answer = await inject((...both) => void app.server.emit('request', ...both), request)
  await nextTurn() // what is told of an answer is told at the end of its turn
  return answer
}
