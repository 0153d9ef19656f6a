import { RESERVED } from '../../resources/stock/stocks.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { fromScaled } from '../../values/values.ts'

// What a venue has in its storages, as people look at it: by name, and what runs low first.

interface Place {
  readonly brand_id: number
  readonly venue_id: number
}

export interface OnHand {
  readonly id: number
  readonly storage_id: number
  readonly product_id: number
  readonly name: string
  readonly unit?: string
  readonly quantity: number
  readonly reserved: number
  readonly available: number
  readonly cost: number
  readonly low_stock?: number
  /** Less is there than low_stock says, or nothing, or less than nothing. */
  readonly is_low: boolean
}

const MAX_ROWS = 5_000
/** A variant alone says too little: "75 cl" of what? */
const NAME = `case when products.type = 'MODIFICATION' then coalesce(products.full_name, products.name) else products.name end`

export async function onHand(db: Pick<Database, 'rows' | 'scan'>, { brand_id, venue_id }: Place): Promise<OnHand[]> {
  const rows = await db.scan<{
    id: number
    storage_id: number
    product_id: number
    name: string
    unit_id: number | null
    quantity: number
    reserved: number
    cost: number
    low_stock: number | null
    is_low: number
  }>(
    brand_id,
    'stocks',
    `select stocks.id, storage_id, product_id, ${NAME} as name, products.unit_id, quantity, ${RESERVED} as reserved, cost,
       low_stock, case when quantity <= coalesce(low_stock, 0) then 1 else 0 end as is_low
     from stocks
       join products on products.brand_id = stocks.brand_id and products.id = stocks.product_id
     where stocks.brand_id = ? and stocks.venue_id = ?
     order by is_low desc, coalesce(products.full_name_folded, products.name_folded), stocks.id limit ${MAX_ROWS}`,
    [brand_id, venue_id],
  )
  const symbols = await symbolsOf(db, brand_id)
  return rows.map(({ unit_id, quantity, reserved, cost, low_stock, is_low, ...row }) => ({
    ...row,
    ...unitOf(symbols, unit_id),
    quantity: fromScaled(quantity),
    reserved: fromScaled(reserved),
    available: fromScaled(quantity - reserved),
    cost: fromScaled(cost),
    ...(low_stock !== null && { low_stock: fromScaled(low_stock) }),
    is_low: is_low === 1,
  }))
}

export interface Stockable {
  readonly id: number
  readonly name: string
  readonly unit?: string
}

/** Products that stock is kept of: bought, made or sold as they are, and what is in a storage already, active or not. */
export async function stockable(
  db: Pick<Database, 'rows' | 'scan' | 'dialect'>,
  { brand_id, venue_id }: Place,
): Promise<Stockable[]> {
  const rows = await db.scan<{ id: number; name: string; unit_id: number | null }>(
    brand_id,
    'products',
    `select products.id, ${NAME} as name, products.unit_id from products
     where products.brand_id = ?
       and ((coalesce(products.status, 1) = 1 and products.type in ('INGREDIENT', 'PREPARATION', 'PRODUCT')) or exists (select 1 from stocks
         where stocks.brand_id = products.brand_id and stocks.product_id = products.id and stocks.venue_id = ?))${db.dialect.checkpoint}
     order by coalesce(products.full_name_folded, products.name_folded), products.id limit ${MAX_ROWS}`,
    [brand_id, venue_id],
  )
  const symbols = await symbolsOf(db, brand_id)
  return rows.map(({ unit_id, ...row }) => ({ ...row, ...unitOf(symbols, unit_id) }))
}

/** The symbols of units by id: a brand has a few. */
async function symbolsOf(db: Pick<Queries, 'rows'>, brand_id: number): Promise<Map<number, string>> {
  const rows = await db.rows<{ id: number; body: string }>('select id, body from units where brand_id = ?', [brand_id])
  return new Map(rows.map(({ id, body }) => [id, (JSON.parse(body) as { symbol: string }).symbol]))
}

function unitOf(symbols: ReadonlyMap<number, string>, id: number | null): { unit?: string } {
  const unit = id === null ? undefined : symbols.get(id)
  return unit === undefined ? {} : { unit }
}
