import Type, { type Static } from 'typebox'
import { type FieldProblem, fieldProblem } from '../../http/errors.ts'
import type { IfMatch } from '../../http/if-match.ts'
import { DecimalOrText, Maybe, Trimmed } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { businessDay } from '../../values/business-day.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { CLOSED, OPEN } from '../../values/states.ts'
import { laterOf, toScaled } from '../../values/values.ts'
import { notBefore } from '../context.ts'
import { venueRule } from '../menu.ts'
import { countInDay } from '../money/day-totals.ts'
import { sendAll } from '../receipts/kitchen.ts'
import { isVoid, refuse } from '../receipts/line.ts'
import { faultsOfAmount } from '../receipts/new-line.ts'
import { completedWhenReady } from '../receipts/order-status.ts'
import { lockReceipt, saveReceipt } from '../receipts/store.ts'
import { HISTORY, mustBeOpen, refuseAnother, type WholeReceipt, withTotals } from '../receipts/whole-receipt.ts'
import { moveStock } from '../stock/move.ts'
import { bookPayments, cashbackOf, findMethods, type Till, tipsOf } from './booking.ts'
import { takenMovements } from './movements.ts'
import { NewPayment, type Payment, readPayments, refuseOtherSum, withPayments } from './payments.ts'

/** What closes a receipt. */
export const Closing = Type.Object(
  {
    id: Maybe(Type.Integer({ 'x-blank': true, description: 'Read, and must be the receipt’s' })),
    cid: Maybe(Trimmed({ maxLength: 64, description: 'Read, and must be the receipt’s' })),
    payment_methods: Type.Array(NewPayment, { description: 'They add up to what remains; [] when nothing does' }),
    closed_at: Maybe(
      Trimmed({
        format: 'date-time',
        description: 'What the receipt shows: after created_at, not in the future. Everything is booked now',
      }),
    ),
    total: Maybe(DecimalOrText({ 'x-blank': true, description: 'What the guest was shown' })),
  },
  { $id: 'ReceiptClosing', additionalProperties: false },
)
export type Closing = Static<typeof Closing>

/** P14: the receipt, the stock that it takes and the money that it brings are one transaction. */
export async function closeReceipt(
  context: CommandContext,
  id: number,
  { payment_methods, closed_at, total, ...named }: Closing,
  till: Till,
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const before = await lockReceipt(context, id, ifMatch)
  refuseAnother(before, named)
  mustBeOpen(before)
  const whole = before.rule === HISTORY ? before : withTotals(before)
  const methods = await findMethods(context, payment_methods)
  const payments = readPayments(payment_methods, whole, methods)
  refuseOtherSum(whole, payments, total)
  const { change } = till
  refuse([
    ...faultsOfClosedAt(before, closed_at, context.now),
    ...faultsOfLines(whole),
    ...(change === undefined ? [] : faultsOfAmount('change', change, whole.terms.money_places)),
  ])
  const paid = withPayments(whole, payments)
  const handed = change ? { ...paid, terms: { ...paid.terms, change: toScaled(change)! } } : paid
  return bookClosing(context, before, handed, {
    payments,
    till,
    ...definedOnly({ closed_at }),
  })
}

function faultsOfClosedAt({ receipt }: WholeReceipt, closed_at: string | undefined, now: string): FieldProblem[] {
  if (closed_at === undefined) return []
  const fault = (rule: string, must: string) => [fieldProblem('closed_at', rule, must)]
  if (closed_at > laterOf(now, receipt.created_at)) return fault('past', 'must not be in the future')
  return closed_at < (receipt.created_at ?? '') ? fault('after', `must be after ${receipt.created_at}`) : []
}

/** S2: a receipt needs lines to be closed; history may have come without its lines (P22). */
function faultsOfLines(whole: WholeReceipt): FieldProblem[] {
  if (hasSold(whole)) return []
  return [{ field: 'body', rule: 'lines', message: 'A receipt without lines cannot be closed: cancel it.' }]
}

const hasSold = ({ rule, lines }: WholeReceipt) => rule === HISTORY || lines.some((line) => !isVoid(line))

/** S3: an open receipt with nothing left to pay closes by itself when it becomes COMPLETED. */
export async function saveOrClose(
  context: CommandContext,
  before: WholeReceipt,
  after: WholeReceipt,
): Promise<WholeReceipt> {
  const { status = OPEN, order_status, remaining } = after.receipt
  const isOver =
    status === OPEN && order_status === 'COMPLETED' && before.receipt.order_status !== 'COMPLETED' && remaining === 0
  return isOver && hasSold(after)
    ? bookClosing(context, before, after, { payments: [], till: {} })
    : saveReceipt(context, before, after)
}

interface Booking {
  /** New payments; earlier parts are booked already. */
  readonly payments: readonly Payment[]
  readonly till: Till
  readonly closed_at?: string
}

/** Locks in the order of P16: the receipt is locked, then stock, balances, customer, cash shift and the day's totals. P22: history books
 * its payments and nothing else. */
async function bookClosing(
  given: CommandContext,
  before: WholeReceipt,
  paid: WholeReceipt,
  { payments, till, closed_at }: Booking,
): Promise<WholeReceipt> {
  const context = notBefore(given, before.receipt.created_at) // I2
  const isHistory = before.rule === HISTORY
  const sent = isHistory ? paid : await sendAll(context, paid)
  const closed = await completedWhenReady(context, {
    ...sent,
    receipt: {
      ...sent.receipt,
      status: CLOSED,
      lock: true,
      closed_at: closed_at ?? context.now,
      shift_date: businessDay(context.now, await venueRule(context)),
    },
  })
  const cashback = isHistory ? undefined : await cashbackOf(context, closed, payments)
  const earning = cashback ? { ...closed, terms: { ...closed.terms, cashback } } : closed
  if (!isHistory)
    await moveStock(
      context,
      takenMovements(
        closed,
        closed.lines.filter((line) => !isVoid(line)),
      ),
    )
  const { whole, cash_shift_id } = await bookPayments(context, earning, {
    category: 'SALE',
    payments,
    till,
    cashback,
    tips: tipsOf(payments),
    ended: 'closed',
  })
  const booked = { ...whole, receipt: { ...whole.receipt, ...definedOnly({ cash_shift_id }) } }
  await countInDay(context, booked)
  return saveReceipt(context, before, booked)
}
