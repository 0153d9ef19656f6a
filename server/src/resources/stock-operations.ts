import Type, { type Static } from 'typebox'
import { defineResource } from './define.ts'
import { DateTime, Decimal, Id, Maybe } from './values.ts'

/** §2.6: a single stock movement. */
export const StockOperation = Type.Object(
  {
    id: Id(),
    venue_id: Id(),
    stock_id: Maybe(Id()),
    reserved: Maybe(Decimal()),
    receipt_id: Maybe(Id()),
    receipt_product_id: Maybe(Id()),
    product_id: Maybe(Id()),
    modificator_id: Maybe(Id()),
    operation_id: Maybe(Id()),
    operation_item_id: Maybe(Id()),
    parent_id: Maybe(Id()),
    unit_id: Maybe(Id()),
    quantity: Maybe(Decimal()),
    before_quantity: Maybe(Decimal()),
    after_quantity: Maybe(Decimal()),
    before: Maybe(Decimal()),
    after: Maybe(Decimal()),
    cost: Maybe(Decimal()),
    before_cost: Maybe(Decimal()),
    total_cost: Maybe(Decimal()),
    operated_at: Maybe(DateTime()),
  },
  { $id: 'StockOperation' },
)
export type StockOperation = Static<typeof StockOperation>

export const stockOperations = defineResource({
  name: { one: 'stock-operation', many: 'stock-operations' },
  tag: 'Inventory',
  about: 'Movements of stock, by venue.',
  wire: StockOperation,
  scope: 'venue',
  columns: {
    id: 'integer',
    venue_id: 'integer',
    receipt_id: 'integer',
    product_id: 'integer',
    operated_at: 'instant',
  },
  stamped: ['operated_at'],
  references: { venue_id: 'venues', receipt_id: 'receipts', product_id: 'products' },
  list: {
    maxLimit: 100,
    sortable: ['id', 'operated_at'],
    date: 'operated_at',
    shown: {
      columns: [
        'id',
        'product_id',
        'receipt_id',
        'quantity',
        'after_quantity',
        'total_cost',
        'venue_id',
        'operated_at',
      ],
    },
  },
  api: { get: { summary: 'Read one stock movement' } },
  // One event a transaction and venue: those of its rows become one (storage/feed/collect.ts).
  events: {
    types: ['stock.moved'],
    of({ after, before }) {
      const { id, receipt_id, operation_id } = (after ?? before) as StockOperation
      const data = { first_id: id, last_id: id, count: 1, receipt_id, operation_id }
      return [{ type: 'stock.moved', subject: '', data }]
    },
  },
})
