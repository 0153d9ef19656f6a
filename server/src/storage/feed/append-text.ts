import { byBrand, newNonce } from './append.ts'
import type { NewEvent, Source } from './new-event.ts'

const APPENDED_AT_ONCE = 5_000

/** A statement that appends events to a brand's feed, and answers how long it waited for the feed's lock. */
export interface Append {
  readonly brand_id: number
  readonly events: readonly NewEvent[]
  readonly text: string
  readonly values: readonly (number | string)[]
}

const APPEND = 'select append_events(?, ?, ?)'

/** E10 on PostgreSQL: one statement for each brand; the commit follows in the same message. */
export function appendsOf(events: readonly NewEvent[], source: Source, at = new Date().toISOString()): Append[] {
  return byBrand(events).flatMap(([brand_id, own]) => {
    const appends: Append[] = []
    for (let from = 0; from < own.length; from += APPENDED_AT_ONCE) {
      const some = own.slice(from, from + APPENDED_AT_ONCE)
      const rows = JSON.stringify(some.map((event) => rowOf(event, source)))
      appends.push({ brand_id, events: some, text: APPEND, values: [brand_id, at, rows] })
    }
    return appends
  })
}

/** As `append_events` takes it: type, subject, venue_id, source, data, nonce. */
const rowOf = ({ type, subject, venue_id, source, data }: NewEvent, given: Source) => [
  type,
  subject,
  venue_id ?? null,
  source ?? given,
  data, // the column gets its text, as it is here
  newNonce(),
]
