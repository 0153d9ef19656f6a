import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { readParameters } from '../../events/selection.ts'
import { All, all, asJson, ErrorBody } from '../../http/envelope.ts'
import type { Database } from '../../storage/database.ts'
import { readMenu } from '../snapshot/read.ts'
import { readSaleType } from '../snapshot/routes.ts'
import { menuProblems, PROBLEM_CODES } from './find.ts'

const MenuProblem = Type.Object(
  {
    id: Type.String({ description: 'The thing: category-3, product-12, group-5, modifier-9 or price_list-1' }),
    code: Type.Enum([...PROBLEM_CODES]),
    level: Type.Enum(['error', 'warning'], {
      description: 'error: it cannot be ordered; warning: channels refuse it, or ask',
    }),
    message: Type.String(),
  },
  { $id: 'MenuProblem' },
)

/** Only for the documentation: what is sent is read below. */
const ProblemsQuery = Type.Object({
  sale_type_id: Type.Integer({ minimum: 1, description: 'Active at the venue', example: 1 }),
})

/** GET /menu/problems (M16), for integrators and for our own pages. */
export function problemsRoute(app: FastifyInstance, db: Database): void {
  app.get(
    '/menu/problems',
    {
      config: { permission: 'products:read' },
      schema: {
        operationId: 'listMenuProblems',
        summary: 'List what is wrong with the menu',
        description:
          'What keeps guests from ordering something at the active venue, and what is missing that channels ask for: errors first, ' +
          'at most 1,000, without pages.',
        tags: ['Menu'],
        querystring: ProblemsQuery,
        response: { 200: All(MenuProblem), 400: ErrorBody },
      },
    },
    async ({ call: { caller }, url }, reply) => {
      const sale_type_id = readSaleType(readParameters(url, ['sale_type_id']).get('sale_type_id'))
      const { brand_id, venue_id } = caller
      const rows = await readMenu(db, { brand_id, venue_id, sale_type_id, lang: undefined })
      return asJson(reply, all(menuProblems(rows).map((problem) => JSON.stringify(problem))))
    },
  )
}
