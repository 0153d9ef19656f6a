import type { Static, TSchema } from 'typebox'
import { isDate, isSoundText, readInstant, toScaled } from '../http/values.ts'

/** What is wrong with one imported row, for the person who wrote it; `row` is the one, where several were put in at once. */
export class RowProblem extends Error {
  readonly row: unknown

  constructor(message: string, row?: unknown) {
    super(message)
    this.row = row
  }
}

type Read = (value: unknown, path: string) => unknown

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  enum?: readonly unknown[]
  format?: string
  pattern?: string
  minimum?: number
  minLength?: number
  maxLength?: number
}

/**
 * Reads one row by the schema that also describes it on the wire: members in the contract's order, none that it does not know,
 * instants in UTC, amounts of at most four decimals. A null member is an absent one, except where the contract says nullable.
 */
export function rowReader<Row extends TSchema>(schema: Row): (row: Record<string, unknown>) => Static<Row> {
  const read = readerOf(schema as Schema)
  return (row) => read(row, '') as Static<Row>
}

function readerOf(schema: Schema): Read {
  if (schema.anyOf) return readerOf(schema.anyOf.find((option) => option.type !== 'null')!) // the reader of objects keeps the null
  if (schema.enum) return oneOf(schema.enum)
  switch (schema.type) {
    case 'object':
      return objectReader(schema)
    case 'array':
      return arrayReader(readerOf(schema.items!))
    case 'integer':
      return (value, path) => {
        if (!Number.isSafeInteger(value)) throw new RowProblem(`${path} must be an integer, not ${shown(value)}`)
        if ((value as number) < (schema.minimum ?? Number.MIN_SAFE_INTEGER))
          throw new RowProblem(`${path} must be at least ${schema.minimum}, not ${shown(value)}`)
        return value
      }
    case 'number':
      return (value, path) => {
        if (typeof value !== 'number') throw new RowProblem(`${path} must be a number, not ${shown(value)}`)
        if (toScaled(value) === undefined)
          throw new RowProblem(`${path} must have at most four decimals and be within 10^11, not ${shown(value)}`)
        return value
      }
    case 'boolean':
      return (value, path) => {
        if (typeof value !== 'boolean') throw new RowProblem(`${path} must be true or false, not ${shown(value)}`)
        return value
      }
    default:
      return textReader(schema)
  }
}

function objectReader(schema: Schema): Read {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    name,
    read: readerOf(member),
    nullable: member.anyOf !== undefined,
    required: schema.required?.includes(name) ?? false,
  }))
  const known = new Set(members.map(({ name }) => name))
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new RowProblem(`${path || 'the row'} must be an object, not ${shown(value)}`)
    for (const name of Object.keys(value))
      if (!known.has(name)) throw new RowProblem(`${path}${path && '.'}${name} is not a known member`)
    const source = value as Record<string, unknown>
    const object: Record<string, unknown> = {}
    for (const { name, read, nullable, required } of members) {
      const given = Object.hasOwn(source, name) ? source[name] : undefined
      if (given !== undefined && given !== null) object[name] = read(given, path ? `${path}.${name}` : name)
      else if (nullable) object[name] = null
      else if (required) throw new RowProblem(`${path}${path && '.'}${name} is missing`)
    }
    return object
  }
}

const arrayReader =
  (read: Read): Read =>
  (value, path) => {
    if (!Array.isArray(value)) throw new RowProblem(`${path} must be a list, not ${shown(value)}`)
    return value.map((item, index) => read(item, `${path}[${index}]`))
  }

const oneOf =
  (values: readonly unknown[]): Read =>
  (value, path) => {
    if (!values.includes(value))
      throw new RowProblem(`${path} must be one of ${values.join(', ')}, not ${shown(value)}`)
    return value
  }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function textReader({ format, pattern, minLength = 0, maxLength }: Schema): Read {
  const expression = pattern === undefined ? undefined : new RegExp(pattern)
  return (value, path) => {
    if (typeof value !== 'string') throw new RowProblem(`${path} must be text, not ${shown(value)}`)
    if (!isSoundText(value)) throw new RowProblem(`${path} holds a NUL or half a surrogate pair`)
    if (format === 'date-time') {
      const instant = readInstant(value)
      if (instant === undefined)
        throw new RowProblem(`${path} must be an ISO 8601 date-time with its zone, not ${shown(value)}`)
      return instant
    }
    if (format === 'date' && !isDate(value))
      throw new RowProblem(`${path} must be a date YYYY-MM-DD that exists, not ${shown(value)}`)
    if (format === 'uuid' && !UUID.test(value)) throw new RowProblem(`${path} must be a UUID, not ${shown(value)}`)
    if (
      value.length < minLength ||
      (maxLength !== undefined && value.length > maxLength && [...value].length > maxLength)
    )
      throw new RowProblem(`${path} must have ${minLength} to ${maxLength} characters`)
    if (expression && !expression.test(value))
      throw new RowProblem(`${path} is ${shown(value)}, which is not allowed there`)
    return value
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
