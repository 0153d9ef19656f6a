import { LOCALE } from '../../texts/texts.ts'

// Days and amounts as people write them. Amounts have at most four places and are added as whole numbers.

const PLACES = 10_000

export const added = <Row>(rows: readonly Row[], amount: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + Math.round(amount(row) * PLACES), 0) / PLACES

/** Decimal places of amounts in the signed-in person's brand. */
let moneyPlaces = 2
export const setMoneyPlaces = (places: number) => {
  moneyPlaces = places
}

let currency = 'EUR'
export const setCurrency = (code: string) => {
  currency = code
}

/** With the currency, for figures that stand alone. */
export const amount = (value: number) =>
  value.toLocaleString(LOCALE, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: moneyPlaces,
    maximumFractionDigits: moneyPlaces,
  })
export const money = (value: number) =>
  value.toLocaleString(LOCALE, { minimumFractionDigits: moneyPlaces, maximumFractionDigits: moneyPlaces })
/** What one of something cost: a gram may cost less than the smallest coin. */
export const unitCost = (value: number) =>
  value.toLocaleString(LOCALE, { minimumFractionDigits: moneyPlaces, maximumFractionDigits: 4 })
/** A price as it stands in a field: nothing between thousands, which nobody types. */
export const typedPrice = (value: number) =>
  value.toLocaleString(LOCALE, { minimumFractionDigits: moneyPlaces, maximumFractionDigits: 4, useGrouping: false })
/** Any other number in a field. */
export const typedNumber = (value: number) =>
  value.toLocaleString(LOCALE, { maximumFractionDigits: 10, useGrouping: false })
export const number = (value: number) => value.toLocaleString(LOCALE, { maximumFractionDigits: 4 })
export const percent = (part: number, whole: number, isChange = false) =>
  whole > 0
    ? (part / whole).toLocaleString(LOCALE, {
        style: 'percent',
        maximumFractionDigits: 1,
        ...(isChange && { signDisplay: 'exceptZero' }),
      })
    : ''

const short = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
export const shortDay = (day: string) => short.format(new Date(day))
export const longDay = (day: string) => long.format(new Date(day))
