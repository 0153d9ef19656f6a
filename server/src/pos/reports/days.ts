import { DAY_AMOUNTS } from '../../resources/sales/day-totals.ts'
import type { Queries } from '../../storage/database.ts'
import { fromScaled } from '../../values/values.ts'
import { roundTo, unitOf } from '../rounding.ts'
import { type Days, onDays, sumOf } from './closed.ts'
import type { DayRow } from './schema.ts'

const SUMS = ['receipts', 'refunds', ...DAY_AMOUNTS].map((name) => `${sumOf(name)} as ${name}`).join(', ')

/** The days on which something was closed, oldest first, by their kept totals (I11). */
export async function dayReport(db: Pick<Queries, 'rows'>, days: Days): Promise<DayRow[]> {
  const { text, values } = onDays(days)
  const rows = await db.rows<Omit<DayRow, 'average'> & { money_places: number }>(
    `select shift_date, (select money_places from brands where id = ?) as money_places, ${SUMS}
     from venue_days where ${text} and (receipts > 0 or refunds > 0) group by shift_date order by shift_date`,
    [days.brand_id, ...values],
  )
  return rows.map(({ money_places, ...row }) => ({
    ...row,
    ...Object.fromEntries(DAY_AMOUNTS.map((name) => [name, fromScaled(row[name])])),
    average: row.receipts === 0 ? 0 : averageOf(row.total, row.receipts, money_places),
  }))
}

const averageOf = (total: number, receipts: number, money_places: number) =>
  fromScaled(Number(roundTo(unitOf(money_places), BigInt(total), BigInt(receipts))))
