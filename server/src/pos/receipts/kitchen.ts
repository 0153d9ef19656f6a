import Type, { type Static } from 'typebox'
import { fieldProblem, noSuchRecord, receiptCancelled, stateBehind } from '../../http/errors.ts'
import type { IfMatch } from '../../http/if-match.ts'
import { type CommandContext, DoneMeanwhile } from '../../resource/write/commands.ts'
import { CourseId } from '../../resources/places/courses.ts'
import { ticketsOf } from '../../resources/sales/receipt-lines.ts'
import { CANCELLED, TICKET_STEPS, type TicketStep } from '../../values/states.ts'
import { laterOf } from '../../values/values.ts'
import { activeStations, saleKind } from '../menu.ts'
import { isVoid, type Line, MAX_LINES, refuse } from './line.ts'
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
  return holds ? sent(context, whole, dueAmong(whole)) : sendAll(context, whole)
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
function dueAmong({ lines, terms }: WholeReceipt): (line: Line) => boolean {
  const fired = firedCourse([terms.fired, ...lines.map(courseSent)])
  const later = lines.filter((line) => line.shown.state === 'NEW' && courseOf(line) > fired)
  const isWaiting = later.some(({ shown }) => shown.hold)
  const first = isWaiting ? fired : Math.min(...later.map(courseOf))
  return (line) => courseOf(line) <= Math.max(fired, first)
}

const courseOf = ({ shown }: Line) => shown.course ?? 0
/** The course in which a line was sent; undefined while it waits. */
export const courseSent = (line: Line) => (line.shown.sent_at === undefined ? undefined : courseOf(line))
export const firedCourse = (courses: readonly (number | undefined)[]) =>
  Math.max(0, ...courses.map((course = 0) => course))

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

export const TicketLines = Type.Object(
  {
    lines: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
        minItems: 1,
        maxItems: MAX_LINES,
        description: 'Only these of its lines; without it all of them',
      }),
    ),
  },
  { $id: 'TicketLines', additionalProperties: false },
)
export type TicketLines = Static<typeof TicketLines>

/** Moves a ticket on, or some of its lines. The step that was made already changes nothing; any other is refused. */
export async function moveTicket(
  context: CommandContext,
  ticket_id: number,
  step: TicketStep,
  { lines }: TicketLines = {},
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const { tx, caller } = context
  const { brand_id, venue_id } = caller
  const [ticket] = await tx.rows<{ receipt_id: number }>(
    'select receipt_id from tickets where brand_id = ? and venue_id = ? and id = ?',
    [brand_id, venue_id, ticket_id],
  )
  if (!ticket) throw noSuchRecord()
  return moveTickets(context, ticket.receipt_id, [{ ticket_id, step, lines }], ifMatch)
}

interface Moved {
  readonly ticket_id: number
  readonly step: TicketStep
  readonly lines?: readonly number[] | undefined
}

/** Moves tickets of one receipt on, one after the other. */
export async function moveTickets(
  context: CommandContext,
  receipt_id: number,
  steps: readonly Moved[],
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const before = await lockReceipt(context, receipt_id, ifMatch, { isAnyones: true })
  if (before.receipt.status === CANCELLED) throw receiptCancelled()
  const isHere = (ticket_id: number) => before.lines.some(({ copied }) => copied.ticket_id === ticket_id)
  if (!steps.every(({ ticket_id }) => isHere(ticket_id))) throw new DoneMeanwhile('the ticket moved to another receipt') // T9
  const lines = steps.reduce(movedLines, before.lines)
  if (lines === before.lines) return before
  const raised = withRaisedStatus({ ...before, lines })
  return saveReceipt(context, before, await completedWhenReady(context, raised))
}

function movedLines(all: readonly Line[], { ticket_id, step, lines: named }: Moved): readonly Line[] {
  const { from, to } = TICKET_STEPS[step]
  const own = all.filter(({ copied }) => copied.ticket_id === ticket_id)
  const unknown = named?.filter((id) => !own.some(({ shown }) => shown.id === id)) ?? []
  refuse(unknown.map((id) => fieldProblem('lines', 'exists', `${id} is no line of this ticket`)))
  const [ticket] = ticketsOf(own)
  const asked = own.filter((line) => (named ? named.includes(line.shown.id) : !isVoid(line)))
  const isDue = ({ shown }: Line) => (from as readonly string[]).includes(shown.state)
  const isDone = ({ shown }: Line) => shown.state === to
  const behind = named ? asked.find((line) => !isDue(line) && !isDone(line)) : undefined
  if (behind) throw stateBehind(behind.shown.state)
  // Recalled once, a ticket cooks: what was made of it since stays made.
  const due = step === 'recall' && !named && ticket!.state === to ? [] : asked.filter(isDue)
  if (due.length === 0 && !asked.some(isDone)) throw stateBehind(ticket!.state)
  if (due.length === 0) return all
  return all.map((line) => (due.includes(line) ? { ...line, shown: { ...line.shown, state: to } } : line))
}
