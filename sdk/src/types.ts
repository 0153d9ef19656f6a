/** What POST /auth takes (§4.1). */
export interface Credentials {
  client_id: string
  client_secret: string
  brand: string
  integrator_id: string
}

/** What POST /auth gives (§4.1). */
export interface Authentication {
  success: true
  token: string
  token_type: string
  /** Lifetime in seconds. */
  expires_in: number
  /** Unix time after which the token is rejected. */
  expires_at: number
  message?: string
}

/** Where a page stands in its list (§2.1). */
export interface Pagination {
  page: number
  per_page: number
  total: number
  total_pages: number
}

export interface Balance {
  id?: number
  amount: number
  type: string
}

export interface CashbackBalance {
  id: number | null
  amount: number
  type: string
}

export interface CustomerGroup {
  id: number
  name: string
  discount_type: 'percent' | 'amount' | null
  discount_value?: number
  system_type?: 'default' | 'employee' | 'custom'
  total_amount: number | null
  created_at: string
  updated_at: string
  deleted_at: string | null
}

/** §2.2 */
export interface Customer {
  id: string
  name: string
  email?: string
  phone?: string
  group_id: number
  balance: Balance
  cashback_balance: CashbackBalance
  group: CustomerGroup
  created_at: string
}

/** What POST /customers takes (§4.2). */
export interface NewCustomer {
  name: string
  email?: string
  /** Unique within the brand. */
  phone?: string
  /** Unique within the brand. */
  code?: string
  /** A UUID, unique within the brand; made by the server when absent. */
  cid?: string
  description?: string
  /** The brand's default group when absent. */
  group_id?: number
  /** ISO/IEC 5218: 0 not known, 1 male, 2 female, 9 not applicable. */
  gender?: 0 | 1 | 2 | 9 | null
  /** YYYY-MM-DD */
  date_of_birth?: string
}

export type ProductType = 'PRODUCT' | 'DISH' | 'TIMER' | 'PREPARATION' | 'INGREDIENT' | 'MODIFICATION'

export interface Modification {
  id: number
  parent_id?: number
  type?: 'MODIFICATION'
  name: string
  price?: number
  cost_price?: number
  barcode?: string
  full_name?: string
  /** 1 active, 0 inactive. */
  status?: number
}

export interface Modificator {
  id?: number
  name?: string
  price?: number
  cost_price?: number
  max_count?: number
  status?: boolean
  /** The product it uses. */
  ingredient?: { id?: number; name?: string; type?: string; cost_price?: number }
}

export interface ModificatorGroup {
  id?: number
  name?: string
  /** 1 one choice, 0 several. */
  type?: number
  min_select?: number
  max_select?: number
  modificators?: Modificator[]
}

export interface RecipeItem {
  id?: number
  name?: string
  cost_price?: number
  /** `gross` is a decimal with three places. */
  pivot?: { gross?: string }
}

export interface Package {
  id?: number
  name?: string
  equal?: number
}

export interface Tax {
  id?: number
  name?: string
  rate?: number
}

export interface Tag {
  id?: number
  name?: string
  color?: string
}

/** §2.3. A member without a value is absent. */
export interface Product {
  id: number
  name: string
  type: ProductType
  full_name?: string
  /** 1 active, 0 inactive. */
  status?: number
  price?: number
  cost_price?: number
  has_modifications?: boolean
  modifications?: Modification[]
  modificator_groups?: ModificatorGroup[]
  recipe?: RecipeItem[]
  packages?: Package[]
  /** How a TIMER is priced. */
  setting?: { interval?: number; prices?: { price?: number; from?: number }[] }
  taxes?: Tax[]
  tags?: Tag[]
  created_at?: string
  updated_at?: string
}

/** What a price entry shows of its product. */
export interface ProductSummary {
  id: number
  name: string
  type: ProductType
  full_name?: string
  /** 1 active, 0 inactive. */
  status?: number
  price?: number
  cost_price?: number
  has_modifications?: boolean
  created_at?: string
  updated_at?: string
}

export interface PriceEntry {
  id: number
  list_id: number
  product_id: number
  price: number
  product: ProductSummary
  list: { id: number; name: string }
}

/** §2.4 */
export interface PriceList {
  id: number
  name: string
  description?: string
  status?: boolean
  /** There when included. */
  prices?: PriceEntry[]
  created_at?: string
  updated_at?: string
}

/** §2.5. A member without a value is absent: an open receipt has no closed_at. */
export interface Receipt {
  id: number
  venue_id: number
  cid?: string
  user_id?: number
  terminal_id?: number
  source?: string
  customer_id?: number
  sale_type_id?: number
  guests?: number
  /** 1 open, 2 closed. */
  status?: number
  lock?: boolean
  total?: number
  subtotal?: number
  payment_methods?: { id?: number; name?: string; amount?: number }[]
  fiscal_id?: string
  /** 0 none, 1 percent, 2 amount. */
  discount_type?: number
  discount_value?: number
  service_charge?: number
  delivery_fee?: number
  /** NEW, SCHEDULED, IN_PROGRESS, READY, PICKED_UP, COMPLETED or CANCELLED. */
  order_status?: string
  order_number?: string
  created_at?: string
  updated_at?: string
  closed_at?: string
  deleted_at?: string
}

/** A single stock movement (§2.6). */
export interface StockOperation {
  id: number
  venue_id: number
  stock_id?: number
  reserved?: number
  receipt_id?: number
  receipt_product_id?: number
  product_id?: number
  modificator_id?: number
  operation_id?: number
  operation_item_id?: number
  parent_id?: number
  unit_id?: number
  quantity?: number
  before_quantity?: number
  after_quantity?: number
  before?: number
  after?: number
  cost?: number
  before_cost?: number
  total_cost?: number
  operated_at?: string
}
