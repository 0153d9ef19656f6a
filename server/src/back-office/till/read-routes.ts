import type { FastifyPluginAsync } from 'fastify'
import { enterVenue } from '../../auth/authenticate.ts'
import { authorize } from '../../auth/permissions.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { validatorCompiler } from '../../http/validate.ts'
import { EXTENSIONS } from '../../pos/extensions.ts'
import { serveReads } from '../../resource/serve.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff } from '../guard.ts'

/** What the till and the kitchen show: the lists and rows of the API, in the venue of `x-venue`, each with the staff user's own right to it. */
export const readRoutes: FastifyPluginAsync<BackOfficeDeps> = async (app, { db, now, resources }) => {
  app.setValidatorCompiler(validatorCompiler(now)) // the list language is read by the list
  app.addHook('onRequest', asHook(sequence(actAsStaff, enterVenue, authorize)))
  for (const resource of resources)
    app.register(async (scope) => serveReads(scope, resource, { db, now }, EXTENSIONS[resource.name.many]))
}
