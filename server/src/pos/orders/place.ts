import { duplicateCid, duplicateOrder, Refusal } from '../../http/errors.ts'
import { type CommandContext, DoneMeanwhile } from '../../resource/write/commands.ts'
import type { Order } from '../../resources/sales/orders.ts'
import { isUsedUuid } from '../../resources/sales/sale-uuids.ts'
import { instantOf } from '../../values/values.ts'
import { holdMethods } from '../money/accounts.ts'
import { requestHashOf } from '../receipts/new-line.ts'
import { checkPortions, holdPortions, portionsOf } from '../stop-list/portions.ts'
import { accept } from './accept.ts'
import { currentText } from './ignore.ts'
import { priceOrder } from './price.ts'
import { readForOrder } from './read.ts'
import type { NewOrder } from './schema.ts'
import { addOrder, asExpired, findOrderByCid, isExpired, type PlacedOrder, shownText } from './store.ts'

// S1: an order is placed: what it names is read, it is priced, and it is stored. What the menu says is copied now, so that accepting
// it checks nothing again.

export const REPEATED_MS = 120_000 // P23

export interface Placed {
  readonly text: string
  /** P23: the order was there already. */
  readonly replayed: boolean
}

/** Places an order; one that was placed already is the same order. */
export async function placeOrder(
  context: CommandContext,
  body: NewOrder,
  /** P23: without a key of its own an order is known by its body. */
  { isKeyed }: { isKeyed: boolean },
): Promise<Placed> {
  const { tx, caller } = context
  const { cid, requestHash } = identityOf(body)
  if (cid === undefined) return placeNew(context, body, { requestHash, isKeyed })
  const existing = await findRepeated(context, cid, requestHash)
  if (existing) {
    const isDue = isExpired(existing, context.now)
    return { text: isDue ? await currentText(context, existing.id) : shownText(existing), replayed: false }
  }
  try {
    return await placeNew(context, body, { requestHash, isKeyed })
  } catch (error) {
    // The same order, sent twice at once: what refuses this one may be the other, which took the last portions or opened the receipt.
    if (error instanceof Refusal && (await findOrderByCid(tx, caller.brand_id, cid))) throw new DoneMeanwhile()
    throw error
  }
}

/** How an order that is sent again is recognized: by its cid, or by the hash of its body. */
function identityOf(body: NewOrder): { cid: string | undefined; requestHash: string } {
  const cid = body.integration_uuid?.toLowerCase()
  return { cid, requestHash: requestHashOf({ ...body, integration_uuid: cid }) }
}

async function placeNew(
  context: CommandContext,
  body: NewOrder,
  { requestHash, isKeyed }: { requestHash: string; isKeyed: boolean },
): Promise<Placed> {
  const { caller, now } = context
  const id = context.ids.take('order_id')
  if (body.integration_uuid === undefined && !isKeyed && body.order_number !== undefined) {
    const first = await claimBody(context, `${caller.venue_id} ${requestHash}`, id)
    if (first !== undefined) return { text: await currentText(context, first), replayed: true }
  }
  const { rule, ...known } = await readForOrder(context, body)
  const { order, whole, needsConsent, paidBy } = priceOrder(body, { rule, ...known }, context)
  const placed: PlacedOrder = {
    id,
    ...order,
    content: requestHash,
  }
  await holdPortions(context, placed.cid, portionsOf(whole.lines))
  const isAccepted = rule.accept === 'always' || (rule.accept === 'client' && body.auto_order_accept === true)
  const pending = { ...placed, created_at: now, updated_at: now }
  const outcome = isAccepted && !needsConsent ? await accept(context, pending, { isAutomatic: true }) : pending
  if (outcome === pending) await holdMethods(context, paidBy) // they keep their kinds while it waits
  return { text: await addOrder(context, outcome), replayed: false }
}

/** The order as it would be, without an id; nothing is written (dry_run). */
export async function tryOrder(context: CommandContext, body: NewOrder): Promise<string> {
  const { cid, requestHash } = identityOf(body)
  const existing = cid === undefined ? undefined : await findRepeated(context, cid, requestHash)
  if (existing) {
    const { id: _id, ...same } = JSON.parse(shownText(asExpired(existing, context.now))) as Order
    return JSON.stringify(same)
  }
  const { order, whole } = priceOrder(body, await readForOrder(context, body), context)
  await checkPortions(context, portionsOf(whole.lines))
  const { kept: _, cid: _cid, customer_id: _customer, integrator_id: _integrator, ...shown } = order
  return JSON.stringify({ ...shown, created_at: context.now, updated_at: context.now })
}

/** The same uuid from the same integrator with the same content is the same order; any other use of it is refused. */
async function findRepeated(
  { tx, caller }: CommandContext,
  cid: string,
  requestHash: string,
): Promise<PlacedOrder | undefined> {
  const isUsed = await isUsedUuid(tx, caller.brand_id, cid)
  const existing = await findOrderByCid(tx, caller.brand_id, cid)
  if (!existing && !isUsed) return undefined
  if (existing?.integrator_id !== caller.integrator_id) throw duplicateCid('receipt')
  if (existing.content !== requestHash || existing.venue_id !== caller.venue_id) throw duplicateOrder(existing.id)
  return existing
}

/** P23: claims a body for this order, or answers the order that it made less than two minutes ago. */
async function claimBody(
  { tx, caller, now }: CommandContext,
  requestHash: string,
  id: number,
): Promise<number | undefined> {
  const { brand_id, client_id } = caller
  const old = instantOf(Date.parse(now) - REPEATED_MS)
  const claimed = await tx.rows(
    `insert into recent_orders (brand_id, client_id, content, order_id, placed_at) values (?, ?, ?, ?, ?)
     on conflict (brand_id, client_id, content) do update set order_id = excluded.order_id, placed_at = excluded.placed_at
       where recent_orders.placed_at <= ? returning order_id`,
    [brand_id, client_id, requestHash, id, now, old],
  )
  if (claimed.length > 0) return undefined
  const [first] = await tx.rows<{ order_id: number }>(
    'select order_id from recent_orders where brand_id = ? and client_id = ? and content = ?',
    [brand_id, client_id, requestHash],
  )
  return first!.order_id
}
