import Type, { type TObject } from 'typebox'
import { DISCOUNT_TYPES } from '../values/states.ts'

// The contract's kinds of value (§2), as schemas that resources share.

/** D3.1: an id is an integer from 1. */
export const Id = () => Type.Integer({ minimum: 1 })

/** The same in a path. */
export const PathId = () => Type.Integer({ minimum: 1, example: 1 })

/** D3.1: a customer's id in a path. */
export const PathText = () => Type.String({ minLength: 1, maxLength: 64, example: '1' })

/** D3.4: an amount, a quantity or a rate. */
export const Decimal = () => Type.Number()

/** What amounts add up to, as in a balance: up to 9 × 10^11. */
export const Sum = (description?: string) => Type.Number({ 'x-sum': true, ...(description && { description }) })

/** The same as SQL makes it of a column, as JSON.stringify would write it: for texts that are made when they are read. */
export const decimalText = (column: string) =>
  `(case when ${column} < 0 then '-' else '' end || (abs(${column}) / 10000) || case when abs(${column}) % 10000 = 0 then ''
    else '.' || rtrim(substr(cast(10000 + abs(${column}) % 10000 as text), 2), '0') end)`

/** An amount in a request: a number, or a text with the same digits. It is read as a number. */
export const DecimalOrText = (options: Type.TSchemaOptions = {}) =>
  Type.Unsafe<number>(
    Type.Union([Type.Number(), Type.String({ pattern: '^-?[0-9]+([.][0-9]+)?$', example: '12.50' })], options),
  )

/** D3.3: ISO 8601 in UTC, milliseconds included. */
export const DateTime = () => Type.String({ format: 'date-time' })

/** As the clock on the wall shows it: 17:00. */
export const TimeOfDay = () => Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })

/** D4.1: text that is kept without the spaces around it, and is absent when nothing else is left. */
export const Trimmed = (options: Type.TStringOptions) => Type.String({ ...options, 'x-trimmed': true })

/**
 * What people write to one another, on several lines where they like: trimmed, and without marks of direction, which could make it
 * read as another text.
 */
export const Note = (maxLength: number) => Trimmed({ maxLength, 'x-undirected': true })

/** A name that people read: composed, trimmed, with a visible character, without control characters and marks of direction. */
export const Name = (maxLength = 255) => Type.String({ minLength: 1, maxLength, 'x-name': true })

export const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const Maybe = Type.Optional

/** 1 for yes, 0 for no, as some members have it. */
export const Flag = (description?: string) => Type.Enum([1, 0], { ...(description && { description }) })

/** D3.5 */
export const DiscountType = (description = '0 none, 1 percent, 2 amount') =>
  Type.Enum([...DISCOUNT_TYPES], { description })

/** D3.5 */
export const Status = () => Flag('1 active, 0 inactive')

/** `created_at` and `updated_at`, which are the time of the write where a line leaves them out. */
export const Timestamps = () => ({ created_at: Maybe(DateTime()), updated_at: Maybe(DateTime()) })

/** As lists show it: `fields` can leave out everything but what always comes. `x-present` names what is there otherwise. */
export function shown<Schema extends TObject>(schema: Schema, always: readonly string[] = ['id']): Schema {
  const { properties, required, ...options } = schema as TObject & { required: readonly string[] }
  const members = Object.entries(properties).map(([name, member]) => [
    name,
    always.includes(name) ? member : Type.Optional(member),
  ])
  const present = required.filter((name) => !always.includes(name))
  const more = present.length > 0 ? { 'x-present': present } : {}
  return Type.Object(Object.fromEntries(members), { ...options, ...more }) as TObject as Schema // its type is of the whole
}
