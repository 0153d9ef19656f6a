import type { TillMenu } from '../../../../server/src/back-office/till/menu-routes.ts'
import type { Category } from '../../../../server/src/resources/menu/categories.ts'
import { priceAt } from '../../../../server/src/resources/menu/price-windows.ts'
import type {
  Modification,
  ModificatorGroup,
  Product,
  ProductDetails,
} from '../../../../server/src/resources/menu/product-schema.ts'
import { wallClock } from '../../../../server/src/values/wall-clock.ts'
import { sum } from './money.ts'

// The menu as the till uses it: what can be sold, how it is found, and the rules of its choices.

export type MenuRow = Product & ProductDetails & { effective_price?: number }

export interface Item {
  readonly id: number
  readonly name: string
  /** Undefined: it has none and cannot be sold, unless its variants have theirs. */
  readonly price: number | undefined
  /** The product’s own price, which applies where no price list rules. */
  readonly own?: number | undefined
  readonly category_id: number | undefined
  readonly variants: readonly Variant[]
  readonly groups: readonly Group[]
  readonly isByWeight: boolean
  readonly isTimed: boolean
  /** T24: its price is named with each sale. */
  readonly isOpenPrice: boolean
  readonly discountable: boolean
  readonly giftable: boolean
  readonly barcodes: readonly { readonly code: string; readonly variant: number | undefined }[]
  /** The name without accents and capitals. */
  readonly folded: string
}

export interface Variant {
  readonly id: number
  readonly name: string
  readonly price: number | undefined
  readonly own?: number | undefined
}

export interface Group {
  readonly id: number
  readonly name: string
  readonly isOneChoice: boolean
  /** How many different modifiers a line has of it (M3). */
  readonly min: number
  /** Undefined: no bound. */
  readonly max: number | undefined
  readonly modifiers: readonly Modifier[]
}

export interface Modifier {
  readonly id: number
  readonly name: string
  readonly price: number
  /** How often one may be taken. */
  readonly max: number
}

const MAX_COUNT = 10_000 // P10

export function itemsOf(rows: readonly MenuRow[]): Item[] {
  const priceOf = new Map(
    rows.map((row) => [row.id, row.open_price ? undefined : (row.effective_price ?? ownPrice(row))]),
  )
  return rows
    .filter((row) => row.type !== 'MODIFICATION' && !row.hidden)
    .sort((a, b) => (a.position ?? 1e9) - (b.position ?? 1e9) || a.name.localeCompare(b.name))
    .map((row) => {
      const variants = (row.modifications ?? []).filter(({ status }: Modification) => status !== 0)
      return {
        id: row.id,
        name: row.name,
        price: priceOf.get(row.id),
        own: ownPrice(row),
        category_id: row.category_id,
        variants: variants.map(({ id, name, price }) => ({
          id,
          name,
          price: row.open_price ? undefined : (priceOf.get(id) ?? price),
          own: price,
        })),
        groups: (row.modificator_groups ?? []).flatMap(groupOf),
        isByWeight: row.sold_by_weight,
        isTimed: row.type === 'TIMER',
        isOpenPrice: row.open_price === true,
        discountable: row.discountable,
        giftable: row.giftable,
        barcodes: [
          ...(row.barcode ? [{ code: row.barcode, variant: undefined }] : []),
          ...variants.flatMap(({ id, barcode }) => (barcode ? [{ code: barcode, variant: id }] : [])),
        ],
        folded: fold(row.name),
      }
    })
}

/** A timer without one has the prices of its intervals. */
const ownPrice = ({ type, price, setting }: MenuRow): number | undefined =>
  price ?? (type === 'TIMER' && setting?.prices?.length ? 0 : undefined)

/** The same products at the prices of this instant (M10): an edge of a window needs no other reading. */
export function pricedAt(items: readonly Item[], { timed, time_zone }: Timed, nowMs: number): readonly Item[] {
  if (Object.keys(timed).length === 0) return items
  const wallMs = wallClock(nowMs, time_zone)
  const priceOf = <Priced extends Variant>(thing: Priced): Priced => {
    const prices = timed[thing.id]
    if (!prices) return thing
    const { price = thing.own, price_windows } = prices
    return { ...thing, price: priceAt({ price, price_windows }, wallMs) }
  }
  return items.map((item) => (item.isOpenPrice ? item : { ...priceOf(item), variants: item.variants.map(priceOf) }))
}

type Timed = Pick<TillMenu, 'timed' | 'time_zone'>

function groupOf({ id, name, type, min_select, max_select, modificators = [] }: ModificatorGroup): Group[] {
  const modifiers = modificators.flatMap((each) =>
    each.id === undefined || each.status === false
      ? []
      : [{ id: each.id, name: each.name ?? '', price: each.price ?? 0, max: each.max_count ?? MAX_COUNT }],
  )
  const isOneChoice = type === 1
  const max = isOneChoice ? 1 : max_select || undefined
  const min = min_select ?? 0
  // One that needs a choice and has none stays: the product cannot be sold, and the till says why.
  return modifiers.length === 0 && min <= 0 ? [] : [{ id: id ?? 0, name: name ?? '', isOneChoice, min, max, modifiers }]
}

/** What a till needs before anything can be sold, as far as it was read. */
export interface Ready {
  readonly saleTypes: readonly unknown[] | undefined
  readonly items: readonly Item[] | undefined
  readonly methods: readonly unknown[] | undefined
}
export type Missing = 'saleTypes' | 'products' | 'prices' | 'methods'

/** What an empty till lacks; nothing while it is still being read. */
export function missingAt({ saleTypes, items, methods }: Ready): Missing[] {
  return [
    ...(saleTypes?.length === 0 ? (['saleTypes'] as const) : []),
    ...(items?.length === 0 ? (['products'] as const) : []),
    ...(items && items.length > 0 && !items.some(canBePriced) ? (['prices'] as const) : []),
    ...(methods?.length === 0 ? (['methods'] as const) : []),
  ]
}

/** How often each modifier was chosen, by its id. */
export type Chosen = Readonly<Record<number, number>>

/** M3: different modifiers of a group, however often each. */
const differentIn = ({ modifiers }: Group, chosen: Chosen): number =>
  modifiers.filter(({ id }) => (chosen[id] ?? 0) > 0).length

/** The groups that lack a choice. */
export const missingIn = (groups: readonly Group[], chosen: Chosen): Group[] =>
  groups.filter((group) => differentIn(group, chosen) < group.min)

/** One more or one fewer of a modifier, as far as the rules of its group allow. */
export function choose(group: Group, modifier: Modifier, step: 1 | -1, chosen: Chosen): Chosen {
  const count = chosen[modifier.id] ?? 0
  const others = group.isOneChoice && step === 1 ? Object.fromEntries(group.modifiers.map(({ id }) => [id, 0])) : {}
  const isFull = !group.isOneChoice && count === 0 && group.max !== undefined && differentIn(group, chosen) >= group.max
  if (step === 1 && (count >= modifier.max || isFull)) return chosen
  return { ...chosen, ...others, [modifier.id]: Math.max(0, count + step) }
}

/** What its tile says; undefined where neither it nor a size of it has a price: the server refuses to sell it (P13). */
export const priceShown = ({ price, variants }: Item): number | undefined =>
  variants.length === 0 ? price : variants.find((variant) => variant.price !== undefined)?.price

/** Whether it can be sold at some price: its own, one of a list, or one that is named. */
export const canBePriced = (item: Item): boolean => item.isOpenPrice || priceShown(item) !== undefined

/** Whether one tap is enough: it needs no choices. An open price is asked besides. */
export const isSimple = ({ variants, groups, isByWeight, isTimed }: Item): boolean =>
  variants.length === 0 && !isByWeight && !isTimed && groups.every(({ min }) => min === 0)

export const unitPrice = (base: number, groups: readonly Group[], chosen: Chosen): number =>
  sum(base, ...groups.flatMap(({ modifiers }) => modifiers.map(({ id, price }) => price * (chosen[id] ?? 0))))

export const fold = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replace(/œ/gi, 'oe').toLowerCase()

interface Found {
  readonly count: number | undefined
  readonly found: Item[]
  readonly scanned?: Scanned
}
interface Scanned {
  readonly item: Item
  readonly variant: number | undefined
}

/**
 * What was typed before a product: digits are its count, the rest a part of its name, unless a name begins with these digits. A
 * scanner types a barcode.
 */
export function readSearch(typed: string, items: readonly Item[]): Found {
  const text = typed.trim()
  const code = scannedIn(text, items)
  if (code) return { count: undefined, found: [code.item], scanned: code }
  const [, digits = '', times, rest = ''] = /^(\d{1,5}(?:[.,]\d{1,4})?(?!\d))?\s*([x×*])?\s*(.*)$/s.exec(text) ?? []
  const count = Number(digits.replace(',', '.')) || undefined // none is not sold
  const counted = count === undefined ? undefined : scannedIn(rest, items)
  if (counted) return { count, found: [counted.item], scanned: counted }
  const parts = fold(rest).split(/\s+/).filter(Boolean)
  const found = items.filter(({ folded }) => parts.every((part) => folded.includes(part)))
  // One or two digits alone are a count for the next tap.
  if (count !== undefined && !times && (rest !== '' || digits.length > 2)) {
    const named = found.filter(({ folded }) => folded.startsWith(digits) && !/^\d/.test(folded.slice(digits.length)))
    if (named.length > 0) return { count: undefined, found: named }
  }
  return { count, found }
}

function scannedIn(text: string, items: readonly Item[]): Scanned | undefined {
  for (const item of items) for (const { code, variant } of item.barcodes) if (code === text) return { item, variant }
  return undefined
}

/** The categories that have something to sell, in the order of the tree. */
export function sellingCategories(tree: readonly Category[], items: readonly Item[]): Category[] {
  const used = new Set(items.map(({ category_id }) => category_id))
  const flat = (nodes: readonly Category[]): Category[] => nodes.flatMap((node) => [node, ...flat(node.children ?? [])])
  return flat(tree).filter(({ id }) => used.has(id))
}
