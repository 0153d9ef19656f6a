import { may } from '../../auth/permissions.ts'
import { type FieldProblem, fieldProblem } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import type { Hours } from '../../resources/places/venues.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { OPEN } from '../../values/states.ts'
import { fromScaled, instantOf, toScaled } from '../../values/values.ts'
import type { findMethods } from '../closing/booking.ts'
import { readPayments, sumOf } from '../closing/payments.ts'
import { type customerDiscount, type menuItems, NO_DISCOUNT, type saleTerms } from '../menu.ts'
import { type Line, refuse } from '../receipts/line.ts'
import {
  faultsOfAmount,
  faultsOfDiscount,
  isPartOfPortion,
  type MenuItem,
  makeLine,
  type NewLine,
} from '../receipts/new-line.ts'
import { type WholeReceipt, withTotals } from '../receipts/whole-receipt.ts'
import { TOTALS_RULE } from '../totals.ts'
import type { NewOrder } from './schema.ts'
import type { Kept } from './store.ts'

// P13: what an order costs. Nothing is read or written here.

const MAX_PRODUCTS = 200 // P10
const LAST_DAY = '9999' // an instant after it, such as when the order expires, has five digits, and these do not sort

/** What decides about orders at a venue. */
export interface OrderRule {
  readonly time_zone: string
  readonly hours?: Hours
  readonly paused_until?: string
  readonly accept: 'ask' | 'client' | 'always'
  readonly order_expiry_s: number
  readonly money_places: number
  readonly order_prices: 'ask' | 'trust' | 'ours'
  /** Its name. */
  readonly integrator: string
}

/** What was read about the things that an order names. */
export interface Known {
  readonly rule: OrderRule
  readonly terms: Awaited<ReturnType<typeof saleTerms>>
  readonly items: Awaited<ReturnType<typeof menuItems>>
  /** The discount of the customer's group. */
  readonly groupDiscount: Awaited<ReturnType<typeof customerDiscount>>
  readonly methods: Awaited<ReturnType<typeof findMethods>>
}

/** The id of the customer; 0 is none. */
export const customerIn = ({ customer }: NewOrder): number | undefined => customer?.id || undefined

/** The order as it is stored, with its receipt as accepting it opens one. Refuses what cannot be priced. */
export function priceOrder(
  body: NewOrder,
  known: Known,
  { caller, now, ids }: Pick<CommandContext, 'caller' | 'now' | 'ids'>,
) {
  const { scheduled_at, payments = [], customer, delivery_fee = 0, guests, table_id, comment } = body
  const { rule, terms } = known
  const customer_id = customerIn(body)
  const { lines, hasOtherPrices, hasOpenPrices, hasParts, cooking_time } = orderedLines(body, known, {
    now,
    ids,
    caller,
  })
  const discount = discountOf(body, known)
  const service_charge = chargeOf(body, terms.service_charge)
  const receipt: WholeReceipt['receipt'] = {
    id: 1, // until it is accepted
    venue_id: caller.venue_id,
    ...definedOnly({ customer_id }),
    sale_type_id: body.sale_type_id,
    ...definedOnly({ guests }),
    status: OPEN,
    payment_methods: [],
    discount_type: discount.discount_type,
    discount_value: discount.discount_value,
    service_charge,
    delivery_fee,
    paid: 0,
    ...definedOnly({ table_id, address: customer?.address, description: comment }),
  }
  const whole = withTotals({
    receipt,
    rule: TOTALS_RULE,
    terms: {
      money_places: rule.money_places,
      ...definedOnly({ charge_tax: terms.charge_tax }),
      ...(discount.isGiven && { discount_given: true }),
      integrator_id: caller.integrator_id,
    },
    lines,
  })
  const paidBy = paidMethods(payments, whole, known)
  const isCheaper = hasParts || hasOtherTerms(body, whole, known)
  const differs = hasOtherPrices || (isCheaper && !may(caller.user.permissions, 'receipts:discount'))
  const { subtotal = 0, total = 0 } = whole.receipt
  const cid = body.integration_uuid?.toLowerCase() ?? ids.uuid()
  const from = scheduled_at ?? now
  const { customer_discount_type: _, id: __, ...person } = customer ?? {}
  const kept: Kept = {
    receipt,
    terms: whole.terms,
    lines: whole.lines,
    send: body.auto_order_sent_to_station === true,
    cooking_time,
    sent: sentBesides(body),
  }
  const order = {
    venue_id: caller.venue_id,
    status: 'PENDING' as const,
    ...definedOnly({ order_number: body.order_number, integration_uuid: body.integration_uuid }),
    sale_type_id: body.sale_type_id,
    ...(customer && { customer: { ...(customer_id !== undefined && { id: String(customer_id) }), ...person } }),
    products: whole.lines.map(({ shown, copied }) => ({
      product_id: shown.product_id,
      product_name: shown.name,
      count: shown.count,
      price: shown.price,
      ...(copied.open_price && { open_price: true }),
      portion_size: shown.portion_size,
      ...definedOnly({ note: shown.note, seat: shown.seat, course: shown.course }),
      ...(shown.allergy && { allergy: true }),
      modifiers: shown.modifiers.map(({ id, name, count, price }) => ({
        modifier_id: id,
        modifier_name: name,
        count,
        price,
      })),
    })),
    ...definedOnly({ comment, guests, table_id }),
    ...(body.discount && {
      discount: { discount_type: body.discount.discount_type, discount_value: body.discount.discount_value ?? 0 },
    }),
    ...(body.service_charge && { service_charge: body.service_charge }),
    ...(body.delivery_fee !== undefined && { delivery_fee }),
    ...(body.payments && {
      payments: payments.map(({ id, amount, tip }) => ({ id, amount, ...definedOnly({ tip }) })),
    }),
    ...definedOnly({ scheduled_at }),
    expires_at: instantOf(Date.parse(from) + rule.order_expiry_s * 1000),
    subtotal,
    total,
    price_differs: differs,
    integrator: rule.integrator,
    cid,
    ...(customer_id !== undefined && { customer_id: String(customer_id) }),
    integrator_id: caller.integrator_id,
    kept,
  }
  const needsConsent = hasOpenPrices || (differs && rule.order_prices !== 'trust')
  return { order, whole, needsConsent, paidBy }
}

const sentBesides = ({ status, auto_accept_terminal, product_hash }: NewOrder): Record<string, unknown> =>
  definedOnly({ status, auto_accept_terminal, product_hash })

/** Finds what is wrong with an order without reading anything. */
export function faultsOfOrder(body: NewOrder, { money_places }: OrderRule, now: string): FieldProblem[] {
  const { products, customer, scheduled_at, discount, service_charge, delivery_fee } = body
  const faults: FieldProblem[] = []
  const add = (field: string, rule: string, must: string) => faults.push(fieldProblem(field, rule, must))
  if (products.length < 1 || products.length > MAX_PRODUCTS)
    add('products', 'range', `must have 1 to ${MAX_PRODUCTS} products`)
  if (customer?.id !== undefined && (!Number.isSafeInteger(customer.id) || customer.id < 0))
    add('customer.id', 'type', 'must be the id of a customer')
  if (scheduled_at !== undefined && scheduled_at >= LAST_DAY)
    add('scheduled_at', 'maximum', 'must be before the year 9999')
  if (scheduled_at !== undefined && scheduled_at <= now) add('scheduled_at', 'future', 'must be in the future')
  if (discount) {
    const { discount_type, discount_value = 0 } = discount
    faults.push(...faultsOfDiscount({ discount_type, discount_value }, money_places, 'discount'))
  }
  if (service_charge?.value !== undefined && (service_charge.value < 0 || service_charge.value > 1000))
    add('service_charge.value', 'range', 'must be 0 to 1000 percent')
  if (delivery_fee !== undefined) faults.push(...faultsOfAmount('delivery_fee', delivery_fee, money_places))
  return faults
}

/** P11, step 6: the rate is the order's own, else the sale type's. */
function chargeOf({ service_charge }: NewOrder, ofSaleType: number): number {
  if (!service_charge) return ofSaleType
  return service_charge.enabled ? (service_charge.value ?? ofSaleType) : 0
}

/** P11, step 4: what was given, else that of the customer's group, unless the order says that there is none. */
function discountOf(body: NewOrder, { groupDiscount }: Known) {
  const { discount, customer } = body
  if (discount)
    return { discount_type: discount.discount_type, discount_value: discount.discount_value ?? 0, isGiven: true }
  if (customerIn(body) === undefined) return { ...NO_DISCOUNT, isGiven: false }
  if (customer?.customer_discount_type === 0) return { ...NO_DISCOUNT, isGiven: true }
  return { ...groupDiscount, isGiven: false }
}

/** P13: the discount or the service charge that was sent makes the order cheaper than the group's discount and the sale type's charge. */
function hasOtherTerms(
  { discount, service_charge }: NewOrder,
  whole: WholeReceipt,
  { terms, groupDiscount }: Known,
): boolean {
  if (!discount && !service_charge) return false
  const { service_charge: charge = 0, total = 0 } = whole.receipt
  const receipt = {
    ...whole.receipt,
    ...(discount && groupDiscount),
    service_charge: Math.max(charge, terms.service_charge),
  }
  return total < withTotals({ ...whole, receipt }).receipt.total!
}

/** P13: a price that is sent is used, unless the brand's are; where it differs people are asked. */
function orderedLines(
  { products, scheduled_at }: NewOrder,
  { rule, items }: Known,
  { now, ids, caller }: Pick<CommandContext, 'now' | 'ids' | 'caller'>,
) {
  refuse(
    products.flatMap(({ product_id }, index): FieldProblem[] => {
      const field = `products[${index}].product_id`
      const message = `${field} ${product_id} is no product of this brand.`
      return items.has(product_id) ? [] : [{ field, rule: 'exists', message }]
    }),
  )
  let [hasOtherPrices, hasOpenPrices, hasParts] = [false, false, false]
  const lines = products.map((product, index): Line => {
    const item = items.get(product.product_id)!
    const line: NewLine = {
      cid: ids.uuid(),
      ...(rule.order_prices === 'ours' ? withoutPrices(product, item) : product),
    }
    hasOtherPrices ||= hasOtherPrice(line, item, scheduled_at ?? now)
    hasOpenPrices ||= item.isOpenPrice
    hasParts ||= isPartOfPortion(line, item)
    const path = `products[${index}]`
    const place = { money_places: rule.money_places, now, at: scheduled_at, user_id: caller.user.id, path }
    return makeLine(index + 1, line, item, place)
  })
  const cooking_time = Math.max(0, ...[...items.values()].map((item) => item.cooking_time ?? 0))
  return { lines, hasOtherPrices, hasOpenPrices, hasParts, cooking_time }
}

type OrderProduct = NewOrder['products'][number]

/** Drops the prices that were sent, except of products with an open price, which have no other (T24). */
function withoutPrices({ price, modifiers, ...product }: OrderProduct, { isOpenPrice }: MenuItem): OrderProduct {
  return {
    ...product,
    ...(isOpenPrice && definedOnly({ price })),
    ...(modifiers && { modifiers: modifiers.map(({ price: _, ...modifier }) => modifier) }),
  }
}

const LATE_MS = 10 * 60_000

/** M10: a price of some minutes before is ours too: the guest may have chosen then. */
function hasOtherPrice({ price, modifiers = [] }: NewLine, item: MenuItem, at: string): boolean {
  const known = new Map(item.groups.flatMap((group) => group.modifiers.map((each) => [each.id, each.price])))
  const isOther = (sent: number | undefined, ours: number | undefined) => sent !== undefined && toScaled(sent) !== ours
  const wasOurs = () => !isOther(price, item.priceAt(instantOf(Date.parse(at) - LATE_MS)))
  return (
    (!item.isOpenPrice && isOther(price, item.price) && !wasOurs()) ||
    (item.timer?.prices ?? []).some((each) => isOther(price, each.price)) ||
    modifiers.some((each) => isOther(each.price, known.get(each.modifier_id)))
  )
}

const ONLINE = new Set(['CARD', 'OTHER'])

/** Paid before: not by a drawer, and not by a balance that is asked when the receipt is closed. */
function paidMethods(sent: NonNullable<NewOrder['payments']>, whole: WholeReceipt, { methods }: Known) {
  const payments = readPayments(sent, whole, methods, 'payments')
  const faults = payments.flatMap(({ method: { kind, id } }, index): FieldProblem[] => {
    const field = `payments[${index}].id`
    return ONLINE.has(kind) ? [] : [fieldProblem(field, 'kind', `${id} is of kind ${kind}, not paid online`)]
  })
  const sum = fromScaled(sumOf(payments))
  const { total = 0 } = whole.receipt
  if (sum > total)
    faults.push({
      field: 'payments',
      rule: 'sum',
      message: `The payments add up to ${sum}, and the total is ${total}.`,
    })
  refuse(faults)
  return payments.map(({ method }) => method)
}
