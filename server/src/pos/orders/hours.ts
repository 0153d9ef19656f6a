import type { Hours } from '../../resources/places/venues.ts'

// When a venue takes orders: its opening hours in its own time, and a pause that staff set.

export interface OpeningRule {
  readonly time_zone: string
  /** None: always open. */
  readonly hours?: Hours | undefined
  readonly paused_until?: string | undefined
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const DAY_MS = 86_400_000

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

/** A moment as the clock on the venue's wall shows it, as if that were UTC. */
function wallClock(atMs: number, time_zone: string): number {
  const parts = Object.fromEntries(
    formatOf(time_zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<string, number>
  return Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second)
}

/** The first moment at which the wall clock shows this, or, where it skips it, the first after the skip. */
export function fromWallClock(wallMs: number, time_zone: string): number {
  const offsets = [-DAY_MS, DAY_MS].map((step) => wallClock(wallMs + step, time_zone) - wallMs - step)
  const [early, late] = [wallMs - Math.max(...offsets), wallMs - Math.min(...offsets)]
  for (const atMs of [early, late]) if (wallClock(atMs, time_zone) === wallMs) return atMs
  let [before, from] = [early, late] // the clock is behind at the one and past it at the other
  while (from - before > 1000) {
    const middle = before + Math.floor((from - before) / 2000) * 1000
    if (wallClock(middle, time_zone) < wallMs) before = middle
    else from = middle
  }
  return from
}

const dayStart = (wallMs: number) => Math.floor(wallMs / DAY_MS) * DAY_MS

/** The openings that begin on a day, as moments of the wall clock. */
function openingsOn(startMs: number, hours: Hours): { from: number; to: number }[] {
  const openings = hours[DAYS[new Date(startMs).getUTCDay()]!] ?? []
  return openings.map(({ from, to }) => ({
    from: startMs + minutesOf(from) * 60_000,
    to: startMs + minutesOf(to) * 60_000 + (to < from ? DAY_MS : 0),
  }))
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return hours! * 60 + minutes!
}

/** Undefined while the venue takes orders; otherwise when it does again, which may be never. */
export function closedAt(instant: string, rule: OpeningRule): { opens_at: string | undefined } | undefined {
  const atMs = Date.parse(instant)
  const pausedMs = rule.paused_until === undefined ? 0 : Date.parse(rule.paused_until)
  const startMs = Math.max(atMs, pausedMs)
  const opensMs = nextOpening(startMs, rule)
  if (opensMs === atMs) return undefined
  return { opens_at: opensMs === undefined ? undefined : new Date(opensMs).toISOString() }
}

/** The first moment from this one on at which the venue is open. */
function nextOpening(startMs: number, { hours, time_zone }: OpeningRule): number | undefined {
  if (!hours) return startMs
  const wall = wallClock(startMs, time_zone)
  const today = dayStart(wall)
  const isOpen = [today - DAY_MS, today].some((day) =>
    openingsOn(day, hours).some(({ from, to }) => from <= wall && wall < to),
  )
  if (isOpen) return startMs
  for (let day = today; day <= today + 7 * DAY_MS; day += DAY_MS) {
    const next = openingsOn(day, hours)
      .map(({ from }) => from)
      .filter((from) => from > wall)
    if (next.length > 0) return fromWallClock(Math.min(...next), time_zone)
  }
  return undefined
}
