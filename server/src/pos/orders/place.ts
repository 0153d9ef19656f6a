import { may } from '../../auth/permissions.ts'
import { duplicateCid, duplicateOrder, type FieldProblem, Refusal, venueClosed } from '../../http/errors.ts'
import { type CommandContext, DoneMeanwhile } from '../../resource/write/commands.ts'
import type { Hours } from '../../resources/places/venues.ts'
import type { Order } from '../../resources/sales/orders.ts'
import { isUsedUuid } from '../../resources/sales/sale-uuids.ts'
import { fromScaled, instantOf, toScaled } from '../../values/values.ts'
import { findMethods } from '../closing/booking.ts'
import { readPayments, sumOf } from '../closing/payments.ts'
import { customerDiscount, menuItems, NO_DISCOUNT, refuseUnknown, saleTerms } from '../menu.ts'
import { holdMethods } from '../money/accounts.ts'
import { type Draft, OPEN, withTotals } from '../receipts/draft.ts'
import { type Line, refuse } from '../receipts/line.ts'
import {
  type AskedLine,
  contentOf,
  faultsOfAmount,
  faultsOfDiscount,
  isPartOfPortion,
  type MenuItem,
  makeLine,
} from '../receipts/new-line.ts'
import { checkPortions, holdPortions, portionsOf } from '../stop-list/portions.ts'
import { TOTALS_RULE } from '../totals.ts'
import { accept } from './accept.ts'
import { closedAt } from './hours.ts'
import { currentText } from './ignore.ts'
import type { NewOrder } from './schema.ts'
import { addOrder, asExpired, findOrderByCid, isExpired, type Kept, type PlacedOrder, shownText } from './store.ts'

// S1: an order is placed. What the menu says is copied now, so that accepting it checks nothing again.

const MAX_PRODUCTS = 200 // P10
export const REPEATED_MS = 120_000 // P23
const LAST_DAY = '9999' // an instant after it, such as when the order expires, has five digits, and these do not sort

/** What decides about orders at a venue. */
interface OrderRule {
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

async function orderRule({ tx, caller }: CommandContext): Promise<OrderRule> {
  const [row] = await tx.rows<Omit<OrderRule, 'hours' | 'paused_until'> & { settings: string }>(
    `select venues.time_zone, venues.settings, brands.money_places, brands.order_prices,
       (select name from integrators where id = ?) as integrator
     from venues join brands on brands.id = venues.brand_id where venues.brand_id = ? and venues.id = ?`,
    [caller.integrator_id, caller.brand_id, caller.venue_id],
  )
  const { settings, ...rest } = row!
  return { ...rest, ...JSON.parse(settings) }
}

export interface Placed {
  readonly text: string
  /** P23: the order was there already. */
  readonly replayed: boolean
}

/** Places an order; one that was placed already is the same order. */
export async function placeOrder(
  context: CommandContext,
  asked: NewOrder,
  /** P23: without a key of its own an order is known by its body. */
  { isKeyed }: { isKeyed: boolean },
): Promise<Placed> {
  const { tx, caller } = context
  const { cid, content } = identityOf(asked)
  if (cid === undefined) return placeNew(context, asked, { content, isKeyed })
  const existing = await findRepeated(context, cid, content)
  if (existing) {
    const isDue = isExpired(existing, context.now)
    return { text: isDue ? await currentText(context, existing.id) : shownText(existing), replayed: false }
  }
  try {
    return await placeNew(context, asked, { content, isKeyed })
  } catch (error) {
    // The same order, sent twice at once: what refuses this one may be the other, which took the last portions or opened the receipt.
    if (error instanceof Refusal && (await findOrderByCid(tx, caller.brand_id, cid))) throw new DoneMeanwhile()
    throw error
  }
}

/** What an order is known by when it is sent again. */
function identityOf(asked: NewOrder): { cid: string | undefined; content: string } {
  const cid = asked.integration_uuid?.toLowerCase()
  return { cid, content: contentOf({ ...asked, integration_uuid: cid }) }
}

async function placeNew(
  context: CommandContext,
  asked: NewOrder,
  { content, isKeyed }: { content: string; isKeyed: boolean },
): Promise<Placed> {
  const { caller, now } = context
  const id = context.ids.take('order_id')
  if (asked.integration_uuid === undefined && !isKeyed && asked.order_number !== undefined) {
    const first = await claimBody(context, `${caller.venue_id} ${content}`, id)
    if (first !== undefined) return { text: await currentText(context, first), replayed: true }
  }
  const rule = await orderRule(context)
  const { order, draft, differs, paidBy } = await prepared(context, asked, rule)
  const placed: PlacedOrder = {
    id,
    ...order,
    content,
  }
  await holdPortions(context, placed.cid, portionsOf(draft.lines))
  const isAccepted = rule.accept === 'always' || (rule.accept === 'client' && asked.auto_order_accept === true)
  const pending = { ...placed, created_at: now, updated_at: now }
  const whole = isAccepted && !differs ? await accept(context, pending) : pending
  if (whole === pending) await holdMethods(context, paidBy) // they keep their kinds while it waits
  return { text: await addOrder(context, whole), replayed: false }
}

/** The order as it would be, without an id; nothing is written (dry_run). */
export async function tryOrder(context: CommandContext, asked: NewOrder): Promise<string> {
  const { cid, content } = identityOf(asked)
  const existing = cid === undefined ? undefined : await findRepeated(context, cid, content)
  if (existing) {
    const { id: _id, ...same } = JSON.parse(shownText(asExpired(existing, context.now))) as Order
    return JSON.stringify(same)
  }
  const { order, draft } = await prepared(context, asked, await orderRule(context))
  await checkPortions(context, portionsOf(draft.lines))
  const { kept: _, cid: _cid, customer_id: _customer, integrator_id: _integrator, ...shown } = order
  return JSON.stringify({ ...shown, created_at: context.now, updated_at: context.now })
}

/** The same uuid from the same integrator with the same content is the same order; any other use of it is refused. */
async function findRepeated(
  { tx, caller }: CommandContext,
  cid: string,
  content: string,
): Promise<PlacedOrder | undefined> {
  const isUsed = await isUsedUuid(tx, caller.brand_id, cid)
  const existing = await findOrderByCid(tx, caller.brand_id, cid)
  if (!existing && !isUsed) return undefined
  if (existing?.integrator_id !== caller.integrator_id) throw duplicateCid('receipt')
  if (existing.content !== content || existing.venue_id !== caller.venue_id) throw duplicateOrder(existing.id)
  return existing
}

/** P23: claims a body for this order, or answers the order that it made less than two minutes ago. */
async function claimBody(
  { tx, caller, now }: CommandContext,
  content: string,
  id: number,
): Promise<number | undefined> {
  const { brand_id, client_id } = caller
  const old = instantOf(Date.parse(now) - REPEATED_MS)
  const claimed = await tx.rows(
    `insert into recent_orders (brand_id, client_id, content, order_id, placed_at) values (?, ?, ?, ?, ?)
     on conflict (brand_id, client_id, content) do update set order_id = excluded.order_id, placed_at = excluded.placed_at
       where recent_orders.placed_at <= ? returning order_id`,
    [brand_id, client_id, content, id, now, old],
  )
  if (claimed.length > 0) return undefined
  const [first] = await tx.rows<{ order_id: number }>(
    'select order_id from recent_orders where brand_id = ? and client_id = ? and content = ?',
    [brand_id, client_id, content],
  )
  return first!.order_id
}

/** Everything about an order that can be refused before portions are held. */
async function prepared(context: CommandContext, asked: NewOrder, rule: OrderRule) {
  const { caller, now } = context
  const { scheduled_at, payments = [], customer, delivery_fee = 0, guests, table_id, comment } = asked
  refuse(faultsOfOrder(asked, rule, now))
  const customer_id = customer?.id || undefined
  await refuseUnknown(context, { table_id, customer_id }, { customer_id: 'customer.id' })
  const terms = await saleTerms(context, asked.sale_type_id)
  const closed = closedAt(scheduled_at ?? now, rule)
  if (closed) throw venueClosed(closed.opens_at)
  const { lines, hasOtherPrices, hasParts, cooking_time } = await orderedLines(context, asked, rule)
  const discount = await discountOf(context, asked, customer_id)
  const service_charge = chargeOf(asked, terms.service_charge)
  const receipt: Draft['receipt'] = {
    id: 1, // until it is accepted
    venue_id: caller.venue_id,
    ...(customer_id !== undefined && { customer_id }),
    sale_type_id: asked.sale_type_id,
    ...(guests !== undefined && { guests }),
    status: OPEN,
    payment_methods: [],
    discount_type: discount.discount_type,
    discount_value: discount.discount_value,
    service_charge,
    delivery_fee,
    paid: 0,
    ...(table_id !== undefined && { table_id }),
    ...(customer?.address !== undefined && { address: customer.address }),
    ...(comment !== undefined && { description: comment }),
  }
  const draft = withTotals({
    receipt,
    rule: TOTALS_RULE,
    terms: {
      money_places: rule.money_places,
      ...(terms.charge_tax && { charge_tax: terms.charge_tax }),
      ...(discount.isGiven && { discount_given: true }),
      integrator_id: caller.integrator_id,
    },
    lines,
  })
  const paidBy = await readMethods(context, draft, payments)
  const isCheaper = hasParts || (await hasOtherTerms(context, asked, draft, terms.service_charge))
  const differs = hasOtherPrices || (isCheaper && !may(caller.user.permissions, 'receipts:discount'))
  const { subtotal = 0, total = 0 } = draft.receipt
  const cid = asked.integration_uuid?.toLowerCase() ?? context.ids.uuid()
  const from = scheduled_at ?? now
  const { customer_discount_type: _, id: __, ...person } = customer ?? {}
  const kept: Kept = {
    receipt,
    terms: draft.terms,
    lines: draft.lines,
    send: asked.auto_order_sent_to_station === true,
    cooking_time,
    sent: sentBesides(asked),
  }
  const order = {
    venue_id: caller.venue_id,
    status: 'PENDING' as const,
    ...(asked.order_number !== undefined && { order_number: asked.order_number }),
    ...(asked.integration_uuid !== undefined && { integration_uuid: asked.integration_uuid }),
    sale_type_id: asked.sale_type_id,
    ...(customer && { customer: { ...(customer_id !== undefined && { id: String(customer_id) }), ...person } }),
    products: draft.lines.map(({ shown }) => ({
      product_id: shown.product_id,
      product_name: shown.name,
      count: shown.count,
      price: shown.price,
      portion_size: shown.portion_size,
      ...(shown.note !== undefined && { note: shown.note }),
      modifiers: shown.modifiers.map(({ id, name, count, price }) => ({
        modifier_id: id,
        modifier_name: name,
        count,
        price,
      })),
    })),
    ...(comment !== undefined && { comment }),
    ...(guests !== undefined && { guests }),
    ...(table_id !== undefined && { table_id }),
    ...(asked.discount && {
      discount: { discount_type: asked.discount.discount_type, discount_value: asked.discount.discount_value ?? 0 },
    }),
    ...(asked.service_charge && { service_charge: asked.service_charge }),
    ...(asked.delivery_fee !== undefined && { delivery_fee }),
    ...(asked.payments && { payments: payments.map(({ id, amount }) => ({ id, amount })) }),
    ...(scheduled_at !== undefined && { scheduled_at }),
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
  return { order, draft, differs: differs && rule.order_prices !== 'trust', paidBy }
}

function sentBesides({ status, auto_accept_terminal, product_hash }: NewOrder): Record<string, unknown> {
  return {
    ...(status !== undefined && { status }),
    ...(auto_accept_terminal !== undefined && { auto_accept_terminal }),
    ...(product_hash !== undefined && { product_hash }),
  }
}

function faultsOfOrder(asked: NewOrder, { money_places }: OrderRule, now: string): FieldProblem[] {
  const { products, customer, scheduled_at, discount, service_charge, delivery_fee } = asked
  const faults: FieldProblem[] = []
  const add = (field: string, rule: string, must: string) => faults.push({ field, rule, message: `${field} ${must}.` })
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
async function discountOf(context: CommandContext, { discount, customer }: NewOrder, customer_id: number | undefined) {
  if (discount)
    return { discount_type: discount.discount_type, discount_value: discount.discount_value ?? 0, isGiven: true }
  if (customer_id === undefined || customer?.customer_discount_type === 0)
    return { ...NO_DISCOUNT, isGiven: customer_id !== undefined }
  return { ...(await customerDiscount(context, customer_id)), isGiven: false }
}

/** P13: the discount or the service charge that was sent makes the order cheaper than the group's discount and the sale type's charge. */
async function hasOtherTerms(
  context: CommandContext,
  { discount, service_charge }: NewOrder,
  draft: Draft,
  ofSaleType: number,
): Promise<boolean> {
  if (!discount && !service_charge) return false
  const { customer_id, service_charge: charge = 0, total = 0 } = draft.receipt
  const ofGroup = customer_id === undefined ? NO_DISCOUNT : await customerDiscount(context, customer_id)
  const receipt = { ...draft.receipt, ...(discount && ofGroup), service_charge: Math.max(charge, ofSaleType) }
  return total < withTotals({ ...draft, receipt }).receipt.total!
}

/** P13: a price that is sent is used, unless the brand's are; where it differs people are asked. */
async function orderedLines(context: CommandContext, { products, sale_type_id }: NewOrder, rule: OrderRule) {
  const items = await menuItems(
    context,
    products.map(({ product_id }) => product_id),
    sale_type_id,
  )
  refuse(
    products.flatMap(({ product_id }, index): FieldProblem[] => {
      const field = `products[${index}].product_id`
      const message = `${field} ${product_id} is no product of this brand.`
      return items.has(product_id) ? [] : [{ field, rule: 'exists', message }]
    }),
  )
  let [hasOtherPrices, hasParts] = [false, false]
  const lines = products.map((product, index): Line => {
    const item = items.get(product.product_id)!
    const asked: AskedLine = {
      cid: context.ids.uuid(),
      ...(rule.order_prices === 'ours' ? withoutPrices(product) : product),
    }
    hasOtherPrices ||= hasOtherPrice(asked, item)
    hasParts ||= isPartOfPortion(asked, item)
    const place = { money_places: rule.money_places, now: context.now, path: `products[${index}]` }
    return makeLine(index + 1, asked, item, place)
  })
  const cooking_time = Math.max(0, ...[...items.values()].map((item) => item.cooking_time ?? 0))
  return { lines, hasOtherPrices, hasParts, cooking_time }
}

type AskedProduct = NewOrder['products'][number]

function withoutPrices({ price: _, modifiers, ...product }: AskedProduct): AskedProduct {
  return { ...product, ...(modifiers && { modifiers: modifiers.map(({ price: __, ...modifier }) => modifier) }) }
}

function hasOtherPrice({ price, modifiers = [] }: AskedLine, item: MenuItem): boolean {
  const known = new Map(item.groups.flatMap((group) => group.modifiers.map((each) => [each.id, each.price])))
  const isOther = (sent: number | undefined, ours: number | undefined) => sent !== undefined && toScaled(sent) !== ours
  const ours = [item.price, ...(item.timer?.prices ?? []).map((each) => each.price)]
  return (
    ours.some((each) => isOther(price, each)) ||
    modifiers.some((each) => isOther(each.price, known.get(each.modifier_id)))
  )
}

const ONLINE = new Set(['CARD', 'OTHER'])

/** Paid before: not by a drawer, and not by a balance that is asked when the receipt is closed. */
async function readMethods(context: CommandContext, draft: Draft, asked: NonNullable<NewOrder['payments']>) {
  const methods = await findMethods(context, asked)
  const payments = readPayments(asked, draft, methods, 'payments')
  const faults = payments.flatMap(({ method: { kind, id } }, index): FieldProblem[] => {
    const field = `payments[${index}].id`
    return ONLINE.has(kind)
      ? []
      : [{ field, rule: 'kind', message: `${field} ${id} is of kind ${kind}, not paid online.` }]
  })
  const sum = fromScaled(sumOf(payments))
  const { total = 0 } = draft.receipt
  if (sum > total)
    faults.push({
      field: 'payments',
      rule: 'sum',
      message: `The payments add up to ${sum}, and the total is ${total}.`,
    })
  refuse(faults)
  return payments.map(({ method }) => method)
}
