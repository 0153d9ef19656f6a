import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventId } from '../../events/event-id.ts'
import { isEmpty, type MenuEntry, seenIn } from '../../resources/entries/entries.ts'
import type { Category } from '../../resources/menu/categories.ts'
import type { TimedPrice } from '../../resources/menu/price-windows.ts'
import type { Modification, ModificatorGroup, Product } from '../../resources/menu/product-schema.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { fromScaled } from '../../values/values.ts'
import type { Weekday } from '../../values/wall-clock.ts'
import type { MenuRows, SoldProduct, Stop } from './read.ts'
import type { Menu, MenuGroup, MenuProduct } from './schema.ts'

// M1 to M4: what a menu shows of the rows that were read. No clock has a part in it: the same rows make the same bytes.

const PRODUCTS_A_TURN = 100

/** The text of `data`. */
export async function makeMenu(rows: MenuRows, lang: string | undefined): Promise<string> {
  const { mark, venue, settings, brand, saleType } = rows
  const { categories, products } = soldThings(rows)
  const parts = [
    JSON.stringify({
      version: eventId(mark),
      venue: {
        id: venue.id,
        name: venue.name,
        time_zone: venue.time_zone,
        currency: brand.currency,
        money_places: brand.money_places,
        ...definedOnly({ hours: settings.hours, paused_until: settings.paused_until }),
      },
      sale_type: {
        id: saleType.id,
        name: saleType.name,
        system_type: saleType.system_type,
        ...definedOnly({ service_charge_rate: saleType.service_charge_rate }),
      },
      languages: [...brand.languages],
      categories: Object.fromEntries(categories.map((category) => [category.id, shownCategory(category)])),
    } satisfies Omit<Menu, 'products' | 'taxes' | 'entries'>).slice(0, -1),
    ',"products":{',
  ]
  const taxes = taxesOf(rows, products)
  for (const [index, sold] of products.entries()) {
    parts.push(`${index === 0 ? '' : ','}"${sold.product.id}":${JSON.stringify(shownProduct(sold, rows))}`)
    if (index % PRODUCTS_A_TURN === PRODUCTS_A_TURN - 1) await nextTurn()
  }
  parts.push('},"taxes":', JSON.stringify(taxes), ',"entries":{', entriesText(rows, lang), '}}')
  return parts.join('')
}

/** M2: what is sold, in the order of ids, and the categories that it stands in. */
export function soldThings(rows: MenuRows): { categories: Category[]; products: SoldProduct[] } {
  const visible = visibleCategories(rows.categories)
  const products = rows.products.filter(
    ({ product, details }) =>
      !details.hidden &&
      details.deleted_at === undefined &&
      (details.category_id === undefined || visible.has(details.category_id)) &&
      (!hasVariants(product) || activeVariants(product).length > 0),
  )
  const named = new Set<number>()
  for (const { details } of products)
    for (let id = details.category_id; id !== undefined && !named.has(id); id = rows.categories.get(id)!.parent_id)
      named.add(id)
  const categories = [...visible.values()].filter(({ id, type }) => type === 'PRODUCT' || named.has(id))
  return { categories, products }
}

export const hasVariants = ({ modifications = [] }: Product): boolean => modifications.length > 0
export const activeVariants = ({ modifications = [] }: Product): Modification[] =>
  modifications.filter(({ status }) => status !== 0)

/** Active, not hidden, and below such ones only. */
function visibleCategories(categories: ReadonlyMap<number, Category>): ReadonlyMap<number, Category> {
  const known = new Map<number, boolean>()
  const isVisible = (id: number): boolean => {
    const found = known.get(id)
    if (found !== undefined) return found
    const category = categories.get(id)
    known.set(id, false) // should its parents go in a circle
    const visible =
      category !== undefined &&
      category.status === 1 &&
      !category.hidden &&
      (category.parent_id === undefined || isVisible(category.parent_id))
    known.set(id, visible)
    return visible
  }
  return new Map([...categories].filter(([id]) => isVisible(id)))
}

const shownCategory = ({ name, parent_id, position, color }: Category) => ({
  name,
  ...definedOnly({ parent_id, position, color }),
})

/** P11 step 8: the taxes that apply to the sale type. Where a product names one that the brand does not have, its price holds it. */
function taxesOf({ taxes, saleType }: MenuRows, products: readonly SoldProduct[]): Menu['taxes'] {
  const shown: [number, Menu['taxes'][string]][] = [...taxes.values()]
    .filter(({ status, sale_type_ids }) => status === 1 && appliesTo(sale_type_ids, saleType.id))
    .map(({ id, name, rate, included }) => [id, { name, rate, included }])
  const foreign = new Map<number, Menu['taxes'][string]>()
  for (const { product } of products)
    for (const { id, name = '', rate = 0 } of product.taxes ?? [])
      if (id !== undefined && !taxes.has(id) && !foreign.has(id)) foreign.set(id, { name, rate, included: true })
  return Object.fromEntries([...shown, ...foreign])
}

const appliesTo = (sale_type_ids: readonly number[], id: number) =>
  sale_type_ids.length === 0 || sale_type_ids.includes(id)

/** The ids of the taxes that a product is sold with. */
export const taxIds = ({ taxes: named = [] }: Product, { taxes, saleType }: MenuRows): number[] =>
  named.flatMap(({ id }) => {
    if (id === undefined) return []
    const tax = taxes.get(id)
    return !tax || (tax.status === 1 && appliesTo(tax.sale_type_ids, saleType.id)) ? [id] : []
  })

function shownProduct({ product, details }: SoldProduct, rows: MenuRows): MenuProduct {
  const { id, name, type, setting } = product
  const { category_id, position, description, barcode, unit_id, sold_by_weight, cooking_time, open_price } = details
  const pricesOf = (id: number, own: number | undefined) => (open_price ? {} : priced(id, own, rows))
  const variants = hasVariants(product)
    ? activeVariants(product).map((variant) => ({
        id: variant.id,
        name: variant.name,
        ...definedOnly({ barcode: variant.barcode }),
        ...pricesOf(variant.id, variant.price),
        ...stopOf(rows.stops.get(variant.id)),
      }))
    : undefined
  const groups = groupsOf(product)
  return {
    name,
    type: type as MenuProduct['type'],
    ...definedOnly({ category_id, position, description, barcode }),
    ...definedOnly({ unit: unit_id === undefined ? undefined : rows.units.get(unit_id)?.symbol }),
    sold_by_weight,
    ...definedOnly({ cooking_time }),
    ...(open_price && { open_price }),
    ...(!variants && { ...pricesOf(id, ownPrice(product)) }),
    ...(type === 'TIMER' && definedOnly({ setting })),
    taxes: taxIds(product, rows),
    ...(!variants && stopOf(rows.stops.get(id))),
    orderable: groups.every(({ modifiers, min }) => modifiers.length >= min),
    ...definedOnly({ variants }),
    ...(groups.length > 0 && { groups }),
  }
}

/** A timer without a price of its own has those of its intervals. */
export const ownPrice = ({ type, price, setting }: Product): number | undefined =>
  price ?? (type === 'TIMER' && setting?.prices?.length ? 0 : undefined)

/** M10: the price that holds otherwise, and those that hold at times, in the order in which they rule. */
function priced(id: number, own: number | undefined, { book }: MenuRows) {
  const listed = book.listed.get(id)
  const price = listed?.price === undefined ? own : fromScaled(listed.price)
  const windows = listed?.price_windows ?? []
  return { ...definedOnly({ price }), ...(windows.length > 0 && { price_windows: windows.map(shownWindow) }) }
}

const shownWindow = ({ days, from, to, starts_on, ends_on, price }: TimedPrice<number>) => ({
  ...definedOnly({ days: days as Weekday[] | undefined, from, to, starts_on, ends_on }),
  price: fromScaled(price),
})

/** M4: what is left changes with every sale, and is asked at the stop list. */
const stopOf = (stop: Stop | undefined) =>
  stop && { stop: { sold_out: stop.remaining <= 0, ...(stop.until !== null && { until: stop.until }) } }

/** M3: the groups that offer something, or need a choice. */
export const groupsOf = ({ modificator_groups = [] }: Product): MenuGroup[] =>
  modificator_groups.map(shownGroup).filter(({ modifiers, min }) => modifiers.length > 0 || min > 0)

function shownGroup({ id, name = '', type, min_select, max_select, modificators = [] }: ModificatorGroup): MenuGroup {
  return {
    ...definedOnly({ id }),
    name,
    min: Math.max(0, min_select ?? 0),
    max: type === 1 ? 1 : max_select !== undefined && max_select > 0 ? max_select : null,
    modifiers: modificators.flatMap((modifier) =>
      modifier.id === undefined || modifier.status === false
        ? []
        : [
            {
              id: modifier.id,
              name: modifier.name ?? '',
              price: modifier.price ?? 0,
              ...definedOnly({ max_count: modifier.max_count }),
            },
          ],
    ),
  }
}

/** With one language an entry has its words as members of its own; one that has none lacks them. */
function entriesText({ entries, brand }: MenuRows, lang: string | undefined): string {
  const languages = new Set(lang === undefined ? brand.languages : [lang])
  return [...entries.values()]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map((entry) => shownEntry(seenIn(entry, languages), lang))
    .flatMap((entry) => (isEmpty(entry) ? [] : [`"${entry.id}":${JSON.stringify(entry)}`]))
    .join(',')
}

function shownEntry(entry: MenuEntry, lang: string | undefined): MenuEntry {
  if (lang === undefined || !entry.translations) return entry
  const { id, translations, ...others } = entry
  return { id, ...translations[lang], ...others }
}
