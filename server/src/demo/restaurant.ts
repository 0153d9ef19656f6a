import { type Carte, writeCarte } from './carte.ts'
import { toWire } from './decimal.ts'
import { CUSTOMERS, customerGroups, customers, GROUPS, roles, users, venues } from './people.ts'
import { seeded } from './random.ts'
import { DAY, firstDay } from './rhythm.ts'
import type { PriceListRow, PriceRow, ProductRow, Row } from './rows.ts'
import { salesByDay } from './sales.ts'
import { stockOperations } from './stock.ts'

export interface DemoOptions {
  /** The demo ends here: nothing in it is later. */
  today: Date
  /** A whole number from 1; absent, the restaurant is of the size a person likes to look at. */
  scale?: number | undefined
}

const RECEIPTS = 2000
const OPERATIONS_PER_RECEIPT = 6

const TABLE_LIST = 1
const DELIVERY_LIST = 2

/**
 * The demo restaurant as the rows of an import file, kind after kind, references pointing backwards. The same options
 * give the same rows, to the byte.
 */
export function* demoRows({ today, scale }: DemoOptions): Generator<Row> {
  const carte = writeCarte(scale)
  const house = {
    carte,
    groups: customerGroups(today),
    customers: customers(today),
    today,
    receipts: RECEIPTS * (scale ?? 1),
  }

  yield* venues
  yield* roles
  yield* users
  yield* house.groups
  yield* house.customers
  yield* productRows(carte, today)
  yield* priceLists(today)
  yield* priceRows(carte)
  for (const { sales } of salesByDay(house)) yield* sales.map(({ receipt }) => receipt)
  // The sales are drawn a second time rather than kept, so that never more than one day of them is held.
  yield* stockOperations(carte, salesByDay(house))
}

/** How many rows of each kind to expect, for a progress bar: exact, except that stock operations are estimated. */
export function demoSize(scale?: number): Record<Row['kind'], number> {
  const carte = writeCarte(scale)
  const receipts = RECEIPTS * (scale ?? 1)
  return {
    venue: venues.length,
    role: roles.length,
    user: users.length,
    customer_group: GROUPS.length,
    customer: CUSTOMERS,
    product: carte.products.length,
    price_list: 2,
    price: priceRows(carte).length,
    receipt: receipts,
    stock_operation: carte.stocked.length * venues.length + receipts * OPERATIONS_PER_RECEIPT,
  }
}

function* productRows(carte: Carte, today: Date): Generator<ProductRow> {
  const random = seeded('products')
  const now = today.getTime()
  for (const product of carte.products) {
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
    { kind: 'price_list', id: TABLE_LIST, name: 'Sur place', description: 'En salle et en terrasse', ...dates },
    {
      kind: 'price_list',
      id: DELIVERY_LIST,
      name: 'Livraison',
      description: 'Site, application et téléphone',
      ...dates,
    },
  ]
}

function priceRows({ listed }: Carte): PriceRow[] {
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
