import { withFreshDeadline } from '../../http/edge/deadline.ts'
import type { Database } from '../../storage/database.ts'
import { type Days, onDays, sumOf } from './closed.ts'

// A report over a year of many venues passes over hundreds of thousands of receipts. It is read in parts, each a long read with a
// deadline of its own, and their rows are added up.

/** Hears how many of how many receipts have been read. */
export type Heard = (done: number, total: number) => void

/** Takes at most half a second on a slow machine. */
const RECEIPTS_A_PART = 10_000

interface Part {
  readonly days: Days
  readonly receipts: number
}

/** Reads days part by part. Rows with the same `key` become one, in which their `sums` are added up. */
export async function inParts<Row extends object>(
  db: Database,
  days: Days,
  { key, sums, order }: { key: keyof Row; sums: readonly string[]; order: (one: Row, other: Row) => number },
  heard: Heard,
  read: (days: Days) => Promise<Row[]>,
): Promise<Row[]> {
  const parts = await partsOf(db, days)
  if (parts.length === 1) return read(days)
  const total = parts.reduce((sum, { receipts }) => sum + receipts, 0)
  const rows = new Map<unknown, Row>()
  let done = 0
  for (const part of parts) {
    heard(done, total)
    for (const row of await withFreshDeadline(db, () => read(part.days))) {
      const before = rows.get(row[key])
      rows.set(row[key], before ? { ...row, ...addedUp(sums, before, row) } : row)
    }
    done += part.receipts
  }
  heard(done, total)
  return [...rows.values()].sort(order)
}

function addedUp(sums: readonly string[], one: object, other: object): object {
  const [a, b] = [one, other] as [Record<string, number>, Record<string, number>]
  return Object.fromEntries(sums.map((name) => [name, a[name]! + b[name]!]))
}

/** Days that follow each other, as many as one part may have; a day that has more is read by its venues. */
export async function partsOf(db: Database, days: Days): Promise<Part[]> {
  const { text, values } = onDays(days)
  const closed = await db.rows<{ shift_date: string; receipts: number }>(
    `select shift_date, ${sumOf('receipts + refunds')} as receipts from venue_days where ${text}
     group by shift_date order by shift_date`,
    values,
  )
  const parts: Part[] = []
  for (const { shift_date, receipts } of closed) {
    const last = parts.at(-1)
    const day = { ...days, from: shift_date, to: shift_date }
    if (receipts > RECEIPTS_A_PART) parts.push(...byVenues(day, receipts))
    else if (last && last.receipts + receipts <= RECEIPTS_A_PART)
      parts[parts.length - 1] = {
        days: { ...last.days, to: shift_date },
        receipts: last.receipts + receipts,
      }
    else parts.push({ days: day, receipts })
  }
  return parts.length === 0 ? [{ days, receipts: 0 }] : parts
}

function byVenues(day: Days, receipts: number): Part[] {
  const count = Math.min(day.venues.length, Math.ceil(receipts / RECEIPTS_A_PART))
  const each = Math.ceil(day.venues.length / count)
  const venues = Array.from({ length: count }, (_, index) => day.venues.slice(index * each, (index + 1) * each))
  return venues.map((some) => ({ days: { ...day, venues: some }, receipts: receipts / count }))
}
