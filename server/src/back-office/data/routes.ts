import type { FastifyPluginAsync } from 'fastify'
import { authorize } from '../../auth/permissions.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { validatorCompiler } from '../../http/validate.ts'
import { queryOf } from '../../lists/list.ts'
import { EXTENSIONS } from '../../pos/extensions.ts'
import { beforeReadOf, enterable, ownerOf, serveList, withShared } from '../../resource/serve.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff, staffOf } from '../guard.ts'
import { DataTables } from '../schema.ts'
import { sendCsv } from './csv.ts'
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
  for (const resource of resources) {
    if (!resource.list) continue
    const { name, permission, scope } = resource
    const reader = resource.api.list ? db : activity
    const beforeRead = beforeReadOf({ db, now }, EXTENSIONS[name.many])
    serveList(app, resource, { db: reader, now, path: name.many, venuesOf: enterable, beforeRead })
    const config = { permission, ...(beforeRead && { events: beforeRead.events }) }
    app.get(`/${name.many}.csv`, { config }, async ({ call: { caller }, url }, reply) => {
      await beforeRead?.run(caller)
      return sendCsv(reply, resource, {
        db,
        reader,
        venue_id: caller.venue_id,
        rawQuery: queryOf(url),
        ownerOf: () => {
          const owner = ownerOf(caller, now())
          return scope === 'venue' ? { ...owner, venues: owner.enterable } : withShared(scope, owner)
        },
      })
    })
  }
}
