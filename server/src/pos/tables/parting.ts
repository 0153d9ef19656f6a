import type { FieldProblem } from '../../http/errors.ts'
import { fieldProblem } from '../../http/errors.ts'
import { AMOUNT_OFF } from '../../values/states.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { isVoid, type Line, refuse } from '../receipts/line.ts'
import { shareOut, unitOf } from '../rounding.ts'

// T9, pure: which lines of a receipt go where, and what becomes of their tickets.

/** A line that shall go; without `count` all that is left of it. */
export interface Taken {
  readonly id: number
  readonly count?: number | undefined
}

/** A line that goes. */
export interface Going {
  readonly line: Line
  /** The line that it was a part of; undefined where the whole line goes. */
  readonly partOf?: Line
}

/** What stays of a receipt's lines, and what goes to each destination. */
export interface Parting {
  readonly stays: readonly Line[]
  readonly goes: readonly (readonly Going[])[]
}

export interface NewLineKey {
  readonly id: number
  readonly cid: string
}

/**
 * Parts the lines: whole ones keep id and cid, a part of a count is a new line. Where destinations together take the whole count, the last
 * one gets the line itself. Refuses what cannot go with every problem.
 */
export function partLines(
  lines: readonly Line[],
  wanted: readonly { readonly taken: readonly Taken[]; readonly path: string }[],
  money_places: number,
  newKey: () => NewLineKey,
): Parting {
  const left = new Map<number, Line | undefined>(lines.map((line) => [line.shown.id, line]))
  const faults: FieldProblem[] = []
  const goes = wanted.map(({ taken, path }) =>
    taken.flatMap(({ id, count }, index): Going[] => {
      const line = left.get(id)
      const problem = problemOf(line, left.has(id), count, `${path}[${index}]`)
      if (problem) faults.push(problem)
      if (problem || !line) return []
      if (count === undefined || count === line.shown.count) {
        left.set(id, undefined)
        return [{ line }]
      }
      const [stays, part] = cutLine(line, count, money_places, newKey)
      left.set(id, stays)
      return [{ line: part, partOf: stays }]
    }),
  )
  refuse(faults)
  return { stays: lines.flatMap(({ shown }) => left.get(shown.id) ?? []), goes }
}

function problemOf(
  line: Line | undefined,
  isKnown: boolean,
  count: number | undefined,
  path: string,
): FieldProblem | undefined {
  if (!isKnown) return fieldProblem(`${path}.id`, 'exists', 'is no line of this receipt')
  if (!line) return fieldProblem(`${path}.id`, 'unique', 'is a line that goes already')
  if (isVoid(line)) return fieldProblem(`${path}.id`, 'void', 'is a void line, which stays')
  if (count === undefined || count === line.shown.count) return undefined
  if (line.copied.sold_by_weight || line.copied.timer)
    return fieldProblem(`${path}.count`, 'whole', 'must be absent: what is weighed or timed goes whole')
  if (!Number.isInteger(count) || count <= 0 || count > line.shown.count)
    return fieldProblem(`${path}.count`, 'range', `must be a whole number above 0 and at most ${line.shown.count}`)
  return undefined
}

/** The rest that stays under the line's id, and a new line for the part that goes. An amount off is shared (P9). */
function cutLine({ shown, copied }: Line, count: number, money_places: number, newKey: () => NewLineKey): [Line, Line] {
  const rest = fromScaled(toScaled(shown.count)! - toScaled(count)!)
  const off = shown.discount_type === AMOUNT_OFF ? toScaled(shown.discount_value)! : undefined
  const shares = off === undefined ? undefined : shareAmount(off, [rest, count], money_places)
  const made = (own: number, index: number, key?: NewLineKey): Line => ({
    shown: { ...shown, ...key, count: own, ...(shares && { discount_value: fromScaled(shares[index]!) }) },
    copied,
  })
  return [made(rest, 0), made(count, 1, newKey())]
}

/** P9 for an amount ×10,000 that may have more places than the money: the first part keeps what cannot be shared, all without weights. */
export function shareAmount(amount: number, weights: readonly number[], money_places: number): number[] {
  const unit = unitOf(money_places)
  const rest = weights.some((weight) => weight > 0) ? BigInt(amount) % unit : BigInt(amount)
  const shares = shareOut(
    unit,
    BigInt(amount) - rest,
    weights.map((weight) => BigInt(toScaled(weight)!)),
  )
  return shares.map((share, index) => Number(index === 0 ? share + rest : share))
}

/** What becomes of the tickets of lines that go. */
export interface TicketMoves {
  /** Tickets that go whole, by id, to a destination. */
  readonly carried: ReadonlyMap<number, number>
  /** Tickets that part: what goes gets one of its own, like that which stays. */
  readonly parted: readonly { readonly id: number; readonly from: number; readonly to: number }[]
}

/** Nothing is sent again: a ticket goes with the last of its living lines, and void ones lose it. */
export function moveTickets(parting: Parting, newId: () => number): { parting: Parting; tickets: TicketMoves } {
  const staying = new Set(parting.stays.flatMap((line) => (isVoid(line) ? [] : (line.copied.ticket_id ?? []))))
  const carried = new Map<number, number>()
  const parted: TicketMoves['parted'][number][] = []
  const goes = parting.goes.map((going, to) => {
    const renamed = new Map<number, number>()
    return going.map(({ line, partOf }): Going => {
      const { ticket_id } = line.copied
      if (ticket_id === undefined) return partOf ? { line, partOf } : { line }
      let id = renamed.get(ticket_id)
      if (id === undefined) {
        const isFree = !staying.has(ticket_id) && !carried.has(ticket_id)
        id = isFree ? ticket_id : newId()
        if (isFree) carried.set(ticket_id, to)
        else parted.push({ id, from: ticket_id, to })
        renamed.set(ticket_id, id)
      }
      const moved = { ...line, copied: { ...line.copied, ticket_id: id } }
      return partOf ? { line: moved, partOf } : { line: moved }
    })
  })
  const stays = parting.stays.map((line) => (carried.has(line.copied.ticket_id ?? 0) ? withoutTicket(line) : line))
  return { parting: { stays, goes }, tickets: { carried, parted } }
}

function withoutTicket({ shown, copied }: Line): Line {
  const { ticket_id: _, ...kept } = copied
  return { shown, copied: kept }
}
