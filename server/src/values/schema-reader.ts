import type { Static, TSchema } from 'typebox'
import { isDate, isSoundText, readInstant, readName, toScaled, withoutSeparators } from './values.ts'

// What comes in is read by the schema that documents it, be it a request or a line of an import: members in the schema's order
// and none besides, instants in UTC, amounts of at most four decimals.

/** One thing that is wrong: which rule is broken, and the sentence that says so, without its subject. */
export interface Problem {
  field: string
  rule: Rule
  must: string
  /** What was there, where it helps whoever wrote it. It can be personal, so no answer repeats it. */
  value: unknown
}

type Rule =
  | 'required'
  | 'unknown'
  | 'type'
  | 'choice'
  | 'minimum'
  | 'decimals'
  | 'characters'
  | 'length'
  | 'name'
  | 'format'
  | 'past'
  | 'pattern'

export interface ReaderOptions {
  /** Milliseconds of the clock that dates are compared with. */
  now: () => number
  /** Null is an absent member everywhere; otherwise only where the schema says nullable. */
  nullIsAbsent: boolean
}

/** Reads a value, leaving everything that is wrong with it in `problems`, in the schema's order. */
export function reader<Schema extends TSchema>(schema: Schema, options: ReaderOptions) {
  const read = readerOf(schema as Keywords, options)
  return (value: unknown, problems: Problem[]) => read(value, '', problems) as Static<Schema>
}

/** Answers the value as it is kept; undefined when it is faulty or counts as absent. */
type Read = (value: unknown, field: string, problems: Problem[]) => unknown

/** The part of JSON Schema that our schemas use, and four words of our own. */
interface Keywords {
  type?: string
  properties?: Record<string, Keywords>
  required?: readonly string[]
  items?: Keywords
  anyOf?: readonly Keywords[]
  enum?: readonly unknown[]
  format?: keyof typeof FORMATS
  pattern?: string
  minimum?: number
  minLength?: number
  maxLength?: number
  /** D4.1: kept without the spaces around it; what is then empty is absent. */
  'x-trimmed'?: boolean
  /** A name, as `readName` checks it. Beside x-trimmed an empty one is absent and others are kept as sent (D4.1). */
  'x-name'?: boolean
  /** D4.1: more than the separators that comparing leaves out. */
  'x-phone'?: boolean
  /** A date that is not in the future. */
  'x-past'?: boolean
}

function readerOf(schema: Keywords, options: ReaderOptions): Read {
  if (schema.anyOf) return readerOf(schema.anyOf.find(({ type }) => type !== 'null')!, options) // objects see to the null
  if (schema.enum) return choiceReader(schema.enum)
  switch (schema.type) {
    case 'object':
      return objectReader(schema, options)
    case 'array':
      return arrayReader(readerOf(schema.items!, options))
    case 'integer':
      return integerReader(schema)
    case 'number':
      return readDecimal
    case 'boolean':
      return readBoolean
    default:
      return textReader(schema, options)
  }
}

function objectReader(schema: Keywords, options: ReaderOptions): Read {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    name,
    read: readerOf(member, options),
    nullable: member.anyOf !== undefined,
    required: schema.required?.includes(name) ?? false,
  }))
  const known = new Set(members.map(({ name }) => name))

  return (value, field, problems) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return wrong(problems, field || 'body', 'type', 'must be a JSON object', value)
    const given = value as Record<string, unknown>
    const inside = (name: string) => (field ? `${field}.${name}` : name)
    const object: Record<string, unknown> = {}
    for (const { name, read, nullable, required } of members) {
      const member = Object.hasOwn(given, name) ? given[name] : undefined
      const absent = member === undefined || (member === null && (nullable || options.nullIsAbsent))
      const before = problems.length
      const result = absent ? undefined : read(member, inside(name), problems)
      if (result !== undefined) object[name] = result
      else if (problems.length > before) continue
      else if (nullable) object[name] = null
      else if (required) wrong(problems, inside(name), 'required', 'is missing')
    }
    for (const name of Object.keys(given))
      if (!known.has(name)) wrong(problems, inside(name), 'unknown', 'is not a known member')
    return object
  }
}

function wrong(problems: Problem[], field: string, rule: Rule, must: string, value?: unknown): undefined {
  problems.push({ field, rule, must, value })
}

const arrayReader =
  (read: Read): Read =>
  (value, field, problems) =>
    Array.isArray(value)
      ? value.map((item, index) => read(item, `${field}[${index}]`, problems))
      : wrong(problems, field, 'type', 'must be a list', value)

const choiceReader =
  (choices: readonly unknown[]): Read =>
  (value, field, problems) =>
    choices.includes(value) ? value : wrong(problems, field, 'choice', `must be one of ${choices.join(', ')}`, value)

const integerReader =
  ({ minimum = Number.MIN_SAFE_INTEGER }: Keywords): Read =>
  (value, field, problems) => {
    if (!Number.isSafeInteger(value)) return wrong(problems, field, 'type', 'must be an integer', value)
    if ((value as number) < minimum) return wrong(problems, field, 'minimum', `must be at least ${minimum}`, value)
    return value
  }

const readDecimal: Read = (value, field, problems) => {
  if (typeof value !== 'number') return wrong(problems, field, 'type', 'must be a number', value)
  if (toScaled(value) === undefined)
    return wrong(problems, field, 'decimals', 'must have at most four decimals and be within 10^11', value)
  return value
}

const readBoolean: Read = (value, field, problems) =>
  typeof value === 'boolean' ? value : wrong(problems, field, 'type', 'must be true or false', value)

function textReader(
  { format, pattern, minLength = 0, maxLength = 2 ** 20, ...schema }: Keywords,
  { now }: ReaderOptions,
): Read {
  const form = format && FORMATS[format]
  const expression = pattern === undefined ? undefined : new RegExp(pattern)
  const { 'x-trimmed': trimmed, 'x-name': isName, 'x-phone': isPhone, 'x-past': past } = schema

  return (value, field, problems) => {
    if (typeof value !== 'string') return wrong(problems, field, 'type', 'must be text', value)
    if (!isSoundText(value)) return wrong(problems, field, 'characters', 'holds a NUL or half a surrogate pair')
    const text = trimmed ? value.trim() : value
    if (trimmed && text === '') return undefined
    if (isName && !trimmed) {
      const result = readName(text, maxLength)
      return 'name' in result ? result.name : wrong(problems, field, 'name', result.must)
    }
    if (text.length < minLength || isLonger(text, maxLength))
      return wrong(problems, field, 'length', `must have ${minLength} to ${maxLength} characters`)
    if (isName) {
      const result = readName(text)
      if ('must' in result) return wrong(problems, field, 'name', result.must)
    }
    if (isPhone && withoutSeparators(text) === '')
      return wrong(problems, field, 'format', 'must have more than separators', value)
    const read = form ? form.read(text) : text
    if (read === undefined) return wrong(problems, field, 'format', form!.must, value)
    if (past && read > new Date(now()).toISOString()) return wrong(problems, field, 'past', 'must not be in the future')
    if (expression && !expression.test(text))
      return wrong(problems, field, 'pattern', `must match ${expression.source}`, value)
    return read
  }
}

// In code points: a text has at most as many as it has UTF-16 units, and at least half.
const isLonger = (text: string, most: number) =>
  text.length > most && (text.length > 2 * most || [...text].length > most)

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const FORMATS = {
  'date-time': { read: readInstant, must: 'must be an ISO 8601 date-time with its zone' },
  date: { read: when(isDate), must: 'must be a date YYYY-MM-DD that exists' },
  uuid: { read: when((text) => UUID.test(text)), must: 'must be a UUID' },
  'idn-email': { read: when(isEmail), must: 'must be an e-mail address' },
}

function when(holds: (text: string) => boolean) {
  return (text: string): string | undefined => (holds(text) ? text : undefined)
}

// RFC 5321's dot-string and domain, with RFC 6531's letters of other scripts. Each looks at every character once.
const LOCAL = /^(?:[\w!#$%&'*+/=?^`{|}~-]|[^\0-\x7f\s\p{C}])+$/u
const LABEL = /^[\p{L}\p{M}\p{N}-]{1,63}$/u

/** One @, dot-separated parts before it and at least two labels behind it. Quoted parts and address literals are not read. */
function isEmail(text: string): boolean {
  const at = text.indexOf('@')
  if (at < 1 || at > 64) return false
  const labels = text.slice(at + 1).split('.')
  return (
    text
      .slice(0, at)
      .split('.')
      .every((part) => LOCAL.test(part)) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-'))
  )
}
