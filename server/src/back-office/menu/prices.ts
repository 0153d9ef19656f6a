import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { mayEnter } from '../../auth/permissions.ts'
import { lockDirectory, record } from '../../directory/audit.ts'
import { type FieldProblem, fieldProblem, noSuchRecord, validationFailed, versionMismatch } from '../../http/errors.ts'
import type { IfMatch } from '../../http/if-match.ts'
import { Decimal, Id, Nullable } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { advance, idCounter } from '../../resource/write/counters.ts'
import { readRuledPrices } from '../../resources/menu/effective-price.ts'
import type { PriceWindow } from '../../resources/menu/price-windows.ts'
import { prices } from '../../resources/menu/prices.ts'
import type { ProductDetails, ProductLine } from '../../resources/menu/product-schema.ts'
import { type Scope, scopesOf } from '../../resources/menu/scopes.ts'
import { isActiveAt } from '../../resources/places/per-venue.ts'
import type { SaleType } from '../../resources/sales/sale-types.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { closed } from '../schema.ts'

// What lists say that products cost, and what guests pay (M9, M10).

type Caller = CommandContext['caller']

interface Sellable {
  readonly id: number
  readonly name: string
  readonly price: number | null
  /** T24: named with each sale, whatever its own price and those of lists are. */
  readonly open: boolean
}

/** A product with its sizes: what can have a price. */
function sellablesOf([body, details]: readonly [body: string, details: string]): Sellable[] {
  const { id, name, price, modifications = [] } = JSON.parse(body) as ProductLine
  const open = (JSON.parse(details) as ProductDetails).open_price === true
  return [
    { id, name, price: price ?? null, open },
    ...modifications.map((size) => ({ id: size.id, name: `${name}, ${size.name}`, price: size.price ?? null, open })),
  ]
}

export interface PriceRule {
  readonly id: number
  readonly name: string
  readonly status: boolean
  readonly scopes: readonly Scope[]
}

async function readLists(db: Pick<Queries, 'rows'>, brand_id: number): Promise<PriceRule[]> {
  const rows = await db.rows<{ body: string; scopes: string | null }>(
    'select body, scopes from price_lists where brand_id = ? order by name_folded, id',
    [brand_id],
  )
  return rows.map(({ body, scopes }) => {
    const { id, name, status = true } = JSON.parse(body) as PriceRule
    return { id, name, status, scopes: scopesOf(scopes) }
  })
}

interface Place {
  readonly id: number
  readonly name: string
}

/** Where this person may look: venues with the sale types that are active there. */
async function readPlaces(
  db: Pick<Queries, 'rows' | 'texts'>,
  { brand_id, user }: Caller,
): Promise<(Place & { sale_types: Place[] })[]> {
  const venues = await db.rows<Place>('select id, name from venues where brand_id = ? order by is_main desc, id', [
    brand_id,
  ])
  const saleTypes = (
    await db.texts('select body from sale_types where brand_id = ? order by position, id', [brand_id])
  ).map((body) => JSON.parse(body) as SaleType)
  return venues
    .filter(({ id }) => mayEnter(user, id))
    .map((venue) => ({
      ...venue,
      sale_types: saleTypes.filter(({ status }) => isActiveAt(status, venue.id)).map(({ id, name }) => ({ id, name })),
    }))
}

export interface PriceLists {
  readonly lists: readonly PriceRule[]
  readonly places: readonly (Place & { readonly sale_types: readonly Place[] })[]
}

export const findPriceLists = async (db: Database, caller: Caller): Promise<PriceLists> => ({
  lists: await readLists(db, caller.brand_id),
  places: await readPlaces(db, caller),
})

/** What a guest pays, and which list says so; none: it is the product's own price. */
export interface Paid {
  readonly id: number
  readonly price: number | null
  readonly list_id: number | null
  /** The times of the list by which it holds now; null: always. */
  readonly window: PriceWindow | null
}

export interface ProductPrices {
  readonly sellables: readonly Sellable[]
  readonly lists: readonly (PriceRule & { readonly prices: Readonly<Record<number, number>> })[]
  readonly now: readonly {
    readonly venue: Place
    readonly sale_type: Place
    readonly paid: readonly Paid[]
  }[]
}

export async function findProductPrices(db: Database, caller: Caller, id: number, at: string): Promise<ProductPrices> {
  const { brand_id } = caller
  const [product] = await db.rows<{ body: string; details: string }>(
    'select body, details from products where brand_id = ? and id = ? and parent_id is null',
    [brand_id, id],
  )
  if (!product) throw noSuchRecord()
  const sellables = sellablesOf([product.body, product.details])
  const ids = sellables.map((each) => each.id)
  const listed = await listedPrices(db, brand_id, ids)
  const now = []
  for (const { sale_types, id: venue_id, name } of await readPlaces(db, caller))
    for (const sale_type of sale_types) {
      const ruled = await readRuledPrices(db, { brand_id, venue_id, sale_type_id: sale_type.id }, ids)
      now.push({ venue: { id: venue_id, name }, sale_type, paid: sellables.map((each) => paidFor(each, ruled, at)) })
    }
  return {
    sellables,
    lists: (await readLists(db, brand_id)).map((list) => ({ ...list, prices: listed.get(list.id) ?? {} })),
    now,
  }
}

type Ruled = Awaited<ReturnType<typeof readRuledPrices>>

function paidFor({ id, price, open }: Sellable, ruled: Ruled, at: string): Paid {
  if (open) return { id, price: null, list_id: null, window: null }
  const found = ruled.at(id, at)
  return found
    ? { id, price: fromScaled(found.price), list_id: found.list_id, window: found.window }
    : { id, price, list_id: null, window: null }
}

async function listedPrices(
  db: Pick<Queries, 'rows'>,
  brand_id: number,
  ids: readonly number[],
): Promise<Map<number, Record<number, number>>> {
  const rows = await db.rows<{ list_id: number; product_id: number; price: number }>(
    `select list_id, product_id, price from prices where brand_id = ? and product_id in ${places(ids)} order by id`,
    [brand_id, ...ids],
  )
  const found = new Map<number, Record<number, number>>()
  for (const { list_id, product_id, price } of rows) {
    if (!found.has(list_id)) found.set(list_id, {})
    found.get(list_id)![product_id] ??= fromScaled(price) // of several that an import brought the first counts
  }
  return found
}

export const GuestQuery = Type.Object(
  {
    sale_type_id: Type.Optional(Type.Integer({ minimum: 1 })),
    at: Type.Optional(Type.String({ format: 'date-time' })),
  },
  closed,
)

export interface GuestPrices {
  readonly at: string
  readonly places: readonly (Place & { readonly sale_types: readonly Place[] })[]
  readonly venue_id: number
  readonly sale_type_id: number | null
  readonly lists: readonly PriceRule[]
  readonly products: readonly (Paid & Pick<Sellable, 'name' | 'open'> & { readonly own: number | null })[]
}

const SOLD = `type in ('PRODUCT', 'DISH', 'TIMER') and (status is null or status = 1)`

/** What every product costs at the caller's venue. */
export async function findGuestPrices(
  db: Database,
  caller: Caller,
  { sale_type_id, at }: { sale_type_id?: number | undefined; at: string },
): Promise<GuestPrices> {
  const { brand_id, venue_id } = caller
  const found = await readPlaces(db, caller)
  const here = found.find(({ id }) => id === venue_id)?.sale_types ?? []
  const saleType = here.find(({ id }) => id === sale_type_id) ?? here[0]
  const ruled = await readRuledPrices(db, { brand_id, venue_id, sale_type_id: saleType?.id }, undefined)
  const sold = await readSellables(db, brand_id, SOLD)
  return {
    at,
    places: found,
    venue_id,
    sale_type_id: saleType?.id ?? null,
    lists: await readLists(db, brand_id),
    products: sold.map((each) => ({ ...paidFor(each, ruled, at), name: each.name, open: each.open, own: each.price })),
  }
}

async function readSellables(db: Database, brand_id: number, condition: string): Promise<Sellable[]> {
  const sold: Sellable[] = []
  const query = `select body, details from products
    where brand_id = ? and parent_id is null and ${condition} order by name_folded, id`
  for await (const batch of db.batches<[body: string, details: string]>(brand_id, query, [brand_id]))
    for (const row of batch) {
      const [own, ...sizes] = sellablesOf(row)
      sold.push(...(sizes.length > 0 ? sizes : [own!]))
    }
  return sold
}

export interface ListPrices {
  readonly id: number
  readonly name: string
  readonly version: string
  readonly products: readonly {
    readonly id: number
    readonly name: string
    readonly own: number | null
    readonly price: number | null
  }[]
}

export async function findListPrices(db: Database, { brand_id }: Caller, id: number): Promise<ListPrices> {
  const name = await db.text('select name from price_lists where brand_id = ? and id = ?', [brand_id, id])
  if (name === undefined) throw noSuchRecord()
  const listed = firstOf(await pricesOf(db, brand_id, id))
  const sold = await readSellables(db, brand_id, `type in ('PRODUCT', 'DISH', 'TIMER')`)
  return {
    id,
    name,
    version: versionOf(listed),
    products: sold.map(({ id, name, price: own }) => ({
      ...{ id, name, own },
      price: listed.get(id)?.price ?? null,
    })),
  }
}

interface StoredPrice {
  readonly id: number
  readonly product_id: number
  readonly price: number
}

async function pricesOf(db: Pick<Queries, 'rows'>, brand_id: number, list_id: number): Promise<StoredPrice[]> {
  const rows = await db.rows<StoredPrice>(
    'select id, product_id, price from prices where brand_id = ? and list_id = ? order by id',
    [brand_id, list_id],
  )
  return rows.map((row) => ({ ...row, price: fromScaled(row.price) }))
}

const firstOf = (rows: readonly StoredPrice[]) => new Map([...rows].reverse().map((row) => [row.product_id, row]))

const versionOf = (listed: ReadonlyMap<number, StoredPrice>) =>
  createHash('sha256')
    .update(JSON.stringify([...listed.values()].map(({ product_id, price }) => [product_id, price]).sort()))
    .digest('base64url')
    .slice(0, 22)

export const NewPrices = Type.Object(
  {
    prices: Type.Array(
      Type.Object(
        {
          product_id: Id(),
          price: Nullable(Decimal()),
          /** What this person saw; null: no price. Where neither this nor the new price stands by now, nothing is written. */
          seen: Type.Optional(Type.Object({ price: Nullable(Decimal()) }, closed)),
        },
        closed,
      ),
      { minItems: 1, maxItems: 1000 },
    ),
  },
  closed,
)

/** Sets prices of a list; null takes one off it. */
export async function changeListPrices(
  context: CommandContext,
  list_id: number,
  { prices: sent }: Static<typeof NewPrices>,
  ifMatch: IfMatch | undefined,
): Promise<{ id: number; version: string; changed: number }> {
  const { tx, brand_id, actor } = context
  await lockDirectory(tx)
  const name = await tx.text('select name from price_lists where brand_id = ? and id = ?', [brand_id, list_id])
  if (name === undefined) throw noSuchRecord()
  const stored = await pricesOf(tx, brand_id, list_id)
  const listed = firstOf(stored)
  const version = versionOf(listed)
  const priceOf = (product_id: number) => listed.get(product_id)?.price ?? null
  const isStale = sent.some(({ product_id, price, seen }) => seen && ![seen.price, price].includes(priceOf(product_id)))
  if (isStale || (ifMatch && !ifMatch.includes(version))) throw versionMismatch(version)
  await refuseWrong(context, sent)
  const changes = sent.filter(({ product_id, price }) => priceOf(product_id) !== price)
  const added = changes.filter(({ product_id, price }) => price !== null && !listed.has(product_id)).length
  const counter = idCounter(prices.kind)
  let id = added === 0 ? 0 : (await advance(tx, brand_id, { [counter]: added, prices: 0 }))[counter]! - added
  for (const { product_id, price } of changes)
    if (price === null)
      for (const row of stored.filter((each) => each.product_id === product_id)) await prices.remove(context, row)
  const set = changes.flatMap(({ product_id, price }) =>
    price === null ? [] : [{ id: listed.get(product_id)?.id ?? ++id, list_id, product_id, price }],
  )
  if (set.length > 0) await prices.write(context, set)
  if (changes.length > 0)
    await record(tx, {
      actor,
      action: 'price_list.prices',
      subject: `${list_id} ${name}`,
      brand_id,
      before: Object.fromEntries(changes.map(({ product_id }) => [product_id, priceOf(product_id)])),
      after: Object.fromEntries(changes.map(({ product_id, price }) => [product_id, price])),
    })
  return { id: list_id, version: versionOf(firstOf(await pricesOf(tx, brand_id, list_id))), changed: changes.length }
}

async function refuseWrong({ tx, brand_id }: CommandContext, sent: Static<typeof NewPrices>['prices']): Promise<void> {
  const ids = sent.map(({ product_id }) => product_id)
  const known = new Set(
    (
      await tx.rows<{ id: number }>(`select id from products where brand_id = ? and id in ${places(ids)}`, [
        brand_id,
        ...ids,
      ])
    ).map(({ id }) => id),
  )
  const problems = sent.flatMap(({ product_id, price }, index): FieldProblem[] => {
    if (!known.has(product_id))
      return [fieldProblem(`prices[${index}].product_id`, 'exists', 'is none of the products')]
    if (ids.indexOf(product_id) !== index)
      return [fieldProblem(`prices[${index}].product_id`, 'unique', 'is there twice')]
    if (price !== null && (price < 0 || toScaled(price) === undefined))
      return [fieldProblem(`prices[${index}].price`, 'minimum', 'must be at least 0')]
    return []
  })
  const [first, ...others] = problems
  if (first) throw validationFailed([first, ...others])
}
