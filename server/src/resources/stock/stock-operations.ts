import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import type { Resource } from '../../resource/resource.ts'
import { DateTime, Decimal, Id, Maybe } from '../../resource/values.ts'
import { raise } from '../../resource/write/counters.ts'
import type { Queries } from '../../storage/database.ts'

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

export type StockOperationRow = Static<typeof StockOperationRow>

const HISTORY = 0

export const stockOperations: Resource<StockOperationRow> = defineResource({
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
  follows: ['parent_id'],
  list: {
    sortable: ['id', 'operated_at'],
    date: 'operated_at',
    newestFirst: true,
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
  api: { list: { summary: 'List stock movements' }, get: { summary: 'Read one stock movement' } },
  check({ position, stock_id, storage_id }) {
    if (position !== undefined && (stock_id === undefined || storage_id === undefined))
      throw new RowProblem('position needs a stock_id and a storage_id')
  },
  async complete({ tx, brand_id }, lines) {
    // New stocks have the ids of their first movements: no history names them by chance.
    await raise(tx, brand_id, 'stock_operation_id', Math.max(...lines.map(({ stock_id = 0 }) => stock_id)))
    return [...lines]
  },
  checkAfterImport: async ({ tx, brand_id }) => sumUpStocks(tx, brand_id),
  exportText: `case when position > 0 then substr(body, 1, length(body) - 1)
    || ',"storage_id":' || storage_id || ',"position":' || position || '}' else body end`,
  // One event a transaction and venue: those of its rows become one (storage/feed/collect.ts).
  events: {
    types: ['stock.moved'],
    eventsOf({ after, before }) {
      const { id, receipt_id, operation_id } = (after ?? before) as StockOperation
      const data = { first_id: id, last_id: id, count: 1, receipt_id, operation_id }
      return [{ type: 'stock.moved', subject: '', data }]
    },
  },
})

/** I4: after an import stocks are what the movements that came with them say, whatever else was there. */
export async function sumUpStocks(tx: Queries, brand_id: number): Promise<string | undefined> {
  // A difference of sets: a join may be planned row against row while the statistics do not know the rows of this import.
  const [stray] = await tx.rows<{ stock_id: number }>(
    `select stock_id from stock_operations where brand_id = ? and position > 0
     except select id from stocks where brand_id = ? order by stock_id limit 1`,
    [brand_id, brand_id],
  )
  if (stray) return `stock operations have a position in stock ${stray.stock_id}, which is not there`
  const [wrong] = await tx.rows<{ id: number; stock_id: number }>(
    `select id, stock_id from (select id, stock_id, position, before, before_quantity, lag(position) over chain as last,
         lag(after) over chain as value, lag(after_quantity) over chain as quantity
       from stock_operations where brand_id = ? and position > 0
       window chain as (partition by stock_id order by position)) as moved
     where position <> last + 1 or before <> value or before_quantity <> quantity order by id limit 1`,
    [brand_id],
  )
  if (wrong) return `stock operation ${wrong.id} does not go on from the one before it in stock ${wrong.stock_id}`
  // First only locked: a sum that is read afterwards has what others have just committed.
  await tx.rows(`select id from stocks where brand_id = ? order by id${tx.dialect.lockRows}`, [brand_id])
  const sum = (what: string) => `(select cast(coalesce(${what}, 0) as bigint) from stock_operations as moved
    where moved.brand_id = stocks.brand_id and moved.stock_id = stocks.id and moved.position > 0)`
  await tx.run(
    `update stocks set quantity = ${sum('sum(quantity)')}, value = ${sum('sum(total_cost)')}, movements = ${sum('count(*)')}
     where brand_id = ?`,
    [brand_id],
  )
  return undefined
}
