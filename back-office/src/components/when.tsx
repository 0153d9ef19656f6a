import { LOCALE, texts } from '../texts/texts.ts'

const exact = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' })
const time = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' })
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'long' })

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
const WEEK_MS = 7 * 86_400_000

export const shownInstant = (instant: string) => exact.format(new Date(instant))

/** How long ago, in words, as long as that says more than a date. */
export function ago(instant: string): string {
  const elapsed = Date.now() - Date.parse(instant)
  if (elapsed > WEEK_MS) return day.format(new Date(instant))
  const [unit, ms] = UNITS.find(([, length]) => elapsed >= length) ?? []
  return unit ? relative.format(-Math.floor(elapsed / ms!), unit) : texts.justNow
}

/** Day and time, for a list in which the moment itself matters. */
export function Moment({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at}>
      <span className="nowrap">{day.format(date)}</span>
      <span className="sub block">{time.format(date)}</span>
    </time>
  )
}

export function When({ at, date }: { at: string | null; date?: true }) {
  if (at === null) return <span className="quiet">{texts.never}</span>
  return (
    <time dateTime={at} title={shownInstant(at)} className="nowrap">
      {date ? day.format(new Date(at)) : ago(at)}
    </time>
  )
}
