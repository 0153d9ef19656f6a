import { type Days, onDays, sumOf } from '../../pos/reports/closed.ts'
import { closedByMinute, type MinuteRow } from '../../pos/reports/hours.ts'
import type { Database } from '../../storage/database.ts'
import { businessDay, type DayRule } from '../../values/business-day.ts'
import { fromScaled, instantOf } from '../../values/values.ts'
import { DAY_MS, fromWallClock, wallClock } from '../../values/wall-clock.ts'
import type { Today } from './schema.ts'

// Sold so far, against the same weekday of last week up to this minute. Venues of one zone whose days begin at the same hour are read
// together: a chain has few such groups.

export interface VenueClock extends DayRule {
  readonly id: number
}

/** The day of a group of venues, and the same weekday before. */
interface Group {
  readonly rule: DayRule
  readonly venues: number[]
  readonly day: string
  readonly dayBefore: string
  /** The same minute a week ago, in the form in which receipts store instants. */
  readonly until: string
}

const WEEK_MS = 7 * DAY_MS
const MINUTE = 'YYYY-MM-DDTHH:MM'.length

export async function salesToday(
  db: Database,
  brand_id: number,
  clocks: readonly VenueClock[],
  nowMs: number,
): Promise<NonNullable<Today['sales']> | undefined> {
  const groups = groupsOf(clocks, nowMs)
  const [first] = groups
  if (!first) return undefined
  const parts = await Promise.all(groups.map((group) => salesOf(db, brand_id, group)))
  const start = Number(first.rule.day_starts_at.slice(0, 2))
  const sum = (amount: (part: Part) => number) => parts.reduce((all, part) => all + amount(part), 0)
  return {
    day: first.day,
    total: fromScaled(sum(({ total }) => total)),
    receipts: sum(({ receipts }) => receipts),
    before: {
      day: first.dayBefore,
      total: fromScaled(sum(({ before }) => before.total)),
      receipts: sum(({ before }) => before.receipts),
    },
    hours: Array.from({ length: 24 }, (_, index) => {
      const hour = (start + index) % 24
      return {
        hour,
        total: fromScaled(sum(({ hours }) => hours[hour]!)),
        before: fromScaled(sum(({ before }) => before.hours[hour]!)),
      }
    }),
  }
}

function groupsOf(clocks: readonly VenueClock[], nowMs: number): Group[] {
  const groups = new Map<string, Group>()
  for (const { id, time_zone, day_starts_at } of clocks) {
    const key = `${time_zone} ${day_starts_at}`
    const known = groups.get(key)
    if (known) known.venues.push(id)
    else {
      const rule = { time_zone, day_starts_at }
      const day = businessDay(instantOf(nowMs), rule)
      groups.set(key, {
        rule,
        venues: [id],
        day,
        dayBefore: new Date(Date.parse(day) - WEEK_MS).toISOString().slice(0, 10),
        until: instantOf(fromWallClock(wallClock(nowMs, time_zone) - WEEK_MS, time_zone)).slice(0, MINUTE),
      })
    }
  }
  return [...groups.values()]
}

interface Sum {
  readonly total: number
  readonly receipts: number
  readonly hours: readonly number[]
}
type Part = Sum & { readonly before: Sum }

async function salesOf(db: Database, brand_id: number, { rule, venues, day, dayBefore, until }: Group): Promise<Part> {
  const days = (date: string): Days => ({ brand_id, venues, from: date, to: date })
  const { text, values } = onDays(days(day))
  const [[sold], today, before] = await Promise.all([
    db.rows<{ total: number; receipts: number }>(
      `select ${sumOf('total')} as total, ${sumOf('receipts')} as receipts from venue_days where ${text}`,
      values,
    ),
    closedByMinute(db, days(day)),
    closedByMinute(db, days(dayBefore)),
  ])
  const early = before.filter(({ minute }) => minute <= until)
  return { ...sold!, hours: byHour(today, rule), before: { ...summed(early), hours: byHour(before, rule) } }
}

const summed = (rows: readonly MinuteRow[]) => ({
  total: rows.reduce((sum, { total }) => sum + total, 0),
  receipts: rows.reduce((sum, { receipts }) => sum + receipts, 0),
})

/** Sums by hour of the wall clock. Time zones are multiples of a quarter of an hour apart, and clocks are changed at whole ones. */
function byHour(rows: readonly MinuteRow[], { time_zone }: DayRule): number[] {
  const hours = Array<number>(24).fill(0)
  for (const [quarter, own] of Map.groupBy(rows, ({ minute }) => Math.floor(Date.parse(`${minute}Z`) / 900_000)))
    hours[new Date(wallClock(quarter * 900_000, time_zone)).getUTCHours()]! += summed(own).total
  return hours
}
