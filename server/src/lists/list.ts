import Type from 'typebox'
import { invalidParameter } from '../http/errors.ts'
import { addFilters, type Column, type Conditions, OPERATORS } from './filters.ts'
import { respelled, unknownName } from './nearest.ts'
import {
  atPositions,
  type Entries,
  type Entry,
  type Given,
  indexOf,
  inKeyOrder,
  NOTATIONS,
  type ParameterName,
  readQuery,
  type Spelling,
  spellingsWithout,
} from './query.ts'
import { type ColumnType, readInteger, readTime, type SqlValue, VALUE_TYPES } from './values.ts'

export { pickMembers } from './members.ts'
export { queryOf } from './query.ts'

const DEFAULT_LIMIT = 50
const MAX_SORT_KEYS = 5
const MAX_NAMES = 50

/** What the list language may touch on one resource. Columns carry the wire's names. */
export interface ListDefinition<Member extends string, Name extends string> {
  readonly maxLimit: number
  /** Members that `fields` cannot leave out. */
  readonly always: readonly NoInfer<Member>[]
  /** All top-level members of the wire's object, included ones too: what `fields` may name. */
  readonly members: readonly Member[]
  /** What `filters` may name. A text column has a twin, `name_folded`, written with `fold`. */
  readonly columns: Readonly<Record<Name, ColumnType>>
  /** Columns that may be null. Only sorting asks: the order of the others can come from an index. */
  readonly nullable?: readonly NoInfer<Name>[]
  readonly sortable: readonly NoInfer<Name>[]
  /** Members that are there only when asked for. */
  readonly include?: readonly NoInfer<Member>[]
  /** Related members that are always there; `include` may name them all the same. */
  readonly embedded?: readonly NoInfer<Member>[]
  /** The instant that `date` bounds. */
  readonly date?: NoInfer<Name>
}

export interface List {
  readonly maxLimit: number
  readonly always: readonly string[]
  readonly members: ReadonlySet<string>
  readonly columns: ReadonlyMap<string, Column>
  readonly sortable: ReadonlyMap<string, Column>
  readonly include: ReadonlySet<string>
  readonly embedded: ReadonlySet<string>
  readonly date: Column | undefined
  readonly spellings: ReadonlyMap<string, Spelling>
}

/** What one request asks of a list, ready to be put into a query. */
export interface ListRequest {
  readonly page: number
  readonly limit: number
  readonly offset: number
  /** Nothing, or conditions that each begin with ` and `; values go to the placeholders in order. */
  readonly where: { readonly text: string; readonly values: readonly SqlValue[] }
  /** What follows `order by`; it is total, because the id is its last key. */
  readonly order: string
  /** The members to keep; all of them when undefined. */
  readonly fields: ReadonlySet<string> | undefined
  /** Related members to add; those that `fields` leaves out are not among them. */
  readonly include: ReadonlySet<string>
}

export function defineList<Member extends string, Name extends string>(definition: ListDefinition<Member, Name>): List {
  const { maxLimit, always, members, nullable = [], sortable, include = [], embedded = [], date } = definition
  const columns = new Map<string, Column>()
  for (const [name, type] of Object.entries<ColumnType>(definition.columns)) {
    const folded = type === 'text' ? `${name}_folded` : name
    columns.set(name, Object.freeze({ name, type, folded, nullable: (nullable as readonly string[]).includes(name) }))
  }
  const absent = new Set<ParameterName>()
  if (include.length + embedded.length === 0) absent.add('include')
  if (date === undefined) absent.add('date')
  return Object.freeze({
    maxLimit,
    always,
    members: new Set(members),
    columns,
    sortable: new Map(sortable.map((name) => [name, columns.get(name)!])),
    include: new Set(include),
    embedded: new Set(embedded),
    date: date === undefined ? undefined : columns.get(date),
    spellings: spellingsWithout(absent),
  })
}

/** Reads a raw query string (what follows the `?`, not decoded). Whatever it does not know or cannot read is refused. */
export function parseList(list: List, rawQuery: string): ListRequest {
  const given = readQuery(rawQuery, list.spellings)
  const page = readCount(given.get('page'), 1, Number.MAX_SAFE_INTEGER)
  const limit = readCount(given.get('limit'), DEFAULT_LIMIT, list.maxLimit)
  const included = readInclude(list, given.get('include'))
  const fields = readFields(list, given.get('fields'), included)
  return {
    page,
    limit,
    offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER), // past the end of any table all the same
    where: readWhere(list, given.get('filters'), given.get('date')),
    order: readOrder(list, given.get('sort')),
    fields,
    include: fields === undefined ? included : included.intersection(fields), // D2.6
  }
}

// D2.2: outside its range a number is refused, never clamped.
function readCount(given: Given | undefined, preset: number, maximum: number): number {
  if (given === undefined) return preset
  const count = readInteger(given.value)
  if (count === undefined || count < 1 || count > maximum)
    throw invalidParameter(given.spelling, `${given.spelling} is an integer from 1 to ${maximum}.`, {
      minimum: 1,
      maximum,
    })
  return count
}

// D2.5, and D2.6 for a member that must be included first.
function readFields(list: List, given: Given | undefined, included: ReadonlySet<string>) {
  if (given === undefined) return undefined
  const names = readNames(given, 'field', list.members)
  for (const name of names) {
    if (list.include.has(name) && !included.has(name))
      throw invalidParameter(given.spelling, `${name} can only be selected when it is included: add include=${name}.`, {
        field: name,
      })
  }
  return new Set([...list.always, ...names])
}

function readInclude(list: List, given: Given | undefined): ReadonlySet<string> {
  if (given === undefined) return NOTHING
  return new Set(readNames(given, 'related data', list.include.union(list.embedded))).intersection(list.include)
}

const NOTHING: ReadonlySet<string> = new Set()

/** A comma list, with or without spaces; `selects[]=id&selects[]=name` is one too. */
function readNames({ spelling, value }: Given, kind: string, known: ReadonlySet<string>): string[] {
  const lists = typeof value === 'string' ? [{ sent: undefined, value }] : inKeyOrder(value)
  const names = lists.flatMap((list) =>
    String(list.value)
      .split(',')
      .map((name) => ({ name: name.trim(), at: list.sent })),
  )
  if (names.length > MAX_NAMES)
    throw invalidParameter(spelling, `At most ${MAX_NAMES} names are read.`, { maximum: MAX_NAMES })
  for (const { name, at } of names) if (!known.has(name)) throw unknownName(spelling, kind, name, known, { at })
  return names.map(({ name }) => name)
}

function readWhere(list: List, filters: Given | undefined, date: Given | undefined): ListRequest['where'] {
  if (filters === undefined && date === undefined) return EVERYWHERE
  const conditions: Conditions = { texts: [], values: [] }
  if (filters !== undefined) addFilters(conditions, list.columns, filters)
  if (date !== undefined) addDates(conditions, list.date!.name, date)
  return { text: conditions.texts.map((text) => ` and ${text}`).join(''), values: conditions.values }
}

const EVERYWHERE: ListRequest['where'] = Object.freeze({ text: '', values: Object.freeze([]) })

/** D2.8: both ends belong to the range, and a date as its end is that whole day. */
function addDates({ texts, values }: Conditions, column: string, given: Given) {
  for (const [place, end] of readEnds(given).entries()) {
    if (end === undefined) continue // an open end
    const instant = readTime(end.value, place === 0 ? '00:00:00.000Z' : '23:59:59.999Z')
    if (instant === undefined)
      throw invalidParameter(nameOf(given, end), `${end.sent} is ${VALUE_TYPES.instant.expected}.`, {
        index: indexOf(end),
      })
    texts.push(`${column} ${place === 0 ? '>=' : '<='} ?`)
    values.push(instant)
  }
}

/** The keys 0 and 1 say which end they are. Under others the ends come in their order; a name alone could mean either. */
function readEnds({ spelling, value }: Given): (Entry | undefined)[] {
  const ends = inKeyOrder(value as Entries)
  const isEitherEnd = ends.length === 1 && typeof indexOf(ends[0]!) === 'string'
  if (ends.length > 2 || isEitherEnd) {
    const sent = ends.map((end) => end.sent).join(' and ')
    throw invalidParameter(spelling, `date has two ends, date[0] and date[1], not ${sent}.`)
  }
  return atPositions(value as Entries, 2) ?? ends
}

/** The parameter that a refusal names: `date` for `date[0]`, but `date_from` for itself. */
const nameOf = ({ form, spelling }: Given, entry: Entry | undefined) =>
  form === 'parts' && entry ? entry.sent : spelling

const DIRECTIONS: ReadonlyMap<string, 'asc' | 'desc'> = new Map([
  ['asc', 'asc'],
  ['desc', 'desc'],
  ['1', 'asc'],
  ['-1', 'desc'],
])

/** D2.7: the keys asked for, then the id. */
function readOrder(list: List, given: Given | undefined): string {
  if (given === undefined) return 'id'
  const order = new Map<string, string>()
  for (const { at, index, field, direction } of readSortKeys(given)) {
    const name = String(field.value)
    const column = list.sortable.get(name)
    if (column === undefined)
      throw unknownName(nameOf(given, field), 'sort field', name, list.sortable.keys(), {
        at: at ?? field.sent,
        details: { index },
      })
    const towards = direction === undefined ? 'asc' : DIRECTIONS.get(String(direction.value).toLowerCase())
    if (towards === undefined)
      throw unknownName(nameOf(given, direction), 'direction', String(direction!.value), DIRECTIONS.keys(), {
        at: at ?? direction!.sent,
        details: { index },
        suggest: respelled, // the other direction is never meant
      })
    if (order.has(name)) throw invalidParameter(given.spelling, `${at}: ${name} is a sort key twice.`, { index })
    order.set(name, sortKey(column, towards))
  }
  if (!order.has('id')) order.set('id', 'id')
  return [...order.values()].join(', ')
}

interface SortKey {
  /** As it was sent, for the refusal that names it; undefined where field and direction were sent each by itself. */
  readonly at: string | undefined
  readonly index: number | string
  readonly field: Entry
  readonly direction: Entry | undefined
}

function readSortKeys(given: Given): SortKey[] {
  const entries = given.value as Entries
  const nested = inKeyOrder(entries).filter(({ value }) => typeof value !== 'string')
  if (nested.length === 0) return [readOnlySortKey(given, entries)]
  if (nested.length < entries.size) throw givenInTwoForms(given)
  if (nested.length > MAX_SORT_KEYS)
    throw invalidParameter(given.spelling, `At most ${MAX_SORT_KEYS} sort keys are read.`, { maximum: MAX_SORT_KEYS })
  return nested.map((entry) => {
    const [at, index] = [entry.sent, indexOf(entry)]
    const [field, direction] = atPositions(entry.value as Entries, 2) ?? []
    if (field === undefined) throw noSortKey(given, at, index)
    return { at, index, field, direction }
  })
}

/** `sort[0]=name&sort[1]=-1` is one key, a field and then a direction under any keys; so is `sort_by=name&sort_order=-1`. */
function readOnlySortKey(given: Given, entries: Entries): SortKey {
  const inOrder = inKeyOrder(entries)
  const [field, direction] = given.form === 'parts' ? atPositions(entries, 2)! : inOrder
  const surplus = inOrder[2]
  if (field === undefined || surplus !== undefined)
    throw noSortKey(given, surplus?.sent, surplus ? indexOf(surplus) : 0)
  return { at: undefined, index: indexOf(field), field, direction }
}

function noSortKey({ form, spelling }: Given, at = spelling, index: number | string = 0) {
  const example = form === 'parts' ? 'sort_by=name&sort_order=asc' : NOTATIONS.sort.example
  return invalidParameter(spelling, `${at}: a sort key is a field and a direction: ${example}.`, { index })
}

const givenInTwoForms = ({ spelling }: Given) =>
  invalidParameter(spelling, `The two forms of ${spelling} are not mixed: write ${NOTATIONS.sort.example}.`)

/** The engines put nulls at different ends unless told; here what is absent comes before everything. */
function sortKey({ name, folded, nullable }: Column, towards: 'asc' | 'desc'): string {
  const key = name === 'id' ? name : folded // an id orders as it is, also where it is a text
  if (towards === 'asc') return nullable ? `${key} nulls first` : key
  return nullable ? `${key} desc nulls last` : `${key} desc`
}

/** One query parameter, as an OpenAPI document describes it. */
export interface ListParameter {
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly example?: string | number
}

/** The query parameters of a list, for its documentation. */
export function listParameters(list: List): ListParameter[] {
  const names = (known: { keys(): Iterable<string> }) => [...known.keys()].join(', ')
  const parameters: ListParameter[] = [
    {
      name: 'page',
      description: 'Page number. A page past the last one is empty.',
      schema: { type: 'integer', minimum: 1, default: 1 },
      example: 1,
    },
    {
      name: 'limit',
      description: `Page size. ${alsoWritten('limit')}`,
      schema: { type: 'integer', minimum: 1, maximum: list.maxLimit, default: DEFAULT_LIMIT },
      example: DEFAULT_LIMIT,
    },
    {
      name: 'filters',
      description:
        `A JSON array of filters, each [field, value] or [field, operator, value]; all of them must hold. ` +
        `Fields: ${names(list.columns)}. Operators: ${OPERATORS.join(', ')}. ` +
        `Also written filters[0][0]=field&filters[0][1]=value. ${alsoWritten('filters')}`,
      schema: { type: 'string' },
      example: '[["id",">",10]]',
    },
    {
      name: 'fields',
      description:
        `Members to return, separated by commas; ${list.always.join(', ')} always come. ` +
        `Members: ${names(list.members)}. ${alsoWritten('fields')}`,
      schema: { type: 'string' },
      example: [...list.members].slice(0, 2).join(','),
    },
    {
      name: 'sort[0][0]',
      description:
        `First field to sort by; further ones at sort[1][0] to sort[${MAX_SORT_KEYS - 1}][0]. The id is always the last key. ` +
        'One field can also be named by sort_by, its direction by sort_order.',
      schema: { type: 'string', enum: [...list.sortable.keys()] },
      example: 'id',
    },
    {
      name: 'sort[0][1]',
      // No default: a client that sent it without sort[0][0] would be refused.
      description: 'Direction of sort[0][0], and sent only with it; asc when it is left out. 1 and -1 are read too.',
      schema: { type: 'string', enum: ['asc', 'desc'] },
      example: 'desc',
    },
  ]
  if (list.include.size + list.embedded.size > 0)
    parameters.push({
      name: 'include',
      description: [
        list.include.size > 0 && `Related data to add, separated by commas: ${names(list.include)}.`,
        list.embedded.size > 0 && `May name, but does not change, what is always there: ${names(list.embedded)}.`,
        alsoWritten('include'),
      ]
        .filter(Boolean)
        .join(' '),
      schema: { type: 'string' },
      example: [...list.include.union(list.embedded)].slice(0, 1).join(','),
    })
  if (list.date !== undefined)
    parameters.push(
      {
        name: 'date[0]',
        description: `Earliest ${list.date.name}: a date, or an ISO 8601 date-time. Also named date_from.`,
        schema: { type: 'string' },
      },
      {
        name: 'date[1]',
        description: `Latest ${list.date.name}, itself included: a date, which is that whole day in UTC, or an ISO 8601 date-time. Also named date_to.`,
        schema: { type: 'string' },
      },
    )
  return parameters
}

/** The same as the schema of a query string. It documents; what is sent is read by `parseList`. */
export const listQuery = (list: List) =>
  Type.Object(
    Object.fromEntries(
      listParameters(list).map(({ name, schema, ...words }) => [
        name,
        Type.Optional(Type.Unsafe({ ...schema, ...words })),
      ]),
    ),
  )

function alsoWritten(parameter: ParameterName): string {
  const { spellings, depths } = NOTATIONS[parameter]
  const others = spellings.slice(1)
  return `Also named ${(depths.includes(1) ? others.flatMap((name) => [name, `${name}[]`]) : others).join(', ')}.`
}
