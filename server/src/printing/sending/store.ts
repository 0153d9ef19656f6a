import type { Lease, Leased } from '../../delivery/lease.ts'
import type { Printer } from '../../resources/places/printers.ts'
import type { Database, Queries } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import type { PrinterState, VirtualFault } from '../../values/states.ts'
import { OPEN_JOBS } from '../queue/states.ts'

// What a sender reads and writes. Each write is held to the term of its lease (R14).

export type JobRow = Tables['print_jobs']

/** Another sender has the printer. */
export class LeaseLost extends Error {}

const PRINTS = `printers.status = 1 and printers.printer_kind in ('network', 'virtual')`

/** Printers with jobs to send: of one brand, or of all. */
export const findWaiting = (db: Queries, brand_id: number | undefined) =>
  db.rows<{ brand_id: number; id: number }>(
    `select distinct print_jobs.brand_id, printer_id as id from print_jobs join printers
       on printers.brand_id = print_jobs.brand_id and printers.id = printer_id
     where ${OPEN_JOBS} and ${PRINTS}${brand_id === undefined ? '' : ' and print_jobs.brand_id = ?'}`,
    brand_id === undefined ? [] : [brand_id],
  )

/** Jobs of all brands that are not on paper yet, by state; a state without any is 0. */
export async function countOpen(db: Queries): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows<{ state: string; jobs: number }>(
    `select state, count(*) as jobs from print_jobs where ${OPEN_JOBS} group by state`,
    [],
  )
  const none = ['waiting', 'sending', 'unsure'].map((state) => [state, 0] as const)
  return new Map([...none, ...rows.map(({ state, jobs }) => [state, jobs] as const)])
}

/** Printers of the network whose state was not asked for in the last minute. */
export const findDue = (db: Queries, free: string, nowMs: number) =>
  db.rows<{ brand_id: number; id: number }>(
    `select print_queues.brand_id, print_queues.id from print_queues join printers
       on printers.brand_id = print_queues.brand_id and printers.id = print_queues.id
     where due_at <= ? and ${free} and printers.status = 1 and printer_kind = 'network' limit 200`,
    [nowMs],
  )

/** Gives a queue to printers that have none, so that their state is known before they print. */
export async function addQueues(db: Database): Promise<void> {
  const missing = `printers where status = 1 and printer_kind = 'network' and not exists (
    select 1 from print_queues where print_queues.brand_id = printers.brand_id and print_queues.id = printers.id)`
  if ((await db.rows(`select id from ${missing} limit 1`, [])).length === 0) return
  await db.transaction((tx) =>
    tx.run(
      `insert into print_queues (brand_id, id, last_seq, faults, due_at, term, lease_until)
       select brand_id, id, 0, '[]', 0, 0, 0 from ${missing} on conflict (brand_id, id) do nothing`,
      [],
    ),
  )
}

const OWN = 'brand_id = ? and id = ? and term = ?'
const HELD = `exists (select 1 from print_queues where ${OWN})`

/** What a sender has to know of a printer before it does anything. */
export interface PrinterRow {
  readonly printer: Printer
  readonly slug: string
  readonly state: PrinterState | null
  readonly faults: readonly VirtualFault[]
  readonly ticket_max_minutes: number
}

export async function readPrinter(db: Queries, { brand_id, id, term }: Lease): Promise<PrinterRow> {
  const [row] = await db.rows<{ body: string; slug: string; state: string | null; faults: string; settings: string }>(
    `select printers.body, brands.slug, print_queues.state, faults, venues.settings from print_queues
     join printers on printers.brand_id = print_queues.brand_id and printers.id = print_queues.id
     join brands on brands.id = print_queues.brand_id
     join venues on venues.brand_id = printers.brand_id and venues.id = printers.venue_id
     where print_queues.brand_id = ? and print_queues.id = ? and term = ?`,
    [brand_id, id, term],
  )
  if (!row) throw new LeaseLost()
  const { ticket_max_minutes = 60 } = JSON.parse(row.settings) as { ticket_max_minutes?: number }
  return {
    printer: JSON.parse(row.body),
    slug: row.slug,
    state: row.state as PrinterState | null,
    faults: JSON.parse(row.faults),
    ticket_max_minutes,
  }
}

/** The next job: a pulse goes ahead of the queue (R16). */
export async function nextJob(db: Queries, { brand_id, id }: Leased): Promise<JobRow | undefined> {
  const [job] = await db.rows<JobRow>(
    `select * from print_jobs where brand_id = ? and printer_id = ? and ${OPEN_JOBS}
     order by case when kind = 'drawer' then 0 else 1 end, seq limit 1`,
    [brand_id, id],
  )
  return job
}

export const countWaiting = async (db: Queries, { brand_id, id }: Leased): Promise<number> =>
  (
    await db.rows<{ jobs: number }>(
      `select count(*) as jobs from print_jobs where brand_id = ? and printer_id = ? and ${OPEN_JOBS} and kind <> 'drawer'`,
      [brand_id, id],
    )
  )[0]!.jobs

/** What the sender before left in its hands may be on paper: it counts as begun (R14). A pulse is never sent again. */
export async function settleLeft(db: Database, { brand_id, id, term }: Lease, now: string): Promise<void> {
  const left = `brand_id = ? and printer_id = ? and state = 'sending' and ${HELD}`
  const values = [brand_id, id, brand_id, id, term]
  await db.transaction(async (tx) => {
    await tx.run(`update print_jobs set state = 'expired', done_at = ? where kind = 'drawer' and ${left}`, [
      now,
      ...values,
    ])
    await tx.run(
      `update print_jobs set state = 'unsure', begun = begun + 1, begun_at = coalesce(begun_at, sent_at) where ${left}`,
      values,
    )
  })
}

/** Stores that an attempt begins, before its first byte goes. False where a person was quicker. */
export const beginAttempt = (db: Database, lease: Lease, { seq }: JobRow, now: string): Promise<boolean> =>
  written(
    db,
    lease,
    `update print_jobs set state = 'sending', attempt = attempt + 1, sent_at = ?,
       duplicate = case when begun > 0 then 1 else 0 end
     where brand_id = ? and printer_id = ? and seq = ? and state in ('waiting', 'unsure')`,
    [now, lease.brand_id, lease.id, seq],
  )

/** What came of an attempt: no byte went, or bytes went and nobody knows, or it is printed. */
export function endAttempt(
  db: Database,
  lease: Lease,
  { seq }: JobRow,
  outcome: 'waiting' | 'unsure' | 'printed',
  now: string,
): Promise<boolean> {
  const begun = outcome === 'waiting' ? '' : ', begun = begun + 1, begun_at = coalesce(begun_at, sent_at)'
  const done = outcome === 'printed' ? ', done_at = ?' : ''
  return written(
    db,
    lease,
    `update print_jobs set state = ?${begun}${done} where brand_id = ? and printer_id = ? and seq = ? and state = 'sending'`,
    [outcome, ...(outcome === 'printed' ? [now] : []), lease.brand_id, lease.id, seq],
  )
}

/** A late acknowledgement: the attempt was counted as begun when it was given up. */
export const printedLate = (db: Database, lease: Lease, { seq }: JobRow, now: string): Promise<boolean> =>
  written(
    db,
    lease,
    `update print_jobs set state = 'printed', done_at = ?
     where brand_id = ? and printer_id = ? and seq = ? and state = 'unsure'`,
    [now, lease.brand_id, lease.id, seq],
  )

export const expireJob = (db: Database, lease: Lease, { seq }: JobRow, now: string): Promise<boolean> =>
  written(
    db,
    lease,
    `update print_jobs set state = 'expired', done_at = ?
     where brand_id = ? and printer_id = ? and seq = ? and state in ('waiting', 'unsure')`,
    [now, lease.brand_id, lease.id, seq],
  )

/** Runs an update under the term; returns whether it hit its row. */
async function written(db: Database, lease: Lease, text: string, values: readonly (string | number)[]) {
  const { brand_id, id, term } = lease
  const hit = await db.transaction(async (tx) => {
    const [held] = await tx.rows(`select 1 from print_queues where ${OWN} ${tx.dialect.lockRows}`, [brand_id, id, term])
    return held ? tx.run(text, values) : undefined
  })
  if (hit === undefined) throw new LeaseLost()
  return hit > 0
}

/** Writes a state that has lasted, and tells of it. */
export const writeState = (
  db: Database,
  { brand_id, id, term }: Lease,
  {
    venue_id,
    state,
    waiting,
    since,
    isTold,
  }: { venue_id: number; state: PrinterState; waiting: number; since: string; isTold: boolean },
): Promise<void> =>
  db.transaction(async (tx) => {
    const hit = await tx.run(`update print_queues set state = ?, state_since = ? where ${OWN}`, [
      state,
      since,
      brand_id,
      id,
      term,
    ])
    if (hit === 0) throw new LeaseLost()
    if (isTold)
      tx.publish({
        brand_id,
        type: 'printer.state_changed',
        subject: id,
        venue_id,
        data: { id: Number(id), state, waiting },
      })
  })

export const setDue = (db: Database, { brand_id, id, term }: Lease, due_at: number) =>
  db.transaction((tx) => tx.run(`update print_queues set due_at = ? where ${OWN}`, [due_at, brand_id, id, term]))
