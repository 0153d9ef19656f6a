import Type, { type Static } from 'typebox'
import { fieldProblem, forbidden, noSuchRecord, printerOff, validationFailed } from '../../http/errors.ts'
import { printerFor } from '../../printing/queue/change.ts'
import type { StoredDocument } from '../../printing/queue/enqueue.ts'
import { enqueue } from '../../printing/queue/enqueue.ts'
import { JOB_DAYS } from '../../printing/queue/forget.ts'
import { Id, Maybe, Note } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import type { Printer } from '../../resources/places/printers.ts'
import { receipts } from '../../resources/sales/receipts.ts'
import { CANCELLED, CLOSED, OPEN } from '../../values/states.ts'
import { instantOf } from '../../values/values.ts'
import { DAY_MS } from '../../values/wall-clock.ts'
import { hasFor, mustHave } from '../context.ts'
import { shiftReport } from '../money/shift-views.ts'
import { receiptsWith } from '../receipts/store.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'
import { sharesOf } from '../tables/shares.ts'
import { saleOf, shareDocument, weighed } from './documents.ts'
import { readSaleNames, readUnits, readVenuePapers } from './facts.ts'
import { guestPaper } from './papers.ts'
import { reportDocument } from './report.ts'
import { readPrintRoutes, type Target } from './routing.ts'

// What people print by pressing a button. What was printed before is COPY n (R9).

const REPRINT = 'receipts:reprint'

const DOCUMENTS = ['bill', 'share', 'receipt', 'refund', 'report', 'test'] as const

export const Printing = Type.Object(
  {
    document: Type.Enum([...DOCUMENTS]),
    receipt_id: Maybe(Id()),
    share: Maybe(
      Type.Object(
        {
          by: Type.Enum(['even', 'seat', 'lines']),
          // As T8 has them: so many shares are computed before any is compared.
          count: Maybe(Type.Integer({ minimum: 2, maximum: 20 })),
          lines: Maybe(Type.Array(Id(), { minItems: 1, maxItems: 200 })),
          label: Note(40),
        },
        { additionalProperties: false },
      ),
    ),
    shift_id: Maybe(Type.String({ format: 'uuid' })),
    terminal_id: Maybe(Id()),
    printer_id: Maybe(Id()),
    copies: Maybe(Type.Enum([1, 2, 3])),
  },
  { additionalProperties: false },
)
export type Printing = Static<typeof Printing>

const misfit = (field: string, must: string) => validationFailed([fieldProblem(field, 'document', must)])

/** Puts a document into the queue of a printer. Answers no jobs where the till has to print by its browser. */
export async function printDocument(context: CommandContext, input: Printing): Promise<string> {
  const { tx, caller, now } = context
  const { document: kind, receipt_id, printer_id, terminal_id, copies } = input
  refuseOtherSubject(input)
  const named = printer_id === undefined ? undefined : await printerFor(context, printer_id)
  // Locked, so that its copies and its acts are counted one after the other.
  if (receipt_id !== undefined) await receipts.lock(context, receipt_id, 'id', caller.venue_id)
  const whole = receipt_id === undefined ? undefined : await receiptOf(context, receipt_id)
  const target: Target | undefined = named
    ? { printer_id: named.id, copies: 1 }
    : (
        await readPrintRoutes(context, {
          ...placeOf(context, whole),
          ...(terminal_id !== undefined && { terminal_id }),
        })
      ).desk(kind === 'report' ? 'report' : 'bill')
  const stored = await documentFor(context, input, whole, named)
  if (!target) return JSON.stringify({ jobs: [] })
  const earlier = whole && kind !== 'share' ? await printedBefore(context, whole.receipt, kind) : 0
  if (earlier > 0 && whole?.receipt.status === CLOSED && !hasFor(caller, REPRINT, whole.receipt.id))
    throw forbidden(REPRINT, { receipt_id: whole.receipt.id })
  if (receipt_id !== undefined) context.acts.notes.push({ receipt_id, to: kind })
  const jobs = await enqueue(tx, caller.brand_id, now, [
    {
      printer_id: target.printer_id,
      venue_id: caller.venue_id,
      kind,
      stored,
      receipt_id,
      copies: copies ?? target.copies,
      ...(earlier > 0 && { copy: earlier }),
    },
  ])
  return JSON.stringify({ jobs })
}

const placeOf = ({ caller }: CommandContext, whole: WholeReceipt | undefined) => ({
  venue_id: caller.venue_id,
  ...(whole && { terminal_id: whole.receipt.terminal_id, sale_type_id: whole.receipt.sale_type_id }),
})

/** A report is about a shift, a test page about a printer, everything else about a receipt. */
function refuseOtherSubject({ document, receipt_id, shift_id }: Printing): void {
  if (receipt_id !== undefined && (document === 'report' || document === 'test'))
    throw misfit('receipt_id', `does not go with a ${document}`)
  if (shift_id !== undefined && document !== 'report') throw misfit('shift_id', `does not go with a ${document}`)
}

async function receiptOf({ tx, caller }: CommandContext, id: number): Promise<WholeReceipt> {
  const [whole] = await receiptsWith(tx, caller.brand_id, 'id', [id])
  if (whole?.receipt.venue_id !== caller.venue_id)
    throw validationFailed([fieldProblem('receipt_id', 'exists', `${id} does not exist here`)])
  return whole
}

/**
 * How often it was printed. Jobs are kept for some days only (R20): of a receipt from before them, one counts that may have been
 * there, and each that a person asked for, which the journal knows.
 */
async function printedBefore(
  { tx, caller, now }: CommandContext,
  { id, created_at = now }: WholeReceipt['receipt'],
  kind: string,
): Promise<number> {
  const [row] = await tx.rows<{ jobs: number; acts: number }>(
    `select (select count(*) from print_jobs where brand_id = ? and receipt_id = ? and kind = ? and state <> 'moved') as jobs,
       (select count(*) from receipt_acts where brand_id = ? and receipt_id = ? and action = 'print' and instr(body, ?) > 0) as acts`,
    [caller.brand_id, id, kind, caller.brand_id, id, `"to":"${kind}"`],
  )
  const { jobs, acts } = row!
  const isForgotten = created_at < instantOf(Date.parse(now) - JOB_DAYS * DAY_MS)
  return isForgotten ? Math.max(jobs, acts + 1) : jobs
}

/** The document that was asked for, if it fits what it is about. */
async function documentFor(
  context: CommandContext,
  { document: kind, shift_id, share }: Printing,
  whole: WholeReceipt | undefined,
  printer: Printer | undefined,
): Promise<StoredDocument> {
  const { caller, now } = context
  const venue = await readVenuePapers(context, caller.venue_id)
  if (kind === 'test') {
    mustHave(context, 'printers:use')
    if (!printer) throw misfit('printer_id', 'is needed for a test page')
    return {
      document: { kind, printer: printer.name, at: now, has_drawer: printer.drawer === 1 },
      writing: venue.guests,
    }
  }
  if (kind === 'report') {
    mustHave(context, 'finance-cash-shifts:read')
    if (shift_id === undefined) throw misfit('shift_id', 'is needed for a report')
    const { tx } = context
    const report = JSON.parse(await shiftReport(tx, { brand_id: caller.brand_id, venues: [caller.venue_id] }, shift_id))
    return { document: await reportDocument(context, venue, report), writing: venue.guests }
  }
  if (!whole) throw misfit('receipt_id', `is needed for a ${kind}`)
  const { status, parent_id } = whole.receipt
  const fits = {
    bill: status === OPEN,
    share: status === OPEN && share !== undefined,
    receipt: status === CLOSED && parent_id === undefined,
    refund: status === CLOSED && parent_id !== undefined,
  }
  if (!fits[kind])
    throw misfit('document', status === CANCELLED ? 'is not made of a cancelled receipt' : 'does not fit the receipt')
  const names = await readSaleNames(context, whole)
  if (kind !== 'share') return guestPaper(context, whole, venue, names)
  const { by, count, lines, label } = share!
  const query = { by, ...(count !== undefined && { count: String(count) }), ...(lines && { lines: lines.join() }) }
  const own = sharesOf(whole, query).find((each) => each.label === label)
  if (!own) throw misfit('share.label', 'is no share of this receipt')
  const sale = saleOf(whole, names, await readUnits(context, weighed(whole)), whole.receipt.created_at ?? now)
  return { document: shareDocument(venue, whole, sale, own), writing: venue.guests }
}

/** R16: a pulse for the drawer of a terminal. */
export async function openDrawer(context: CommandContext, terminal_id: number): Promise<string> {
  const { tx, caller, now } = context
  const [terminal] = await tx.rows<{ name: string }>(
    'select name from terminals where brand_id = ? and venue_id = ? and id = ?',
    [caller.brand_id, caller.venue_id, terminal_id],
  )
  if (!terminal) throw noSuchRecord()
  const { drawer } = await readPrintRoutes(context, { venue_id: caller.venue_id, terminal_id })
  if (!drawer) throw printerOff(terminal.name)
  const [job] = await enqueue(tx, caller.brand_id, now, [
    { printer_id: drawer.printer_id, venue_id: caller.venue_id, kind: 'drawer' },
  ])
  return JSON.stringify({ job })
}

/** R7: a document as it would come out of a printer now. */
export async function previewDocument(
  context: Pick<CommandContext, 'tx' | 'caller' | 'now'>,
  input: Printing,
): Promise<StoredDocument> {
  refuseOtherSubject(input)
  const reading = context as CommandContext
  if (input.receipt_id !== undefined) mustHave(context, 'receipts:read')
  const whole = input.receipt_id === undefined ? undefined : await receiptOf(reading, input.receipt_id)
  const printer = input.printer_id === undefined ? undefined : await printerFor(reading, input.printer_id)
  return documentFor(reading, input, whole, printer)
}
