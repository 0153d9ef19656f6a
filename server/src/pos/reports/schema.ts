import Type, { type Static } from 'typebox'
import { Decimal } from '../../resource/values.ts'
import { DAY_AMOUNTS } from '../../resources/sales/day-totals.ts'

// The rows of reports. Their members, in this order, are also the columns of the CSV.

const Day = () => Type.String({ format: 'date', description: 'The business day' })
const Count = () => Type.Number({ description: 'Sold, less what was refunded' })

const amounts = Object.fromEntries(DAY_AMOUNTS.map((name) => [name, Decimal()])) as Record<
  (typeof DAY_AMOUNTS)[number],
  ReturnType<typeof Decimal>
>

/** One business day of the venues that were chosen. Refunds count against its amounts. */
export const DayRow = Type.Object({
  shift_date: Day(),
  receipts: Type.Integer(),
  refunds: Type.Integer(),
  ...amounts,
  average: Type.Number({ description: 'total ÷ receipts, in the brand’s places; 0 without a receipt' }),
})
export type DayRow = Static<typeof DayRow>

const Sold = {
  count: Count(),
  subtotal: Decimal(),
  discount: Decimal(),
  total: Decimal(),
  refunded: Type.Number({ description: 'What was given back, above 0; the other amounts are without it' }),
}

const Product = {
  id: Type.Integer(),
  name: Type.String(),
  category: Type.Union([Type.String(), Type.Null()]),
}

export const ProductRow = Type.Object({ ...Product, ...Sold })
export type ProductRow = Static<typeof ProductRow>

/** Products of no category are together. */
export const CategoryRow = Type.Object({
  id: Type.Union([Type.Integer(), Type.Null()]),
  name: Type.Union([Type.String(), Type.Null()]),
  ...Sold,
})
export type CategoryRow = Static<typeof CategoryRow>

/** T21: acts of one kind, by what they were added up by. */
export const ReasonRow = Type.Object({
  kind: Type.String(),
  id: Type.Union([Type.Integer(), Type.Null()]),
  name: Type.Union([Type.String(), Type.Null()]),
  count: Type.Integer(),
  amount: Decimal(),
})
export type ReasonRow = Static<typeof ReasonRow>

const Margin = {
  total: Decimal(),
  tax: Decimal(),
  cost: Type.Number({ description: 'What the stock movements took, in value' }),
  margin: Type.Number({ description: 'total − tax − cost' }),
}

export const DayMarginRow = Type.Object({ shift_date: Day(), ...Margin })
export type DayMarginRow = Static<typeof DayMarginRow>

export const ProductMarginRow = Type.Object({ ...Product, count: Count(), ...Margin })
export type ProductMarginRow = Static<typeof ProductMarginRow>
