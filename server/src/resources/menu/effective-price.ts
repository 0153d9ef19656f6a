import type { Static } from 'typebox'
import Type from 'typebox'
import { invalidParameter } from '../../http/errors.ts'
import type { ListRequest } from '../../lists/list.ts'
import type { Owner, ReadIncluded } from '../../resource/read/page.ts'
import { Id, Maybe } from '../../resource/values.ts'
import type { Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { fromScaled } from '../../values/values.ts'

/** Where a price list holds: at a venue, for a sale type, or everywhere. Of several that hold, the highest priority rules. */
export const Scope = Type.Object({ venue_id: Maybe(Id()), sale_type_id: Maybe(Id()), priority: Maybe(Type.Integer()) })
export type Scope = Static<typeof Scope>

/** The sale that a price is for. */
interface Sale {
  readonly brand_id: number
  readonly venue_id: number
  readonly sale_type_id?: number | undefined
}

const holdsFor = ({ venue_id, sale_type_id }: Scope, sale: Omit<Sale, 'brand_id'>): boolean =>
  (venue_id === undefined || venue_id === sale.venue_id) &&
  (sale_type_id === undefined || sale_type_id === sale.sale_type_id)

/** The lists that hold for a sale, the first one ruling. */
async function listsFor(db: Pick<Queries, 'rows'>, sale: Sale): Promise<number[]> {
  const lists = await db.rows<{ id: number; scopes: string }>(
    'select id, scopes from price_lists where brand_id = ? and scopes is not null and (status is null or status = 1)',
    [sale.brand_id],
  )
  return lists
    .flatMap(({ id, scopes }) => {
      const holding = (JSON.parse(scopes) as Scope[]).filter((scope) => holdsFor(scope, sale))
      return holding.map(({ priority = 0 }) => ({ id, priority }))
    })
    .sort((one, other) => other.priority - one.priority || one.id - other.id)
    .map(({ id }) => id)
}

/** What products cost in a sale, ×10,000: by the price list that rules, else their own price. One without a price is left out. */
export async function effectivePrices(
  db: Pick<Queries, 'rows'>,
  sale: Sale,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const lists = await listsFor(db, sale)
  const own = await db.rows<{ id: number; price: number }>(
    `select id, price from products where brand_id = ? and price is not null and id in ${places(ids)}`,
    [sale.brand_id, ...ids],
  )
  const prices = new Map(own.map(({ id, price }) => [id, price]))
  if (lists.length === 0) return prices
  const listed = await db.rows<{ list_id: number; product_id: number; price: number }>(
    `select list_id, product_id, price from prices
     where brand_id = ? and list_id in ${places(lists)} and product_id in ${places(ids)} order by id`,
    [sale.brand_id, ...lists, ...ids],
  )
  const rank = new Map(lists.toReversed().map((id, index) => [id, lists.length - index])) // the first place of each
  const ruling = new Map<number, number>()
  for (const { list_id, product_id, price } of listed) {
    const place = rank.get(list_id)!
    if (place >= (ruling.get(product_id) ?? Number.POSITIVE_INFINITY)) continue
    ruling.set(product_id, place)
    prices.set(product_id, price)
  }
  return prices
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
  const ranked = priced
    .flatMap(({ scopes, ...list }) =>
      (JSON.parse(scopes) as Scope[]).map(({ priority = 0, ...where }) => ({ list, priority, where })),
    )
    .sort((one, other) => other.priority - one.priority || one.list.id - other.list.id)
  const ruling = new Map<number, RulingList>()
  for (const venue_id of venues)
    for (const sale_type_id of [undefined, ...saleTypes]) {
      const first = ranked.find(({ where }) => holdsFor(where, { venue_id, sale_type_id }))
      if (first && !ruling.has(first.list.id))
        ruling.set(first.list.id, { ...first.list, price: fromScaled(first.list.price) })
    }
  return [...ruling.values()].sort((one, other) => one.name.localeCompare(other.name, 'en') || one.id - other.id)
}

export const readEffectivePrices: ReadIncluded = async (db, { brand_id, venue_id }, ids, { sale_type_id }) => {
  const sale = { brand_id, venue_id, sale_type_id: sale_type_id as number | undefined }
  const prices = await effectivePrices(db, sale, ids)
  return new Map([...prices].map(([id, price]) => [id, JSON.stringify(fromScaled(price))]))
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
