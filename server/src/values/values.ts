// D3: how the values of the wire are read, exactly, wherever they come in.

import { nfc } from './fold.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

/** D3.3: an ISO 8601 date-time with its zone, as UTC with milliseconds; undefined when it is not one or no such time exists. */
export function readInstant(text: string): string | undefined {
  const parts = text.length <= 40 ? DATE_TIME.exec(text) : null
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second = '0', fraction = '', sign, offsetHour = '0', offsetMinute = '0'] =
    parts
  if (!isCalendarDay(Number(year), Number(month), Number(day))) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined
  const time = new Date(0)
  time.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  time.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)))
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000
  const utc = new Date(time.getTime() - (sign === '-' ? -offset : offset))
  return utc.getUTCFullYear() >= 1 && utc.getUTCFullYear() <= 9999 ? utc.toISOString() : undefined
}

let [lastMs, lastInstant] = [Number.NaN, '']

/** A moment as the wire writes it. Cached: many are made within one millisecond, and formatting a date is slow. */
export function instantOf(ms: number): string {
  if (ms !== lastMs) [lastMs, lastInstant] = [ms, new Date(ms).toISOString()]
  return lastInstant
}

/** The later of two instants; the second may be unknown. A clock can be set back. */
export const laterOf = (one: string, other: string | undefined): string =>
  other !== undefined && other > one ? other : one

/** A day that exists, as YYYY-MM-DD. */
export function isDate(text: string): boolean {
  const parts = DATE.exec(text)
  return parts !== null && isCalendarDay(Number(parts[1]), Number(parts[2]), Number(parts[3]))
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false // ISO 8601 has a year 0, no calendar does
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31)
}

const SCALE = 10_000
const LARGEST = 1e11

/**
 * D3.4: an amount as a whole number of ten-thousandths; undefined with more than four decimals or beyond 10^11. Within that
 * range the nearest double of a four-place decimal is unique, so the division tells exactly whether `amount` is one.
 */
export function toScaled(amount: number): number | undefined {
  const scaled = Math.round(amount * SCALE)
  return Math.abs(amount) <= LARGEST && scaled / SCALE === amount ? scaled : undefined
}

/** D3.4: the largest amount, ×10,000. */
export const LARGEST_SCALED = LARGEST * SCALE

/** What amounts may add up to, as in a balance: the most that fits an exact integer, ×10,000 (2^53 is 9.007 × 10^15). */
export const LARGEST_SUM_SCALED = 9e11 * SCALE

/** The same as `toScaled` of a sum of amounts. */
export function sumToScaled(sum: number): number | undefined {
  const scaled = Math.round(sum * SCALE)
  return Math.abs(scaled) <= LARGEST_SUM_SCALED && scaled / SCALE === sum ? scaled : undefined
}

export const fromScaled = (scaled: number) => scaled / SCALE

/** D1.5: no NUL, which PostgreSQL cannot hold, and no half of a surrogate pair, which UTF-8 cannot. */
export const isSoundText = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Characters that can make a text look like another one, and reverse the text around it: U+202E and its kind. */
export const hasDirection = (text: string) => /\p{Bidi_Control}/u.test(text)
export const DIRECTED = 'must not contain characters that control the direction of text'

const CONTROL = /[\p{Cc}\u2028\u2029]/u
const VISIBLE = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v // U+2800 is an empty Braille cell

/**
 * The one check of names: brands, venues, roles, users, integrators, credentials, customers. A good name comes back composed
 * (NFC) and without the spaces around it; otherwise `explanation` says what is wrong, without its subject.
 */
export function readName(text: string, maxLength = 255): { name: string } | { explanation: string } {
  const name = nfc(text).trim()
  const length = [...name].length
  if (length < 1 || length > maxLength) return { explanation: `must have 1 to ${maxLength} characters` }
  if (!isSoundText(name) || CONTROL.test(name)) return { explanation: 'must not contain control characters' }
  if (hasDirection(name)) return { explanation: DIRECTED }
  if (!VISIBLE.test(name)) return { explanation: 'must have a visible character' }
  return { name }
}

/** D4.1: a phone as it is compared, without spaces, dashes, dots, slashes and parentheses. */
export const withoutSeparators = (phone: string) => nfc(phone).replaceAll(/[\s().\p{Dash}/]/gu, '')

/** D3.1: an id from 1 to 2^53 − 1 in decimal digits without a leading zero; undefined for anything else. */
export function readId(text: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0
  return id > 0 && Number.isSafeInteger(id) ? id : undefined
}
