import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { type FieldProblem, fieldProblem } from '../../http/errors.ts'
import { Decimal, DecimalOrText, DiscountType, Id, Maybe, Note, Trimmed } from '../../resource/values.ts'
import { CourseId } from '../../resources/places/courses.ts'
import type { Copied, ReceiptLine } from '../../resources/sales/receipt-schema.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { AMOUNT_OFF, PERCENT_OFF, UNDISCOUNTED } from '../../values/states.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { recipeOf, type Sold } from '../recipe.ts'
import { unitOf } from '../rounding.ts'
import { type BillTax, unitPriceOf } from '../totals.ts'
import { billLine, type Line, refuse } from './line.ts'

// A line of a receipt, made from the request and the menu. Everything that a total or the stock needs is copied when the line is added:
// later changes of the menu do not touch it.

const MAX_COUNT = 10_000 // P10
const MAX_MODIFIERS = 30
const MAX_OPEN_PRICE = 1_000_000 // T24

/** As products[] of POST /orders, with what only staff may send. */
export const NewLine = Type.Object(
  {
    cid: Type.String({ format: 'uuid', description: 'The line’s own key: one that is there already adds nothing' }),
    product_id: Id(),
    count: Decimal(),
    price: Maybe(DecimalOrText({ description: 'Required where the product has an open price' })),
    product_name: Maybe(Trimmed({ maxLength: 255, 'x-name': true })),
    portion_size: Maybe(Decimal()),
    note: Maybe(Note(2000)),
    allergy: Maybe(Type.Boolean({ description: 'The note warns of an allergy' })),
    seat: Maybe(Type.Integer({ minimum: 1, maximum: 99, description: 'Absent: for the whole table' })),
    course: Maybe(CourseId('Absent: that of the product’s category')),
    modifiers: Maybe(
      Type.Array(
        Type.Object({
          modifier_id: Id(),
          count: Maybe(Type.Integer({ minimum: 1, maximum: MAX_COUNT })),
          price: Maybe(DecimalOrText()),
          modifier_name: Maybe(Trimmed({ maxLength: 255, 'x-name': true })),
        }),
      ),
    ),
    modificators: Maybe(Type.Array(Id(), { description: 'Modifiers with count 1' })),
    product_hash: Maybe(Type.String()), // older clients send it; it says nothing
    discount_type: Maybe(DiscountType()),
    discount_value: Maybe(DecimalOrText()),
    is_gift: Maybe(Type.Boolean()),
    priced_at: Maybe(
      Type.String({
        format: 'date-time',
        description: 'When it was tapped, on a till without connection: its price is that of this instant',
      }),
    ),
  },
  { $id: 'NewReceiptLine', additionalProperties: false },
)
export type NewLine = Static<typeof NewLine>

/** A product as it is sold here and now: in this venue, by this sale type. Amounts are ×10,000. */
export interface MenuItem {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly isActive: boolean
  /** Variants of a product that is only sold as one of them. */
  readonly variants: readonly number[]
  /** Absent: no price, neither its own nor from a list, or an open one. */
  readonly price?: number | undefined
  /** T24: every line names its price. */
  readonly isOpenPrice: boolean
  /** M10: its price at another instant. */
  readonly priceAt: (instant: string) => number | undefined
  readonly station_id?: number | undefined
  /** T5: of its category. */
  readonly course?: number | undefined
  readonly timer?: NonNullable<Copied['timer']> | undefined
  /** Minutes. */
  readonly cooking_time?: number | undefined
  readonly sold_by_weight: boolean
  readonly discountable: boolean
  readonly giftable: boolean
  readonly ignore_service_charge: boolean
  readonly taxes: readonly BillTax[]
  readonly uses: Sold
  readonly groups: readonly ModifierGroup[]
}

export interface ModifierGroup {
  readonly name: string
  readonly isOneChoice: boolean
  readonly min: number | undefined
  readonly max: number | undefined
  readonly modifiers: readonly {
    readonly id: number
    readonly name: string
    readonly price: number
    readonly max_count: number | undefined
    readonly isActive: boolean
  }[]
}

/** Hash of what was sent under a cid, to recognise a repeated request. A body read by its schema has its members in order. */
export const requestHashOf = (body: object): string =>
  createHash('sha256').update(JSON.stringify(body, lowerCaseCid)).digest('base64url').slice(0, 22)

const lowerCaseCid = (name: string, value: unknown) => (name === 'cid' ? String(value).toLowerCase() : value)

/** A discount, a gift, a price below the menu's or a part of a portion: giving that away needs another permission than selling. */
export function isReduced({ price, modifiers = [], portion_size = 1, ...given }: NewLine, item: MenuItem): boolean {
  const isBelow = (sent: number | undefined, ours = 0) => sent !== undefined && toScaled(sent)! < ours
  const known = new Map(item.groups.flatMap((group) => group.modifiers.map((each) => [each.id, each.price])))
  return (
    isDiscounted(given) ||
    isPartOfPortion({ portion_size }, item) ||
    (!item.isOpenPrice &&
      [item.price, ...(item.timer?.prices ?? []).map((each) => each.price)].some((ours) => isBelow(price, ours))) ||
    modifiers.some((each) => isBelow(each.price, known.get(each.modifier_id)))
  )
}

/** Less than one portion of a product that is not sold by weight. */
export const isPartOfPortion = ({ portion_size = 1 }: Pick<NewLine, 'portion_size'>, item: MenuItem): boolean =>
  portion_size < 1 && !item.sold_by_weight

/** Another name than the menu's: under it an expensive dish could be sold as a cheap one. */
export function isRenamed({ product_name, modifiers = [] }: NewLine, item: MenuItem): boolean {
  const known = new Map(item.groups.flatMap((group) => group.modifiers.map((each) => [each.id, each.name])))
  const isOther = (sent: string | undefined, ours: string | undefined) => sent !== undefined && sent !== ours
  return (
    isOther(product_name, item.name) ||
    modifiers.some((each) => isOther(each.modifier_name, known.get(each.modifier_id)))
  )
}

export const isDiscounted = ({
  discount_type = UNDISCOUNTED,
  discount_value = 0,
  is_gift = false,
}: Pick<NewLine, 'discount_type' | 'discount_value' | 'is_gift'>): boolean =>
  discount_type !== UNDISCOUNTED || discount_value !== 0 || is_gift

/** The same item at its price of another instant. */
export const pricedAt = (item: MenuItem, instant: string): MenuItem => ({ ...item, price: item.priceAt(instant) })

const MAX_OFFLINE_MS = 12 * 3_600_000

/** M10: a line may have been tapped some hours ago, and not in the future. */
function faultsOfInstant({ priced_at }: NewLine, now: string, path: string): FieldProblem[] {
  if (priced_at === undefined) return []
  const ageMs = Date.parse(now) - Date.parse(priced_at)
  if (ageMs < 0) return [fault(path, 'priced_at', 'past', 'must not be in the future')]
  return ageMs > MAX_OFFLINE_MS ? [fault(path, 'priced_at', 'minimum', 'must be at most 12 hours ago')] : []
}

/** Where a line is made. */
interface LineContext {
  readonly money_places: number
  readonly now: string
  /** The instant that the item's price is of, where it is another one. */
  readonly at?: string | undefined
  /** The person who adds it. */
  readonly user_id: number
  /** The path of the line in the request, for refusals. */
  readonly path: string
}

/** Makes a line from the request, or refuses it with every problem (P10, P11 step 3). Its totals come later. */
export function makeLine(id: number, input: NewLine, item: MenuItem, context: LineContext): Line {
  const { path, now, at = now, user_id } = context
  const faults = [
    ...faultsOfProduct(input, item, path),
    ...faultsOfNumbers(input, item, context),
    ...faultsOfInstant(input, now, path),
  ]
  const modifiers = chosenModifiers(input, item, path, faults)
  refuse(faults)
  const { price, timer } = priceOf(input, item)
  const { discount_type = UNDISCOUNTED, discount_value = 0, is_gift = false, note, allergy = false, seat } = input
  const line: Line = {
    shown: {
      id,
      cid: input.cid.toLowerCase(),
      product_id: item.id,
      name: input.product_name ?? item.name,
      ...definedOnly({ station_id: item.station_id }),
      count: input.count,
      portion_size: input.portion_size ?? 1,
      price: fromScaled(price),
      subtotal: 0,
      discount_type,
      discount_value,
      total_discount: 0,
      receipt_discount: 0,
      total: 0,
      is_gift,
      ...definedOnly({ note }),
      allergy,
      ...definedOnly({ seat, course: input.course ?? item.course }),
      hold: false,
      user_id,
      state: 'NEW',
      modifiers: modifiers.map(({ modifier, count, price: each, name }) => ({
        id: modifier,
        name,
        count,
        price: fromScaled(each),
        total: 0,
      })),
      taxes: [],
      created_at: now,
      updated_at: now,
    },
    copied: {
      content: requestHashOf(input),
      ...(at !== now && { priced_at: at }),
      ...(item.isOpenPrice && { open_price: true }),
      ...definedOnly({ timer }),
      taxes: [...item.taxes],
      recipe: recipeOf(
        item.uses,
        modifiers.map(({ modifier, count }) => ({ id: modifier, count })),
      ),
      sold_by_weight: item.sold_by_weight,
      discountable: item.discountable,
      giftable: item.giftable,
      ignore_service_charge: item.ignore_service_charge,
    },
  }
  refuseNegative(line, path, 'modifiers')
  if (!isReduced({ ...input, discount_type: 0, discount_value: 0, is_gift: false }, item)) return line
  return { ...line, copied: { ...line.copied, menu_price: menuPriceOf(line, item) } }
}

/** What one whole portion with these choices costs by the menu; of a timer, its minutes. */
function menuPriceOf(line: Line, item: MenuItem): number {
  const { price, modifiers, ...bill } = billLine(line)
  const known = new Map(item.groups.flatMap((group) => group.modifiers.map((each) => [each.id, each.price])))
  const asked = modifiers.map((each) => ({ ...each, price: known.get(each.id) ?? each.price }))
  return Number(unitPriceOf({ ...bill, price: item.price ?? price, timer: item.timer, modifiers: asked }))
}

/** Modifiers may reduce the price to 0 at most; for a timer, the sum of its intervals. */
function refuseNegative(line: Line, path: string, member: string): void {
  if (unitPriceOf(billLine(line)) < 0n)
    refuse([fault(path, member, 'minimum', `must not make the price of ${line.shown.name} negative`)])
}

/** Uses a price in the request; for a timer it is the price of every interval. */
function priceOf(input: NewLine, item: MenuItem) {
  if (input.price === undefined) return { price: item.price!, timer: item.timer } // one without a price was refused
  const price = toScaled(input.price)!
  return { price, timer: item.timer && { interval: item.timer.interval, prices: [] } }
}

/** What can be changed on a line that was not sent; an empty note removes it. */
export const LineChange = Type.Object(
  {
    count: Maybe(Decimal()),
    note: Maybe(Type.String({ maxLength: 2000, 'x-undirected': true })),
    allergy: Maybe(Type.Boolean()),
    seat: Maybe(Type.Integer({ minimum: 0, maximum: 99, description: '0: for the whole table' })),
    course: Maybe(Type.Integer({ minimum: 0, maximum: 9, description: '0: it has none' })),
    discount_type: Maybe(DiscountType()),
    discount_value: Maybe(DecimalOrText()),
    is_gift: Maybe(Type.Boolean()),
  },
  { $id: 'ReceiptLineChange', additionalProperties: false },
)
export type LineChange = Static<typeof LineChange>

/** A line that was not sent, with other values. */
export function changedLine({ shown, copied }: Line, change: LineChange, money_places: number): Line {
  const { note: given, seat: givenSeat, course: givenCourse, ...rest } = change
  const { note: _, seat: __, course: ___, ...before } = shown
  const note = given === undefined ? shown.note : given.trim() || undefined
  const seat = givenSeat === undefined ? shown.seat : givenSeat || undefined
  const course = givenCourse === undefined ? shown.course : givenCourse || undefined
  const after = { ...before, ...rest, ...definedOnly({ note, seat, course }) } as ReceiptLine
  refuse(faultsOfNumbers(after, copied, { money_places, path: '' }))
  const line = { shown: after, copied }
  refuseNegative(line, '', 'count')
  return line
}

/** M10: the instant whose prices a line has. */
export const pricedInstant = ({ shown, copied }: Line): string => copied.priced_at ?? shown.created_at

/**
 * The same line at the prices and with the taxes of another sale type, of the instant at which it was priced. A price from the request is replaced too: it was for the old type.
 * A line whose price was named with it (T24), or whose product has none there, keeps its own.
 */
export function repriced(before: Line, itemNow: MenuItem): Line {
  const { shown, copied } = before
  const item = pricedAt(itemNow, pricedInstant(before))
  const { timer: _, menu_price: __, ...kept } = copied
  const known = new Map(item.groups.flatMap((group) => group.modifiers.map((each) => [each.id, each.price])))
  const modifiers = shown.modifiers.map((each) => {
    const price = known.get(each.id)
    return price === undefined ? each : { ...each, price: fromScaled(price) }
  })
  const price = copied.open_price ? undefined : item.price
  const line: Line = {
    shown: { ...shown, ...(price !== undefined && { price: fromScaled(price) }), modifiers },
    copied: { ...kept, taxes: [...item.taxes], ...definedOnly({ timer: item.timer }) },
  }
  refuseNegative(line, '', 'sale_type_id')
  return line
}

function faultsOfProduct({ product_id, price = 0 }: NewLine, item: MenuItem, path: string): FieldProblem[] {
  const refused = (rule: string, message: string) => [fault(path, 'product_id', rule, message)]
  if (!item.isActive) return refused('active', `${product_id} is not active`)
  if (item.type === 'INGREDIENT' || item.type === 'PREPARATION')
    return refused('sold', `${product_id} is of type ${item.type}, which is not sold`)
  if (item.variants.length > 0)
    return refused('variant', `${product_id} is sold as one of its variants: ${item.variants.join(', ')}`)
  if (!item.isOpenPrice && item.price === undefined && price <= 0) return refused('price', `${product_id} has no price`) // P13
  return []
}

interface Numbers {
  readonly count: number
  readonly portion_size?: number
  readonly price?: number
  readonly discount_type?: number
  readonly discount_value?: number
  readonly is_gift?: boolean
}

type Bounds = Pick<MenuItem, 'sold_by_weight' | 'discountable' | 'giftable'> & Partial<Pick<MenuItem, 'isOpenPrice'>>

function faultsOfNumbers(
  line: Numbers,
  item: Bounds,
  { path, money_places }: Pick<LineContext, 'path' | 'money_places'>,
): FieldProblem[] {
  const { count, portion_size = 1, price, discount_type = UNDISCOUNTED, discount_value = 0, is_gift = false } = line
  const faults: FieldProblem[] = []
  const add = (member: string, rule: string, must: string) => faults.push(fault(path, member, rule, must))
  if (count <= 0 || count > MAX_COUNT) add('count', 'range', `must be above 0 and at most ${MAX_COUNT}`)
  else if (!item.sold_by_weight && !Number.isInteger(count))
    add('count', 'integer', 'must be a whole number: the product is not sold by weight')
  if (portion_size <= 0 || portion_size > MAX_COUNT)
    add('portion_size', 'range', `must be above 0 and at most ${MAX_COUNT}`)
  if (item.isOpenPrice && price === undefined) add('price', 'required', 'must be given: the product has an open price')
  else if (item.isOpenPrice && (price! <= 0 || price! > MAX_OPEN_PRICE))
    add('price', 'range', `must be above 0 and at most ${MAX_OPEN_PRICE}`)
  else if (price !== undefined && price < 0) add('price', 'minimum', 'must not be negative')
  faults.push(...faultsOfDiscount({ discount_type, discount_value }, money_places, path))
  if (discount_type !== UNDISCOUNTED && !item.discountable)
    add('discount_type', 'discountable', 'must be 0: the product takes no discount')
  if (is_gift && !item.giftable) add('is_gift', 'giftable', 'must be false: the product is not given away')
  return faults
}

/** P8, P10: problems with the discount of a line or of a receipt. */
export function faultsOfDiscount(
  { discount_type, discount_value }: { discount_type: number; discount_value: number },
  money_places: number,
  path: string,
): FieldProblem[] {
  const wrong = (rule: string, must: string) => [fault(path, 'discount_value', rule, must)]
  if (discount_value < 0) return wrong('minimum', 'must not be negative')
  if (discount_type === PERCENT_OFF && discount_value > 100) return wrong('maximum', 'must be at most 100 percent')
  if (discount_type === AMOUNT_OFF && !isPayable(discount_value, money_places))
    return wrong('decimals', `must have at most ${money_places} decimals`)
  return []
}

/** P8: problems with an amount in a request that is no discount. */
export function faultsOfAmount(field: string, amount: number, money_places: number): FieldProblem[] {
  if (amount < 0) return [fault('', field, 'minimum', 'must not be negative')]
  if (!isPayable(amount, money_places))
    return [fault('', field, 'decimals', `must have at most ${money_places} decimals`)]
  return []
}

/** P8: an amount in a request has no more decimals than the brand's money. */
const isPayable = (amount: number, money_places: number): boolean =>
  BigInt(toScaled(amount) ?? 1) % unitOf(money_places) === 0n

interface Chosen {
  modifier: number
  name: string
  count: number
  price: number
}

function chosenModifiers(input: NewLine, item: MenuItem, path: string, faults: FieldProblem[]): Chosen[] {
  const given = [
    ...(input.modifiers ?? []).map((each, index) => ({ ...each, place: `modifiers[${index}]` })),
    ...(input.modificators ?? []).map((modifier_id, index) => ({ modifier_id, place: `modificators[${index}]` })),
  ] as { modifier_id: number; count?: number; price?: number; modifier_name?: string; place: string }[]
  const add = (place: string, rule: string, must: string) => faults.push(fault(path, place, rule, must))
  if (given.length > MAX_MODIFIERS) {
    add('modifiers', 'maximum', `must be at most ${MAX_MODIFIERS}`)
    return []
  }
  const known = new Map(item.groups.flatMap((group) => group.modifiers.map((modifier) => [modifier.id, modifier])))
  const seen = new Set<number>()
  const chosen = given.flatMap(({ modifier_id, count = 1, price, modifier_name, place }): Chosen[] => {
    const modifier = known.get(modifier_id)
    const id = place.startsWith('modifiers') ? `${place}.modifier_id` : place
    if (!modifier) add(id, 'exists', `${modifier_id} is no modifier of product ${item.id}`)
    else if (!modifier.isActive) add(id, 'active', `${modifier_id} is not active`)
    else if (seen.has(modifier_id)) add(id, 'unique', `${modifier_id} is chosen twice: give it a count`)
    else if (modifier.max_count !== undefined && count > modifier.max_count)
      add(`${place}.count`, 'maximum', `must be at most ${modifier.max_count}`)
    else if (price !== undefined && price < 0) add(`${place}.price`, 'minimum', 'must not be negative')
    seen.add(modifier_id)
    if (!modifier) return []
    const each = price === undefined ? modifier.price : toScaled(price)!
    return [{ modifier: modifier_id, name: modifier_name ?? modifier.name, count, price: each }]
  })
  for (const group of item.groups) {
    const selected = group.modifiers.filter(({ id }) => seen.has(id)).length
    const max = group.isOneChoice ? 1 : group.max
    if (group.min !== undefined && selected < group.min)
      add('modifiers', 'min_select', `must have at least ${group.min} of ${group.name}`)
    if (max !== undefined && max > 0 && selected > max)
      add('modifiers', 'max_select', `must have at most ${max} of ${group.name}`)
  }
  return chosen
}

function fault(path: string, member: string, rule: string, must: string): FieldProblem {
  return fieldProblem(path === '' ? member : `${path}.${member}`, rule, must)
}
