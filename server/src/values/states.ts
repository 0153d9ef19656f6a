// States and kinds that go over the wire, each said once. Nothing is imported here: the pages bundle this file.

/** D3.5: states of a receipt. */
export const OPEN = 1
export const CLOSED = 2
export const CANCELLED = 3
export const RECEIPT_STATES = [OPEN, CLOSED, CANCELLED] as const

/** S4: states of a line. */
export const LINE_STATES = ['NEW', 'SENT', 'COOKING', 'READY', 'SERVED', 'VOID'] as const
export type LineState = (typeof LINE_STATES)[number]

/** S4: served and ready when all of its living lines are, cooking once one has begun, void without any. */
export function ticketState(lines: readonly LineState[]): LineState {
  const living = lines.filter((state) => state !== 'VOID')
  const all = (...states: LineState[]) => living.every((state) => states.includes(state))
  if (living.length === 0) return 'VOID'
  if (all('SERVED')) return 'SERVED'
  if (all('READY', 'SERVED')) return 'READY'
  return all('SENT') ? 'SENT' : 'COOKING'
}

/** S4: what each step in the kitchen does to a line. */
export const TICKET_STEPS = {
  start: { from: ['SENT'], to: 'COOKING' },
  ready: { from: ['SENT', 'COOKING'], to: 'READY' },
  recall: { from: ['READY'], to: 'COOKING' },
  serve: { from: ['READY'], to: 'SERVED' },
} as const satisfies Record<string, { from: readonly LineState[]; to: LineState }>
export type TicketStep = keyof typeof TICKET_STEPS

/** D3.5: how a receipt that was ordered is coming along. */
export const ORDER_STEPS = ['NEW', 'SCHEDULED', 'IN_PROGRESS', 'READY', 'PICKED_UP', 'COMPLETED', 'CANCELLED'] as const

/** P18: states of an order. */
export const ORDER_STATES = ['PENDING', 'RECEIVED', 'IGNORE', 'DELIVERED'] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** D3.5: how a discount is counted. */
export const UNDISCOUNTED = 0
export const PERCENT_OFF = 1
export const AMOUNT_OFF = 2
export const DISCOUNT_TYPES = [UNDISCOUNTED, PERCENT_OFF, AMOUNT_OFF] as const
export type DiscountType = (typeof DISCOUNT_TYPES)[number]

/** S7: kinds of payment methods. Payments of the house go to balances of the venue, the others to the customer's. */
export const PAYMENT_KINDS = ['CASH', 'CARD', 'CUSTOMER', 'CASHBACK', 'OTHER'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]
export const HOUSE_KINDS = ['CASH', 'CARD', 'OTHER'] as const
export const BALANCE_TYPES = [...HOUSE_KINDS, 'CUSTOMER', 'CASHBACK', 'SUPPLIER', 'STAFF'] as const
export type BalanceType = (typeof BALANCE_TYPES)[number]

/** T20: kinds of acts that a venue may want a reason for. */
export const REASON_KINDS = [
  'void',
  'cancel',
  'refund',
  'discount',
  'gift',
  'price',
  'correction',
  'drawer',
  'cash',
] as const
export type ReasonKind = (typeof REASON_KINDS)[number]

/** S6: states of a stock document. */
export const DRAFT = 2
export const PUBLISHED = 1

/** S6: types of stock documents. */
export const SUPPLY = 1 as const
export const TRANSFER = 3 as const
export const WASTE = 4 as const
export const GUEST_RETURN = 5 as const
export const PRODUCTION = 7 as const
export const COUNT = 9 as const
export const SUPPLIER_RETURN = 10 as const
export const OPENING_STOCK = 11 as const
export const DOCUMENT_TYPES = {
  [SUPPLY]: 'Supply',
  [TRANSFER]: 'Transfer',
  [WASTE]: 'Waste',
  [GUEST_RETURN]: 'Guest return',
  [PRODUCTION]: 'Production',
  [COUNT]: 'Stock count',
  [SUPPLIER_RETURN]: 'Return to supplier',
  [OPENING_STOCK]: 'Opening stock',
} as const
export type DocumentType = keyof typeof DOCUMENT_TYPES

/** Cooking time of a ticket whose dishes state none, in minutes: past it, the ticket is late. */
export const USUAL_COOKING_MINUTES = 10

/** How a printer was seen last (R11). */
export const PRINTER_STATES = [
  'ready',
  'paper_low',
  'paper_out',
  'cover_open',
  'error',
  'unreachable',
  'silent',
] as const
export type PrinterState = (typeof PRINTER_STATES)[number]

/** States of a print job (R8). */
export const JOB_STATES = ['waiting', 'sending', 'unsure', 'printed', 'moved', 'cancelled', 'expired'] as const
export type JobState = (typeof JOB_STATES)[number]

/** Switches of a virtual printer (R17). */
export const VIRTUAL_FAULTS = ['paper_out', 'cover_open', 'away'] as const
export type VirtualFault = (typeof VIRTUAL_FAULTS)[number]
