import type { Value } from '../database.ts'
import { byBrand, newNonce } from '../feed/append.ts'
import type { NewEvent, Source } from '../feed/new-event.ts'

const ROWS_A_STATEMENT = 100

/** What appends events to one brand's feed. The first statement answers how long it waited for the feed's lock. */
export interface Append {
  readonly brand_id: number
  readonly events: readonly NewEvent[]
  readonly statements: readonly { readonly text: string; readonly values: readonly Value[] }[]
}

/** The time is computed outside the locking subquery: inside, PostgreSQL would compute it before the wait. `extract` would make a slow numeric. */
const LOCK = `
  select date_part('epoch', clock_timestamp() - statement_timestamp()) * 1000
  from (select 1 from feeds where brand_id = ? for no key update) as locked`

/** A feed ends at its last event, or at the last trimmed one. Without a feed the position is null, and the insert fails. */
const APPEND = `
  insert into events (brand_id, position, at, type, subject, venue_id, source, data, nonce)
  select ?, feed.position + place, greatest(?, feed.at), type, subject, venue_id, source, data, nonce
  from (values ROWS) as new_events (place, type, subject, venue_id, source, data, nonce)
  left join (
    select coalesce(last.position, tail) as position, coalesce(last.at, tail_at) as at
    from (select tail, tail_at from feeds where brand_id = ?) as trimmed
    left join (select position, at from events where brand_id = ? order by position desc limit 1) as last on true
  ) as feed on true`
const ROW = '(?::bigint, ?, ?, ?::bigint, ?, ?, ?::bigint)'

/**
 * E10 on PostgreSQL: the lock first, then a new statement, which sees all that was committed while the first one waited (READ
 * COMMITTED). The commit follows in the same message.
 */
export const appendsOf = (events: readonly NewEvent[], source: Source, instant = new Date().toISOString()): Append[] =>
  byBrand(events).map(([brand_id, own]) => {
    const statements = [{ text: LOCK, values: [brand_id] as Value[] }]
    for (let from = 0; from < own.length; from += ROWS_A_STATEMENT) {
      const some = own.slice(from, from + ROWS_A_STATEMENT)
      const values = [
        brand_id,
        instant,
        ...some.flatMap((event, index) => [index + 1, ...rowOf(event, source)]),
        brand_id,
        brand_id,
      ]
      statements.push({ text: textOf(some.length), values })
    }
    return { brand_id, events: own, statements }
  })

const texts = new Map<number, string>()

function textOf(rows: number): string {
  const known = texts.get(rows)
  if (known !== undefined) return known
  const text = APPEND.replace('ROWS', Array(rows).fill(ROW).join(', '))
  texts.set(rows, text)
  return text
}

const rowOf = ({ type, subject, venue_id, source, data }: NewEvent, given: Source): Value[] => [
  type,
  subject,
  venue_id ?? null,
  source ?? given,
  JSON.stringify(data),
  newNonce(),
]
