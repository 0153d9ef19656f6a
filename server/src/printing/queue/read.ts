import type { Printer } from '../../resources/places/printers.ts'
import type { Queries } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import { places } from '../../storage/upsert.ts'
import type { JobState, PrinterState } from '../../values/states.ts'
import { instantOf } from '../../values/values.ts'
import { jobId, type StoredDocument } from './enqueue.ts'
import type { PrintAlarm, PrintAlarms, PrinterQueue, PrintJob } from './schema.ts'
import { DRAWER_MS, OPEN_JOBS } from './states.ts'

// Queues as people see them.

type JobRow = Tables['print_jobs']

interface Place {
  readonly brand_id: number
  readonly venue_id: number
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** How long a page that asks every few seconds is told of a drawer that did not open. */
const TOLD_MS = 15_000

export async function readQueues(db: Queries, { brand_id, venue_id }: Place, nowMs: number): Promise<PrinterQueue[]> {
  const rows = await db.rows<{
    body: string
    state: PrinterState | null
    state_since: string | null
    faults: string | null
    waiting: number
    oldest_at: string | null
    printed: number
  }>(
    `select printers.body, print_queues.state, state_since, faults,
       (select count(*) from print_jobs where print_jobs.brand_id = printers.brand_id and printer_id = printers.id
          and ${OPEN_JOBS} and kind <> 'drawer') as waiting,
       (select min(created_at) from print_jobs where print_jobs.brand_id = printers.brand_id and printer_id = printers.id
          and ${OPEN_JOBS} and kind <> 'drawer') as oldest_at,
       (select count(*) from print_jobs where print_jobs.brand_id = printers.brand_id and printer_id = printers.id
          and created_at >= ? and print_jobs.state = 'printed' and kind <> 'drawer') as printed
     from printers left join print_queues on print_queues.brand_id = printers.brand_id and print_queues.id = printers.id
     where printers.brand_id = ? and venue_id = ? order by printers.id`,
    [instantOf(nowMs - DAY_MS), brand_id, venue_id],
  )
  return rows.map(({ body, state, state_since, faults, waiting, oldest_at, printed }) => {
    const { id, name, printer_kind, drawer, status } = JSON.parse(body) as Printer
    return {
      id,
      name,
      printer_kind,
      drawer,
      status,
      ...(state !== null && { state }),
      ...(state_since !== null && { state_since }),
      faults: JSON.parse(faults ?? '[]'),
      waiting,
      ...(oldest_at !== null && { oldest_at }),
      printed,
    }
  })
}

/** Printers of some venues where a paper has waited for longer than the venue's `alarm_s`, by name, and how many papers wait there. */
export async function lateQueues(
  db: Queries,
  { brand_id, venues }: { readonly brand_id: number; readonly venues: readonly number[] },
  nowMs: number,
): Promise<{ name: string; waiting: number }[]> {
  if (venues.length === 0) return []
  const rows = await db.rows<{ name: string; waiting: number; oldest_at: string; settings: string }>(
    `select printers.name, waiting, oldest_at, venues.settings from
       (select printer_id, count(*) as waiting, min(created_at) as oldest_at from print_jobs
        where brand_id = ? and ${OPEN_JOBS} and kind <> 'drawer' group by printer_id) as jobs
     join printers on printers.brand_id = ? and printers.id = jobs.printer_id
     join venues on venues.brand_id = printers.brand_id and venues.id = printers.venue_id
     where printers.venue_id in ${places(venues)} order by oldest_at, printers.id`,
    [brand_id, brand_id, ...venues],
  )
  return rows.flatMap(({ name, waiting, oldest_at, settings }) =>
    nowMs - Date.parse(oldest_at) > alarmMs(settings) ? [{ name, waiting }] : [],
  )
}

/** How long a paper may wait in a venue, from its settings. */
const alarmMs = (settings: string | undefined) =>
  ((JSON.parse(settings ?? '{}') as { alarm_s?: number }).alarm_s ?? 30) * 1_000

const MAX_JOBS = 100
/** R17: papers that a page shows. */
const MAX_PAPERS = 50

/** Jobs of a printer: first what is not on paper, in its order, then what was done last. */
export async function readJobs(db: Queries, brand_id: number, printer_id: number): Promise<PrintJob[]> {
  const open = await db.rows<JobRow>(
    `select * from print_jobs where brand_id = ? and printer_id = ? and ${OPEN_JOBS} order by seq limit ${MAX_JOBS}`,
    [brand_id, printer_id],
  )
  const done = await db.rows<JobRow>(
    `select * from print_jobs where brand_id = ? and printer_id = ? and not ${OPEN_JOBS} order by seq desc limit ${MAX_JOBS}`,
    [brand_id, printer_id],
  )
  return [...open, ...done].map(shownJob)
}

/** What came out last, the newest first. */
export async function readPapers(db: Queries, brand_id: number, printer_id: number): Promise<PrintJob[]> {
  const rows = await db.rows<JobRow>(
    `select * from print_jobs where brand_id = ? and printer_id = ? and state = 'printed' and document is not null
     order by seq desc limit ${MAX_PAPERS}`,
    [brand_id, printer_id],
  )
  return rows.map(shownJob)
}

function shownJob(job: JobRow): PrintJob {
  const title = titleOf(job)
  return {
    id: jobId(job),
    kind: job.kind,
    state: job.state as JobState,
    ...(job.receipt_id !== null && { receipt_id: job.receipt_id }),
    ...(title !== undefined && { title }),
    attempts: job.attempt,
    duplicate: job.duplicate === 1,
    ...(job.copy !== null && { copy: job.copy }),
    has_paper: job.document !== null,
    created_at: job.created_at,
    ...(job.done_at !== null && { done_at: job.done_at }),
  }
}

function titleOf({ document: text }: JobRow): string | undefined {
  if (text === null) return undefined
  const { document } = JSON.parse(text) as StoredDocument
  if ('place' in document) return document.place
  if ('sale' in document) return document.sale.table ?? String(document.sale.number)
  return undefined
}

interface AlarmRow {
  readonly printer_id: number
  readonly seq: number
  readonly station_id: number | null
  readonly created_at: string
  readonly name: string
  readonly status: number
  readonly state: PrinterState | null
}

/** R12: tickets that were not printed in time, or not at all within the last hour; and drawers that stayed closed (R16). */
export async function readAlarms(db: Queries, { brand_id, venue_id }: Place, nowMs: number): Promise<PrintAlarms> {
  const settings = await db.text('select settings from venues where brand_id = ? and id = ?', [brand_id, venue_id])
  const columns =
    'print_jobs.printer_id, seq, station_id, print_jobs.created_at, printers.name, printers.status, print_queues.state'
  const from = `from print_jobs
    join printers on printers.brand_id = print_jobs.brand_id and printers.id = print_jobs.printer_id
    left join print_queues on print_queues.brand_id = print_jobs.brand_id and print_queues.id = print_jobs.printer_id`
  const [open, expired, drawers] = await Promise.all([
    db.rows<AlarmRow>(
      `select ${columns} ${from} where print_jobs.brand_id = ? and print_jobs.venue_id = ? and print_jobs.created_at <= ?
         and print_jobs.${OPEN_JOBS} and kind in ('ticket', 'void') order by print_jobs.printer_id, seq`,
      [brand_id, venue_id, instantOf(nowMs - alarmMs(settings))],
    ),
    db.rows<AlarmRow>(
      `select ${columns} ${from} where print_jobs.brand_id = ? and print_jobs.venue_id = ? and print_jobs.created_at >= ?
         and done_at >= ? and print_jobs.state = 'expired' and kind in ('ticket', 'void') order by print_jobs.printer_id, seq`,
      [brand_id, venue_id, instantOf(nowMs - DAY_MS - HOUR_MS), instantOf(nowMs - HOUR_MS)],
    ),
    db.rows<AlarmRow>(
      `select ${columns} ${from} where print_jobs.brand_id = ? and print_jobs.venue_id = ? and kind = 'drawer'
         and print_jobs.created_at between ? and ? and print_jobs.state <> 'printed' order by seq`,
      [brand_id, venue_id, instantOf(nowMs - DRAWER_MS - TOLD_MS), instantOf(nowMs - DRAWER_MS)],
    ),
  ])
  const byPrinter = Map.groupBy([...open, ...expired], ({ printer_id }) => printer_id)
  return {
    alarms: [...byPrinter.values()].map(alarmOf),
    drawers: drawers.map((row) => ({ id: jobId(row), printer: row.name, printer_id: row.printer_id })),
  }
}

function alarmOf(rows: readonly AlarmRow[]): PrintAlarm {
  const { printer_id, name, status, state } = rows[0]!
  return {
    printer_id,
    printer: name,
    ...(status !== 1 ? { state: 'off' as const } : state !== null && { state }),
    station_ids: [...new Set(rows.flatMap(({ station_id }) => station_id ?? []))],
    tickets: rows.length,
    since: rows.map(({ created_at }) => created_at).sort()[0]!,
    jobs: rows.map(jobId),
  }
}
