import { NO_IDS, runCommand } from '../../resource/write/commands.ts'
import type { Database } from '../../storage/database.ts'
import { OPEN } from '../../values/states.ts'
import { instantOf } from '../../values/values.ts'
import { systemCaller } from '../context.ts'
import { sendReceipt } from '../receipts/kitchen.ts'
import { dueOrders, expireOrder } from './ignore.ts'
import { REPEATED_MS } from './place.ts'
import { lockOrder, saveOrder } from './store.ts'

// S1: what happens to orders by itself: those that nobody accepted expire, and scheduled ones go to the stations in time.

const EVERY_MS = 10_000
const STEP = 100

interface TimedOptions {
  readonly db: Database
  readonly now: () => number
  readonly failed: (error: unknown) => void
}

/** Looks every few seconds until it is stopped. Several processes may do it at once: the order's row decides who is first. */
export function keepOrdersInTime({ db, now, failed }: TimedOptions): () => void {
  let running = false
  const timer = setInterval(async () => {
    if (running) return
    running = true
    await doDueOrders(db, instantOf(now())).catch(failed)
    running = false
  }, EVERY_MS).unref()
  return () => clearInterval(timer)
}

/** Does everything whose time has come. One order that fails keeps no other from its turn. */
export async function doDueOrders(db: Database, now: string): Promise<void> {
  const failures: unknown[] = []
  const each = async <Row>(rows: readonly Row[], work: (row: Row) => Promise<void>) => {
    for (const row of rows) await work(row).catch((error) => failures.push(error))
  }
  await each(await dueOrders(db, now), (order) => expireOrder(db, order, now))
  const toSend = await db.rows<{ brand_id: number; venue_id: number; id: number }>(
    `select brand_id, venue_id, id from orders where send_at is not null and send_at <= ? order by send_at limit ${STEP}`,
    [now],
  )
  await each(toSend, (order) => sendOrder(db, order, now))
  await forgetBodies(db, now).catch((error) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** P23: a body is known for two minutes. It is kept for longer, so that none goes while somebody looks at it. */
async function forgetBodies(db: Database, now: string): Promise<void> {
  const old = instantOf(Date.parse(now) - 2 * REPEATED_MS)
  const found = await db.rows('select 1 as one from recent_orders where placed_at <= ? limit 1', [old])
  if (found.length === 0) return
  await db.transaction((tx) => tx.run('delete from recent_orders where placed_at <= ?', [old]))
}

async function sendOrder(
  db: Database,
  { brand_id, venue_id, id }: { brand_id: number; venue_id: number; id: number },
  now: string,
): Promise<void> {
  const caller = systemCaller(brand_id, venue_id)
  const found = await db.rows<{ receipt_id: number }>(
    `select receipt_id from orders join receipts on receipts.brand_id = orders.brand_id and receipts.id = orders.receipt_id
     where orders.brand_id = ? and orders.id = ? and receipts.status = ${OPEN}`,
    [brand_id, id],
  )
  await db.transaction(async (tx) => {
    const given = { tx, caller, now, ids: NO_IDS }
    await runCommand(given, async (context) => {
      // Receipt before order (P16). One that was closed or cancelled meanwhile has nothing to send.
      if (found[0]) await sendReceipt(context, found[0].receipt_id)
      const { send_at, ...order } = await lockOrder(context, id)
      if (send_at !== undefined) await saveOrder(context, order)
    })
  }, 'system')
}
