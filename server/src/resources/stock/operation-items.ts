import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { type NestedRows, readNested } from '../../resource/read/nested-rows.ts'
import type { Resource } from '../../resource/resource.ts'
import { DateTime, Decimal, Id, Maybe } from '../../resource/values.ts'
import { raise } from '../../resource/write/counters.ts'

/** What a document says of one product. */
export const OperationItem = Type.Object(
  {
    id: Id(),
    venue_id: Id(),
    operation_id: Id(),
    product_id: Id(),
    quantity: Type.Number({ description: 'On a stock count the difference that was booked, 0 in a draft' }),
    counted: Maybe(Type.Number({ description: 'Only on a stock count: the quantity found' })),
    cost: Type.Number({ description: 'Cost of one unit' }),
    total_cost: Decimal(),
  },
  { $id: 'OperationItem' },
)
export type OperationItem = Static<typeof OperationItem>

/** As a line of an import, and as it is stored. */
export const OperationItemRow = Type.Object({
  ...OperationItem.properties,
  counted_at: Maybe(DateTime()),
})
export type OperationItemRow = Static<typeof OperationItemRow>

export const operationItems: Resource<OperationItemRow> = defineResource({
  name: { one: 'operation-item', many: 'operation-items' },
  permission: 'operations:read',
  tag: 'Inventory',
  about: 'What the stock documents of the active venue say of each product.',
  wire: OperationItem,
  line: OperationItemRow,
  scope: 'venue',
  columns: {
    id: 'integer',
    venue_id: 'integer',
    operation_id: 'integer',
    product_id: 'integer',
    quantity: 'decimal',
    total_cost: 'decimal',
    counted_at: 'instant',
  },
  references: { venue_id: 'venues', operation_id: 'operations', product_id: 'products' },
  list: { filters: ['id', 'venue_id', 'operation_id', 'product_id', 'quantity', 'total_cost'] },
  api: { list: {} },
  // Items belong to their document (E2).
  events: {
    types: ['operation.updated'],
    eventsOf({ after, before }) {
      const { operation_id } = (after ?? before) as OperationItemRow
      const data = { id: operation_id, changed: ['items'] }
      return [{ type: 'operation.updated', subject: String(operation_id), data }]
    },
  },
  exportText: `case when counted_at is null then body
    else substr(body, 1, length(body) - 1) || ',"counted_at":"' || counted_at || '"}' end`,
  async complete({ tx, brand_id }, lines) {
    await raise(tx, brand_id, 'operation_item_id', Math.max(...lines.map(({ id }) => id)))
    return [...lines]
  },
})

/** include=items: the items of documents. */
export const ITEMS: NestedRows = { table: 'operation_items', foreignKey: 'operation_id', order: 'id' }
export const readItems = readNested(ITEMS)
