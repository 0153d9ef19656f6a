import { invalidParameter } from '../http/errors.ts'
import { type ColumnType, readInteger, readTime, type SqlValue, VALUE_TYPES } from './column-values.ts'
import { addEquality, addFilters, type Column, type Conditions } from './filters.ts'
import { unknownName } from './nearest.ts'
import {
  atPositions,
  type Entries,
  type Entry,
  indexOf,
  inKeyOrder,
  nameOf,
  type ParameterName,
  type RawParameter,
  readQuery,
  type Spelling,
  spellingsOf,
} from './query.ts'
import { type OrderKey, orderText, readOrder } from './sort.ts'
import { readWalk, type Walk } from './walk.ts'

export { pickMembers } from './members.ts'
export { queryOf } from './query.ts'

export const DEFAULT_LIMIT = 50
const MAX_NAMES = 50

/** How a field is compared that is not simply the column of its name. */
export interface Compared {
  readonly type: ColumnType
  /** `$venue` stands for the active venue. */
  readonly sql: string
  /** What `like` searches and sorting compares, where that is another column. */
  readonly folded?: string
  readonly comparable?: (text: string) => string
  /** See `Column`. */
  readonly holds?: (value: SqlValue) => string
}

/** A field that is true where a condition holds. */
export const whether = (condition: string): Compared => ({
  type: 'boolean',
  sql: `case when ${condition} then 1 else 0 end`,
})

/** A parameter that only one list knows. It filters by the column of its name, or the list reads it itself. */
export interface OwnParameter {
  readonly description: string
  /** What it holds, and what it is when it is not sent; absent where it filters. */
  readonly type?: ColumnType
  readonly preset?: SqlValue
  /** A read by id knows it too. */
  readonly onOne?: boolean
  /** Marks a parameter that the list got after it was published. It is described last, because generated clients number parameters; `last`: even after `after`. */
  readonly isLater?: true | 'last'
}

/** What a list request may use of one resource. Columns have the wire's names. */
interface ListDefinition<Member extends string, Name extends string> {
  /** What tells its cursors from those of other lists. */
  readonly name?: string
  readonly maxLimit: number
  /** Members that `fields` cannot leave out. */
  readonly always: readonly NoInfer<Member>[]
  /** All top-level members of the wire's object, included ones too: what `fields` may name. */
  readonly members: readonly Member[]
  /** What `filters` may name. A text column has a twin, `name_folded`, written with `fold`. */
  readonly columns: Readonly<Record<Name, ColumnType>>
  /** The same for fields that are compared in another way, or have another name in the table. */
  readonly compared?: Readonly<Record<string, Compared>>
  /** Columns that may be null. Only sorting asks: the order of the others can come from an index. */
  readonly nullable?: readonly NoInfer<Name>[]
  readonly sortable: readonly NoInfer<Name>[]
  /** Members that are there only on request. */
  readonly include?: readonly NoInfer<Member>[]
  /** Members that are there only with include=details (P1). */
  readonly details?: readonly NoInfer<Member>[]
  /** Related members that are always there, or of which we have none; `include` may name them all the same. */
  readonly embedded?: readonly string[]
  /** `include` came after the list was published: its parameter stands last. */
  readonly includeIsLater?: boolean
  /** What `date` bounds. */
  readonly date?: NoInfer<Name>
  /** The list's time, by which it is ordered and walked, where `date` bounds another one. */
  readonly time?: NoInfer<Name>
  /** P3: a time series, newest first where no sort is given. */
  readonly newestFirst?: boolean
  /** P4: rows belong to venues, and `venue=all` asks for those of all. */
  readonly ofVenues?: boolean
  readonly parameters?: Readonly<Record<string, OwnParameter>>
  /** Conditions, by the field that a filter must name to lift them. */
  readonly unlessFiltered?: Readonly<Record<string, string>>
}

export interface List {
  readonly name: string
  readonly maxLimit: number
  readonly always: readonly string[]
  readonly members: ReadonlySet<string>
  readonly columns: ReadonlyMap<string, Column>
  readonly sortable: ReadonlyMap<string, Column>
  /** What tells rows apart, the last key of every order: the id, except in views of groups. */
  readonly key: Column
  readonly include: ReadonlySet<string>
  /** By member: what must be included for it to be there. */
  readonly includedBy: ReadonlyMap<string, string>
  readonly embedded: ReadonlySet<string>
  readonly includeIsLater: boolean
  readonly date: Column | undefined
  readonly time: Column | undefined
  /** The order where no sort is given. */
  readonly order: readonly OrderKey[]
  readonly ofVenues: boolean
  readonly parameters: Readonly<Record<string, OwnParameter>>
  readonly unlessFiltered: Readonly<Record<string, string>>
  readonly spellings: ReadonlyMap<string, Spelling>
}

/** What one request asks of a list, ready to be put into a query. */
export interface ListRequest {
  readonly page: number
  readonly limit: number
  readonly offset: number
  /** Set where the list is walked (P3) instead of paged. */
  readonly walk: Walk | undefined
  /** P4: the rows of every venue that the staff user may enter, not of the active one. */
  readonly everyVenue: boolean
  /** Nothing, or conditions that each begin with ` and `; values go to the placeholders in order. */
  readonly where: { readonly text: string; readonly values: readonly SqlValue[] }
  /** The same without `date`, and its two ends: for what was there before a range. */
  readonly filtered: ListRequest['where']
  readonly dates: readonly [from: string | undefined, to: string | undefined]
  /** Where `date` asks for whole days and nothing else narrows the list: the first and the last, where they are given. */
  readonly days: Days | undefined
  /** What follows `order by`; it is total, because the id is its last key. */
  readonly order: string
  /** The members to keep; all of them when undefined. */
  readonly fields: ReadonlySet<string> | undefined
  /** Related members to add; those that `fields` leaves out are not among them. */
  readonly include: ReadonlySet<string>
  /** The fields that filters and the list's own parameters name. */
  readonly named: ReadonlySet<string>
  /** The list's own parameters that do not filter. */
  readonly own: Readonly<Record<string, SqlValue | undefined>>
  /** What stands between rows, where that is not a comma alone. */
  readonly separator?: string
}

export interface Days {
  readonly from: string | undefined
  readonly to: string | undefined
}

export function defineList<Member extends string, Name extends string>(definition: ListDefinition<Member, Name>): List {
  const { name = '', maxLimit, always, members, sortable, include = [], details = [], embedded = [] } = definition
  const { date, newestFirst = false, ofVenues = false, parameters = {}, unlessFiltered = {} } = definition
  const nullable: readonly string[] = definition.nullable ?? []
  const columns = new Map<string, Column>()
  for (const [column, type] of Object.entries<ColumnType>(definition.columns)) {
    const folded = type === 'text' ? `${column}_folded` : column
    columns.set(column, Object.freeze({ name: column, sql: column, type, folded, nullable: nullable.includes(column) }))
  }
  for (const [field, compared] of Object.entries(definition.compared ?? {}))
    columns.set(field, Object.freeze({ folded: compared.sql, ...compared, name: field, nullable: true }))
  const absent = new Set<ParameterName>()
  if (include.length + details.length + embedded.length === 0) absent.add('include')
  if (date === undefined) absent.add('date')
  if (!ofVenues) absent.add('venue')
  const bounded = date === undefined ? undefined : columns.get(date)!
  const time = definition.time === undefined ? bounded : columns.get(definition.time)!
  const id = columns.get('id')!
  return Object.freeze({
    name,
    maxLimit,
    always,
    members: new Set(members),
    columns,
    sortable: new Map(sortable.map((column) => [column, columns.get(column)!])),
    key: id,
    include: new Set([...include, ...(details.length > 0 ? ['details'] : [])]),
    includedBy: new Map<string, string>([
      ...include.map((member) => [member, member] as const),
      ...details.map((member) => [member, 'details'] as const),
    ]),
    embedded: new Set(embedded),
    includeIsLater: definition.includeIsLater ?? false,
    date: bounded,
    time,
    // Both descend, so that an index on them is read backwards.
    order: [
      ...(newestFirst && time ? [{ column: time, descending: true }] : []),
      { column: id, descending: newestFirst },
    ],
    ofVenues,
    parameters,
    unlessFiltered,
    spellings: spellingsOf(absent, Object.keys(parameters)),
  })
}

/**
 * Reads a raw query string (what follows the `?`, not decoded). Whatever it does not know or cannot read is refused. The active venue
 * counts where a field depends on it.
 */
export function parseList(list: List, rawQuery: string, venue_id = 0): ListRequest {
  const given = readQuery(rawQuery, list.spellings)
  const page = readCount(given.get('page'), 1, Number.MAX_SAFE_INTEGER)
  const limit = readCount(given.get('limit'), DEFAULT_LIMIT, list.maxLimit)
  const included = readInclude(list, given.get('include'))
  const fields = readFields(list, given.get('fields'), included)
  const everyVenue = readEveryVenue(given.get('venue'))
  const { where, filtered, dates, days, named } = readWhere(list, given, venue_id)
  const sort = given.get('sort')
  const keys = sort === undefined ? list.order : readOrder(list, sort)
  const order = orderText(keys)
  const own = readOwn(list, given)
  const venue = list.ofVenues && !everyVenue ? venue_id : 0
  return {
    page,
    limit,
    offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER), // past the end of any table all the same
    walk: readAfter(list, given, keys, [list.name, where, order, venue, own]),
    everyVenue,
    where,
    filtered,
    dates,
    days,
    order,
    fields,
    include: fields === undefined ? included : shownIncludes(list, included, fields),
    named,
    own,
  }
}

function readAfter(
  list: List,
  given: ReadonlyMap<string, RawParameter>,
  keys: readonly OrderKey[],
  question: unknown[],
) {
  const after = given.get('after')
  if (after === undefined) return undefined
  const page = given.get('page')
  if (page) throw invalidParameter(page.spelling, 'A walk with after has no page numbers: leave page out.')
  return readWalk(after, keys, list, question)
}

// P4
function readEveryVenue(given: RawParameter | undefined): boolean {
  if (given !== undefined && given.value !== 'all')
    throw invalidParameter('venue', 'venue is all; one venue is named by the header x-venue.', { known: ['all'] })
  return given !== undefined
}

/** The list's own parameters that do not filter, each by its type. */
function readOwn(list: List, given: ReadonlyMap<string, RawParameter>): ListRequest['own'] {
  const own: Record<string, SqlValue | undefined> = {}
  for (const [name, { type, preset }] of Object.entries(list.parameters)) {
    if (type === undefined) continue
    const sent = given.get(name)
    const value = sent ? VALUE_TYPES[type].read(sent.value) : preset
    if (sent && value === undefined) throw invalidParameter(name, `${name} is ${VALUE_TYPES[type].expected}.`)
    own[name] = value
  }
  return own
}

// D2.2: outside its range a number is refused, never clamped.
function readCount(given: RawParameter | undefined, preset: number, maximum: number): number {
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
function readFields(list: List, given: RawParameter | undefined, included: ReadonlySet<string>) {
  if (given === undefined) return undefined
  const names = readNames(given, 'field', list.members)
  for (const name of names) {
    const needed = list.includedBy.get(name)
    if (needed !== undefined && !included.has(needed))
      throw invalidParameter(
        given.spelling,
        `${name} can only be selected when it is included: add include=${needed}.`,
        { field: name },
      )
  }
  return new Set([...list.always, ...names])
}

/** D2.6, P1: with `fields`, what is included comes only where it is named too. */
function shownIncludes(list: List, included: ReadonlySet<string>, fields: ReadonlySet<string>): ReadonlySet<string> {
  const shown = new Set<string>()
  for (const name of fields) {
    const needed = list.includedBy.get(name)
    if (needed !== undefined && included.has(needed)) shown.add(needed)
  }
  return shown
}

function readInclude(list: List, given: RawParameter | undefined): ReadonlySet<string> {
  if (given === undefined) return NOTHING
  const names = readNames(given, 'related data', list.include.union(list.embedded))
  return new Set(names.map((name) => name.replace(/:id$/, ''))).intersection(list.include) // receipt:id of older clients
}

const NOTHING: ReadonlySet<string> = new Set()

/** A comma list, with or without spaces; `selects[]=id&selects[]=name` is one too. */
function readNames({ spelling, value }: RawParameter, kind: string, known: ReadonlySet<string>): string[] {
  const lists = typeof value === 'string' ? [{ sent: undefined, value }] : inKeyOrder(value)
  const names = lists.flatMap((list) =>
    String(list.value)
      .split(',')
      .map((name) => ({ name: name.trim(), place: list.sent })),
  )
  if (names.length > MAX_NAMES)
    throw invalidParameter(spelling, `At most ${MAX_NAMES} names are read.`, { maximum: MAX_NAMES })
  for (const { name, place } of names) if (!known.has(name)) throw unknownName(spelling, kind, name, known, { place })
  return names.map(({ name }) => name)
}

function readWhere(
  list: List,
  given: ReadonlyMap<string, RawParameter>,
  venue_id: number,
): Pick<ListRequest, 'where' | 'filtered' | 'dates' | 'days' | 'named'> {
  const conditions: Conditions = { texts: [], values: [] }
  const filters = given.get('filters')
  const named = new Set(filters === undefined ? [] : addFilters(conditions, list.columns, filters))
  for (const [name, { type }] of Object.entries(list.parameters)) {
    const sent = type === undefined ? given.get(name) : undefined
    if (sent === undefined) continue
    addEquality(conditions, list.columns.get(name)!, sent)
    named.add(name)
  }
  for (const [field, condition] of Object.entries(list.unlessFiltered))
    if (!named.has(field)) conditions.texts.push(condition)
  const isNarrowed = conditions.texts.length > 0
  // Our own text: values are placeholders.
  const made = (): ListRequest['where'] =>
    conditions.texts.length === 0
      ? EVERYWHERE
      : {
          text: conditions.texts.map((each) => ` and ${each.replaceAll('$venue', String(venue_id))}`).join(''),
          values: [...conditions.values],
        }
  const filtered = made()
  const date = given.get('date')
  const [from, to] = date === undefined ? [] : readDates(date)
  for (const [end, comparison] of [
    [from, '>='],
    [to, '<='],
  ] as const) {
    if (end === undefined) continue // an open end
    conditions.texts.push(`${list.date!.name} ${comparison} ?`)
    conditions.values.push(end)
  }
  const isDated = from !== undefined || to !== undefined
  return {
    where: isDated ? made() : filtered,
    filtered,
    dates: [from, to],
    days: isNarrowed || !isDated ? undefined : wholeDays([from, to]),
    named,
  }
}

const EVERYWHERE: ListRequest['where'] = Object.freeze({ text: '', values: Object.freeze([]) })

/** D2.8: both ends belong to the range, and a date as its end is that whole day. */
function readDates(given: RawParameter): (string | undefined)[] {
  return readEnds(given).map((end, place) => {
    if (end === undefined) return undefined
    const instant = readTime(end.value, EDGES[place]!)
    if (instant === undefined)
      throw invalidParameter(nameOf(given, end), `${end.sent} is ${VALUE_TYPES.instant.expected}.`, {
        index: indexOf(end),
      })
    return instant
  })
}

/** The first and the last instant of a day. */
const EDGES = ['00:00:00.000Z', '23:59:59.999Z']

function wholeDays([from, to]: readonly (string | undefined)[]): Days | undefined {
  const isEdge = (end: string | undefined, edge: string) => end === undefined || end.endsWith(`T${edge}`)
  if (!isEdge(from, EDGES[0]!) || !isEdge(to, EDGES[1]!)) return undefined
  return { from: from?.slice(0, 10), to: to?.slice(0, 10) }
}

/** The keys 0 and 1 say which end they are. Under others the ends come in their order; a name alone could mean either. */
function readEnds({ spelling, value }: RawParameter): (Entry | undefined)[] {
  const ends = inKeyOrder(value as Entries)
  const isEitherEnd = ends.length === 1 && typeof indexOf(ends[0]!) === 'string'
  if (ends.length > 2 || isEitherEnd) {
    const sent = ends.map((end) => end.sent).join(' and ')
    throw invalidParameter(spelling, `date has two ends, date[0] and date[1], not ${sent}.`)
  }
  return atPositions(value as Entries, 2) ?? ends
}
