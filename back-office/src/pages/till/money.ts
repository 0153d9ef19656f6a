import { LOCALE } from '../../texts/texts.ts'

// Amounts are whole numbers of a ten-thousandth while they are computed with, as on the server.

const SCALE = 10_000
export const scaled = (amount: number): number => Math.round(amount * SCALE)
export const sum = (...amounts: number[]): number => amounts.reduce((total, each) => total + scaled(each), 0) / SCALE
export const minus = (from: number, amount: number): number => (scaled(from) - scaled(amount)) / SCALE
/** Rounds to the smallest coin, half away from zero. */
export const rounded = (amount: number, places: number): number => {
  const step = 10 ** (4 - places)
  const units = scaled(amount)
  return (Math.sign(units) * Math.round(Math.abs(units) / step) * step) / SCALE
}

/** Amounts as the brand counts them: in its currency, with its own number of places, which need not be the usual one. */
export const moneyOf = (currency: string, places: number, locale = LOCALE) => {
  const formatOf = (digits: number) =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  const format = formatOf(places)
  const whole = formatOf(0)
  return {
    money: (amount: number) => format.format(amount),
    /** A banknote has no coins. */
    note: (amount: number) => whole.format(amount),
  }
}

export type Money = ReturnType<typeof moneyOf>

const NOTES = [5, 10, 20, 50, 100]

/** What a guest is likely to hand over: the exact amount, and the next multiples of notes above it. */
export function likelyNotes(due: number): number[] {
  const units = scaled(due)
  const above = NOTES.map((note) => (Math.ceil(units / scaled(note)) * scaled(note)) / SCALE)
  return [...new Set(above)].filter((amount) => scaled(amount) > units).slice(0, 4)
}

/** A part of what remains, rounded up, so that the last part is never more than the others. */
export function splitPart(remaining: number, parts: number, places: number): number {
  const step = 10 ** (4 - places)
  return (Math.ceil(scaled(remaining) / parts / step) * step) / SCALE
}

const MIN_SPLITS = 5
const MAX_SPLITS = 20

/** Numbers of parts that a payment can be split into: from two to the number of guests, to five if nobody counted them. */
export function splitsOf(guests: number): number[] {
  const last = Math.min(Math.max(guests, MIN_SPLITS), MAX_SPLITS)
  const parts = Array.from({ length: last - 1 }, (_, index) => index + 2)
  return guests > MAX_SPLITS ? [...parts, guests] : parts
}

/** One of equal parts of a receipt: what each comes to, as long as its total is the same. */
export interface Share {
  readonly parts: number
  readonly amount: number
  readonly total: number
}

/** The next of so many parts: as much as those that were paid before it. */
export function shareOf(
  { total, remaining }: { readonly total: number; readonly remaining: number },
  parts: number,
  places: number,
  before: Share | undefined,
): Share {
  if (before?.parts === parts && before.total === total) return before
  return { parts, amount: splitPart(remaining, parts, places), total }
}

/** T8: the name of the next part, as the server calls it: 2/3 where one of three was paid. */
export function shareLabel({ parts, amount }: Share, remaining: number): string {
  const left = amount > 0 ? Math.round(remaining / amount) : 1
  return `${parts - Math.min(parts, Math.max(1, left)) + 1}/${parts}`
}

/** More than anybody hands over for what is due: a slip of the finger, or a barcode. */
export const isTooMuch = (given: number, due: number): boolean => given > Math.max(100 * due, 100)

/** What was typed, as an amount; undefined where it is none. */
export function readAmount(typed: string): number | undefined {
  const text = typed.trim().replace(',', '.')
  return /^\d{1,9}(\.\d{0,4})?$/.test(text) ? Number(text) : undefined
}

/** What pressing a key of the number pad makes of what stands there. */
export function pressed(typed: string, key: string, places: number): string {
  if (key === '⌫') return typed.slice(0, -1)
  if (key === '.') return typed.includes('.') || places === 0 ? typed : `${typed || '0'}.`
  const [, decimals = ''] = typed.split('.')
  return decimals.length >= places && typed.includes('.') ? typed : `${typed === '0' ? '' : typed}${key}`
}
