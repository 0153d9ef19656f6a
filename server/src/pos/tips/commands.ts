import Type, { type Static } from 'typebox'
import { fieldProblem, insufficientBalance, receiptCancelled, receiptClosed } from '../../http/errors.ts'
import type { IfMatch } from '../../http/if-match.ts'
import { DecimalOrText, Id, Maybe } from '../../resource/values.ts'
import { type CommandContext, DoneMeanwhile } from '../../resource/write/commands.ts'
import { lockBalances, staffBalance } from '../../resources/money/balance-rows.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { CANCELLED, CLOSED } from '../../values/states.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { bookPayments, findMethods } from '../closing/booking.ts'
import { faultsOfTip, type Method, methodFaults } from '../closing/payments.ts'
import { notBefore, refuseAbsent } from '../context.ts'
import { balanceFor, useMethods } from '../money/accounts.ts'
import { book } from '../money/book.ts'
import { readAmount } from '../money/drawer.ts'
import { cashShiftFor, lockShift, moveShift, openShiftAt } from '../money/shifts.ts'
import { refuse } from '../receipts/line.ts'
import { lockReceipt, saveReceipt } from '../receipts/store.ts'
import { mustNotBeHistory, type WholeReceipt } from '../receipts/whole-receipt.ts'

// T12, T14: a tip that comes after the payment, and tips that are paid out.

const ShiftId = () => Maybe(Type.String({ format: 'uuid' }))

export const NewTip = Type.Object(
  {
    payment_method_id: Id(),
    amount: DecimalOrText(),
    user_id: Maybe(Type.Integer({ minimum: 1, description: 'Who gets it; absent: the waiter of the receipt' })),
    cash_shift_id: ShiftId(),
  },
  { $id: 'NewTip', additionalProperties: false },
)
export type NewTip = Static<typeof NewTip>

const LATEST_MS = 48 * 3_600_000

/** A tip of a receipt that is open, or was closed in the last two days. */
export async function addTip(
  given: CommandContext,
  id: number,
  { payment_method_id, amount, user_id, ...till }: NewTip,
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const before = await lockReceipt(given, id, ifMatch)
  const { receipt, terms } = before
  if (receipt.status === CANCELLED) throw receiptCancelled()
  mustNotBeHistory(before)
  if (receipt.parent_id !== undefined)
    refuse([{ field: 'body', rule: 'refund', message: 'A refund takes no tip: give it at the receipt.' }])
  const { closed_at = given.now } = receipt
  if (receipt.status === CLOSED && Date.parse(given.now) - Date.parse(closed_at) > LATEST_MS)
    throw receiptClosed(closed_at)
  const method = (await findMethods(given, [{ id: payment_method_id }])).get(payment_method_id)
  refuse([
    ...methodFaults('payment_method_id', payment_method_id, method, receipt),
    ...faultsOfTip('amount', amount, method, terms.money_places),
  ])
  if (user_id !== undefined) await refuseAbsent(given, user_id)
  const context = notBefore(given, receipt.created_at)
  const tips = [{ method: method!, amount: toScaled(amount)!, user_id }]
  const { whole } = await bookPayments(context, before, { category: 'SALE', payments: [], till, tips })
  return saveReceipt(context, before, whole)
}

export const TipPayout = Type.Object(
  {
    user_id: Maybe(Type.Integer({ minimum: 1, description: 'Whose tips; absent: the venue’s pool' })),
    amount: Maybe(DecimalOrText({ description: 'Absent: all of it' })),
    payment_method_id: Id(),
    cash_shift_id: ShiftId(),
  },
  { $id: 'TipPayout', additionalProperties: false },
)
export type TipPayout = Static<typeof TipPayout>

/** Pays tips out: off what the house has by the method, and off what it owes. */
export async function payTips(context: CommandContext, input: TipPayout): Promise<object> {
  const { tx, brand_id, caller } = context
  const { user_id, payment_method_id, cash_shift_id } = input
  const { venue_id } = caller
  const asked = input.amount === undefined ? undefined : await readAmount(context, 'amount', input.amount, 1)
  const method = (await findMethods(context, [{ id: payment_method_id }])).get(payment_method_id)
  refuse([
    ...methodFaults('payment_method_id', payment_method_id, method, { venue_id }),
    ...(isOfHouse(method) ? [] : [fieldProblem('payment_method_id', 'kind', 'must not be a customer’s balance')]),
  ])
  if (user_id !== undefined) await refuseAbsent(context, user_id, { former: true }) // who left is paid too
  const staff = await staffBalance(context, { user_id, venue_id })
  if (staff === undefined) throw insufficientBalance(0)
  await useMethods(context, [method!])
  const house = await balanceFor(context, method!, undefined)
  const locked = await lockBalances({ tx, brand_id }, [staff, house])
  const owed = locked.get(staff)!.amount
  const amount = asked ?? owed
  if (amount <= 0 || amount > owed) throw insufficientBalance(fromScaled(owed))
  const isCash = method!.kind === 'CASH'
  const shift = isCash ? await cashShiftFor(context, { cash_shift_id }) : await openShiftAt(context, { cash_shift_id })
  const common = { category: 'TIP_PAYOUT', amount: -amount, ...(shift && { cash_shift_id: shift.id }) } as const
  await book(context, [
    { ...common, balance_id: house },
    { ...common, balance_id: staff, notBelowZero: true },
  ])
  if (shift && isCash) await moveShift(context, shift, { cash: -amount, receipts: 0 }, { unpublished: false })
  else if (shift && (await lockShift(context, shift.id))?.status !== 'OPEN')
    throw new DoneMeanwhile('the shift that the payout was booked in was closed')
  return {
    ...definedOnly({ user_id }),
    amount: fromScaled(amount),
    payment_method_id,
    left: fromScaled(owed - amount),
  }
}

const isOfHouse = (method: Method | undefined) => method?.kind !== 'CUSTOMER' && method?.kind !== 'CASHBACK'
