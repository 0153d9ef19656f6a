import { noSuchRecord, receiptCancelled, stateBehind } from '../../http/errors.ts'
import type { IfMatch } from '../../http/if-match.ts'
import { type CommandContext, DoneMeanwhile } from '../../resource/write/commands.ts'
import { CANCELLED, type LineState } from '../../values/states.ts'
import { activeStations } from '../menu.ts'
import { isVoid, type Line } from './line.ts'
import { completedWhenReady, withRaisedStatus } from './order-status.ts'
import { lockReceipt, saveReceipt } from './store.ts'
import { mustBeOpen, mustNotBeHistory, type WholeReceipt } from './whole-receipt.ts'

// S4: lines are sent to the stations, a ticket for each, and go through the kitchen.

/** Sends the lines that were not sent yet; a second time there is nothing to send. Locking the bill does not stop the kitchen. */
export async function sendReceipt(context: CommandContext, id: number, ifMatch?: IfMatch): Promise<WholeReceipt> {
  const before = await lockReceipt(context, id, ifMatch)
  mustBeOpen(before)
  mustNotBeHistory(before)
  const stations = await activeStations(context)
  return saveReceipt(
    context,
    before,
    withRaisedStatus({ ...before, lines: sentLines(before.lines, stations, context.now) }),
  )
}

/** The lines once those not yet sent are: with a ticket of each active station. Any other line is ready: nobody has to make it. */
export function sentLines(lines: readonly Line[], stations: ReadonlySet<number>, sent_at: string): Line[] {
  const unsent = lines.filter(({ shown }) => shown.state === 'NEW' && stations.has(shown.station_id ?? 0))
  // A ticket is named by its first line: no other ticket has that line, so no other counter is needed.
  const tickets = new Map(
    [...Map.groupBy(unsent, ({ shown }) => shown.station_id!)].map(([station_id, own]) => [
      station_id,
      own[0]!.shown.id,
    ]),
  )
  return lines.map(({ shown, copied }): Line => {
    if (shown.state !== 'NEW') return { shown, copied }
    const ticket_id = tickets.get(shown.station_id ?? 0)
    if (ticket_id === undefined) return { shown: { ...shown, state: 'READY', sent_at }, copied }
    return { shown: { ...shown, state: 'SENT', sent_at }, copied: { ...copied, ticket_id } }
  })
}

export const TICKET_STEPS = {
  start: { from: ['SENT'], to: 'COOKING' },
  ready: { from: ['SENT', 'COOKING'], to: 'READY' },
  recall: { from: ['READY'], to: 'COOKING' },
  serve: { from: ['READY'], to: 'SERVED' },
} as const satisfies Record<string, { from: readonly LineState[]; to: LineState }>
export type TicketStep = keyof typeof TICKET_STEPS

/** Moves a ticket and its lines on. The step that was made already changes nothing; any other is refused. */
export async function moveTicket(
  context: CommandContext,
  ticket_id: number,
  step: TicketStep,
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const { tx, caller } = context
  const { brand_id, venue_id } = caller
  const [ticket] = await tx.rows<{ receipt_id: number }>(
    'select receipt_id from tickets where brand_id = ? and venue_id = ? and id = ?',
    [brand_id, venue_id, ticket_id],
  )
  if (!ticket) throw noSuchRecord()
  return moveTickets(context, ticket.receipt_id, [{ ticket_id, step }], ifMatch)
}

/** Moves tickets of one receipt on, one after the other. */
export async function moveTickets(
  context: CommandContext,
  receipt_id: number,
  steps: readonly { readonly ticket_id: number; readonly step: TicketStep }[],
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const before = await lockReceipt(context, receipt_id, ifMatch)
  if (before.receipt.status === CANCELLED) throw receiptCancelled()
  const isHere = (ticket_id: number) => before.lines.some(({ copied }) => copied.ticket_id === ticket_id)
  if (!steps.every(({ ticket_id }) => isHere(ticket_id))) throw new DoneMeanwhile('the ticket moved to another receipt') // T9
  const lines = steps.reduce((moved, { ticket_id, step }) => movedLines(moved, ticket_id, step), before.lines)
  if (lines === before.lines) return before
  const raised = withRaisedStatus({ ...before, lines })
  return saveReceipt(context, before, await completedWhenReady(context, raised))
}

function movedLines(lines: readonly Line[], ticket_id: number, step: TicketStep): readonly Line[] {
  const { from, to } = TICKET_STEPS[step]
  const isIts = (line: Line) => line.copied.ticket_id === ticket_id && !isVoid(line)
  const state = lines.find(isIts)?.shown.state ?? 'VOID'
  if (state === to) return lines
  if (!(from as readonly string[]).includes(state)) throw stateBehind(state)
  return lines.map((line) => (isIts(line) ? { ...line, shown: { ...line.shown, state: to } } : line))
}
