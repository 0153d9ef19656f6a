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

function dayOf(instant: string, { time_zone, day_starts_at }: DayRule): string {
  const parts = Object.fromEntries(
    formatOf(time_zone)
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, value]),
  )
  const date = `${parts.year!.padStart(4, '0')}-${parts.month}-${parts.day}`
  if (`${parts.hour}:${parts.minute}` >= day_starts_at) return date
  const before = new Date(`${date}T00:00:00.000Z`)
  before.setUTCDate(before.getUTCDate() - 1)
  return before.toISOString().slice(0, 10)
}
