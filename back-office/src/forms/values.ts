import type { EditField, EditForm } from '../../../server/src/back-office/schema.ts'
import type { Changed } from '../../../server/src/resource/edit.ts'
import type { Hours } from '../../../server/src/resources/places/venues.ts'
import { amount, nameOf, worded } from '../components/data/data-cells.tsx'
import { shownInstant } from '../components/when.tsx'
import { permissionTexts } from '../texts/integrations/open-api.ts'
import { dataTexts } from '../texts/office/data.ts'
import { formTexts } from '../texts/office/forms.ts'
import { rightTexts } from '../texts/office/rights.ts'
import { LOCALE } from '../texts/texts.ts'

// The values of a form, by the schema that the server reads them with: what a field is, how its value is written out, what changed.

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
  if (kind === 'switch' && name === 'active') return true
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

/** A new row that begins as a copy of another. */
export const copyOf = ({ fields }: EditForm, values: Values): Values =>
  Object.fromEntries(
    fields.flatMap(({ name }) => {
      if (NOT_COPIED.includes(name)) return []
      const value = values[name]
      return [[name, name === 'name' ? formTexts.copyOf(String(value ?? '')) : value]]
    }),
  )
/** One row alone can have them. */
const NOT_COPIED = ['is_main', 'username', 'barcode']

/** The body of a write: what has no value any more is null. */
export const bodyOf = (changes: readonly Changed[]): Record<string, unknown> =>
  Object.fromEntries(changes.map(({ member, to }) => [member, to ?? null]))

/** A value in words. */
export function shownValue(
  form: EditForm,
  field: EditField,
  value: unknown,
  names: Names,
  venues: Names[string],
): string {
  if (value === undefined || value === null || value === '') return formTexts.none
  const kind = kindOf(field)
  // The audit log has copies with their names where a form has ids.
  const called = (id: unknown) => (id as { name?: string }).name ?? names[field.name]?.[String(id)] ?? String(id)
  switch (kind) {
    case 'flag':
    case 'switch':
      return shownSwitch(field.name, value === 1 || value === true)
    case 'choice':
      return shownChoice(form, field.name, value)
    case 'choices':
      return listed((value as unknown[]).map((each) => shownChoice(form, field.name, each)))
    case 'permissions':
      return listed((value as unknown[]).map(shownPermission))
    case 'languages':
      return listed((value as string[]).map(shownLanguage))
    case 'currency':
      return shownCurrency(String(value))
    case 'nightly':
      return value === 'off' ? formTexts.off : String(value)
    case 'minutes':
      return shownNumber(field.name, typeof value === 'number' ? value / 60 : value)
    case 'reference':
      return called(value)
    case 'references':
      return listed((value as unknown[]).map(called))
    case 'by venue':
      return listed(
        Object.entries(value as Record<string, number>).map(
          ([id, on]) => `${venues[id] ?? id}: ${on ? formTexts.on : formTexts.off}`,
        ),
      )
    case 'hours':
      return listed(hourLines(value as Hours).map(([day, line]) => `${formTexts.days[day]} ${line}`))
    case 'sizes':
    case 'recipe':
    case 'packages':
    case 'tags':
    case 'choices of guests':
      return listed((value as ShownPart[]).map(shownPart))
    case 'takes':
    case 'scopes':
      return String((value as unknown[]).length)
    case 'timer':
      return listed(((value as { prices?: ShownPart[] }).prices ?? []).map(({ price }) => amount(price) ?? ''))
    case 'moment':
      return shownInstant(String(value))
    case 'number':
    case 'integer':
      return shownNumber(field.name, value)
    default:
      return String(value)
  }
}

interface ShownPart {
  readonly name?: string
  readonly price?: number
  readonly equal?: number
  readonly pivot?: { readonly gross?: string }
}

/** What a part is called, with its price or how much of it there is. */
const shownPart = ({ name = '', price, equal, pivot }: ShownPart): string =>
  [name, amount(price), equal ?? (pivot?.gross && Number(pivot.gross))].filter((part) => part !== undefined).join(' ')

function shownNumber(name: string, value: unknown): string {
  if (typeof value !== 'number') return String(value)
  return name.includes('price') ? amount(value)! : value.toLocaleString(LOCALE, { maximumFractionDigits: 4 })
}

const listed = (parts: readonly string[]) => (parts.length > 0 ? parts.join(', ') : formTexts.none)

function shownSwitch(name: string, on: boolean): string {
  if (name === 'status' || name === 'active') return on ? dataTexts.active : dataTexts.inactive
  return on ? dataTexts.yes : dataTexts.no
}

export const shownChoice = ({ resource }: Pick<EditForm, 'resource'>, member: string, value: unknown): string =>
  formTexts.choices[`${resource}.${member}.${value}`] ??
  formTexts.choices[String(value)] ??
  dataTexts.values[String(value)] ??
  worded(String(value).toLowerCase())

export const shownPermission = (permission: unknown): string =>
  rightTexts[String(permission)] ??
  permissionTexts[String(permission)] ??
  formTexts.permission(...(String(permission).split(':') as [string, string]))

const languageNames = new Intl.DisplayNames(LOCALE, { type: 'language' })
export const shownLanguage = (tag: string) => {
  try {
    return languageNames.of(tag) ?? tag
  } catch {
    return tag
  }
}

const currencyNames = new Intl.DisplayNames(LOCALE, { type: 'currency' })
export const shownCurrency = (code: string) => `${code}, ${currencyNames.of(code)}`

/** What a member of this resource is called in its form. */
export const labelOf = (form: EditForm, member: string): string =>
  formTexts.labels[`${form.resource}.${member}`] ?? formTexts.labels[member] ?? nameOf(member)

export const hintOf = (form: EditForm, member: string): string | undefined =>
  formTexts.hints[`${form.resource}.${member}`] ?? formTexts.hints[member]

// Opening hours: one line for a day, as people write them on a door.

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Day = (typeof DAYS)[number]

/** Days and their times, `12:00–15:00, 19:00–23:00`. */
export const hourLines = (hours: Hours): [Day, string][] =>
  DAYS.flatMap((day) => {
    const openings = hours[day] ?? []
    return openings.length > 0
      ? [[day, openings.map(({ from, to }) => `${from}–${to}`).join(', ')] as [Day, string]]
      : []
  })
