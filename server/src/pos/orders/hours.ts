import type { Hours } from '../../resources/places/venues.ts'
import { DAY_MS, dayStart, fromWallClock, isWithin, spanOn, wallClock, weekdayOf } from '../../values/wall-clock.ts'

// When a venue takes orders: its opening hours in its own time, and a pause that staff set.

export interface OpeningRule {
  readonly time_zone: string
  /** Without any the venue is always open. */
  readonly hours?: Hours | undefined
  readonly paused_until?: string | undefined
}

/** The openings that begin on a day, as readings of the clock. */
const openingsOn = (dayMs: number, hours: Hours) => (hours[weekdayOf(dayMs)] ?? []).map((span) => spanOn(dayMs, span))

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
  if (isWithin(wall, (day) => openingsOn(day, hours))) return startMs
  for (let day = today; day <= today + 7 * DAY_MS; day += DAY_MS) {
    const next = openingsOn(day, hours)
      .map(({ from }) => from)
      .filter((from) => from > wall)
    if (next.length > 0) return fromWallClock(Math.min(...next), time_zone)
  }
  return undefined
}
