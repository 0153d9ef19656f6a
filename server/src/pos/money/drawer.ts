import Type, { type Static } from 'typebox'
import {
  type FieldProblem,
  fieldProblem,
  noSuchRecord,
  shiftClosed,
  shiftOpen,
  validationFailed,
} from '../../http/errors.ts'
import { DecimalOrText, Id, Maybe, Note } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { advance } from '../../resource/write/counters.ts'
import { lockBalances } from '../../resources/money/balance-rows.ts'
import { type CashShift, cashShifts, shiftCounter } from '../../resources/money/cash-shifts.ts'
import { isActiveAt, type VenueStatus } from '../../resources/places/per-venue.ts'
import { businessDay } from '../../values/business-day.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { notBefore } from '../context.ts'
import { refuseUnknown, venueRule } from '../menu.ts'
import { refuse } from '../receipts/line.ts'
import { unitOf } from '../rounding.ts'
import { balanceFor, isMethodUsed, useMethods } from './accounts.ts'
import { book } from './book.ts'
import { reportOf } from './shift-report.ts'
import { lockShift, moveShift } from './shifts.ts'

// S5: what staff do with a drawer: they open a shift with what is in it, put cash in and take it out, count it and close.

const LARGEST = 1e9

export const NewShift = Type.Object(
  { terminal_id: Id(), opening_amount: DecimalOrText() },
  { $id: 'NewCashShift', additionalProperties: false },
)
export type NewShift = Static<typeof NewShift>

/** Opens the shift of a terminal. There is one at a time. */
export async function openShift(context: CommandContext, input: NewShift): Promise<CashShift> {
  const { tx, caller, now } = context
  const { brand_id, venue_id, user } = caller
  const { terminal_id } = input
  await refuseUnknown(context, { terminal_id })
  await readAmount(context, 'opening_amount', input.opening_amount, 0)
  const [open] = await tx.texts(
    `select id from cash_shifts where brand_id = ? and venue_id = ? and terminal_id = ? and status = 'OPEN'`,
    [brand_id, venue_id, terminal_id],
  )
  if (open !== undefined) throw shiftOpen(open)
  const counter = shiftCounter(venue_id)
  const shift: CashShift = {
    id: context.ids.uuid(),
    venue_id,
    terminal_id,
    number: (await advance(tx, brand_id, { [counter]: 1 }))[counter]!,
    status: 'OPEN',
    opened_at: now,
    opened_by: user.id,
    opening_amount: input.opening_amount,
    expected_amount: input.opening_amount,
    receipts: 0,
    shift_date: businessDay(now, await venueRule(context)),
  }
  await cashShifts.insert(context, [shift])
  return shift
}

export const CashMove = Type.Object(
  {
    type: Type.Enum(['IN', 'OUT']),
    amount: DecimalOrText(),
    description: Maybe(Note(500)),
  },
  { $id: 'CashMove', additionalProperties: false },
)
export type CashMove = Static<typeof CashMove>

/** Puts cash into the drawer, or takes it out. */
export async function moveCash(context: CommandContext, id: string, input: CashMove): Promise<CashShift> {
  const { type, description } = input
  const scaled = await readAmount(context, 'amount', input.amount, 1)
  const shift = await findShift(context, id)
  const amount = type === 'IN' ? scaled : -scaled
  context.acts.notes.push({ kind: 'cash', amount, to: shift.id })
  await book(context, [
    {
      balance_id: await cashBalance(context),
      category: type === 'IN' ? 'CASH_IN' : 'CASH_OUT',
      amount,
      cash_shift_id: shift.id,
      ...definedOnly({ description }),
    },
  ])
  return moveShift(context, shift, { cash: amount, receipts: 0 }, { unpublished: false })
}

export const ShiftClosing = Type.Object(
  { closing_amount: DecimalOrText() },
  { $id: 'CashShiftClosing', additionalProperties: false },
)
export type ShiftClosing = Static<typeof ShiftClosing>

/** Takes what was counted, books the difference, and keeps the report as it is now: a closed shift never changes. */
export async function closeShift(context: CommandContext, id: string, input: ShiftClosing): Promise<CashShift> {
  const { tx, caller } = context
  const { brand_id, user } = caller
  const counted = await readAmount(context, 'closing_amount', input.closing_amount, 0)
  await findShift(context, id)
  const balance_id = await cashBalance(context)
  await lockBalances({ tx, brand_id }, [balance_id]) // P16: before the shift, which says what is missing
  const shift = (await lockShift(context, id))!
  if (shift.status === 'CLOSED') throw shiftClosed(shift.closed_at!)
  const instant = notBefore(context, shift.opened_at)
  const difference = counted - toScaled(shift.expected_amount)!
  if (difference !== 0)
    await book(instant, [{ balance_id, category: 'CASH_DIFFERENCE', amount: difference, cash_shift_id: shift.id }])
  const { receipts, closed_at: _, closed_by: __, shift_date, ...rest } = shift
  const closed: CashShift = {
    ...rest,
    status: 'CLOSED',
    closing_amount: input.closing_amount,
    difference: fromScaled(difference),
    receipts,
    closed_at: instant.now,
    closed_by: user.id,
    shift_date,
  }
  const report = await reportOf(tx, brand_id, closed)
  await cashShifts.update(instant, [{ ...closed, report }])
  return closed
}

async function findShift({ tx, caller }: CommandContext, id: string): Promise<CashShift> {
  const body = await tx.text('select body from cash_shifts where brand_id = ? and venue_id = ? and id = ?', [
    caller.brand_id,
    caller.venue_id,
    id.toLowerCase(),
  ])
  if (body === undefined) throw noSuchRecord()
  const shift = JSON.parse(body) as CashShift
  if (shift.status === 'CLOSED') throw shiftClosed(shift.closed_at!)
  return shift
}

/** The balance of cash in this venue: that of the first method of the kind that is active here. */
async function cashBalance(context: CommandContext): Promise<number> {
  const { tx, caller } = context
  const rows = await tx.rows<{ id: number; body: string; used: number }>(
    `select id, body, ${isMethodUsed} as used from payment_methods where brand_id = ? and kind = 'CASH' order by position, id`,
    [caller.brand_id],
  )
  const method = rows.find(({ body }) =>
    isActiveAt((JSON.parse(body) as { status: VenueStatus }).status, caller.venue_id),
  )
  if (!method)
    throw validationFailed([
      { field: 'body', rule: 'exists', message: 'No payment method of kind CASH is active at this venue.' },
    ])
  await useMethods(context, [{ id: method.id, kind: 'CASH', isUsed: method.used === 1 }])
  return balanceFor(context, { id: method.id, kind: 'CASH' }, undefined)
}

/** P8: an amount that is sent has no more places than the brand's money. It is ×10,000 then. */
export async function readAmount(
  context: CommandContext,
  field: string,
  amount: number,
  least: 0 | 1,
  most = LARGEST,
): Promise<number> {
  const { money_places } = await venueRule(context)
  const scaled = toScaled(amount)
  const wrong = (rule: string, must: string): FieldProblem[] => [fieldProblem(field, rule, must)]
  if (amount < 0 || (least === 1 && amount === 0))
    refuse(wrong('minimum', least ? 'must be above 0' : 'must be at least 0'))
  if (amount > most) refuse(wrong('maximum', `must be at most ${most}`))
  if (scaled === undefined || scaled % Number(unitOf(money_places)) !== 0)
    refuse(wrong('decimals', `must have at most ${money_places} decimals`))
  return scaled!
}
