import type { EditField, EditForm } from '../../../server/src/back-office/schema.ts'
import type { Changed } from '../../../server/src/resource/edit.ts'

// The members of a form, by the schema that the server reads them with: what kind each is, what a new row starts with, what changed.

/** Values by member; one that is absent or null has none. */
export type Values = Readonly<Record<string, unknown>>

/** Names of the rows that members point at, by member and id. */
export type Names = Readonly<Record<string, Readonly<Record<string, string>>>>

export type Kind =
  | 'text'
  | 'long text'
  | 'number'
  | 'integer'
  | 'integers'
  | 'choice'
  | 'choices'
  | 'permissions'
  | 'languages'
  | 'currency'
  | 'nightly'
  | 'minutes'
  | 'switch'
  | 'flag'
  | 'reference'
  | 'references'
  | 'by venue'
  | 'hours'
  | 'moment'
  | 'time'
  | 'zone'
  | 'color'
  | PartKind

/** Members that are lists of things or things themselves: each has an input of its own. */
export const PARTS = ['sizes', 'recipe', 'takes', 'packages', 'tags', 'timer', 'choices of guests', 'scopes'] as const
export type PartKind = (typeof PARTS)[number]
export const isPart = (kind: Kind): kind is PartKind => PARTS.some((part) => part === kind)

const LONG = 400 // characters; a text that may be longer has room for lines
const BY_NAME: Readonly<Record<string, Kind>> = {
  hours: 'hours',
  time_zone: 'zone',
  color: 'color',
  permissions: 'permissions',
  languages: 'languages',
  currency: 'currency',
  books_check: 'nightly',
  idle_minutes: 'integers',
  order_expiry_s: 'minutes',
  modifications: 'sizes',
  modificator_groups: 'choices of guests',
  recipe: 'recipe',
  takes: 'takes',
  packages: 'packages',
  tags: 'tags',
  setting: 'timer',
  scopes: 'scopes',
}

/** Which kind of input a member has. */
export function kindOf({ name, schema, options }: EditField): Kind {
  const { type, format, items, enum: choices, patternProperties, maxLength = 0, pattern = '' } = schema
  if (BY_NAME[name]) return BY_NAME[name]
  if (options !== null) return type === 'array' ? 'references' : 'reference'
  if (choices) return choices.every((choice) => choice === 0 || choice === 1) ? 'flag' : 'choice'
  if (items?.enum) return 'choices'
  if (patternProperties) return 'by venue'
  if (type === 'boolean') return 'switch'
  if (type === 'number') return 'number'
  if (type === 'integer') return 'integer'
  if (format === 'date-time') return 'moment'
  if (pattern.endsWith(':[0-5][0-9]$')) return 'time'
  return maxLength > LONG ? 'long text' : 'text'
}

/** The members of a product that each has. */
export const BASICS = [
  'name',
  'type',
  'price',
  'category_id',
  'taxes',
  'station_id',
  'description',
  'barcode',
  'unit_id',
  'sold_by_weight',
  'cooking_time',
  'hidden',
  'status',
] as const

/** A form with some of its members. */
export const part = (form: EditForm, members: readonly string[]): EditForm => ({
  ...form,
  fields: members.flatMap((member) => form.fields.find(({ name }) => name === member) ?? []),
})

/** A form without what has a page of its own. */
export const plainPart = (form: EditForm): EditForm => ({
  ...form,
  fields: form.fields.filter((field) => !isPart(kindOf(field)) || kindOf(field) === 'scopes'),
})

/** What a new row starts with: what the server gives it, it is active, and what must be said and can be nothing is nothing. */
export const startOf = ({ fields, start }: EditForm): Values => ({
  ...Object.fromEntries(
    fields.flatMap((field) => {
      const first = startOfField(field)
      return first === undefined ? [] : [[field.name, first]]
    }),
  ),
  ...start.values,
})

function startOfField(field: EditField): unknown {
  const { name, required } = field
  const kind = kindOf(field)
  if (kind === 'flag' && name === 'status') return 1
  if (kind === 'switch' && (name === 'active' || name === 'status')) return true
  if (!required) return undefined
  if (kind === 'flag') return 0
  if (kind === 'switch') return false
  if (kind === 'references' || kind === 'choices' || kind === 'permissions') return []
  if (kind === 'by venue') return {}
  return kind === 'integer' && name === 'position' ? 0 : undefined
}

/** The members whose values differ, in the order of the form. */
export const changesOf = ({ fields }: EditForm, before: Values, after: Values): Changed[] =>
  fields.flatMap(({ name }) => {
    const [from, to] = [before[name] ?? undefined, after[name] ?? undefined]
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ member: name, from, to }]
  })

/** Members that must be said and are not. */
export const missingIn = (fields: readonly EditField[], values: Values): string[] =>
  fields.filter((field) => field.required && isNothing(values[field.name])).map(({ name }) => name)

const isNothing = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** Whether a change is shown once more before it is saved: prices, taxes, roles, ways to pay, and what other venues share. */
export const isReviewed = ({ is_shared, reviewed }: EditForm, changes: readonly Changed[]): boolean =>
  is_shared || changes.some(({ member }) => reviewed.includes(member))

/** What the next new row begins with: what one chooses of this one, but not what one types. */
export const nextOf = (form: EditForm, values: Values): Values => ({
  ...startOf(form),
  ...Object.fromEntries(form.fields.flatMap((field) => (isTyped(field) ? [] : [[field.name, values[field.name]]]))),
})

const TYPED: readonly Kind[] = ['text', 'long text', 'number', 'integer', 'moment', 'time']
const isTyped = (field: EditField) => TYPED.includes(kindOf(field))

/** The body of a write: what has no value any more is null. */
export const bodyOf = (changes: readonly Changed[]): Record<string, unknown> =>
  Object.fromEntries(changes.map(({ member, to }) => [member, to ?? null]))

/**
 * The values of a form after somebody else changed the row too: each member as the one of both left it who changed it, and as it is here
 * where both did.
 */
export const mergedValues = ({ fields }: EditForm, before: Values, here: Values, there: Values): Values => ({
  ...there,
  ...Object.fromEntries(fields.map(({ name }) => [name, merged(before[name], here[name], there[name])])),
})

/** Things are compared member by member, and lists of things with ids thing by thing. */
function merged(before: unknown, here: unknown, there: unknown): unknown {
  if (isSame(here, before)) return there
  if (isSame(there, before)) return here
  if (hasIds(here) && hasIds(there)) return mergedParts(hasIds(before) ? before : [], here, there)
  if (isThing(here) && isThing(there)) {
    const was = isThing(before) ? before : {}
    const names = [...new Set([...Object.keys(there), ...Object.keys(here)])]
    return Object.fromEntries(names.map((name) => [name, merged(was[name], here[name], there[name])]))
  }
  return here
}

type Part = Values & { readonly id?: unknown }

/** In the order of the form; what was removed on either side is gone. */
function mergedParts(before: readonly Part[], here: readonly Part[], there: readonly Part[]): Part[] {
  const known = new Map(before.map((part) => [part.id, part]))
  const others = new Map(there.map((part) => [part.id, part]))
  const own = new Set(here.map(({ id }) => id))
  return [
    ...here.flatMap((part): Part[] => {
      const other = others.get(part.id)
      if (part.id === undefined || part.id === null) return [part] // new
      if (!other) return known.has(part.id) ? [] : [part]
      return [merged(known.get(part.id), part, other) as Part]
    }),
    ...there.filter(({ id }) => !own.has(id) && !known.has(id)),
  ]
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
const isThing = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether it is a list of things that are known by their ids: those that have one have it alone. */
function hasIds(value: unknown): value is readonly Part[] {
  if (!Array.isArray(value) || !value.every(isThing)) return false
  const ids = value.flatMap(({ id }) => id ?? [])
  return (ids.length > 0 || value.length === 0) && new Set(ids).size === ids.length
}
