import type { PrintDocument, Writing } from '../../printing/documents.ts'
import { enqueue, type NewJob } from '../../printing/queue/enqueue.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import type { Ticket } from '../../resources/sales/receipt-lines.ts'
import { CLOSED, OPEN } from '../../values/states.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'
import { billDocument, closedDocument, hasNewCash, saleOf, stationDocument, voidedLines, weighed } from './documents.ts'
import {
  type Reading,
  readNames,
  readSaleNames,
  readUnits,
  readVenuePapers,
  type SaleNames,
  type VenuePapers,
} from './facts.ts'
import { type PrintRoutes, readPrintRoutes } from './routing.ts'

// R8: what a change of a receipt prints, decided from what it was and what it is, so that no command can forget it.

/** Papers of one change, and the routes that each new ticket goes to (I22). */
export interface Papers {
  readonly jobs: readonly NewJob[]
  readonly routes: ReadonlyMap<number, readonly number[]>
}

const NO_PAPERS: Papers = { jobs: [], routes: new Map() }

export async function papersOf(
  context: CommandContext,
  before: WholeReceipt | undefined,
  after: WholeReceipt,
  tickets: readonly Ticket[] = [],
): Promise<Papers> {
  const isStaff = context.caller.client_id === ''
  const voids = voidedLines(before, after)
  const isBill = isStaff && isLocked(before, after)
  // A refund is closed when it is first written, and gets its number later: that is when it is printed.
  const { status, number } = after.receipt
  const isClosed = status === CLOSED && before?.receipt.status !== CLOSED && number !== undefined
  const isCash = isStaff && hasNewCash(before, after)
  if (tickets.length + voids.size === 0 && !isBill && !isClosed && !isCash) return NO_PAPERS
  const routes = await readPrintRoutes(context, after.receipt)
  if (routes.isEmpty) return NO_PAPERS
  const { id: receipt_id, venue_id } = after.receipt
  const drawer = isCash ? routes.drawer : undefined
  const desk = isBill || isClosed ? routes.desk('bill') : undefined
  const pulse: NewJob[] = drawer ? [{ printer_id: drawer.printer_id, venue_id, kind: 'drawer', receipt_id }] : []
  const isCooked = tickets.some(({ station_id }) => routes.station(station_id).length > 0)
  const isStopped = [...voids.keys()].some((station_id) => routes.station(station_id).length > 0)
  if (!desk && !isCooked && !isStopped) return { jobs: pulse, routes: new Map() }

  const venue = await readVenuePapers(context, venue_id)
  const names = await readSaleNames(context, after)
  const kitchen =
    isCooked || isStopped ? await stationPapers(context, after, { tickets, voids, routes, venue, names }) : NO_PAPERS
  const isPrinted = isBill || (isClosed && venue.print_receipt === 'always')
  const paper = desk && isPrinted ? await guestPaper(context, after, venue, names) : undefined
  const slip: NewJob[] =
    desk && paper
      ? [
          {
            printer_id: desk.printer_id,
            venue_id,
            kind: paper.document.kind,
            stored: paper,
            receipt_id,
            copies: desk.copies,
          },
        ]
      : []
  return { jobs: [...pulse, ...kitchen.jobs, ...slip], routes: kitchen.routes }
}

/** Puts papers into their queues: the last lock of a command (P16). */
export async function print({ tx, caller, now }: CommandContext, { jobs }: Papers): Promise<void> {
  if (jobs.length > 0) await enqueue(tx, caller.brand_id, now, jobs)
}

const isLocked = (before: WholeReceipt | undefined, { receipt }: WholeReceipt) =>
  receipt.status === OPEN && receipt.lock === true && before?.receipt.lock !== true

interface OfStations {
  readonly tickets: readonly Ticket[]
  readonly voids: ReturnType<typeof voidedLines>
  readonly routes: PrintRoutes
  readonly venue: VenuePapers
  readonly names: SaleNames
}

async function stationPapers(
  context: CommandContext,
  whole: WholeReceipt,
  { tickets, voids, routes, venue, names }: OfStations,
): Promise<Papers> {
  const stations = [...new Set([...tickets.map(({ station_id }) => station_id), ...voids.keys()])]
  const called = await readNames(context, 'stations', stations)
  const cooked = whole.lines.flatMap(({ shown }) => shown.course ?? [])
  const courses = await readNames(context, 'courses', [...new Set(cooked)])
  const reason = voids.size > 0 ? await reasonText(context) : undefined
  const { id: receipt_id, venue_id } = whole.receipt
  const went = new Map<number, number[]>()
  const jobs: NewJob[] = []
  const add = (document: PrintDocument, station_id: number, ticket_id?: number) => {
    const stored = { document, writing: venue.kitchen }
    for (const { route_id, printer_id, copies } of routes.station(station_id)) {
      jobs.push({
        printer_id,
        venue_id,
        kind: document.kind,
        stored,
        receipt_id,
        ticket_id,
        station_id,
        route_id,
        copies,
      })
      if (ticket_id !== undefined) went.set(ticket_id, [...(went.get(ticket_id) ?? []), route_id!])
    }
  }
  const paper = (kind: 'ticket' | 'void', lines: WholeReceipt['lines'], station_id: number) =>
    stationDocument(
      kind,
      whole,
      lines,
      {
        station: called.get(station_id) ?? '',
        course: kind === 'ticket' ? courses.get(lines[0]?.shown.course ?? 0) : undefined, // T7
        reason: kind === 'void' ? reason : undefined,
      },
      names,
      context.now,
    )
  for (const { id, station_id } of tickets) {
    const lines = whole.lines.filter(({ copied }) => copied.ticket_id === id)
    add(paper('ticket', lines, station_id), station_id, id)
  }
  for (const [station_id, lines] of voids) add(paper('void', lines, station_id), station_id)
  return { jobs, routes: went }
}

/** T20: why something was taken off, in the words of the reason and of the person. */
async function reasonText(context: CommandContext): Promise<string | undefined> {
  const { reason_id, reason_note } = context.why ?? {}
  const names = reason_id === undefined ? [] : (await readNames(context, 'reasons', [reason_id])).values()
  return [...names, reason_note].filter(Boolean).join(': ') || undefined
}

/** The bill of an open receipt, or the receipt or refund of a closed one. */
export async function guestPaper(
  context: Reading & { readonly now: string },
  whole: WholeReceipt,
  venue: VenuePapers,
  names: SaleNames,
): Promise<{ document: PrintDocument; writing: Writing }> {
  const { receipt } = whole
  const units = await readUnits(context, weighed(whole))
  const sale = saleOf(whole, names, units, receipt.created_at ?? context.now)
  const document =
    receipt.status === CLOSED
      ? closedDocument(venue, whole, sale, await originalOf(context, receipt.parent_id))
      : billDocument(venue, sale)
  return { document, writing: venue.guests }
}

/** The number of the receipt that a refund gives back. */
async function originalOf({ tx, caller }: Reading, parent_id: number | undefined): Promise<number | undefined> {
  if (parent_id === undefined) return undefined
  const [row] = await tx.rows<{ details: string }>('select details from receipts where brand_id = ? and id = ?', [
    caller.brand_id,
    parent_id,
  ])
  return (JSON.parse(row?.details ?? '{}') as { number?: number }).number ?? parent_id
}
