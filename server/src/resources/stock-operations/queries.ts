import type { Caller } from '../../http/call.ts'
import type { Queries } from '../../storage/database.ts'
import { upsert } from '../../storage/upsert.ts'
import { exportBodies, type Kind } from '../kind.ts'
import { rowReader } from '../read-row.ts'
import { StockOperation } from './schema.ts'

/** The movement's text. One of another brand or venue is not there, by the same query (D3.1). */
export function findStockOperation(
  db: Queries,
  { brand_id, venue_id }: Caller,
  id: number,
): Promise<string | undefined> {
  return db.text('select body from stock_operations where brand_id = ? and id = ? and venue_id = ?', [
    brand_id,
    id,
    venue_id,
  ])
}

export const stockOperationKind: Kind<StockOperation> = {
  name: 'stock_operation',
  table: 'stock_operations',
  read: rowReader(StockOperation),
  idOf: ({ id }) => id,
  references: ({ venue_id, receipt_id, product_id }) => [
    { member: 'venue_id', table: 'venues', id: venue_id },
    { member: 'receipt_id', table: 'receipts', id: receipt_id },
    { member: 'product_id', table: 'products', id: product_id },
  ],
  async put({ tx, brand_id, now }, rows) {
    const values = rows.map(({ operated_at = now, ...operation }) => {
      const { id, venue_id, receipt_id = null, product_id = null } = operation
      return [
        brand_id,
        id,
        venue_id,
        receipt_id,
        product_id,
        operated_at,
        JSON.stringify({ ...operation, operated_at }),
      ]
    })
    await upsert(tx, 'stock_operations', 2, COLUMNS, values)
  },
  page: (db, brand_id, after) => exportBodies(db, 'stock_operations', brand_id, after),
}

const COLUMNS = ['brand_id', 'id', 'venue_id', 'receipt_id', 'product_id', 'operated_at', 'body']
