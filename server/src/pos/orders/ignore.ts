import { notPlacedByYou } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { counting } from '../../resource/write/write.ts'
import { orders } from '../../resources/sales/orders.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import { type Moving, releasePortions } from '../stop-list/portions.ts'
import { mustBePending } from './accept.ts'
import {
  isExpired,
  lockOrder,
  ORDER_COLUMNS,
  orderOf,
  type PlacedOrder,
  type StoredOrder,
  saveOrder,
  shownText,
} from './store.ts'

// S1: an order is refused by staff, taken back by the client that placed it, or expires. Its portions come back.

/** Staff refuse an order; answers its text. */
export async function refuseOrder(context: CommandContext, id: number, reason: string): Promise<string> {
  const order = await lockOrder(context, id)
  mustBePending(order, context.now)
  return ignore(context, order, reason)
}

/** The integrator that placed an order takes it back; answers its text. */
export async function takeBackOrder(context: CommandContext, id: number, reason = 'cancelled'): Promise<string> {
  const order = await lockOrder(context, id)
  if (order.integrator_id !== context.caller.integrator_id) throw notPlacedByYou()
  mustBePending(order, context.now)
  return ignore(context, order, reason)
}

async function ignore(context: Moving, order: PlacedOrder, reason: string): Promise<string> {
  await releasePortions(context, order.cid)
  return saveOrder(context, { ...order, status: 'IGNORE', reason })
}

/** An order of the active venue as it is now: one whose time has passed is written as expired first (S1). */
export async function currentText(context: CommandContext, id: number): Promise<string> {
  const order = await lockOrder(context, id)
  return isExpired(order, context.now) ? ignore(context, order, 'expired') : shownText(order)
}

const STEP = 100

/** The orders of all brands, or of one, whose time has passed. */
export async function dueOrders(db: Pick<Database, 'rows'>, now: string, brand_id?: number) {
  return db.rows<{ brand_id: number; venue_id: number; id: number }>(
    `select brand_id, venue_id, id from orders where status = 'PENDING' and expires_at <= ?
     ${brand_id === undefined ? '' : 'and brand_id = ?'} order by expires_at limit ${STEP}`,
    brand_id === undefined ? [now] : [now, brand_id],
  )
}

/** Writes that an order has expired, unless somebody was faster. */
export async function expireOrder(
  db: Database,
  { brand_id, venue_id, id }: { brand_id: number; venue_id: number; id: number },
  now: string,
): Promise<void> {
  await db.transaction(async (tx: Transaction) => {
    const row = await orders.lock<StoredOrder>({ tx, brand_id }, id, ORDER_COLUMNS)
    if (!row) return
    const order = orderOf(row)
    if (isExpired(order, now))
      await counting({ tx, brand_id, actor: 'system', now }, (context) =>
        ignore({ ...context, caller: { brand_id, venue_id } }, order, 'expired'),
      )
  }, 'system')
}

/** So that a read says IGNORE from the instant on at which an order's time has passed. */
export async function expireDue(db: Database, brand_id: number, now: string): Promise<void> {
  for (;;) {
    const due = await dueOrders(db, now, brand_id)
    for (const order of due) await expireOrder(db, order, now)
    if (due.length < STEP) return
  }
}
