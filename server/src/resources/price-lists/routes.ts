import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ErrorBody, Many, sendPage } from '../../http/envelope.ts'
import { listQuery, parseList, queryOf } from '../../http/list.ts'
import type { Database } from '../../storage/database.ts'
import { listPriceLists, priceListList } from './queries.ts'
import { PriceList } from './schema.ts'

export const priceLists: FastifyPluginAsyncTypebox<{ db: Database }> = async (app, { db }) => {
  app.get(
    '/price-lists',
    {
      config: { permission: 'price-lists:read' },
      schema: {
        operationId: 'listPriceLists',
        summary: 'List price lists',
        description:
          'Named sets of product prices. Their entries come with include=prices: of several lists at most 20,000 together, of one ' +
          'list all of them (limit=1).',
        tags: ['Price Lists'],
        querystring: listQuery(priceListList),
        response: { 200: Many(PriceList), 400: ErrorBody },
      },
    },
    async ({ call: { caller }, url }, reply) => {
      const list = parseList(priceListList, queryOf(url))
      return sendPage(reply, list, await listPriceLists(db, caller, list))
    },
  )
}
