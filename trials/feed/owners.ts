import { kindOf } from '../../server/src/events/catalogue.ts'
import { RESOURCES } from '../../server/src/resources/catalogue.ts'
import type { LoggedChange } from './row-log.ts'

/** The object whose event tells of a row (E2), by the event's kind and subject. */
type Owner = (row: LoggedChange['row']) => string

const keyOf = (kind: string, subject: unknown) => `${kind} ${subject}`
const ofReceipt: Owner = ({ receipt_id }) => keyOf('receipt', receipt_id)

/** A transaction belongs to what it was booked for; one that opens a balance of the house came with its payment method. */
const ofBooked: Owner = ({ receipt_id, operation_id, cash_shift_id, customer_id, supplier_id }) => {
  if (receipt_id !== null) return keyOf('receipt', receipt_id)
  if (operation_id !== null) return keyOf('operation', operation_id)
  if (cash_shift_id !== null) return keyOf('cash_shift', cash_shift_id)
  if (customer_id !== null) return keyOf('customer', customer_id)
  return supplier_id === null ? 'payment_method' : keyOf('supplier', supplier_id)
}

/** Rows that are no objects of their own, or are not named by their id. */
const OWNERS: Readonly<Record<string, Owner>> = {
  brands: ({ slug }) => keyOf('brand', slug),
  quotas: () => 'brand',
  credentials: ({ client_id }) => keyOf('credential', client_id),
  products: ({ id, parent_id }) => keyOf('product', parent_id ?? id),
  prices: ({ list_id }) => keyOf('price_list', list_id),
  stop_list: ({ id, venue_id }) => `${keyOf('stop_list', id)} of ${venue_id}`,
  stock_operations: ({ venue_id }) => `stock of ${venue_id}`,
  operation_items: ({ operation_id }) => keyOf('operation', operation_id),
  transactions: ofBooked,
  receipt_lines: ofReceipt,
  tickets: ofReceipt,
  reservations: ofReceipt,
}

const kinds = new Map(RESOURCES.map(({ table, kind }) => [table, kind]))

/** What a row's event is to be known by, one of these; none: nobody has said. */
export function ownersOf({ table, row }: LoggedChange): string[] {
  const own = OWNERS[table]
  if (own) return [own(row)]
  const kind = kinds.get(table)
  if (kind === undefined) return []
  return table === 'cash_shifts' ? [keyOf(kind, row.id), 'receipt'] : [keyOf(kind, row.id)] // a sale moves its shift
}

/** What else an event may tell of for the same row: a reversal also publishes an event of the document that it undoes. */
export const alsoPublished = ({ table, row }: LoggedChange): string[] =>
  table === 'operations' && row.reverses_id !== null ? [keyOf('operation', row.reverses_id)] : []

/** What an event is known by: all that `ownersOf` may ask for. */
export function namesOf({ row }: LoggedChange): string[] {
  const kind = kindOf(String(row.type))
  const name = keyOf(kind, row.subject)
  return [name, kind, `${name} of ${row.venue_id}`, `${kind} of ${row.venue_id}`]
}
