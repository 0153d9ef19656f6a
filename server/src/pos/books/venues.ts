import { RESOURCES } from '../../resources/all.ts'
import type { RowCheck } from './finding.ts'

// I13: no row of a venue points to a row of another venue.

interface Pointer {
  readonly table: string
  readonly column: string
  readonly points: string
  /** The singular. */
  readonly subject: string
  /** The column that names the row, where it is not the id. */
  readonly name?: string
  /** Which rows have the pointer; all, unless said. */
  readonly where?: string | undefined
}

/** Rows of a venue that are no resource: parts of a receipt, and where a payment method's money goes. */
const PARTS: readonly Pointer[] = [
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

/** P22: history has ids of another system wherever an import does not look for what they point at. */
const NO_HISTORY: Readonly<Record<string, string>> = { receipts: 'one.rule > 0', stock_operations: 'one.position > 0' }

/** The columns by which a row of a venue points to another: those that end like `storage_id`, and `parent_id`. */
function pointers(): Pointer[] {
  const ofVenues = RESOURCES.filter(({ columns }) => 'venue_id' in columns)
  return ofVenues.flatMap((resource) => {
    const { table, kind, columns } = resource
    const checked = resource.references({}).map(({ member }) => member)
    return Object.keys(columns).flatMap((column): Pointer[] => {
      const pointed = ofVenues.find((other) =>
        column === 'parent_id' ? other === resource : `_${column}`.endsWith(`_${other.kind}_id`),
      )
      if (!pointed) return []
      const where = checked.includes(column) ? undefined : NO_HISTORY[table]
      return [{ table, subject: kind.replaceAll('_', ' '), column, points: pointed.table, where }]
    })
  })
}

export const VENUE_CHECKS: readonly RowCheck[] = [...pointers(), ...PARTS].map(
  ({ table, subject, name = 'id', column, points, where }) => ({
    invariant: 'I13',
    subject,
    query: `select one.${name} as id, other.id as pointed from ${table} as one join ${points} as other
       on other.brand_id = one.brand_id and other.id = one.${column}
     where one.brand_id = ? and other.venue_id <> one.venue_id${where ? ` and ${where}` : ''}`,
    problem: ({ pointed }) => `${column} ${pointed} is of another venue`,
  }),
)
