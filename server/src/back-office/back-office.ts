import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { enterVenue } from '../auth/authenticate.ts'
import { authorize } from '../auth/permissions.ts'
import { Rejected } from '../directory/registry.ts'
import { readJsonBodies } from '../http/body.ts'
import { rejected } from '../http/errors.ts'
import type { KnownMethods } from '../http/methods.ts'
import { asHook, sequence } from '../http/rules.ts'
import { validatorCompiler } from '../http/validate.ts'
import { credentialLastUsed } from '../observe/credential-last-used.ts'
import { requestLog } from '../observe/request-log.ts'
import type { Resource } from '../resource/resource.ts'
import { activityRoutes, operatorActivityRoutes } from './activity/routes.ts'
import { brandRoutes } from './brand-routes.ts'
import { booksRoutes } from './data/books-routes.ts'
import { editRoutes } from './data/edit-routes.ts'
import { dataRoutes } from './data/routes.ts'
import { stopListRoutes } from './data/stop-list-routes.ts'
import type { BackOfficeDeps, ServiceDeps } from './deps.ts'
import { deviceRoutes, deviceStaffRoutes } from './devices/routes.ts'
import { actAsStaff, fromOurPages, identify, isOperator, isSecure, isStaff, mayManageAddons, PERSON } from './guard.ts'
import { menuEditorRoutes } from './menu/routes.ts'
import { backupRoutes } from './operator/backup-routes.ts'
import { operatorRoutes } from './operator/routes.ts'
import { heartbeat } from './operator/workers.ts'
import { pages } from './pages.ts'
import { sessionRoutes } from './people/session-routes.ts'
import { signIn } from './people/sign-in.ts'
import { signInRoutes } from './people/sign-in-routes.ts'
import { staffRoutes } from './people/staff-routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { limitCalls, limitSearches } from './searches.ts'
import { setupRoutes } from './setup-routes.ts'
import { readRoutes } from './till/read-routes.ts'
import { tillRoutes } from './till/routes.ts'
import { todayRoutes } from './today/routes.ts'
import { backOfficeValidator } from './validate.ts'
import { verification } from './verification.ts'

// Nothing but our own files: no inline script or style, no frame, no other origin, and no text that becomes markup.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types comptoir-worker', // lets the pages register the service worker
].join('; ')

/** The pages at /back-office and their API (D1.1). Returns a function to call after every request, so that the pages can show it. */
export function backOffice(
  app: FastifyInstance,
  service: ServiceDeps,
  methodsOf: KnownMethods,
  resources: readonly Resource[],
  {
    command,
    events,
    webhooks,
    menu,
    live,
    refuseSaved,
    connection,
    certificate,
    backups,
  }: Pick<
    BackOfficeDeps,
    'command' | 'events' | 'webhooks' | 'menu' | 'live' | 'refuseSaved' | 'connection' | 'certificate' | 'backups'
  >,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const { config, db, activity, directory, keys, log, metrics, now } = service
  // The change is committed whether or not this succeeds; the directory's own watch tries again within a second.
  const followChange = () =>
    directory
      .refresh()
      .catch((error) => log.warn({ err: error }, 'a change is not followed yet: the directory cannot be read'))
  const [searches, figures] = [limitSearches(), limitSearches()]
  const verify = verification(db, keys, now)
  const deps = {
    ...service,
    command,
    resources,
    events,
    webhooks,
    menu,
    live,
    refuseSaved,
    connection,
    certificate,
    backups,
    signIn: signIn(service),
    verify,
    followChange,
    searches,
    figures,
  }
  const uses = credentialLastUsed(db, log, now)

  const calls = requestLog({
    activity,
    log,
    now,
    dropped: metrics.linesDropped,
    retention: { days: config.COMPTOIR_ACTIVITY_DAYS, rows: config.COMPTOIR_ACTIVITY_ROWS },
  })
  app.addHook('onClose', async () => {
    await Promise.all([uses.write(), calls.flushAndStop()])
  })
  heartbeat(app, db, log, now)

  const headers = {
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    // With COMPTOIR_LAN a name would be bound to HTTPS on every port, and its page Connect a device be gone.
    ...(isSecure(config) && !config.COMPTOIR_LAN && { 'strict-transport-security': 'max-age=31536000' }),
  }
  app.register(
    async (office) => {
      office.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
      pages(office, methodsOf)
      office.register(
        async (api) => {
          api.setValidatorCompiler(backOfficeValidator(now))
          api.setErrorHandler((error) => {
            throw error instanceof Rejected ? rejected(`${error.message}.`) : error
          })
          api.addHook('onRequest', fromOurPages(config))
          readJsonBodies(api)
          api.register(signInRoutes, deps)
          api.register(deviceRoutes, deps)
          api.register(setupRoutes, { ...deps, prefix: '/setup' })
          api.register(signedIn, deps)
        },
        { prefix: '/api' },
      )
    },
    { prefix: '/back-office' },
  )

  return (request, reply) => {
    const { tiers, caller } = request.call
    if (!tiers) return // only calls of the integration API pass a tier of §8
    if (config.COMPTOIR_ACTIVITY_ROWS > 0) calls.note(request, reply, tiers)
    if (caller) uses.note(caller)
  }
}

// A route is registered in the scope of those who may call it, and the scope has the guard: no route can forget its own.

const signedIn: FastifyPluginAsync<BackOfficeDeps> = async (scope, deps) => {
  scope.decorateRequest(PERSON)
  scope.addHook('onRequest', identify(deps))
  scope.addHook('onRequest', limitCalls(deps.windows))
  for (const { end } of [deps.searches, deps.figures]) scope.addHook('onSend', end)
  scope.register(sessionRoutes, deps)
  scope.register(staff, deps)
  scope.register(addonManagers, deps)
  scope.register(operator, deps)
}

/** Each list and each form has a permission of its own. */
const staff: FastifyPluginAsync<BackOfficeDeps> = async (scope, deps) => {
  scope.addHook('onRequest', isStaff)
  scope.register(dataRoutes, { ...deps, prefix: '/data' })
  scope.register(staffRoutes, { ...deps, prefix: '/people' })
  scope.register(deviceStaffRoutes, deps)
  scope.register(tillRoutes, deps)
  scope.register(readRoutes, { ...deps, prefix: '/read' })
  scope.register(reportRoutes, { ...deps, prefix: '/reports' })
  scope.register(editRoutes, { ...deps, prefix: '/edit' })
  scope.register(stopListRoutes, { ...deps, prefix: '/stop-list' })
  scope.register(booksRoutes, { ...deps, prefix: '/books' })
  scope.register(todayRoutes, { ...deps, prefix: '/today' })
  scope.register(feedRoutes, deps)
  scope.register(menuRoutes, deps)
  scope.register(menuEditorRoutes, deps)
}

/** The change feed and webhooks, as the staff user may see them. */
const feedRoutes: FastifyPluginAsync<BackOfficeDeps> = async (scope, { events, webhooks, now }) => {
  scope.setValidatorCompiler(validatorCompiler(now)) // queries are read by the routes
  scope.addHook('onRequest', asHook(sequence(actAsStaff, authorize)))
  events(scope)
  webhooks(scope)
}

/** The menu of the venue of x-venue, as guests pay it. */
const menuRoutes: FastifyPluginAsync<BackOfficeDeps> = async (scope, { menu, now }) => {
  scope.setValidatorCompiler(validatorCompiler(now)) // queries are read by the routes
  scope.addHook('onRequest', asHook(sequence(actAsStaff, enterVenue, authorize)))
  menu(scope)
}

const addonManagers: FastifyPluginAsync<BackOfficeDeps> = async (scope, deps) => {
  scope.addHook('onRequest', mayManageAddons)
  scope.register(brandRoutes, deps)
  scope.register(activityRoutes, { ...deps, prefix: '/activity' })
}

const operator: FastifyPluginAsync<BackOfficeDeps> = async (scope, deps) => {
  scope.addHook('onRequest', isOperator)
  scope.register(operatorRoutes, { ...deps, prefix: '/operator' })
  scope.register(backupRoutes, { ...deps, prefix: '/operator/backups' })
  scope.register(operatorActivityRoutes, { ...deps, prefix: '/operator/activity' })
}
