import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ErrorBody, Many, sendPage } from '../../http/envelope.ts'
import { listQuery, parseList, queryOf } from '../../http/list.ts'
import type { Database } from '../../storage/database.ts'
import { readPage } from '../page.ts'
import { productList } from './queries.ts'
import { Product } from './schema.ts'

export const products: FastifyPluginAsyncTypebox<{ db: Database }> = async (app, { db }) => {
  app.get(
    '/products',
    {
      config: { permission: 'products:read' },
      schema: {
        operationId: 'listProducts',
        summary: 'List products',
        description: 'Products of all types, variants included; the filter on type narrows them.',
        tags: ['Products'],
        querystring: listQuery(productList),
        response: { 200: Many(Product), 400: ErrorBody },
      },
    },
    async ({ call: { caller }, url }, reply) => {
      const list = parseList(productList, queryOf(url))
      return sendPage(reply, list, await readPage(db, 'products', caller, list))
    },
  )
}
