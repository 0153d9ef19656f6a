import type { Static, TSchema } from 'typebox'
import {
  DIRECTED,
  hasDirection,
  isDate,
  isSoundText,
  readInstant,
  readName,
  sumToScaled,
  toScaled,
  withoutSeparators,
} from './values.ts'

// Requests and lines of an import are read by the schema that documents them: members in the schema's order and no others,
// instants in UTC, amounts with at most four decimals.

/** One problem with a value: the rule that it breaks, and an explanation without its subject ("must be an integer"). */
export interface Problem {
  field: string
  rule: Rule
  explanation: string
  /** The value, to help the author of an import file. It can be personal data, so no response repeats it. */
  value: unknown
  /** How many entries a list may have, where it is too long. */
  maximum?: number
}

type Rule =
  | 'required'
  | 'unknown'
  | 'type'
  | 'choice'
  | 'minimum'
  | 'maximum'
  | 'decimals'
  | 'characters'
  | 'length'
  | 'name'
  | 'format'
  | 'past'
  | 'pattern'
  | 'circle'

interface ReaderOptions {
  /** Milliseconds of the clock that dates are compared with. */
  now: () => number
  /** Null is an absent member everywhere; otherwise only where the schema says nullable. */
  nullIsAbsent: boolean
}

/** Reads a value and adds all of its problems to `problems`, in the schema's order. */
export function reader<Schema extends TSchema>(schema: Schema, options: ReaderOptions) {
  const read = readerOf(schema as Keywords, options)
  return (value: unknown, problems: Problem[]) => read(value, '', problems) as Static<Schema>
}

/** Returns the value as it is stored; undefined when it is wrong or counts as absent. */
type Read = (value: unknown, field: string, problems: Problem[]) => unknown

/** The part of JSON Schema that our schemas use, and keywords of our own. */
interface Keywords {
  type?: string
  properties?: Record<string, Keywords>
  patternProperties?: Record<string, Keywords>
  required?: readonly string[]
  items?: Keywords
  anyOf?: readonly Keywords[]
  enum?: readonly unknown[]
  format?: keyof typeof FORMATS
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  /** D4.1: stored without surrounding spaces; an empty text counts as absent. */
  'x-trimmed'?: boolean
  /** A name, checked by `readName`. With x-trimmed an empty name counts as absent, and others are stored as sent (D4.1). */
  'x-name'?: boolean
  /** No characters that control the direction of text. */
  'x-undirected'?: boolean
  /** D4.1: a phone number, which must contain more than separators. */
  'x-phone'?: boolean
  /** A date that is not in the future. */
  'x-past'?: boolean
  /** An empty text is read as an absent member. For members that are no texts. */
  'x-blank'?: boolean
  /** A sum of amounts, as in a balance. */
  'x-sum'?: boolean
}

function readerOf(schema: Keywords, options: ReaderOptions): Read {
  if (schema.anyOf) {
    const [first, other] = schema.anyOf.filter(({ type }) => type !== 'null') // objectReader handles null
    return other ? readDecimalOrText : readerOf(first!, options)
  }
  if (schema.enum) return choiceReader(schema.enum)
  switch (schema.type) {
    case undefined: // any JSON
      return (value) => value
    case 'object':
      return schema.patternProperties ? mapReader(schema.patternProperties, options) : objectReader(schema, options)
    case 'array':
      return arrayReader(schema, readerOf(schema.items!, options))
    case 'integer':
      return integerReader(schema)
    case 'number':
      return schema['x-sum'] ? readSum : readDecimal
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
    nullable: member.anyOf?.some(({ type }) => type === 'null') ?? false,
    blank: member['x-blank'] === true,
    required: schema.required?.includes(name) ?? false,
  }))
  const known = new Set(members.map(({ name }) => name))

  return (value, field, problems) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return wrong(problems, field || 'body', 'type', 'must be a JSON object', value)
    const given = value as Record<string, unknown>
    const inside = (name: string) => (field ? `${field}.${name}` : name)
    const object: Record<string, unknown> = {}
    for (const { name, read, nullable, blank, required } of members) {
      const member = Object.hasOwn(given, name) ? given[name] : undefined
      const absent =
        member === undefined || (blank && member === '') || (member === null && (nullable || options.nullIsAbsent))
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

/** An object whose keys are data: `{"1": 1, "2": 0}`. */
function mapReader(patterns: Record<string, Keywords>, options: ReaderOptions): Read {
  const [[pattern, schema]] = Object.entries(patterns) as [[string, Keywords]]
  const key = new RegExp(pattern)
  const read = readerOf(schema, options)
  return (value, field, problems) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return wrong(problems, field, 'type', 'must be a JSON object', value)
    const map: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(value)) {
      if (!key.test(name)) wrong(problems, `${field}.${name}`, 'unknown', 'is not a known member')
      else map[name] = read(member, `${field}.${name}`, problems)
    }
    return map
  }
}

function wrong(problems: Problem[], field: string, rule: Rule, explanation: string, value?: unknown): undefined {
  problems.push({ field, rule, explanation, value })
}

/** A list of the wrong length is refused before its entries are read. */
const arrayReader =
  ({ minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Keywords, read: Read): Read =>
  (value, field, problems) => {
    if (!Array.isArray(value)) return wrong(problems, field, 'type', 'must be a list', value)
    if (value.length < minItems)
      return wrong(problems, field, 'length', `must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`)
    if (value.length > maxItems) {
      const explanation = `must have at most ${maxItems} entries`
      problems.push({ field, rule: 'length', explanation, value: undefined, maximum: maxItems })
      return undefined
    }
    return value.map((item, index) => read(item, `${field}[${index}]`, problems))
  }

const choiceReader =
  (choices: readonly unknown[]): Read =>
  (value, field, problems) =>
    choices.includes(value) ? value : wrong(problems, field, 'choice', `must be one of ${choices.join(', ')}`, value)

const integerReader =
  ({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Keywords): Read =>
  (value, field, problems) => {
    if (!Number.isSafeInteger(value)) return wrong(problems, field, 'type', 'must be an integer', value)
    if ((value as number) < minimum) return wrong(problems, field, 'minimum', `must be at least ${minimum}`, value)
    if ((value as number) > maximum) return wrong(problems, field, 'maximum', `must be at most ${maximum}`, value)
    return value
  }

const readDecimal: Read = (value, field, problems) => {
  if (typeof value !== 'number') return wrong(problems, field, 'type', 'must be a number', value)
  if (toScaled(value) === undefined)
    return wrong(problems, field, 'decimals', 'must have at most four decimals and be within 10^11', value)
  return value
}

const readSum: Read = (value, field, problems) => {
  if (typeof value !== 'number') return wrong(problems, field, 'type', 'must be a number', value)
  if (sumToScaled(value) === undefined)
    return wrong(problems, field, 'decimals', 'must have at most four decimals and be within 9 × 10^11', value)
  return value
}

const DECIMAL_TEXT = /^-?\d{1,12}(\.\d{1,4}0*)?$/

/** A decimal in a text is the number with the same digits. */
const readDecimalOrText: Read = (value, field, problems) =>
  readDecimal(typeof value === 'string' && DECIMAL_TEXT.test(value) ? Number(value) : value, field, problems)

const readBoolean: Read = (value, field, problems) =>
  typeof value === 'boolean' ? value : wrong(problems, field, 'type', 'must be true or false', value)

function textReader(
  { format, pattern, minLength = 0, maxLength = 2 ** 20, ...schema }: Keywords,
  { now }: ReaderOptions,
): Read {
  const form = format && FORMATS[format]
  const expression = pattern === undefined ? undefined : new RegExp(pattern)
  const { 'x-trimmed': trimmed, 'x-name': isName, 'x-phone': isPhone, 'x-past': past } = schema
  const { 'x-undirected': undirected } = schema

  return (value, field, problems) => {
    if (typeof value !== 'string') return wrong(problems, field, 'type', 'must be text', value)
    if (!isSoundText(value)) return wrong(problems, field, 'characters', 'holds a NUL or half a surrogate pair')
    const text = trimmed ? value.trim() : value
    if (trimmed && text === '') return undefined
    if (isName && !trimmed) {
      const result = readName(text, maxLength)
      return 'name' in result ? result.name : wrong(problems, field, 'name', result.explanation)
    }
    if (text.length < minLength || isLonger(text, maxLength))
      return wrong(problems, field, 'length', `must have ${minLength} to ${maxLength} characters`)
    if (isName) {
      const result = readName(text)
      if ('explanation' in result) return wrong(problems, field, 'name', result.explanation)
    }
    if (undirected && hasDirection(text)) return wrong(problems, field, 'characters', DIRECTED)
    if (isPhone && withoutSeparators(text) === '')
      return wrong(problems, field, 'format', 'must have more than separators', value)
    const read = form ? form.read(text) : text
    if (read === undefined) return wrong(problems, field, 'format', form!.explanation, value)
    if (past && read > new Date(now()).toISOString()) return wrong(problems, field, 'past', 'must not be in the future')
    if (expression && !expression.test(text))
      return wrong(problems, field, 'pattern', `must match ${expression.source}`, value)
    return read
  }
}

// Counts code points only if it must: a text has at most as many as UTF-16 units, and at least half.
const isLonger = (text: string, most: number) =>
  text.length > most && (text.length > 2 * most || [...text].length > most)

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const FORMATS = {
  'date-time': { read: readInstant, explanation: 'must be an ISO 8601 date-time with its zone' },
  date: { read: when(isDate), explanation: 'must be a date YYYY-MM-DD that exists' },
  uuid: { read: when((text) => UUID.test(text)), explanation: 'must be a UUID' },
  'idn-email': { read: when(isEmail), explanation: 'must be an e-mail address' },
}

function when(holds: (text: string) => boolean) {
  return (text: string): string | undefined => (holds(text) ? text : undefined)
}

// RFC 5321's dot-string and domain, with RFC 6531's letters of other scripts. Both take linear time.
const LOCAL = /^(?:[\w!#$%&'*+/=?^`{|}~-]|[^\0-\x7f\s\p{C}])+$/u
const LABEL = /^[\p{L}\p{M}\p{N}-]{1,63}$/u

/** One @, with dot-separated parts before it and at least two labels after it. Quoted parts and address literals are not accepted. */
function isEmail(text: string): boolean {
  const index = text.indexOf('@')
  if (index < 1 || index > 64) return false
  const labels = text.slice(index + 1).split('.')
  return (
    text
      .slice(0, index)
      .split('.')
      .every((part) => LOCAL.test(part)) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-'))
  )
}
