import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Rejected } from '../directory/registry.ts'
import { readJsonBodies } from '../http/body.ts'
import { rejected } from '../http/errors.ts'
import type { KnownMethods } from '../http/methods.ts'
import { credentialLastUsed } from '../observe/credential-last-used.ts'
import { requestLog } from '../observe/request-log.ts'
import type { Resource } from '../resources/define.ts'
import { activityRoutes, operatorActivityRoutes } from './activity/routes.ts'
import { brandRoutes } from './brand-routes.ts'
import { dataRoutes } from './data/routes.ts'
import type { Needs, Stores } from './deps.ts'
import { fromOurPages, identify, isOperator, isSecure, isStaff, mayManageAddons, PERSON } from './guard.ts'
import { operatorRoutes } from './operator/routes.ts'
import { heartbeat } from './operator/workers.ts'
import { pages } from './pages.ts'
import { sessionRoutes } from './people/session-routes.ts'
import { signIn } from './people/sign-in.ts'
import { signInRoutes } from './people/sign-in-routes.ts'
import { limitSearches } from './searches.ts'
import { backOfficeValidator } from './validate.ts'
import { verification } from './verification.ts'

// Nothing but our own files: no inline script or style, no frame, no other origin, and no text that becomes markup.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The pages at /back-office and their API (D1.1). Answers what is to be told of every request that is over, for the pages to show it. */
export function backOffice(
  app: FastifyInstance,
  stores: Stores,
  methodsOf: KnownMethods,
  resources: readonly Resource[],
): (request: FastifyRequest, reply: FastifyReply) => void {
  const { config, db, activity, directory, keys, log, metrics, now } = stores
  // The change is committed whether or not this succeeds; the directory's own watch tries again within a second.
  const followChange = () =>
    directory
      .refresh()
      .catch((error) => log.warn({ err: error }, 'a change is not followed yet: the directory cannot be read'))
  const [searches, figures] = [limitSearches(), limitSearches()]
  const verify = verification(db, keys, now)
  const needs = { ...stores, resources, signIn: signIn(stores), verify, followChange, searches, figures }
  const uses = credentialLastUsed(db, log, now)

  const calls = requestLog({
    ...{ activity, log, now, dropped: metrics.linesDropped },
    keeping: { days: config.COMPTOIR_ACTIVITY_DAYS, rows: config.COMPTOIR_ACTIVITY_ROWS },
  })
  app.addHook('onClose', async () => {
    await Promise.all([uses.write(), calls.settle()])
  })
  heartbeat(app, db, log, now)

  const headers = {
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...(isSecure(config) && { 'strict-transport-security': 'max-age=31536000' }),
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
          api.register(signInRoutes, needs)
          api.register(signedIn, needs)
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

const signedIn: FastifyPluginAsync<Needs> = async (scope, needs) => {
  scope.decorateRequest(PERSON)
  scope.addHook('onRequest', identify(needs))
  for (const { end } of [needs.searches, needs.figures]) scope.addHook('onSend', end)
  scope.register(sessionRoutes, needs)
  scope.register(staff, needs)
  scope.register(addonManagers, needs)
  scope.register(operator, needs)
}

/** Each list has a permission of its own. */
const staff: FastifyPluginAsync<Needs> = async (scope, needs) => {
  scope.addHook('onRequest', isStaff)
  scope.register(dataRoutes, { ...needs, prefix: '/data' })
}

const addonManagers: FastifyPluginAsync<Needs> = async (scope, needs) => {
  scope.addHook('onRequest', mayManageAddons)
  scope.register(brandRoutes, needs)
  scope.register(activityRoutes, { ...needs, prefix: '/activity' })
}

const operator: FastifyPluginAsync<Needs> = async (scope, needs) => {
  scope.addHook('onRequest', isOperator)
  scope.register(operatorRoutes, { ...needs, prefix: '/operator' })
  scope.register(operatorActivityRoutes, { ...needs, prefix: '/operator/activity' })
}
