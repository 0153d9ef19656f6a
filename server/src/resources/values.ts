import Type from 'typebox'

// The contract's kinds of value (§2), as schemas that resources share.

/** D3.1: an id is an integer from 1. */
export const Id = () => Type.Integer({ minimum: 1 })

/** The same in a path. */
export const PathId = () => Type.Integer({ minimum: 1, example: 1 })

/** D3.4: an amount, a quantity or a rate. */
export const Decimal = () => Type.Number()

/** D3.3: ISO 8601 in UTC, milliseconds included. */
export const DateTime = () => Type.String({ format: 'date-time' })

/** D4.1: text that is kept without the spaces around it, and is absent when nothing else is left. */
export const Trimmed = (options: Type.TStringOptions) => Type.String({ ...options, 'x-trimmed': true })

/** A name that people read: composed, trimmed, with a visible character, without control characters and marks of direction. */
export const Name = (maxLength = 255) => Type.String({ minLength: 1, maxLength, 'x-name': true })

export const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const Maybe = Type.Optional
