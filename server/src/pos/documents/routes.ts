import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { All, all, asJson, ErrorBody, OneWritten } from '../../http/envelope.ts'
import { IdempotencyHeaders } from '../../resources/idempotency.ts'
import { operationItems } from '../../resources/operation-items.ts'
import { DRAFT, Operation, operations, PUBLISHED } from '../../resources/operations.ts'
import type { Extension } from '../../resources/serve.ts'
import { Decimal, PathId } from '../../resources/values.ts'
import { serveOwned, serveSums } from '../../resources/views.ts'
import type { Database } from '../../storage/database.ts'
import { fromScaled } from '../../values/values.ts'
import { recipesOf } from '../menu.ts'
import { refuse } from '../receipts/line.ts'
import { type CommandRoute, commandRoutes } from '../run.ts'
import {
  type DocumentChange,
  DocumentChange as DocumentChangeBody,
  NewDocument,
  PRODUCTION,
  TRANSFER,
} from './asked.ts'
import { changeDocument, createDocument, deleteDocument } from './commands.ts'
import { publishDocument, reverseDocument } from './publish.ts'

/** What billing a supplier publishes. */
const SUPPLIER_EVENTS = ['supplier.updated', 'finance_category.created'] as const

const Document = Type.Object({ id: PathId() })

/** The documents' routes, for integrators and, under the back office, for staff: the same commands (P7). */
export function documentRoutes(
  app: FastifyInstance,
  { db, now }: { db: Database; now: () => number },
  { described: isDescribed }: { described: boolean },
): void {
  const add = commandRoutes(app, { db, now })
  // Where nothing is described, a schema is only what a request is read by.
  const route = (given: CommandRoute) => {
    const { params, body } = given.schema
    add(isDescribed ? given : { ...given, schema: { ...(params ? { params } : {}), ...(body ? { body } : {}) } })
  }
  const common = { permission: 'operations:write' }
  const described = (
    operationId: string,
    summary: string,
    description: string,
    refused = [400, 403, 404, 409, 422],
  ) => ({
    operationId,
    summary,
    description,
    tags: ['Inventory'],
    headers: IdempotencyHeaders,
    response: {
      200: OneWritten(Operation),
      ...Object.fromEntries(refused.map((status) => [status, ErrorBody])),
    },
  })
  route({
    ...common,
    method: 'POST',
    url: '/operations',
    events: ['operation.created'],
    message: 'Document created.',
    schema: {
      ...described(
        'createOperation',
        'Write a stock document',
        'A draft in the active venue: nothing moves yet.',
        [400, 403, 422],
      ),
      body: NewDocument,
    },
    ids: ({ body }) => ({ operation_id: 1, operation_item_id: (body as NewDocument).items.length }),
    command: (context, { body }) => createDocument(context, body as NewDocument),
  })
  route({
    ...common,
    method: 'PATCH',
    url: '/operations/:id',
    events: ['operation.updated'],
    message: 'Document changed.',
    schema: {
      ...described('changeOperation', 'Change a draft', 'What is sent replaces what was there; items as a whole.'),
      params: Document,
      body: DocumentChangeBody,
    },
    ids: ({ body }) => ({ operation_item_id: (body as DocumentChange).items?.length ?? 0 }),
    command: (context, request) => changeDocument(context, idOf(request), request.body as DocumentChange),
  })
  route({
    ...common,
    method: 'DELETE',
    url: '/operations/:id',
    events: ['operation.deleted'],
    message: 'Draft deleted.',
    schema: {
      ...described('deleteOperation', 'Delete a draft', 'The answer is the draft as it was.'),
      params: Document,
    },
    ids: () => ({}),
    command: (context, request) => deleteDocument(context, withoutBody(request)),
  })
  route({
    ...common,
    method: 'POST',
    url: '/operations/:id/publish',
    events: ['operation.published', 'stock.moved', ...SUPPLIER_EVENTS],
    message: 'Document published.',
    schema: {
      ...described(
        'publishOperation',
        'Publish a draft',
        'Books its movements now, in the order of its items; a supply also raises the supplier’s balance and the average cost.',
      ),
      params: Document,
    },
    ids: async (request) => ({ transaction_id: 1, stock_operation_id: await movementsNeeded(db, request) }),
    command: (context, request) => publishDocument(context, withoutBody(request)),
  })
  route({
    ...common,
    method: 'POST',
    url: '/operations/:id/reverse',
    events: ['operation.published', 'operation.reversed', 'stock.moved', ...SUPPLIER_EVENTS],
    message: 'Document reversed.',
    schema: {
      ...described(
        'reverseOperation',
        'Reverse a published document',
        'By a new document, which is the answer: quantities are as if it had not been. Once.',
      ),
      params: Document,
    },
    ids: async (request) => ({
      operation_id: 1,
      transaction_id: 1,
      operation_item_id: (await readItems(db, request)).length,
      stock_operation_id: await movementsBooked(db, request),
    }),
    command: (context, request) => reverseDocument(context, withoutBody(request)),
  })
}

const idOf = ({ params }: FastifyRequest) => (params as { id: number }).id // as its schema read it

/** Nothing needs to be sent; what is sent must be `{}` (D1.4). */
function withoutBody(request: FastifyRequest): number {
  const { body } = request
  refuse(
    Object.keys(body ?? {}).map((field) => ({ field, rule: 'unknown', message: `${field} is not a known member.` })),
  )
  return idOf(request)
}

const readItems = (db: Database, { call: { caller }, params }: FastifyRequest) =>
  db.rows<{ product_id: number; type: number }>(
    `select product_id, type from operation_items join operations
       on operations.brand_id = operation_items.brand_id and operations.id = operation_id
     where operation_items.brand_id = ? and operation_id = ?`,
    [caller.brand_id, (params as { id: number }).id],
  )

/** How many movements a draft would book as it is now. One that is changed meanwhile runs out of ids, and is tried again. */
async function movementsNeeded(db: Database, request: FastifyRequest): Promise<number> {
  const items = await readItems(db, request)
  const type = items[0]?.type
  if (type === TRANSFER) return 2 * items.length
  if (type !== PRODUCTION) return items.length
  const ids = items.map(({ product_id }) => product_id)
  const recipes = await recipesOf({ tx: db, caller: request.call.caller }, ids)
  return ids.reduce((sum, id) => sum + 1 + (recipes.get(id)?.length ?? 0), 0)
}

async function movementsBooked(db: Database, { call: { caller }, params }: FastifyRequest): Promise<number> {
  const [booked] = await db.rows<{ count: number }>(
    'select count(*) as count from stock_operations where brand_id = ? and operation_id = ? and position > 0',
    [caller.brand_id, (params as { id: number }).id],
  )
  return booked!.count
}

const OperationTotal = Type.Object({ count: Type.Integer(), total_cost: Decimal() }, { $id: 'OperationTotal' })
const OperationItemTotal = Type.Object(
  { count: Type.Integer(), quantity: Decimal(), total_cost: Decimal() },
  { $id: 'OperationItemTotal' },
)
const OperationStatus = Type.Object({ id: Type.Integer(), name: Type.String() }, { $id: 'OperationStatus' })
const STATUSES = [
  { id: DRAFT, name: 'draft' },
  { id: PUBLISHED, name: 'published' },
].map((status) => JSON.stringify(status))

const sum = (column: string) => `cast(coalesce(sum(${column}), 0) as bigint) as ${column}`

/** What documents are besides rows: they are written, summed up, and have items. */
export const documentExtension: Extension = {
  routes(app, deps) {
    documentRoutes(app, deps, { described: true })
    app.get(
      '/operations/statuses',
      {
        config: { permission: operations.permission },
        schema: {
          operationId: 'listOperationStatuses',
          summary: 'List the states of stock documents',
          description: 'All of them, without pages.',
          tags: ['Inventory'],
          response: { 200: All(OperationStatus), 400: ErrorBody },
        },
      },
      async (_, reply) => asJson(reply, all(STATUSES)),
    )
    serveOwned(app, deps, operations, operationItems, {
      path: 'operations/:id/items',
      column: 'operation_id',
      operationId: 'listItemsOfOperation',
      summary: 'List the items of a stock document',
      description: 'What it says of each product.',
    })
    serveSums<{ count: number; total_cost: number }>(
      app,
      deps,
      operations,
      {
        path: 'operations/total',
        operationId: 'getOperationsTotal',
        summary: 'Sum up stock documents',
        description: 'How many there are and what they are worth; with the filters and the date of the list.',
      },
      OperationTotal,
      {
        text: (where) => `select count(*) as count, ${sum('total_cost')} from operations where ${where}`,
        made: ({ count, total_cost }) => ({ count, total_cost: fromScaled(total_cost) }),
      },
    )
  },
}

export const itemExtension: Extension = {
  routes(app, deps) {
    serveSums<{ count: number; quantity: number; total_cost: number }>(
      app,
      deps,
      operationItems,
      {
        path: 'operation-items/total',
        operationId: 'getOperationItemsTotal',
        summary: 'Sum up items of stock documents',
        description: 'With the filters of the list.',
      },
      OperationItemTotal,
      {
        text: (where) =>
          `select count(*) as count, ${sum('quantity')}, ${sum('total_cost')} from operation_items where ${where}`,
        made: ({ count, quantity, total_cost }) => ({
          count,
          quantity: fromScaled(quantity),
          total_cost: fromScaled(total_cost),
        }),
      },
    )
  },
}
