import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../storage/database.ts'
import { businessDay } from '../../values/business-day.ts'
import { OPEN } from '../../values/states.ts'
import { instantOf } from '../../values/values.ts'
import { DAY_MS } from '../../values/wall-clock.ts'
import { type FoundOrder, type FoundReceipt, forgetByItself, receiptsOf } from './contacts.ts'
import type { Stores } from './settle.ts'

// What a brand keeps for some time only: whom orders were for, its calls in the request log, and stored answers. Once a night, by one
// worker, in small steps beside the requests.

const NIGHT = '04:00'
const STEP = 50
const PAUSE_MS = 20
const ANSWERS_MS = DAY_MS // D4.6

interface Brand {
  readonly id: number
  readonly slug: string
  readonly contact_days: number
  readonly request_log_days: number
  readonly time_zone: string | null
}

/** Applies what brands have set, to each once a night. */
export async function keepForSomeTime(stores: Stores, nowMs: number, isStopped = () => false): Promise<void> {
  const brands = await stores.db.rows<Brand>(
    `select id, slug, contact_days, request_log_days,
       (select time_zone from venues where brand_id = brands.id order by is_main desc, id limit 1) as time_zone
     from brands order by id`,
    [],
  )
  let isApplied = false
  for (const brand of brands) {
    const day = businessDay(instantOf(nowMs), { time_zone: brand.time_zone ?? 'UTC', day_starts_at: NIGHT })
    if (!isStopped() && (await isFirst(stores.db, brand.id, day))) {
      await applyRetention(stores, brand, nowMs, isStopped)
      isApplied = true
    }
  }
  if (isApplied) await stores.db.scrub?.()
}

/** Whether this worker is the first of this night. */
async function isFirst(db: Database, brand_id: number, day: string): Promise<boolean> {
  const [run] = await db.rows<{ day: string }>(
    `select day from nightly_runs where brand_id = ? and task = 'retention' and day >= ?`,
    [brand_id, day],
  )
  if (run) return false
  const rows = await db.transaction((tx) =>
    tx.run(
      `insert into nightly_runs (brand_id, task, day) values (?, 'retention', ?)
       on conflict (brand_id, task) do update set day = excluded.day where nightly_runs.day < excluded.day`,
      [brand_id, day],
    ),
  )
  return rows === 1
}

async function applyRetention(
  { db, activity }: Stores,
  { id, slug, contact_days, request_log_days }: Omit<Brand, 'time_zone'>,
  nowMs: number,
  isStopped = () => false,
): Promise<void> {
  const before = (days: number) => instantOf(nowMs - days * DAY_MS)
  await forgetOrders(db, id, before(contact_days), instantOf(nowMs), isStopped)
  await forgetReceipts(db, id, before(contact_days), instantOf(nowMs), isStopped)
  await removeAnswers(db, id, instantOf(nowMs - ANSWERS_MS), isStopped)
  await activity.run('delete from request_log where brand = ? and at < ?', [slug, nowMs - request_log_days * DAY_MS])
}

/** An order whose receipt is open needs its address still. */
async function forgetOrders(db: Database, brand_id: number, before: string, now: string, isStopped: () => boolean) {
  let last = { created_at: '', id: 0 }
  while (!isStopped()) {
    const orders = await db.rows<FoundOrder & { created_at: string }>(
      `select id, status, customer_id, receipt_id, contact, created_at from orders
       where brand_id = ? and contact = 1 and created_at < ? and (created_at > ? or created_at = ? and id > ?)
       order by created_at, id limit ${STEP}`,
      [brand_id, before, last.created_at, last.created_at, last.id],
    )
    const receipts = await receiptsOf(db, brand_id, orders)
    const open = new Set(receipts.filter(({ status }) => status === OPEN).map((receipt) => receipt.id))
    const isOver = ({ status, receipt_id }: FoundOrder) => status !== 'PENDING' && !open.has(receipt_id ?? 0)
    const sales = {
      orders: orders.filter(isOver).map((order) => order.id),
      receipts: receipts.filter(({ id, says }) => says === 1 && !open.has(id)).map((receipt) => receipt.id),
    }
    if (sales.orders.length + sales.receipts.length > 0) await forgetByItself(db, brand_id, sales, now)
    if (orders.length < STEP) return
    last = orders.at(-1)!
    await sleep(PAUSE_MS, undefined, { ref: false })
  }
}

/** Receipts that came without an order, with an import. */
async function forgetReceipts(db: Database, brand_id: number, before: string, now: string, isStopped: () => boolean) {
  for (let step = STEP; step === STEP && !isStopped(); ) {
    const receipts = await db.rows<Pick<FoundReceipt, 'id'>>(
      `select id from receipts where brand_id = ? and contact = 1 and created_at < ? and coalesce(status, ${OPEN}) <> ${OPEN}
       order by created_at, id limit ${STEP}`,
      [brand_id, before],
    )
    step = receipts.length
    if (step > 0) await forgetByItself(db, brand_id, { orders: [], receipts: receipts.map(({ id }) => id) }, now)
    await sleep(PAUSE_MS, undefined, { ref: false })
  }
}

/** Each new key takes some old ones along (D4.6); where no new ones come, the old ones go here. */
async function removeAnswers(db: Database, brand_id: number, before: string, isStopped: () => boolean) {
  for (let step = STEP; step === STEP && !isStopped(); ) {
    step = await db.transaction((tx) =>
      tx.run(
        `delete from idempotency_keys where (brand_id, integrator_id, route, key) in (
           select brand_id, integrator_id, route, key from idempotency_keys
           where brand_id = ? and created_at <= ? order by created_at limit ${STEP}) and created_at <= ?`,
        [brand_id, before, before],
      ),
    )
    await sleep(PAUSE_MS, undefined, { ref: false })
  }
}
