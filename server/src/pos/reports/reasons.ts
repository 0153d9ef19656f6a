import type { Database } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { fromScaled } from '../../values/values.ts'
import { type Days, sumOf } from './closed.ts'
import type { ReasonRow } from './schema.ts'

/** What the acts of a kind are added up by. */
export const BY = ['reason', 'user', 'approver'] as const
export type By = (typeof BY)[number]

const COLUMN = { reason: 'reason_id', user: 'user_id', approver: 'approved_by' } as const
const NAMES = { reason: 'reasons', user: 'users', approver: 'users' } as const

/** T21: what was taken back, given away and opened, by reason, person or approver. Days are those of the clock in UTC. */
export async function reasonReport(db: Database, days: Days, by: By): Promise<ReasonRow[]> {
  const { brand_id, venues, from, to } = days
  const column = COLUMN[by]
  const rows = await db.rows<ReasonRow>(
    `select acts.kind, acts.id, names.name, count, amount from (
        select reason_kind as kind, ${column} as id, count(*) as count, ${sumOf('amount')} as amount from receipt_acts
        where brand_id = ? and venue_id in ${venues.length === 0 ? '(null)' : places(venues)} and reason_kind is not null
          and at >= ? and at < ? group by reason_kind, ${column}) as acts
      left join ${NAMES[by]} as names on names.brand_id = ? and names.id = acts.id
      order by acts.kind, count desc, coalesce(acts.id, 0)`,
    [brand_id, ...venues, from, dayAfter(to), brand_id],
  )
  return rows.map(({ amount, ...row }) => ({ ...row, amount: fromScaled(amount) }))
}

const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
