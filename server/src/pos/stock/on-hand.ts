import { RESERVED } from '../../resources/stocks.ts'
import type { Queries } from '../../storage/database.ts'
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

export async function onHand(db: Pick<Queries, 'rows'>, { brand_id, venue_id }: Place): Promise<OnHand[]> {
  const rows = await db.rows<{
    id: number
    storage_id: number
    product_id: number
    name: string
    unit: string | null
    quantity: number
    reserved: number
    cost: number
    low_stock: number | null
    is_low: number
  }>(
    `select stocks.id, storage_id, product_id, products.name, units.symbol as unit, quantity, ${RESERVED} as reserved, cost,
       low_stock, case when quantity <= coalesce(low_stock, 0) then 1 else 0 end as is_low
     from stocks
       join products on products.brand_id = stocks.brand_id and products.id = stocks.product_id
       left join units on units.brand_id = products.brand_id and units.id = products.unit_id
     where stocks.brand_id = ? and stocks.venue_id = ?
     order by is_low desc, products.name_folded, stocks.id limit ${MAX_ROWS}`,
    [brand_id, venue_id],
  )
  return rows.map(({ unit, quantity, reserved, cost, low_stock, is_low, ...row }) => ({
    ...row,
    ...(unit !== null && { unit }),
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

/** Products that stock is kept of: bought, made or sold as they are, and what is in a storage already. */
export async function stockable(db: Pick<Queries, 'rows'>, { brand_id, venue_id }: Place): Promise<Stockable[]> {
  const rows = await db.rows<{ id: number; name: string; unit: string | null }>(
    `select products.id, products.name, units.symbol as unit from products
       left join units on units.brand_id = products.brand_id and units.id = products.unit_id
     where products.brand_id = ? and products.status = 1
       and (products.type in ('INGREDIENT', 'PREPARATION', 'PRODUCT') or exists (select 1 from stocks
         where stocks.brand_id = products.brand_id and stocks.product_id = products.id and stocks.venue_id = ?))
     order by products.name_folded, products.id limit ${MAX_ROWS}`,
    [brand_id, venue_id],
  )
  return rows.map(({ unit, ...row }) => ({ ...row, ...(unit !== null && { unit }) }))
}
