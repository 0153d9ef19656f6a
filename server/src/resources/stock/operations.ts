import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import type { Resource } from '../../resource/resource.ts'
import { DateTime, Decimal, Flag, Id, Maybe, Note, Timestamps } from '../../resource/values.ts'
import { raise } from '../../resource/write/counters.ts'
import type { RowChange, RowEvent } from '../../resource/write/row-events.ts'
import { DOCUMENT_TYPES, type DocumentType, DRAFT, PUBLISHED } from '../../values/states.ts'
import { ITEMS, operationItems, readItems } from './operation-items.ts'
import { storages } from './storages.ts'
import { suppliers } from './suppliers.ts'

const TYPES = Object.keys(DOCUMENT_TYPES).map(Number) as DocumentType[]

export const OperationType = () =>
  Type.Enum(TYPES, { description: TYPES.map((type) => `${type} ${DOCUMENT_TYPES[type].toLowerCase()}`).join(', ') })

export const Description = () => Note(500)

/** S6: a document about stock. */
export const Operation = Type.Object(
  {
    id: Id(),
    venue_id: Id(),
    type: OperationType(),
    type_name: Type.String(),
    status: Type.Enum([DRAFT, PUBLISHED], { description: '2 draft, 1 published' }),
    number: Type.Integer({ minimum: 1, description: 'Counted by venue' }),
    storage_id: Id(),
    to_storage_id: Maybe(Id()),
    supplier_id: Maybe(Id()),
    user_id: Id(),
    items_count: Type.Integer({ minimum: 0 }),
    total_cost: Decimal(),
    document_date: DateTime(),
    published_at: Maybe(DateTime()),
    reverses_id: Maybe(Type.Integer({ minimum: 1, description: 'The document that this one undoes' })),
    description: Maybe(Description()),
    ...Timestamps(),
  },
  { $id: 'Operation' },
)
export type Operation = Static<typeof Operation>

/** As a line of an import. `booked` is only in our own exports: any other published document is history (P22). */
export const OperationRow = Type.Object({
  ...Operation.properties,
  booked: Maybe(Flag('1 if its movements come with it')),
})
export type OperationRow = Static<typeof OperationRow>

export const operations: Resource<OperationRow> = defineResource({
  name: { one: 'operation', many: 'operations' },
  tag: 'Inventory',
  about: 'Stock documents of the active venue, newest first: supplies, transfers, waste, productions, counts.',
  wire: Operation,
  line: OperationRow,
  included: {
    items: { schema: Type.Array(operationItems.item), read: readItems, nested: ITEMS },
    supplier: { schema: suppliers.item, table: 'suppliers', foreignKey: 'supplier_id' },
    storage: { schema: storages.item, table: 'storages', foreignKey: 'storage_id' },
  },
  scope: 'venue',
  columns: {
    id: 'integer',
    venue_id: 'integer',
    type: 'integer',
    status: 'integer',
    number: 'integer',
    storage_id: 'integer',
    to_storage_id: 'integer',
    supplier_id: 'integer',
    user_id: 'integer',
    total_cost: 'decimal',
    document_date: 'instant',
    published_at: 'instant',
    reverses_id: 'integer',
    created_at: 'instant',
    updated_at: 'instant',
  },
  computed: { booked: ({ booked = 0 }) => booked },
  stamped: ['created_at', 'updated_at'],
  references: {
    venue_id: 'venues',
    storage_id: 'storages',
    to_storage_id: 'storages',
    supplier_id: 'suppliers',
    user_id: 'users',
    reverses_id: 'operations',
  },
  list: {
    sortable: ['id', 'number', 'document_date', 'created_at', 'updated_at'],
    date: 'document_date',
    time: 'created_at',
    newestFirst: true,
    shown: { columns: ['id', 'type_name', 'status', 'number', 'items_count', 'total_cost', 'document_date'] },
  },
  api: { list: {}, get: {}, actions: ['write'] },
  events: {
    types: ['operation.created', 'operation.updated', 'operation.deleted', 'operation.published', 'operation.reversed'],
    eventsOf: operationEvents,
  },
  exportText: `case when booked = 1 then substr(body, 1, length(body) - 1) || ',"booked":1}' else body end`,
  // Ids and numbers that are given out go on after those that came in.
  async complete({ tx, brand_id }, lines) {
    await raise(tx, brand_id, 'operation_id', Math.max(...lines.map(({ id }) => id)))
    for (const [venue_id, own] of Map.groupBy(lines, (line) => line.venue_id))
      await raise(tx, brand_id, numberCounter(venue_id), Math.max(...own.map(({ number }) => number)))
    return [...lines]
  },
})

/** The counter of a venue's document numbers. */
export const numberCounter = (venue_id: number) => `operation_number:${venue_id}`

/** E2: a document that is new, or in another state than before, publishes the type of that state. */
export function operationEvents({ before, after, changed }: RowChange<OperationRow>): RowEvent[] {
  if (!after) return [{ type: 'operation.deleted', data: { id: before!.id } }]
  const { id, status } = after
  const published = changed.filter((name) => name !== 'booked')
  if (before?.status === status) return [{ type: 'operation.updated', data: { id, status, changed: published } }]
  const happened = status === PUBLISHED ? 'published' : 'created'
  return [{ type: `operation.${happened}`, data: { id, status, changed: published } }]
}
