import Type from 'typebox'
import { fromScaled } from '../values/values.ts'
import { type Bill, type BillLine, type LineTotals, TOTALS_RULE, totalsOf } from './totals.ts'

/** What include=calculation shows. Each step has further values of its own, of the whole receipt or of its lines. */
export const Calculation = Type.Object(
  {
    rule: Type.Integer({ description: 'The version of the rule that makes totals' }),
    money_places: Type.Integer(),
    steps: Type.Array(
      Type.Object(
        {
          step: Type.Integer({ description: '1 to 9, in the order in which a total is made' }),
          name: Type.String(),
          value: Type.Optional(Type.Number({ description: 'What the step comes to; the last one is the total' })),
        },
        { additionalProperties: true },
      ),
    ),
  },
  { $id: 'Calculation' },
)

/** Every step of P11 with its values, in the wire's decimals: how the total of a receipt came about. */
export function calculationOf(bill: Bill) {
  const totals = totalsOf(bill)
  const byId = new Map(bill.lines.map((line) => [line.id, line]))
  const ofLines = <Shown>(show: (line: BillLine, made: LineTotals) => Shown) =>
    totals.lines.map((made) => ({ id: made.id, ...show(byId.get(made.id)!, made) }))
  const sumOf = (values: readonly number[]) => fromScaled(values.reduce((sum, value) => sum + value, 0))

  return {
    rule: TOTALS_RULE,
    money_places: bill.money_places,
    steps: [
      {
        step: 1,
        name: 'unit price',
        lines: ofLines(({ price, modifiers }, { unit_price, intervals }) => ({
          ...(intervals
            ? { intervals: intervals.map((each) => ({ count: each.count, price: fromScaled(each.price) })) }
            : { price: fromScaled(price) }),
          modifiers: modifiers.map((each) => ({ id: each.id, price: fromScaled(each.price), count: each.count })),
          value: fromScaled(unit_price),
        })),
      },
      {
        step: 2,
        name: 'subtotal',
        lines: ofLines(({ count, portion_size }, { subtotal }) => ({
          count: fromScaled(count),
          portion_size: fromScaled(portion_size),
          value: fromScaled(subtotal),
        })),
        value: fromScaled(totals.subtotal),
      },
      {
        step: 3,
        name: 'line discount',
        lines: ofLines(({ discount_type, discount_value, is_gift }, { total_discount }) => ({
          discount_type,
          discount_value: fromScaled(discount_value),
          is_gift,
          value: fromScaled(total_discount),
        })),
        value: sumOf(totals.lines.map(({ total_discount }) => total_discount)),
      },
      {
        step: 4,
        name: 'receipt discount',
        base: fromScaled(totals.discount_base),
        discount_type: bill.discount_type,
        discount_value: fromScaled(bill.discount_value),
        value: fromScaled(totals.receipt_discount),
      },
      {
        step: 5,
        name: 'shares of the receipt discount',
        lines: ofLines((_, { receipt_discount, total }) => ({
          receipt_discount: fromScaled(receipt_discount),
          value: fromScaled(total),
        })),
        value: sumOf(totals.lines.map(({ total }) => total)),
      },
      {
        step: 6,
        name: 'service charge',
        base: fromScaled(totals.service_charge_base),
        rate: fromScaled(bill.service_charge),
        value: fromScaled(totals.service_charge_value),
      },
      { step: 7, name: 'delivery fee', value: fromScaled(totals.delivery_fee) },
      {
        step: 8,
        name: 'taxes',
        taxes: totals.taxes.map(
          ({ id, name, rate, included, base, lines, amount, on_service_charge, on_delivery_fee }) => ({
            id,
            name,
            rate: fromScaled(rate),
            included,
            base: fromScaled(base),
            lines: lines.map((line) => ({ id: line.id, value: fromScaled(line.amount) })),
            on_service_charge: fromScaled(on_service_charge),
            on_delivery_fee: fromScaled(on_delivery_fee),
            value: fromScaled(amount),
          }),
        ),
        i_tax: fromScaled(totals.i_tax),
        e_tax: fromScaled(totals.e_tax),
        value: fromScaled(totals.total_tax),
      },
      {
        step: 9,
        name: 'total',
        lines: sumOf(totals.lines.map(({ total }) => total)),
        service_charge: fromScaled(totals.service_charge_value),
        delivery_fee: fromScaled(totals.delivery_fee),
        e_tax: fromScaled(totals.e_tax),
        value: fromScaled(totals.total),
      },
    ],
  }
}
