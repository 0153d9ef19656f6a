import type { Row } from '../../../test/database/store.ts'
import { seeded, uuidOf } from '../../demo/random.ts'
import { fromScaled } from '../../values/values.ts'

// Receipts as rows, of any amounts: what counts is that reports say what these rows say.

export const HOUSE: Row[] = [
  ...[1, 2, 3].map((id) => ({ kind: 'venue', id, name: `Venue ${id}`, is_main: id === 1, time_zone: 'Europe/Paris' })),
  { kind: 'role', id: 1, name: 'Owner', permissions: ['*'] },
  {
    kind: 'role',
    id: 2,
    name: 'Manager',
    permissions: ['receipts:read', 'finance-taxes:read', 'finance-cash-shifts:read'],
  },
  { kind: 'role', id: 3, name: 'Cook', permissions: ['products:read'] },
  { kind: 'user', id: 1, username: 'owner', role_id: 1 },
  { kind: 'user', id: 2, username: 'manager', role_id: 2, venue_ids: [1, 2] },
  { kind: 'user', id: 3, username: 'cook', role_id: 3 },
  { kind: 'sale_type', id: 1, name: 'Here', system_type: 'IN', channel: 'IN', status: {}, position: 1 },
  ...['Cash', 'Card'].map((name, index) => ({
    kind: 'payment_method',
    id: index + 1,
    name,
    payment_kind: 'CARD',
    status: {},
    customer_required: 0,
    position: index,
  })),
  { kind: 'category', id: 1, name: 'Plates', type: 'PRODUCT', status: 1, hidden: false },
  { kind: 'category', id: 2, name: 'Drinks', type: 'PRODUCT', status: 1, hidden: false },
  { kind: 'product', id: 1, name: '=Galette, "complète"', type: 'DISH', category_id: 1 },
  { kind: 'product', id: 2, name: 'Cider', type: 'PRODUCT', category_id: 2 },
  { kind: 'product', id: 3, name: 'Gift card', type: 'PRODUCT' },
  {
    kind: 'product',
    id: 4,
    name: 'Pizza',
    type: 'DISH',
    category_id: 1,
    modifications: [{ id: 5, name: 'small', price: 9 }],
  },
  { kind: 'product', id: 50, name: 'Flour', type: 'INGREDIENT' },
]

/** The report of the one that is closed is as it was stored. */
export const STORED_REPORT = { sales: { receipts: 12, amount: 340.5 }, note: '=1+1' }

export const SHIFTS: Row[] = [1, 2, 3, 4].flatMap((number) => {
  const venue_id = Math.min(number, 3)
  const day = `2026-02-${10 + number}` // the first is before the range
  return [
    { kind: 'terminal', id: number, venue_id, name: `Till ${number}`, status: 1 },
    {
      kind: 'cash_shift',
      id: uuidOf('shift', number),
      venue_id,
      terminal_id: number,
      number,
      status: number === 2 ? 'CLOSED' : 'OPEN',
      opened_at: `${day}T08:00:00.000Z`,
      opened_by: 1,
      opening_amount: 100,
      expected_amount: 440.5,
      receipts: 12,
      shift_date: day,
      ...(number === 2 && {
        closing_amount: 440,
        difference: -0.5,
        closed_at: `${day}T20:00:00.000Z`,
        closed_by: 1,
        report: STORED_REPORT,
      }),
    },
  ]
})

const SOLD = [1, 2, 3, 5] as const
export const CATEGORY: Readonly<Record<number, string | null>> = { 1: 'Plates', 2: 'Drinks', 3: null, 5: 'Plates' }

export interface Line {
  readonly id: number
  readonly product_id: number
  readonly state: string
  readonly count: number
  readonly subtotal: number
  readonly total: number
  readonly tax: number
  readonly cost: number
}

/** ×10,000, as all amounts here. */
export interface Sale {
  readonly id: number
  readonly venue_id: number
  readonly shift_date: string
  readonly status: number
  readonly rule: number
  readonly refund: boolean
  readonly lines: readonly Line[]
  readonly service_charge_value: number
  readonly delivery_fee: number
  readonly i_tax: number
  readonly e_tax: number
}

export const sum = <Item>(items: readonly Item[], amount: (item: Item) => number) =>
  items.reduce((total, item) => total + amount(item), 0)

export const isLive = ({ state }: Line) => state !== 'VOID'
export const subtotalOf = ({ lines }: Sale) => sum(lines.filter(isLive), ({ subtotal }) => subtotal)
export const linesTotalOf = ({ lines }: Sale) => sum(lines.filter(isLive), ({ total }) => total)
export const totalOf = (sale: Sale) => linesTotalOf(sale) + sale.service_charge_value + sale.delivery_fee + sale.e_tax
export const costOf = ({ lines }: Sale) => sum(lines, ({ cost }) => cost)

/** Receipts of three venues and sixteen days: most of them closed here, some open, cancelled, refunds or history. */
export function sales(name: string, count: number): Sale[] {
  const random = seeded(name)
  return Array.from({ length: count }, (_, index) => {
    const refund = random.percent(10)
    const sign = refund ? -1 : 1
    const cents = (most: number) => random.between(0, most) * 100
    const lines = Array.from({ length: random.between(1, 4) }, (_none, lineIndex): Line => {
      const subtotal = cents(4_000)
      const discount = random.percent(30) ? Math.min(subtotal, cents(500)) : 0
      return {
        id: index * 10 + lineIndex + 1,
        product_id: random.pick(SOLD),
        state: random.percent(10) ? 'VOID' : 'SERVED',
        count: sign * random.between(1, 3) * 10_000,
        subtotal: sign * subtotal,
        total: sign * (subtotal - discount),
        tax: sign * Math.floor((subtotal - discount) / 1_100) * 100,
        cost: sign * random.between(0, 90_000), // four places
      }
    })
    const live = lines.filter(isLive)
    const charge_tax = sign * cents(20)
    return {
      id: index + 1,
      venue_id: random.pick([1, 1, 2, 3]),
      shift_date: `2026-02-${String(random.between(10, 25)).padStart(2, '0')}`,
      status: random.percent(90) ? 2 : random.pick([1, 3]),
      rule: random.percent(90) ? 1 : 0,
      refund,
      lines,
      service_charge_value: sign * (charge_tax + cents(300)) * (charge_tax < 0 ? -1 : 1),
      delivery_fee: random.percent(20) ? sign * cents(300) : 0,
      i_tax: sum(live, ({ tax }) => tax) + charge_tax,
      e_tax: sign * cents(50),
    }
  })
}

/** The seller and the channel of a sale, by its id. */
export const sellerOf = ({ id }: Sale) => [1, 2, null][id % 3]!
export const channelOf = ({ id }: Sale) => ({ id: id % 2 ? 1 : null, source: id % 5 ? null : 'app' })
/** By the ids of methods: a fifth is of no method that is known, half of the others are paid by two. */
export function paidBy(sale: Sale): Map<number | null, number> {
  const total = totalOf(sale)
  const first = sale.id % 2 ? total : Math.trunc(total / 300) * 100
  if (sale.id % 5 === 0) return new Map([[null, total]])
  return new Map(
    first === total
      ? [[1, total]]
      : [
          [1, first],
          [2, total - first],
        ],
  )
}

const TAXES = [
  { id: 1, name: 'VAT', rate: 100_000, included: true },
  { id: 2, name: 'City', rate: 10_000, included: false },
]

/** As a file of our own export has them, with the movements of their lines. */
export const rowsOf = (given: readonly Sale[]): Row[] => [...given.map(receiptRow), ...given.flatMap(movementRows)]

function receiptRow(sale: Sale): Row {
  const { id, venue_id, shift_date, status, rule, refund, lines } = sale
  const instant = `${shift_date}T12:00:00.000Z`
  return {
    kind: 'receipt',
    id,
    venue_id,
    cid: uuidOf('receipt', id),
    status,
    ...(refund && { parent_id: 1_000_000 + id }),
    user_id: sellerOf(sale),
    sale_type_id: channelOf(sale).id,
    source: channelOf(sale).source,
    payment_methods: [...paidBy(sale)].flatMap(([method, amount]) =>
      method === null ? [] : [{ id: method, name: `Method ${method}`, amount: fromScaled(amount) }],
    ),
    total: fromScaled(totalOf(sale)),
    subtotal: fromScaled(subtotalOf(sale)),
    total_discount: fromScaled(subtotalOf(sale) - linesTotalOf(sale)),
    service_charge_value: fromScaled(sale.service_charge_value),
    delivery_fee: fromScaled(sale.delivery_fee),
    i_tax: fromScaled(sale.i_tax),
    e_tax: fromScaled(sale.e_tax),
    total_tax: fromScaled(sale.i_tax + sale.e_tax),
    taxes: [
      { id: 1, name: 'VAT', rate: 10, base: fromScaled(10 * sale.i_tax), amount: fromScaled(sale.i_tax) },
      { id: 2, name: 'City', rate: 1, base: fromScaled(100 * sale.e_tax), amount: fromScaled(sale.e_tax) },
    ],
    shift_date,
    created_at: instant,
    ...(status === 2 && { closed_at: instant }),
    ...(rule > 0 && {
      rule,
      terms: { money_places: 2, taxes_included: TAXES.map(({ included }) => included) },
      version: 1,
    }),
    receipt_products: lines.map((line) => lineRow(line, rule)),
  }
}

function lineRow({ id, product_id, state, count, subtotal, total, tax }: Line, rule: number) {
  return {
    id,
    cid: uuidOf('line', id),
    product_id,
    name: `Product ${product_id}`,
    count: fromScaled(count),
    price: 1,
    subtotal: fromScaled(subtotal),
    receipt_discount: fromScaled(subtotal - total),
    total: fromScaled(total),
    state,
    taxes: [
      { id: 1, amount: fromScaled(tax) },
      { id: 2, amount: 0.5 },
    ],
    ...(rule > 0 && {
      copied: {
        content: '',
        taxes: TAXES,
        recipe: [],
        sold_by_weight: false,
        discountable: true,
        giftable: true,
        ignore_service_charge: false,
      },
    }),
  }
}

/** Two movements a line. */
const movementRows = ({ id: receipt_id, venue_id, lines }: Sale): Row[] =>
  lines.flatMap(({ id, cost }) => {
    const part = Math.floor(cost / 3)
    return [part, cost - part].map((value, index) => ({
      kind: 'stock_operation',
      id: id * 2 + index,
      venue_id,
      receipt_id,
      receipt_product_id: id,
      product_id: 50,
      quantity: -1,
      total_cost: fromScaled(-value),
    }))
  })
