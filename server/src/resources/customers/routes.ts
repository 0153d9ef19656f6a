import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ErrorBody, OneTimed, oneTimed } from '../../http/envelope.ts'
import { IdempotencyHeaders, idempotency } from '../../http/idempotency.ts'
import type { Database } from '../../storage/database.ts'
import { insertCustomer, refuseDuplicate } from './queries.ts'
import { Customer, NewCustomer } from './schema.ts'

export const customers: FastifyPluginAsyncTypebox<{ db: Database; now: () => number }> = async (app, { db, now }) => {
  const answerOnce = idempotency({ db, now })

  app.post(
    '/customers',
    {
      config: { permission: 'customers:write' },
      schema: {
        operationId: 'createCustomer',
        summary: 'Create a customer',
        description: 'With contact information and a group; balance and cashback balance begin at 0.',
        tags: ['Customers'],
        headers: IdempotencyHeaders,
        body: NewCustomer,
        response: { 200: OneTimed(Customer), 400: ErrorBody, 409: ErrorBody, 422: ErrorBody },
      },
    },
    async (request, reply) => {
      const {
        call: { caller },
        body,
      } = request
      const at = now()
      return answerOnce(request, reply, caller, async (tx) => {
        const customer = await insertCustomer(tx, caller, body, new Date(at).toISOString())
        return oneTimed(reply, customer, 'Customer created.', at)
      }).catch((error) => refuseDuplicate(db, caller, body, error))
    },
  )
}
