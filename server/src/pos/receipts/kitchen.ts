import Type, { type Static } from 'typebox'
import { noSuchRecord, receiptCancelled, stateBehind } from '../../http/errors.ts'
import type { IfMatch } from '../../http/if-match.ts'
import { type CommandContext, DoneMeanwhile } from '../../resource/write/commands.ts'
import { CourseId } from '../../resources/places/courses.ts'
import { CANCELLED, type LineState } from '../../values/states.ts'
import { laterOf } from '../../values/values.ts'
import { activeStations, saleKind } from '../menu.ts'
import { isVoid, type Line } from './line.ts'
import { completedWhenReady, withRaisedStatus } from './order-status.ts'
import { lockReceipt, saveReceipt } from './store.ts'
import { mustBeOpen, mustNotBeHistory, type WholeReceipt } from './whole-receipt.ts'

// S4: lines are sent to the stations, a ticket for each station and course (T7), and go through the kitchen.

/** Sends what is due; a second time there is nothing to send. Locking the bill does not stop the kitchen. */
export async function sendReceipt(context: CommandContext, id: number, ifMatch?: IfMatch): Promise<WholeReceipt> {
  const before = await lockReceipt(context, id, ifMatch)
  mustBeOpen(before)
  mustNotBeHistory(before)
  return saveReceipt(context, before, await sendDue(context, before))
}

export const Fire = Type.Object(
  { course: CourseId('Everything up to it goes to the stations') },
  { $id: 'CourseFire', additionalProperties: false },
)
export type Fire = Static<typeof Fire>

/** T6: sends every line up to a course; where there is none nothing changes. */
export async function fireCourse(
  context: CommandContext,
  id: number,
  { course }: Fire,
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const before = await lockReceipt(context, id, ifMatch)
  mustBeOpen(before)
  mustNotBeHistory(before)
  const isDue = ({ shown }: Line) => (shown.course ?? 0) <= course
  if (!before.lines.some((line) => line.shown.state === 'NEW' && isDue(line))) return before
  return saveReceipt(context, before, await sent(context, before, isDue))
}

/** T6: the receipt once what is due is sent; courses after it are held, at tables only. */
export async function sendDue(context: CommandContext, whole: WholeReceipt): Promise<WholeReceipt> {
  const { sale_type_id, table_id } = whole.receipt
  const hasCourses = whole.lines.some(({ shown }) => shown.state === 'NEW' && shown.course !== undefined)
  const holds =
    hasCourses &&
    table_id !== undefined &&
    sale_type_id !== undefined &&
    (await saleKind(context, sale_type_id)) === 'IN'
  return holds ? sent(context, whole, dueAmong(whole.lines)) : sendAll(context, whole)
}

/** What is held too: nobody is there to wait for it. */
export const sendAll = (context: CommandContext, whole: WholeReceipt): Promise<WholeReceipt> =>
  sent(context, whole, () => true)

async function sent(context: CommandContext, whole: WholeReceipt, isDue: (line: Line) => boolean) {
  const stations = await activeStations(context)
  const now = laterOf(context.now, whole.receipt.created_at)
  return withRaisedStatus({ ...whole, lines: sentLines(whole.lines, { stations, now, isDue }) })
}

/**
 * T6: lines without a course, those up to the last course that was sent, and the first course after it unless something is held: a course
 * that waits goes when it is fired.
 */
function dueAmong(lines: readonly Line[]): (line: Line) => boolean {
  const courseOf = ({ shown }: Line) => shown.course ?? 0
  const fired = Math.max(0, ...lines.filter(({ shown }) => shown.sent_at !== undefined).map(courseOf))
  const later = lines.filter((line) => line.shown.state === 'NEW' && courseOf(line) > fired)
  const isWaiting = later.some(({ shown }) => shown.hold)
  const first = isWaiting ? fired : Math.min(...later.map(courseOf))
  return (line) => courseOf(line) <= Math.max(fired, first)
}

interface Sending {
  readonly stations: ReadonlySet<number>
  readonly now: string
  readonly isDue: (line: Line) => boolean
}

/**
 * The lines once those due are sent: with a ticket for each active station and course. Any other line is ready: nobody has to make it.
 * What is not due yet is held.
 */
export function sentLines(lines: readonly Line[], { stations, now, isDue }: Sending): Line[] {
  const keyOf = ({ shown }: Line) => `${shown.station_id} ${shown.course ?? 0}`
  const due = lines.filter((line) => line.shown.state === 'NEW' && isDue(line))
  const made = due.filter(({ shown }) => stations.has(shown.station_id ?? 0))
  // A ticket is named by its first line: no other ticket has that line, so no other counter is needed.
  const tickets = new Map([...Map.groupBy(made, keyOf)].map(([key, own]) => [key, own[0]!.shown.id]))
  return lines.map((line): Line => {
    const { shown, copied } = line
    if (shown.state !== 'NEW') return line
    if (!isDue(line)) return { shown: { ...shown, hold: true }, copied }
    const on = { ...shown, hold: false, sent_at: now }
    if (!stations.has(shown.station_id ?? 0)) return { shown: { ...on, state: 'READY' }, copied }
    return { shown: { ...on, state: 'SENT' }, copied: { ...copied, ticket_id: tickets.get(keyOf(line))! } }
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
  const before = await lockReceipt(context, receipt_id, ifMatch, { isAnyones: true })
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
