import type { Caller } from '../../http/call.ts'
import type { Queries } from '../../storage/database.ts'
import { upsert } from '../../storage/upsert.ts'
import { exportBodies, type Kind } from '../kind.ts'
import { rowReader } from '../read-row.ts'
import { Receipt } from './schema.ts'

/** The receipt's text. One of another brand or venue is not there, by the same query (D3.1). */
export function findReceipt(db: Queries, { brand_id, venue_id }: Caller, id: number): Promise<string | undefined> {
  return db.text('select body from receipts where brand_id = ? and id = ? and venue_id = ?', [brand_id, id, venue_id])
}

export const receiptKind: Kind<Receipt> = {
  name: 'receipt',
  table: 'receipts',
  read: rowReader(Receipt),
  idOf: ({ id }) => id,
  references: ({ venue_id, user_id, customer_id }) => [
    { member: 'venue_id', table: 'venues', id: venue_id },
    { member: 'user_id', table: 'users', id: user_id },
    { member: 'customer_id', table: 'customers', id: customerKey(customer_id) },
  ],
  async put({ tx, brand_id, now }, rows) {
    const values = rows.map(({ created_at = now, updated_at = now, closed_at, deleted_at, ...receipt }) => {
      const { id, venue_id, user_id = null, customer_id } = receipt
      const body = JSON.stringify({ ...receipt, created_at, updated_at, closed_at, deleted_at })
      return [brand_id, id, venue_id, user_id, customerKey(customer_id) ?? null, created_at, body]
    })
    await upsert(tx, 'receipts', 2, COLUMNS, values)
  },
  page: (db, brand_id, after) => exportBodies(db, 'receipts', brand_id, after),
}

const COLUMNS = ['brand_id', 'id', 'venue_id', 'user_id', 'customer_id', 'created_at', 'body']

// An integer on the receipt (§2.5), a string on the customer (§2.2).
const customerKey = (customer_id: number | undefined) => customer_id?.toString()
