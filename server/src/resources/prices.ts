import Type, { type Static } from 'typebox'
import { defineResource } from './define.ts'
import { ProductSummary } from './product-schema.ts'
import { Decimal, Id } from './values.ts'

/** §2.4, D2.6 */
export const PriceEntry = Type.Object(
  {
    id: Id(),
    list_id: Id(),
    product_id: Id(),
    price: Decimal(),
    product: ProductSummary,
    list: Type.Object({ id: Id(), name: Type.String() }),
  },
  { $id: 'PriceEntry' },
)

/** One imported line: what an entry shows of its product and its list is joined when it is read. */
export const PriceRow = Type.Object({ id: Id(), list_id: Id(), product_id: Id(), price: Decimal() })
export type PriceRow = Static<typeof PriceRow>

export const prices = defineResource({
  name: { one: 'price', many: 'prices' },
  tag: 'Price Lists',
  about: 'The prices of products on price lists.',
  wire: PriceEntry,
  line: PriceRow,
  scope: 'brand',
  columns: { id: 'integer', list_id: 'integer', product_id: 'integer' },
  references: { list_id: 'price-lists', product_id: 'products' },
})
