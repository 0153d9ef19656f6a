import Type, { type Static } from 'typebox'
import { DateTime, Decimal, Id, Maybe, Name } from '../../resource/values.ts'

export const ProductType = Type.Enum(['PRODUCT', 'DISH', 'TIMER', 'PREPARATION', 'INGREDIENT', 'MODIFICATION']) // D3.6

const Status = () => Type.Enum([1, 0], { description: '1 active, 0 inactive' }) // D3.5

export const Modification = Type.Object(
  {
    id: Id(),
    parent_id: Maybe(Id()),
    type: Maybe(Type.Enum(['MODIFICATION'])),
    name: Name(),
    price: Maybe(Decimal()),
    cost_price: Maybe(Decimal()),
    barcode: Maybe(Type.String()),
    full_name: Maybe(Type.String()),
    status: Maybe(Status()),
  },
  { $id: 'Modification' },
)
export type Modification = Static<typeof Modification>

export const Modificator = Type.Object(
  {
    id: Maybe(Id()),
    name: Maybe(Name()),
    price: Maybe(Decimal()),
    cost_price: Maybe(Decimal()),
    max_count: Maybe(Type.Integer()),
    status: Maybe(Type.Boolean()),
    // D3.7: the product it uses.
    ingredient: Maybe(
      Type.Object({
        id: Id(),
        name: Maybe(Name()),
        type: Maybe(ProductType),
        cost_price: Maybe(Decimal()),
      }),
    ),
  },
  { $id: 'Modificator' },
)
export type Modificator = Static<typeof Modificator>

export const ModificatorGroup = Type.Object(
  {
    id: Maybe(Id()),
    name: Maybe(Name()),
    type: Maybe(Type.Enum([1, 0], { description: '1 one choice, 0 several' })), // D3.5
    min_select: Maybe(Type.Integer()),
    max_select: Maybe(Type.Integer()),
    modificators: Maybe(Type.Array(Modificator)),
  },
  { $id: 'ModificatorGroup' },
)
export type ModificatorGroup = Static<typeof ModificatorGroup>

/** A product, and how much of it is used. */
export const RecipeItem = Type.Object(
  {
    id: Id(),
    name: Maybe(Name()),
    cost_price: Maybe(Decimal()),
    pivot: Maybe(
      Type.Object({
        gross: Maybe(Type.String({ pattern: '^\\d{1,12}\\.\\d{3}$', description: 'Decimal, three places' })),
      }), // D3.7
    ),
  },
  { $id: 'RecipeItem' },
)
export type RecipeItem = Static<typeof RecipeItem>

export const Package = Type.Object(
  { id: Maybe(Id()), name: Maybe(Name()), equal: Maybe(Decimal()) },
  { $id: 'Package' },
)
export type Package = Static<typeof Package>

export const Tax = Type.Object({ id: Maybe(Id()), name: Maybe(Name()), rate: Maybe(Decimal()) }, { $id: 'Tax' })
export type Tax = Static<typeof Tax>

export const Tag = Type.Object({ id: Maybe(Id()), name: Maybe(Name()), color: Maybe(Type.String()) }, { $id: 'Tag' })
export type Tag = Static<typeof Tag>

/** §2.3 */
export const Product = Type.Object(
  {
    id: Id(),
    name: Name(),
    type: ProductType,
    full_name: Maybe(Type.String()),
    status: Maybe(Status()),
    price: Maybe(Decimal()),
    cost_price: Maybe(Decimal()),
    has_modifications: Maybe(Type.Boolean()),
    modifications: Maybe(Type.Array(Modification)),
    modificator_groups: Maybe(Type.Array(ModificatorGroup)),
    recipe: Maybe(Type.Array(RecipeItem)),
    packages: Maybe(Type.Array(Package)),
    setting: Maybe(
      Type.Object({
        interval: Maybe(Type.Integer()),
        prices: Maybe(Type.Array(Type.Object({ price: Maybe(Decimal()), from: Maybe(Decimal()) }))),
      }),
    ),
    taxes: Maybe(Type.Array(Tax)),
    tags: Maybe(Type.Array(Tag)),
    created_at: Maybe(DateTime()),
    updated_at: Maybe(DateTime()),
  },
  { $id: 'Product' },
)
export type Product = Static<typeof Product>

/** What of a product's own stock, or of others', one sale takes (P20); for one variant or modificator only, where it is named. */
const Take = Type.Object({
  product_id: Id(),
  gross: Decimal(),
  modification_id: Maybe(Id()),
  modificator_id: Maybe(Id()),
})

/** P1: what comes with include=details. */
export const ProductDetails = Type.Object({
  parent_id: Maybe(Id()),
  category_id: Maybe(Id()),
  station_id: Maybe(Id()),
  unit_id: Maybe(Id()),
  barcode: Maybe(Type.String()),
  hidden: Type.Boolean(),
  position: Maybe(Type.Integer()),
  description: Maybe(Type.String({ maxLength: 2000 })),
  sold_by_weight: Type.Boolean(),
  discountable: Type.Boolean(),
  giftable: Type.Boolean(),
  ignore_service_charge: Type.Boolean(),
  open_price: Maybe(
    Type.Boolean({ description: 'A price is named with each sale; its own and those of price lists do not count' }),
  ),
  cooking_time: Maybe(Type.Integer({ minimum: 0, description: 'Minutes' })),
  low_stock: Maybe(Decimal()),
  takes: Type.Array(Take),
  deleted_at: Maybe(DateTime()),
})
export type ProductDetails = Static<typeof ProductDetails>

/** What holds of a product where nothing is said. */
export const DEFAULT_DETAILS = {
  hidden: false,
  sold_by_weight: false,
  discountable: true,
  giftable: true,
  ignore_service_charge: false,
  takes: [],
} satisfies Partial<ProductDetails>

/** One imported line: a product and its details; variants are inside it. */
export const ProductLine = Type.Object({
  ...Product.properties,
  ...Type.Partial(Type.Omit(ProductDetails, ['parent_id'])).properties,
})
export type ProductLine = Static<typeof ProductLine>

/** D2.6: what a price entry shows of its product. */
export const ProductSummary = Type.Pick(
  Product,
  ['id', 'name', 'type', 'full_name', 'status', 'price', 'cost_price', 'has_modifications', 'created_at', 'updated_at'],
  { $id: 'ProductSummary' },
)
