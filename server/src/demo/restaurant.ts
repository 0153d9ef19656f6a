import { buildCatalogue, type Catalogue } from './catalogue.ts'
import { toWire } from './decimal.ts'
import { houseOf } from './house.ts'
import { DELIVERY, DINE_IN } from './methods.ts'
import { DAY, firstDay } from './opening-hours.ts'
import { CUSTOMERS, customerGroups, customers, GROUPS, roles, users, venues } from './people.ts'
import { seeded } from './random.ts'
import { receiptRows } from './receipts.ts'
import type { PriceListRow, PriceRow, ProductRow, Row } from './rows.ts'
import { salesByDay } from './sales.ts'
import { stockRows } from './stock.ts'

interface DemoOptions {
  /** The demo ends here: nothing in it is later. */
  today: Date
  /** A whole number from 1; absent, the restaurant is of the size a person likes to look at. */
  scale?: number | undefined
}

const RECEIPTS = 2000
const OPERATIONS_PER_RECEIPT = 6.5
const DAYS = 30
const DELIVERIES_PER_PRODUCT = 2.5

const TABLE_LIST = 1
const DELIVERY_LIST = 2

/**
 * The demo restaurant as the rows of an import file, kind after kind, references pointing backwards. The same options
 * give the same rows, to the byte.
 */
export function* demoRows({ today, scale }: DemoOptions): Generator<Row> {
  const catalogue = buildCatalogue(scale)
  const options = {
    catalogue,
    groups: customerGroups(today),
    customers: customers(today),
    today,
    receipts: RECEIPTS * (scale ?? 1),
  }
  const balances = options.customers.flatMap(({ balance, cashback_balance }) => [
    balance.id ?? 0,
    cashback_balance.id ?? 0,
  ])
  const setUp = houseOf(today, Math.max(...balances))

  yield* venues
  yield* roles
  yield* users
  yield* options.groups
  yield* options.customers
  yield* setUp.categories
  yield* setUp.stations
  yield* setUp.units
  yield* setUp.saleTypes
  yield* setUp.taxes
  yield* productRows(catalogue, today)
  yield* priceLists(today)
  yield* priceRows(catalogue)
  yield* setUp.paymentMethods
  yield* setUp.terminals
  yield* setUp.tables
  yield* setUp.storages
  yield* setUp.suppliers
  yield* setUp.financeCategories
  yield* setUp.stopList
  yield* setUp.cashShifts
  const receiptRow = receiptRows(catalogue, today)
  for (const { sales } of salesByDay(options)) yield* sales.map(receiptRow)
  // The sales are drawn again rather than kept, so that never more than one day of them is held.
  yield* stockRows(catalogue, () => salesByDay(options))
}

/** How many rows of each kind to expect, for a progress bar: exact, except that deliveries and what moved are estimated. */
export function demoSize(scale?: number): Record<Row['kind'], number> {
  const setUp = houseOf(new Date(0))
  const catalogue = buildCatalogue(scale)
  const receipts = RECEIPTS * (scale ?? 1)
  return {
    venue: venues.length,
    role: roles.length,
    user: users.length,
    customer_group: GROUPS.length,
    customer: CUSTOMERS,
    category: setUp.categories.length,
    station: setUp.stations.length,
    unit: setUp.units.length,
    sale_type: setUp.saleTypes.length,
    tax: setUp.taxes.length,
    product: catalogue.products.length,
    price_list: 2,
    price: priceRows(catalogue).length,
    payment_method: setUp.paymentMethods.length,
    terminal: setUp.terminals.length,
    table: setUp.tables.length,
    storage: setUp.storages.length,
    supplier: setUp.suppliers.length,
    finance_category: setUp.financeCategories.length,
    stop_list_entry: setUp.stopList.length,
    cash_shift: setUp.cashShifts.length,
    receipt: receipts,
    operation: venues.length * DAYS,
    operation_item: catalogue.stocked.length * venues.length * DELIVERIES_PER_PRODUCT,
    stock: catalogue.stocked.length * venues.length,
    stock_operation: catalogue.stocked.length * venues.length + receipts * OPERATIONS_PER_RECEIPT,
  }
}

function* productRows(catalogue: Catalogue, today: Date): Generator<ProductRow> {
  const random = seeded('products')
  const now = today.getTime()
  for (const product of catalogue.products) {
    const created = firstDay(today) - random.between(1, 700 * DAY)
    // One in five was changed within the last month: something for a client that fetches only changes.
    const updated = random.percent(20) ? now - random.between(1, 30 * DAY) : created
    yield {
      ...product,
      created_at: new Date(created).toISOString(),
      updated_at: new Date(Math.max(created, updated)).toISOString(),
    }
  }
}

function priceLists(today: Date): PriceListRow[] {
  const written = new Date(firstDay(today) - 90 * DAY).toISOString()
  const dates = { status: true, created_at: written, updated_at: written }
  return [
    {
      kind: 'price_list',
      id: TABLE_LIST,
      name: 'Sur place',
      description: 'En salle et en terrasse',
      scopes: [{ sale_type_id: DINE_IN.id, priority: 10 }],
      ...dates,
    },
    {
      kind: 'price_list',
      id: DELIVERY_LIST,
      name: 'Livraison',
      description: 'Site, application et téléphone',
      scopes: [{ sale_type_id: DELIVERY.id, priority: 10 }],
      ...dates,
    },
  ]
}

function priceRows({ listed }: Catalogue): PriceRow[] {
  const table = listed.map(({ id, tablePrice }) => ({ list_id: TABLE_LIST, product_id: id, price: tablePrice }))
  const delivered = listed.filter(({ clock }) => !clock) // a billiard table stays where it is
  const delivery = delivered.map(({ id, deliveryPrice }) => ({
    list_id: DELIVERY_LIST,
    product_id: id,
    price: deliveryPrice,
  }))
  return [...table, ...delivery].map((entry, index) => ({
    kind: 'price',
    id: index + 1,
    ...entry,
    price: toWire(entry.price),
  }))
}
