import { fold, nfc } from '../../http/fold.ts'
import { upsert } from '../../storage/upsert.ts'
import { exportBodies, type Kind } from '../kind.ts'
import { rowReader } from '../read-row.ts'
import { PriceListRow, PriceRow } from './schema.ts'

export const priceListKind: Kind<PriceListRow> = {
  name: 'price_list',
  table: 'price_lists',
  read: rowReader(PriceListRow),
  idOf: ({ id }) => id,
  references: () => [],
  async put({ tx, brand_id, now }, rows) {
    const values = rows.map(({ created_at = now, updated_at = now, ...list }) => {
      const { id, name, status } = list
      return [
        ...[brand_id, id, nfc(name), fold(name), status === undefined ? null : Number(status), created_at, updated_at],
        ...[JSON.stringify({ ...list, created_at, updated_at }), JSON.stringify({ id, name })],
      ]
    })
    await upsert(tx, 'price_lists', 2, COLUMNS, values)
  },
  page: (db, brand_id, after) => exportBodies(db, 'price_lists', brand_id, after),
}

const COLUMNS = ['brand_id', 'id', 'name', 'name_folded', 'status', 'created_at', 'updated_at', 'body', 'summary']

export const priceKind: Kind<PriceRow> = {
  name: 'price',
  table: 'prices',
  read: rowReader(PriceRow),
  idOf: ({ id }) => id,
  references: ({ list_id, product_id }) => [
    { member: 'list_id', table: 'price_lists', id: list_id },
    { member: 'product_id', table: 'products', id: product_id },
  ],
  async put({ tx, brand_id }, rows) {
    const values = rows.map((row) => [brand_id, row.id, row.list_id, row.product_id, JSON.stringify(row)])
    await upsert(tx, 'prices', 2, ['brand_id', 'id', 'list_id', 'product_id', 'body'], values)
  },
  page: (db, brand_id, after) => exportBodies(db, 'prices', brand_id, after),
}
