// Written by npm run openapi from docs/openapi.json: change the server’s routes instead.

import type { Http } from './http/http.ts'
import { operations } from './operations.ts'
import type { CallOptions, WriteOptions } from './option-types.ts'
import type { List, Walk } from './pages.ts'
import type { Filter, Instant, Sort } from './query.ts'
import type {
  BalanceDateState,
  BalanceMovements,
  CashShift,
  CashShiftReport,
  Category,
  CategoryStock,
  Customer,
  CustomerGroup,
  Event,
  FinanceBalance,
  FinanceCategory,
  FinanceTax,
  NewCustomer,
  NewOperation,
  NewOrder,
  NewWaiterCall,
  Operation,
  OperationChange,
  OperationItem,
  OperationItemTotal,
  OperationStatus,
  OperationTotal,
  Order,
  OrderChange,
  PaymentMethod,
  PlacedOrder,
  Price,
  PriceList,
  Product,
  ProductMovements,
  ProductStock,
  ProductType,
  Receipt,
  ReceiptClosing,
  ReceiptPatch,
  ReceiptWithCalculation,
  SaleType,
  Station,
  Stock,
  StockInfo,
  StockOperation,
  StockOperationTotal,
  StockTotal,
  StopListEntry,
  Storage,
  Supplier,
  SupplierTotal,
  Table,
  TaxReport,
  TaxTotal,
  TaxType,
  Terminal,
  Transaction,
  Unit,
  User,
  Venue,
  WaiterCall,
  WhoAmI,
} from './types.ts'

/** Narrowed to the fields asked for; id in any case. */
export type VenueOf<Field extends keyof Venue> = Pick<Venue, 'id' | Field>

/** What filters of GET /venues may name (D2.4), with the values each takes. */
export interface VenueColumns {
  id: number
  name: string
  is_main: boolean
}

/** The query of GET /venues. */
export interface VenueQuery<Field extends keyof Venue = keyof Venue> {
  filters?: readonly Filter<VenueColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name'>[] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id. */
  after?: string | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type UserOf<Field extends keyof User> = Pick<User, 'id' | Field>

/** What filters of GET /users may name (D2.4), with the values each takes. */
export interface UserColumns {
  id: number
  created_at: Instant
  updated_at: Instant
  username: string
  status: boolean
}

/** The query of GET /users. */
export interface UserQuery<Field extends keyof User = keyof User> {
  filters?: readonly Filter<UserColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type FinanceBalanceOf<Field extends keyof FinanceBalance> = Pick<FinanceBalance, 'id' | Field>

/** What filters of GET /finance/balances may name (D2.4), with the values each takes. */
export interface FinanceBalanceColumns {
  id: number
  venue_id: number
  name: string
  type: 'CASH' | 'CARD' | 'OTHER' | 'CUSTOMER' | 'CASHBACK' | 'SUPPLIER'
  amount: number
  customer_id: string
  supplier_id: number
  position: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /finance/balances. */
export interface FinanceBalanceQuery<Field extends keyof FinanceBalance = keyof FinanceBalance> {
  filters?: readonly Filter<FinanceBalanceColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'position' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
  /** The same as a filter on type. Balances of customers come only where it asks */
  type?: string | undefined
}

/** What filters of GET /finance/balances/list may name (D2.4), with the values each takes. */
export interface FinanceBalancesGetListColumns {
  id: number
  venue_id: number
  name: string
  type: 'CASH' | 'CARD' | 'OTHER' | 'CUSTOMER' | 'CASHBACK' | 'SUPPLIER'
  amount: number
  customer_id: string
  supplier_id: number
  position: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /finance/balances/list. */
export interface FinanceBalancesGetListQuery {
  filters?: readonly Filter<FinanceBalancesGetListColumns>[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'position' | 'created_at' | 'updated_at'>[] | undefined
  /** The same as a filter on type. Balances of customers come only where it asks */
  type?: string | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type FinanceBalancesCustomerOf<Field extends keyof FinanceBalance> = Pick<FinanceBalance, 'id' | Field>

/** What filters of GET /finance/balances/customer may name (D2.4), with the values each takes. */
export interface FinanceBalancesCustomerColumns {
  id: number
  venue_id: number
  name: string
  type: 'CASH' | 'CARD' | 'OTHER' | 'CUSTOMER' | 'CASHBACK' | 'SUPPLIER'
  amount: number
  customer_id: string
  supplier_id: number
  position: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /finance/balances/customer. */
export interface FinanceBalancesCustomerQuery<Field extends keyof FinanceBalance = keyof FinanceBalance> {
  filters?: readonly Filter<FinanceBalancesCustomerColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'position' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
  /** The same as a filter on type. Balances of customers come only where it asks */
  type?: string | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type FinanceBalancesTransactionsOf<Field extends keyof BalanceMovements> = Pick<BalanceMovements, 'id' | Field>

/** What filters of GET /finance/balances/transactions may name (D2.4), with the values each takes. */
export interface FinanceBalancesTransactionsColumns {
  id: number
  venue_id: number
  name: string
  type: 'CASH' | 'CARD' | 'OTHER' | 'CUSTOMER' | 'CASHBACK' | 'SUPPLIER'
  amount: number
  customer_id: string
  supplier_id: number
  position: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /finance/balances/transactions. */
export interface FinanceBalancesTransactionsQuery<Field extends keyof BalanceMovements = keyof BalanceMovements> {
  filters?: readonly Filter<FinanceBalancesTransactionsColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'position' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
  /** The same as a filter on type. Balances of customers come only where it asks */
  type?: string | undefined
}

/** Narrowed to the fields asked for; date in any case. */
export type FinanceBalancesDateStatesOf<Field extends keyof BalanceDateState> = Pick<BalanceDateState, 'date' | Field>

/** What filters of GET /finance/balances/date-states may name (D2.4), with the values each takes. */
export interface FinanceBalancesDateStatesColumns {
  id: number
  venue_id: number
  name: string
  type: string
  amount: number
  customer_id: string
  supplier_id: number
  position: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /finance/balances/date-states. */
export interface FinanceBalancesDateStatesQuery<Field extends keyof BalanceDateState = keyof BalanceDateState> {
  filters?: readonly Filter<FinanceBalancesDateStatesColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'date'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: date. */
  after?: string | undefined
  /** The same as a filter on type. Balances of customers come only where it asks */
  type?: string | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type CustomerGroupOf<Field extends keyof CustomerGroup> = Pick<CustomerGroup, 'id' | Field>

/** What filters of GET /customer-groups may name (D2.4), with the values each takes. */
export interface CustomerGroupColumns {
  id: number
  name: string
  system_type: 'default' | 'employee' | 'custom'
  created_at: Instant
  updated_at: Instant
  deleted_at: Instant
}

/** The query of GET /customer-groups. */
export interface CustomerGroupQuery<Field extends keyof CustomerGroup = keyof CustomerGroup> {
  filters?: readonly Filter<CustomerGroupColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
}

/** What may be included. */
export type CustomerRelated = 'details'

/** What `fields` may name; what is related only when it is included (D2.6). */
export type CustomerField<Related extends CustomerRelated> =
  | Exclude<
      keyof Customer,
      | 'cid'
      | 'code'
      | 'description'
      | 'gender'
      | 'date_of_birth'
      | 'spent'
      | 'receipt_count'
      | 'total_discount'
      | 'balance_id'
      | 'cashback_balance_id'
      | 'updated_at'
    >
  | {
      details:
        | 'cid'
        | 'code'
        | 'description'
        | 'gender'
        | 'date_of_birth'
        | 'spent'
        | 'receipt_count'
        | 'total_discount'
        | 'balance_id'
        | 'cashback_balance_id'
        | 'updated_at'
    }[Related]

/** Narrowed to the fields asked for; id in any case. An included array is there; another included member may have no value. */
export type CustomerOf<Related extends CustomerRelated, Field extends CustomerField<Related>> = Pick<
  Customer,
  'id' | Exclude<Field, never>
> &
  Required<Pick<Customer, Extract<Field, never>>>

/** What filters of GET /customers may name (D2.4), with the values each takes. */
export interface CustomerColumns {
  id: string
  name: string
  email: string
  group_id: number
  created_at: Instant
  updated_at: Instant
  phone: string
  phones: string
  code: string
  cid: string
  balance_id: number
  cashback_balance_id: number
}

/** The query of GET /customers. */
export interface CustomerQuery<
  Related extends CustomerRelated = never,
  Field extends CustomerField<Related> = CustomerField<Related>,
> {
  filters?: readonly Filter<CustomerColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  include?: readonly Related[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type CategoryOf<Field extends keyof Category> = Pick<Category, 'id' | Field>

/** What filters of GET /categories may name (D2.4), with the values each takes. */
export interface CategoryColumns {
  id: number
  name: string
  type: 'PRODUCT' | 'INGREDIENT'
  status: number
  position: number
  parent_id: number
  depth: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /categories. */
export interface CategoryQuery<Field extends keyof Category = keyof Category> {
  filters?: readonly Filter<CategoryColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'position' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
  /** Only those directly below this one. */
  parent_id?: number | undefined
  /** Only those of this type: PRODUCT or INGREDIENT. */
  type?: string | undefined
  /** Whether each comes with its whole subtree, and the list begins at the top level. */
  include_children?: boolean | undefined
  /** Whether inactive ones come too, also in subtrees. */
  include_inactive?: boolean | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type StationOf<Field extends keyof Station> = Pick<Station, 'id' | Field>

/** What filters of GET /stations may name (D2.4), with the values each takes. */
export interface StationColumns {
  id: number
  name: string
  status: number
  type: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /stations. */
export interface StationQuery<Field extends keyof Station = keyof Station> {
  filters?: readonly Filter<StationColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
  /** Only stations with this status: 1 active, 0 inactive. */
  status?: number | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type UnitOf<Field extends keyof Unit> = Pick<Unit, 'id' | Field>

/** What filters of GET /units may name (D2.4), with the values each takes. */
export interface UnitColumns {
  id: number
  name: string
}

/** The query of GET /units. */
export interface UnitQuery<Field extends keyof Unit = keyof Unit> {
  filters?: readonly Filter<UnitColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name'>[] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id. */
  after?: string | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type SaleTypeOf<Field extends keyof SaleType> = Pick<SaleType, 'id' | Field>

/** What filters of GET /sale-types may name (D2.4), with the values each takes. */
export interface SaleTypeColumns {
  id: number
  name: string
  system_type: 'IN' | 'DELIVERY' | 'TAKEAWAY'
  channel: 'IN' | 'DELIVERY' | 'TAKEAWAY'
  charge_tax_id: number
  position: number
  created_at: Instant
  updated_at: Instant
  status: number
}

/** The query of GET /sale-types. */
export interface SaleTypeQuery<Field extends keyof SaleType = keyof SaleType> {
  filters?: readonly Filter<SaleTypeColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'position' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type FinanceTaxOf<Field extends keyof FinanceTax> = Pick<FinanceTax, 'id' | Field>

/** What filters of GET /finance/taxes may name (D2.4), with the values each takes. */
export interface FinanceTaxColumns {
  id: number
  name: string
  rate: number
  included: boolean
  status: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /finance/taxes. */
export interface FinanceTaxQuery<Field extends keyof FinanceTax = keyof FinanceTax> {
  filters?: readonly Filter<FinanceTaxColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
}

/** The query of GET /finance/taxes/report. */
export interface FinanceTaxesReportQuery {
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** The query of GET /finance/taxes/total. */
export interface FinanceTaxesTotalQuery {
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** What may be included. */
export type ProductRelated = 'category' | 'station' | 'unit' | 'stop' | 'effective_price' | 'details'

/** What `fields` may name; what is related only when it is included (D2.6). */
export type ProductField<Related extends ProductRelated> =
  | Exclude<
      keyof Product,
      | 'category'
      | 'station'
      | 'unit'
      | 'stop'
      | 'effective_price'
      | 'parent_id'
      | 'category_id'
      | 'station_id'
      | 'unit_id'
      | 'barcode'
      | 'hidden'
      | 'position'
      | 'description'
      | 'sold_by_weight'
      | 'discountable'
      | 'giftable'
      | 'ignore_service_charge'
      | 'cooking_time'
      | 'low_stock'
      | 'takes'
      | 'deleted_at'
    >
  | {
      category: 'category'
      station: 'station'
      unit: 'unit'
      stop: 'stop'
      effective_price: 'effective_price'
      details:
        | 'parent_id'
        | 'category_id'
        | 'station_id'
        | 'unit_id'
        | 'barcode'
        | 'hidden'
        | 'position'
        | 'description'
        | 'sold_by_weight'
        | 'discountable'
        | 'giftable'
        | 'ignore_service_charge'
        | 'cooking_time'
        | 'low_stock'
        | 'takes'
        | 'deleted_at'
    }[Related]

/** Narrowed to the fields asked for; id, name, type in any case. An included array is there; another included member may have no value. */
export type ProductOf<Related extends ProductRelated, Field extends ProductField<Related>> = Pick<
  Product,
  'id' | 'name' | 'type' | Exclude<Field, 'takes'>
> &
  Required<Pick<Product, Extract<Field, 'takes'>>>

/** What filters of GET /products may name (D2.4), with the values each takes. */
export interface ProductColumns {
  id: number
  name: string
  full_name: string
  type: ProductType
  status: number
  price: number
  cost_price: number
  has_modifications: boolean
  parent_id: number
  barcode: string
  category_id: number
  station_id: number
  unit_id: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /products. */
export interface ProductQuery<
  Related extends ProductRelated = never,
  Field extends ProductField<Related> = ProductField<Related>,
> {
  filters?: readonly Filter<ProductColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  include?: readonly Related[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'price' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
  /** The sale type that effective_price is for, beside the active venue. */
  sale_type_id?: number | undefined
}

/** What may be included. */
export type PriceListRelated = 'prices'

/** What `fields` may name; what is related only when it is included (D2.6). */
export type PriceListField<Related extends PriceListRelated> =
  | Exclude<keyof PriceList, 'prices'>
  | { prices: 'prices' }[Related]

/** Narrowed to the fields asked for; id in any case. An included array is there; another included member may have no value. */
export type PriceListOf<Related extends PriceListRelated, Field extends PriceListField<Related>> = Pick<
  PriceList,
  'id' | Exclude<Field, 'prices'>
> &
  Required<Pick<PriceList, Extract<Field, 'prices'>>>

/** What filters of GET /price-lists may name (D2.4), with the values each takes. */
export interface PriceListColumns {
  id: number
  name: string
  status: boolean
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /price-lists. */
export interface PriceListQuery<
  Related extends PriceListRelated = never,
  Field extends PriceListField<Related> = PriceListField<Related>,
> {
  filters?: readonly Filter<PriceListColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  include?: readonly Related[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'created_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at. */
  after?: string | undefined
}

/** What may be included. */
export type PriceListsPricesRelated = 'product' | 'list'

/** What `fields` may name; what is related only when it is included (D2.6). */
export type PriceListsPricesField<Related extends PriceListsPricesRelated> =
  | Exclude<keyof Price, 'product' | 'list'>
  | { product: 'product'; list: 'list' }[Related]

/** Narrowed to the fields asked for; id in any case. An included array is there; another included member may have no value. */
export type PriceListsPricesOf<
  Related extends PriceListsPricesRelated,
  Field extends PriceListsPricesField<Related>,
> = Pick<Price, 'id' | Exclude<Field, never>> & Required<Pick<Price, Extract<Field, never>>>

/** What filters of GET /price-lists/prices may name (D2.4), with the values each takes. */
export interface PriceListsPricesColumns {
  id: number
  list_id: number
  product_id: number
  price: number
}

/** The query of GET /price-lists/prices. */
export interface PriceListsPricesQuery<
  Related extends PriceListsPricesRelated = never,
  Field extends PriceListsPricesField<Related> = PriceListsPricesField<Related>,
> {
  filters?: readonly Filter<PriceListsPricesColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  include?: readonly Related[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id'>[] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id. */
  after?: string | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type PaymentMethodOf<Field extends keyof PaymentMethod> = Pick<PaymentMethod, 'id' | Field>

/** What filters of GET /payment-methods may name (D2.4), with the values each takes. */
export interface PaymentMethodColumns {
  id: number
  name: string
  kind: 'CASH' | 'CARD' | 'CUSTOMER' | 'CASHBACK' | 'OTHER'
  position: number
  created_at: Instant
  updated_at: Instant
  status: number
}

/** The query of GET /payment-methods. */
export interface PaymentMethodQuery<Field extends keyof PaymentMethod = keyof PaymentMethod> {
  filters?: readonly Filter<PaymentMethodColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'position' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type TerminalOf<Field extends keyof Terminal> = Pick<Terminal, 'id' | Field>

/** What filters of GET /terminals may name (D2.4), with the values each takes. */
export interface TerminalColumns {
  id: number
  venue_id: number
  name: string
  status: number
}

/** The query of GET /terminals. */
export interface TerminalQuery<Field extends keyof Terminal = keyof Terminal> {
  filters?: readonly Filter<TerminalColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name'>[] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id. */
  after?: string | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type TableOf<Field extends keyof Table> = Pick<Table, 'id' | Field>

/** What filters of GET /tables may name (D2.4), with the values each takes. */
export interface TableColumns {
  id: number
  venue_id: number
  name: string
  status: number
}

/** The query of GET /tables. */
export interface TableQuery<Field extends keyof Table = keyof Table> {
  filters?: readonly Filter<TableColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name'>[] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id. */
  after?: string | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type StorageOf<Field extends keyof Storage> = Pick<Storage, 'id' | Field>

/** What filters of GET /storages may name (D2.4), with the values each takes. */
export interface StorageColumns {
  id: number
  venue_id: number
  name: string
  is_main: number
  status: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /storages. */
export interface StorageQuery<Field extends keyof Storage = keyof Storage> {
  filters?: readonly Filter<StorageColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type SupplierOf<Field extends keyof Supplier> = Pick<Supplier, 'id' | Field>

/** What filters of GET /suppliers may name (D2.4), with the values each takes. */
export interface SupplierColumns {
  id: number
  name: string
  phone: string
  email: string
  tax_id: string
  spent: number
  status: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /suppliers. */
export interface SupplierQuery<Field extends keyof Supplier = keyof Supplier> {
  filters?: readonly Filter<SupplierColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
}

/** What filters of GET /suppliers/total may name (D2.4), with the values each takes. */
export interface SuppliersTotalColumns {
  id: number
  name: string
  phone: string
  email: string
  tax_id: string
  spent: number
  status: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /suppliers/total. */
export interface SuppliersTotalQuery {
  filters?: readonly Filter<SuppliersTotalColumns>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type FinanceCategoryOf<Field extends keyof FinanceCategory> = Pick<FinanceCategory, 'id' | Field>

/** What filters of GET /finance/categories may name (D2.4), with the values each takes. */
export interface FinanceCategoryColumns {
  id: number
  name: string
  type: 'INCOME' | 'EXPENSE'
  system_type:
    | 'SALE'
    | 'REFUND'
    | 'SUPPLY'
    | 'CASH_IN'
    | 'CASH_OUT'
    | 'CASH_DIFFERENCE'
    | 'TOP_UP'
    | 'CASHBACK'
    | 'OPENING'
    | 'PAYOUT'
  parent_id: number
  status: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /finance/categories. */
export interface FinanceCategoryQuery<Field extends keyof FinanceCategory = keyof FinanceCategory> {
  filters?: readonly Filter<FinanceCategoryColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'name' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
}

/** The query of GET /products/stop-list. */
export interface ProductsStopListQuery {
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** What may be included. */
export type ReceiptRelated = 'receipt_products' | 'costs' | 'details'

/** What `fields` may name; what is related only when it is included (D2.6). */
export type ReceiptField<Related extends ReceiptRelated> =
  | Exclude<
      keyof Receipt,
      | 'receipt_products'
      | 'costs'
      | 'total_discount'
      | 'service_charge_value'
      | 'i_tax'
      | 'e_tax'
      | 'total_tax'
      | 'taxes'
      | 'paid'
      | 'remaining'
      | 'number'
      | 'shift_date'
      | 'cash_shift_id'
      | 'order_id'
      | 'parent_id'
      | 'table_id'
      | 'address'
      | 'description'
      | 'version'
    >
  | {
      receipt_products: 'receipt_products'
      costs: 'costs'
      details:
        | 'total_discount'
        | 'service_charge_value'
        | 'i_tax'
        | 'e_tax'
        | 'total_tax'
        | 'taxes'
        | 'paid'
        | 'remaining'
        | 'number'
        | 'shift_date'
        | 'cash_shift_id'
        | 'order_id'
        | 'parent_id'
        | 'table_id'
        | 'address'
        | 'description'
        | 'version'
    }[Related]

/** Narrowed to the fields asked for; id in any case. An included array is there; another included member may have no value. */
export type ReceiptOf<Related extends ReceiptRelated, Field extends ReceiptField<Related>> = Pick<
  Receipt,
  'id' | Exclude<Field, 'receipt_products' | 'taxes'>
> &
  Required<Pick<Receipt, Extract<Field, 'receipt_products' | 'taxes'>>>

/** What filters of GET /receipts may name (D2.4), with the values each takes. */
export interface ReceiptColumns {
  id: number
  venue_id: number
  cid: string
  user_id: number
  terminal_id: number
  source: string
  customer_id: string
  sale_type_id: number
  status: number
  total: number
  fiscal_id: string
  order_status: 'NEW' | 'SCHEDULED' | 'IN_PROGRESS' | 'READY' | 'PICKED_UP' | 'COMPLETED' | 'CANCELLED'
  order_number: string
  shift_date: string
  order_id: number
  table_id: number
  parent_id: number
  cash_shift_id: string
  created_at: Instant
  updated_at: Instant
  closed_at: Instant
  deleted_at: Instant
}

/** The query of GET /receipts. */
export interface ReceiptQuery<
  Related extends ReceiptRelated = never,
  Field extends ReceiptField<Related> = ReceiptField<Related>,
> {
  filters?: readonly Filter<ReceiptColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  include?: readonly Related[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'created_at' | 'updated_at' | 'closed_at' | 'total'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type ReceiptsStockOperationsOf<Field extends keyof StockOperation> = Pick<StockOperation, 'id' | Field>

/** What filters of GET /receipts/{id}/stock-operations may name (D2.4), with the values each takes. */
export interface ReceiptsStockOperationsColumns {
  id: number
  venue_id: number
  stock_id: number
  storage_id: number
  receipt_id: number
  receipt_product_id: number
  product_id: number
  modificator_id: number
  operation_id: number
  operation_item_id: number
  parent_id: number
  unit_id: number
  quantity: number
  before_quantity: number
  after_quantity: number
  before: number
  after: number
  total_cost: number
  operated_at: Instant
}

/** The query of GET /receipts/{id}/stock-operations. */
export interface ReceiptsStockOperationsQuery<Field extends keyof StockOperation = keyof StockOperation> {
  filters?: readonly Filter<ReceiptsStockOperationsColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'operated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, operated_at. */
  after?: string | undefined
}

/** What may be included. */
export type OrderRelated = 'receipt'

/** What `fields` may name; what is related only when it is included (D2.6). */
export type OrderField<Related extends OrderRelated> = Exclude<keyof Order, 'receipt'> | { receipt: 'receipt' }[Related]

/** Narrowed to the fields asked for; id in any case. An included array is there; another included member may have no value. */
export type OrderOf<Related extends OrderRelated, Field extends OrderField<Related>> = Pick<
  Order,
  'id' | Exclude<Field, never>
> &
  Required<Pick<Order, Extract<Field, never>>>

/** What filters of GET /orders may name (D2.4), with the values each takes. */
export interface OrderColumns {
  id: number
  venue_id: number
  status: 'PENDING' | 'RECEIVED' | 'IGNORE' | 'DELIVERED'
  order_number: string
  integration_uuid: string
  sale_type_id: number
  customer_id: string
  table_id: number
  receipt_id: number
  scheduled_at: Instant
  expires_at: Instant
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /orders. */
export interface OrderQuery<
  Related extends OrderRelated = never,
  Field extends OrderField<Related> = OrderField<Related>,
> {
  filters?: readonly Filter<OrderColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  include?: readonly Related[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
  /** Only orders with this status. */
  status?: string | undefined
}

/** What may be included. */
export type OperationRelated = 'items' | 'supplier' | 'storage'

/** What `fields` may name; what is related only when it is included (D2.6). */
export type OperationField<Related extends OperationRelated> =
  | Exclude<keyof Operation, 'items' | 'supplier' | 'storage'>
  | { items: 'items'; supplier: 'supplier'; storage: 'storage' }[Related]

/** Narrowed to the fields asked for; id in any case. An included array is there; another included member may have no value. */
export type OperationOf<Related extends OperationRelated, Field extends OperationField<Related>> = Pick<
  Operation,
  'id' | Exclude<Field, 'items'>
> &
  Required<Pick<Operation, Extract<Field, 'items'>>>

/** What filters of GET /operations may name (D2.4), with the values each takes. */
export interface OperationColumns {
  id: number
  venue_id: number
  type: number
  status: number
  number: number
  storage_id: number
  to_storage_id: number
  supplier_id: number
  user_id: number
  total_cost: number
  document_date: Instant
  published_at: Instant
  reverses_id: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /operations. */
export interface OperationQuery<
  Related extends OperationRelated = never,
  Field extends OperationField<Related> = OperationField<Related>,
> {
  filters?: readonly Filter<OperationColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  include?: readonly Related[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'number' | 'document_date' | 'created_at' | 'updated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, created_at, updated_at ascending. */
  after?: string | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type OperationsItemsOf<Field extends keyof OperationItem> = Pick<OperationItem, 'id' | Field>

/** What filters of GET /operations/{id}/items may name (D2.4), with the values each takes. */
export interface OperationsItemsColumns {
  id: number
  venue_id: number
  operation_id: number
  product_id: number
  quantity: number
  total_cost: number
}

/** The query of GET /operations/{id}/items. */
export interface OperationsItemsQuery<Field extends keyof OperationItem = keyof OperationItem> {
  filters?: readonly Filter<OperationsItemsColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id'>[] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id. */
  after?: string | undefined
}

/** What filters of GET /operations/total may name (D2.4), with the values each takes. */
export interface OperationsTotalColumns {
  id: number
  venue_id: number
  type: number
  status: number
  number: number
  storage_id: number
  to_storage_id: number
  supplier_id: number
  user_id: number
  total_cost: number
  document_date: Instant
  published_at: Instant
  reverses_id: number
  created_at: Instant
  updated_at: Instant
}

/** The query of GET /operations/total. */
export interface OperationsTotalQuery {
  filters?: readonly Filter<OperationsTotalColumns>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type OperationItemOf<Field extends keyof OperationItem> = Pick<OperationItem, 'id' | Field>

/** What filters of GET /operation-items may name (D2.4), with the values each takes. */
export interface OperationItemColumns {
  id: number
  venue_id: number
  operation_id: number
  product_id: number
  quantity: number
  total_cost: number
}

/** The query of GET /operation-items. */
export interface OperationItemQuery<Field extends keyof OperationItem = keyof OperationItem> {
  filters?: readonly Filter<OperationItemColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id'>[] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id. */
  after?: string | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** What filters of GET /operation-items/total may name (D2.4), with the values each takes. */
export interface OperationItemsTotalColumns {
  id: number
  venue_id: number
  operation_id: number
  product_id: number
  quantity: number
  total_cost: number
}

/** The query of GET /operation-items/total. */
export interface OperationItemsTotalQuery {
  filters?: readonly Filter<OperationItemsTotalColumns>[] | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type StockOf<Field extends keyof Stock> = Pick<Stock, 'id' | Field>

/** What filters of GET /stock may name (D2.4), with the values each takes. */
export interface StockColumns {
  id: number
  venue_id: number
  storage_id: number
  product_id: number
  updated_at: Instant
  unit_id: number
  quantity: number
}

/** The query of GET /stock. */
export interface StockQuery<Field extends keyof Stock = keyof Stock> {
  filters?: readonly Filter<StockColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'updated_at'>[] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, updated_at ascending. */
  after?: string | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** What filters of GET /stock/total may name (D2.4), with the values each takes. */
export interface StockTotalColumns {
  id: number
  venue_id: number
  storage_id: number
  product_id: number
  updated_at: Instant
  unit_id: number
  quantity: number
}

/** The query of GET /stock/total. */
export interface StockTotalQuery {
  filters?: readonly Filter<StockTotalColumns>[] | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** What filters of GET /stock/info may name (D2.4), with the values each takes. */
export interface StockInfoColumns {
  id: number
  venue_id: number
  storage_id: number
  product_id: number
  updated_at: Instant
  unit_id: number
  quantity: number
}

/** The query of GET /stock/info. */
export interface StockInfoQuery {
  filters?: readonly Filter<StockInfoColumns>[] | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** Narrowed to the fields asked for; product_id in any case. */
export type StockProductOf<Field extends keyof ProductStock> = Pick<ProductStock, 'product_id' | Field>

/** What filters of GET /stock/product may name (D2.4), with the values each takes. */
export interface StockProductColumns {
  id: number
  venue_id: number
  storage_id: number
  product_id: number
  updated_at: Instant
  unit_id: number
  quantity: number
  name: string
}

/** The query of GET /stock/product. */
export interface StockProductQuery<Field extends keyof ProductStock = keyof ProductStock> {
  filters?: readonly Filter<StockProductColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'product_id' | 'name'>[] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: product_id. */
  after?: string | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** Narrowed to the fields asked for; category_id in any case. */
export type StockProductGroupOf<Field extends keyof CategoryStock> = Pick<CategoryStock, 'category_id' | Field>

/** What filters of GET /stock/product-group may name (D2.4), with the values each takes. */
export interface StockProductGroupColumns {
  id: number
  venue_id: number
  storage_id: number
  product_id: number
  updated_at: Instant
  unit_id: number
  quantity: number
  category_id: number
  name: string
}

/** The query of GET /stock/product-group. */
export interface StockProductGroupQuery<Field extends keyof CategoryStock = keyof CategoryStock> {
  filters?: readonly Filter<StockProductGroupColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'category_id' | 'name'>[] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: category_id. */
  after?: string | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type StockOperationOf<Field extends keyof StockOperation> = Pick<StockOperation, 'id' | Field>

/** What filters of GET /stock-operations may name (D2.4), with the values each takes. */
export interface StockOperationColumns {
  id: number
  venue_id: number
  stock_id: number
  storage_id: number
  receipt_id: number
  receipt_product_id: number
  product_id: number
  modificator_id: number
  operation_id: number
  operation_item_id: number
  parent_id: number
  unit_id: number
  quantity: number
  before_quantity: number
  after_quantity: number
  before: number
  after: number
  total_cost: number
  operated_at: Instant
}

/** The query of GET /stock-operations. */
export interface StockOperationQuery<Field extends keyof StockOperation = keyof StockOperation> {
  filters?: readonly Filter<StockOperationColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'operated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, operated_at. */
  after?: string | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** What filters of GET /stock-operations/total may name (D2.4), with the values each takes. */
export interface StockOperationsTotalColumns {
  id: number
  venue_id: number
  stock_id: number
  storage_id: number
  receipt_id: number
  receipt_product_id: number
  product_id: number
  modificator_id: number
  operation_id: number
  operation_item_id: number
  parent_id: number
  unit_id: number
  quantity: number
  before_quantity: number
  after_quantity: number
  before: number
  after: number
  total_cost: number
  operated_at: Instant
}

/** The query of GET /stock-operations/total. */
export interface StockOperationsTotalQuery {
  filters?: readonly Filter<StockOperationsTotalColumns>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** Narrowed to the fields asked for; product_id in any case. */
export type StockOperationsProductsOf<Field extends keyof ProductMovements> = Pick<
  ProductMovements,
  'product_id' | Field
>

/** What filters of GET /stock-operations/products may name (D2.4), with the values each takes. */
export interface StockOperationsProductsColumns {
  id: number
  venue_id: number
  stock_id: number
  storage_id: number
  receipt_id: number
  receipt_product_id: number
  product_id: number
  modificator_id: number
  operation_id: number
  operation_item_id: number
  parent_id: number
  unit_id: number
  quantity: number
  before_quantity: number
  after_quantity: number
  before: number
  after: number
  total_cost: number
  operated_at: Instant
  name: string
}

/** The query of GET /stock-operations/products. */
export interface StockOperationsProductsQuery<Field extends keyof ProductMovements = keyof ProductMovements> {
  filters?: readonly Filter<StockOperationsProductsColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'product_id' | 'name'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: product_id. */
  after?: string | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type CashShiftOf<Field extends keyof CashShift> = Pick<CashShift, 'id' | Field>

/** What filters of GET /finance/cash-shifts may name (D2.4), with the values each takes. */
export interface CashShiftColumns {
  id: string
  venue_id: number
  terminal_id: number
  number: number
  status: 'OPEN' | 'CLOSED'
  opened_at: Instant
  opened_by: number
  opening_amount: number
  expected_amount: number
  receipts: number
  closed_at: Instant
  closed_by: number
  shift_date: string
}

/** The query of GET /finance/cash-shifts. */
export interface CashShiftQuery<Field extends keyof CashShift = keyof CashShift> {
  filters?: readonly Filter<CashShiftColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'opened_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, opened_at. */
  after?: string | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** Narrowed to the fields asked for; id in any case. */
export type TransactionOf<Field extends keyof Transaction> = Pick<Transaction, 'id' | Field>

/** What filters of GET /finance/transactions may name (D2.4), with the values each takes. */
export interface TransactionColumns {
  id: number
  venue_id: number
  balance_id: number
  category_id: number
  amount: number
  before_amount: number
  after_amount: number
  receipt_id: number
  operation_id: number
  customer_id: string
  supplier_id: number
  cash_shift_id: string
  user_id: number
  operated_at: Instant
}

/** The query of GET /finance/transactions. */
export interface TransactionQuery<Field extends keyof Transaction = keyof Transaction> {
  filters?: readonly Filter<TransactionColumns>[] | undefined
  /** Members to return; some come in any case. */
  fields?: readonly Field[] | undefined
  /** The id is always the last key. */
  sort?: readonly Sort<'id' | 'operated_at'>[] | undefined
  /** Both ends included; a date is that whole day in UTC. */
  date?: readonly [from: Instant | undefined, to?: Instant | undefined] | undefined
  /** Page number. A page past the last one is empty. */
  page?: number | undefined
  /** Page size. Also named per_page, page_size. */
  limit?: number | undefined
  /** Walks the whole list instead of paging it: empty to start, then the `pagination.next` of the answer before, until that is null. Rows that are added or changed meanwhile make it skip and repeat none. The same filters, sort and venue each time; no page. Sorts that a walk knows: id, operated_at. */
  after?: string | undefined
}

/** The query of GET /events. */
export interface EventQuery {
  include?: readonly string[] | undefined
  /** oldest, latest, or the next of an earlier answer; needed unless since is given */
  after?: string | undefined
  /** Instead of after: events from this time on */
  since?: Instant | undefined
  /** At most 64, with commas between: product.updated, product.*, menu.* or * */
  types?: string | undefined
  /** At most 64 ids, with commas between; absent: x-venue, else every venue that one may enter */
  venues?: string | undefined
  /** At most 200 with include=object */
  limit?: number | undefined
  /** Seconds that the answer may be held until there is something */
  wait?: number | undefined
}

/** One of GET /events/types. */
export type EventsTypesItem = { type: string; about: string; permission: string; venue: boolean; allowed: boolean }

export interface VenuesMethods {
  /** List venues (GET /venues). */
  list<Field extends keyof Venue = keyof Venue>(
    query: VenueQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<VenueOf<Field>>
  list<Field extends keyof Venue = keyof Venue>(
    query?: VenueQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<VenueOf<Field>>
}

export interface UsersMethods {
  /** List users (GET /users). */
  list<Field extends keyof User = keyof User>(
    query: UserQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<UserOf<Field>>
  list<Field extends keyof User = keyof User>(
    query?: UserQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<UserOf<Field>>
  /** Read one user (GET /users/{id}). */
  get(id: number, options?: CallOptions): Promise<User>
}

export interface FinanceBalancesMethods {
  /** List balances (GET /finance/balances). */
  list<Field extends keyof FinanceBalance = keyof FinanceBalance>(
    query: FinanceBalanceQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<FinanceBalanceOf<Field>>
  list<Field extends keyof FinanceBalance = keyof FinanceBalance>(
    query?: FinanceBalanceQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<FinanceBalanceOf<Field>>
  /** Read one balance (GET /finance/balances/{id}). */
  get(id: number, options?: CallOptions): Promise<FinanceBalance>
  /** List all accounts (GET /finance/balances/list). */
  getList(query?: FinanceBalancesGetListQuery, options?: CallOptions): Promise<FinanceBalance[]>
  /** List balances of customers (GET /finance/balances/customer). */
  customer<Field extends keyof FinanceBalance = keyof FinanceBalance>(
    query: FinanceBalancesCustomerQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<FinanceBalancesCustomerOf<Field>>
  customer<Field extends keyof FinanceBalance = keyof FinanceBalance>(
    query?: FinanceBalancesCustomerQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<FinanceBalancesCustomerOf<Field>>
  /** List what balances moved (GET /finance/balances/transactions). */
  transactions<Field extends keyof BalanceMovements = keyof BalanceMovements>(
    query: FinanceBalancesTransactionsQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<FinanceBalancesTransactionsOf<Field>>
  transactions<Field extends keyof BalanceMovements = keyof BalanceMovements>(
    query?: FinanceBalancesTransactionsQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<FinanceBalancesTransactionsOf<Field>>
  /** List amounts by day (GET /finance/balances/date-states). */
  dateStates<Field extends keyof BalanceDateState = keyof BalanceDateState>(
    query: FinanceBalancesDateStatesQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<FinanceBalancesDateStatesOf<Field>>
  dateStates<Field extends keyof BalanceDateState = keyof BalanceDateState>(
    query?: FinanceBalancesDateStatesQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<FinanceBalancesDateStatesOf<Field>>
}

export interface FinanceTaxesMethods {
  /** List taxes (GET /finance/taxes). */
  list<Field extends keyof FinanceTax = keyof FinanceTax>(
    query: FinanceTaxQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<FinanceTaxOf<Field>>
  list<Field extends keyof FinanceTax = keyof FinanceTax>(
    query?: FinanceTaxQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<FinanceTaxOf<Field>>
  /** Read one tax (GET /finance/taxes/{id}). */
  get(id: number, options?: CallOptions): Promise<FinanceTax>
  /** List the types of taxes (GET /finance/taxes/types). */
  types(query?: Record<string, never>, options?: CallOptions): Promise<TaxType[]>
  /** Read what was taxed, by tax (GET /finance/taxes/report). */
  report(query?: FinanceTaxesReportQuery, options?: CallOptions): Promise<TaxReport>
  /** Sum up what was taxed (GET /finance/taxes/total). */
  total(query?: FinanceTaxesTotalQuery, options?: CallOptions): Promise<TaxTotal>
}

export interface FinanceCategoriesMethods {
  /** List finance categories (GET /finance/categories). */
  list<Field extends keyof FinanceCategory = keyof FinanceCategory>(
    query: FinanceCategoryQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<FinanceCategoryOf<Field>>
  list<Field extends keyof FinanceCategory = keyof FinanceCategory>(
    query?: FinanceCategoryQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<FinanceCategoryOf<Field>>
  /** Read one finance category (GET /finance/categories/{id}). */
  get(id: number, options?: CallOptions): Promise<FinanceCategory>
}

export interface FinanceCashShiftsMethods {
  /** List cash shifts (GET /finance/cash-shifts). */
  list<Field extends keyof CashShift = keyof CashShift>(
    query: CashShiftQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<CashShiftOf<Field>>
  list<Field extends keyof CashShift = keyof CashShift>(
    query?: CashShiftQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<CashShiftOf<Field>>
  /** Read one cash shift (GET /finance/cash-shifts/{id}). */
  get(id: string, options?: CallOptions): Promise<CashShift>
  /** Read the report of a cash shift (GET /finance/cash-shifts/{id}/report). */
  report(id: string, options?: CallOptions): Promise<CashShiftReport>
}

export interface FinanceTransactionsMethods {
  /** List transactions (GET /finance/transactions). */
  list<Field extends keyof Transaction = keyof Transaction>(
    query: TransactionQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<TransactionOf<Field>>
  list<Field extends keyof Transaction = keyof Transaction>(
    query?: TransactionQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<TransactionOf<Field>>
  /** Read one transaction (GET /finance/transactions/{id}). */
  get(id: number, options?: CallOptions): Promise<Transaction>
}

export interface FinanceMethods {
  readonly balances: FinanceBalancesMethods
  readonly taxes: FinanceTaxesMethods
  readonly categories: FinanceCategoriesMethods
  readonly cashShifts: FinanceCashShiftsMethods
  readonly transactions: FinanceTransactionsMethods
}

export interface CustomerGroupsMethods {
  /** List customer groups (GET /customer-groups). */
  list<Field extends keyof CustomerGroup = keyof CustomerGroup>(
    query: CustomerGroupQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<CustomerGroupOf<Field>>
  list<Field extends keyof CustomerGroup = keyof CustomerGroup>(
    query?: CustomerGroupQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<CustomerGroupOf<Field>>
}

export interface CustomersMethods {
  /** List customers (GET /customers). */
  list<Related extends CustomerRelated = never, Field extends CustomerField<Related> = CustomerField<Related>>(
    query: CustomerQuery<Related, Field> & { after: string },
    options?: CallOptions,
  ): Walk<CustomerOf<Related, Field>>
  list<Related extends CustomerRelated = never, Field extends CustomerField<Related> = CustomerField<Related>>(
    query?: CustomerQuery<Related, Field> & { after?: undefined },
    options?: CallOptions,
  ): List<CustomerOf<Related, Field>>
  /** Create a customer (POST /customers). */
  create(customer: NewCustomer, options?: WriteOptions): Promise<Customer>
  /** Read one customer (GET /customers/{id}). */
  get(id: string, options?: CallOptions & { include?: readonly string[] | undefined }): Promise<Customer>
}

export interface CategoriesMethods {
  /** List categories (GET /categories). */
  list<Field extends keyof Category = keyof Category>(
    query: CategoryQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<CategoryOf<Field>>
  list<Field extends keyof Category = keyof Category>(
    query?: CategoryQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<CategoryOf<Field>>
  /** Read one category (GET /categories/{id}). */
  get(
    id: number,
    options?: CallOptions & { include_children?: boolean | undefined; include_inactive?: boolean | undefined },
  ): Promise<Category>
}

export interface StationsMethods {
  /** List stations (GET /stations). */
  list<Field extends keyof Station = keyof Station>(
    query: StationQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<StationOf<Field>>
  list<Field extends keyof Station = keyof Station>(
    query?: StationQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<StationOf<Field>>
  /** Read one station (GET /stations/{id}). */
  get(id: number, options?: CallOptions): Promise<Station>
}

export interface UnitsMethods {
  /** List units (GET /units). */
  list<Field extends keyof Unit = keyof Unit>(
    query: UnitQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<UnitOf<Field>>
  list<Field extends keyof Unit = keyof Unit>(
    query?: UnitQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<UnitOf<Field>>
}

export interface SaleTypesMethods {
  /** List sale types (GET /sale-types). */
  list<Field extends keyof SaleType = keyof SaleType>(
    query: SaleTypeQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<SaleTypeOf<Field>>
  list<Field extends keyof SaleType = keyof SaleType>(
    query?: SaleTypeQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<SaleTypeOf<Field>>
}

export interface ProductsMethods {
  /** List products (GET /products). */
  list<Related extends ProductRelated = never, Field extends ProductField<Related> = ProductField<Related>>(
    query: ProductQuery<Related, Field> & { after: string },
    options?: CallOptions,
  ): Walk<ProductOf<Related, Field>>
  list<Related extends ProductRelated = never, Field extends ProductField<Related> = ProductField<Related>>(
    query?: ProductQuery<Related, Field> & { after?: undefined },
    options?: CallOptions,
  ): List<ProductOf<Related, Field>>
  /** Read one product (GET /products/{id}). */
  get(
    id: number,
    options?: CallOptions & { include?: readonly string[] | undefined; sale_type_id?: number | undefined },
  ): Promise<Product>
  /** List what is sold out or running out (GET /products/stop-list). */
  stopList(query?: ProductsStopListQuery, options?: CallOptions): Promise<StopListEntry[]>
}

export interface PriceListsMethods {
  /** List price lists (GET /price-lists). */
  list<Related extends PriceListRelated = never, Field extends PriceListField<Related> = PriceListField<Related>>(
    query: PriceListQuery<Related, Field> & { after: string },
    options?: CallOptions,
  ): Walk<PriceListOf<Related, Field>>
  list<Related extends PriceListRelated = never, Field extends PriceListField<Related> = PriceListField<Related>>(
    query?: PriceListQuery<Related, Field> & { after?: undefined },
    options?: CallOptions,
  ): List<PriceListOf<Related, Field>>
  /** List prices (GET /price-lists/prices). */
  prices<
    Related extends PriceListsPricesRelated = never,
    Field extends PriceListsPricesField<Related> = PriceListsPricesField<Related>,
  >(
    query: PriceListsPricesQuery<Related, Field> & { after: string },
    options?: CallOptions,
  ): Walk<PriceListsPricesOf<Related, Field>>
  prices<
    Related extends PriceListsPricesRelated = never,
    Field extends PriceListsPricesField<Related> = PriceListsPricesField<Related>,
  >(
    query?: PriceListsPricesQuery<Related, Field> & { after?: undefined },
    options?: CallOptions,
  ): List<PriceListsPricesOf<Related, Field>>
}

export interface PaymentMethodsMethods {
  /** List payment methods (GET /payment-methods). */
  list<Field extends keyof PaymentMethod = keyof PaymentMethod>(
    query: PaymentMethodQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<PaymentMethodOf<Field>>
  list<Field extends keyof PaymentMethod = keyof PaymentMethod>(
    query?: PaymentMethodQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<PaymentMethodOf<Field>>
}

export interface TerminalsMethods {
  /** List terminals (GET /terminals). */
  list<Field extends keyof Terminal = keyof Terminal>(
    query: TerminalQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<TerminalOf<Field>>
  list<Field extends keyof Terminal = keyof Terminal>(
    query?: TerminalQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<TerminalOf<Field>>
}

export interface TablesMethods {
  /** List tables (GET /tables). */
  list<Field extends keyof Table = keyof Table>(
    query: TableQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<TableOf<Field>>
  list<Field extends keyof Table = keyof Table>(
    query?: TableQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<TableOf<Field>>
}

export interface StoragesMethods {
  /** List storages (GET /storages). */
  list<Field extends keyof Storage = keyof Storage>(
    query: StorageQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<StorageOf<Field>>
  list<Field extends keyof Storage = keyof Storage>(
    query?: StorageQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<StorageOf<Field>>
  /** Read one storage (GET /storages/{id}). */
  get(id: number, options?: CallOptions): Promise<Storage>
}

export interface SuppliersMethods {
  /** List suppliers (GET /suppliers). */
  list<Field extends keyof Supplier = keyof Supplier>(
    query: SupplierQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<SupplierOf<Field>>
  list<Field extends keyof Supplier = keyof Supplier>(
    query?: SupplierQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<SupplierOf<Field>>
  /** Read one supplier (GET /suppliers/{id}). */
  get(id: number, options?: CallOptions): Promise<Supplier>
  /** Sum up suppliers (GET /suppliers/total). */
  total(query?: SuppliersTotalQuery, options?: CallOptions): Promise<SupplierTotal>
}

export interface ReceiptsMethods {
  /** List receipts (GET /receipts). */
  list<Related extends ReceiptRelated = never, Field extends ReceiptField<Related> = ReceiptField<Related>>(
    query: ReceiptQuery<Related, Field> & { after: string },
    options?: CallOptions,
  ): Walk<ReceiptOf<Related, Field>>
  list<Related extends ReceiptRelated = never, Field extends ReceiptField<Related> = ReceiptField<Related>>(
    query?: ReceiptQuery<Related, Field> & { after?: undefined },
    options?: CallOptions,
  ): List<ReceiptOf<Related, Field>>
  /** Read one receipt (GET /receipts/{id}). */
  get(id: number, options?: CallOptions & { include?: readonly string[] | undefined }): Promise<ReceiptWithCalculation>
  /** Change labels of a receipt (PATCH /receipts/{id}). */
  update(
    id: number,
    receiptPatch: ReceiptPatch,
    options?: WriteOptions & { ifMatch?: string | undefined },
  ): Promise<Receipt>
  /** Read one receipt by its cid (GET /receipts/cid/{cid}). */
  byCid(
    cid: string,
    options?: CallOptions & { include?: readonly string[] | undefined },
  ): Promise<ReceiptWithCalculation>
  /** Close a receipt with its payments (POST /receipts/{id}/close). */
  close(
    id: number,
    receiptClosing: ReceiptClosing,
    options?: WriteOptions & { ifMatch?: string | undefined },
  ): Promise<Receipt>
  /** List the stock movements of a receipt (GET /receipts/{id}/stock-operations). */
  stockOperations<Field extends keyof StockOperation = keyof StockOperation>(
    id: number,
    query: ReceiptsStockOperationsQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<ReceiptsStockOperationsOf<Field>>
  stockOperations<Field extends keyof StockOperation = keyof StockOperation>(
    id: number,
    query?: ReceiptsStockOperationsQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<ReceiptsStockOperationsOf<Field>>
}

export interface OrdersMethods {
  /** List orders (GET /orders). */
  list<Related extends OrderRelated = never, Field extends OrderField<Related> = OrderField<Related>>(
    query: OrderQuery<Related, Field> & { after: string },
    options?: CallOptions,
  ): Walk<OrderOf<Related, Field>>
  list<Related extends OrderRelated = never, Field extends OrderField<Related> = OrderField<Related>>(
    query?: OrderQuery<Related, Field> & { after?: undefined },
    options?: CallOptions,
  ): List<OrderOf<Related, Field>>
  /** Place an order (POST /orders). */
  create(order: NewOrder, options?: WriteOptions & { dry_run?: '0' | '1' | undefined }): Promise<PlacedOrder>
  /** Read one order (GET /orders/{id}). */
  get(id: number, options?: CallOptions & { include?: readonly string[] | undefined }): Promise<Order>
  /** Take an order back (PUT /orders/{id}). */
  update(id: number, orderChange: OrderChange, options?: WriteOptions): Promise<Order>
}

export interface WaiterCallMethods {
  /** Call a waiter to a table (POST /waiter-call). */
  create(waiterCall: NewWaiterCall, options?: WriteOptions): Promise<WaiterCall>
}

export interface OperationsMethods {
  /** List operations (GET /operations). */
  list<Related extends OperationRelated = never, Field extends OperationField<Related> = OperationField<Related>>(
    query: OperationQuery<Related, Field> & { after: string },
    options?: CallOptions,
  ): Walk<OperationOf<Related, Field>>
  list<Related extends OperationRelated = never, Field extends OperationField<Related> = OperationField<Related>>(
    query?: OperationQuery<Related, Field> & { after?: undefined },
    options?: CallOptions,
  ): List<OperationOf<Related, Field>>
  /** Write a stock document (POST /operations). */
  create(operation: NewOperation, options?: WriteOptions): Promise<Operation>
  /** Read one operation (GET /operations/{id}). */
  get(id: number, options?: CallOptions & { include?: readonly string[] | undefined }): Promise<Operation>
  /** Change a draft (PATCH /operations/{id}). */
  update(id: number, operationChange: OperationChange, options?: WriteOptions): Promise<Operation>
  /** Delete a draft (DELETE /operations/{id}). */
  delete(id: number, options?: WriteOptions): Promise<Operation>
  /** Publish a draft (POST /operations/{id}/publish). */
  publish(id: number, options?: WriteOptions): Promise<Operation>
  /** Reverse a published document (POST /operations/{id}/reverse). */
  reverse(id: number, options?: WriteOptions): Promise<Operation>
  /** List the states of stock documents (GET /operations/statuses). */
  statuses(query?: Record<string, never>, options?: CallOptions): Promise<OperationStatus[]>
  /** List the items of a stock document (GET /operations/{id}/items). */
  items<Field extends keyof OperationItem = keyof OperationItem>(
    id: number,
    query: OperationsItemsQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<OperationsItemsOf<Field>>
  items<Field extends keyof OperationItem = keyof OperationItem>(
    id: number,
    query?: OperationsItemsQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<OperationsItemsOf<Field>>
  /** Sum up stock documents (GET /operations/total). */
  total(query?: OperationsTotalQuery, options?: CallOptions): Promise<OperationTotal>
}

export interface OperationItemsMethods {
  /** List operation items (GET /operation-items). */
  list<Field extends keyof OperationItem = keyof OperationItem>(
    query: OperationItemQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<OperationItemOf<Field>>
  list<Field extends keyof OperationItem = keyof OperationItem>(
    query?: OperationItemQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<OperationItemOf<Field>>
  /** Sum up items of stock documents (GET /operation-items/total). */
  total(query?: OperationItemsTotalQuery, options?: CallOptions): Promise<OperationItemTotal>
}

export interface StockMethods {
  /** List stock (GET /stock). */
  list<Field extends keyof Stock = keyof Stock>(
    query: StockQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<StockOf<Field>>
  list<Field extends keyof Stock = keyof Stock>(
    query?: StockQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<StockOf<Field>>
  /** Read one stock (GET /stock/{id}). */
  get(id: number, options?: CallOptions): Promise<Stock>
  /** Sum up stock (GET /stock/total). */
  total(query?: StockTotalQuery, options?: CallOptions): Promise<StockTotal>
  /** Count what is running out (GET /stock/info). */
  info(query?: StockInfoQuery, options?: CallOptions): Promise<StockInfo>
  /** List stock by product (GET /stock/product). */
  product<Field extends keyof ProductStock = keyof ProductStock>(
    query: StockProductQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<StockProductOf<Field>>
  product<Field extends keyof ProductStock = keyof ProductStock>(
    query?: StockProductQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<StockProductOf<Field>>
  /** List stock by category (GET /stock/product-group). */
  productGroup<Field extends keyof CategoryStock = keyof CategoryStock>(
    query: StockProductGroupQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<StockProductGroupOf<Field>>
  productGroup<Field extends keyof CategoryStock = keyof CategoryStock>(
    query?: StockProductGroupQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<StockProductGroupOf<Field>>
}

export interface StockOperationsMethods {
  /** List stock movements (GET /stock-operations). */
  list<Field extends keyof StockOperation = keyof StockOperation>(
    query: StockOperationQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<StockOperationOf<Field>>
  list<Field extends keyof StockOperation = keyof StockOperation>(
    query?: StockOperationQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<StockOperationOf<Field>>
  /** Read one stock movement (GET /stock-operations/{id}). */
  get(id: number, options?: CallOptions): Promise<StockOperation>
  /** Sum up stock movements (GET /stock-operations/total). */
  total(query?: StockOperationsTotalQuery, options?: CallOptions): Promise<StockOperationTotal>
  /** List stock movements by product (GET /stock-operations/products). */
  products<Field extends keyof ProductMovements = keyof ProductMovements>(
    query: StockOperationsProductsQuery<Field> & { after: string },
    options?: CallOptions,
  ): Walk<StockOperationsProductsOf<Field>>
  products<Field extends keyof ProductMovements = keyof ProductMovements>(
    query?: StockOperationsProductsQuery<Field> & { after?: undefined },
    options?: CallOptions,
  ): List<StockOperationsProductsOf<Field>>
}

export interface EventsMethods {
  /** Read the change feed (GET /events). */
  list(
    query?: EventQuery,
    options?: CallOptions,
  ): Promise<{ success: boolean; data: Event[]; next: string; more: boolean }>
  /** List the types of events (GET /events/types). */
  types(query?: Record<string, never>, options?: CallOptions): Promise<EventsTypesItem[]>
  /** Read one event (GET /events/{id}). */
  get(id: string, options?: CallOptions & { include?: readonly string[] | undefined }): Promise<Event>
}

/** Every operation of the API. */
export class Resources {
  readonly venues: VenuesMethods
  readonly users: UsersMethods
  readonly finance: FinanceMethods
  readonly customerGroups: CustomerGroupsMethods
  readonly customers: CustomersMethods
  readonly categories: CategoriesMethods
  readonly stations: StationsMethods
  readonly units: UnitsMethods
  readonly saleTypes: SaleTypesMethods
  readonly products: ProductsMethods
  readonly priceLists: PriceListsMethods
  readonly paymentMethods: PaymentMethodsMethods
  readonly terminals: TerminalsMethods
  readonly tables: TablesMethods
  readonly storages: StoragesMethods
  readonly suppliers: SuppliersMethods
  readonly receipts: ReceiptsMethods
  readonly orders: OrdersMethods
  readonly waiterCall: WaiterCallMethods
  readonly operations: OperationsMethods
  readonly operationItems: OperationItemsMethods
  readonly stock: StockMethods
  readonly stockOperations: StockOperationsMethods
  readonly events: EventsMethods
  /** What this token stands for (GET /whoami). */
  readonly whoami: (query?: Record<string, never>, options?: CallOptions) => Promise<WhoAmI>

  /** @internal */
  constructor(http: Http) {
    const at = operations(http)
    this.venues = { list: at.list('/venues') }
    this.users = { list: at.list('/users'), get: at.send('GET', '/users/{id}') }
    this.finance = {
      balances: {
        list: at.list('/finance/balances'),
        get: at.send('GET', '/finance/balances/{id}'),
        getList: at.read('/finance/balances/list'),
        customer: at.list('/finance/balances/customer'),
        transactions: at.list('/finance/balances/transactions'),
        dateStates: at.list('/finance/balances/date-states'),
      },
      taxes: {
        list: at.list('/finance/taxes'),
        get: at.send('GET', '/finance/taxes/{id}'),
        types: at.read('/finance/taxes/types'),
        report: at.read('/finance/taxes/report'),
        total: at.read('/finance/taxes/total'),
      },
      categories: { list: at.list('/finance/categories'), get: at.send('GET', '/finance/categories/{id}') },
      cashShifts: {
        list: at.list('/finance/cash-shifts'),
        get: at.send('GET', '/finance/cash-shifts/{id}', { texts: ['id'] }),
        report: at.send('GET', '/finance/cash-shifts/{id}/report', { texts: ['id'] }),
      },
      transactions: { list: at.list('/finance/transactions'), get: at.send('GET', '/finance/transactions/{id}') },
    }
    this.customerGroups = { list: at.list('/customer-groups') }
    this.customers = {
      list: at.list('/customers'),
      create: at.send('POST', '/customers', { body: true }),
      get: at.send('GET', '/customers/{id}', { texts: ['id'], query: ['include'] }),
    }
    this.categories = {
      list: at.list('/categories'),
      get: at.send('GET', '/categories/{id}', { query: ['include_children', 'include_inactive'] }),
    }
    this.stations = { list: at.list('/stations'), get: at.send('GET', '/stations/{id}') }
    this.units = { list: at.list('/units') }
    this.saleTypes = { list: at.list('/sale-types') }
    this.products = {
      list: at.list('/products'),
      get: at.send('GET', '/products/{id}', { query: ['include', 'sale_type_id'] }),
      stopList: at.read('/products/stop-list'),
    }
    this.priceLists = { list: at.list('/price-lists'), prices: at.list('/price-lists/prices') }
    this.paymentMethods = { list: at.list('/payment-methods') }
    this.terminals = { list: at.list('/terminals') }
    this.tables = { list: at.list('/tables') }
    this.storages = { list: at.list('/storages'), get: at.send('GET', '/storages/{id}') }
    this.suppliers = {
      list: at.list('/suppliers'),
      get: at.send('GET', '/suppliers/{id}'),
      total: at.read('/suppliers/total'),
    }
    this.receipts = {
      list: at.list('/receipts'),
      get: at.send('GET', '/receipts/{id}', { query: ['include'] }),
      update: at.send('PATCH', '/receipts/{id}', { body: true, headers: ['if-match'] }),
      byCid: at.send('GET', '/receipts/cid/{cid}', { texts: ['cid'], query: ['include'] }),
      close: at.send('POST', '/receipts/{id}/close', { body: true, headers: ['if-match'] }),
      stockOperations: at.list('/receipts/{id}/stock-operations'),
    }
    this.orders = {
      list: at.list('/orders'),
      create: at.send('POST', '/orders', { body: true, query: ['dry_run'] }),
      get: at.send('GET', '/orders/{id}', { query: ['include'] }),
      update: at.send('PUT', '/orders/{id}', { body: true }),
    }
    this.waiterCall = { create: at.send('POST', '/waiter-call', { body: true }) }
    this.operations = {
      list: at.list('/operations'),
      create: at.send('POST', '/operations', { body: true }),
      get: at.send('GET', '/operations/{id}', { query: ['include'] }),
      update: at.send('PATCH', '/operations/{id}', { body: true }),
      delete: at.send('DELETE', '/operations/{id}'),
      publish: at.send('POST', '/operations/{id}/publish'),
      reverse: at.send('POST', '/operations/{id}/reverse'),
      statuses: at.read('/operations/statuses'),
      items: at.list('/operations/{id}/items'),
      total: at.read('/operations/total'),
    }
    this.operationItems = { list: at.list('/operation-items'), total: at.read('/operation-items/total') }
    this.stock = {
      list: at.list('/stock'),
      get: at.send('GET', '/stock/{id}'),
      total: at.read('/stock/total'),
      info: at.read('/stock/info'),
      product: at.list('/stock/product'),
      productGroup: at.list('/stock/product-group'),
    }
    this.stockOperations = {
      list: at.list('/stock-operations'),
      get: at.send('GET', '/stock-operations/{id}'),
      total: at.read('/stock-operations/total'),
      products: at.list('/stock-operations/products'),
    }
    this.events = {
      list: at.read('/events', { whole: true }),
      types: at.read('/events/types'),
      get: at.send('GET', '/events/{id}', { texts: ['id'], query: ['include'] }),
    }
    this.whoami = at.read('/whoami')
  }
}
