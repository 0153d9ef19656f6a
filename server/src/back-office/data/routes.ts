import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { authorize } from '../../auth/permissions.ts'
import type { Caller } from '../../http/call.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { validatorCompiler } from '../../http/validate.ts'
import { serveList } from '../../resources/serve.ts'
import type { Needs } from '../deps.ts'
import { staffOf } from '../guard.ts'

/**
 * A brand's data as the API serves it, for the staff user's own eyes: each list needs their own permission for it. What the contract
 * does not list, people want to see listed all the same.
 */
export const dataRoutes: FastifyPluginAsync<Needs> = async (app, needs) => {
  const { db, activity, searches, now, resources } = needs
  app.setValidatorCompiler(validatorCompiler(now)) // the list language is read by the list
  app.addHook('onRequest', asHook(sequence(actAsOneself, authorize)))
  app.addHook('onRequest', searches.start)
  for (const resource of resources)
    if (resource.list) serveList(app, resource, { db: resource.api.list ? db : activity, venuesOf: enterable })
}

/** The signed-in staff user stands where an integration's caller would. */
function actAsOneself(request: FastifyRequest): undefined {
  const { brand, user } = staffOf(request)
  const venue_id = [...(user.venues ?? brand.venues)][0] ?? 0
  request.call.caller = { brand_id: brand.id, brand: brand.slug, integrator_id: '', client_id: '', venue_id, user }
  return undefined
}

/** Where the staff user may enter some venues only, they see those. */
const enterable = ({ user }: Caller) => user.venues && [...user.venues]
