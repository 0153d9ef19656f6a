import { nfc } from '../values/fold.ts'
import { isDate, isSoundText, readInstant, sumToScaled } from '../values/values.ts'

/** What a filterable column holds; a `key` is a text that is compared, but not folded. Each type is stored as bigint or text, in the form its reader returns. */
export type ColumnType = 'integer' | 'text' | 'key' | 'decimal' | 'instant' | 'boolean'

export type SqlValue = string | number

interface ValueType {
  /** What a refusal says the value must be. */
  readonly expected: string
  /** The value as its column stores it; undefined when it is of another type. */
  readonly read: (value: unknown) => SqlValue | undefined
}

/** D2.3: a value is read by the field's type, whether it came as JSON or as the text of a query string. */
export const VALUE_TYPES: Readonly<Record<ColumnType, ValueType>> = {
  integer: { expected: 'an integer', read: readInteger },
  decimal: { expected: 'a number within ±10^11 with at most four decimals', read: readDecimal },
  boolean: { expected: 'true or false, or 1 or 0', read: readBoolean },
  text: { expected: 'text without NUL and lone surrogates', read: readText },
  key: { expected: 'text without NUL and lone surrogates', read: readKey },
  instant: {
    expected: 'a date or an ISO 8601 date-time with Z or an offset (whose + is %2B in a query string)',
    read: (value) => readTime(value),
  },
}

export function readInteger(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?(?:0|[1-9]\d*)$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) ? (number as number) + 0 : undefined // + 0: there is no −0 in a bigint
}

/** D3.4: four places, kept as a whole number of ten-thousandths. */
function readDecimal(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d{1,4})?$/.test(value) ? Number(value) : value
  return typeof number === 'number' ? sumToScaled(number + 0) : undefined
}

const BOOLEANS: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  [true, 1],
  [1, 1],
  ['true', 1],
  ['1', 1],
  [false, 0],
  [0, 0],
  ['false', 0],
  ['0', 0],
])

function readBoolean(value: unknown): number | undefined {
  return BOOLEANS.get(value)
}

/** D1.5: compared in its composed form. */
function readText(value: unknown): string | undefined {
  return typeof value === 'string' && isSoundText(value) ? nfc(value) : undefined
}

/** A customer's id is a text, and an integer on a receipt (§2.2, §2.5). */
function readKey(value: unknown): string | undefined {
  return readText(Number.isSafeInteger(value) ? String(value) : value)
}

/** An instant in its stored form, whose text order is time order. A date stands for one time of its day. */
export function readTime(value: unknown, ofDay = '00:00:00.000Z'): string | undefined {
  if (typeof value !== 'string') return undefined
  return isDate(value) ? `${value}T${ofDay}` : readInstant(value)
}
