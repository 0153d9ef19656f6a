import { createDocument } from '../pos/documents/commands.ts'
import { publishDocument } from '../pos/documents/publish.ts'
import type { NewDocument } from '../pos/documents/schema.ts'
import { COUNT, PRODUCTION, SUPPLY, TRANSFER, WASTE } from '../values/states.ts'
import type { Catalogue, Stocked } from './catalogue.ts'
import { ONE, type Scaled, toWire } from './decimal.ts'
import { storageOf } from './house.ts'
import { HOUR, MINUTE } from './opening-hours.ts'
import { MANAGER } from './people.ts'
import { seeded } from './random.ts'
import type { Line, SaleDay } from './sales.ts'
import { type Staff, VENUES } from './staff.ts'
import type { Timeline } from './timeline.ts'

// How the shelves are kept: documents by the commands that staff use (S6).

/** A delivery covers the day it comes on and, were they like it, the next three. */
const DAYS_COVERED = 4
/** What is made in the kitchen keeps for two. */
const DAYS_KEPT = 2
const OPENING = 11
const MAX_ITEMS = 500
/** What matters is counted every week: the first so many. */
const COUNTED = 200

type Items = NewDocument['items']
/** Quantities by product. */
type Quantities = Map<number, Scaled>

/** Puts all that is done about the shelves on one day on the timeline. */
export function keepStock(staff: Staff, timeline: Timeline, catalogue: Catalogue, day: SaleDay): void {
  const random = seeded(`stock ${day.index}`)
  const byId = new Map(catalogue.stocked.map((each) => [each.id, each]))
  const recipes = recipesOf(catalogue)

  async function publish(venue_id: number, now: string, document: Omit<NewDocument, 'items'>, items: Items) {
    const context = staff.acting(venue_id, MANAGER, now)
    for (let from = 0; from < items.length; from += MAX_ITEMS) {
      const written = await createDocument(context, { ...document, items: items.slice(from, from + MAX_ITEMS) })
      await publishDocument(context, (JSON.parse(written) as { id: number }).id)
    }
  }

  /** What is there and not spoken for. */
  async function freeAt(venue_id: number, storage_id: number): Promise<Quantities> {
    const { tx, brand_id } = staff
    const rows = await tx.rows<{ product_id: number; quantity: number }>(
      `select product_id, quantity - coalesce((select sum(quantity) from reservations where brand_id = stocks.brand_id
         and venue_id = stocks.venue_id and product_id = stocks.product_id), 0) as quantity
       from stocks where brand_id = ? and venue_id = ? and storage_id = ? order by product_id`,
      [brand_id, venue_id, storage_id],
    )
    return new Map(rows.map(({ product_id, quantity }) => [product_id, Number(quantity)]))
  }

  const needAt = (venue_id: number): Quantities => {
    const needed: Quantities = new Map()
    for (const { ingredient, quantity } of day.sales
      .filter((sale) => sale.venue_id === venue_id)
      .flatMap(({ lines }) => lines.flatMap(takesOf)))
      add(needed, ingredient.id, quantity)
    return needed
  }

  /** What the kitchen makes for the day. Adds what that takes to `needed`. */
  function production(needed: Quantities, held: Quantities): Quantities {
    const made: Quantities = new Map()
    // The last on the menu first: a preparation may go into one that comes later.
    for (const { id, lot } of catalogue.stocked.filter(({ type }) => type === 'PREPARATION').reverse()) {
      const missing = (needed.get(id) ?? 0) - (held.get(id) ?? 0)
      if (missing <= 0) continue
      const quantity = lotsOf((needed.get(id) ?? 0) * DAYS_KEPT - (held.get(id) ?? 0), lot)
      made.set(id, quantity)
      for (const { product_id, gross } of recipes.get(id)!) add(needed, product_id, Math.ceil((gross * quantity) / ONE))
    }
    return made
  }

  function bought(needed: Quantities, held: Quantities, isOpening: boolean): Map<Stocked, Scaled> {
    const lots = new Map<Stocked, Scaled>()
    for (const product of catalogue.stocked) {
      if (product.type === 'PREPARATION' && !isOpening) continue
      const [want, have] = [needed.get(product.id) ?? 0, held.get(product.id) ?? 0]
      // The doors open on full shelves; after that, only what would not last the day is bought.
      if (isOpening || want > have) lots.set(product, lotsOf(want * DAYS_COVERED - have, product.lot))
    }
    return lots
  }

  const itemOf = ([{ id, cost }, quantity]: [Stocked, Scaled]) => ({
    product_id: id,
    quantity: toWire(quantity),
    cost: toWire(cost),
  })

  /** Prices of the market go up and down a little. */
  const atMarket = (item: ReturnType<typeof itemOf>) => ({
    ...item,
    cost: toWire(Math.round((item.cost * ONE * random.between(96, 106)) / 100)),
  })

  function open(): void {
    for (const venue_id of VENUES)
      timeline.schedule(day.start, (now) => {
        const items = [...bought(needAt(venue_id), new Map(), true)].map(itemOf)
        return publish(venue_id, now, { type: OPENING, storage_id: storageOf(venue_id).main }, items)
      })
  }

  function morning(venue_id: number): void {
    const { main } = storageOf(venue_id)
    let made: Quantities
    timeline.schedule(day.start + 20 * MINUTE, async (now) => {
      const held = await freeAt(venue_id, main)
      const needed = needAt(venue_id)
      made = production(needed, held)
      const bySupplier = Map.groupBy(bought(needed, held, false), ([product]) => supplierOf(product))
      for (const [supplier_id, items] of [...bySupplier].sort(([one], [other]) => one - other))
        await publish(venue_id, now, { type: SUPPLY, storage_id: main, supplier_id }, items.map(itemOf).map(atMarket))
    })
    timeline.schedule(day.start + 40 * MINUTE, async (now) => {
      const items = [...made].reverse().map(([product_id, quantity]) => ({ product_id, quantity: toWire(quantity) }))
      await publish(venue_id, now, { type: PRODUCTION, storage_id: main }, items)
    })
  }

  /** Some of what is fresh is thrown away. */
  function waste(venue_id: number): void {
    const { main } = storageOf(venue_id)
    timeline.schedule(day.start + 17 * HOUR, async (now) => {
      const fresh = [...(await freeAt(venue_id, main))].filter(
        ([id, quantity]) => byId.get(id)?.type === 'INGREDIENT' && quantity > 0,
      )
      if (fresh.length === 0) return
      const chosen = new Map(Array.from({ length: random.between(1, 3) }, () => random.pick(fresh)))
      const items = [...chosen].map(([product_id, held]) => ({
        product_id,
        quantity: toWire(Math.min(held, byId.get(product_id)!.unit === 'piece' ? ONE : ONE / 10)),
      }))
      await publish(venue_id, now, { type: WASTE, storage_id: main, description: 'Périmé' }, items)
    })
  }

  /** A weekly stock count before opening, which finds small differences. */
  function count(venue_id: number): void {
    const { main } = storageOf(venue_id)
    timeline.schedule(day.start + 10 * MINUTE, async (now) => {
      const held = [...(await freeAt(venue_id, main))].slice(0, COUNTED)
      const items = held.map(([product_id, quantity]) => {
        const isMissing = byId.get(product_id)?.unit !== 'piece' && random.percent(15)
        const counted = Math.max(0, isMissing ? Math.floor((quantity * random.between(95, 99)) / 100) : quantity)
        return { product_id, counted: toWire(counted) }
      })
      await publish(venue_id, now, { type: COUNT, storage_id: main, description: 'Inventaire de la semaine' }, items)
    })
  }

  /** Bottles go down to the cellar on one day, and what is left of them comes up on another. */
  function transfer(venue_id: number, direction: 'down' | 'up'): void {
    const { main, cellar } = storageOf(venue_id)
    const [storage_id, to_storage_id] = direction === 'down' ? [main, cellar] : [cellar, main]
    timeline.schedule(day.start + 11 * HOUR, async (now) => {
      const bottles = [...(await freeAt(venue_id, storage_id))].filter(
        ([id, quantity]) => byId.get(id)!.type === 'MODIFICATION' && quantity >= 4 * ONE,
      )
      const items = bottles.slice(0, 5).map(([product_id, quantity]) => ({
        product_id,
        quantity: Math.floor(toWire(quantity) / (direction === 'down' ? 4 : 2)),
      }))
      await publish(venue_id, now, { type: TRANSFER, storage_id, to_storage_id }, items)
    })
  }

  const [monday, tuesday, friday] = [0, 1, 4].map((weekday) => day.index % 7 === weekday)
  if (day.index === 0) open()
  for (const venue_id of VENUES) {
    if (monday) count(venue_id)
    morning(venue_id)
    if (tuesday || friday) transfer(venue_id, friday ? 'down' : 'up')
    if ((day.index + venue_id) % 3 === 0) waste(venue_id)
  }
}

const add = (to: Quantities, id: number, quantity: Scaled) => void to.set(id, (to.get(id) ?? 0) + quantity)

const lotsOf = (quantity: Scaled, lot: Scaled): Scaled => Math.max(1, Math.ceil(quantity / lot)) * lot

/** Coffee and drinks; fruit, vegetables and meat by weight; milk, eggs and the rest. */
function supplierOf({ type, unit }: Stocked): number {
  if (type !== 'INGREDIENT') return 3
  return unit === 'kg' ? 1 : 2
}

const recipesOf = ({ products }: Catalogue) =>
  new Map(
    products.map(({ id, recipe }) => [
      id,
      recipe.map(({ id: product_id, pivot }) => ({ product_id, gross: Math.round(Number(pivot.gross) * ONE) })),
    ]),
  )

/** P20 of the demo's own menu, to know what a day needs. */
const takesOf = ({ sold, count, extras }: Line) =>
  [...sold.takes, ...extras.flatMap(({ take }) => take ?? [])].map(({ ingredient, quantity }) => ({
    ingredient,
    quantity: quantity * count,
  }))
