import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { authorize } from '../../auth/permissions.ts'
import { findTerms } from '../../directory/brand-terms.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { askForCheck, findCheck } from '../../pos/books/running/checks.ts'
import { findLastAudit } from '../../pos/books/running/last-audit.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff } from '../guard.ts'
import { Books } from '../schema.ts'

const PERMISSION = 'finance-balances:read'

/** What the last check of the books found. It is of the whole brand, so its rows are named only to those who may enter every venue (P4). */
export const booksRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, { db, command }) => {
  app.addHook('onRequest', asHook(sequence(actAsStaff, authorize)))
  app.get(
    '/',
    { config: { permission: PERMISSION }, schema: { response: { 200: Books } } },
    async (request): Promise<Books> => {
      const { brand_id, user } = request.call.caller
      const [audit, check, { books_check: nightly }] = await Promise.all([
        findLastAudit(db, brand_id),
        findCheck(db, brand_id),
        findTerms(db, brand_id),
      ])
      if (!audit) return { audit: null, check, nightly }
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
        check,
        nightly,
      }
    },
  )

  /** Everybody who may see the result may ask for it: it changes nothing but what is known. One that runs is not begun again. */
  command(app, {
    method: 'POST',
    url: '/check',
    permission: PERMISSION,
    events: 'none',
    message: 'The books are being checked.',
    async run({ tx, brand_id, now }) {
      await askForCheck(tx, brand_id, now)
      return JSON.stringify(await findCheck(tx, brand_id))
    },
  })
}
