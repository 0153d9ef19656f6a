import {
  type FieldProblem,
  fieldProblem,
  jobPrinted,
  noSuchRecord,
  printerOff,
  validationFailed,
} from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import type { Printer } from '../../resources/places/printers.ts'
import type { Tables } from '../../storage/tables.ts'
import type { VirtualFault } from '../../values/states.ts'
import { enqueue, type NewJob } from './enqueue.ts'

// What people do with a queue: try again, print elsewhere, give up (R8).

type JobRow = Tables['print_jobs']

/** A printer of the venue that jobs can be sent to. */
export async function printerFor({ tx, caller }: CommandContext, id: number): Promise<Printer> {
  const body = await tx.text('select body from printers where brand_id = ? and venue_id = ? and id = ?', [
    caller.brand_id,
    caller.venue_id,
    id,
  ])
  if (body === undefined) throw validationFailed([fieldProblem('printer_id', 'exists', `${id} does not exist here`)])
  const printer = JSON.parse(body) as Printer
  if (printer.status !== 1 || printer.printer_kind === 'browser') throw printerOff(printer.name)
  return printer
}

/** Locks a job of the venue with the queue that it is in. */
async function lockJob({ tx, caller }: CommandContext, id: string): Promise<JobRow> {
  const [printer_id = 0, seq = 0] = id.split('-').map(Number)
  await tx.rows(`select 1 from print_queues where brand_id = ? and id = ? ${tx.dialect.lockRows}`, [
    caller.brand_id,
    printer_id,
  ])
  const [job] = await tx.rows<JobRow>(
    'select * from print_jobs where brand_id = ? and printer_id = ? and seq = ? and venue_id = ?',
    [caller.brand_id, printer_id, seq, caller.venue_id],
  )
  if (!job) throw noSuchRecord()
  return job
}

const change = ({ tx }: CommandContext, job: JobRow, set: string, values: readonly (string | number | null)[]) =>
  tx.run(`update print_jobs set ${set} where brand_id = ? and printer_id = ? and seq = ?`, [
    ...values,
    job.brand_id,
    job.printer_id,
    job.seq,
  ])

function mustNotBeDone({ state }: JobRow): void {
  if (state === 'printed' || state === 'moved') throw jobPrinted()
}

function mustHaveDocument({ document }: JobRow): void {
  const gone: FieldProblem = {
    field: 'id',
    rule: 'exists',
    message: 'What it would print is kept for three days only.',
  }
  if (document === null) throw validationFailed([gone])
}

/** Given up by mistake, or too late: it waits again at its place in the queue. */
export async function retryJob(context: CommandContext, id: string): Promise<string> {
  const job = await lockJob(context, id)
  mustNotBeDone(job)
  mustHaveDocument(job)
  if (job.state === 'cancelled' || job.state === 'expired')
    await change(context, job, `state = 'waiting', done_at = null, created_at = ?`, [context.now])
  return JSON.stringify({ id })
}

export async function cancelJob(context: CommandContext, id: string): Promise<string> {
  const job = await lockJob(context, id)
  mustNotBeDone(job)
  const begun = job.state === 'sending' ? ', begun = begun + 1, begun_at = coalesce(begun_at, sent_at)' : ''
  if (job.state !== 'cancelled') await change(context, job, `state = 'cancelled', done_at = ?${begun}`, [context.now])
  return JSON.stringify({ id })
}

/** Prints a job elsewhere; what may be on paper already is marked there (R9). */
export async function moveJob(context: CommandContext, id: string, printer_id: number): Promise<string> {
  const { tx, caller, now } = context
  await printerFor(context, printer_id)
  const [from = 0] = id.split('-').map(Number)
  // Queues are locked by printer id (P16).
  for (const each of [from, printer_id].sort((one, other) => one - other))
    await tx.rows(`select 1 from print_queues where brand_id = ? and id = ? ${tx.dialect.lockRows}`, [
      caller.brand_id,
      each,
    ])
  const job = await lockJob(context, id)
  mustNotBeDone(job)
  mustHaveDocument(job)
  const attempts = job.begun + Number(job.state === 'sending')
  const [moved_to] = await enqueue(tx, caller.brand_id, now, [movedJob(job, printer_id, attempts)])
  await change(context, job, `state = 'moved', done_at = ?, moved_to = ?`, [now, moved_to!])
  return JSON.stringify({ id: moved_to })
}

const movedJob = (job: JobRow, printer_id: number, attempts: number): NewJob => ({
  printer_id,
  venue_id: job.venue_id,
  kind: job.kind as NewJob['kind'],
  stored: JSON.parse(job.document!),
  receipt_id: job.receipt_id ?? undefined,
  ticket_id: job.ticket_id ?? undefined,
  station_id: job.station_id ?? undefined,
  route_id: job.route_id ?? undefined,
  copies: job.copies,
  copy: job.copy ?? undefined,
  ...(attempts > 0 && { begun: { attempts, at: job.begun_at ?? job.sent_at! } }),
})

/** R17: the switches of a printer on a page. */
export async function setFaults(
  context: CommandContext,
  printer_id: number,
  faults: readonly VirtualFault[],
): Promise<string> {
  const { tx, caller } = context
  const body = await tx.text('select body from printers where brand_id = ? and venue_id = ? and id = ?', [
    caller.brand_id,
    caller.venue_id,
    printer_id,
  ])
  if (body === undefined) throw noSuchRecord()
  if ((JSON.parse(body) as Printer).printer_kind !== 'virtual')
    throw validationFailed([fieldProblem('id', 'virtual', 'must be a printer on a page')])
  await tx.run(
    `insert into print_queues (brand_id, id, last_seq, faults, due_at, term, lease_until) values (?, ?, 0, ?, 0, 0, 0)
     on conflict (brand_id, id) do update set faults = excluded.faults`,
    [caller.brand_id, printer_id, JSON.stringify([...new Set(faults)])],
  )
  return JSON.stringify({ id: printer_id, faults })
}
