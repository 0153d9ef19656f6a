import { RESOURCES } from '../resources/catalogue.ts'
import { buildCatalogue, type Catalogue } from './catalogue.ts'
import { type Scaled, scaled, toWire } from './decimal.ts'
import { demoEntries, demoImages } from './entries.ts'
import { houseOf } from './house.ts'
import { DELIVERY, DINE_IN, TAKE_AWAY } from './methods.ts'
import { DAY, dayIndex, firstDay, MIN_DAYS } from './opening-hours.ts'
import { customerGroups, customers, roles, users, venues } from './people.ts'
import { seeded } from './random.ts'
import type { PriceListRow, PriceRow, ProductRow, Row } from './rows.ts'
import { ALCOHOL } from './words.ts'

interface DemoOptions {
  /** The demo ends here: nothing in it is later. */
  today: Date
  /** A whole number from 1; absent, the restaurant is of the size a person likes to look at. */
  scale?: number | undefined
}

const TABLE_LIST = 1
const DELIVERY_LIST = 2
const HAPPY_LIST = 3
const LUNCH_LIST = 4
const DIME = scaled(0.1)
/** Dishes that cost two euros less at lunch. */
const LUNCH = ['Croque-monsieur', 'Croque-madame', 'Ratatouille, œuf mollet']

/** The order of RESOURCES: each row points only at rows before it. */
const PLACES = new Map(RESOURCES.map(({ kind }, place) => [kind, place]))
const placeOf = ({ kind }: Row) => PLACES.get(kind)!

/** The house as it was before its first guest, as the rows of an import file. The same options give the same rows, to the byte. */
export function demoRows({ today, scale }: DemoOptions): Row[] {
  const catalogue = buildCatalogue(scale)
  const guests = customers(today)
  const balances = guests.flatMap(({ balance, cashback_balance }) => [balance.id ?? 0, cashback_balance.id ?? 0])
  const house = houseOf(today, Math.max(...balances))
  const categories = house.filter((row) => row.kind === 'category')
  const rows = [
    ...venues,
    ...roles,
    ...users,
    ...customerGroups(today),
    ...guests,
    ...productRows(catalogue, today),
    ...priceLists(today),
    ...priceRows(catalogue),
    ...demoImages(),
    ...demoEntries(categories, catalogue.products as ProductRow[]),
    ...house,
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

// Timed lists begin today: days that are over are moved by weeks of UTC, and clocks change (days-file.ts).
function priceLists(today: Date): PriceListRow[] {
  const written = new Date(firstDay(today) - 90 * DAY).toISOString()
  const dates = { status: true, created_at: written, updated_at: written }
  const starts_on = new Date(firstDay(today) + dayIndex(today) * DAY).toISOString().slice(0, 10)
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
    {
      kind: 'price_list',
      id: HAPPY_LIST,
      name: 'Apéro',
      description: 'Bières, cidres et vins, en semaine de 17 à 19 heures',
      scopes: [
        {
          sale_type_id: DINE_IN.id,
          priority: 20,
          starts_on,
          windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '17:00', to: '19:00' }],
        },
      ],
      ...dates,
    },
    {
      kind: 'price_list',
      id: LUNCH_LIST,
      name: 'Midi',
      description: 'De 11 h 30 à 14 h 30, sur place et à emporter',
      scopes: [DINE_IN, TAKE_AWAY].map(({ id }) => ({
        sale_type_id: id,
        priority: 20,
        starts_on,
        windows: [{ from: '11:30', to: '14:30' }],
      })),
      ...dates,
    },
  ]
}

function priceRows({ listed, products }: Catalogue): PriceRow[] {
  const table = listed.map(({ id, tablePrice }) => ({ list_id: TABLE_LIST, product_id: id, price: tablePrice }))
  const delivered = listed.filter(({ clock }) => !clock) // a billiard table stays where it is
  const delivery = delivered.map(({ id, deliveryPrice }) => ({
    list_id: DELIVERY_LIST,
    product_id: id,
    price: deliveryPrice,
  }))
  const nameOf = new Map(
    products.flatMap(({ id, name, modifications }) =>
      [id, ...modifications.map((size) => size.id)].map((each) => [each, name]),
    ),
  )
  const happy = listed.filter(({ id }) => nameOf.get(id)! in ALCOHOL)
  const lunch = listed.filter(({ id }) => LUNCH.includes(nameOf.get(id)!))
  const timed = [
    ...happy.map(({ id, tablePrice }) => ({ list_id: HAPPY_LIST, product_id: id, price: cheaper(tablePrice) })),
    ...lunch.map(({ id, price }) => ({ list_id: LUNCH_LIST, product_id: id, price: price - scaled(2) })),
  ]
  return [...table, ...delivery, ...timed].map((entry, index) => ({
    kind: 'price',
    id: index + 1,
    ...entry,
    price: toWire(entry.price),
  }))
}

/** A quarter less, in whole dimes. */
const cheaper = (price: Scaled) => Math.round((price * 3) / 4 / DIME) * DIME
