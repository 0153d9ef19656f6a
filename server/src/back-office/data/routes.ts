import type { FastifyPluginAsync } from 'fastify'
import { authorize } from '../../auth/permissions.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { validatorCompiler } from '../../http/validate.ts'
import { EXTENSIONS } from '../../pos/extensions.ts'
import { beforeReadOf, enterable, serveList } from '../../resource/serve.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff, staffOf } from '../guard.ts'
import { DataTables } from '../schema.ts'
import { readableTables } from './tables.ts'

/**
 * A brand's data as the API serves it, for the staff user's own eyes: each list needs their own permission for it. What the contract
 * does not list, people want to see listed all the same.
 */
export const dataRoutes: FastifyPluginAsync<BackOfficeDeps> = async (app, deps) => {
  app.get('/', { schema: { response: { 200: DataTables } } }, async (request) => ({
    tables: readableTables(deps.resources, staffOf(request).user.permissions),
  }))
  app.register(lists, { ...deps, prefix: '' }) // the prefix is this scope's already
}

const lists: FastifyPluginAsync<BackOfficeDeps> = async (app, { db, activity, searches, now, resources }) => {
  app.setValidatorCompiler(validatorCompiler(now)) // the list language is read by the list
  app.addHook('onRequest', asHook(sequence(actAsStaff, authorize)))
  app.addHook('onRequest', searches.start)
  for (const resource of resources)
    if (resource.list)
      serveList(app, resource, {
        db: resource.api.list ? db : activity,
        now,
        path: resource.name.many,
        venuesOf: enterable,
        beforeRead: beforeReadOf({ db, now }, EXTENSIONS[resource.name.many]),
      })
}
