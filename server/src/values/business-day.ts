import { DAY_MS, wallClock } from './wall-clock.ts'

// The business day that a moment belongs to: a venue's day begins at its own hour, in its own zone.

export interface DayRule {
  /** IANA, as `Europe/Paris`. */
  readonly time_zone: string
  /** `04:00`: what happens before belongs to the day before. */
  readonly day_starts_at: string
}

const MINUTE = 'YYYY-MM-DDTHH:MM'.length
const MAX_MINUTES = 1_000
const known = new Map<string, string>()

/** As YYYY-MM-DD. */
export function businessDay(instant: string, rule: DayRule): string {
  // Cached by minute, because Intl is slow: time zones and business days change at whole minutes.
  const minute = `${instant.slice(0, MINUTE)} ${rule.day_starts_at} ${rule.time_zone}`
  let day = known.get(minute)
  if (day === undefined) {
    if (known.size === MAX_MINUTES) known.clear()
    day = dayOf(instant, rule)
    known.set(minute, day)
  }
  return day
}

/**
 * A day begins the first time that the venue's clock shows its hour. Where the clock is then set back to before it, in autumn, the day
 * goes on: business days only go forward.
 */
function dayOf(instant: string, { time_zone, day_starts_at }: DayRule): string {
  const minute = Date.parse(`${instant.slice(0, MINUTE)}:00.000Z`)
  const clock = wallClock(minute, time_zone)
  const date = new Date(clock).toISOString()
  const day = date.slice(11, MINUTE) >= day_starts_at ? date.slice(0, 10) : dayAfter(date.slice(0, 10), -1)
  const yesterday = minute - DAY_MS
  const offset = wallClock(yesterday, time_zone) - yesterday
  if (offset <= clock - minute) return day
  const next = dayAfter(day, 1)
  const start = Date.parse(`${next}T${day_starts_at}:00.000Z`)
  const begins = start - offset // where the clock had not been set back yet
  return begins <= minute && wallClock(begins, time_zone) === start ? next : day
}

const dayAfter = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00.000Z`) + days * DAY_MS).toISOString().slice(0, 10)
