import type { Transaction } from '../../storage/database.ts'
import { insert } from '../../storage/upsert.ts'
import type { DocumentKind, PrintDocument, Writing } from '../documents.ts'

// R8: a job is written in the transaction of the command that makes it, so that what was done is printed and nothing else is.

/** What is stored of a document: everything that its paper needs. */
export interface StoredDocument {
  readonly document: PrintDocument
  readonly writing: Writing
}

export interface NewJob {
  readonly printer_id: number
  readonly venue_id: number
  readonly kind: DocumentKind | 'drawer'
  /** A pulse of the drawer has none. */
  readonly stored?: StoredDocument
  readonly receipt_id?: number | undefined
  readonly ticket_id?: number | undefined
  readonly station_id?: number | undefined
  readonly route_id?: number | undefined
  readonly copies?: number
  /** COPY n. */
  readonly copy?: number | undefined
  /** What moved here after an attempt elsewhere is a duplicate (R9). */
  readonly begun?: { readonly attempts: number; readonly at: string }
}

/** A job is named by its printer and its place in the queue. */
export const jobId = ({ printer_id, seq }: { printer_id: number; seq: number }) => `${printer_id}-${seq}`

/** Writes jobs into the queues of their printers and returns their ids. Queues are locked by printer id, after everything else (P16). */
export async function enqueue(
  tx: Transaction,
  brand_id: number,
  now: string,
  jobs: readonly NewJob[],
): Promise<string[]> {
  const ids: string[] = []
  const byPrinter = Map.groupBy(jobs, ({ printer_id }) => printer_id)
  for (const printer_id of [...byPrinter.keys()].sort((one, other) => one - other)) {
    const own = byPrinter.get(printer_id)!
    const [queue] = await tx.rows<{ last_seq: number }>(
      `insert into print_queues (brand_id, id, last_seq, faults, due_at, term, lease_until) values (?, ?, ?, '[]', 0, 0, 0)
       on conflict (brand_id, id) do update set last_seq = print_queues.last_seq + excluded.last_seq returning last_seq`,
      [brand_id, printer_id, own.length],
    )
    const first = queue!.last_seq - own.length + 1
    const rows = own.map((job, index) => rowOf(brand_id, now, job, first + index))
    await insert(tx, 'print_jobs', rows)
    ids.push(...rows.map(jobId))
  }
  return ids
}

const rowOf = (brand_id: number, now: string, job: NewJob, seq: number) => ({
  brand_id,
  printer_id: job.printer_id,
  seq,
  venue_id: job.venue_id,
  kind: job.kind,
  state: 'waiting',
  receipt_id: job.receipt_id ?? null,
  ticket_id: job.ticket_id ?? null,
  station_id: job.station_id ?? null,
  route_id: job.route_id ?? null,
  copies: job.copies ?? 1,
  copy: job.copy ?? null,
  document: job.stored ? JSON.stringify(job.stored) : null,
  attempt: 0,
  begun: job.begun?.attempts ?? 0,
  begun_at: job.begun?.at ?? null,
  duplicate: 0,
  created_at: now,
})
