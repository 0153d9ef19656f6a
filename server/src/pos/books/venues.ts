import { RESOURCES } from '../../resources/all.ts'
import type { RowCheck } from './finding.ts'

// I13: no row of a venue points to a row of another venue.

interface Pointer {
  readonly table: string
  readonly column: string
  readonly points: string
  /** The singular, and the column that names the row, where it is not the id. */
  readonly subject: string
  readonly name?: string
}

/** Rows of a venue that are part of a resource and none themselves. */
const PARTS: readonly Pointer[] = [
  { table: 'receipt_lines', subject: 'receipt line', column: 'receipt_id', points: 'receipts' },
  { table: 'tickets', subject: 'ticket', column: 'receipt_id', points: 'receipts' },
  {
    table: 'reservations',
    subject: 'reservation of line',
    name: 'line_id',
    column: 'receipt_id',
    points: 'receipts',
  },
]

/** The columns of resources by which a row of a venue points to one: those that end like `storage_id`, and `parent_id`. */
function pointers(): Pointer[] {
  const ofVenues = RESOURCES.filter(({ columns }) => 'venue_id' in columns)
  return ofVenues.flatMap((resource) => {
    const { table, kind, columns } = resource
    return Object.keys(columns).flatMap((column) => {
      const pointed = ofVenues.find((other) =>
        column === 'parent_id' ? other === resource : `_${column}`.endsWith(`_${other.kind}_id`),
      )
      return pointed ? [{ table, subject: kind.replaceAll('_', ' '), column, points: pointed.table }] : []
    })
  })
}

export const VENUE_CHECKS: readonly RowCheck[] = [...pointers(), ...PARTS].map(
  ({ table, subject, name = 'id', column, points }) => ({
    invariant: 'I13',
    subject,
    query: `select one.${name} as id, other.id as pointed from ${table} as one join ${points} as other
       on other.brand_id = one.brand_id and other.id = one.${column}
     where one.brand_id = ? and other.venue_id <> one.venue_id`,
    problem: ({ pointed }) => `${column} ${pointed} is of another venue`,
  }),
)
