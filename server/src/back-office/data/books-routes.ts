import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { authorize } from '../../auth/permissions.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { findLastAudit } from '../../pos/books/last-audit.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff } from '../guard.ts'
import { Books } from '../schema.ts'

/** What the last `comptoir audit books` found. It is of the whole brand, so its rows are named only to those who may enter every venue (P4). */
export const booksRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, { db }) => {
  app.addHook('onRequest', asHook(sequence(actAsStaff, authorize)))
  app.get(
    '/',
    { config: { permission: 'finance-balances:read' }, schema: { response: { 200: Books } } },
    async (request) => {
      const { brand_id, user } = request.call.caller
      const audit = await findLastAudit(db, brand_id)
      if (!audit) return { audit: null }
      const { findings, checked, ...rest } = audit
      const found = Map.groupBy(findings, ({ invariant }) => invariant)
      const seesAll = user.venues === undefined
      return {
        audit: {
          ...rest,
          invariants: checked.map((invariant) => {
            const own = found.get(invariant) ?? []
            const shown = seesAll ? own.map(({ subject, problem }) => ({ subject, problem })) : []
            return { invariant, found: own.length, findings: shown }
          }),
        },
      }
    },
  )
}
