export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const DAYS = 30

/** One of the thirty days, as far as it has come: how many guests it saw, and when the nth of them arrived. */
interface OpenDay {
  start: number
  guests: number
  arrival(turn: number, jitter: number): number
}

// Hours are UTC, from midnight: coffee, lunch, dinner, and a bar that closes at two.
const BY_HOUR = [2, 1, 0, 0, 0, 0, 1, 3, 4, 3, 3, 12, 14, 7, 3, 2, 3, 5, 12, 15, 13, 8, 4, 3]
const BY_WEEKDAY = [1.3, 0.7, 0.8, 0.9, 1, 1.5, 1.7] // from Sunday

// However early it is, someone has come in today.
const MIN_WEIGHT_TODAY = 0.15

export const startOfDay = (instant: number) => instant - (instant % DAY)

export const firstDay = (today: Date) => startOfDay(today.getTime()) - (DAYS - 1) * DAY

/** Spreads the guests over the thirty days that end today, and today's over the hours that have passed. */
export function openDays(today: Date, guests: number): OpenDay[] {
  const now = today.getTime()
  const days = Array.from({ length: DAYS }, (_, index) => {
    const start = firstDay(today) + index * DAY
    const length = Math.min(now - start, DAY)
    const arrived = arrivedBy(length)
    const share = arrived / arrivedBy(DAY)
    const weight = Math.max(BY_WEEKDAY[new Date(start).getUTCDay()]! * share, MIN_WEIGHT_TODAY)
    return { start, length, arrived, weight }
  })
  const whole = days.reduce((sum, { weight }) => sum + weight, 0)

  let weighed = 0
  let seated = 0
  return days.map(({ start, length, arrived, weight }) => {
    weighed += weight
    const due = Math.round((guests * weighed) / whole) - seated
    seated += due
    return {
      start,
      guests: due,
      // Each turn has its own slice of the day, so that arrivals come in order without being sorted.
      arrival: (turn, jitter) => start + Math.min(timeOf(((turn + jitter) / due) * arrived), length),
    }
  })
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
