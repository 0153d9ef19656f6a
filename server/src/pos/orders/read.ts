import { venueClosed } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { findMethods } from '../closing/booking.ts'
import { customerDiscount, menuItems, NO_DISCOUNT, refuseUnknown, saleTerms } from '../menu.ts'
import { refuse } from '../receipts/line.ts'
import { closedAt } from './hours.ts'
import { customerIn, faultsOfOrder, type Known, type OrderRule } from './price.ts'
import type { NewOrder } from './schema.ts'

/** Reads what an order names. Refuses what can be refused without a price: a wrong value, an unknown id, a closed venue. */
export async function readForOrder(context: CommandContext, body: NewOrder): Promise<Known> {
  const { scheduled_at, payments = [], products, sale_type_id, table_id } = body
  const { now } = context
  const rule = await orderRule(context)
  refuse(faultsOfOrder(body, rule, now))
  const customer_id = customerIn(body)
  await refuseUnknown(context, { table_id, customer_id }, { customer_id: 'customer.id' })
  const terms = await saleTerms(context, sale_type_id)
  const closed = closedAt(scheduled_at ?? now, rule)
  if (closed) throw venueClosed(closed.opens_at)
  const items = await menuItems(
    context,
    products.map(({ product_id }) => product_id),
    sale_type_id,
    scheduled_at ?? now,
  )
  const groupDiscount = customer_id === undefined ? NO_DISCOUNT : await customerDiscount(context, customer_id)
  return { rule, terms, items, groupDiscount, methods: await findMethods(context, payments) }
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
