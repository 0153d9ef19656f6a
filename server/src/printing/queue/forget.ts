import type { Database, Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { instantOf } from '../../values/values.ts'
import { DAY_MS } from '../../values/wall-clock.ts'
import { OPEN_JOBS } from './states.ts'

// R20: a document rests for three days, then only its kind, times and states, for thirty.

const DOCUMENT_DAYS = 3
export const JOB_DAYS = 30
const STEP = 500

/** Empties the documents about these receipts: their customer is erased. What still waits is not printed any more. */
export async function forgetPapersOf(tx: Queries, brand_id: number, receipts: readonly number[]): Promise<void> {
  for (let start = 0; start < receipts.length; start += STEP) {
    const some = receipts.slice(start, start + STEP)
    await tx.run(`update print_jobs set document = null where brand_id = ? and receipt_id in ${places(some)}`, [
      brand_id,
      ...some,
    ])
  }
}

/** Forgets what is old, of every brand, in small steps. A queue keeps no job behind one that it has lost (I21). */
export async function forgetPapers(db: Database, nowMs: number): Promise<void> {
  const before = (days: number) => instantOf(nowMs - days * DAY_MS)
  const brands = await db.rows<{ brand_id: number }>('select distinct brand_id from print_queues', [])
  for (const { brand_id } of brands) {
    await inSteps(db, (tx) =>
      tx.run(
        `update print_jobs set document = null where (brand_id, printer_id, seq) in (
           select brand_id, printer_id, seq from print_jobs
           where brand_id = ? and created_at < ? and document is not null limit ${STEP})`,
        [brand_id, before(DOCUMENT_DAYS)],
      ),
    )
    await inSteps(db, (tx) =>
      tx.run(
        `update tickets set routes = null where (brand_id, id) in (
           select brand_id, id from tickets where brand_id = ? and created_at < ? and routes is not null limit ${STEP})`,
        [brand_id, before(JOB_DAYS)],
      ),
    )
    await inSteps(db, (tx) =>
      tx.run(
        `delete from print_jobs where (brand_id, printer_id, seq) in (
           select brand_id, printer_id, seq from print_jobs as old
           where brand_id = ? and created_at < ? and not exists (select 1 from print_jobs as kept
             where kept.brand_id = old.brand_id and kept.printer_id = old.printer_id and kept.seq <= old.seq
               and (kept.created_at >= ? or kept.${OPEN_JOBS}))
             and exists (select 1 from print_jobs as later where later.brand_id = old.brand_id
               and later.printer_id = old.printer_id and later.seq > old.seq)
           order by seq limit ${STEP})`,
        [brand_id, before(JOB_DAYS), before(JOB_DAYS)],
      ),
    )
  }
}

async function inSteps(db: Database, work: (tx: Queries) => Promise<number>): Promise<void> {
  for (let step = STEP; step === STEP; ) step = await db.transaction((tx) => work(tx))
}
