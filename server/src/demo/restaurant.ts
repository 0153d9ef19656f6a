import { RESOURCES } from '../resources/catalogue.ts'
import { buildCatalogue, type Catalogue } from './catalogue.ts'
import { toWire } from './decimal.ts'
import { houseOf } from './house.ts'
import { DELIVERY, DINE_IN } from './methods.ts'
import { DAY, firstDay, MIN_DAYS } from './opening-hours.ts'
import { customerGroups, customers, roles, users, venues } from './people.ts'
import { seeded } from './random.ts'
import type { PriceListRow, PriceRow, ProductRow, Row } from './rows.ts'

interface DemoOptions {
  /** The demo ends here: nothing in it is later. */
  today: Date
  /** A whole number from 1; absent, the restaurant is of the size a person likes to look at. */
  scale?: number | undefined
}

const TABLE_LIST = 1
const DELIVERY_LIST = 2

/** The order of RESOURCES: each row points only at rows before it. */
const PLACES = new Map(RESOURCES.map(({ kind }, place) => [kind, place]))
const placeOf = ({ kind }: Row) => PLACES.get(kind)!

/** The house as it was before its first guest, as the rows of an import file. The same options give the same rows, to the byte. */
export function demoRows({ today, scale }: DemoOptions): Row[] {
  const catalogue = buildCatalogue(scale)
  const guests = customers(today)
  const balances = guests.flatMap(({ balance, cashback_balance }) => [balance.id ?? 0, cashback_balance.id ?? 0])
  const rows = [
    ...venues,
    ...roles,
    ...users,
    ...customerGroups(today),
    ...guests,
    ...productRows(catalogue, today),
    ...priceLists(today),
    ...priceRows(catalogue),
    ...houseOf(today, Math.max(...balances)),
  ]
  return rows.sort((a, b) => placeOf(a) - placeOf(b))
}

function* productRows(catalogue: Catalogue, today: Date): Generator<ProductRow> {
  const random = seeded('products')
  const first = firstDay(today)
  for (const product of catalogue.products) {
    const created = first - random.between(1, 700 * DAY)
    // One in five was changed within the last month: something for a client that fetches only changes.
    const updated = random.percent(20) ? first + random.between(1, (MIN_DAYS - 1) * DAY) : created
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
