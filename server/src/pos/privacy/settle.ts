import { forgetPapersOf } from '../../printing/queue/forget.ts'
import type { ActivityStore } from '../../storage/activity-store.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { instantOf } from '../../values/values.ts'
import { forgetInAnswers } from './answers.ts'
import { forgetByItself, forgettable, salesOf, underWay } from './contacts.ts'

// What follows an erasure within a minute, by staff or a program, also after a crash: a second look at what was sold (a request may
// have been under way), stored answers, what receivers of webhooks answered, and the file itself.

/** A worker that stopped in the middle of it leaves it to another one after this time. */
const TAKEN_MS = 30_000
const STEP = 20

interface Erasure {
  readonly brand_id: number
  readonly customer_id: string
  readonly orders: string
  readonly due_at: string
}

export interface Stores {
  readonly db: Database
  readonly activity: ActivityStore
}

/** Does what is due. Several processes may do it at once: the row decides who is first. */
export async function settleDue({ db, activity }: Stores, nowMs: number): Promise<void> {
  const now = instantOf(nowMs)
  const due = await db.rows<Erasure>(
    `select brand_id, customer_id, orders, due_at from erasures where due_at <= ? order by due_at limit ${STEP}`,
    [now],
  )
  const taken: Erasure[] = []
  for (const erasure of due) {
    const changed = await db.transaction((tx) =>
      tx.run('update erasures set due_at = ? where brand_id = ? and customer_id = ? and due_at = ?', [
        instantOf(nowMs + TAKEN_MS),
        erasure.brand_id,
        erasure.customer_id,
        erasure.due_at,
      ]),
    )
    if (changed === 1) taken.push(erasure)
  }
  if (taken.length === 0) return
  const settled: Erasure[] = []
  for (const erasure of taken) {
    const isOver = await forgetSalesAgain(db, erasure, now)
    await forgetBesides({ db, activity }, erasure, now)
    if (isOver) settled.push(erasure)
  }
  if (!(await scrubFiles({ db, activity }))) return // it is due again
  await db.transaction(async (tx) => {
    for (const { brand_id, customer_id } of settled)
      await tx.run('delete from erasures where brand_id = ? and customer_id = ?', [brand_id, customer_id])
  })
}

/** Does the same for one erasure that was just made, without its second look: a worker of the service takes that. */
export async function settleNow(stores: Stores, brand_id: number, customer_id: string, now: string): Promise<boolean> {
  const [erasure] = await stores.db.rows<Erasure>(
    'select brand_id, customer_id, orders, due_at from erasures where brand_id = ? and customer_id = ?',
    [brand_id, customer_id],
  )
  if (erasure) await forgetBesides(stores, erasure, now)
  return scrubFiles(stores)
}

const found = (db: Pick<Queries, 'rows'>, { brand_id, customer_id, orders }: Erasure) =>
  salesOf(db, brand_id, { customer_id, guests: JSON.parse(orders) as number[] })

/** What was committed while the customer was erased. False where it is under way: it keeps its address until it is over. */
async function forgetSalesAgain(db: Database, erasure: Erasure, now: string): Promise<boolean> {
  const sales = await found(db, erasure)
  const late = forgettable(sales)
  if (late.orders.length + late.receipts.length > 0) await forgetByItself(db, erasure.brand_id, late, now)
  const { orders, receipts } = underWay(sales)
  return orders.length + receipts.length === 0
}

/** Papers, stored answers, and the first of what receivers answered to webhooks that failed: they may quote what was sent. */
async function forgetBesides({ db, activity }: Stores, erasure: Erasure, now: string): Promise<void> {
  const { brand_id, customer_id } = erasure
  const sales = await found(db, erasure)
  const { orders, receipts } = sales
  const { receipts: open } = underWay(sales) // their papers go when they are over
  const over = receipts.flatMap(({ id }) => (open.includes(id) ? [] : [id]))
  await db.transaction((tx) => forgetPapersOf(tx, brand_id, over))
  await forgetInAnswers(db, brand_id, {
    customer_id,
    orders: new Set(orders.map(({ id }) => id)),
    receipts: new Set(receipts.map(({ id }) => id)),
    now,
  })
  await activity.run('update webhook_log set answer = null where brand_id = ? and answer is not null', [brand_id])
}

/** SQLite: nothing is left in the files but what their rows say. */
async function scrubFiles({ db, activity }: Stores): Promise<boolean> {
  if (!db.scrub) return true
  const [log] = await activity.rows('pragma main.wal_checkpoint(truncate)', [])
  return (await db.scrub()) && (log as { busy: number }).busy === 0
}
