import type { MenuEntry } from '../resources/entries/entries.ts'
import type { Image } from '../resources/entries/images.ts'
import type { CategoryRow as CategoryLine } from '../resources/menu/categories.ts'
import type { PriceListRow as PriceListLine } from '../resources/menu/price-lists.ts'
import type { PriceRow as PriceLine } from '../resources/menu/prices.ts'
import type * as schema from '../resources/menu/product-schema.ts'
import type { Station } from '../resources/menu/stations.ts'
import type { StopListRow as StopListLine } from '../resources/menu/stop-list.ts'
import type { FinanceCategory } from '../resources/money/finance-categories.ts'
import type { PaymentMethodRow as PaymentMethodLine } from '../resources/money/payment-methods.ts'
import type { FinanceTax } from '../resources/money/taxes.ts'
import type { CustomerGroupRow as CustomerGroupLine } from '../resources/people/customer-groups.ts'
import type { CustomerRow as CustomerLine } from '../resources/people/customer-schema.ts'
import type { Role } from '../resources/people/roles.ts'
import type { UserRow as UserLine } from '../resources/people/users.ts'
import type { Course } from '../resources/places/courses.ts'
import type { PrintRoute } from '../resources/places/print-routes.ts'
import type { Printer } from '../resources/places/printers.ts'
import type { Hall, TableRow as TableLine } from '../resources/places/tables.ts'
import type { Terminal } from '../resources/places/terminals.ts'
import type { VenueRow as VenueLine } from '../resources/places/venues.ts'
import type { SaleType } from '../resources/sales/sale-types.ts'
import type { NotePreset } from '../resources/service/note-presets.ts'
import type { Reason } from '../resources/service/reasons.ts'
import type { Storage } from '../resources/stock/storages.ts'
import type { Supplier } from '../resources/stock/suppliers.ts'
import type { Unit } from '../resources/stock/units.ts'

// One line of `comptoir import` for each kind, as its schema has it: the demo leaves out only what is named here.

type Whole<Row, MayLack extends keyof Row = never> = Required<Omit<Row, MayLack>> & Pick<Row, MayLack>
type Line<Kind extends string, Row, MayLack extends keyof Row = never> = { kind: Kind } & Whole<Row, MayLack>

export type VenueRow = Line<
  'venue',
  Omit<VenueLine, 'paused_until' | 'legal_name' | 'tax_number' | 'bill_footer'>,
  | 'order_expiry_s'
  | 'hours'
  | 'reason_for'
  | 'own_receipts'
  | 'lock_s'
  | 'ask_guests'
  | 'cash_shift'
  | 'print_receipt'
  | 'kitchen_language'
  | 'alarm_s'
  | 'ticket_max_minutes'
  | 'idle_minutes'
  | 'tips'
>
export type RoleRow = Line<'role', Role>
export type UserRow = Line<
  'user',
  Omit<UserLine, 'active' | 'mobile_number' | 'created_at' | 'updated_at'>,
  'venue_ids'
>
export type CustomerGroupRow = Line<'customer_group', CustomerGroupLine>
export type CustomerRow = Line<
  'customer',
  Omit<CustomerLine, 'spent' | 'receipt_count' | 'total_discount' | 'spent_before' | 'updated_at' | 'erased_at'>,
  'email' | 'code' | 'description' | 'gender' | 'date_of_birth'
>

export type Modification = Whole<schema.Modification, 'barcode'>
export type Tax = Whole<schema.Tax>
export type Tag = Whole<schema.Tag>
type Modificator = Whole<schema.Modificator, 'ingredient'>
export type ModificatorGroup = Whole<Omit<schema.ModificatorGroup, 'modificators'>> & { modificators: Modificator[] }
export type ProductRow = Line<
  'product',
  Omit<schema.Product, 'modifications' | 'modificator_groups' | 'recipe' | 'packages' | 'taxes' | 'tags'>,
  'setting'
> &
  Pick<schema.ProductLine, 'station_id' | 'cooking_time' | 'hidden' | 'low_stock'> & {
    modifications: Modification[]
    modificator_groups: ModificatorGroup[]
    recipe: (Whole<Omit<schema.RecipeItem, 'pivot'>> & { pivot: { gross: string } })[]
    packages: Whole<schema.Package>[]
    category_id: number
    unit_id: number
    takes: schema.ProductDetails['takes']
    taxes: Tax[]
    tags: Tag[]
  }

export type PriceListRow = Line<'price_list', Omit<PriceListLine, 'prices'>>
export type PriceRow = Line<'price', PriceLine>
export type ImageRow = Line<'image', Image>
export type MenuEntryRow = Line<'menu_entry', MenuEntry, Exclude<keyof MenuEntry, 'id'>>
export type CourseRow = Line<'course', Course>
export type CategoryRow = Line<'category', CategoryLine, 'parent_id' | 'course'>
export type StationRow = Line<'station', Station>
export type UnitRow = Line<'unit', Unit>
export type SaleTypeRow = Line<'sale_type', SaleType, 'service_charge_rate' | 'charge_tax_id'>
export type TaxRow = Line<'tax', FinanceTax>
export type PaymentMethodRow = Line<'payment_method', PaymentMethodLine, 'balance' | 'accounts'>
export type PrinterRow = Line<'printer', Printer, 'address' | 'port'>
export type PrintRouteRow = Line<'print_route', PrintRoute, 'station_id' | 'document' | 'sale_type_id'>
export type TerminalRow = Line<'terminal', Terminal, 'printer_id'>
export type HallRow = Line<'hall', Hall>
export type TableRow = Line<'table', TableLine>
export type StorageRow = Line<'storage', Storage>
export type SupplierRow = Line<'supplier', Supplier>
export type FinanceCategoryRow = Line<'finance_category', FinanceCategory, 'system_type' | 'parent_id'>
export type ReasonRow = Line<'reason', Reason>
export type NotePresetRow = Line<'note_preset', NotePreset, 'category_ids'>
export type StopListRow = Line<'stop_list_entry', StopListLine, 'until' | 'started' | 'moves'>

export type Row =
  | CourseRow
  | CategoryRow
  | StationRow
  | UnitRow
  | SaleTypeRow
  | TaxRow
  | PaymentMethodRow
  | PrinterRow
  | PrintRouteRow
  | TerminalRow
  | HallRow
  | TableRow
  | StorageRow
  | SupplierRow
  | FinanceCategoryRow
  | ReasonRow
  | NotePresetRow
  | StopListRow
  | VenueRow
  | RoleRow
  | UserRow
  | CustomerGroupRow
  | CustomerRow
  | ProductRow
  | PriceListRow
  | PriceRow
  | ImageRow
  | MenuEntryRow
