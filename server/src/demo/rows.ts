import type { CustomerGroupRow as CustomerGroupLine } from '../resources/customer-groups.ts'
import type { CustomerRow as CustomerLine } from '../resources/customers.ts'
import type { PriceListRow as PriceListLine } from '../resources/price-lists.ts'
import type { PriceRow as PriceLine } from '../resources/prices.ts'
import type * as schema from '../resources/product-schema.ts'
import type { Receipt } from '../resources/receipts.ts'
import type { Role } from '../resources/roles.ts'
import type { StockOperation } from '../resources/stock-operations.ts'
import type { User } from '../resources/users.ts'
import type { Venue } from '../resources/venues.ts'

// One line of `comptoir import` for each kind, as its schema has it: the demo leaves out only what is named here.

type Whole<Row, MayLack extends keyof Row = never> = Required<Omit<Row, MayLack>> & Pick<Row, MayLack>
type Line<Kind extends string, Row, MayLack extends keyof Row = never> = { kind: Kind } & Whole<Row, MayLack>

export type VenueRow = Line<'venue', Venue>
export type RoleRow = Line<'role', Role>
export type UserRow = Line<'user', Omit<User, 'active'>, 'venue_ids'>
export type CustomerGroupRow = Line<'customer_group', CustomerGroupLine>
export type CustomerRow = Line<'customer', CustomerLine, 'email' | 'code' | 'description' | 'gender' | 'date_of_birth'>

export type Modification = Whole<schema.Modification, 'barcode'>
export type Tax = Whole<schema.Tax>
export type Tag = Whole<schema.Tag>
type Modificator = Whole<schema.Modificator, 'ingredient'>
export type ModificatorGroup = Whole<Omit<schema.ModificatorGroup, 'modificators'>> & { modificators: Modificator[] }
export type ProductRow = Line<
  'product',
  Omit<schema.Product, 'modifications' | 'modificator_groups' | 'recipe' | 'packages' | 'taxes' | 'tags'>,
  'setting'
> & {
  modifications: Modification[]
  modificator_groups: ModificatorGroup[]
  recipe: (Whole<Omit<schema.RecipeItem, 'pivot'>> & { pivot: { gross: string } })[]
  packages: Whole<schema.Package>[]
  taxes: Tax[]
  tags: Tag[]
}

export type PriceListRow = Line<'price_list', Omit<PriceListLine, 'prices'>>
export type PriceRow = Line<'price', PriceLine>
export type ReceiptRow = Line<
  'receipt',
  Omit<Receipt, 'deleted_at' | 'payment_methods'>,
  'customer_id' | 'guests' | 'fiscal_id' | 'order_status' | 'order_number' | 'closed_at'
> & { payment_methods: Whole<NonNullable<Receipt['payment_methods']>[number]>[] }
export type StockOperationRow = Line<
  'stock_operation',
  StockOperation,
  ('receipt_id' | 'receipt_product_id' | 'modificator_id') | ('operation_id' | 'operation_item_id' | 'parent_id')
>

export type Row =
  | VenueRow
  | RoleRow
  | UserRow
  | CustomerGroupRow
  | CustomerRow
  | ProductRow
  | PriceListRow
  | PriceRow
  | ReceiptRow
  | StockOperationRow
