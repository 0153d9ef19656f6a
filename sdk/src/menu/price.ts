import type { PriceWindow } from '../types.ts'

// M9 and M10 for programs without a server: the clock on a venue's wall, and which of a thing's prices holds at an instant.

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** Something of a menu that costs something: a product without variants, or a variant. */
export interface Priced {
  readonly price?: number | undefined
  readonly price_windows?: readonly PriceWindow[] | undefined
}

/** What guests pay for it at an instant, by the clock of the venue (`menu.venue.time_zone`); undefined: it cannot be sold then. */
export function priceAt(item: Priced, instant: Date | string | number, timeZone: string): number | undefined {
  const at = new Date(instant).getTime()
  if (Number.isNaN(at)) throw new TypeError(`${JSON.stringify(instant)} is no instant`)
  const wall = wallClock(at, timeZone)
  return item.price_windows?.find((window) => holds(window, wall))?.price ?? item.price
}

/** A window that began today or yesterday holds from ≤ wall < to. */
function holds({ days, from, to, starts_on, ends_on }: PriceWindow, wall: number): boolean {
  const today = Math.floor(wall / DAY_MS) * DAY_MS
  return [today - DAY_MS, today].some((day) => {
    const date = new Date(day).toISOString().slice(0, 10)
    if (days && !(days as readonly string[]).includes(WEEKDAYS[new Date(day).getUTCDay()]!)) return false
    if ((starts_on && date < starts_on) || (ends_on && date > ends_on)) return false
    const begins = day + minutesOf(from ?? '00:00')
    const ends = day + (to === undefined ? DAY_MS : minutesOf(to) + (to < from! ? DAY_MS : 0))
    return begins <= wall && wall < ends
  })
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return (hours! * 60 + minutes!) * MINUTE_MS
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** What the clock shows, in milliseconds as if it were UTC. */
function wallClock(at: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (!format) {
    const [numeric, digits] = ['numeric', '2-digit'] as const
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: digits,
      day: digits,
      hour: digits,
      minute: digits,
      second: digits,
    })
    formats.set(timeZone, format)
  }
  const { year, month, day, hour, minute, second } = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
  ) as Record<string, number>
  return Date.UTC(year!, month! - 1, day, hour, minute, second)
}
