import type { BillLine, BillTax, PrintDocument, Sale, TicketLine } from '../../printing/documents.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { fromScaled } from '../../values/values.ts'
import { isVoid, type Line } from '../receipts/line.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'
import type { SaleNames, VenuePapers } from './facts.ts'

// R3: a receipt as the documents that its papers are made of. Pure: names and settings were read before.

interface OfStation {
  readonly station: string
  readonly course?: string | undefined
  /** Why it must not be made. */
  readonly reason?: string | undefined
}

/** What a station makes, or must not make any more. */
export function stationDocument(
  kind: 'ticket' | 'void',
  { receipt }: WholeReceipt,
  lines: readonly Line[],
  { station, course, reason }: OfStation,
  names: SaleNames,
  at: string,
): PrintDocument {
  const number = receipt.order_number ?? (receipt.number === undefined ? undefined : String(receipt.number))
  const { table, sale_type, waiter, isDelivery } = names
  return {
    kind,
    station,
    place: table ?? number ?? String(receipt.id),
    ...(table !== undefined && definedOnly({ number })),
    ...definedOnly({ sale_type, waiter, guests: receipt.guests }),
    ...definedOnly({ course, reason }),
    at,
    lines: lines.map(ticketLine),
    ...(isDelivery && definedOnly({ deliver_to: receipt.address })), // R20: no other ticket names a guest
  }
}

const ticketLine = ({ shown }: Line): TicketLine => ({
  count: shown.count,
  name: shown.name,
  ...(shown.modifiers.length > 0 && { modifiers: shown.modifiers.map(({ name, count }) => ({ name, count })) }),
  ...definedOnly({ note: shown.note, seat: shown.seat }),
  ...(shown.allergy && { allergy: true }),
})

/** The sale as a bill or a receipt shows it: all of P11. */
export function saleOf(whole: WholeReceipt, names: SaleNames, units: ReadonlyMap<number, string>, at: string): Sale {
  const { receipt, lines } = whole
  const { table, sale_type, waiter, customer } = names
  return {
    number: receipt.number ?? receipt.id,
    ...definedOnly({ table, sale_type, order_number: receipt.order_number, waiter, guests: receipt.guests, customer }),
    at,
    lines: lines.filter((line) => !isVoid(line)).map((line) => billLine(line, units)),
    subtotal: receipt.subtotal ?? 0,
    discount: receipt.total_discount ?? 0,
    service_charge: receipt.service_charge_value ?? 0,
    ...definedOnly({ service_rate: receipt.service_charge }),
    delivery_fee: receipt.delivery_fee ?? 0,
    excluded_tax: receipt.e_tax ?? 0,
    total: receipt.total ?? 0,
    taxes: taxesOf(whole),
    payments: (receipt.payment_methods ?? []).map(({ name = '', amount = 0 }) => ({ name, amount })),
    remaining: receipt.remaining ?? 0,
  }
}

const billLine = ({ shown, copied }: Line, units: ReadonlyMap<number, string>): BillLine => ({
  count: shown.count,
  name: shown.name,
  ...(copied.sold_by_weight && definedOnly({ unit: units.get(shown.product_id) })),
  price: shown.price,
  subtotal: shown.subtotal,
  ...(shown.total_discount !== 0 && { discount: shown.total_discount }),
  ...(shown.is_gift && { is_gift: true }),
  ...(shown.modifiers.length > 0 && {
    modifiers: shown.modifiers.map(({ name, count, total }) => ({ name, count, total })),
  }),
})

const taxesOf = ({ receipt, terms }: WholeReceipt): BillTax[] =>
  (receipt.taxes ?? []).map(({ name, rate, base, amount }, index) => ({
    name,
    rate,
    included: terms.taxes_included?.[index] ?? true,
    base,
    amount,
  }))

/** Products of a receipt whose lines show a unit. */
export const weighed = ({ lines }: WholeReceipt): number[] =>
  lines.flatMap(({ shown, copied }) => (copied.sold_by_weight ? [shown.product_id] : []))

export const billDocument = ({ head }: VenuePapers, sale: Sale): PrintDocument => ({ kind: 'bill', head, sale })

/** A closed receipt, or the refund of one whose number is given. */
export function closedDocument(
  { head }: VenuePapers,
  { receipt, terms }: WholeReceipt,
  sale: Sale,
  original: number | undefined,
): PrintDocument {
  const { closed_at, fiscal_id, tip } = receipt
  const closed = { head, sale, closed_at: closed_at!, ...definedOnly({ fiscal_id, tip }) }
  if (original !== undefined) return { kind: 'refund', ...closed, original }
  return { kind: 'receipt', ...closed, ...(terms.change !== undefined && { change: fromScaled(terms.change) }) }
}

/** One payer's part (T8). */
export const shareDocument = (
  { head }: VenuePapers,
  whole: WholeReceipt,
  sale: Sale,
  share: { readonly label: string; readonly amount: number; readonly taxes: readonly Shared[] },
): PrintDocument => ({
  kind: 'share',
  head,
  sale,
  label: share.label,
  amount: share.amount,
  taxes: share.taxes.map(({ id, name, rate, amount }) => {
    const index = whole.receipt.taxes?.findIndex((tax) => tax.id === id) ?? -1
    const total = whole.receipt.taxes?.[index]
    const base = total?.amount ? (total.base * amount) / total.amount : 0
    return {
      name,
      rate,
      included: whole.terms.taxes_included?.[index] ?? true,
      base: Math.round(base * 10_000) / 10_000,
      amount,
    }
  }),
})

interface Shared {
  readonly id: number
  readonly name: string
  readonly rate: number
  readonly amount: number
}

/** Whether cash was booked with the change of a receipt: paid, or paid back. */
export function hasNewCash(before: WholeReceipt | undefined, { terms }: WholeReceipt): boolean {
  const known = before?.terms.payments?.length ?? 0
  return (terms.payments ?? []).slice(known).some(({ kind, amount }) => kind === 'CASH' && amount !== 0)
}

/** Lines that a station knew of and that are void now, by station. */
export function voidedLines(before: WholeReceipt | undefined, after: WholeReceipt): Map<number, Line[]> {
  const known = new Map(before?.lines.map((line) => [line.shown.id, line]))
  const gone = after.lines.filter((line) => {
    const was = known.get(line.shown.id)
    return isVoid(line) && was && !isVoid(was) && was.copied.ticket_id !== undefined && was.shown.state !== 'SERVED'
  })
  return Map.groupBy(gone, ({ shown }) => shown.station_id!)
}
