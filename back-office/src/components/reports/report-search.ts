import { localOf } from '../../texts/clock.ts'

// What a report is asked for is in the page's address, so that it can be kept and sent to others.

export interface ReportSearch {
  /** Business days, both included. */
  from: string
  to: string
  /** Absent: every venue that the person may enter. */
  venue?: number
  /** What there is a row for (a product, a category, …), where a report offers several. */
  by?: string
  page?: number
}

const DAYS = 30
const DAY_MS = 86_400_000

/** The last thirty days, unless the address says otherwise. */
export function reportSearch({ from, to, venue, by, page }: Record<string, unknown>): ReportSearch {
  const today = Date.parse(`${localOf(new Date().toISOString())}Z`)
  return {
    from: isDay(from) ? from : dayOf(today - (DAYS - 1) * DAY_MS),
    to: isDay(to) ? to : dayOf(today),
    ...(typeof venue === 'number' && { venue }),
    ...(typeof by === 'string' && { by }),
    ...(typeof page === 'number' && { page }),
  }
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)

/** The same in the terms of the server. */
export const rangeQuery = ({ from, to, venue }: ReportSearch): string =>
  String(new URLSearchParams({ from, to, ...(venue !== undefined && { venue_id: String(venue) }) }))
