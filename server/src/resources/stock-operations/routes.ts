import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { ErrorBody, One, one, sendJson } from '../../http/envelope.ts'
import { noSuchRecord } from '../../http/errors.ts'
import type { Database } from '../../storage/database.ts'
import { PathId } from '../values.ts'
import { findStockOperation } from './queries.ts'
import { StockOperation } from './schema.ts'

export const stockOperations: FastifyPluginAsyncTypebox<{ db: Database }> = async (app, { db }) => {
  app.get(
    '/stock-operations/:id',
    {
      config: { permission: 'stock-operations:read' },
      schema: {
        operationId: 'getStockOperation',
        summary: 'Read one stock movement',
        description: 'Of the active venue.',
        tags: ['Inventory'],
        params: Type.Object({ id: PathId() }),
        response: { 200: One(StockOperation), 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ call: { caller }, params }, reply) => {
      const operation = await findStockOperation(db, caller, params.id)
      if (operation === undefined) throw noSuchRecord()
      return sendJson(reply, one(operation))
    },
  )
}
