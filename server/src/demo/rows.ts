// One line of `comptoir import` for each kind, with the members as the contract writes that resource.

export interface VenueRow {
  kind: 'venue'
  id: number
  name: string
  is_main: boolean
}

export interface RoleRow {
  kind: 'role'
  id: number
  name: string
  permissions: string[]
}

export interface UserRow {
  kind: 'user'
  id: number
  username: string
  name: string
  role_id: number
  venue_ids?: number[] // absent: every venue
}

/** §2.2 */
export interface CustomerGroupRow {
  kind: 'customer_group'
  id: number
  name: string
  discount_type: 'percent' | 'amount' | null
  discount_value: number
  system_type: 'default' | 'employee' | 'custom'
  total_amount: number | null
  created_at: string
  updated_at: string
  deleted_at: null
}

/** §2.2, and what POST /customers takes besides (§4.2). */
export interface CustomerRow {
  kind: 'customer'
  id: string
  name: string
  email?: string
  phone: string
  code?: string
  cid: string
  description?: string
  gender?: number
  date_of_birth?: string
  group_id: number
  balance: { id: number; amount: number; type: 'CUSTOMER' }
  cashback_balance: { id: number | null; amount: number; type: 'CASHBACK' }
  created_at: string
}

/** §2.3 */
export interface ProductRow {
  kind: 'product'
  id: number
  name: string
  type: 'PRODUCT' | 'DISH' | 'TIMER' | 'PREPARATION' | 'INGREDIENT'
  full_name: string
  status: 0 | 1
  price: number
  cost_price: number
  has_modifications: boolean
  modifications: Modification[]
  modificator_groups: ModificatorGroup[]
  recipe: RecipeItem[]
  packages: Package[]
  setting?: { interval: number; prices: { price: number; from: number }[] }
  taxes: Tax[]
  tags: Tag[]
  created_at: string
  updated_at: string
}

export interface Modification {
  id: number
  parent_id: number
  type: 'MODIFICATION'
  name: string
  price: number
  cost_price: number
  barcode?: string
  full_name: string
  status: 0 | 1
}

export interface ModificatorGroup {
  id: number
  name: string
  type: 0 | 1
  min_select: number
  max_select: number
  modificators: {
    id: number
    name: string
    price: number
    cost_price: number
    max_count: number
    status: boolean
    ingredient?: { id: number; name: string; type: string; cost_price: number }
  }[]
}

export interface RecipeItem {
  id: number
  name: string
  cost_price: number
  pivot: { gross: string }
}

export interface Package {
  id: number
  name: string
  equal: number
}

export interface Tax {
  id: number
  name: string
  rate: number
}

export interface Tag {
  id: number
  name: string
  color: string
}

/** §2.4; the prices are rows of their own. */
export interface PriceListRow {
  kind: 'price_list'
  id: number
  name: string
  description: string
  status: boolean
  created_at: string
  updated_at: string
}

export interface PriceRow {
  kind: 'price'
  id: number
  list_id: number
  product_id: number
  price: number
}

/** §2.5 */
export interface ReceiptRow {
  kind: 'receipt'
  id: number
  venue_id: number
  cid: string
  user_id: number
  terminal_id: number
  source: string
  customer_id?: number
  sale_type_id: number
  guests?: number
  status: 1 | 2
  lock: boolean
  total: number
  subtotal: number
  payment_methods: { id: number; name: string; amount: number }[]
  fiscal_id?: string
  discount_type: 0 | 1 | 2
  discount_value: number
  service_charge: number
  delivery_fee: number
  order_status?: string
  order_number?: string
  created_at: string
  updated_at: string
  closed_at?: string
}

/** §2.6 */
export interface StockOperationRow {
  kind: 'stock_operation'
  id: number
  venue_id: number
  stock_id: number
  reserved: number
  receipt_id?: number
  receipt_product_id?: number
  product_id: number
  modificator_id?: number
  operation_id?: number
  operation_item_id?: number
  parent_id?: number
  unit_id: number
  quantity: number
  before_quantity: number
  after_quantity: number
  before: number
  after: number
  cost: number
  before_cost: number
  total_cost: number
  operated_at: string
}

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
