import { fromScaled } from '../../values/values.ts'
import { paymentsOf } from '../closing/booking.ts'
import {
  type AskedPayment,
  type Methods,
  type Payment,
  paidByMethod,
  readPayments,
  sumOf,
} from '../closing/payments.ts'
import type { CommandContext } from '../context.ts'
import type { Draft } from '../receipts/draft.ts'
import { refuse } from '../receipts/line.ts'

/**
 * P19: money goes back by methods of the receipt, by each at most what it paid. Where nothing is said, in the order in which they paid.
 * A method that was switched off since still gives back what it took.
 */
export async function paymentsBack(
  context: CommandContext,
  sold: Draft,
  earlier: readonly Draft[],
  amount: number,
  asked: readonly AskedPayment[] | undefined,
): Promise<Payment[]> {
  const left = paidByMethod([sold, ...earlier].map(({ receipt }) => receipt))
  const methods = new Map(
    (await paymentsOf(context, sold.receipt.payment_methods ?? [])).map(({ method }) => [method.id, method]),
  )
  const payments = asked ? readBack(asked, sold, methods, left, amount) : sharedBack(methods, left, amount)
  return payments.map(({ method, amount: back }) => ({ method, amount: -back }))
}

function sharedBack(methods: Methods, left: ReadonlyMap<number, number>, amount: number): Payment[] {
  let rest = amount
  return [...left].flatMap(([id, most]) => {
    const method = methods.get(id)!
    const back = Math.min(most, rest)
    rest -= back
    return back > 0 ? [{ method, amount: back }] : []
  })
}

function readBack(
  asked: readonly AskedPayment[],
  sold: Draft,
  methods: Methods,
  left: ReadonlyMap<number, number>,
  amount: number,
): Payment[] {
  refuse(
    asked.flatMap(({ id }, index) => {
      const field = `payment_methods[${index}].id`
      const message = `${field} ${id} is no method by which the receipt was paid.`
      return methods.has(id) ? [] : [{ field, rule: 'used', message }]
    }),
  )
  const active = new Map([...methods].map(([id, method]) => [id, { ...method, status: {} }]))
  const payments = readPayments(asked, sold, active)
  const byMethod = Map.groupBy(payments, ({ method }) => method.id)
  const sum = sumOf(payments)
  refuse([
    ...[...byMethod].flatMap(([id, own]) => {
      const [back, most] = [sumOf(own), left.get(id) ?? 0]
      if (back <= most) return []
      const message = `By method ${id} ${fromScaled(back)} would go back, and it paid ${fromScaled(most)}.`
      return [{ field: 'payment_methods', rule: 'maximum', message }]
    }),
    ...(sum === amount
      ? []
      : [
          {
            field: 'payment_methods',
            rule: 'sum',
            message: `The payments add up to ${fromScaled(sum)}, and the refund to ${fromScaled(amount)}.`,
          },
        ]),
  ])
  return payments
}
