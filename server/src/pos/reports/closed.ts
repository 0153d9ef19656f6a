import type { Database } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { CLOSED } from '../../values/states.ts'

// Reports count what was closed here, as the kept totals of days do (I11): imported history books nothing, so it is in none (P22).

/** Business days of some venues of a brand, both ends included. */
export interface Days {
  readonly brand_id: number
  readonly venues: readonly number[]
  /** YYYY-MM-DD */
  readonly from: string
  readonly to: string
}

export interface Part {
  readonly text: string
  readonly values: readonly (string | number)[]
}

/** A condition on the columns brand_id, venue_id and shift_date. */
export const onDays = ({ brand_id, venues, from, to }: Days): Part => ({
  text: `brand_id = ? and venue_id in ${venues.length === 0 ? '(null)' : places(venues)} and shift_date >= ? and shift_date <= ?`,
  values: [brand_id, ...venues, from, to],
})

/** The receipts that count: a query for a long read, by the index of business days. */
export function closedOn(
  { dialect }: Pick<Database, 'dialect'>,
  days: Days,
  columns = 'id, shift_date, parent_id',
): Part {
  const { text, values } = onDays(days)
  const where = `${text} and status = ${CLOSED} and rule > 0${dialect.checkpoint}`
  return { text: `select ${columns} from receipts where ${where}`, values }
}

/** Sums of ×10,000 and of counts, as numbers on both engines. */
export const sumOf = (what: string) => `cast(coalesce(sum(${what}), 0) as bigint)`
