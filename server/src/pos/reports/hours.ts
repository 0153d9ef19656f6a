import type { Database } from '../../storage/database.ts'
import { closedOn, type Days, sumOf } from './closed.ts'

/** What was closed within one minute of UTC; the total is ×10,000. */
export interface MinuteRow {
  readonly shift_date: string
  /** `2026-11-18T19:54` */
  readonly minute: string
  /** Without refunds, which count in the total. */
  readonly receipts: number
  readonly total: number
}

/** Sums by minute: every zone's hours, and a day up to any moment, can be made of them. Read from an index alone. */
export function closedByMinute(db: Database, days: Days): Promise<MinuteRow[]> {
  const { text, values } = closedOn(db, days, 'shift_date, substr(closed_at, 1, 16) as minute, parent_id, total')
  return db.scan<MinuteRow>(
    days.brand_id,
    'receipts',
    `select shift_date, minute, ${sumOf('case when parent_id is null then 1 else 0 end')} as receipts,
       ${sumOf('total')} as total from (${text}) as closed group by shift_date, minute order by shift_date, minute`,
    values,
  )
}
