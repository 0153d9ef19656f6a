import { fold, nfc } from '../src/values/fold.ts'

// A simple reference implementation of lists, row by row; it shares only the folding with the real one (D2.3, D2.7, D2.8).

export type Scalar = string | number | boolean

export interface Filter<Field extends string = string> {
  readonly field: Field
  readonly operator: string
  readonly value: Scalar | null | readonly Scalar[]
}

export interface Question<Field extends string = string> {
  readonly filters: readonly Filter<Field>[]
  readonly keys: readonly { readonly field: Field; readonly descending: boolean }[]
  readonly dates: readonly [from: string | null, to: string | null]
}

/** The matching rows in order; an absent member is a null one. */
export function naively<Row extends object>(rows: readonly Row[], { filters, keys, dates }: Question): Row[] {
  const [from, to] = dates
  const member = (row: Row, name: string) => (row as Record<string, unknown>)[name] ?? null
  return rows
    .filter((row) => {
      const created = Date.parse(String(member(row, 'created_at')))
      if (from !== null && created < Date.parse(from)) return false
      if (to !== null && created > Date.parse(to) + (to.length === 10 ? 86_399_999 : 0)) return false
      return filters.every((filter) => holds(member(row, filter.field), filter))
    })
    .sort((one, other) => {
      for (const { field, descending } of [...keys, { field: 'id', descending: false }]) {
        const order = compareNulls(folded(member(one, field)), folded(member(other, field)))
        if (order !== 0) return descending ? -order : order
      }
      return 0
    })
}

function holds(actual: unknown, { operator: given, value }: Filter): boolean {
  const operator = given.toLowerCase()
  const equals = (each: unknown) => (actual === null || each === null ? actual === each : compare(actual, each) === 0)
  if (operator === 'is null') return actual === null
  if (operator === 'is not null') return actual !== null
  if (operator === 'in') return (value as Scalar[]).some(equals)
  if (operator === 'not in') return !(value as Scalar[]).some(equals)
  if (operator === '=') return equals(value)
  if (operator === '!=') return !equals(value)
  if (actual === null) return false
  if (operator === 'like') return fold(String(actual)).includes(fold(String(value)))
  const order = compare(actual, value)
  return { '>': order > 0, '>=': order >= 0, '<': order < 0, '<=': order <= 0 }[operator]!
}

const folded = (value: unknown) => (typeof value === 'string' ? fold(value) : value)

const compareNulls = (one: unknown, other: unknown) =>
  one === null || other === null ? Number(other === null) - Number(one === null) : compare(one, other)

/** UTF-8's byte order is code-point order; JavaScript's own is not. */
const compare = (one: unknown, other: unknown) =>
  typeof one === 'string'
    ? Buffer.compare(Buffer.from(nfc(one)), Buffer.from(nfc(String(other))))
    : Number(one) - Number(other)
