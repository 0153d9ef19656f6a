import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Caller } from '../../http/call.ts'
import { All, all, asJson, ErrorBody } from '../../http/envelope.ts'
import { serveOwned, serveSums } from '../../resource/read/views.ts'
import type { Extension } from '../../resource/serve.ts'
import { Decimal, PathId } from '../../resource/values.ts'
import type { AddCommand } from '../../resource/write/commands.ts'
import { operationItems } from '../../resources/stock/operation-items.ts'
import { Operation, operations } from '../../resources/stock/operations.ts'
import type { Database } from '../../storage/database.ts'
import { DRAFT, PRODUCTION, PUBLISHED, TRANSFER } from '../../values/states.ts'
import { fromScaled } from '../../values/values.ts'
import { recipesOf } from '../menu.ts'
import { changeDocument, createDocument, deleteDocument } from './commands.ts'
import { publishDocument, reverseDocument } from './publish.ts'
import { DocumentChange, NewDocument } from './schema.ts'

/** What billing a supplier publishes. */
const SUPPLIER_EVENTS = ['supplier.updated', 'finance_category.created'] as const

const Document = Type.Object({ id: PathId() })

/** The documents' routes, for integrators and, under the back office, for staff: the same commands (P7). */
export function documentRoutes(
  app: FastifyInstance,
  { command }: { command: AddCommand },
  { described: isDescribed }: { described: boolean },
): void {
  const permission = 'operations:write'
  const described = (
    operationId: string,
    summary: string,
    description: string,
    refusals = [400, 403, 404, 409, 422],
  ) => (isDescribed ? { operationId, summary, description, refusals, tag: 'Inventory', answers: Operation } : undefined)

  command(app, {
    permission,
    method: 'POST',
    url: '/operations',
    events: ['operation.created'],
    body: NewDocument,
    described: described(
      'createOperation',
      'Write a stock document',
      'A draft in the active venue: nothing moves yet.',
      [400, 403, 422],
    ),
    message: 'Document created.',
    ids: ({ body }) => ({ operation_id: 1, operation_item_id: body.items.length }),
    run: (context, { body }) => createDocument(context, body),
  })
  command(app, {
    permission,
    method: 'PATCH',
    url: '/operations/:id',
    events: ['operation.updated'],
    params: Document,
    body: DocumentChange,
    described: described(
      'changeOperation',
      'Change a draft',
      'What is sent replaces what was there; items as a whole.',
    ),
    message: 'Document changed.',
    ids: ({ body }) => ({ operation_item_id: body.items?.length ?? 0 }),
    run: (context, { params, body }) => changeDocument(context, params.id, body),
  })
  command(app, {
    permission,
    method: 'DELETE',
    url: '/operations/:id',
    events: ['operation.deleted'],
    params: Document,
    described: described('deleteOperation', 'Delete a draft', 'The answer is the draft as it was.'),
    message: 'Draft deleted.',
    run: (context, { params }) => deleteDocument(context, params.id),
  })
  command(app, {
    permission,
    method: 'POST',
    url: '/operations/:id/publish',
    events: ['operation.published', 'stock.moved', ...SUPPLIER_EVENTS],
    params: Document,
    described: described(
      'publishOperation',
      'Publish a draft',
      'Books its movements now, in the order of its items; a supply also raises the supplier’s balance and the average cost.',
    ),
    message: 'Document published.',
    ids: async ({ params }, place) => ({
      transaction_id: 1,
      stock_operation_id: await movementsNeeded(place, params.id),
    }),
    run: (context, { params }) => publishDocument(context, params.id),
  })
  command(app, {
    permission,
    method: 'POST',
    url: '/operations/:id/reverse',
    events: ['operation.published', 'operation.reversed', 'stock.moved', ...SUPPLIER_EVENTS],
    params: Document,
    described: described(
      'reverseOperation',
      'Reverse a published document',
      'By a new document, which is the answer: quantities are as if it had not been. Once.',
    ),
    message: 'Document reversed.',
    ids: async ({ params }, place) => ({
      operation_id: 1,
      transaction_id: 1,
      operation_item_id: (await readItems(place, params.id)).length,
      stock_operation_id: await movementsBooked(place, params.id),
    }),
    run: (context, { params }) => reverseDocument(context, params.id),
  })
}

/** Where a document is looked for before the transaction. */
interface Place {
  readonly db: Database
  readonly caller: Caller
}

const readItems = ({ db, caller }: Place, id: number) =>
  db.rows<{ product_id: number; type: number }>(
    `select product_id, type from operation_items join operations
       on operations.brand_id = operation_items.brand_id and operations.id = operation_id
     where operation_items.brand_id = ? and operation_id = ?`,
    [caller.brand_id, id],
  )

/** How many movements a draft would book as it is now. One that is changed meanwhile runs out of ids, and is tried again. */
async function movementsNeeded(place: Place, id: number): Promise<number> {
  const items = await readItems(place, id)
  const type = items[0]?.type
  if (type === TRANSFER) return 2 * items.length
  if (type !== PRODUCTION) return items.length
  const ids = items.map(({ product_id }) => product_id)
  const recipes = await recipesOf({ tx: place.db, caller: place.caller }, ids)
  return ids.reduce((sum, id) => sum + 1 + (recipes.get(id)?.length ?? 0), 0)
}

async function movementsBooked({ db, caller }: Place, id: number): Promise<number> {
  const [booked] = await db.rows<{ count: number }>(
    'select count(*) as count from stock_operations where brand_id = ? and operation_id = ? and position > 0',
    [caller.brand_id, id],
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
