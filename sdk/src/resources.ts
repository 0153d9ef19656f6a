// Written by npm run openapi from docs/openapi.json: change the server’s routes instead.

import type { Http } from './http/http.ts'
import { operations } from './operations.ts'
import type { CallOptions, WriteOptions } from './option-types.ts'
import type { ListMethod } from './pages.ts'
import type { Dated, Filter, Instant, Sort } from './query.ts'
import type {
  BalanceDateState,
  BalanceMovements,
  CashShift,
  CashShiftReport,
  Category,
  CategoryStock,
  Course,
  Customer,
  CustomerGroup,
  Event,
  FinanceBalance,
  FinanceCategory,
  FinanceTax,
  Hall,
  Menu,
  MenuEntry,
  MenuProblem,
  NewCustomer,
  NewOperation,
  NewOrder,
  NewWaiterCall,
  NewWebhookEndpoint,
  NewWebhookReplay,
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
  Printer,
  PrintRoute,
  Product,
  ProductMovements,
  ProductStock,
  ProductType,
  Reason,
  Receipt,
  ReceiptAct,
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
  WebhookCount,
  WebhookDeleted,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookHeldEvent,
  WebhookHeldFilter,
  WebhookReplay,
  WebhookResume,
  WebhookRotation,
  WhoAmI,
} from './types.ts'

/** GET /venues. Sorts that a walk knows: id. */
export interface VenueListing {
  item: Venue
  always: 'id'
  filters: {
    id: number
    name: string
    is_main: boolean
  }
  sort: 'id' | 'name'
}

/** GET /users. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface UserListing {
  item: User
  always: 'id'
  filters: {
    id: number
    created_at: Instant
    updated_at: Instant
    username: string
    status: boolean
  }
  sort: 'id' | 'created_at' | 'updated_at'
  more: Dated
}

/** GET /finance/balances. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface FinanceBalanceListing {
  item: FinanceBalance
  always: 'id'
  filters: {
    id: number
    venue_id: number
    name: string
    type: 'CASH' | 'CARD' | 'OTHER' | 'CUSTOMER' | 'CASHBACK' | 'SUPPLIER' | 'STAFF'
    amount: number
    customer_id: string
    supplier_id: number
    user_id: number
    position: number
    created_at: Instant
    updated_at: Instant
  }
  sort: 'id' | 'name' | 'position' | 'created_at' | 'updated_at'
  more: Dated & {
    /** The same as a filter on type. Balances of customers come only where it asks */
    type?: string | undefined
  }
}

/** The query of GET /finance/balances/list. */
export interface FinanceBalancesGetListQuery {
  filters?: readonly Filter<FinanceBalanceListing['filters']>[] | undefined
  sort?: readonly Sort<'id' | 'name' | 'position' | 'created_at' | 'updated_at'>[] | undefined
  /** The same as a filter on type. Balances of customers come only where it asks */
  type?: string | undefined
}

/** GET /finance/balances/customer. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface FinanceBalancesCustomerListing {
  item: FinanceBalance
  always: 'id'
  filters: FinanceBalanceListing['filters']
  sort: 'id' | 'name' | 'position' | 'created_at' | 'updated_at'
  more: Dated & {
    /** The same as a filter on type. Balances of customers come only where it asks */
    type?: string | undefined
  }
}

/** GET /finance/balances/transactions. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface FinanceBalancesTransactionsListing {
  item: BalanceMovements
  always: 'id'
  filters: FinanceBalanceListing['filters']
  sort: 'id' | 'name' | 'position' | 'created_at' | 'updated_at'
  more: Dated & {
    /** The same as a filter on type. Balances of customers come only where it asks */
    type?: string | undefined
  }
}

/** GET /finance/balances/date-states. Sorts that a walk knows: date. */
export interface FinanceBalancesDateStatesListing {
  item: BalanceDateState
  always: 'date'
  filters: {
    id: number
    venue_id: number
    name: string
    type: string
    amount: number
    customer_id: string
    supplier_id: number
    user_id: number
    position: number
    created_at: Instant
    updated_at: Instant
  }
  sort: 'date'
  more: Dated & {
    /** The same as a filter on type. Balances of customers come only where it asks */
    type?: string | undefined
  }
}

/** GET /customer-groups. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface CustomerGroupListing {
  item: CustomerGroup
  always: 'id'
  filters: {
    id: number
    name: string
    system_type: 'default' | 'employee' | 'custom'
    created_at: Instant
    updated_at: Instant
    deleted_at: Instant
  }
  sort: 'id' | 'name' | 'created_at' | 'updated_at'
  more: Dated
}

/** GET /customers. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface CustomerListing {
  item: Customer
  always: 'id'
  filters: {
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
  sort: 'id' | 'name' | 'created_at' | 'updated_at'
  include: {
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
      | 'erased_at'
  }
  more: Dated
}

/** GET /courses. Sorts that a walk knows: id. */
export interface CourseListing {
  item: Course
  always: 'id'
  filters: {
    id: number
    name: string
    status: number
  }
  sort: 'id' | 'name'
}

/** GET /categories. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface CategoryListing {
  item: Category
  always: 'id'
  filters: {
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
  sort: 'id' | 'name' | 'position' | 'created_at' | 'updated_at'
  more: Dated & {
    /** Only those directly below this one. */
    parent_id?: number | undefined
    /** Only those of this type: PRODUCT or INGREDIENT. */
    type?: string | undefined
    /** Whether each comes with its whole subtree, and the list begins at the top level. */
    include_children?: boolean | undefined
    /** Whether inactive ones come too, also in subtrees. */
    include_inactive?: boolean | undefined
  }
}

/** GET /stations. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface StationListing {
  item: Station
  always: 'id'
  filters: {
    id: number
    name: string
    status: number
    type: number
    created_at: Instant
    updated_at: Instant
  }
  sort: 'id' | 'name' | 'created_at' | 'updated_at'
  more: Dated & {
    /** Only stations with this status: 1 active, 0 inactive. */
    status?: number | undefined
  }
}

/** GET /units. Sorts that a walk knows: id. */
export interface UnitListing {
  item: Unit
  always: 'id'
  filters: {
    id: number
    name: string
  }
  sort: 'id' | 'name'
}

/** GET /sale-types. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface SaleTypeListing {
  item: SaleType
  always: 'id'
  filters: {
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
  sort: 'id' | 'name' | 'position' | 'created_at' | 'updated_at'
  more: Dated
}

/** GET /finance/taxes. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface FinanceTaxListing {
  item: FinanceTax
  always: 'id'
  filters: {
    id: number
    name: string
    rate: number
    included: boolean
    status: number
    created_at: Instant
    updated_at: Instant
  }
  sort: 'id' | 'name' | 'created_at' | 'updated_at'
  more: Dated
}

/** The query of GET /finance/taxes/report. */
export interface FinanceTaxesReportQuery extends Dated {
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** The query of GET /finance/taxes/total. */
export interface FinanceTaxesTotalQuery extends Dated {
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** GET /products. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface ProductListing {
  item: Product
  always: 'id' | 'name' | 'type'
  filters: {
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
  sort: 'id' | 'name' | 'price' | 'created_at' | 'updated_at'
  include: {
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
      | 'open_price'
      | 'cooking_time'
      | 'low_stock'
      | 'takes'
      | 'deleted_at'
  }
  more: Dated & {
    /** The sale type that effective_price is for, beside the active venue. */
    sale_type_id?: number | undefined
    /** The instant that effective_price is for; now, where it is absent. */
    at?: string | undefined
  }
}

/** GET /price-lists. Sorts that a walk knows: id, created_at. */
export interface PriceListListing {
  item: PriceList
  always: 'id'
  filters: {
    id: number
    name: string
    status: boolean
    created_at: Instant
    updated_at: Instant
  }
  sort: 'id' | 'name' | 'created_at'
  include: { prices: 'prices' }
  more: Dated
}

/** GET /price-lists/prices. Sorts that a walk knows: id. */
export interface PriceListsPricesListing {
  item: Price
  always: 'id'
  filters: {
    id: number
    list_id: number
    product_id: number
    price: number
  }
  sort: 'id'
  include: { product: 'product'; list: 'list' }
}

/** GET /menu/entries. Sorts that a walk knows: id. */
export interface MenuEntriesListing {
  item: MenuEntry
  always: 'id'
  filters: {
    id: string
  }
  sort: 'id'
}

/** GET /payment-methods. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface PaymentMethodListing {
  item: PaymentMethod
  always: 'id'
  filters: {
    id: number
    name: string
    kind: 'CASH' | 'CARD' | 'CUSTOMER' | 'CASHBACK' | 'OTHER'
    position: number
    created_at: Instant
    updated_at: Instant
    status: number
  }
  sort: 'id' | 'name' | 'position' | 'created_at' | 'updated_at'
  more: Dated
}

/** GET /printers. Sorts that a walk knows: id. */
export interface PrinterListing {
  item: Printer
  always: 'id'
  filters: {
    id: number
    venue_id: number
    name: string
    printer_kind: 'virtual' | 'network' | 'browser'
    status: number
  }
  sort: 'id' | 'name'
  more: {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** GET /print-routes. Sorts that a walk knows: id. */
export interface PrintRouteListing {
  item: PrintRoute
  always: 'id'
  filters: {
    id: number
    venue_id: number
    station_id: number
    document: 'bill' | 'report'
    sale_type_id: number
    printer_id: number
    copies: number
  }
  sort: 'id'
  more: {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** GET /terminals. Sorts that a walk knows: id. */
export interface TerminalListing {
  item: Terminal
  always: 'id'
  filters: {
    id: number
    venue_id: number
    name: string
    status: number
    printer_id: number
  }
  sort: 'id' | 'name'
  more: {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** GET /halls. Sorts that a walk knows: id. */
export interface HallListing {
  item: Hall
  always: 'id'
  filters: {
    id: number
    venue_id: number
    name: string
    position: number
    status: number
  }
  sort: 'id' | 'name' | 'position'
  more: {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** GET /tables. Sorts that a walk knows: id. */
export interface TableListing {
  item: Table
  always: 'id'
  filters: {
    id: number
    venue_id: number
    name: string
    hall_id: number
    status: number
  }
  sort: 'id' | 'name'
  include: { state: 'state' }
  more: {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** GET /storages. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface StorageListing {
  item: Storage
  always: 'id'
  filters: {
    id: number
    venue_id: number
    name: string
    is_main: number
    status: number
    created_at: Instant
    updated_at: Instant
  }
  sort: 'id' | 'name' | 'created_at' | 'updated_at'
  more: Dated & {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** GET /suppliers. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface SupplierListing {
  item: Supplier
  always: 'id'
  filters: {
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
  sort: 'id' | 'name' | 'created_at' | 'updated_at'
  more: Dated
}

/** The query of GET /suppliers/total. */
export interface SuppliersTotalQuery extends Dated {
  filters?: readonly Filter<SupplierListing['filters']>[] | undefined
}

/** GET /finance/categories. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface FinanceCategoryListing {
  item: FinanceCategory
  always: 'id'
  filters: {
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
      | 'TIP'
      | 'TIP_PAYOUT'
    parent_id: number
    status: number
    created_at: Instant
    updated_at: Instant
  }
  sort: 'id' | 'name' | 'created_at' | 'updated_at'
  more: Dated
}

/** GET /reasons. Sorts that a walk knows: id. */
export interface ReasonListing {
  item: Reason
  always: 'id'
  filters: {
    id: number
    name: string
    position: number
    status: number
  }
  sort: 'id' | 'name' | 'position'
}

/** The query of GET /products/stop-list. */
export interface ProductsStopListQuery {
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** GET /receipts. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface ReceiptListing {
  item: Receipt
  always: 'id'
  filters: {
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
  sort: 'id' | 'created_at' | 'updated_at' | 'closed_at' | 'total'
  include: {
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
      | 'tip'
      | 'number'
      | 'shift_date'
      | 'cash_shift_id'
      | 'order_id'
      | 'parent_id'
      | 'table_id'
      | 'merged_into'
      | 'address'
      | 'description'
      | 'version'
  }
  more: Dated & {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** GET /receipts/{id}/stock-operations. Sorts that a walk knows: id, operated_at. */
export interface ReceiptsStockOperationsListing {
  item: StockOperation
  always: 'id'
  filters: {
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
  sort: 'id' | 'operated_at'
  more: Dated
}

/** GET /orders. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface OrderListing {
  item: Order
  always: 'id'
  filters: {
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
  sort: 'id' | 'created_at' | 'updated_at'
  include: { receipt: 'receipt' }
  more: Dated & {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
    /** Only orders with this status. */
    status?: string | undefined
  }
}

/** GET /operations. Sorts that a walk knows: id, created_at, updated_at ascending. */
export interface OperationListing {
  item: Operation
  always: 'id'
  filters: {
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
  sort: 'id' | 'number' | 'document_date' | 'created_at' | 'updated_at'
  include: { items: 'items'; supplier: 'supplier'; storage: 'storage' }
  more: Dated & {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** GET /operations/{id}/items. Sorts that a walk knows: id. */
export interface OperationsItemsListing {
  item: OperationItem
  always: 'id'
  filters: {
    id: number
    venue_id: number
    operation_id: number
    product_id: number
    quantity: number
    total_cost: number
  }
  sort: 'id'
}

/** The query of GET /operations/total. */
export interface OperationsTotalQuery extends Dated {
  filters?: readonly Filter<OperationListing['filters']>[] | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** GET /operation-items. Sorts that a walk knows: id. */
export interface OperationItemListing {
  item: OperationItem
  always: 'id'
  filters: OperationsItemsListing['filters']
  sort: 'id'
  more: {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** The query of GET /operation-items/total. */
export interface OperationItemsTotalQuery {
  filters?: readonly Filter<OperationsItemsListing['filters']>[] | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** GET /stock. Sorts that a walk knows: id, updated_at ascending. */
export interface StockListing {
  item: Stock
  always: 'id'
  filters: {
    id: number
    venue_id: number
    storage_id: number
    product_id: number
    updated_at: Instant
    unit_id: number
    quantity: number
  }
  sort: 'id' | 'updated_at'
  more: {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** The query of GET /stock/total. */
export interface StockTotalQuery {
  filters?: readonly Filter<StockListing['filters']>[] | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** The query of GET /stock/info. */
export interface StockInfoQuery {
  filters?: readonly Filter<StockListing['filters']>[] | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** GET /stock/product. Sorts that a walk knows: product_id. */
export interface StockProductListing {
  item: ProductStock
  always: 'product_id'
  filters: {
    id: number
    venue_id: number
    storage_id: number
    product_id: number
    updated_at: Instant
    unit_id: number
    quantity: number
    name: string
  }
  sort: 'product_id' | 'name'
  more: {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** GET /stock/product-group. Sorts that a walk knows: category_id. */
export interface StockProductGroupListing {
  item: CategoryStock
  always: 'category_id'
  filters: {
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
  sort: 'category_id' | 'name'
  more: {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** GET /stock-operations. Sorts that a walk knows: id, operated_at. */
export interface StockOperationListing {
  item: StockOperation
  always: 'id'
  filters: ReceiptsStockOperationsListing['filters']
  sort: 'id' | 'operated_at'
  more: Dated & {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** The query of GET /stock-operations/total. */
export interface StockOperationsTotalQuery extends Dated {
  filters?: readonly Filter<ReceiptsStockOperationsListing['filters']>[] | undefined
  /** all: the rows of every venue that the staff user may enter, not only of the active one. */
  venue?: 'all' | undefined
}

/** GET /stock-operations/products. Sorts that a walk knows: product_id. */
export interface StockOperationsProductsListing {
  item: ProductMovements
  always: 'product_id'
  filters: {
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
  sort: 'product_id' | 'name'
  more: Dated & {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** GET /finance/cash-shifts. Sorts that a walk knows: id, opened_at. */
export interface CashShiftListing {
  item: CashShift
  always: 'id'
  filters: {
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
  sort: 'id' | 'opened_at'
  more: Dated & {
    /** all: the rows of every venue that the staff user may enter, not only of the active one. */
    venue?: 'all' | undefined
  }
}

/** GET /finance/transactions. Sorts that a walk knows: id, operated_at. */
export interface TransactionListing {
  item: Transaction
  always: 'id'
  filters: {
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
  sort: 'id' | 'operated_at'
  more: Dated
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

/** The query of GET /menu. */
export interface MenuGetQuery {
  /** Active at the venue */
  sale_type_id: number
  /** One of the languages: entries have their words in it alone */
  lang?: string | undefined
}

/** The query of GET /menu/problems. */
export interface MenuProblemsQuery {
  /** Active at the venue */
  sale_type_id: number
}

export interface VenuesMethods {
  /** List venues (GET /venues). */
  list: ListMethod<VenueListing>
}

export interface UsersMethods {
  /** List users (GET /users). */
  list: ListMethod<UserListing>
  /** Read one user (GET /users/{id}). */
  get(id: number, options?: CallOptions): Promise<User>
}

export interface FinanceBalancesMethods {
  /** List balances (GET /finance/balances). */
  list: ListMethod<FinanceBalanceListing>
  /** Read one balance (GET /finance/balances/{id}). */
  get(id: number, options?: CallOptions): Promise<FinanceBalance>
  /** List all accounts (GET /finance/balances/list). */
  getList(query?: FinanceBalancesGetListQuery, options?: CallOptions): Promise<FinanceBalance[]>
  /** List balances of customers (GET /finance/balances/customer). */
  customer: ListMethod<FinanceBalancesCustomerListing>
  /** List what balances moved (GET /finance/balances/transactions). */
  transactions: ListMethod<FinanceBalancesTransactionsListing>
  /** List amounts by day (GET /finance/balances/date-states). */
  dateStates: ListMethod<FinanceBalancesDateStatesListing>
}

export interface FinanceTaxesMethods {
  /** List taxes (GET /finance/taxes). */
  list: ListMethod<FinanceTaxListing>
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
  list: ListMethod<FinanceCategoryListing>
  /** Read one finance category (GET /finance/categories/{id}). */
  get(id: number, options?: CallOptions): Promise<FinanceCategory>
}

export interface FinanceCashShiftsMethods {
  /** List cash shifts (GET /finance/cash-shifts). */
  list: ListMethod<CashShiftListing>
  /** Read one cash shift (GET /finance/cash-shifts/{id}). */
  get(id: string, options?: CallOptions): Promise<CashShift>
  /** Read the report of a cash shift (GET /finance/cash-shifts/{id}/report). */
  report(id: string, options?: CallOptions): Promise<CashShiftReport>
}

export interface FinanceTransactionsMethods {
  /** List transactions (GET /finance/transactions). */
  list: ListMethod<TransactionListing>
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
  list: ListMethod<CustomerGroupListing>
}

export interface CustomersMethods {
  /** List customers (GET /customers). */
  list: ListMethod<CustomerListing>
  /** Create a customer (POST /customers). */
  create(customer: NewCustomer, options?: WriteOptions): Promise<Customer>
  /** Read one customer (GET /customers/{id}). */
  get(id: string, options?: CallOptions & { include?: readonly string[] | undefined }): Promise<Customer>
}

export interface CoursesMethods {
  /** List courses (GET /courses). */
  list: ListMethod<CourseListing>
}

export interface CategoriesMethods {
  /** List categories (GET /categories). */
  list: ListMethod<CategoryListing>
  /** Read one category (GET /categories/{id}). */
  get(
    id: number,
    options?: CallOptions & { include_children?: boolean | undefined; include_inactive?: boolean | undefined },
  ): Promise<Category>
}

export interface StationsMethods {
  /** List stations (GET /stations). */
  list: ListMethod<StationListing>
  /** Read one station (GET /stations/{id}). */
  get(id: number, options?: CallOptions): Promise<Station>
}

export interface UnitsMethods {
  /** List units (GET /units). */
  list: ListMethod<UnitListing>
}

export interface SaleTypesMethods {
  /** List sale types (GET /sale-types). */
  list: ListMethod<SaleTypeListing>
}

export interface ProductsMethods {
  /** List products (GET /products). */
  list: ListMethod<ProductListing>
  /** Read one product (GET /products/{id}). */
  get(
    id: number,
    options?: CallOptions & {
      include?: readonly string[] | undefined
      sale_type_id?: number | undefined
      at?: string | undefined
    },
  ): Promise<Product>
  /** List what is sold out or running out (GET /products/stop-list). */
  stopList(query?: ProductsStopListQuery, options?: CallOptions): Promise<StopListEntry[]>
}

export interface PriceListsMethods {
  /** List price lists (GET /price-lists). */
  list: ListMethod<PriceListListing>
  /** List prices (GET /price-lists/prices). */
  prices: ListMethod<PriceListsPricesListing>
}

export interface MenuMethods {
  /** List menu entries (GET /menu/entries). */
  entries: ListMethod<MenuEntriesListing>
  /** Read the menu as a guest pays it (GET /menu). */
  get(query: MenuGetQuery, options?: CallOptions): Promise<Menu>
  /** List what is wrong with the menu (GET /menu/problems). */
  problems(query: MenuProblemsQuery, options?: CallOptions): Promise<MenuProblem[]>
}

export interface PaymentMethodsMethods {
  /** List payment methods (GET /payment-methods). */
  list: ListMethod<PaymentMethodListing>
}

export interface PrintersMethods {
  /** List printers (GET /printers). */
  list: ListMethod<PrinterListing>
}

export interface PrintRoutesMethods {
  /** List print routes (GET /print-routes). */
  list: ListMethod<PrintRouteListing>
}

export interface TerminalsMethods {
  /** List terminals (GET /terminals). */
  list: ListMethod<TerminalListing>
}

export interface HallsMethods {
  /** List halls (GET /halls). */
  list: ListMethod<HallListing>
}

export interface TablesMethods {
  /** List tables (GET /tables). */
  list: ListMethod<TableListing>
}

export interface StoragesMethods {
  /** List storages (GET /storages). */
  list: ListMethod<StorageListing>
  /** Read one storage (GET /storages/{id}). */
  get(id: number, options?: CallOptions): Promise<Storage>
}

export interface SuppliersMethods {
  /** List suppliers (GET /suppliers). */
  list: ListMethod<SupplierListing>
  /** Read one supplier (GET /suppliers/{id}). */
  get(id: number, options?: CallOptions): Promise<Supplier>
  /** Sum up suppliers (GET /suppliers/total). */
  total(query?: SuppliersTotalQuery, options?: CallOptions): Promise<SupplierTotal>
}

export interface ReasonsMethods {
  /** List reasons (GET /reasons). */
  list: ListMethod<ReasonListing>
}

export interface ReceiptsMethods {
  /** List receipts (GET /receipts). */
  list: ListMethod<ReceiptListing>
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
  /** List what was done on a receipt (GET /receipts/{id}/acts). */
  acts(id: number, options?: CallOptions): Promise<ReceiptAct[]>
  /** Close a receipt with its payments (POST /receipts/{id}/close). */
  close(
    id: number,
    receiptClosing: ReceiptClosing,
    options?: WriteOptions & { ifMatch?: string | undefined },
  ): Promise<Receipt>
  /** List the stock movements of a receipt (GET /receipts/{id}/stock-operations). */
  stockOperations: ListMethod<ReceiptsStockOperationsListing, [id: number]>
}

export interface OrdersMethods {
  /** List orders (GET /orders). */
  list: ListMethod<OrderListing>
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
  list: ListMethod<OperationListing>
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
  items: ListMethod<OperationsItemsListing, [id: number]>
  /** Sum up stock documents (GET /operations/total). */
  total(query?: OperationsTotalQuery, options?: CallOptions): Promise<OperationTotal>
}

export interface OperationItemsMethods {
  /** List operation items (GET /operation-items). */
  list: ListMethod<OperationItemListing>
  /** Sum up items of stock documents (GET /operation-items/total). */
  total(query?: OperationItemsTotalQuery, options?: CallOptions): Promise<OperationItemTotal>
}

export interface StockMethods {
  /** List stock (GET /stock). */
  list: ListMethod<StockListing>
  /** Read one stock (GET /stock/{id}). */
  get(id: number, options?: CallOptions): Promise<Stock>
  /** Sum up stock (GET /stock/total). */
  total(query?: StockTotalQuery, options?: CallOptions): Promise<StockTotal>
  /** Count what is running out (GET /stock/info). */
  info(query?: StockInfoQuery, options?: CallOptions): Promise<StockInfo>
  /** List stock by product (GET /stock/product). */
  product: ListMethod<StockProductListing>
  /** List stock by category (GET /stock/product-group). */
  productGroup: ListMethod<StockProductGroupListing>
}

export interface StockOperationsMethods {
  /** List stock movements (GET /stock-operations). */
  list: ListMethod<StockOperationListing>
  /** Read one stock movement (GET /stock-operations/{id}). */
  get(id: number, options?: CallOptions): Promise<StockOperation>
  /** Sum up stock movements (GET /stock-operations/total). */
  total(query?: StockOperationsTotalQuery, options?: CallOptions): Promise<StockOperationTotal>
  /** List stock movements by product (GET /stock-operations/products). */
  products: ListMethod<StockOperationsProductsListing>
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

export interface WebhookEndpointsMethods {
  /** List webhook endpoints (GET /webhook-endpoints). */
  list(query?: Record<string, never>, options?: CallOptions): Promise<WebhookEndpoint[]>
  /** Create a webhook endpoint (POST /webhook-endpoints). */
  create(webhookEndpoint: NewWebhookEndpoint, options?: WriteOptions): Promise<WebhookEndpoint>
  /** Read a webhook endpoint (GET /webhook-endpoints/{id}). */
  get(id: string, options?: CallOptions): Promise<WebhookEndpoint>
  /** Change a webhook endpoint (PATCH /webhook-endpoints/{id}). */
  update(id: string, webhookEndpointChange: WebhookEndpointChange, options?: WriteOptions): Promise<WebhookEndpoint>
  /** Delete a webhook endpoint (DELETE /webhook-endpoints/{id}). */
  delete(id: string, options?: WriteOptions): Promise<WebhookDeleted>
  /** Pause a webhook endpoint (POST /webhook-endpoints/{id}/pause). */
  pause(id: string, options?: WriteOptions): Promise<WebhookEndpoint>
  /** Resume a webhook endpoint (POST /webhook-endpoints/{id}/resume). */
  resume(id: string, webhookResume: WebhookResume, options?: WriteOptions): Promise<WebhookEndpoint>
  /** Rotate the secret of a webhook endpoint (POST /webhook-endpoints/{id}/secret). */
  secret(id: string, webhookRotation: WebhookRotation, options?: WriteOptions): Promise<WebhookEndpoint>
  /** Send the challenge again (POST /webhook-endpoints/{id}/verify). */
  verify(id: string, options?: WriteOptions): Promise<WebhookEndpoint>
  /** Send a test to a webhook endpoint (POST /webhook-endpoints/{id}/test). */
  test(id: string, options?: WriteOptions): Promise<WebhookDelivery>
  /** Read the log of a webhook endpoint (GET /webhook-endpoints/{id}/deliveries). */
  deliveries(
    id: string,
    options?: CallOptions & {
      event?: string | undefined
      class?:
        | 'blocked'
        | 'dns'
        | 'connect'
        | 'tls'
        | 'timeout'
        | 'status_3xx'
        | 'status_4xx'
        | 'status_5xx'
        | 'protocol'
        | undefined
      type?: string | undefined
      status?: number | undefined
      cause?: 'live' | 'retry' | 'probe' | 'replay' | 'test' | 'verification' | undefined
      since?: Instant | undefined
      until?: Instant | undefined
      limit?: number | undefined
      after?: string | undefined
    },
  ): Promise<{ success: boolean; data: WebhookDelivery[]; next: string | null }>
  /** Read the held events of a webhook endpoint (GET /webhook-endpoints/{id}/held). */
  held(
    id: string,
    options?: CallOptions & {
      state?: 'waiting' | 'failed' | 'refused' | undefined
      class?:
        | 'blocked'
        | 'dns'
        | 'connect'
        | 'tls'
        | 'timeout'
        | 'status_3xx'
        | 'status_4xx'
        | 'status_5xx'
        | 'protocol'
        | undefined
      type?: string | undefined
      limit?: number | undefined
      after?: string | undefined
    },
  ): Promise<{ success: boolean; data: WebhookHeldEvent[]; next: string | null }>
  /** Send held events again (POST /webhook-endpoints/{id}/held/retry). */
  heldRetry(id: string, webhookHeldFilter: WebhookHeldFilter, options?: WriteOptions): Promise<WebhookCount>
  /** Give held events up (POST /webhook-endpoints/{id}/held/discard). */
  heldDiscard(id: string, webhookHeldFilter: WebhookHeldFilter, options?: WriteOptions): Promise<WebhookCount>
  /** List the replays of a webhook endpoint (GET /webhook-endpoints/{id}/replays). */
  replays(id: string, options?: CallOptions): Promise<WebhookReplay[]>
  /** Send events again (POST /webhook-endpoints/{id}/replays). */
  createReplays(id: string, webhookReplay: NewWebhookReplay, options?: WriteOptions): Promise<WebhookReplay>
  /** Read a replay (GET /webhook-endpoints/{id}/replays/{replay}). */
  getReplays(id: string, replay: string, options?: CallOptions): Promise<WebhookReplay>
  /** Cancel a replay (DELETE /webhook-endpoints/{id}/replays/{replay}). */
  deleteReplays(id: string, replay: string, options?: WriteOptions): Promise<WebhookReplay>
}

/** Every operation of the API. */
export class Resources {
  readonly venues: VenuesMethods
  readonly users: UsersMethods
  readonly finance: FinanceMethods
  readonly customerGroups: CustomerGroupsMethods
  readonly customers: CustomersMethods
  readonly courses: CoursesMethods
  readonly categories: CategoriesMethods
  readonly stations: StationsMethods
  readonly units: UnitsMethods
  readonly saleTypes: SaleTypesMethods
  readonly products: ProductsMethods
  readonly priceLists: PriceListsMethods
  readonly menu: MenuMethods
  readonly paymentMethods: PaymentMethodsMethods
  readonly printers: PrintersMethods
  readonly printRoutes: PrintRoutesMethods
  readonly terminals: TerminalsMethods
  readonly halls: HallsMethods
  readonly tables: TablesMethods
  readonly storages: StoragesMethods
  readonly suppliers: SuppliersMethods
  readonly reasons: ReasonsMethods
  readonly receipts: ReceiptsMethods
  readonly orders: OrdersMethods
  readonly waiterCall: WaiterCallMethods
  readonly operations: OperationsMethods
  readonly operationItems: OperationItemsMethods
  readonly stock: StockMethods
  readonly stockOperations: StockOperationsMethods
  readonly events: EventsMethods
  readonly webhookEndpoints: WebhookEndpointsMethods
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
    this.courses = { list: at.list('/courses') }
    this.categories = {
      list: at.list('/categories'),
      get: at.send('GET', '/categories/{id}', { query: ['include_children', 'include_inactive'] }),
    }
    this.stations = { list: at.list('/stations'), get: at.send('GET', '/stations/{id}') }
    this.units = { list: at.list('/units') }
    this.saleTypes = { list: at.list('/sale-types') }
    this.products = {
      list: at.list('/products'),
      get: at.send('GET', '/products/{id}', { query: ['include', 'sale_type_id', 'at'] }),
      stopList: at.read('/products/stop-list'),
    }
    this.priceLists = { list: at.list('/price-lists'), prices: at.list('/price-lists/prices') }
    this.menu = { entries: at.list('/menu/entries'), get: at.read('/menu'), problems: at.read('/menu/problems') }
    this.paymentMethods = { list: at.list('/payment-methods') }
    this.printers = { list: at.list('/printers') }
    this.printRoutes = { list: at.list('/print-routes') }
    this.terminals = { list: at.list('/terminals') }
    this.halls = { list: at.list('/halls') }
    this.tables = { list: at.list('/tables') }
    this.storages = { list: at.list('/storages'), get: at.send('GET', '/storages/{id}') }
    this.suppliers = {
      list: at.list('/suppliers'),
      get: at.send('GET', '/suppliers/{id}'),
      total: at.read('/suppliers/total'),
    }
    this.reasons = { list: at.list('/reasons') }
    this.receipts = {
      list: at.list('/receipts'),
      get: at.send('GET', '/receipts/{id}', { query: ['include'] }),
      update: at.send('PATCH', '/receipts/{id}', { body: true, headers: ['if-match'] }),
      byCid: at.send('GET', '/receipts/cid/{cid}', { texts: ['cid'], query: ['include'] }),
      acts: at.send('GET', '/receipts/{id}/acts'),
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
    this.webhookEndpoints = {
      list: at.read('/webhook-endpoints'),
      create: at.send('POST', '/webhook-endpoints', { body: true }),
      get: at.send('GET', '/webhook-endpoints/{id}', { texts: ['id'] }),
      update: at.send('PATCH', '/webhook-endpoints/{id}', { texts: ['id'], body: true }),
      delete: at.send('DELETE', '/webhook-endpoints/{id}', { texts: ['id'] }),
      pause: at.send('POST', '/webhook-endpoints/{id}/pause', { texts: ['id'] }),
      resume: at.send('POST', '/webhook-endpoints/{id}/resume', { texts: ['id'], body: true }),
      secret: at.send('POST', '/webhook-endpoints/{id}/secret', { texts: ['id'], body: true }),
      verify: at.send('POST', '/webhook-endpoints/{id}/verify', { texts: ['id'] }),
      test: at.send('POST', '/webhook-endpoints/{id}/test', { texts: ['id'] }),
      deliveries: at.send('GET', '/webhook-endpoints/{id}/deliveries', {
        texts: ['id'],
        whole: true,
        query: ['event', 'class', 'type', 'status', 'cause', 'since', 'until', 'limit', 'after'],
      }),
      held: at.send('GET', '/webhook-endpoints/{id}/held', {
        texts: ['id'],
        whole: true,
        query: ['state', 'class', 'type', 'limit', 'after'],
      }),
      heldRetry: at.send('POST', '/webhook-endpoints/{id}/held/retry', { texts: ['id'], body: true }),
      heldDiscard: at.send('POST', '/webhook-endpoints/{id}/held/discard', { texts: ['id'], body: true }),
      replays: at.send('GET', '/webhook-endpoints/{id}/replays', { texts: ['id'] }),
      createReplays: at.send('POST', '/webhook-endpoints/{id}/replays', { texts: ['id'], body: true }),
      getReplays: at.send('GET', '/webhook-endpoints/{id}/replays/{replay}', { texts: ['id', 'replay'] }),
      deleteReplays: at.send('DELETE', '/webhook-endpoints/{id}/replays/{replay}', { texts: ['id', 'replay'] }),
    }
    this.whoami = at.read('/whoami')
  }
}
