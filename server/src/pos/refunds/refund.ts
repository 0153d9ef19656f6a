import Type, { type Static } from 'typebox'
import { type FieldProblem, fieldProblem, notRefundable, receiptCancelled } from '../../http/errors.ts'
import type { IfMatch } from '../../http/if-match.ts'
import { DecimalOrText, Id, Maybe } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { businessDay } from '../../values/business-day.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { CANCELLED, CLOSED } from '../../values/states.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { bookPayments } from '../closing/booking.ts'
import { earnedCashback, faultsOfTip, NewPayment, type Payment, sumOf } from '../closing/payments.ts'
import type { Cashback } from '../closing/postings.ts'
import { notBefore } from '../context.ts'
import { venueRule } from '../menu.ts'
import { countInDay } from '../money/day-totals.ts'
import { isVoid, type Line, refuse } from '../receipts/line.ts'
import { completeReceipt, lockReceipt, nextNumber, refundsOf, saveReceipt } from '../receipts/store.ts'
import { billOf, HISTORY, type WholeReceipt } from '../receipts/whole-receipt.ts'
import { unitOf } from '../rounding.ts'
import { moveStock } from '../stock/move.ts'
import { type Tip, tipsBack, tipsLeft } from '../tips/book-tips.ts'
import { type GivenBack, partOf, type RefundAmounts, refundAmounts } from './given-back.ts'
import { paymentsBack } from './payments-back.ts'
import { givenBackBy, shownAmounts, shownLineAmounts, together } from './refunded.ts'
import { type MovedOut, movementsBack } from './stock-back.ts'

/** What staff give back. Without lines: all that is left of all of them. */
export const Refund = Type.Object(
  {
    lines: Maybe(
      Type.Array(
        Type.Object(
          {
            id: Id(),
            count: Maybe(Type.Number({ description: 'All that is left of the line where it is absent' })),
            waste: Maybe(Type.Boolean({ description: 'What was made is lost' })),
          },
          { additionalProperties: false },
        ),
      ),
    ),
    waste: Maybe(Type.Boolean({ description: 'For lines that do not say' })),
    delivery_fee: Maybe(Type.Boolean({ description: 'The fee goes back too' })),
    payment_methods: Maybe(Type.Array(NewPayment)),
    tip: Maybe(DecimalOrText({ description: 'So much of the tips goes back too' })),
    cash_shift_id: Maybe(Type.String({ format: 'uuid' })),
  },
  { $id: 'ReceiptRefund', additionalProperties: false },
)
export type Refund = Static<typeof Refund>

/** S2, P19: gives back all or some of a closed receipt, by a receipt of its own that is created closed. */
export async function refundReceipt(
  given: CommandContext,
  id: number,
  input: Refund,
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const sold = await lockReceipt(given, id, ifMatch)
  mustBeRefundable(sold)
  const context = notBefore(given, sold.receipt.closed_at)
  const earlier = await refundsOf(context.tx, context.caller.brand_id, [id])
  const before = givenBackBy(earlier)
  const parts = partsOf(sold, before, input)
  const after = withParts(sold, before, parts, input)
  const tips = tipsToReturn(sold, earlier, input)
  if (parts.length === 0 && after.delivery_fee === before.delivery_fee && tips.length === 0)
    throw notRefundable('Nothing is left to refund.')

  const amounts = refundAmounts(billOf(sold), before, after)
  const payments = await paymentsBack(context, sold, earlier, -amounts.total, input.payment_methods)
  const cashback = cashbackBack(sold, earlier, payments)
  const unsaved = refundOf(context, sold, amounts, { parts, before, payments, cashback })
  const shift_date = businessDay(context.now, await venueRule(context))
  // The movements point at it, so it is written first; its number is locked with the day's totals (P16).
  const refund = await saveReceipt(context, undefined, { ...unsaved, receipt: { ...unsaved.receipt, shift_date } })
  await moveStock(context, await stockBack(context, sold, refund, { before, after }))
  const { cash_shift_id } = input
  const { whole, cash_shift_id: shift } = await bookPayments(context, refund, {
    category: 'REFUND',
    payments,
    till: { cash_shift_id },
    cashback,
    tips,
    ended: 'closed',
  })
  await countInDay(context, refund)
  publishRefund(context, sold, refund)
  const number = await nextNumber(context, shift_date)
  return completeReceipt(context, {
    ...whole,
    receipt: { ...whole.receipt, number, ...(shift && { cash_shift_id: shift }) },
  })
}

/** What a refund of everything would give back now: of each line what is left, the fee, and their sum. */
export function leftToRefund(sold: WholeReceipt, earlier: readonly WholeReceipt[]): LeftToRefund {
  mustBeRefundable(sold)
  const before = givenBackBy(earlier)
  const delivery_fee = (sold.receipt.delivery_fee ?? 0) > 0 && !before.delivery_fee
  const parts = partsOf(sold, before, {})
  const after = withParts(sold, before, parts, { delivery_fee })
  return {
    lines: parts.map(({ line, count }) => ({ id: line.shown.id, count: fromScaled(count) })),
    delivery_fee,
    total: fromScaled(-refundAmounts(billOf(sold), before, after).total),
  }
}

export interface LeftToRefund {
  readonly lines: readonly { readonly id: number; readonly count: number }[]
  readonly delivery_fee: boolean
  readonly total: number
}

function mustBeRefundable({ receipt, rule }: WholeReceipt): void {
  if (receipt.status === CANCELLED) throw receiptCancelled()
  if (receipt.status !== CLOSED) throw notRefundable('This receipt is open: void its lines or cancel it.')
  if (receipt.parent_id !== undefined) throw notRefundable('This receipt is a refund.')
  if (rule === HISTORY) throw notRefundable('This receipt was imported as history.') // P22
}

/** A sold line, and how much of it goes back now. */
interface Part {
  readonly line: Line
  readonly count: number
  readonly waste: boolean
}

function partsOf(sold: WholeReceipt, before: GivenBack, input: Refund): Part[] {
  const lines = new Map(sold.lines.filter((line) => !isVoid(line)).map((line) => [line.shown.id, line]))
  const leftOf = ({ shown }: Line) => toScaled(shown.count)! - (before.counts.get(shown.id) ?? 0)
  const { waste: isWaste = false } = input
  if (!input.lines)
    return [...lines.values()].flatMap((line) =>
      leftOf(line) > 0 ? [{ line, count: leftOf(line), waste: isWaste }] : [],
    )
  const faults: FieldProblem[] = []
  const seen = new Set<number>()
  const parts = input.lines.map(({ id, count, waste = isWaste }, index): Part => {
    const line = lines.get(id)
    const add = (member: string, rule: string, must: string) =>
      faults.push({ field: `lines[${index}].${member}`, rule, message: `lines[${index}].${member} ${must}.` })
    if (!line) add('id', 'exists', `${id} is no line of this receipt that was sold`)
    else if (seen.has(id)) add('id', 'unique', `${id} is there twice`)
    else if (count !== undefined && count <= 0) add('count', 'minimum', 'must be above 0')
    else if (count !== undefined && !line.copied.sold_by_weight && !Number.isInteger(count))
      add('count', 'integer', 'must be a whole number: the product is not sold by weight') // P10
    seen.add(id)
    return { line: line!, count: count === undefined ? (line ? leftOf(line) : 0) : toScaled(count)!, waste }
  })
  refuse(faults)
  for (const { line, count } of parts) {
    const left = leftOf(line)
    if (left === 0 || count > left)
      throw notRefundable(`Of line ${line.shown.id} ${fromScaled(left)} is left to refund.`, {
        line_id: line.shown.id,
        left: fromScaled(left),
      })
  }
  return parts
}

function withParts({ receipt }: WholeReceipt, before: GivenBack, parts: readonly Part[], input: Refund): GivenBack {
  const hasFee = input.delivery_fee === true && (receipt.delivery_fee ?? 0) > 0
  if (hasFee && before.delivery_fee) throw notRefundable('The delivery fee was refunded already.')
  const counts = new Map(parts.map(({ line, count }) => [line.shown.id, count]))
  return together(before, { counts, delivery_fee: hasFee })
}

/** T15: at most what is left of the tips goes back. */
function tipsToReturn(sold: WholeReceipt, earlier: readonly WholeReceipt[], { tip }: Refund): Tip[] {
  if (tip === undefined) return []
  refuse(faultsOfTip('tip', tip, undefined, sold.terms.money_places))
  const left = tipsLeft([sold, ...earlier].flatMap(({ terms }) => terms.tips ?? []))
  const most = sumOf(left)
  if (toScaled(tip)! > most)
    refuse([fieldProblem('tip', 'maximum', `must be at most ${fromScaled(most)}, what is left`)])
  return tipsBack(left, toScaled(tip)!)
}

/** S7: what was earned on what goes back is taken back, and all of it with the last part. */
function cashbackBack(
  sold: WholeReceipt,
  earlier: readonly WholeReceipt[],
  payments: readonly Payment[],
): Cashback | undefined {
  const { cashback, money_places } = sold.terms
  if (!cashback) return undefined
  const sum = (member: keyof Cashback) => earlier.reduce((all, { terms }) => all - (terms.cashback?.[member] ?? 0), 0)
  const { base } = earnedCashback(payments, 0, money_places)
  const taken = partOf(unitOf(money_places), cashback.earned, sum('base') - base, cashback.base)
  return { base, earned: sum('earned') - taken }
}

interface Made {
  readonly parts: readonly Part[]
  readonly before: GivenBack
  readonly payments: readonly Payment[]
  readonly cashback: Cashback | undefined
}

function refundOf(
  { caller, now, ids }: CommandContext,
  sold: WholeReceipt,
  amounts: RefundAmounts,
  { parts, before, payments, cashback }: Made,
): WholeReceipt {
  const { receipt, terms, rule } = sold
  const { venue_id, terminal_id, customer_id, sale_type_id, discount_type, discount_value, service_charge } = receipt
  const shown = shownAmounts(amounts)
  const byLine = new Map(parts.map((part) => [part.line.shown.id, part]))
  return {
    receipt: {
      id: ids.take('receipt_id'),
      venue_id,
      cid: ids.uuid(),
      user_id: caller.user.id,
      ...definedOnly({ terminal_id }),
      source: 'POS', // P18
      ...definedOnly({ customer_id, sale_type_id }),
      status: CLOSED,
      lock: true,
      payment_methods: payments.map(({ method: { id, name }, amount }) => ({ id, name, amount: fromScaled(amount) })),
      ...definedOnly({ discount_type, discount_value, service_charge }),
      ...shown,
      order_status: 'COMPLETED',
      created_at: now,
      closed_at: now,
      paid: shown.total,
      remaining: 0,
      parent_id: receipt.id,
    },
    rule,
    terms: {
      money_places: terms.money_places,
      ...definedOnly({ charge_tax: terms.charge_tax, cashback }),
      ...(amounts.taxes.length > 0 && { taxes_included: amounts.taxes.map(({ included }) => included) }),
      given_back: {
        counts: [...before.counts].map(([id, count]) => ({ id, count })),
        delivery_fee: before.delivery_fee,
      },
    },
    lines: amounts.lines.map((line) =>
      lineBack({ id: ids.take('receipt_line_id'), cid: ids.uuid() }, byLine.get(line.id)!, line, now),
    ),
  }
}

/** The line that was sold with the amounts that go back. It was made once: it takes nothing, and no station makes it. */
function lineBack(
  named: { id: number; cid: string },
  { line, waste }: Part,
  amounts: RefundAmounts['lines'][number],
  now: string,
): Line {
  const { ticket_id: _, ...copied } = line.copied
  return {
    shown: {
      ...line.shown,
      ...named,
      ...shownLineAmounts(line, amounts),
      state: 'SERVED',
      created_at: now,
      updated_at: now,
    },
    copied: { ...copied, content: '', recipe: [], refunds: line.shown.id, waste },
  }
}

/** What the lines that are no waste bring back of what the sale took. */
async function stockBack(
  { tx, caller }: CommandContext,
  sold: WholeReceipt,
  refund: WholeReceipt,
  { before, after }: { before: GivenBack; after: GivenBack },
) {
  const taken = await tx.rows<MovedOut>(
    `select id, receipt_product_id, storage_id, product_id, modificator_id, quantity, total_cost from stock_operations
     where brand_id = ? and receipt_id = ? order by id`,
    [caller.brand_id, sold.receipt.id],
  )
  const ofLine = Map.groupBy(taken, ({ receipt_product_id }) => receipt_product_id)
  const counts = new Map(sold.lines.map(({ shown }) => [shown.id, toScaled(shown.count)!]))
  return refund.lines
    .filter(({ copied }) => !copied.waste)
    .flatMap(({ shown, copied }) => {
      const id = copied.refunds!
      const span = { before: before.counts.get(id) ?? 0, after: after.counts.get(id)!, sold: counts.get(id)! }
      const line = { receipt_id: refund.receipt.id, receipt_product_id: shown.id }
      return movementsBack(ofLine.get(id) ?? [], line, span)
    })
}

function publishRefund({ tx, caller }: CommandContext, { receipt }: WholeReceipt, refund: WholeReceipt): void {
  const { id, venue_id, status: state, order_status, total } = receipt
  tx.publish({
    brand_id: caller.brand_id,
    type: 'receipt.refunded',
    subject: String(id),
    venue_id,
    data: { id, status: { from: state, to: state }, order_status, changed: [], total, refund_id: refund.receipt.id },
  })
}
