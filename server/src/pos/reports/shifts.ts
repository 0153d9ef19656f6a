import { parseList } from '../../lists/list.ts'
import { readBodies } from '../../resource/read/page.ts'
import { cashShifts } from '../../resources/money/cash-shifts.ts'
import type { Database } from '../../storage/database.ts'
import type { Days } from './closed.ts'

/** The texts of shifts that were opened on some business days, newest first: what GET /finance/cash-shifts lists of them. */
export async function listShifts(
  db: Database,
  { brand_id, venues, from, to }: Days,
  { limit, ...page }: { page: number; limit: number } | { after: string; limit: number },
) {
  const filters = JSON.stringify([
    ['shift_date', '>=', from],
    ['shift_date', '<=', to],
  ])
  const place = 'after' in page ? { after: page.after } : { page: String(page.page) }
  const query = new URLSearchParams({ filters, limit: String(limit), ...place })
  const list = parseList(cashShifts.list!, String(query))
  return readBodies(db, cashShifts, { brand_id, venues, venue_id: 0, now: '' }, list)
}
