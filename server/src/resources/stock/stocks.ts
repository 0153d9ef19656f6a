import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { EXPORT_PAGE, exportPage } from '../../resource/files/export.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import type { Resource } from '../../resource/resource.ts'
import { DateTime, Decimal, Id, Maybe } from '../../resource/values.ts'
import { recount } from '../../resource/write/counters.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import { places } from '../../storage/upsert.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { sumUpStocks } from './stock-operations.ts'

/** P21: one product in one storage. */
export const Stock = Type.Object(
  {
    id: Id(),
    venue_id: Id(),
    storage_id: Id(),
    product_id: Id(),
    unit_id: Maybe(Id()),
    quantity: Decimal(),
    reserved: Type.Number({ description: 'What lines of open receipts will take' }),
    available: Type.Number({ description: 'quantity − reserved' }),
    cost: Type.Number({ description: 'Cost of one unit, the last that was known' }),
    total_cost: Type.Number({ description: 'What all of it is worth' }),
    low_stock: Maybe(Decimal()),
    updated_at: DateTime(),
  },
  { $id: 'Stock' },
)

/** One imported line. Quantity and value are the sums of the movements that come with it (I4). */
export const StockRow = Type.Object({
  id: Id(),
  venue_id: Id(),
  storage_id: Id(),
  product_id: Id(),
  cost: Maybe(Decimal()),
  updated_at: Maybe(DateTime()),
})
export type StockRow = Static<typeof StockRow>

/** What open receipts reserve of a row of `stocks`, as SQL: lines take from the main storage (P20). */
export const RESERVED = `(select cast(coalesce(sum(reservations.quantity), 0) as bigint) from reservations
  where reservations.brand_id = stocks.brand_id and reservations.venue_id = stocks.venue_id
    and reservations.product_id = stocks.product_id and exists (select 1 from storages
      where storages.brand_id = stocks.brand_id and storages.id = stocks.storage_id and storages.is_main = 1))`

/** A column of the product of a row of `stocks`, as SQL. */
export const ofProduct = (column: string) => `(select products.${column} from products
  where products.brand_id = stocks.brand_id and products.id = stocks.product_id)`

const NUMBERS = {
  id: 'id',
  venue_id: 'venue_id',
  storage_id: 'storage_id',
  product_id: 'product_id',
  unit_id: ofProduct('unit_id'),
  quantity: 'quantity',
  reserved: RESERVED,
  cost: 'cost',
  value: 'value',
  low_stock: ofProduct('low_stock'),
}
type Stored = Record<keyof typeof NUMBERS, number> & {
  unit_id: number | null
  low_stock: number | null
  updated_at: string
}

/** JSON with amounts as they are stored; `wireOf` makes the wire's of it. */
const TEXT = `'{' || ${Object.entries(NUMBERS)
  .map(([name, sql]) => `'"${name}":' || coalesce(cast(${sql} as text), 'null') || ','`)
  .join(' || ')} || '"updated_at":"' || updated_at || '"}'`

function wireOf(text: string): string {
  const { id, venue_id, storage_id, product_id, unit_id, quantity, reserved, cost, value, low_stock, updated_at } =
    JSON.parse(text) as Stored
  return JSON.stringify({
    id,
    venue_id,
    storage_id,
    product_id,
    ...(unit_id !== null && { unit_id }),
    quantity: fromScaled(quantity),
    reserved: fromScaled(reserved),
    available: fromScaled(quantity - reserved),
    cost: fromScaled(cost),
    total_cost: fromScaled(value),
    ...(low_stock !== null && { low_stock: fromScaled(low_stock) }),
    updated_at,
  })
}

export const stocks: Resource<StockRow> = defineResource({
  name: { one: 'stock', many: 'stocks' },
  path: 'stock',
  tag: 'Inventory',
  about: 'What the active venue has in stock, by storage and product.',
  wire: Stock,
  line: StockRow,
  scope: 'venue',
  columns: {
    id: 'integer',
    venue_id: 'integer',
    storage_id: 'integer',
    product_id: 'integer',
    updated_at: 'instant',
  },
  text: TEXT,
  references: { venue_id: 'venues', storage_id: 'storages', product_id: 'products' },
  list: {
    compared: {
      unit_id: { type: 'integer', sql: ofProduct('unit_id') },
      quantity: { type: 'decimal', sql: 'quantity' },
    },
    compose: async (_db, _owner, bodies) => bodies.map(wireOf),
    shown: { columns: ['id', 'product_id', 'storage_id', 'quantity', 'available', 'total_cost', 'updated_at'] },
  },
  api: { list: { summary: 'List stock' }, get: { summary: 'Read one stock' } },
  events: { types: ['stock.moved'] }, // by its movements
  write: writeStocks,
  checkAfterImport: async ({ tx, brand_id }) => sumUpStocks(tx, brand_id),
  async readExportPage(db, brand_id, after = 0, limit = EXPORT_PAGE) {
    const rows = await db.rows<Required<StockRow>>(
      `select id, venue_id, storage_id, product_id, cost, updated_at from stocks
       where brand_id = ? and id > ? order by id limit ?`,
      [brand_id, after, limit],
    )
    return exportPage(rows, ({ cost, ...row }) => JSON.stringify({ ...row, cost: fromScaled(cost) }))
  },
})

async function writeStocks(context: WriteContext, rows: readonly StockRow[]): Promise<string[]> {
  const { tx, brand_id, now, mode } = context
  for (const row of rows) {
    const { id, venue_id, storage_id, product_id, cost = 0, updated_at = now } = row
    const [moved] = await tx.rows<Pick<Stored, 'storage_id' | 'product_id' | 'updated_at'>>(
      'select storage_id, product_id, updated_at from stocks where brand_id = ? and id = ? and movements > 0',
      [brand_id, id],
    )
    if (moved && (moved.storage_id !== storage_id || moved.product_id !== product_id))
      throw new RowProblem(`id ${id} moved product ${moved.product_id} in storage ${moved.storage_id}`, row)
    if (moved && moved.updated_at > updated_at) continue // an earlier state of it: its movements say more
    const [other] = await tx.rows<{ id: number }>(
      'select id from stocks where brand_id = ? and storage_id = ? and product_id = ? and id <> ?',
      [brand_id, storage_id, product_id, id],
    )
    if (other) throw new RowProblem(`product ${product_id} has stock ${other.id} in storage ${storage_id} already`, row)
    const values = [brand_id, id, venue_id, storage_id, product_id, 0, 0, toScaled(cost)!, 0, updated_at]
    await tx.run(
      `insert into stocks (brand_id, id, venue_id, storage_id, product_id, quantity, value, cost, movements, updated_at)
       values ${places(values)} on conflict (brand_id, id) do update set venue_id = excluded.venue_id,
         storage_id = excluded.storage_id, product_id = excluded.product_id, cost = excluded.cost,
         updated_at = excluded.updated_at`,
      values,
    )
  }
  if (mode !== 'import') await recount(tx, brand_id, stocks)
  return rows.map((row) => JSON.stringify(row))
}
