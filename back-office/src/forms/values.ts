import type { EditField, EditForm } from '../../../server/src/back-office/schema.ts'
import type { Hours } from '../../../server/src/resources/places/venues.ts'
import { amount, nameOf, worded } from '../components/data/data-cells.tsx'
import { shownInstant } from '../components/when.tsx'
import { permissionTexts } from '../texts/integrations/open-api.ts'
import { dataTexts } from '../texts/office/data.ts'
import { formTexts } from '../texts/office/forms.ts'
import { rightTexts } from '../texts/office/rights.ts'
import { LOCALE } from '../texts/texts.ts'
import { kindOf, type Names, type Values } from './members.ts'

// The values of a form in words.

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
    case 'integers':
      return listed((value as unknown[]).map(String))
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
