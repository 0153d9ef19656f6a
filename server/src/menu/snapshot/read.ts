import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Mark } from '../../events/event-id.ts'
import { invalidParameter } from '../../http/errors.ts'
import type { MenuEntry } from '../../resources/entries/entries.ts'
import type { Category } from '../../resources/menu/categories.ts'
import {
  type ListPrice,
  listsFor,
  type PriceBook,
  priceBook,
  SCOPED_LISTS,
  type ScopedList,
} from '../../resources/menu/effective-price.ts'
import type { Product, ProductDetails } from '../../resources/menu/product-schema.ts'
import type { FinanceTax } from '../../resources/money/taxes.ts'
import { isActiveAt } from '../../resources/places/per-venue.ts'
import type { Hours } from '../../resources/places/venues.ts'
import type { SaleType } from '../../resources/sales/sale-types.ts'
import type { Unit } from '../../resources/stock/units.ts'
import type { Database, Value } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { MARK, type MenuKey, markOf } from './version.ts'

// M5: everything that a menu shows, and its version, by one statement: they are of one moment.

/** A product that is sold by itself or as one of its variants. */
export interface SoldProduct {
  readonly product: Product
  readonly details: ProductDetails
}

/** What was read of a brand for one venue and sale type. */
export interface MenuRows {
  readonly mark: Mark
  readonly venue: { readonly id: number; readonly name: string; readonly time_zone: string }
  readonly settings: { readonly hours?: Hours; readonly paused_until?: string }
  readonly brand: { readonly currency: string; readonly money_places: number; readonly languages: readonly string[] }
  readonly saleType: SaleType
  readonly categories: ReadonlyMap<number, Category>
  readonly taxes: ReadonlyMap<number, FinanceTax>
  readonly units: ReadonlyMap<number, Unit>
  readonly book: PriceBook
  readonly lists: readonly ScopedList[]
  readonly stops: ReadonlyMap<number, Stop>
  /** Active products of the kinds that are sold, in the order of their ids. */
  readonly products: readonly SoldProduct[]
  readonly entries: ReadonlyMap<string, MenuEntry>
}

/** An entry of the stop list: an instant at which it ends, and what is left, ×10,000. */
export interface Stop {
  readonly remaining: number
  readonly until: string | null
}

type Kind =
  | 'mark'
  | 'brand'
  | 'venue'
  | 'sale_type'
  | 'category'
  | 'tax'
  | 'unit'
  | 'list'
  | 'price'
  | 'stop'
  | 'product'
  | 'entry'
type Row = readonly [kind: Kind, id: number, one: number, two: number, text: string, other: string]

/** Each row: its kind, an id, two numbers and two texts. A number that means nothing is 0, a text is ''. */
const STATEMENT = (lists: readonly number[]) => `
  select 'mark', 0, 0, 0, ${MARK}, '' union all
  select 'brand', 0, money_places, 0, currency, languages from brands where id = ? union all
  select 'venue', id, 0, 0, body, settings from venues where brand_id = ? and id = ? union all
  select 'sale_type', id, 0, 0, body, '' from sale_types where brand_id = ? and id = ? union all
  select 'category', id, 0, 0, body, '' from categories where brand_id = ? union all
  select 'tax', id, 0, 0, body, '' from taxes where brand_id = ? union all
  select 'unit', id, 0, 0, body, '' from units where brand_id = ? union all
  select 'list', id, 0, 0, scopes, '' from price_lists where brand_id = ? and ${SCOPED_LISTS} union all
  select 'price', id, list_id, product_id, cast(price as text), '' from prices
    where brand_id = ? and list_id in ${places(lists)} union all
  select 'stop', id, remaining, 0, coalesce(until, ''), '' from stop_list where brand_id = ? and venue_id = ? union all
  select 'entry', 0, 0, 0, body, '' from menu_entries where brand_id = ? union all
  select 'product', id, 0, 0, body, details from products
    where brand_id = ? and parent_id is null and type in ('PRODUCT', 'DISH', 'TIMER') and (status is null or status = 1)`

/** Reads a menu's rows. Refuses a sale type that is not active at the venue, and a language that the brand does not have. */
export async function readMenu(db: Database, key: MenuKey): Promise<MenuRows> {
  const { brand_id, venue_id, sale_type_id } = key
  await refuseUnknown(db, key) // before much is read for nothing
  let lists = await db.rows<ScopedList>(`select id, scopes from price_lists where brand_id = ? and ${SCOPED_LISTS}`, [
    brand_id,
  ])
  for (;;) {
    const wanted = listsFor(lists, { venue_id, sale_type_id })
    const rows = await rowsOf(db, key, wanted)
    if (rows) return rows
    lists = await db.rows<ScopedList>(`select id, scopes from price_lists where brand_id = ? and ${SCOPED_LISTS}`, [
      brand_id,
    ])
  }
}

async function refuseUnknown(db: Database, { brand_id, venue_id, sale_type_id, lang }: MenuKey): Promise<void> {
  const [row] = await db.rows<{ languages: string; sale_type: string | null }>(
    `select languages, (select body from sale_types where brand_id = ? and id = ?) as sale_type from brands where id = ?`,
    [brand_id, sale_type_id, brand_id],
  )
  const saleType = row!.sale_type === null ? undefined : (JSON.parse(row!.sale_type) as SaleType)
  if (!saleType || !isActiveAt(saleType.status, venue_id)) throw unknownSaleType()
  if (lang !== undefined && !JSON.parse(row!.languages).includes(lang)) throw unknownLanguage()
}

const unknownSaleType = () =>
  invalidParameter('sale_type_id', 'sale_type_id is none of the sale types that are active at the venue.')
const unknownLanguage = () => invalidParameter('lang', 'lang is none of the languages of the brand.')

const ROWS_A_TURN = 250

/** Undefined where other lists hold by now than those whose prices were read. */
async function rowsOf(
  db: Database,
  { brand_id, venue_id, sale_type_id, lang }: MenuKey,
  wanted: readonly number[],
): Promise<MenuRows | undefined> {
  const named = wanted.length === 0 ? [0] : wanted
  const values: Value[] = [
    ...[brand_id, venue_id],
    brand_id,
    ...[brand_id, venue_id],
    ...[brand_id, sale_type_id],
    ...[brand_id, brand_id, brand_id, brand_id],
    ...[brand_id, ...named],
    ...[brand_id, venue_id],
    brand_id,
    brand_id,
  ]
  const read = new Map<Kind, Row[]>()
  const products: SoldProduct[] = []
  for await (const batch of db.batches<Row>(brand_id, STATEMENT(named), values))
    for (const [kind, rows] of Map.groupBy(batch, ([kind]) => kind))
      if (kind === 'product')
        products.push(...rows.map((row) => ({ product: JSON.parse(row[4]), details: JSON.parse(row[5]) })))
      else if (read.has(kind)) read.get(kind)!.push(...rows)
      else read.set(kind, rows)
  const of = (kind: Kind) => read.get(kind) ?? []
  const lists = of('list').map(([, id, , , scopes]): ScopedList => ({ id, scopes }))
  const sale = { venue_id, sale_type_id }
  if (listsFor(lists, sale).some((id) => !wanted.includes(id))) return undefined

  const [[, , money_places, , currency, languages]] = of('brand') as [Row]
  const [[, , , , body, settings]] = of('venue') as [Row]
  const { id, name, time_zone } = JSON.parse(body) as MenuRows['venue']
  const [sold] = of('sale_type')
  const saleType = sold && (JSON.parse(sold[4]) as SaleType)
  if (!saleType || !isActiveAt(saleType.status, venue_id)) throw unknownSaleType()
  if (lang !== undefined && !JSON.parse(languages).includes(lang)) throw unknownLanguage()
  const prices = of('price')
    .map(([, id, list_id, product_id, text]) => ({ id, list_id, product_id, price: Number(text) }))
    .sort((one, other) => one.id - other.id)
  await nextTurn()
  const entries = new Map<string, MenuEntry>()
  for (const [index, row] of of('entry').entries()) {
    const each = JSON.parse(row[4]) as MenuEntry
    entries.set(each.id, each)
    if (index % ROWS_A_TURN === ROWS_A_TURN - 1) await nextTurn()
  }
  return {
    mark: markOf(of('mark')[0]![4]),
    venue: { id, name, time_zone },
    settings: JSON.parse(settings),
    brand: { currency, money_places, languages: JSON.parse(languages) },
    saleType,
    categories: byId(of('category')),
    taxes: byId(of('tax')),
    units: byId(of('unit')),
    lists,
    book: priceBook(lists, prices satisfies ListPrice[], sale, time_zone),
    stops: new Map(
      of('stop').map(([, id, remaining, , until]) => [id, { remaining, until: until === '' ? null : until }]),
    ),
    products: products.sort((one, other) => one.product.id - other.product.id),
    entries,
  }
}

const byId = <Thing extends { readonly id: number }>(rows: readonly Row[]): ReadonlyMap<number, Thing> =>
  new Map(
    rows
      .map((row) => JSON.parse(row[4]) as Thing)
      .sort((one, other) => one.id - other.id)
      .map((thing) => [thing.id, thing]),
  )
