import { fromWallClock, wallClock } from '../../../server/src/values/wall-clock.ts'
import { LOCALE } from './texts.ts'

// Times as the clock on the venue's wall shows them, wherever the browser is.

const own = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
let zone = own()

export const timeZone = () => zone
/** The venue in which this device works has changed. */
export function setTimeZone(name: string): void {
  zone = name
}

/** The browser's own clock shows another time: people who compare would think that one of them is wrong. */
export function isOtherZone(): boolean {
  const now = Date.now()
  return wallClock(now, zone) !== wallClock(now, own())
}

/** Writes instants in the language of the pages and the zone of the venue, both as they are when it is called. */
export function inZone(options: Intl.DateTimeFormatOptions, locale?: string): (at: string | number | Date) => string {
  let format: Intl.DateTimeFormat | undefined
  let madeFor: string | undefined
  return (at) => {
    if (!format || madeFor !== zone) {
      madeFor = zone
      format = new Intl.DateTimeFormat(locale ?? LOCALE, { ...options, timeZone: zone })
    }
    return format.format(new Date(at))
  }
}

/** An instant as the browser's input for date and time writes it. */
export const localOf = (instant: string): string =>
  instant === '' ? '' : new Date(wallClock(Date.parse(instant), zone)).toISOString().slice(0, 16)

/** The same back: what was typed is the venue's time. */
export const instantOf = (local: string): string => new Date(fromWallClock(Date.parse(`${local}Z`), zone)).toISOString()
