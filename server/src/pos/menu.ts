import type { Caller } from '../http/call.ts'
import { type FieldProblem, fieldProblem, validationFailed } from '../http/errors.ts'
import type { CommandContext } from '../resource/write/commands.ts'
import { readPriceBook } from '../resources/menu/effective-price.ts'
import type { Product, ProductDetails } from '../resources/menu/product-schema.ts'
import type { FinanceTax } from '../resources/money/taxes.ts'
import { isActiveAt } from '../resources/places/per-venue.ts'
import type { SaleType } from '../resources/sales/sale-types.ts'
import type { Queries } from '../storage/database.ts'
import { places } from '../storage/upsert.ts'
import type { DayRule } from '../values/business-day.ts'
import { AMOUNT_OFF, type DiscountType, PERCENT_OFF, UNDISCOUNTED } from '../values/states.ts'
import { toScaled } from '../values/values.ts'
import type { MenuItem, ModifierGroup } from './receipts/new-line.ts'
import { recipeOf, type Take } from './recipe.ts'
import type { BillTax } from './totals.ts'

// What a command reads of the menu and of the people and places around it, as it is at this moment.

type Reading = Pick<CommandContext, 'tx' | 'caller'>

/** P8 and the venue's clock. */
export async function venueRule({
  tx,
  caller,
}: {
  readonly tx: Pick<Queries, 'rows'>
  readonly caller: Pick<Caller, 'brand_id' | 'venue_id'>
}): Promise<DayRule & { money_places: number }> {
  const [row] = await tx.rows<{ time_zone: string; settings: string; money_places: number }>(
    `select venues.time_zone, venues.settings, brands.money_places from venues join brands on brands.id = venues.brand_id
     where venues.brand_id = ? and venues.id = ?`,
    [caller.brand_id, caller.venue_id],
  )
  const { day_starts_at } = JSON.parse(row!.settings) as { day_starts_at: string }
  return { time_zone: row!.time_zone, day_starts_at, money_places: row!.money_places }
}

/** What a sale type adds to a receipt. Refused where it is not active at the venue. */
export async function saleTerms(
  { tx, caller }: Reading,
  id: number,
): Promise<{ service_charge: number; charge_tax?: BillTax }> {
  const { brand_id, venue_id } = caller
  const body = await tx.text('select body from sale_types where brand_id = ? and id = ?', [brand_id, id])
  const type = body === undefined ? undefined : (JSON.parse(body) as SaleType)
  if (!type) throw unknownId('sale_type_id', id, 'is no sale type of this brand')
  if (!isActiveAt(type.status, venue_id)) throw unknownId('sale_type_id', id, 'is not active at this venue')
  const [tax] =
    type.charge_tax_id === undefined ? [] : [...(await taxesById({ tx, caller }, [type.charge_tax_id])).values()]
  return {
    service_charge: type.service_charge_rate ?? 0,
    ...(tax?.status === 1 && appliesTo(tax, id) && { charge_tax: billTax(tax) }),
  }
}

/** IN, DELIVERY or TAKEAWAY; undefined where the brand no longer has the sale type. */
export async function saleKind({ tx, caller }: Reading, id: number): Promise<SaleType['system_type'] | undefined> {
  const body = await tx.text('select body from sale_types where brand_id = ? and id = ?', [caller.brand_id, id])
  return body === undefined ? undefined : (JSON.parse(body) as SaleType).system_type
}

const unknownId = (field: string, id: number, must: string) =>
  validationFailed([fieldProblem(field, 'exists', `${id} ${must}`)])

export const NO_DISCOUNT = { discount_type: UNDISCOUNTED, discount_value: 0 } as const

/** The customer's group's discount, as a receipt has it. */
export async function customerDiscount(
  { tx, caller }: Reading,
  id: number,
): Promise<{ discount_type: DiscountType; discount_value: number }> {
  const body = await tx.text(
    `select customer_groups.body from customers join customer_groups on customer_groups.brand_id = customers.brand_id
       and customer_groups.id = customers.group_id and customer_groups.deleted_at is null
     where customers.brand_id = ? and customers.id = ?`,
    [caller.brand_id, String(id)],
  )
  const { discount_type, discount_value = 0 } = JSON.parse(body ?? '{}') as {
    discount_type?: 'percent' | 'amount' | null
    discount_value?: number
  }
  if (!discount_type || discount_value <= 0) return NO_DISCOUNT
  return discount_type === 'percent'
    ? { discount_type: PERCENT_OFF, discount_value: Math.min(discount_value, 100) }
    : { discount_type: AMOUNT_OFF, discount_value }
}

/** An id in a body that does not exist, or belongs to another venue, is refused (I13). */
export async function refuseUnknown(
  { tx, caller }: Reading,
  ids: { terminal_id?: number | undefined; table_id?: number | undefined; customer_id?: number | undefined },
  /** Where a body has them under another name. */
  fields: { customer_id?: string } = {},
): Promise<void> {
  const { brand_id, venue_id } = caller
  const faults: FieldProblem[] = []
  const check = async (field: string, id: number | undefined, text: string, values: readonly (number | string)[]) => {
    if (id === undefined || (await tx.rows(text, values)).length > 0) return
    faults.push(fieldProblem(field, 'exists', `${id} does not exist here`))
  }
  const OF_VENUE = 'where brand_id = ? and venue_id = ? and id = ?'
  await check('terminal_id', ids.terminal_id, `select id from terminals ${OF_VENUE}`, [
    brand_id,
    venue_id,
    ids.terminal_id!,
  ])
  await check('table_id', ids.table_id, `select id from tables ${OF_VENUE}`, [brand_id, venue_id, ids.table_id!])
  await check(
    fields.customer_id ?? 'customer_id',
    ids.customer_id,
    'select id from customers where brand_id = ? and id = ? and deleted_at is null and erased_at is null',
    [brand_id, String(ids.customer_id)],
  )
  const [first, ...others] = faults
  if (first) throw validationFailed([first, ...others])
}

interface StoredProduct {
  id: number
  parent_id: number | null
  body: string
  details: string
}

/** The products of these ids that the brand has, as this venue sells them by this sale type at this instant. */
export async function menuItems(
  context: Reading,
  ids: readonly number[],
  sale_type_id: number,
  at: string,
): Promise<Map<number, MenuItem>> {
  if (ids.length === 0) return new Map()
  const rows = await productRows(context, ids)
  const parents = await productRows(
    context,
    rows.flatMap(({ parent_id }) => parent_id ?? []),
  )
  const byId = new Map(parents.map((row) => [row.id, row]))
  const { brand_id, venue_id } = context.caller
  const sold = rows.map(({ id }) => id)
  const book = await readPriceBook(context.tx, { brand_id, venue_id, sale_type_id }, sold)
  const wholes = rows.map((row) => byId.get(row.parent_id ?? 0) ?? row)
  const courses = await coursesByCategory(context, wholes.map(categoryOf))
  const found = rows.map((row): OnTheMenu => {
    const whole = byId.get(row.parent_id ?? 0) ?? row
    const own = JSON.parse(row.body) as Product
    const product = whole === row ? own : (JSON.parse(whole.body) as Product)
    const details = JSON.parse(whole.details) as ProductDetails
    const course = courses.get(details.category_id ?? 0)
    return { own, product, details, course, priceAt: (instant, price) => book.at(row.id, instant, price) }
  })
  const named = found.flatMap(({ product }) => (product.taxes ?? []).flatMap(({ id }) => id ?? []))
  const taxes = await taxesById(context, named)
  return new Map(found.map((each) => [each.own.id, menuItem(each, taxes, sale_type_id, at)]))
}

const categoryOf = ({ details }: StoredProduct) => (JSON.parse(details) as ProductDetails).category_id

/** T5: the courses of these categories, where they have one. */
async function coursesByCategory(
  { tx, caller }: Reading,
  ids: readonly (number | undefined)[],
): Promise<Map<number, number>> {
  const wanted = [...new Set(ids.flatMap((id) => id ?? []))]
  if (wanted.length === 0) return new Map()
  const bodies = await tx.texts(`select body from categories where brand_id = ? and id in ${places(wanted)}`, [
    caller.brand_id,
    ...wanted,
  ])
  return new Map(
    bodies.flatMap((body) => {
      const { id, course } = JSON.parse(body) as { id: number; course?: number }
      return course === undefined ? [] : [[id, course]]
    }),
  )
}

async function productRows(
  { tx, caller }: { tx: Pick<Queries, 'rows'>; caller: Pick<Caller, 'brand_id'> },
  ids: readonly number[],
): Promise<StoredProduct[]> {
  if (ids.length === 0) return []
  const wanted = [...new Set(ids)]
  return tx.rows<StoredProduct>(
    `select id, parent_id, body, details from products where brand_id = ? and id in ${places(wanted)}`,
    [caller.brand_id, ...wanted],
  )
}

/** P20: what making one of each of these products takes, ×10,000; nothing where there is no recipe. */
export async function recipesOf(
  context: { tx: Pick<Queries, 'rows'>; caller: Pick<Caller, 'brand_id'> },
  ids: readonly number[],
): Promise<Map<number, ReturnType<typeof recipeOf>>> {
  const rows = await productRows(context, ids)
  const parents = await productRows(
    context,
    rows.flatMap(({ parent_id }) => parent_id ?? []),
  )
  const byId = new Map(parents.map((row) => [row.id, row]))
  return new Map(
    rows.map((row) => {
      const whole = byId.get(row.parent_id ?? 0) ?? row
      const { type } = JSON.parse(row.body) as Product
      const { takes } = JSON.parse(whole.details) as ProductDetails
      const recipe = recipeItems(JSON.parse(whole.body) as Product)
      const uses = recipeOf({ id: row.id, type, takes: takes.map(takeOf), recipe }, [])
      return [row.id, uses.filter(({ product_id }) => product_id !== row.id)] // what takes itself is not made
    }),
  )
}

/** What the menu says of a product; a variant has its parent's modifiers, recipe, taxes and station. */
interface OnTheMenu {
  readonly own: Product
  /** The product itself, or the one whose variant it is. */
  readonly product: Product
  readonly details: ProductDetails
  readonly course: number | undefined
  /** ×10,000, where its own price is this. */
  readonly priceAt: (instant: string, own: number | undefined) => number | undefined
}

function menuItem(
  { own, product, details, course, ...prices }: OnTheMenu,
  taxes: ReadonlyMap<number, FinanceTax>,
  sale_type_id: number,
  at: string,
): MenuItem {
  const { id, name, full_name, type, status = 1 } = own
  const timer = product.type === 'TIMER' ? timerOf(product) : undefined
  const ownPrice = own.price ?? (timer && timer.prices.length > 0 ? 0 : undefined)
  const isOpenPrice = details.open_price === true
  const priceAt = (instant: string) =>
    isOpenPrice ? undefined : prices.priceAt(instant, ownPrice === undefined ? undefined : toScaled(ownPrice))
  return {
    id,
    name: type === 'MODIFICATION' ? (full_name ?? `${product.name} ${name}`) : name,
    type,
    isActive: status === 1 && (product.status ?? 1) === 1 && details.deleted_at === undefined,
    variants: (own.modifications ?? []).map((variant) => variant.id),
    price: priceAt(at),
    priceAt,
    isOpenPrice,
    station_id: details.station_id,
    course,
    timer,
    cooking_time: details.cooking_time,
    sold_by_weight: details.sold_by_weight,
    discountable: details.discountable,
    giftable: details.giftable,
    ignore_service_charge: details.ignore_service_charge,
    taxes: (product.taxes ?? []).flatMap((named): BillTax[] => {
      const { id: tax_id, name: called = '', rate = 0 } = named
      if (tax_id === undefined) return []
      const tax = taxes.get(tax_id)
      // A product that was imported without the taxes that it names: the price holds them.
      if (!tax) return [{ id: tax_id, name: called, rate: toScaled(rate)!, included: true }]
      return tax.status === 1 && appliesTo(tax, sale_type_id) ? [billTax(tax)] : []
    }),
    uses: { id, type, takes: details.takes.map(takeOf), recipe: recipeItems(product) },
    groups: (product.modificator_groups ?? []).map(groupOf),
  }
}

const takeOf = ({ product_id, gross, modification_id, modificator_id }: ProductDetails['takes'][number]): Take => ({
  product_id,
  gross: toScaled(gross)!,
  modification_id,
  modificator_id,
})

const recipeItems = ({ recipe = [] }: Product) =>
  recipe.map(({ id, pivot }) => ({ product_id: id, gross: toScaled(Number(pivot?.gross ?? 0))! }))

function timerOf({ setting }: Product): NonNullable<MenuItem['timer']> {
  const prices = (setting?.prices ?? []).map(({ price = 0, from = 0 }) => ({
    price: toScaled(price)!,
    from: toScaled(from)!,
  }))
  return { interval: setting?.interval ?? 0, prices }
}

function groupOf({
  name = '',
  type,
  min_select,
  max_select,
  modificators = [],
}: NonNullable<Product['modificator_groups']>[number]): ModifierGroup {
  return {
    name,
    isOneChoice: type === 1,
    min: min_select,
    max: max_select,
    modifiers: modificators.flatMap(({ id, name: modifier = '', price = 0, max_count, status = true }) =>
      id === undefined ? [] : [{ id, name: modifier, price: toScaled(price)!, max_count, isActive: status }],
    ),
  }
}

/** The stations that get new tickets. */
export async function activeStations({ tx, caller }: Reading): Promise<Set<number>> {
  const rows = await tx.rows<{ id: number }>('select id from stations where brand_id = ? and status = 1', [
    caller.brand_id,
  ])
  return new Set(rows.map(({ id }) => id))
}

async function taxesById({ tx, caller }: Reading, ids: readonly number[]): Promise<Map<number, FinanceTax>> {
  if (ids.length === 0) return new Map()
  const wanted = [...new Set(ids)]
  const bodies = await tx.texts(`select body from taxes where brand_id = ? and id in ${places(wanted)}`, [
    caller.brand_id,
    ...wanted,
  ])
  return new Map(bodies.map((body) => JSON.parse(body) as FinanceTax).map((tax) => [tax.id, tax]))
}

/** P11 step 8: a tax that names no sale types applies to all of them. */
const appliesTo = ({ sale_type_ids }: FinanceTax, sale_type_id: number) =>
  sale_type_ids.length === 0 || sale_type_ids.includes(sale_type_id)

export const billTax = ({ id, name, rate, included }: FinanceTax): BillTax => ({
  id,
  name,
  rate: toScaled(rate)!,
  included,
})
