import type { Catalogue, VenuePointer } from '../resource/files/import.ts'
import { RESOURCES } from './catalogue.ts'

// I13: how rows of a venue point to each other.

/** Rows of a venue that are no resource: parts of a receipt, and where a payment method's money goes. */
const PARTS: readonly VenuePointer[] = [
  { table: 'receipt_lines', subject: 'receipt line', column: 'receipt_id', points: 'receipts' },
  { table: 'tickets', subject: 'ticket', column: 'receipt_id', points: 'receipts' },
  { table: 'reservations', subject: 'reservation of line', name: 'line_id', column: 'receipt_id', points: 'receipts' },
  {
    table: 'payment_accounts',
    subject: 'payment account of method',
    name: 'payment_method_id',
    column: 'balance_id',
    points: 'balances',
  },
]

/** Conditions that leave history out (P22): its ids may be another system’s, and an import does not check them. */
const NO_HISTORY: Readonly<Record<string, string>> = { receipts: 'one.rule > 0', stock_operations: 'one.position > 0' }

/** The columns by which a row of a venue points to another: those that end like `storage_id`, and `parent_id`. */
function resourcePointers(): VenuePointer[] {
  const ofVenues = RESOURCES.filter(({ columns }) => 'venue_id' in columns)
  return ofVenues.flatMap((resource) => {
    const { table, kind, columns } = resource
    const checked = resource.references({}).map(({ member }) => member)
    return Object.keys(columns).flatMap((column): VenuePointer[] => {
      const pointed = ofVenues.find((other) =>
        column === 'parent_id' ? other === resource : `_${column}`.endsWith(`_${other.kind}_id`),
      )
      if (!pointed) return []
      const where = checked.includes(column) ? undefined : NO_HISTORY[table]
      return [{ table, subject: kind.replaceAll('_', ' '), column, points: pointed.table, where }]
    })
  })
}

export const VENUE_POINTERS: readonly VenuePointer[] = [...resourcePointers(), ...PARTS]

/** What a file can bring. */
export const CATALOGUE: Catalogue = { resources: RESOURCES, venuePointers: VENUE_POINTERS }
