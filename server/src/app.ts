import { Readable } from 'node:stream'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onRequestHookHandler,
  type onSendHookHandler,
} from 'fastify'
import { authenticate, enterVenue } from './auth/authenticate.ts'
import { authorize, refuseReadRightForWrite, requirePermission } from './auth/permissions.ts'
import { signInRoute } from './auth/routes.ts'
import { whoami } from './auth/whoami.ts'
import { backOffice } from './back-office/back-office.ts'
import { configuredBackups } from './backup/backups.ts'
import type { Copy } from './backup/folder.ts'
import { translateCalls } from './compat/hooks.ts'
import examples from './demo/examples.json' with { type: 'json' }
import { DEMO, DEMO_PEOPLE } from './demo/fill.ts'
import type { Deps } from './deps.ts'
import { MAX_WAITING, waitingRoom } from './events/news/wait.ts'
import { currentObjects } from './events/objects.ts'
import { requireEvents } from './events/require-events.ts'
import { eventRoutes } from './events/routes.ts'
import { keepTrimmed } from './events/trim.ts'
import { EventData, eventWebhooks } from './events/webhooks.ts'
import { BODY_LIMIT, ignoreMalformedJson, readJsonBodies } from './http/body.ts'
import { Call } from './http/call.ts'
import { batchArrivals } from './http/edge/arrivals.ts'
import { enforceDeadlines } from './http/edge/deadline.ts'
import { edgeOptions, endBody, identifyClient, isHead, limitConnections, rewriteUrl } from './http/edge/edge.ts'
import { isLocal } from './http/edge/local.ts'
import { newRequestId } from './http/edge/request-id.ts'
import { CLIENT_LEFT, loadShedder } from './http/edge/shed.ts'
import { readTls } from './http/edge/tls.ts'
import { asJson } from './http/envelope.ts'
import { authErrorBody, notFound, type Refusal, refusalFor } from './http/errors.ts'
import { health, type Lifecycle } from './http/health.ts'
import { serveHomePage } from './http/home-page.ts'
import { type KnownMethods, knownMethods, unknownAddress } from './http/methods.ts'
import { asHook, type Rule, sequence } from './http/rules.ts'
import { validatorCompiler } from './http/validate.ts'
import { connectionOf, type Lan } from './lan/lan.ts'
import { limits } from './limits/tiers.ts'
import { refuseUnknownQuery } from './lists/query-rule.ts'
import { menus } from './menu/menu.ts'
import { keepMenusInTime } from './menu/timed.ts'
import { answerLog, loggedError } from './observe/log.ts'
import { serveDescription } from './openapi/openapi.ts'
import { serveReferencePage } from './openapi/reference-page.ts'
import { journal } from './pos/acts/journal.ts'
import { booksChecker } from './pos/books/running/checker.ts'
import { EXTENSIONS } from './pos/extensions.ts'
import { keepOrdersInTime } from './pos/orders/timed.ts'
import { keepForgetting } from './pos/privacy/keep.ts'
import { printTargets, refusePrinter } from './printing/addresses.ts'
import { startPrinting } from './printing/sending/sender.ts'
import type { Resource } from './resource/resource.ts'
import { beforeReadOf, serveResource } from './resource/serve.ts'
import { type AddCommand, commandRunner } from './resource/write/commands.ts'
import { permissionsOf, RESOURCES } from './resources/catalogue.ts'
import { hasBrands } from './setup/links.ts'
import { batchPerTick } from './storage/batch-per-tick.ts'
import { webhooks } from './webhooks/webhooks.ts'

const MAX_RECORDED_PER_TICK = 250 // what one tick of the event loop has time for

/** How this instance of the service runs. */
interface AppOptions {
  lifecycle?: Lifecycle
  /** The demo's credentials are known to everybody, so pages may use them. */
  demo?: boolean
  /** The resources it serves; all by default. */
  resources?: readonly Resource[]
  /** The event loop's delay past which requests are refused; a test shares its process with the service and is less strict. */
  lateMs?: number
  /** Disconnects a reader of an event stream that reads nothing for this long. */
  stallMs?: number
  /** Whether webhooks are sent from here (W24). */
  sends?: boolean
  /** Whether printers are served from here (R14). */
  prints?: boolean
  /** Whether books are checked, and copies made, from here. */
  checks?: boolean
  /** HTTPS for the local network. */
  lan?: Lan | undefined
  /** More rules for every authenticated call, as hooks of its scope. */
  authenticated?: (scope: FastifyInstance) => void
}

/** The service: every rule and resource, registered in the contract's order. */
export function buildApp(deps: Deps, options: AppOptions = {}): FastifyInstance {
  const { lifecycle = { draining: false }, demo = false, resources = RESOURCES } = options
  const { sends = false, prints = false } = options
  const { config } = deps
  const base = config.COMPTOIR_BASE_PATH
  const limit = limits(deps.windows)
  const refusals = refusing(deps)
  const records = recording(deps)
  const shed = loadShedder({ onClientGone: records.add, lateMs: options.lateMs })
  const app = newFastify(deps, options)
  limitConnections(app.server)
  batchArrivals(app, deps.db)
  app.decorateRequest('call')
  app.setErrorHandler(refusals.send)
  app.setNotFoundHandler(() => {
    throw notFound()
  })

  app.addHook('onRoute', requireEvents)
  app.addHook('onRoute', refuseReadRightForWrite)
  const methodsOf = knownMethods(app)
  const rules = rulesOf(deps, limit, shed, methodsOf)
  app.addHook('onRequest', (request, reply, done) => {
    request.call = new Call(request.routeOptions)
    reply.header('x-request-id', request.id)
    if (lifecycle.draining) reply.header('connection', 'close')
    done()
  })
  enforceDeadlines(app, deps.db)
  app.addHook('onRequest', refusals.hook(rules.everyRequest))
  app.addHook('onSend', countBeforeSending(limit, refusals.onError))
  app.addHook('onResponse', ({ raw }, reply, done) => {
    shed.release(reply)
    records.add(reply)
    endBody(raw)
    done()
  })
  const waits = waitingRooms(deps, rules.again)
  const stopTimed = timedWork(deps)
  lifecycle.onDraining = waits.end
  app.addHook('preClose', async () => {
    waits.end()
    waits.unfollow()
    stopTimed()
    lifecycle.draining = true // Fastify knows how to answer while it closes
  })
  app.addHook('onClose', async () => shed.close())

  const isReady = health(app, lifecycle, { database: () => deps.db.ping() })
  const beforeRead = preparedReads(deps, resources)
  const events = feedRoutes(deps, { lifecycle, resources, beforeRead, room: waits.room, rules, shed, records })
  const command = commandRunner({ ...deps, journal })
  const objectsOf = currentObjects(deps.db, resources, beforeRead)
  const brand = demo ? DEMO.brand : undefined
  const tlsFiles = readTls(config)
  const hooks = webhooks({ ...deps, command, objectsOf, release: shed.release, demo: brand, sends })
  app.addHook('onClose', hooks.close)
  const menu = menus({ ...deps, command })
  const targets = printTargets({ config, demo: brand, ownPorts: () => portsOf(app) })
  const printing = prints ? startPrinting({ ...deps, targets, metrics: deps.metrics.printing }) : undefined
  app.addHook('onClose', async () => printing?.close())
  lifecycle.senders = Promise.all([hooks.started, printing?.started])
  const checker = options.checks ? booksChecker(deps) : undefined
  const backups = configuredBackups(config, backupsTold(deps))
  if (options.checks) backups?.start()
  app.addHook('onClose', async () => {
    await checker?.close()
    await backups?.close()
  })
  records.recordCall = backOffice(app, deps, methodsOf, resources, {
    command,
    events: events(false),
    webhooks: (scope) => hooks.routes(scope, true),
    menu(scope) {
      menu.routes(scope)
      menu.staffRoutes(scope)
    },
    refuseSaved: { printers: refusePrinter(targets) },
    backups,
    live: { ...waits.live, release: shed.release, stallMs: options.stallMs },
    connection: () => options.lan && connectionOf(config, options.lan),
    certificate: () => options.lan?.tls().cert ?? tlsFiles?.cert,
  })
  const people = demo ? { ...DEMO_PEOPLE, brand: DEMO.brand } : undefined
  serveHomePage(app, { base, demo: people, isReady, isOpened: () => hasBrands(deps.db) })
  menu.media(app)
  serveDescription(app, base, examples, eventWebhooks(), [EventData])
  serveReferencePage(app, demo ? demoTokens(app, base, deps) : undefined)
  const more = (scope: FastifyInstance) => {
    events(true)(scope)
    hooks.routes(scope, false)
    menu.routes(scope)
  }
  const added = { addRules: options.authenticated, more }
  const api = integrationApi({ ...deps, command }, refusals.hook, rules, methodsOf, resources, added)
  app.register(api, { prefix: base })
  return app
}

const newFastify = ({ config, now }: Deps, { lan }: AppOptions): FastifyInstance =>
  Fastify({
    ...edgeOptions(config, lan?.tls()),
    logger: false, // a line for each answer is written below; a logger for each request would cost it a microsecond
    genReqId: newRequestId, // ours; a well-formed one of the client's is logged beside it (D1.3)
    exposeHeadRoutes: false,
    logController: new LogController({ disableRequestLogging: true }), // nor are lines made for one that is not there
    routerOptions: {
      maxParamLength: 8_192, // D3.1: a long id is a malformed one, not an unknown path
    },
    bodyLimit: BODY_LIMIT,
    rewriteUrl: rewriteUrl(config.COMPTOIR_BASE_PATH, config.COMPTOIR_COMPAT_PATH),
    schemaController: {
      compilersFactory: {
        buildValidator: () => validatorCompiler(now) as never, // without these, Fastify loads compilers of its own
        buildSerializer: () => () => JSON.stringify, // response schemas document; what is stored ready is sent as it is
      },
    },
  })

const portsOf = ({ server }: FastifyInstance): number[] => {
  const address = server.address()
  return typeof address === 'object' && address ? [address.port] : []
}

/** How errors and refusals are answered. */
function refusing({ config, log }: Deps) {
  const authPath = `${config.COMPTOIR_BASE_PATH}/auth`

  function onError(error: unknown, request: FastifyRequest): Refusal {
    const refusal = refusalFor(error, request.id, request.routeOptions.bodyLimit ?? BODY_LIMIT)
    request.call.refused = refusal.name
    if (refusal.status >= 500) log.error({ request_id: request.id, error: loggedError(error) }, 'failed')
    return refusal
  }

  function send(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const refusal = onError(error, request)
    const { url } = request
    const onAuth = url.startsWith(authPath) && url.split('?', 1)[0] === authPath
    return reply
      .status(refusal.status)
      .headers(refusal.headers)
      .send(asJson(reply, onAuth ? JSON.stringify(authErrorBody(refusal)) : refusal.text))
  }

  const hook = (rule: Rule) => asHook(rule, (request, reply, refusal) => void send(refusal, request, reply))
  return { onError, send, hook }
}

/** §8: a failure is counted before its answer is sent, with the headers of the limits. */
function countBeforeSending(
  limit: ReturnType<typeof limits>,
  onError: (error: unknown, request: FastifyRequest) => void,
): onSendHookHandler {
  function streamed(request: FastifyRequest, body: Readable): Readable {
    if (isHead(request)) {
      body.destroy() // nobody would read what it has yet to read
      return Readable.from([])
    }
    return body.once('error', (error) => onError(error, request)) // logs it; the connection is cut
  }

  return (request, reply, payload, done) => {
    const { call } = request
    if (call.isAnswering) return // while a count is pending, a deadline and a handler may both respond: the first one wins
    const body = payload instanceof Readable ? streamed(request, payload) : payload
    const counted = limit.countFailureAndSetHeaders(request, reply, body)
    if (!(counted instanceof Promise)) return done(null, counted)
    call.isAnswering = true
    counted
      .finally(() => {
        call.isAnswering = false
      })
      .then((sent) => done(null, sent), done)
  }
}

/** Metrics, log and request log of requests that were answered, or whose clients have disconnected: many in one tick. */
function recording({ log, metrics }: Deps) {
  const logAnswer = answerLog(log)
  const finished = batchPerTick<FastifyReply>(MAX_RECORDED_PER_TICK, (replies) => replies.forEach(record))
  const records = { add: finished.add, recordCall: (_request: FastifyRequest, _reply: FastifyReply): void => {} }

  function record(reply: FastifyReply): void {
    const { request } = reply
    try {
      metrics.answered(request.method, request.call.pattern, reply.statusCode, reply.elapsedTime / 1000)
      logAnswer(request, reply)
      records.recordCall(request, reply)
    } catch (error) {
      log.error({ request_id: request.id, error: loggedError(error) }, 'a response could not be recorded')
    }
  }
  return records
}

/** Where readers of the feed wait for news, and streams of the back office. */
function waitingRooms({ db, log, metrics, news }: Deps, recheck: Rule) {
  const failed = (error: unknown) => log.warn({ error: loggedError(error) }, 'the feed could not be asked for news')
  const room = waitingRoom({ db, recheck, failed, waiting: metrics.feed.waiting })
  const liveRoom = waitingRoom({
    db,
    recheck: () => undefined, // a stream asks by itself
    failed,
    waiting: () => {},
    maxOfPair: MAX_WAITING, // streams have limits of their own
  })
  const stops = [room, liveRoom].map(({ notify }) => news.on(notify))
  const leaving: (() => void)[] = [room.close, liveRoom.close]
  return {
    room,
    live: {
      room: liveRoom,
      onLeaving: (end: () => void) => void leaving.push(end),
      failed: (error: unknown) => log.warn({ error: loggedError(error) }, 'streams could not be checked'),
    },
    end() {
      for (const end of leaving) end()
    },
    unfollow() {
      for (const stop of stops) stop()
    },
  }
}

/** What is done when its time has come, not when somebody asks. Returns how to stop it. */
function timedWork({ db, activity, now, log, config }: Deps): () => void {
  const failed = (text: string) => (error: unknown) => log.warn({ error: loggedError(error) }, text)
  const stops = [
    keepTrimmed({ db, days: config.COMPTOIR_EVENTS_DAYS, now, failed: failed('old events could not be removed') }),
    keepOrdersInTime({ db, now, failed: failed('an order whose time has come could not be changed') }),
    keepForgetting({ db, activity, now, failed: failed('what is to be forgotten could not be removed') }),
    keepMenusInTime({ db, now, failed: failed('a stop-list entry could not be ended, or a picture removed') }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

const backupsTold = ({ db, now, log }: Deps) => ({
  db,
  now,
  made: (copy: Copy) => log.info({ ...copy }, 'a backup was made'),
  failed: (error: unknown) => log.error({ error: loggedError(error) }, 'no backup could be made'),
})

interface FeedParts {
  readonly lifecycle: Lifecycle
  readonly resources: readonly Resource[]
  readonly beforeRead: ReturnType<typeof preparedReads>
  readonly room: ReturnType<typeof waitingRoom>
  readonly rules: ReturnType<typeof rulesOf>
  readonly shed: ReturnType<typeof loadShedder>
  readonly records: ReturnType<typeof recording>
}

/** Routes of the feed, for integrators, who may wait (E7), and for staff. */
const feedRoutes =
  ({ db, log, metrics, config }: Deps, { lifecycle, rules, shed, records, ...parts }: FeedParts) =>
  (mayWait: boolean) =>
  (scope: FastifyInstance) =>
    eventRoutes(scope, {
      ...parts,
      db,
      log,
      metrics: metrics.feed,
      keptDays: config.COMPTOIR_EVENTS_DAYS,
      isDraining: () => lifecycle.draining,
      mayWait,
      recheck: rules.again,
      release: shed.release,
      clientGone: (reply) => records.add(reply.status(CLIENT_LEFT)),
    })

/** What must be done before rows of a kind are read. */
const preparedReads = (deps: Deps, resources: readonly Resource[]) =>
  new Map(
    resources.flatMap(({ kind, name }) => {
      const prepare = beforeReadOf(deps, EXTENSIONS[name.many])
      return prepare ? [[kind, prepare] as const] : []
    }),
  )

/** The demo's token for the reference page; shared by everybody who opens it on this machine, as long as it is valid. */
function demoTokens(
  app: FastifyInstance,
  base: string,
  { config, now }: Deps,
): (request: FastifyRequest) => Promise<string | undefined> {
  let held = { token: undefined as string | undefined, until: 0 }
  return async (request) => {
    if (!isLocal(config, request)) return undefined // as at POST /auth
    if (now() < held.until) return held.token
    const answer = await app.inject({ method: 'POST', url: `${base}/auth`, payload: DEMO })
    const { token, expires_at = 0 } = answer.json() as { token?: string; expires_at?: number }
    held = { token, until: expires_at * 1000 - 60_000 }
    return token
  }
}

/** The rules, by the kind of request that they apply to. Their order is the contract's (D5.1, D5.5). */
function rulesOf(
  deps: Deps,
  limit: ReturnType<typeof limits>,
  shed: ReturnType<typeof loadShedder>,
  methodsOf: KnownMethods,
) {
  const base = `${deps.config.COMPTOIR_BASE_PATH}/`
  return {
    everyRequest: sequence(identifyClient(deps.config, deps), (request, reply) => {
      if (request.url.startsWith(base)) return undefined // tier 2 comes first there
      if (request.is404) return unknownAddress(methodsOf, request.url) // before its body is read
      // Health checks are answered under load too: removing a busy process would only load the others more.
      const { url } = request
      if (url.startsWith('/health/')) return undefined
      const isPageFile = url.startsWith('/back-office') && !url.startsWith('/back-office/api/')
      return isPageFile ? shed.admitStaticFile(request, reply) : shed.admitOutsideApi(request, reply)
    }),
    signIns: sequence(limit.signIns, shed.admit, refuseUnknownQuery), // §8 tier 1
    beforeAuth: sequence(limit.failures, shed.admit), // §8 tier 2, before the token is looked at
    authenticated: sequence(
      authenticate(deps), // §5.4
      limit.calls, // §8 tier 3
      enterVenue, // §5.2
      authorize, // §1
      refuseUnknownQuery, // D2.2
    ),
    /** Rechecks whether a call that has waited (E7) is still allowed. */
    again: sequence(authenticate(deps), enterVenue, authorize),
  }
}

/** Everything under the base path. */
function integrationApi(
  deps: Deps & { command: AddCommand },
  hook: (rule: Rule) => onRequestHookHandler,
  rules: ReturnType<typeof rulesOf>,
  methodsOf: KnownMethods,
  resources: readonly Resource[],
  { addRules = () => {}, more }: { addRules: AppOptions['authenticated']; more: (scope: FastifyInstance) => void },
) {
  return async (api: FastifyInstance) => {
    if (deps.config.COMPTOIR_COMPAT_PATH !== undefined) translateCalls(api, deps)
    api.register(async (signIn) => {
      signIn.addHook('onRequest', hook(rules.signIns))
      readJsonBodies(signIn, ignoreMalformedJson)
      signInRoute(signIn, deps)
    })

    api.register(async (open) => {
      const onlyKnown: Rule = ({ is404, url }) => (is404 ? unknownAddress(methodsOf, url) : undefined)
      // A wrong path or method is refused without looking at the token or the body.
      open.addHook('onRequest', hook(sequence(rules.beforeAuth, onlyKnown)))
      open.setNotFoundHandler(() => {
        throw notFound()
      })

      open.register(async (authenticated) => {
        authenticated.addHook('onRoute', requirePermission)
        authenticated.addHook('onRequest', hook(rules.authenticated))
        addRules(authenticated)
        readJsonBodies(authenticated)
        authenticated.register(whoami, { ...deps, permissions: permissionsOf(resources) })
        for (const resource of resources)
          authenticated.register(async (scope) => serveResource(scope, resource, deps, EXTENSIONS[resource.name.many]))
        authenticated.register(async (scope) => more(scope))
      })
    })
  }
}
