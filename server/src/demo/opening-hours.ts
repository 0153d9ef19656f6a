export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** At least this many days, today included. They begin on a Monday, so that busy Saturdays stay Saturdays. */
export const MIN_DAYS = 30

/**
 * UTC: a business day goes from one count of the drawers to the next. Nobody is there then, and every venue's own day has begun within
 * the hour before, in summer and in winter (people.ts): the same days, some weeks later, obey the same rules.
 */
const DRAWERS_COUNTED = 5 * HOUR

/** One business day of the house, as far as it has come. */
export interface OpenDay {
  /** From 0, a Monday. */
  readonly index: number
  readonly start: number
  readonly guests: number
  readonly isToday: boolean
  /** When the nth guest arrived. */
  arrival(turn: number, jitter: number): number
}

// From the count of the drawers at five: coffee, lunch, dinner, and a bar that closes at two.
const BY_HOUR = [0, 1, 3, 4, 3, 3, 12, 14, 7, 3, 2, 3, 5, 12, 15, 13, 8, 4, 3, 2, 1, 0, 0, 0]
const BY_WEEKDAY = [0.7, 0.8, 0.9, 1, 1.5, 1.7, 1.3] // from Monday

/** On a day of weight 1: about 2,000 in thirty days. */
const GUESTS = 56

/** The last guests are still here, whatever the hour. */
export const STILL_OPEN = 5

const FIRST_MONDAY = 4 * DAY // of 1970

/** When the first day of the demo begins that is looked at now. */
export function firstDay(now: Date): number {
  const earliest = now.getTime() - DRAWERS_COUNTED - (MIN_DAYS - 1) * DAY
  const monday = earliest - ((earliest - FIRST_MONDAY) % (7 * DAY))
  return monday + DRAWERS_COUNTED
}

/** Index of the business day that it is now; the days before it are over. */
export const dayIndex = (now: Date): number => Math.floor((now.getTime() - firstDay(now)) / DAY)

/** Guests come every week as they came the week before; today's as far as the hours have passed. */
export function openDay(now: Date, index: number, scale: number): OpenDay {
  const start = firstDay(now) + index * DAY
  const length = Math.min(now.getTime() - start, DAY)
  const arrived = arrivedBy(length)
  const usual = GUESTS * BY_WEEKDAY[index % 7]! * scale
  const guests = Math.max(STILL_OPEN, Math.round((usual * arrived) / arrivedBy(DAY)))
  return {
    index,
    start,
    guests,
    isToday: index === dayIndex(now),
    // Each turn has its own slice of the day, so that arrivals come in order without being sorted.
    arrival: (turn, jitter) => start + Math.min(timeOf(((turn + jitter) / guests) * arrived), length),
  }
}

function arrivedBy(time: number): number {
  const hour = Math.floor(time / HOUR)
  const before = BY_HOUR.slice(0, hour).reduce((sum, weight) => sum + weight, 0)
  return before + ((BY_HOUR[hour] ?? 0) * (time % HOUR)) / HOUR
}

function timeOf(arrived: number): number {
  let left = arrived
  let hour = 0
  while (left > BY_HOUR[hour]!) left -= BY_HOUR[hour++]!
  return hour * HOUR + (left > 0 ? Math.floor((left / BY_HOUR[hour]!) * HOUR) : 0)
}
