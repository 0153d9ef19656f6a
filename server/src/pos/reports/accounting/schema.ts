import Type, { type Static } from 'typebox'
import { DateTime, Decimal, Maybe } from '../../../resource/values.ts'

// Files for an accountant. Their members, in this order, are the columns of the CSV.

const Text = () => Type.Union([Type.String(), Type.Null()])
const Id = () => Type.Union([Type.Integer(), Type.Null()])

/** A receipt that was closed, or a refund, which has negative amounts. */
export const ReceiptFileRow = Type.Object({
  id: Type.Integer(),
  venue_id: Type.Integer(),
  shift_date: Type.String({ format: 'date', description: 'The business day' }),
  number: Maybe(Type.Integer()),
  created_at: DateTime(),
  closed_at: DateTime(),
  parent_id: Maybe(Type.Integer({ description: 'The receipt that a refund belongs to' })),
  sale_type: Text(),
  source: Maybe(Type.String()),
  person: Text(),
  fiscal_id: Maybe(Type.String()),
  payments: Type.String({ description: 'Methods and amounts' }),
  subtotal: Decimal(),
  total_discount: Decimal(),
  service_charge_value: Decimal(),
  delivery_fee: Decimal(),
  i_tax: Decimal(),
  e_tax: Decimal(),
  total: Decimal(),
})
export type ReceiptFileRow = Static<typeof ReceiptFileRow>

/** What was paid on a day by a method, by the taxes of what it paid for. */
export const PaymentFileRow = Type.Object({
  shift_date: Type.String({ format: 'date' }),
  payment_method_id: Id(),
  payment_method: Text(),
  tax: Text(),
  rate: Type.Union([Type.Number(), Type.Null()]),
  base: Decimal(),
  tax_amount: Decimal(),
  amount: Type.Number({ description: 'base + tax_amount; what no tax was taken of has a row without a tax' }),
})
export type PaymentFileRow = Static<typeof PaymentFileRow>

/** A movement of money; one of no venue was imported. */
export const TransactionFileRow = Type.Object({
  id: Type.Integer(),
  operated_at: DateTime(),
  venue_id: Id(),
  balance: Text(),
  category: Text(),
  amount: Decimal(),
  before_amount: Decimal(),
  after_amount: Decimal(),
  receipt_id: Id(),
  operation_id: Id(),
  person: Text(),
  description: Maybe(Type.String()),
})
export type TransactionFileRow = Static<typeof TransactionFileRow>
