import Type, { type Static } from 'typebox'
import { fieldProblem } from '../../http/errors.ts'
import { Maybe } from '../../resource/values.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { isVoid, refuse } from '../receipts/line.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'
import { shareOut, unitOf } from '../rounding.ts'

// T8, pure: what each of several payers owes of one receipt. A third of a plate has no honest tax or stock, so only money is shared.

export const ShareQuery = Type.Object(
  {
    by: Type.Enum(['even', 'seat', 'lines']),
    count: Maybe(Type.String({ pattern: '^([2-9]|1[0-9]|20)$', description: 'For even: 2 to 20' })),
    lines: Maybe(
      Type.String({ pattern: '^[0-9]{1,16}(,[0-9]{1,16}){0,199}$', description: 'Ids of lines, with commas' }),
    ),
  },
  { additionalProperties: false },
)
export type ShareQuery = Static<typeof ShareQuery>

export interface Share {
  /** Written on its payments, by which they are found again. */
  readonly label: string
  readonly amount: number
  readonly taxes: readonly {
    readonly id: number
    readonly name: string
    readonly rate: number
    readonly amount: number
  }[]
  readonly paid: number
}

/** The shares of a receipt: their amounts add up to its total, their taxes to its taxes (P9). */
export function sharesOf(whole: WholeReceipt, query: ShareQuery): Share[] {
  const { receipt, terms } = whole
  const groups = groupsOf(whole, query)
  const unit = unitOf(terms.money_places)
  const weights = groups.map(({ weight }) => BigInt(weight))
  const share = (amount: number) =>
    shareOut(unit, BigInt(toScaled(amount)!), weights).map((each) => fromScaled(Number(each)))
  const amounts = share(receipt.total ?? 0)
  const taxes = (receipt.taxes ?? []).map((tax) => ({ tax, parts: share(tax.amount) }))
  return groups.map(({ label }, index) => ({
    label,
    amount: amounts[index]!,
    taxes: taxes.map(({ tax: { id, name, rate }, parts }) => ({ id, name, rate, amount: parts[index]! })),
    paid: fromScaled(paidOf(receipt, label)),
  }))
}

interface Group {
  readonly label: string
  readonly weight: number
}

function groupsOf(whole: WholeReceipt, { by, count, lines: named }: ShareQuery): Group[] {
  if (by === 'even') {
    if (count === undefined) refuse([fieldProblem('count', 'required', 'is needed: 2 to 20')])
    return Array.from({ length: Number(count) }, (_, index) => ({ label: `${index + 1}/${count}`, weight: 1 }))
  }
  if (by === 'seat') return seatsOf(whole)
  if (named === undefined) refuse([fieldProblem('lines', 'required', 'are needed: ids with commas')])
  const ids = new Set(named!.split(',').map(Number))
  const alive = whole.lines.filter((line) => !isVoid(line)).map(({ shown }) => shown)
  const unknown = [...ids].filter((id) => !alive.some((line) => line.id === id))
  refuse(unknown.map((id) => fieldProblem('lines', 'exists', `${id} is no line of this receipt, or void`)))
  const weightOf = (own: typeof alive) => own.reduce((sum, { total }) => sum + toScaled(total)!, 0)
  const [chosen, rest] = [alive.filter(({ id }) => ids.has(id)), alive.filter(({ id }) => !ids.has(id))]
  if (weightOf(chosen) + weightOf(rest) === 0)
    refuse([fieldProblem('by', 'amount', 'must be even: these lines cost nothing')])
  return [
    { label: 'lines', weight: weightOf(chosen) },
    { label: 'rest', weight: weightOf(rest) },
  ]
}

/** What each seat ordered, with an even part of what was ordered for the whole table. */
function seatsOf({ lines }: WholeReceipt): Group[] {
  const alive = lines.filter((line) => !isVoid(line)).map(({ shown }) => shown)
  const seats = [...new Set(alive.flatMap(({ seat }) => seat ?? []))].sort((one, other) => one - other)
  if (seats.length === 0) refuse([fieldProblem('by', 'seat', 'must be another: no line has a seat')])
  const weightOf = (seat: number | undefined) =>
    alive.reduce((sum, line) => sum + (line.seat === seat ? toScaled(line.total)! : 0), 0)
  const shared = weightOf(undefined)
  // Times the number of seats, so that an even part is whole.
  const groups = seats.map((seat) => ({ label: `seat ${seat}`, weight: weightOf(seat) * seats.length + shared }))
  if (groups.every(({ weight }) => weight === 0))
    refuse([fieldProblem('by', 'amount', 'must be even: these lines cost nothing')])
  return groups
}

const paidOf = ({ payment_methods = [] }: WholeReceipt['receipt'], label: string) =>
  payment_methods.reduce((sum, { share, amount = 0 }) => sum + (share === label ? toScaled(amount)! : 0), 0)
