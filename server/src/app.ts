import type { RequestListener } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify'
import { authenticate, enterVenue } from './auth/authenticate.ts'
import { authorize, requirePermission } from './auth/permissions.ts'
import { signInRoute } from './auth/routes.ts'
import { whoami } from './auth/whoami.ts'
import { backOffice } from './back-office/back-office.ts'
import examples from './demo/examples.json' with { type: 'json' }
import { DEMO } from './demo/fill.ts'
import type { Deps } from './deps.ts'
import { asNothing, BODY_LIMIT, readJsonBodies } from './http/body.ts'
import { answerInTime } from './http/deadline.ts'
import { edgeOptions, endBody, inTurn, meetClient, mustMove, routedAs, tendConnections } from './http/edge.ts'
import { notFound, onSignIn, type Refusal, refusalFor } from './http/errors.ts'
import { health, type Presence } from './http/health.ts'
import { serveHomePage } from './http/home-page.ts'
import { asHook, inOrder, type Step } from './http/in-order.ts'
import { limits } from './http/limits.ts'
import { answerLog, loggedError } from './http/log.ts'
import { type KnownMethods, knownMethods, unknownAddress } from './http/methods.ts'
import { serveDescription } from './http/openapi.ts'
import { queryRule } from './http/query-rule.ts'
import { serveReferencePage } from './http/reference-page.ts'
import { newRequestId } from './http/request-id.ts'
import { loadShedder } from './http/shed.ts'
import { shortWay } from './http/short-way.ts'
import { validatorCompiler } from './http/validate.ts'
import { customers } from './resources/customers/routes.ts'
import { priceLists } from './resources/price-lists/routes.ts'
import { products } from './resources/products/routes.ts'
import { receipts } from './resources/receipts/routes.ts'
import { stockOperations } from './resources/stock-operations/routes.ts'
import { together } from './storage/together.ts'

const MOST_TOLD_AT_ONCE = 250 // what a turn of the event loop has time for

/** How the service is run this time. */
export interface Occasion {
  presence?: Presence
  /** The demo's credentials are known to everybody, so pages may use them. */
  demo?: boolean
}

/** The service: every rule and resource, registered in the contract's order. */
export function buildApp(deps: Deps, { presence = { leaving: false }, demo = false }: Occasion = {}): FastifyInstance {
  const { config, log, metrics } = deps
  const base = config.COMPTOIR_BASE_PATH
  const limit = limits(deps.windows)
  const logAnswer = answerLog(log)
  const ended = together<FastifyReply>(MOST_TOLD_AT_ONCE, (replies) => replies.forEach(tellOfAnswer))
  const shed = loadShedder({ left: ended.add })
  const app: FastifyInstance = Fastify({
    ...edgeOptions(config),
    logger: false, // a line for each answer is written below; a logger for each request would cost it a microsecond
    genReqId: newRequestId, // ours; a well-formed one of the client's is logged beside it (D1.3)
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 8_192 }, // D3.1: a long id is a malformed one, not an unknown address
    bodyLimit: BODY_LIMIT,
    rewriteUrl: routedAs(base),
    schemaController: {
      compilersFactory: {
        buildValidator: () => validatorCompiler(deps.now) as never, // without these, Fastify loads compilers of its own
        buildSerializer: () => () => JSON.stringify, // response schemas document; what is stored ready is sent as it is
      },
    },
  })
  tendConnections(app.server)
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response)) // it is answered like the rest
  for (const name of [
    'caller',
    'party',
    'quota',
    'venues',
    'expiresAt',
    'addressKey',
    'pattern',
    'permission',
  ] as const)
    app.decorateRequest(name)
  app.decorateRequest('refused', '')
  app.decorateRequest('tiers', null)
  app.decorateReply('place')
  app.decorateReply('deadlineMs')

  app.setErrorHandler((error, request, reply) => {
    const refusal = refuse(error, request)
    const onAuth = request.url.split('?', 1)[0] === `${base}/auth`
    return reply
      .status(refusal.status)
      .headers(refusal.headers)
      .send(onAuth ? onSignIn(refusal) : refusal.body)
  })
  app.setNotFoundHandler(() => {
    throw notFound()
  })

  const methodsOf = knownMethods(app)
  const query = queryRule()
  const rules = rulesOf(deps, limit, shed, query.refuse)
  const short = shortWay({
    rules: rules.ofGets,
    refuse,
    settle: limit.settle,
    over,
    db: deps.db,
  })
  const [longWay] = app.server.listeners('request') as [RequestListener]
  app.server.removeAllListeners('request')
  app.server.on(
    'request',
    inTurn((request, response) => {
      if (!presence.leaving && short.take(request, response)) return
      mustMove(request.socket)
      longWay(request, response)
    }),
  )

  answerInTime(app, deps.db)
  app.addHook(
    'onRequest',
    asHook(
      inOrder(
        (request, reply) => {
          if (presence.leaving) reply.header('connection', 'close')
          const { url = 'unknown', config } = request.routeOptions // made anew whenever it is asked for
          request.pattern = url
          request.permission = config?.permission
        },
        rules.ofAll,
        (request, reply) => {
          if (request.url.startsWith(`${base}/`)) return undefined // tier 2 comes first there
          if (request.is404) return unknownAddress(methodsOf, request.url) // before its body is read
          // Health checks are answered under load too: to take a busy process away would only load the others more.
          return request.pattern.startsWith('/health/') ? undefined : shed.enterOutside(request, reply)
        },
      ),
    ),
  )
  app.addHook('onSend', (request, reply, payload, done) => {
    const settled = limit.settle(request, reply, payload)
    if (settled instanceof Promise) settled.then((sent) => done(null, sent), done)
    else done(null, settled)
  })
  app.addHook('onResponse', ({ raw }, reply, done) => {
    over(reply)
    endBody(raw)
    done()
  })
  app.addHook('preClose', async () => {
    presence.leaving = true // Fastify knows how to answer while it closes
  })
  app.addHook('onClose', async () => shed.close())

  health(app, presence, { database: () => deps.db.ping() })
  const noteCall = backOffice(app, deps, methodsOf)
  serveHomePage(app, base)
  serveDescription(app, base, examples)
  serveReferencePage(app, demo ? demoTokens(app, base, deps.now) : undefined)
  app.register(integrationApi(deps, rules, methodsOf, [query.learn, short.learn]), { prefix: base })
  return app

  function refuse(error: unknown, request: FastifyRequest): Refusal {
    const refusal = refusalFor(error, request.id, BODY_LIMIT)
    request.refused = refusal.name
    if (refusal.status >= 500) log.error({ request_id: request.id, error: loggedError(error) }, 'failed')
    return refusal
  }

  function over(reply: FastifyReply): void {
    shed.leave(reply)
    ended.add(reply)
  }

  /** A request is answered, or its client has left. */
  function tellOfAnswer(reply: FastifyReply): void {
    const { request } = reply
    try {
      metrics.answered(request.method, request.pattern, reply.statusCode, reply.elapsedTime / 1000)
      logAnswer(request, reply)
      noteCall(request, reply)
    } catch (error) {
      log.error({ request_id: request.id, error: loggedError(error) }, 'an answer could not be told of')
    }
  }
}

/** The demo's token for the reference page; one for all who open it, as long as it is good. */
function demoTokens(app: FastifyInstance, base: string, now: () => number): () => Promise<string | undefined> {
  let held = { token: undefined as string | undefined, until: 0 }
  return async () => {
    if (now() < held.until) return held.token
    const answer = await app.inject({ method: 'POST', url: `${base}/auth`, payload: DEMO })
    const { token, expires_at = 0 } = answer.json() as { token?: string; expires_at?: number }
    held = { token, until: expires_at * 1000 - 60_000 }
    return token
  }
}

/** What requests pass, by their kind. The order is the contract's (D5.1, D5.5). */
function rulesOf(
  deps: Deps,
  limit: ReturnType<typeof limits>,
  shed: ReturnType<typeof loadShedder>,
  onlyKnownQuery: Step,
) {
  const ofAll = inOrder(
    ({ id }, reply) => {
      reply.header('x-request-id', id)
      return undefined
    },
    meetClient(deps.config, deps),
  )
  const ofSignIns = inOrder(limit.signIns, shed.enter, onlyKnownQuery) // §8 tier 1
  const ofCalls = inOrder(limit.failures, shed.enter) // §8 tier 2, before anything is looked at
  const ofCallers = inOrder(
    authenticate(deps), // §5.4
    limit.calls, // §8 tier 3
    enterVenue, // §5.2
    authorize, // §1
    onlyKnownQuery, // D2.2
  )
  return { ofAll, ofSignIns, ofCalls, ofCallers, ofGets: inOrder(ofAll, ofCalls, ofCallers) }
}

/** Everything under the base path. */
function integrationApi(
  deps: Deps,
  rules: ReturnType<typeof rulesOf>,
  methodsOf: KnownMethods,
  onRoute: readonly ((route: RouteOptions) => void)[],
) {
  return async (api: FastifyInstance) => {
    api.register(async (signIn) => {
      signIn.addHook('onRequest', asHook(rules.ofSignIns))
      readJsonBodies(signIn, asNothing)
      signInRoute(signIn, deps)
    })

    api.register(async (open) => {
      const onlyKnown: Step = ({ is404, url }) => (is404 ? unknownAddress(methodsOf, url) : undefined)
      // A wrong address or method is refused without looking at the token or the body.
      open.addHook('onRequest', asHook(inOrder(rules.ofCalls, onlyKnown)))
      open.setNotFoundHandler(() => {
        throw notFound()
      })

      open.register(async (authenticated) => {
        authenticated.addHook('onRoute', requirePermission)
        for (const learn of onRoute) authenticated.addHook('onRoute', learn)
        authenticated.addHook('onRequest', asHook(rules.ofCallers))
        readJsonBodies(authenticated)
        authenticated.register(whoami, deps)
        for (const resource of [customers, products, priceLists, receipts, stockOperations])
          authenticated.register(resource, deps)
      })
    })
  }
}
