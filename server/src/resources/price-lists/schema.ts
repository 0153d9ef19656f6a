import Type, { type Static } from 'typebox'
import { ProductSummary } from '../products/schema.ts'
import { DateTime, Decimal, Id, Maybe, Name } from '../values.ts'

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

/** §2.4; `fields` can leave out everything but the id. */
export const PriceList = Type.Object(
  {
    id: Id(),
    name: Maybe(Type.String()),
    description: Maybe(Type.String()),
    status: Maybe(Type.Boolean()),
    prices: Maybe(Type.Array(PriceEntry)),
    created_at: Maybe(DateTime()),
    updated_at: Maybe(DateTime()),
  },
  { $id: 'PriceList' },
)
export type PriceList = Static<typeof PriceList>

/** One imported line: prices are lines of their own. */
export const PriceListRow = Type.Object({ ...Type.Omit(PriceList, ['prices']).properties, name: Name() })
export type PriceListRow = Static<typeof PriceListRow>
