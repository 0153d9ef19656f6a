// The clock on a venue's wall. Its readings are milliseconds, as if they were UTC: days have 24 hours there.

export const DAY_MS = 86_400_000
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export type Weekday = (typeof WEEKDAYS)[number]

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    const digits = '2-digit'
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: digits,
      day: digits,
      hour: digits,
      minute: digits,
      second: digits,
    })
    formats.set(timeZone, format)
  }
  return format
}

const MAX_MINUTES = 1_000
const offsets = new Map<string, number>()

/** A moment as the clock on the wall shows it, to the second. */
export function wallClock(atMs: number, time_zone: string): number {
  const second = Math.floor(atMs / 1000) * 1000
  // Cached by minute, because Intl is slow: clocks are changed at whole minutes.
  const minute = `${Math.floor(atMs / 60_000)} ${time_zone}`
  let offset = offsets.get(minute)
  if (offset === undefined) {
    if (offsets.size === MAX_MINUTES) offsets.clear()
    offset = readClock(second, time_zone) - second
    offsets.set(minute, offset)
  }
  return second + offset
}

function readClock(atMs: number, time_zone: string): number {
  const parts = Object.fromEntries(
    formatOf(time_zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  )
  const { year, month, day, hour, minute, second } = parts as Record<string, string>
  const written = year!.length > 4 ? `+${year!.padStart(6, '0')}` : year!.padStart(4, '0') // the last hours of 9999, east of Greenwich
  return Date.parse(`${written}-${month}-${day}T${hour}:${minute}:${second}.000Z`)
}

/** The first moment at which the wall clock shows this, or, where it skips it, the first after the skip. */
export function fromWallClock(wallMs: number, time_zone: string): number {
  const nearby = [-DAY_MS, DAY_MS].map((step) => wallClock(wallMs + step, time_zone) - wallMs - step)
  const [early, late] = [wallMs - Math.max(...nearby), wallMs - Math.min(...nearby)]
  for (const atMs of [early, late]) if (wallClock(atMs, time_zone) === wallMs) return atMs
  let [before, from] = [early, late] // the clock is behind at the one and past it at the other
  while (from - before > 1000) {
    const middle = before + Math.floor((from - before) / 2000) * 1000
    if (wallClock(middle, time_zone) < wallMs) before = middle
    else from = middle
  }
  return from
}

export const dayStart = (wallMs: number): number => Math.floor(wallMs / DAY_MS) * DAY_MS

export const weekdayOf = (wallMs: number): Weekday => WEEKDAYS[new Date(wallMs).getUTCDay()]!

/** A part of a day. */
export interface Span {
  readonly from: string
  readonly to: string
}

/** The span that begins on a day, as readings of the clock; `to` before `from` is on the next day. */
export const spanOn = (dayMs: number, { from, to }: Span): { from: number; to: number } => ({
  from: dayMs + minutesOf(from) * 60_000,
  to: dayMs + minutesOf(to) * 60_000 + (to < from ? DAY_MS : 0),
})

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return hours! * 60 + minutes!
}

/** Whether the clock is within a span that began today or yesterday. An hour that it skips has none, one that it repeats has it twice. */
export function isWithin(wallMs: number, spansOn: (dayMs: number) => readonly { from: number; to: number }[]): boolean {
  const today = dayStart(wallMs)
  return [today - DAY_MS, today].some((day) => spansOn(day).some(({ from, to }) => from <= wallMs && wallMs < to))
}
