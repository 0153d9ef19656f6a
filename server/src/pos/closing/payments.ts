import Type, { type Static } from 'typebox'
import { type FieldProblem, fieldProblem } from '../../http/errors.ts'
import { DecimalOrText, Maybe, Trimmed } from '../../resource/values.ts'
import { isActiveAt } from '../../resources/places/per-venue.ts'
import type { BookedPayment } from '../../resources/sales/receipt-schema.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { refuse } from '../receipts/line.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'
import { roundTo, unitOf } from '../rounding.ts'

// What is paid of a receipt and by which methods: pure, amounts ×10,000.

const MAX_PAYMENTS = 50

export const NewPayment = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'The payment method’s' }),
    amount: DecimalOrText(),
    name: Maybe(Type.String({ description: 'Read; the receipt shows the method’s own name' })),
    tip: Maybe(DecimalOrText({ description: 'Given on top of it (T12)' })),
    share: Maybe(Trimmed({ maxLength: 40, description: 'The share that it pays, where several do (T8)' })),
  },
  { $id: 'Payment', additionalProperties: false },
)
export type NewPayment = Static<typeof NewPayment>

/** A payment method as the brand has it now; of a payment that was booked, as it was then. */
export interface Method {
  readonly id: number
  readonly name: string
  readonly kind: BookedPayment['kind']
  readonly status?: Readonly<Record<string, number>>
  readonly customer_required?: number
  /** Whether it keeps its kind already. */
  readonly isUsed?: boolean
}
export type Methods = ReadonlyMap<number, Method>

/** Negative where it is paid back. */
export interface Payment {
  readonly method: Method
  readonly amount: number
  /** The balance that it was booked on, to which it goes back whatever became of its method (I14). */
  readonly balance_id?: number
  /** T8: the label of the share that it pays. */
  readonly share?: string | undefined
  /** T12: what was given on top of it. */
  readonly tip?: number
}

/** Puts the payments that a receipt shows beside what was booked of them. What an import brought with history was not booked here (P22). */
export function besideBooked<Shown extends { readonly id?: number; readonly amount?: number }>(
  shown: readonly Shown[],
  booked: readonly BookedPayment[],
): { shown: Shown; booked: BookedPayment | undefined }[] {
  const left = [...booked]
  return shown.map((payment) => {
    const index = left.findIndex(({ id, amount }) => id === payment.id && amount === toScaled(payment.amount ?? 0))
    return { shown: payment, booked: index === -1 ? undefined : left.splice(index, 1)[0] }
  })
}

export const sumOf = (payments: readonly { readonly amount: number }[]) =>
  payments.reduce((sum, { amount }) => sum + amount, 0)

/** Reads what is paid of a receipt, or refuses it with everything that is wrong. The sum is another question. */
export function readPayments(
  input: readonly NewPayment[],
  { receipt, terms }: Pick<WholeReceipt, 'receipt' | 'terms'>,
  methods: Methods,
  member = 'payment_methods',
): Payment[] {
  const faults: FieldProblem[] = []
  const unit = unitOf(terms.money_places)
  const add = (field: string, rule: string, must: string) => faults.push(fieldProblem(field, rule, must))
  if (input.length > MAX_PAYMENTS) add(member, 'maximum', `must have at most ${MAX_PAYMENTS} payments`)
  const payments = input.map(({ id, amount, tip, share }, index): Payment => {
    const path = `${member}[${index}]`
    const method = methods.get(id)
    const wrong = methodFaults(`${path}.id`, id, method, receipt)
    faults.push(...wrong)
    if (wrong.length === 0 && needsCustomer(method!) && receipt.customer_id === undefined)
      add(`${path}.id`, 'customer', `${id} needs a customer, and the receipt has none`)
    const scaled = toScaled(amount)!
    if (scaled <= 0) add(`${path}.amount`, 'minimum', 'must be above 0')
    else if (BigInt(scaled) % unit !== 0n)
      add(`${path}.amount`, 'decimals', `must have at most ${terms.money_places} decimals`) // P8
    if (tip !== undefined) faults.push(...faultsOfTip(`${path}.tip`, tip, method, terms.money_places))
    return { method: method!, amount: scaled, share, ...(tip !== undefined && { tip: toScaled(tip)! }) }
  })
  refuse(faults)
  return payments
}

/** A method is the brand's, and on at the venue. */
export function methodFaults(
  field: string,
  id: number,
  method: Method | undefined,
  { venue_id }: { readonly venue_id: number },
): FieldProblem[] {
  if (!method) return [fieldProblem(field, 'exists', `${id} is no payment method of this brand`)]
  return isActiveAt(method.status, venue_id) ? [] : [fieldProblem(field, 'active', `${id} is off at this venue`)]
}

/** T12: a tip is above 0, and money of the house until it is paid out. */
export function faultsOfTip(
  field: string,
  tip: number,
  method: Method | undefined,
  money_places: number,
): FieldProblem[] {
  const scaled = toScaled(tip)
  if (scaled === undefined || scaled <= 0) return [fieldProblem(field, 'minimum', 'must be above 0')]
  if (BigInt(scaled) % unitOf(money_places) !== 0n)
    return [fieldProblem(field, 'decimals', `must have at most ${money_places} decimals`)]
  if (method?.kind === 'CUSTOMER' || method?.kind === 'CASHBACK')
    return [fieldProblem(field, 'kind', `is not given by method ${method.id}, which is a customer’s balance`)]
  return []
}

const needsCustomer = ({ kind, customer_required }: Method) =>
  customer_required === 1 || kind === 'CUSTOMER' || kind === 'CASHBACK'

/** S2: a receipt is closed by what remains of it, and at the total that the guest was shown. */
export function refuseOtherSum(
  { receipt }: WholeReceipt,
  payments: readonly Payment[],
  shown: number | undefined,
): void {
  const { total = 0, remaining = 0 } = receipt
  const sum = fromScaled(sumOf(payments))
  refuse([
    ...(shown !== undefined && shown !== total
      ? [fieldProblem('total', 'same', `is ${shown}, and that of the receipt is ${total}`)]
      : []),
    ...(sum === remaining
      ? []
      : [
          {
            field: 'payment_methods',
            rule: 'sum',
            message: `The payments add up to ${sum}, and ${remaining} remains.`,
          },
        ]),
  ])
}

/** S2: a part is more than nothing and no more than what remains. */
export function refuseOtherPart({ receipt }: WholeReceipt, payments: readonly Payment[]): void {
  const { remaining = 0 } = receipt
  const sum = fromScaled(sumOf(payments))
  if (sum > 0 && sum <= remaining) return
  const message = sum === 0 ? 'Give at least one payment.' : `The payments add up to ${sum}, and ${remaining} remains.`
  refuse([{ field: 'payment_methods', rule: 'sum', message }])
}

/** The receipt with these payments beside those that it had. */
export function withPayments(whole: WholeReceipt, payments: readonly Payment[]): WholeReceipt {
  if (payments.length === 0) return whole
  const { payment_methods = [], paid = 0, remaining = 0 } = whole.receipt
  const sum = sumOf(payments)
  return {
    ...whole,
    receipt: {
      ...whole.receipt,
      payment_methods: [
        ...payment_methods,
        ...payments.map(({ method: { id, name }, amount, share }) => ({
          id,
          name,
          amount: fromScaled(amount),
          ...definedOnly({ share }),
        })),
      ],
      paid: fromScaled(toScaled(paid)! + sum),
      remaining: fromScaled(toScaled(remaining)! - sum),
    },
  }
}

/** What a receipt was paid with, by method; what was paid back is taken off. */
export function paidByMethod(receipts: readonly WholeReceipt['receipt'][]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const { id = 0, amount = 0 } of receipts.flatMap(({ payment_methods = [] }) => payment_methods))
    sums.set(id, (sums.get(id) ?? 0) + toScaled(amount)!)
  return sums
}

/** S7: what was not paid with the customer's own balances earns cashback. `percent` is ×10,000. */
export function earnedCashback(payments: readonly Payment[], percent: number, money_places: number) {
  const base = sumOf(payments.filter(({ method }) => method.kind !== 'CUSTOMER' && method.kind !== 'CASHBACK'))
  return { base, earned: Number(roundTo(unitOf(money_places), BigInt(base) * BigInt(percent), 1_000_000n)) }
}
