import { fieldProblem } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { fromScaled } from '../../values/values.ts'
import { paymentsOf } from '../closing/booking.ts'
import { type NewPayment, type Payment, readPayments, sumOf } from '../closing/payments.ts'
import { refuse } from '../receipts/line.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'

/**
 * P19: money goes back by methods of the receipt, by each at most what it paid, and to the balances that it was booked on, whatever became
 * of the methods (I14). Where nothing is said, in the order in which they paid.
 */
export async function paymentsBack(
  context: CommandContext,
  sold: WholeReceipt,
  earlier: readonly WholeReceipt[],
  amount: number,
  input: readonly NewPayment[] | undefined,
): Promise<Payment[]> {
  const all: Payment[] = []
  for (const { receipt, terms } of [sold, ...earlier])
    all.push(...(await paymentsOf(context, receipt.payment_methods ?? [], terms.payments)))
  const left = leftOf(all)
  const payments = input
    ? readBack(input, sold, left, amount).flatMap((each) => {
        return takenOff(
          left.filter(({ method }) => method.id === each.method.id),
          each.amount,
        )
      })
    : takenOff(left, amount)
  return payments.map((payment) => ({ ...payment, amount: -payment.amount }))
}

/** A payment of which something may go back yet. */
type Left = Payment & { amount: number }

/** What is left of payments, by method, and by account if the accounts of all payments by the method are known. */
function leftOf(payments: readonly Payment[]): Left[] {
  const unknown = new Set(payments.flatMap(({ method, balance_id }) => (balance_id === undefined ? [method.id] : [])))
  const left = new Map<string, Left>()
  for (const payment of payments) {
    const { method, balance_id, amount } = payment
    const key = unknown.has(method.id) ? `${method.id}` : `${method.id} ${method.kind} ${balance_id}`
    const known = left.get(key)
    if (known) known.amount += amount
    else left.set(key, { ...payment })
  }
  return [...left.values()]
}

/** Takes an amount off the first of them, then off the next. */
function takenOff(left: readonly Left[], amount: number): Payment[] {
  let rest = amount
  return left.flatMap((each) => {
    const back = Math.min(each.amount, rest)
    if (back <= 0) return []
    rest -= back
    each.amount -= back
    return [{ ...each, amount: back }]
  })
}

function readBack(input: readonly NewPayment[], sold: WholeReceipt, left: readonly Left[], amount: number): Payment[] {
  // One that was switched off since still gives back what it took.
  const methods = new Map(left.map(({ method }) => [method.id, { ...method, status: {} }]))
  refuse(
    input.flatMap(({ id }, index) => {
      const field = `payment_methods[${index}].id`
      const message = `${field} ${id} is no method by which the receipt was paid.`
      return methods.has(id) ? [] : [{ field, rule: 'used', message }]
    }),
  )
  refuse(
    input.flatMap(({ tip }, index) =>
      // Not passed over: the guest would be told that it came back.
      tip === undefined ? [] : [fieldProblem(`payment_methods[${index}].tip`, 'place', 'must be beside them, as tip')],
    ),
  )
  const payments = readPayments(input, sold, methods)
  const byMethod = Map.groupBy(payments, ({ method }) => method.id)
  const sum = sumOf(payments)
  refuse([
    ...[...byMethod].flatMap(([id, own]) => {
      const [back, most] = [sumOf(own), sumOf(left.filter(({ method }) => method.id === id))]
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
