import { inZone } from '../texts/clock.ts'
import { LOCALE, texts } from '../texts/texts.ts'

const exact = inZone({ dateStyle: 'medium', timeStyle: 'medium' })
const time = inZone({ timeStyle: 'medium' })
const day = inZone({ dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'long' })

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
const WEEK_MS = 7 * 86_400_000

export const shownInstant = (instant: string) => exact(instant)

/** How long ago, in words, as long as that says more than a date. */
export function ago(instant: string): string {
  const elapsed = Date.now() - Date.parse(instant)
  if (elapsed > WEEK_MS) return day(instant)
  const [unit, ms] = UNITS.find(([, length]) => elapsed >= length) ?? []
  return unit ? relative.format(-Math.floor(elapsed / ms!), unit) : texts.justNow
}

/** Day and time, for a list in which the moment itself matters. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at}>
      <span className="nowrap">{day(at)}</span>
      <span className="sub block">{time(at)}</span>
    </time>
  )
}

export function When({ at, date }: { at: string | null; date?: true }) {
  if (at === null) return <span className="quiet">{texts.never}</span>
  return (
    <time dateTime={at} title={shownInstant(at)} className="nowrap">
      {date ? day(at) : ago(at)}
    </time>
  )
}
