import type { Value } from '../database.ts'
import { byBrand, menuOf, newNonce } from '../feed/append.ts'
import type { MergeRules, NewEvent, Source } from '../feed/new-event.ts'

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

/** M5, after the events, whose places are counted from the end: under the feed's lock the last position is theirs. */
const MARK = `
  insert into menu_marks (brand_id, venue_id, position, nonce)
  select ?, venue_id, last.position - place, nonce from (values ROWS) as marks (venue_id, place, nonce),
    (select position from events where brand_id = ? order by position desc limit 1) as last
  on conflict (brand_id, venue_id) do update set position = excluded.position, nonce = excluded.nonce`
const MARK_ROW = '(?::bigint, ?::bigint, ?::bigint)'

/**
 * E10 on PostgreSQL: the lock first, then a new statement, which sees all that was committed while the first one waited (READ
 * COMMITTED). The commit follows in the same message.
 */
export const appendsOf = (
  events: readonly NewEvent[],
  source: Source,
  rules: MergeRules,
  instant = new Date().toISOString(),
): Append[] =>
  byBrand(events).map(([brand_id, own]) => {
    const nonces = own.map(newNonce)
    const statements = [{ text: LOCK, values: [brand_id] as Value[] }]
    for (let from = 0; from < own.length; from += ROWS_A_STATEMENT) {
      const some = own.slice(from, from + ROWS_A_STATEMENT)
      const values = [
        brand_id,
        instant,
        ...some.flatMap((event, index) => [index + 1, ...rowOf(event, source), nonces[from + index]!]),
        brand_id,
        brand_id,
      ]
      statements.push({ text: textOf(APPEND, ROW, some.length), values })
    }
    const marks = marksOf(own, nonces, rules)
    for (let from = 0; from < marks.length; from += ROWS_A_STATEMENT) {
      const some = marks.slice(from, from + ROWS_A_STATEMENT)
      statements.push({ text: textOf(MARK, MARK_ROW, some.length), values: [brand_id, ...some.flat(), brand_id] })
    }
    return { brand_id, events: own, statements }
  })

/** The last event of each menu: its venue, its place from the end, and its nonce. */
function marksOf(events: readonly NewEvent[], nonces: readonly number[], rules: MergeRules): number[][] {
  const marks = new Map<number, number[]>()
  for (const [index, event] of events.entries()) {
    const menu = menuOf(event, rules)
    if (menu !== undefined) marks.set(menu, [menu, events.length - 1 - index, nonces[index]!])
  }
  return [...marks.values()]
}

const texts = new Map<string, string>()

function textOf(text: string, row: string, rows: number): string {
  const key = `${rows} ${row}`
  const known = texts.get(key)
  if (known !== undefined) return known
  const made = text.replace('ROWS', Array(rows).fill(row).join(', '))
  texts.set(key, made)
  return made
}

const rowOf = ({ type, subject, venue_id, source, data }: NewEvent, given: Source): Value[] => [
  type,
  subject,
  venue_id ?? null,
  source ?? given,
  JSON.stringify(data),
]
