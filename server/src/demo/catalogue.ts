import { definedOnly } from '../values/defined-only.ts'
import { type Choice, choices } from './choices.ts'
import { ONE, type Scaled, scaled, times, toWire } from './decimal.ts'
import { type Course, type Item, type Size, tags, taxes, UNIT_IDS, type Unit } from './item.ts'
import { menu } from './menu.ts'
import type { Modification, ModificatorGroup, ProductRow } from './rows.ts'
import { specials } from './specials.ts'

/** The menu with ids and computed costs: the rows of products, what can be sold, and what is kept in stock. */
export interface Catalogue {
  products: Omit<ProductRow, 'created_at' | 'updated_at'>[]
  /** How many rows GET /products lists: variants share the products' ids (D3.6). */
  size: number
  sold: Sold[]
  /** The entries of `sold` that are on the price lists; the others cost the same everywhere. */
  listed: Sold[]
  stocked: Stocked[]
}

/** Something that a guest can order: a dish, a bottle, a size of one, an hour of billiards. */
export interface Sold {
  id: number
  course: Course
  price: Scaled
  tablePrice: Scaled
  deliveryPrice: Scaled
  takes: Take[]
  extras: Extra[]
  /** The groups of extras of which a guest has to choose one. */
  required: Extra[][]
  clock?: Item['clock']
}

/** Something bought or prepared ahead; each venue keeps stock of it. */
export interface Stocked {
  id: number
  name: string
  type: Item['type'] | 'MODIFICATION'
  cost: Scaled
  unit: Unit
  /** The quantity of one delivery unit. */
  lot: Scaled
}

/** The quantity of a stocked item that one sale uses. */
export interface Take {
  ingredient: Stocked
  quantity: Scaled
}

/** A modificator that can be added to a sale line. */
export interface Extra {
  id: number
  price: Scaled
  take?: Take
}

interface CatalogueBuilder extends Catalogue {
  shelf: Map<string, Stocked>
  groups: Map<Choice, { row: ModificatorGroup; extras: Extra[] }>
  packages: number
}

const LISTED_PER_SCALE = 200
const SMALL_PRICE = scaled(5)
const TABLE_SUPPLEMENT = scaled(0.3)
const DELIVERY_PERCENT = 112
const DIME = scaled(0.1)

/** The hand-written menu; with a scale, specials are added until GET /products lists `scale` × 200 rows. */
export function buildCatalogue(scale?: number): Catalogue {
  const builder: CatalogueBuilder = {
    products: [],
    size: 0,
    sold: [],
    listed: [],
    stocked: [],
    shelf: new Map(),
    groups: new Map(),
    packages: 0,
  }
  for (const item of menu) add(builder, item)
  listPrices(builder)
  if (scale === undefined) return builder

  const room = () => scale * LISTED_PER_SCALE - builder.size
  for (const item of specials()) {
    if (room() < 1) break
    if (room() >= 1 + item.sizes.length) add(builder, item)
  }
  return builder
}

/** The id of a product of the hand-written menu, which is the same at every scale. */
export function productIdOf(name: string): number {
  const index = menu.findIndex((item) => item.name === name)
  return menu.slice(0, index).reduce((id, { sizes }) => id + 1 + sizes.length, 1)
}

/** The category of each course, and the station that makes it (house.ts). */
const COURSES: Record<Course, Pick<ProductRow, 'category_id' | 'station_id' | 'cooking_time'>> = {
  breakfast: { category_id: 5, station_id: 3, cooking_time: 4 },
  starter: { category_id: 6, station_id: 1, cooking_time: 8 },
  main: { category_id: 7, station_id: 1, cooking_time: 15 },
  dessert: { category_id: 8, station_id: 2, cooking_time: 6 },
  drink: { category_id: 9, station_id: 3 },
  pastime: { category_id: 3 },
}
const STORED_IN: Partial<Record<Item['type'], number>> = { INGREDIENT: 10, PREPARATION: 11 }

function add(builder: CatalogueBuilder, item: Item) {
  const id = ++builder.size
  const recipe = Object.entries(item.recipe).map(([name, gross]) => take(builder, name, gross))
  const cost = item.cost === undefined ? costOf(recipe) : scaled(item.cost)
  const full_name = item.detail ? `${item.name}, ${item.detail}` : item.name
  const parent = { id, full_name, recipe }
  const modifications = item.sizes.map((size) => addSize(builder, item, parent, size))
  if (!modifications.length) {
    offer(builder, item, { id, type: item.type, name: item.name, price: scaled(item.price), cost, recipe })
  }

  builder.products.push({
    kind: 'product',
    id,
    name: item.name,
    type: item.type,
    full_name,
    status: item.unavailable ? 0 : 1,
    price: item.price,
    cost_price: toWire(cost),
    has_modifications: modifications.length > 0,
    modifications,
    modificator_groups: item.choices.map((name) => groupOf(builder, choices[name]).row),
    recipe: recipe.map(({ ingredient, quantity }) => ({
      id: ingredient.id,
      name: ingredient.name,
      cost_price: toWire(ingredient.cost),
      pivot: { gross: toWire(quantity).toFixed(3) }, // D3.7
    })),
    packages: item.packs.map(([name, equal]) => ({ id: ++builder.packages, name, equal })),
    ...(item.clock && { setting: { interval: item.clock.interval, prices: item.clock.steps } }),
    taxes: taxes[item.tax],
    tags: item.tags.map((name) => tags[name]),
    // What is not sold is on no menu, and runs out before its last pack does.
    ...(item.course
      ? COURSES[item.course]
      : { category_id: STORED_IN[item.type]!, hidden: true, low_stock: item.packs[0]?.[1] ?? 1 }),
    unit_id: UNIT_IDS[item.unit],
    takes: [...sizeTakes(item, modifications, recipe), ...extraTakes(builder, item)],
  })
}

/** P20: a size of a dish takes a multiple of its recipe. */
const sizeTakes = ({ sizes }: Item, modifications: Modification[], recipe: Take[]) =>
  sizes.flatMap((size, index) =>
    'cost' in size
      ? []
      : recipe.map(({ ingredient, quantity }) => ({
          product_id: ingredient.id,
          gross: toWire(quantity * size.portions),
          modification_id: modifications[index]!.id,
        })),
  )

const extraTakes = (builder: CatalogueBuilder, item: Item) =>
  item.choices
    .flatMap((name) => groupOf(builder, choices[name]).extras)
    .flatMap(({ id, take }) =>
      take ? [{ product_id: take.ingredient.id, gross: toWire(take.quantity), modificator_id: id }] : [],
    )

function addSize(
  builder: CatalogueBuilder,
  item: Item,
  parent: { id: number; full_name: string; recipe: Take[] },
  size: Size,
): Modification {
  const id = ++builder.size
  const price = scaled(size.price)
  const full_name = `${parent.full_name}, ${size.name}`
  const bought = 'cost' in size
  const recipe = bought
    ? []
    : parent.recipe.map(({ ingredient, quantity }) => ({ ingredient, quantity: quantity * size.portions }))
  const cost = bought ? scaled(size.cost) : costOf(recipe)
  offer(builder, item, { id, type: 'MODIFICATION', name: full_name, price, cost, recipe })

  return {
    id,
    parent_id: parent.id,
    type: 'MODIFICATION',
    name: size.name,
    price: toWire(price),
    cost_price: toWire(cost),
    ...(bought && { barcode: barcodeOf(id) }),
    full_name,
    status: item.unavailable ? 0 : 1,
  }
}

/** Adds an item, or one size of it, to the stocked items and to those for sale, where it belongs there. */
function offer(
  builder: CatalogueBuilder,
  item: Item,
  form: Pick<Stocked, 'id' | 'type' | 'name' | 'cost'> & { price: Scaled; recipe: Take[] },
) {
  const { id, type, name, cost, price } = form
  let takes = form.recipe
  if (item.type !== 'DISH' && item.type !== 'TIMER') {
    const ingredient = { id, type, name, cost, unit: item.unit, lot: scaled(item.packs[0]?.[1] ?? 1) }
    builder.stocked.push(ingredient)
    builder.shelf.set(name, ingredient)
    takes = [{ ingredient, quantity: ONE }]
  }
  if (item.course && !item.unavailable) {
    const groups = item.choices.map((choice) => groupOf(builder, choices[choice]))
    builder.sold.push({
      id,
      course: item.course,
      price,
      tablePrice: price,
      deliveryPrice: price,
      takes,
      extras: groups.flatMap(({ extras }) => extras),
      required: groups.filter(({ row }) => row.min_select > 0).map(({ extras }) => extras),
      ...(item.clock && { clock: item.clock }),
    })
  }
}

/** Cheap items cost a little more at a table, and everything 12 % more on delivery. Timers keep their price at a table. */
function listPrices(builder: CatalogueBuilder) {
  for (const sold of builder.sold) {
    if (sold.price < SMALL_PRICE && !sold.clock) sold.tablePrice += TABLE_SUPPLEMENT
    sold.deliveryPrice = Math.ceil((sold.price * DELIVERY_PERCENT) / 100 / DIME) * DIME
    builder.listed.push(sold)
  }
}

function groupOf(builder: CatalogueBuilder, choice: Choice) {
  const known = builder.groups.get(choice)
  if (known) return known

  const order = Object.values(choices)
  const place = order.indexOf(choice)
  const first = order.slice(0, place).flatMap(({ options }) => options).length + 1
  const options = choice.options.map(({ takes, ...option }, index) => ({
    ...option,
    id: first + index,
    take: takes && take(builder, ...takes),
  }))
  const group = {
    row: {
      id: place + 1,
      name: choice.name,
      type: choice.type,
      min_select: choice.min,
      max_select: choice.max,
      modificators: options.map(({ id, name, price, max, take }) => ({
        id,
        name,
        price,
        cost_price: take ? toWire(times(take.ingredient.cost, take.quantity)) : 0,
        max_count: max ?? 1,
        status: true,
        ...(take && {
          ingredient: {
            id: take.ingredient.id,
            name: take.ingredient.name,
            type: take.ingredient.type,
            cost_price: toWire(take.ingredient.cost),
          },
        }),
      })),
    },
    extras: options.map(({ id, price, take }) => ({ id, price: scaled(price), ...definedOnly({ take }) })),
  }
  builder.groups.set(choice, group)
  return group
}

function take(builder: CatalogueBuilder, name: string, quantity: number): Take {
  const ingredient = builder.shelf.get(name)
  if (!ingredient) throw new Error(`The menu uses ${name} before it names it`)
  return { ingredient, quantity: scaled(quantity) }
}

const costOf = (recipe: Take[]) =>
  recipe.reduce((sum, { ingredient, quantity }) => sum + times(ingredient.cost, quantity), 0)

/** EAN-13 in the range that shops keep for themselves. */
function barcodeOf(id: number): string {
  const digits = `2${String(id).padStart(11, '0')}`
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
