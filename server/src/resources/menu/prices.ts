import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { Decimal, Id } from '../../resource/values.ts'
import type { RowEvent } from '../../resource/write/row-events.ts'
import { ProductSummary } from './product-schema.ts'

/** D2.6: what a price entry shows of its list. */
const ListSummary = Type.Object({ id: Id(), name: Type.String() })

/** §2.4, D2.6 */
export const PriceEntry = Type.Object(
  {
    id: Id(),
    list_id: Id(),
    product_id: Id(),
    price: Decimal(),
    product: ProductSummary,
    list: ListSummary,
  },
  { $id: 'PriceEntry' },
)

/** One imported line: what an entry shows of its product and its list is joined when it is read. */
export const PriceRow = Type.Object({ id: Id(), list_id: Id(), product_id: Id(), price: Decimal() }, { $id: 'Price' })
export type PriceRow = Static<typeof PriceRow>

export const prices = defineResource({
  name: { one: 'price', many: 'prices' },
  tag: 'Price Lists',
  about: 'The prices of products on price lists.',
  path: 'price-lists/prices',
  permission: 'price-lists:read',
  wire: PriceRow,
  included: {
    product: { schema: ProductSummary, table: 'products', foreignKey: 'product_id', column: 'summary' },
    list: { schema: ListSummary, table: 'price_lists', foreignKey: 'list_id', column: 'summary' },
  },
  scope: 'brand',
  columns: { id: 'integer', list_id: 'integer', product_id: 'integer', price: 'decimal' },
  references: { list_id: 'price-lists', product_id: 'products' },
  list: { maxLimit: 999, sortable: ['id'] },
  api: { list: {} },
  events: {
    types: ['price_list.prices_changed'],
    // Both lists, where it moved.
    eventsOf: ({ before, after }) => [before, after].flatMap((row) => (row ? [pricesChanged(row as PriceRow)] : [])),
  },
})

function pricesChanged({ list_id, product_id }: PriceRow): RowEvent {
  const data = { id: list_id, product_ids: [product_id] }
  return { type: 'price_list.prices_changed', subject: String(list_id), data }
}
