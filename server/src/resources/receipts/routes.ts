import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { ErrorBody, OneTimed, oneTimed, sendJson } from '../../http/envelope.ts'
import { noSuchRecord } from '../../http/errors.ts'
import type { Database } from '../../storage/database.ts'
import { PathId } from '../values.ts'
import { findReceipt } from './queries.ts'
import { Receipt } from './schema.ts'

export const receipts: FastifyPluginAsyncTypebox<{ db: Database; now: () => number }> = async (app, { db, now }) => {
  app.get(
    '/receipts/:id',
    {
      config: { permission: 'receipts:read' },
      schema: {
        operationId: 'getReceipt',
        summary: 'Read one receipt',
        description: 'Of the active venue.',
        tags: ['Receipts'],
        params: Type.Object({ id: PathId() }),
        response: { 200: OneTimed(Receipt), 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ call: { caller }, params }, reply) => {
      const receipt = await findReceipt(db, caller, params.id)
      if (receipt === undefined) throw noSuchRecord()
      return sendJson(reply, oneTimed(reply, receipt, 'Receipt found.', now()))
    },
  )
}
