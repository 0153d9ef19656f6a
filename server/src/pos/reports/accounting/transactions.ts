import { withFreshDeadline } from '../../../http/edge/deadline.ts'
import type { TransactionRow } from '../../../resources/money/transactions.ts'
import type { Database } from '../../../storage/database.ts'
import type { DayRule } from '../../../values/business-day.ts'
import { fromScaled, instantOf } from '../../../values/values.ts'
import { DAY_MS, fromWallClock } from '../../../values/wall-clock.ts'
import type { Days } from '../closed.ts'
import type { TransactionFileRow } from './schema.ts'

const ROWS_A_STEP = 1_000

/** Transactions of business days, by the clock of each venue, in steps; with those of no venue last where `withCommon`. */
export async function* transactionFile(
  db: Database,
  days: Days,
  withCommon: boolean,
): AsyncGenerator<TransactionFileRow[]> {
  const venues = await db.rows<{ id: number; time_zone: string; settings: string }>(
    'select id, time_zone, settings from venues where brand_id = ? order by id',
    [days.brand_id],
  )
  const rules = venues.map(({ id, time_zone, settings }) => {
    const { day_starts_at } = JSON.parse(settings) as Pick<DayRule, 'day_starts_at'>
    return { id, rule: { time_zone, day_starts_at } }
  })
  for (const { id, rule } of rules) if (days.venues.includes(id)) yield* ofVenue(db, days, id, rule)
  if (withCommon && rules[0]) yield* ofVenue(db, days, null, rules[0].rule)
}

async function* ofVenue(db: Database, { brand_id, from, to }: Days, venue_id: number | null, rule: DayRule) {
  const start = (day: string, later: number) =>
    instantOf(fromWallClock(Date.parse(`${day}T${rule.day_starts_at}:00.000Z`) + later, rule.time_zone))
  const end = start(to, DAY_MS)
  let last: readonly [operated_at: string, id: number] | undefined = [start(from, 0), 0]
  while (last) {
    const after: readonly [string, number] = last
    const rows = await withFreshDeadline(db, () => readAfter(db, brand_id, venue_id, after, end))
    yield rows.map(({ body, balance, category, person, operation_id, ...amounts }) => {
      const { id, operated_at, receipt_id = null, description } = JSON.parse(body) as TransactionRow
      return {
        id,
        operated_at,
        venue_id,
        balance,
        category,
        amount: fromScaled(amounts.amount),
        before_amount: fromScaled(amounts.before_amount),
        after_amount: fromScaled(amounts.after_amount),
        receipt_id,
        operation_id,
        person,
        ...(description !== undefined && { description }),
      }
    })
    const lastRow: Row | undefined = rows.length < ROWS_A_STEP ? undefined : rows.at(-1)
    last = lastRow && [lastRow.operated_at, lastRow.id]
  }
}

interface Row {
  readonly id: number
  readonly operated_at: string
  readonly amount: number
  readonly before_amount: number
  readonly after_amount: number
  readonly operation_id: number | null
  readonly body: string
  readonly balance: string | null
  readonly category: string | null
  readonly person: string | null
}

const readAfter = (
  db: Database,
  brand_id: number,
  venue_id: number | null,
  [operated_at, id]: readonly [string, number],
  end: string,
): Promise<Row[]> =>
  db.rows<Row>(
    `select moves.id, moves.operated_at, moves.amount, moves.before_amount, moves.after_amount, moves.operation_id, moves.body,
       coalesce(suppliers.name, balances.name) as balance, categories.name as category, users.name as person
     from transactions as moves
       left join balances on balances.brand_id = moves.brand_id and balances.id = moves.balance_id
       left join suppliers on suppliers.brand_id = moves.brand_id and suppliers.id = balances.supplier_id
       left join finance_categories as categories on categories.brand_id = moves.brand_id and categories.id = moves.category_id
       left join users on users.brand_id = moves.brand_id and users.id = moves.user_id
     where moves.brand_id = ? and moves.venue_id ${venue_id === null ? 'is null' : '= ?'}
       and (moves.operated_at, moves.id) > (?, ?) and moves.operated_at < ?
     order by moves.operated_at, moves.id limit ${ROWS_A_STEP}`,
    [brand_id, ...(venue_id === null ? [] : [venue_id]), operated_at, id, end],
  )
