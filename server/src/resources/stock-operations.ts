import Type, { type Static } from 'typebox'
import { defineResource } from './define.ts'
import { RowProblem } from './read-row.ts'
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

/** One imported line. `storage_id` and `position` are only in our own exports: others are history, which books nothing (P22). */
export const StockOperationRow = Type.Object({
  ...StockOperation.properties,
  storage_id: Maybe(Id()),
  position: Maybe(Type.Integer({ minimum: 1, description: 'Among the movements of its stock' })),
})

const HISTORY = 0

export const stockOperations = defineResource({
  name: { one: 'stock-operation', many: 'stock-operations' },
  tag: 'Inventory',
  about: 'Movements of stock, by venue.',
  wire: StockOperation,
  line: StockOperationRow,
  scope: 'venue',
  columns: {
    id: 'integer',
    venue_id: 'integer',
    stock_id: 'integer',
    storage_id: 'integer',
    receipt_id: 'integer',
    receipt_product_id: 'integer',
    product_id: 'integer',
    modificator_id: 'integer',
    operation_id: 'integer',
    operation_item_id: 'integer',
    parent_id: 'integer',
    unit_id: 'integer',
    quantity: 'decimal',
    before_quantity: 'decimal',
    after_quantity: 'decimal',
    before: 'decimal',
    after: 'decimal',
    total_cost: 'decimal',
    operated_at: 'instant',
  },
  computed: { position: ({ position = HISTORY }) => position },
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
  check({ position, stock_id, storage_id }) {
    if (position !== undefined && (stock_id === undefined || storage_id === undefined))
      throw new RowProblem('position needs a stock_id and a storage_id')
  },
  exportText: `case when position > 0 then substr(body, 1, length(body) - 1)
    || ',"storage_id":' || storage_id || ',"position":' || position || '}' else body end`,
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
