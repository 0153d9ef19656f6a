import { type Choice, choices } from './choices.ts'
import { ONE, type Scaled, scaled, times, toWire } from './decimal.ts'
import { type Course, type Item, type Size, tags, taxes, type Unit } from './item.ts'
import { menu } from './menu.ts'
import type { Modification, ModificatorGroup, ProductRow } from './rows.ts'
import { specials } from './specials.ts'

/** The menu with its ids and its sums: what the products' rows say, what can be sold, what is kept on the shelves. */
export interface Carte {
  products: Omit<ProductRow, 'created_at' | 'updated_at'>[]
  /** How many rows GET /products lists: variants share the products' ids (D3.6). */
  size: number
  sold: Sold[]
  /** Those of `sold` that stand on the price lists; the others cost the same everywhere. */
  listed: Sold[]
  stocked: Stocked[]
}

/** Something a guest can order: a dish, a bottle, one of their sizes, an hour of billiards. */
export interface Sold {
  id: number
  course: Course
  price: Scaled
  tablePrice: Scaled
  deliveryPrice: Scaled
  takes: Take[]
  extras: Extra[]
  clock?: Item['clock']
}

/** Something bought or prepared ahead, counted on the shelves of each venue. */
export interface Stocked {
  id: number
  name: string
  type: Item['type'] | 'MODIFICATION'
  cost: Scaled
  unit: Unit
  /** It arrives by the lot. */
  lot: Scaled
}

/** So much of it leaves the shelf. */
export interface Take {
  of: Stocked
  quantity: Scaled
}

/** A modificator, as a sale sees it. */
export interface Extra {
  id: number
  price: Scaled
  take?: Take
}

interface Draft extends Carte {
  shelf: Map<string, Stocked>
  groups: Map<Choice, { row: ModificatorGroup; extras: Extra[] }>
  packages: number
}

const LISTED_PER_SCALE = 200
const SMALL_PRICE = scaled(5)
const TABLE_SUPPLEMENT = scaled(0.3)
const DELIVERY_PERCENT = 112
const DIME = scaled(0.1)

/** Without a scale the hand-written menu; with one, specials follow until GET /products lists `scale` × 200 rows. */
export function writeCarte(scale?: number): Carte {
  const draft: Draft = {
    products: [],
    size: 0,
    sold: [],
    listed: [],
    stocked: [],
    shelf: new Map(),
    groups: new Map(),
    packages: 0,
  }
  for (const item of menu) add(draft, item)
  listPrices(draft)
  if (scale === undefined) return draft

  const room = () => scale * LISTED_PER_SCALE - draft.size
  for (const item of specials()) {
    if (room() < 1) break
    if (room() >= 1 + item.sizes.length) add(draft, item)
  }
  return draft
}

function add(draft: Draft, item: Item) {
  const id = ++draft.size
  const recipe = Object.entries(item.recipe).map(([name, gross]) => take(draft, name, gross))
  const cost = item.cost === undefined ? costOf(recipe) : scaled(item.cost)
  const full_name = item.detail ? `${item.name}, ${item.detail}` : item.name
  const parent = { id, full_name, recipe }
  const modifications = item.sizes.map((size) => addSize(draft, item, parent, size))
  if (!modifications.length) {
    offer(draft, item, { id, type: item.type, name: item.name, price: scaled(item.price), cost, recipe })
  }

  draft.products.push({
    kind: 'product',
    id,
    name: item.name,
    type: item.type,
    full_name,
    status: item.resting ? 0 : 1,
    price: item.price,
    cost_price: toWire(cost),
    has_modifications: modifications.length > 0,
    modifications,
    modificator_groups: item.choices.map((name) => groupOf(draft, choices[name]).row),
    recipe: recipe.map(({ of, quantity }) => ({
      id: of.id,
      name: of.name,
      cost_price: toWire(of.cost),
      pivot: { gross: toWire(quantity).toFixed(3) }, // D3.7
    })),
    packages: item.packs.map(([name, equal]) => ({ id: ++draft.packages, name, equal })),
    ...(item.clock && { setting: { interval: item.clock.interval, prices: item.clock.steps } }),
    taxes: taxes[item.tax],
    tags: item.tags.map((name) => tags[name]),
  })
}

function addSize(
  draft: Draft,
  item: Item,
  parent: { id: number; full_name: string; recipe: Take[] },
  size: Size,
): Modification {
  const id = ++draft.size
  const price = scaled(size.price)
  const full_name = `${parent.full_name}, ${size.name}`
  const bought = 'cost' in size
  const recipe = bought ? [] : parent.recipe.map(({ of, quantity }) => ({ of, quantity: quantity * size.portions }))
  const cost = bought ? scaled(size.cost) : costOf(recipe)
  offer(draft, item, { id, type: 'MODIFICATION', name: full_name, price, cost, recipe })

  return {
    id,
    parent_id: parent.id,
    type: 'MODIFICATION',
    name: size.name,
    price: toWire(price),
    cost_price: toWire(cost),
    ...(bought && { barcode: barcodeOf(id) }),
    full_name,
    status: item.resting ? 0 : 1,
  }
}

/** Puts an item, or one size of it, on the shelves if it is kept there and on sale if it is sold. */
function offer(
  draft: Draft,
  item: Item,
  form: Pick<Stocked, 'id' | 'type' | 'name' | 'cost'> & { price: Scaled; recipe: Take[] },
) {
  const { id, type, name, cost, price } = form
  let takes = form.recipe
  if (item.type !== 'DISH' && item.type !== 'TIMER') {
    const of = { id, type, name, cost, unit: item.unit, lot: scaled(item.packs[0]?.[1] ?? 1) }
    draft.stocked.push(of)
    draft.shelf.set(name, of)
    takes = [{ of, quantity: ONE }]
  }
  if (item.course && !item.resting) {
    const extras = item.choices.flatMap((choice) => groupOf(draft, choices[choice]).extras)
    draft.sold.push({
      id,
      course: item.course,
      price,
      tablePrice: price,
      deliveryPrice: price,
      takes,
      extras,
      ...(item.clock && { clock: item.clock }),
    })
  }
}

/** A coffee costs a little more at a table, everything an eighth more at the door; time costs what its steps say. */
function listPrices(draft: Draft) {
  for (const sold of draft.sold) {
    if (sold.price < SMALL_PRICE && !sold.clock) sold.tablePrice += TABLE_SUPPLEMENT
    sold.deliveryPrice = Math.ceil((sold.price * DELIVERY_PERCENT) / 100 / DIME) * DIME
    draft.listed.push(sold)
  }
}

function groupOf(draft: Draft, choice: Choice) {
  const known = draft.groups.get(choice)
  if (known) return known

  const order = Object.values(choices)
  const place = order.indexOf(choice)
  const first = order.slice(0, place).flatMap(({ options }) => options).length + 1
  const options = choice.options.map(({ takes, ...option }, index) => ({
    ...option,
    id: first + index,
    take: takes && take(draft, ...takes),
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
        cost_price: take ? toWire(times(take.of.cost, take.quantity)) : 0,
        max_count: max ?? 1,
        status: true,
        ...(take && {
          ingredient: { id: take.of.id, name: take.of.name, type: take.of.type, cost_price: toWire(take.of.cost) },
        }),
      })),
    },
    extras: options.map(({ id, price, take }) => ({ id, price: scaled(price), ...(take && { take }) })),
  }
  draft.groups.set(choice, group)
  return group
}

function take(draft: Draft, name: string, quantity: number): Take {
  const of = draft.shelf.get(name)
  if (!of) throw new Error(`The menu uses ${name} before it names it`)
  return { of, quantity: scaled(quantity) }
}

const costOf = (recipe: Take[]) => recipe.reduce((sum, { of, quantity }) => sum + times(of.cost, quantity), 0)

/** EAN-13 in the range that shops keep for themselves. */
function barcodeOf(id: number): string {
  const digits = `2${String(id).padStart(11, '0')}`
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
