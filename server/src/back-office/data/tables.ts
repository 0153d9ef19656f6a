import type { TSchema } from 'typebox'
import { may } from '../../auth/permissions.ts'
import type { Resource } from '../../resource/resource.ts'
import type { DataColumn, DataTable } from '../schema.ts'

// What a data page shows of a resource follows from its definition: one more resource is one more page, with no line in React.

const MAX_COLUMNS = 6

export const readableTables = (resources: readonly Resource[], permissions: ReadonlySet<string>): DataTable[] =>
  resources.filter((resource) => resource.list && may(permissions, resource.permission)).map(tableOf)

export function tableOf(resource: Resource): DataTable {
  const { name, scope, wire, shown } = resource
  const list = resource.list!
  const members: Readonly<Record<string, TSchema>> = wire.properties
  const names = shown.columns ?? usualColumns(members, list.date?.name)
  const byTime = shown.newestFirst ?? (scope === 'venue' && list.date !== undefined)
  const searched = [...list.columns.values()].flatMap(({ name, type }) => {
    const kind = SEARCHED[type]
    return kind === undefined ? [] : [{ name, kind }]
  })
  return {
    resource: name.many,
    one: name.one,
    columns: names.map((member) => ({
      name: member,
      sortable: list.sortable.has(member),
      ...shape(member, members[member]!),
    })),
    search: searched.sort((one, other) => Number(isName(other.name)) - Number(isName(one.name))),
    // People also look for rows that the API leaves out by default, such as inactive users.
    filters: Object.keys(list.unlessFiltered).map((member) => [
      member,
      'in',
      list.columns.get(member)!.type === 'boolean' ? [true, false] : [1, 0],
    ]),
    query: shown.query ?? {},
    sort: [...list.sortable.keys()],
    has_dates: list.date !== undefined,
    newest_first: byTime ? list.date!.name : null,
    include: [...list.include],
  }
}

/** What people look for first. */
const isName = (member: string) => member === 'name' || member === 'username'

/** A text is found by any part of it, everything else by the whole; times have the fields From and To. */
const SEARCHED: Readonly<Record<string, 'like' | 'exact' | 'number'>> = {
  text: 'like',
  key: 'exact',
  integer: 'number',
}

/** Where the definition names none: the name or the id, then single values, then the list's time. */
function usualColumns(members: Readonly<Record<string, TSchema>>, date: string | undefined): string[] {
  const first = 'name' in members ? 'name' : 'id'
  const others = Object.keys(members).filter(
    (name) =>
      name !== 'id' &&
      name !== first &&
      !isTime(members[name]!) &&
      !['array', 'object'].includes(typeOf(withoutNull(members[name]!))),
  )
  return [first, ...others.slice(0, MAX_COLUMNS - 2), ...(date !== undefined && date in members ? [date] : [])]
}

/** How a member's values are written. */
function shape(name: string, given: TSchema): Pick<DataColumn, 'kind' | 'labels'> {
  const schema = withoutNull(given) as TSchema & { enum?: unknown[]; description?: string }
  if (name === 'name' || name === 'id') return { kind: name, labels: {} }
  const type = typeOf(schema)
  if (name === 'status' && (type === 'boolean' || String(schema.enum) === '1,0')) return { kind: 'active', labels: {} }
  const labels = labelsIn(schema.description)
  // 1 and 0 are yes and no, unless each has a word of its own.
  if (String(schema.enum) === '1,0' && Object.keys(labels).length < 2) return { kind: 'boolean', labels: {} }
  if (schema.enum) return { kind: 'choice', labels }
  if (isTime(schema)) return { kind: 'instant', labels: {} }
  if (type === 'number') return { kind: QUANTITIES.test(name) ? 'number' : 'amount', labels: {} }
  return { kind: KINDS[type] ?? 'text', labels: {} }
}

/** Decimals that are no money. */
const QUANTITIES = /quantity|count|rate|size|reserved|available|weight/

const KINDS: Readonly<Record<string, DataColumn['kind']>> = {
  boolean: 'boolean',
  integer: 'number',
  object: 'object',
  array: 'array',
}

/** What a description says of numbers: `1 open, 2 closed`. */
const labelsIn = (description = ''): Record<string, string> =>
  Object.fromEntries([...description.matchAll(/(?:^|, )(\d+) ([^,]+)/g)].map(([, value, label]) => [value!, label!]))

const withoutNull = (schema: TSchema): TSchema =>
  (schema as { anyOf?: TSchema[] }).anyOf?.find((each) => typeOf(each) !== 'null') ?? schema

const typeOf = (schema: TSchema): string => String((schema as { type?: unknown }).type ?? 'string')

const isTime = (schema: TSchema) => (withoutNull(schema) as { format?: string }).format === 'date-time'
