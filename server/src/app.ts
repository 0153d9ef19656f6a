import { randomUUID } from 'node:crypto'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Deps } from './deps.ts'
import { internalError, notFound, Refusal } from './http/errors.ts'
import { health, type Presence } from './http/health.ts'
import { loggedError } from './http/log.ts'

/** The service: every rule and resource, registered in the contract's order. */
export function buildApp(deps: Deps, presence: Presence = { leaving: false }): FastifyInstance {
  const { db, log, metrics } = deps
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
  })

  app.setErrorHandler((error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = error instanceof Refusal ? error : internalError(request.id)
    if (refusal.status >= 500) log.error({ request_id: request.id, error: loggedError(error) }, 'failed')
    return reply.status(refusal.status).headers(refusal.headers).send(refusal.body)
  })
  app.setNotFoundHandler(() => {
    throw notFound()
  })

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id) // D1.3
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    metrics.answered(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    log.info(
      {
        request_id: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })

  health(app, presence, { database: () => db.ping() })
  return app
}
