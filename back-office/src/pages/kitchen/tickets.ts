import type { NextCourse, TicketLine, WaitingTicket } from '../../../../server/src/pos/receipts/waiting-tickets.ts'
import {
  TICKET_STEPS,
  type TicketStep,
  ticketState,
  USUAL_COOKING_MINUTES,
} from '../../../../server/src/values/states.ts'
import { liveQuery } from '../../live/use-live.ts'
import { kitchenTexts } from '../../texts/screens/kitchen.ts'
import { LOCALE } from '../../texts/texts.ts'

// What the kitchen's screen shows of its tickets, apart from how it looks.

export type Ticket = WaitingTicket
export type { NextCourse, TicketLine }
export type Step = TicketStep
/** A step of a ticket, or of some of its lines only. */
export interface Move {
  readonly step: Step
  readonly lines?: readonly number[] | undefined
}

/** The station of a screen; undefined: all of them. */
export const ticketsOf = (venue: number, station: number | undefined) =>
  liveQuery<{ data: Ticket[]; next: NextCourse[]; now: string }>(
    venue,
    'tickets',
    `/tickets${station === undefined ? '' : `?station_id=${station}`}`,
  )

/** The ticket as it will be once the server has answered. */
export function moved(ticket: Ticket, moves: readonly Move[]): Ticket {
  if (moves.length === 0) return ticket
  const lines = moves.reduce<readonly TicketLine[]>((all, { step, lines: named }) => {
    const { from, to } = TICKET_STEPS[step]
    const isDue = ({ id, state }: TicketLine) =>
      (from as readonly string[]).includes(state) && (named?.includes(id) ?? true)
    return all.map((line) => (isDue(line) ? { ...line, state: to } : line))
  }, ticket.lines)
  return { ...ticket, state: ticketState(lines.map(({ state }) => state)), lines }
}

/** What a tap on a line does next; the tap on one that is ready takes that back. */
export const nextStep = ({ state }: TicketLine): Step | undefined =>
  state === 'SENT' ? 'start' : state === 'COOKING' ? 'ready' : state === 'READY' ? 'recall' : undefined

export const isMade = ({ state }: TicketLine) => state === 'READY' || state === 'SERVED'

export const isWaiting = ({ state }: Ticket) => state === 'SENT' || state === 'COOKING'
export const isVoid = ({ state }: TicketLine) => state === 'VOID'

export const shown = (count: number) => count.toLocaleString(LOCALE, { maximumFractionDigits: 4 })

/** Where it goes: the table, else the number of the day. */
export const nameOf = ({ table, number }: Ticket) =>
  table ?? kitchenTexts.number(number === undefined ? '–' : shown(number))

export const lineName = ({ count, name }: TicketLine) => `${shown(count)} × ${name}`

const MINUTE_MS = 60_000
const VERY_LATE = 1.5

export type Level = 'due' | 'late' | 'very-late'

/** How long it has been waiting, against the longest cooking time of its lines. */
export function ageOf({ created_at, lines }: Ticket, now: number): { minutes: number; level: Level } {
  const elapsed = Math.max(0, now - Date.parse(created_at)) / MINUTE_MS
  const times = lines.filter((line) => !isVoid(line)).flatMap(({ cooking_time }) => cooking_time ?? [])
  const due = Math.max(...times, 0) || USUAL_COOKING_MINUTES
  const level = elapsed < due ? 'due' : elapsed < due * VERY_LATE ? 'late' : 'very-late'
  return { minutes: Math.floor(elapsed), level }
}

export interface Dish {
  product_id: number
  name: string
  count: number
}

/** The same dish over all tickets that wait, by name: a row keeps its place while numbers change. */
export function dishesOf(tickets: readonly Ticket[]): Dish[] {
  const lines = tickets
    .filter(isWaiting)
    .flatMap((ticket) => ticket.lines.filter((line) => !isVoid(line) && !isMade(line)))
  return [...Map.groupBy(lines, ({ product_id }) => product_id)]
    .map(([product_id, same]) => ({
      product_id,
      name: same[0]!.name,
      count: same.reduce((sum, { count }) => sum + Math.round(count * 10_000), 0) / 10_000,
    }))
    .sort((one, other) => one.name.localeCompare(other.name, LOCALE))
}

/** What came since the tickets were read before; one that was brought back had been there. */
export function arrived(before: readonly Ticket[], after: readonly Ticket[]): Ticket[] {
  const known = new Set(before.map(({ id }) => id))
  return after.filter((ticket) => isWaiting(ticket) && !known.has(ticket.id))
}

/**
 * What was taken back since the tickets were read before: lines, and whole tickets, which the server names. One that is no longer there
 * was made and served meanwhile.
 */
export function takenBack(
  before: readonly Ticket[],
  after: readonly Ticket[],
): { gone: Ticket[]; lines: { ticket: Ticket; line: TicketLine }[] } {
  const now = new Map(after.map((ticket) => [ticket.id, ticket]))
  const waited = before.filter(isWaiting)
  return {
    gone: waited.filter(({ id }) => now.get(id)?.state === 'VOID'),
    lines: waited.flatMap((was) => {
      const ticket = now.get(was.id)
      const stood = new Set(was.lines.filter((line) => !isVoid(line)).map(({ id }) => id))
      return ticket && ticket.state !== 'VOID'
        ? ticket.lines.filter((line) => isVoid(line) && stood.has(line.id)).map((line) => ({ ticket, line }))
        : []
    }),
  }
}

/** Tickets of one table, or of one receipt without a table, over all stations. */
export interface Group {
  readonly key: string
  readonly tickets: readonly Ticket[]
  /** Tickets that another station has ready already. */
  readonly ready: readonly Ticket[]
}

/** Tickets that wait, by table; that whose ticket is the oldest comes first. */
export function byTable(waiting: readonly Ticket[], ready: readonly Ticket[]): Group[] {
  const keyOf = ({ table_id, receipt_id }: Ticket) => (table_id === undefined ? `r${receipt_id}` : `t${table_id}`)
  return [...Map.groupBy(waiting, keyOf)].map(([key, tickets]) => ({
    key,
    tickets,
    ready: ready.filter((ticket) => keyOf(ticket) === key),
  }))
}
