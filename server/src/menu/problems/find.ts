import type { MenuEntry } from '../../resources/entries/entries.ts'
import type { PriceWindow } from '../../resources/menu/price-windows.ts'
import type { Product } from '../../resources/menu/product-schema.ts'
import { type Scope, timesOf } from '../../resources/menu/scopes.ts'
import { DAY_MS, weekdayOf } from '../../values/wall-clock.ts'
import { activeVariants, groupsOf, hasVariants, ownPrice, soldThings, taxIds } from '../snapshot/make.ts'
import type { MenuRows, SoldProduct } from '../snapshot/read.ts'

// M16: what keeps guests from ordering something, and what channels refuse or ask. Pure: of the rows that a menu is made of.

export const PROBLEM_CODES = [
  ...['group_unsatisfiable', 'no_active_variant'],
  ...['no_price', 'no_tax', 'no_image', 'no_allergens', 'missing_translation', 'window_never_holds'],
] as const

/** What cannot be ordered. */
const ERRORS: readonly string[] = ['group_unsatisfiable', 'no_active_variant']
const MAX_PROBLEMS = 1_000

export interface Problem {
  /** The thing, as entries name it; or a price list. */
  readonly id: string
  readonly code: string
  readonly level: 'error' | 'warning'
  readonly message: string
}

/** Errors first, then by kind and thing. */
export function menuProblems(rows: MenuRows): Problem[] {
  const found: Problem[] = []
  const note = (id: string, code: string, message: string) =>
    void found.push({ id, code, level: ERRORS.includes(code) ? 'error' : 'warning', message })
  const { categories, products } = soldThings(rows)
  const sizeless = rows.products.filter(({ product }) => hasVariants(product) && activeVariants(product).length === 0)
  const shown = soldThings({ ...rows, products: sizeless.map(withoutVariants) }).products
  for (const { product } of shown)
    note(
      `product-${product.id}`,
      'no_active_variant',
      `${product.name} has no size that is active: nobody can order it.`,
    )
  for (const sold of products) {
    const { product } = sold
    for (const { name, min, max, modifiers } of groupsOf(product)) {
      const said = `${product.name}: “${name}” needs ${min} choices and`
      if (modifiers.length < min)
        note(`product-${product.id}`, 'group_unsatisfiable', `${said} offers ${modifiers.length}.`)
      else if (max !== null && max < min) note(`product-${product.id}`, 'group_unsatisfiable', `${said} allows ${max}.`)
    }
    noteProduct(sold, rows, note)
  }
  noteTranslations(
    rows,
    categories,
    products.map(({ product }) => product),
    note,
  )
  for (const { id, scopes } of rows.lists)
    for (const [index, scope] of (JSON.parse(scopes) as Scope[]).entries())
      if (timesOf(scope)?.every(neverHolds))
        note(`price_list-${id}`, 'window_never_holds', `The price list's scope ${index + 1} has times that never come.`)
  return found.sort((one, other) => placeOf(one) - placeOf(other)).slice(0, MAX_PROBLEMS)
}

type Note = (id: string, code: string, message: string) => void

const placeOf = ({ code }: Problem) => (PROBLEM_CODES as readonly string[]).indexOf(code)

/** As if it had no sizes, to see whether it would be on the menu. */
const withoutVariants = ({ product, details }: MenuRows['products'][number]) => {
  const { modifications: _, ...plain } = product
  return { product: plain, details }
}

function noteProduct({ product, details }: SoldProduct, rows: MenuRows, note: Note): void {
  const { id, name } = product
  const entryOf = (of: number): MenuEntry | undefined => rows.entries.get(`product-${of}`)
  const isPriced = (of: number, own: number | undefined) =>
    details.open_price || (rows.book.listed.get(of)?.price ?? own) !== undefined
  if (!hasVariants(product)) {
    if (!isPriced(id, ownPrice(product))) note(`product-${id}`, 'no_price', `${name} has no price.`)
  } else
    for (const size of activeVariants(product))
      if (!isPriced(size.id, size.price)) note(`product-${size.id}`, 'no_price', `${name}, ${size.name} has no price.`)
  if (taxIds(product, rows).length === 0) note(`product-${id}`, 'no_tax', `${name} has no tax for this sale type.`)
  if (!entryOf(id)?.images?.length) note(`product-${id}`, 'no_image', `${name} has no picture.`)
  const isStated = (of: number) => entryOf(of)?.allergens !== undefined
  const stated = isStated(id) || (hasVariants(product) && activeVariants(product).every((size) => isStated(size.id)))
  if (product.type !== 'TIMER' && !stated)
    note(`product-${id}`, 'no_allergens', `${name}: its allergens are not stated.`)
}

function noteTranslations(
  { brand, entries }: MenuRows,
  categories: readonly { readonly id: number; readonly name: string }[],
  products: readonly Product[],
  note: Note,
): void {
  const [, ...others] = brand.languages
  if (others.length === 0) return
  const things = new Map<string, string>()
  for (const { id, name } of categories) things.set(`category-${id}`, name)
  for (const product of products) {
    things.set(`product-${product.id}`, product.name)
    for (const { id, name } of activeVariants(product)) things.set(`product-${id}`, `${product.name}, ${name}`)
    for (const group of groupsOf(product)) {
      if (group.id !== undefined) things.set(`group-${group.id}`, group.name)
      for (const { id, name } of group.modifiers) things.set(`modifier-${id}`, name)
    }
  }
  for (const [id, name] of things) {
    const missing = others.filter((language) => entries.get(id)?.translations?.[language]?.name === undefined)
    if (missing.length > 0) note(id, 'missing_translation', `${name} has no name in ${missing.join(', ')}.`)
  }
}

/** Whether none of the days between its dates is one of its days. */
export function neverHolds({ days, starts_on, ends_on }: PriceWindow): boolean {
  if (starts_on === undefined || ends_on === undefined) return false
  const [first, last] = [Date.parse(starts_on), Date.parse(ends_on)]
  if (first > last) return true
  for (let day = first; day <= last && day < first + 7 * DAY_MS; day += DAY_MS)
    if (!days || days.includes(weekdayOf(day))) return false
  return true
}
