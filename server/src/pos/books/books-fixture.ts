import type { Row } from '../../../test/database/store.ts'
import type { ReceiptLine } from '../../resources/sales/receipt-schema.ts'
import { toScaled } from '../../values/values.ts'
import type { Line } from '../receipts/line.ts'
import { reservedBy } from '../receipts/store.ts'
import { type WholeReceipt, withTotals } from '../receipts/whole-receipt.ts'
import { TOTALS_RULE } from '../totals.ts'
import type { Finding } from './finding.ts'

/** Damage by hand leaves texts, columns and counters apart: that is I15 and I16, which stored.test.ts is about. */
export const isNotStored = ({ invariant }: Finding) => invariant !== 'I15' && invariant !== 'I16'

export const AT = '2026-02-01T10:00:00.000Z'
const VAT = { id: 1, name: 'VAT', rate: 100_000, included: true }

export const lineOf = (id: number, price: number, count: number, state: ReceiptLine['state'] = 'SENT'): Line => ({
  shown: {
    id,
    cid: `line-${id}`,
    product_id: 1,
    name: 'Tea',
    station_id: 4,
    count,
    portion_size: 1,
    price,
    subtotal: 0,
    discount_type: 0,
    discount_value: 0,
    total_discount: 0,
    receipt_discount: 0,
    total: 0,
    is_gift: false,
    allergy: false,
    hold: false,
    state,
    modifiers: [],
    taxes: [],
    created_at: AT,
    updated_at: AT,
  },
  copied: {
    content: '',
    taxes: [VAT],
    recipe: [{ product_id: 1, gross: 10_000 }],
    ticket_id: id,
    sold_by_weight: false,
    discountable: true,
    giftable: true,
    ignore_service_charge: false,
  },
})

const ACCOUNT = 950

/** A receipt as our own export has it. */
export function whole(id: number, lines: Line[], more: Partial<WholeReceipt['receipt']> = {}): Row {
  const { payment_methods = [] } = more
  const payments = payment_methods.map((payment) => ({
    id: payment.id!,
    kind: 'CARD' as const,
    balance_id: ACCOUNT,
    amount: toScaled(payment.amount!)!,
  }))
  const complete = withTotals({
    receipt: {
      id,
      venue_id: 1,
      status: 1,
      lock: false,
      payment_methods: [],
      discount_type: 1,
      discount_value: 10,
      service_charge: 10,
      delivery_fee: 0,
      created_at: AT,
      updated_at: AT,
      paid: 0,
      number: id,
      version: 3,
      ...more,
    },
    rule: TOTALS_RULE,
    terms: { money_places: 2, ...(payments.length > 0 && { payments }) },
    lines,
  })
  const { receipt, rule, terms } = complete
  return {
    kind: 'receipt',
    ...receipt,
    rule,
    terms,
    receipt_products: complete.lines.map((line) => ({
      ...line.shown,
      copied: line.copied,
      ...(reservedBy(complete, line).length > 0 && { reserved: reservedBy(complete, line) }),
    })),
  }
}

/** The transaction of a payment, as our own export has it. */
export const saleOf = (id: number, receipt_id: number, amount: number): Row[] => [
  { kind: 'balance', id: ACCOUNT, venue_id: 1, name: 'Card', type: 'CARD', position: 1 },
  { kind: 'finance_category', id: 90, name: 'Sales', type: 'INCOME', system_type: 'SALE', status: 1 },
  {
    kind: 'transaction',
    id,
    venue_id: 1,
    balance_id: ACCOUNT,
    category_id: 90,
    step: 1,
    amount,
    before_amount: 0,
    after_amount: amount,
    receipt_id,
    operated_at: AT,
  },
]

export const ROWS: Row[] = [
  { kind: 'venue', id: 2, name: 'Other' },
  { kind: 'product', id: 1, name: 'Tea', type: 'PRODUCT' },
  { kind: 'terminal', id: 8, venue_id: 2, name: 'Till', status: 1 },
  whole(1, [lineOf(11, 3.33, 1), lineOf(12, 4.5, 3)]),
  whole(2, [lineOf(21, 5, 2, 'SERVED')], {
    status: 2,
    closed_at: AT,
    paid: 9.9,
    payment_methods: [{ id: 1, name: 'Cash', amount: 9.9 }],
  }),
  whole(3, [lineOf(31, 5, 2, 'VOID')], { status: 3, deleted_at: AT }),
  { kind: 'receipt', id: 4, venue_id: 1, status: 2, total: 99, subtotal: 1 }, // history: anything goes
  { kind: 'stock_operation', id: 1, venue_id: 1, receipt_id: 2, receipt_product_id: 21, product_id: 1, quantity: -2 },
  ...saleOf(1, 2, 9.9),
]
