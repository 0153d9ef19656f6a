// The business day that a moment belongs to: a venue's day begins at its own hour, in its own zone.

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(time_zone: string): Intl.DateTimeFormat {
  let format = formats.get(time_zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: time_zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
    formats.set(time_zone, format)
  }
  return format
}

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

const DAY_MS = 86_400_000

/**
 * A day begins the first time that the venue's clock shows its hour. Where the clock is then set back to before it, in autumn, the day
 * goes on: business days only go forward.
 */
function dayOf(instant: string, { time_zone, day_starts_at }: DayRule): string {
  const minute = Date.parse(`${instant.slice(0, MINUTE)}:00.000Z`)
  const clock = clockAt(minute, time_zone)
  const date = new Date(clock).toISOString()
  const day = date.slice(11, MINUTE) >= day_starts_at ? date.slice(0, 10) : dayAfter(date.slice(0, 10), -1)
  const yesterday = minute - DAY_MS
  const offset = clockAt(yesterday, time_zone) - yesterday
  if (offset <= clock - minute) return day
  const next = dayAfter(day, 1)
  const start = Date.parse(`${next}T${day_starts_at}:00.000Z`)
  const begins = start - offset // where the clock had not been set back yet
  return begins <= minute && clockAt(begins, time_zone) === start ? next : day
}

const dayAfter = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00.000Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** What a clock in this zone shows, to the minute, as if it were UTC. */
function clockAt(ms: number, time_zone: string): number {
  const parts = Object.fromEntries(
    formatOf(time_zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
  return Date.parse(`${parts.year!.padStart(4, '0')}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:00.000Z`)
}
