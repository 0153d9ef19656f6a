import { invalidParameter } from '../../http/errors.ts'
import type { ListRequest } from '../../lists/list.ts'
import type { Owner, ReadIncluded } from '../../resource/read/page.ts'
import type { Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { fromScaled } from '../../values/values.ts'
import { wallClock } from '../../values/wall-clock.ts'
import { type Priced, type PriceWindow, priceAt } from './price-windows.ts'
import { holdsFor, type RankedScope, rankScopes, type Sale } from './scopes.ts'

/** What products cost at a venue by its clock: read once, then asked for any instant. */
export interface PriceBook {
  /** The prices of lists, ×10,000. Without any, the product's own price holds. */
  readonly listed: ReadonlyMap<number, Priced<number>>
  /** ×10,000; `own` is the product's price where no list rules. */
  at(id: number, instant: string, own: number | undefined): number | undefined
}

/** A list with scopes, as it is stored. */
export interface ScopedList {
  readonly id: number
  readonly scopes: string
}

/** A price of a list, ×10,000. */
export interface ListPrice {
  readonly list_id: number
  readonly product_id: number
  readonly price: number
}

/** Lists that can rule: active, and with scopes. */
export const SCOPED_LISTS = 'scopes is not null and (status is null or status = 1)'

/** Price lists that apply to a sale at some time. */
export const listsFor = (lists: readonly ScopedList[], sale: Sale): number[] => [
  ...new Set(
    rankScopes(lists)
      .filter(({ scope }) => holdsFor(scope, sale))
      .map(({ list }) => list.id),
  ),
]

/** Makes the book of the lists of a brand; of several prices of a product in a list the first counts. */
export function priceBook(
  lists: readonly ScopedList[],
  prices: readonly ListPrice[],
  sale: Sale,
  time_zone: string,
): PriceBook {
  const ranked = rankScopes(lists).filter(({ scope }) => holdsFor(scope, sale))
  const listed = new Map(
    [...Map.groupBy(prices, (row) => row.product_id)].map(([id, rows]) => [id, amountsOf(ruling(ranked, rows))]),
  )
  return {
    listed,
    at(id, instant, own) {
      const { price = own, price_windows = [] } = listed.get(id) ?? {}
      if (price_windows.length === 0) return price
      return priceAt({ price, price_windows }, wallClock(Date.parse(instant), time_zone))
    },
  }
}

/** Reads what the lists that hold for a sale say of products. */
export async function readPriceBook(
  db: Pick<Queries, 'rows'>,
  { brand_id, ...sale }: Sale & { readonly brand_id: number },
  /** Undefined: all of the brand. */
  ids: readonly number[] | undefined,
): Promise<PriceBook> {
  const { lists, prices, time_zone } = await readListed(db, { brand_id, ...sale }, ids)
  return priceBook(lists, prices, sale, time_zone)
}

async function readListed(
  db: Pick<Queries, 'rows'>,
  { brand_id, ...sale }: Sale & { readonly brand_id: number },
  ids: readonly number[] | undefined,
): Promise<{ lists: ScopedList[]; prices: ListPrice[]; time_zone: string }> {
  const lists = await db.rows<ScopedList & { time_zone: string }>(
    `select id, scopes, (select time_zone from venues where brand_id = ? and id = ?) as time_zone
     from price_lists where brand_id = ? and ${SCOPED_LISTS}`,
    [brand_id, sale.venue_id, brand_id],
  )
  const holding = listsFor(lists, sale)
  if (holding.length === 0) return { lists: [], prices: [], time_zone: 'UTC' }
  const prices = await db.rows<ListPrice>(
    `select list_id, product_id, price from prices
     where brand_id = ? and list_id in ${places(holding)}${ids ? ` and product_id in ${places(ids)}` : ''} order by id`,
    [brand_id, ...holding, ...(ids ?? [])],
  )
  return { lists, prices, time_zone: lists[0]!.time_zone }
}

/** A price, the list that says so, and by which of its times; null: always. */
export interface RuledPrice {
  readonly list_id: number
  /** ×10,000 */
  readonly price: number
  readonly window: PriceWindow | null
}

/** M10: the prices of one product in the order in which they rule, up to the first scope without time. */
function ruling(
  ranked: readonly RankedScope<{ readonly id: number }>[],
  prices: readonly { list_id: number; price: number }[],
): Priced<RuledPrice> {
  const price_windows: Priced<RuledPrice>['price_windows'][number][] = []
  for (const { list, times } of ranked) {
    const found = prices.find(({ list_id }) => list_id === list.id)
    if (!found) continue
    const { list_id, price } = found
    if (!times) return { price: { list_id, price, window: null }, price_windows }
    price_windows.push(...times.map((window) => ({ ...window, price: { list_id, price, window } })))
  }
  return { price_windows }
}

const amountsOf = ({ price, price_windows }: Priced<RuledPrice>): Priced<number> => ({
  ...(price && { price: price.price }),
  price_windows: price_windows.map((window) => ({ ...window, price: window.price.price })),
})

/** Reads what the lists say of products, with the list of each price; undefined where no list rules. */
export async function readRuledPrices(
  db: Pick<Queries, 'rows'>,
  sale: Sale & { readonly brand_id: number },
  /** Undefined: all of the brand. */
  ids: readonly number[] | undefined,
): Promise<{ at(id: number, instant: string): RuledPrice | undefined }> {
  const { lists, prices, time_zone } = await readListed(db, sale, ids)
  const ranked = rankScopes(lists).filter(({ scope }) => holdsFor(scope, sale))
  const byProduct = Map.groupBy(prices, (row) => row.product_id)
  return {
    at: (id, instant) => priceAt(ruling(ranked, byProduct.get(id) ?? []), wallClock(Date.parse(instant), time_zone)),
  }
}

/** A price list that rules over a product's own price somewhere. */
export interface RulingList {
  readonly id: number
  readonly name: string
  readonly price: number
}

/** The lists whose price of a product holds in some venue for some sale type, where its own price does not. */
export async function rulingLists(
  db: Pick<Queries, 'rows'>,
  brand_id: number,
  product_id: number,
): Promise<RulingList[]> {
  const priced = await db.rows<{ id: number; name: string; scopes: string; price: number }>(
    `select price_lists.id, price_lists.name, scopes, price from prices
     join price_lists on price_lists.brand_id = prices.brand_id and price_lists.id = prices.list_id
     where prices.brand_id = ? and product_id = ? and scopes is not null and (status is null or status = 1)
     order by prices.id`,
    [brand_id, product_id],
  )
  if (priced.length === 0) return []
  const ids = async (table: 'venues' | 'sale_types') =>
    (await db.rows<{ id: number }>(`select id from ${table} where brand_id = ?`, [brand_id])).map(({ id }) => id)
  const [venues, saleTypes] = [await ids('venues'), await ids('sale_types')]
  const ranked = rankScopes(priced)
  const ruling = new Map<number, RulingList>()
  for (const venue_id of venues)
    for (const sale_type_id of [undefined, ...saleTypes]) {
      const holding = ranked.filter(({ scope }) => holdsFor(scope, { venue_id, sale_type_id }))
      const always = holding.findIndex(({ times }) => times === undefined)
      for (const { list } of always === -1 ? holding : holding.slice(0, always + 1))
        if (!ruling.has(list.id)) ruling.set(list.id, { id: list.id, name: list.name, price: fromScaled(list.price) })
    }
  return [...ruling.values()].sort((one, other) => one.name.localeCompare(other.name, 'en') || one.id - other.id)
}

export const readEffectivePrices: ReadIncluded = async (db, { brand_id, venue_id, now }, ids, { sale_type_id, at }) => {
  if (ids.length === 0) return new Map()
  const book = await readPriceBook(db, { brand_id, venue_id, sale_type_id: sale_type_id as number | undefined }, ids)
  const own = await db.rows<{ id: number; price: number | null }>(
    `select id, price from products
     where brand_id = ? and id in ${places(ids)} and instr(details, '"open_price":true') = 0`,
    [brand_id, ...ids],
  )
  return new Map(
    own.flatMap(({ id, price }) => {
      const effective = book.at(id, (at as string | undefined) ?? now, price ?? undefined)
      return effective === undefined ? [] : [[id, JSON.stringify(fromScaled(effective))]]
    }),
  )
}

/** A sale type that the brand does not have is refused, whether or not a price is requested. */
export async function refuseUnknownSaleType(
  db: Pick<Queries, 'rows'>,
  { brand_id }: Owner,
  { sale_type_id }: ListRequest['own'],
): Promise<void> {
  if (sale_type_id === undefined) return
  const found = await db.rows('select id from sale_types where brand_id = ? and id = ?', [brand_id, sale_type_id])
  if (found.length === 0) throw invalidParameter('sale_type_id', 'sale_type_id is none of the sale types.')
}
