import Type, { type Static } from 'typebox'
import { may } from '../../auth/permissions.ts'
import type { Caller } from '../../http/call.ts'
import { forbidden } from '../../http/errors.ts'
import { Maybe, PathId } from '../../resource/values.ts'
import type { BookedTip } from '../../resources/sales/receipt-schema.ts'
import type { Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { businessDay } from '../../values/business-day.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { fromScaled } from '../../values/values.ts'
import { worksAt } from '../context.ts'
import { venueRule } from '../menu.ts'

// T14: what people and the pool got in tips, and what of it was paid out.

const Day = () => Maybe(Type.String({ format: 'date', description: 'A business day of the venue, inclusive' }))
export const TipsQuery = Type.Object(
  { from: Day(), to: Day(), user_id: Maybe(PathId()) },
  { additionalProperties: false },
)
export type TipsQuery = Static<typeof TipsQuery>

export interface TipsOf {
  /** Absent: the venue's pool. */
  readonly user_id?: number
  readonly name: string
  readonly opening: number
  readonly tips: number
  readonly by_payment_method: readonly { readonly id: number; readonly name: string; readonly amount: number }[]
  /** Got of the pool, or given by it. */
  readonly shared: number
  readonly paid_out: number
  readonly closing: number
}

interface BalanceRow {
  id: number
  user_id: number | null
  name: string
  venue_ids: string | null
}

interface MoveRow {
  balance_id: number
  system_type: string | null
  amount: number
  receipt_id: number | null
  operated_at: string
}

/**
 * Reads the tips of the venue's pool and of its people; without tips:write only one's own. A person has one account, for every venue
 * where they work.
 */
export async function readTips(
  db: Pick<Queries, 'rows'>,
  caller: Caller,
  { from, to, user_id }: TipsQuery,
): Promise<TipsOf[]> {
  const { brand_id, venue_id, user } = caller
  const isOwn = !may(user.permissions, 'tips:write')
  if (isOwn && user_id !== undefined && user_id !== user.id) throw forbidden('tips:write')
  const wanted = isOwn ? user.id : user_id
  const found = await db.rows<BalanceRow>(
    `select balances.id, balances.user_id, coalesce(users.name, balances.name) as name, users.venue_ids from balances
       left join users on users.brand_id = balances.brand_id and users.id = balances.user_id
     where balances.brand_id = ? and balances.type = 'STAFF' and ${
       wanted === undefined ? '(balances.venue_id = ? or balances.venue_id is null)' : 'balances.user_id = ?'
     } order by coalesce(balances.user_id, 0), balances.id`,
    [brand_id, wanted ?? venue_id],
  )
  const balances = isOwn ? found : found.filter(({ venue_ids }) => worksAt(venue_ids, venue_id))
  if (balances.length === 0) return []
  const ids = balances.map(({ id }) => id)
  const moves = await db.rows<MoveRow>(
    `select balance_id, categories.system_type, amount, receipt_id, operated_at from transactions
       join finance_categories as categories on categories.brand_id = transactions.brand_id
         and categories.id = transactions.category_id
     where transactions.brand_id = ? and balance_id in ${places(ids)} order by balance_id, step`,
    [brand_id, ...ids],
  )
  const rule = await venueRule({ tx: db, caller })
  const dayOf = ({ operated_at }: Pick<MoveRow, 'operated_at'>) => businessDay(operated_at, rule)
  const isBefore = (move: Pick<MoveRow, 'operated_at'>) => from !== undefined && dayOf(move) < from
  const isAfter = (move: Pick<MoveRow, 'operated_at'>) => to !== undefined && dayOf(move) > to
  const within = moves.filter((move) => !isBefore(move) && !isAfter(move))
  const entries = await tipsOfReceipts(db, brand_id, within)
  return balances.map(({ id, user_id: owner, name }) => {
    const own = within.filter(({ balance_id }) => balance_id === id)
    const opening = sum(moves.filter((move) => move.balance_id === id && isBefore(move)))
    const booked = own.filter(({ system_type }) => system_type === 'TIP')
    const [tips, shared] = [true, false].map((isOfReceipt) =>
      booked.filter(({ receipt_id }) => (receipt_id !== null) === isOfReceipt),
    )
    const paid = own.filter(({ system_type }) => system_type === 'TIP_PAYOUT')
    const given = entries.filter(
      ({ staff_balance_id, at }) =>
        staff_balance_id === id && !isBefore({ operated_at: at }) && !isAfter({ operated_at: at }),
    )
    return {
      ...definedOnly({ user_id: owner ?? undefined }),
      name,
      opening: fromScaled(opening),
      tips: fromScaled(sum(tips!)),
      by_payment_method: byMethod(given),
      shared: fromScaled(sum(shared!)),
      paid_out: fromScaled(-sum(paid)) || 0,
      closing: fromScaled(opening + sum(own)),
    }
  })
}

const sum = (rows: readonly { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0)

/** Tips by the methods that brought them, in the order of their ids. */
export const byMethod = (tips: readonly BookedTip[]) =>
  [...Map.groupBy(tips, ({ id }) => id)]
    .sort(([one], [other]) => one - other)
    .map(([id, own]) => ({ id, name: own.at(-1)!.name, amount: fromScaled(sum(own)) }))

/** The tips of the receipts that these transactions belong to. */
export async function tipsOfReceipts(
  db: Pick<Queries, 'rows'>,
  brand_id: number,
  moves: readonly { readonly receipt_id: number | null }[],
): Promise<BookedTip[]> {
  const ids = [...new Set(moves.flatMap(({ receipt_id }) => receipt_id ?? []))]
  const found: BookedTip[] = []
  for (let start = 0; start < ids.length; start += IDS_A_STATEMENT) {
    const some = ids.slice(start, start + IDS_A_STATEMENT)
    const rows = await db.rows<{ terms: string | null }>(
      `select terms from receipts where brand_id = ? and id in ${places(some)} order by id`,
      [brand_id, ...some],
    )
    for (const { terms } of rows) found.push(...((JSON.parse(terms ?? '{}') as { tips?: BookedTip[] }).tips ?? []))
  }
  return found
}

const IDS_A_STATEMENT = 500
