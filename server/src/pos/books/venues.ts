import { VENUE_POINTERS } from '../../resources/venue-pointers.ts'
import type { RowCheck } from './finding.ts'

// I13: no row of a venue points to a row of another venue.

export const VENUE_CHECKS: readonly RowCheck[] = VENUE_POINTERS.map(
  ({ table, subject, name = 'id', column, points, where }) => ({
    invariant: 'I13',
    subject,
    query: `select one.${name} as id, other.id as pointed from ${table} as one join ${points} as other
       on other.brand_id = one.brand_id and other.id = one.${column}
     where one.brand_id = ? and other.venue_id <> one.venue_id${where ? ` and ${where}` : ''}`,
    problem: ({ pointed }) => `${column} ${pointed} is of another venue`,
  }),
)
