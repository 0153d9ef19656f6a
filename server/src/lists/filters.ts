import { invalidParameter } from '../http/errors.ts'
import { fold } from '../values/fold.ts'
import { type ColumnType, type SqlValue, VALUE_TYPES } from './column-values.ts'
import { respelled, unknownName } from './nearest.ts'
import { atPositions, type Entries, indexOf, inKeyOrder, type RawParameter } from './query.ts'

const MAX_FILTERS = 20
const MAX_VALUES = 100

/** A column that may be filtered. Only its names, which are ours, are ever spliced into SQL. */
export interface Column {
  /** The wire's name. */
  readonly name: string
  readonly type: ColumnType
  /** What is compared, by default the column of that name. `$venue` in it stands for the active venue. */
  readonly sql: string
  /** Makes a text of a filter comparable with the column, where that is not the value as it was sent. */
  readonly comparable?: ((text: string) => string) | undefined
  /** The column that `like` searches and sorting compares: the folded twin of a text, otherwise the column itself. */
  readonly folded: string
  readonly nullable: boolean
  /** Where a row has several values: the text that the column's SQL contains for one of them. A filter asks for any of its values. */
  readonly holds?: ((value: SqlValue) => string) | undefined
}

/** Part of a where clause: conditions that are all to hold, and the values of their placeholders in order. */
export interface Conditions {
  readonly texts: string[]
  readonly values: SqlValue[]
}

// An absent value is unequal to every value, as in memory; with SQL's <> it would be neither equal nor unequal.
const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['=', '='],
  ['!=', 'is distinct from'],
  ['>', '>'],
  ['>=', '>='],
  ['<', '<'],
  ['<=', '<='],
])

export const OPERATORS: readonly string[] = [...COMPARISONS.keys(), 'in', 'not in', 'like', 'is null', 'is not null']

/** D2.3: adds what `filters` asks for, in either notation, to the conditions; answers the fields that it names. */
export function addFilters(
  conditions: Conditions,
  columns: ReadonlyMap<string, Column>,
  given: RawParameter,
): ReadonlySet<string> {
  const { spelling, value } = given
  const filters = typeof value === 'string' ? filtersInJson(spelling, value) : filtersInBrackets(spelling, value)
  if (filters.length > MAX_FILTERS)
    throw invalidParameter(spelling, `At most ${MAX_FILTERS} filters are read.`, { maximum: MAX_FILTERS })
  return new Set(filters.map(({ filter, place }) => addFilter(conditions, columns, filter, place)))
}

/** Adds that a column equals the value of a parameter of its own. */
export function addEquality({ texts, values }: Conditions, column: Column, { spelling, value }: RawParameter): void {
  const { expected } = VALUE_TYPES[column.type]
  const stored = storedValue(column, value)
  if (stored === undefined) throw invalidParameter(spelling, `${spelling} is ${expected}.`, { expected })
  texts.push(`${column.sql} = ?`)
  values.push(stored)
}

function storedValue({ type, comparable }: Column, value: unknown): SqlValue | undefined {
  const stored = VALUE_TYPES[type].read(value)
  return typeof stored === 'string' && comparable ? comparable(stored) : stored
}

interface Placed {
  readonly filter: unknown
  readonly place: Place
}

function filtersInJson(spelling: string, text: string): Placed[] {
  const parsed = parseJson(text)
  if (!Array.isArray(parsed))
    throw invalidParameter(
      spelling,
      `${spelling} is a JSON array of filters, such as [["id",10],["name","like","tea"]].`,
    )
  const filters = typeof parsed[0] === 'string' ? [parsed] : parsed // one bare filter
  return filters.map((filter, index) => ({ filter, place: { spelling, index, name: `Filter ${index}` } }))
}

/** `filters[type][0]=id` and so on: which key a filter has does not matter, its own parts have the keys 0, 1 and 2. */
const filtersInBrackets = (spelling: string, entries: Entries): Placed[] =>
  inKeyOrder(entries).map((entry) => {
    const parts = atPositions(entry.value as Entries, 3)
    return {
      filter:
        parts &&
        Array.from(parts, (part) => (part && typeof part.value !== 'string' ? valuesOf(part.value) : part?.value)),
      place: { spelling, index: indexOf(entry), name: entry.sent },
    }
  })

const valuesOf = (entries: Entries) => inKeyOrder(entries).map(({ value }) => value)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where a filter stands, for the refusal that names it. */
interface Place {
  readonly spelling: string
  /** Its number, or the key it was sent under. */
  readonly index: number | string
  /** What the sentence calls it. */
  readonly name: string
}

const refuse = ({ spelling, index, name }: Place, message: string, details: Record<string, unknown> = {}) =>
  invalidParameter(spelling, `${name}: ${message}.`, { index, ...details })

/** Answers the name of the field. */
function addFilter(
  { texts, values }: Conditions,
  columns: ReadonlyMap<string, Column>,
  filter: unknown,
  place: Place,
): string {
  if (!Array.isArray(filter) || filter.length < 2 || filter.length > 3)
    throw refuse(place, 'a filter is [field, value] or [field, operator, value]')
  const column = readField(columns, filter[0], place)
  const value: unknown = filter.at(-1)
  const operator = filter.length === 3 ? readOperator(filter[1], value, place) : impliedOperator(value)
  if (filter.length === 2) refuseNullTest(column, value, place)

  if (column.holds) {
    if (operator !== '=' && operator !== 'in') throw refuse(place, `${column.name} takes a value or a list of values`)
    const sought = readValues(column, 'in', [value].flat(), place).map(column.holds)
    texts.push(sought.length === 0 ? '1 = 0' : `(${sought.map(() => `instr(${column.sql}, ?) > 0`).join(' or ')})`)
    values.push(...sought)
  } else if (operator === 'is null' || operator === 'is not null') {
    texts.push(`${column.sql} ${operator}`)
  } else if (operator === 'in' || operator === 'not in') {
    const list = readValues(column, operator, value, place)
    texts.push(membership(column.sql, operator, list.length))
    values.push(...list)
  } else if (operator === 'like') {
    const { type, name, folded, sql } = column
    if (type !== 'text' && type !== 'key') throw refuse(place, `like searches text, and ${name} is none`)
    const sought = String(readValue(column, value, place))
    // Not SQL's like: here % and _ stand for themselves. A key has no folded twin; lower() and we know the letters A to Z on either engine.
    texts.push(`instr(${type === 'text' ? folded : `lower(${sql})`}, ?) > 0`)
    values.push(type === 'text' ? fold(sought) : sought.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()))
  } else {
    texts.push(`${column.sql} ${COMPARISONS.get(operator)} ?`)
    values.push(readValue(column, value, place))
  }
  return column.name
}

function readField(columns: ReadonlyMap<string, Column>, field: unknown, place: Place): Column {
  if (typeof field !== 'string') throw refuse(place, 'the field is named by a text')
  const column = columns.get(field)
  if (column === undefined)
    throw unknownName(place.spelling, 'field', field, columns.keys(), {
      place: place.name,
      details: { index: place.index },
    })
  return column
}

function readOperator(given: unknown, value: unknown, place: Place): string {
  if (typeof given !== 'string') throw refuse(place, 'the operator is a text')
  const operator = given.toLowerCase()
  if (!OPERATORS.includes(operator))
    throw unknownName(place.spelling, 'operator', given, OPERATORS, {
      place: place.name,
      details: { index: place.index },
      suggest: respelled, // an operator that is spelled similarly means something else
    })
  if (value === null && operator === '=') return 'is null'
  if (value === null && operator === '!=') return 'is not null'
  return operator
}

/** `["barcode","is null"]` means the operator, and would find nothing. Other operators' names can be somebody's product. */
function refuseNullTest({ name }: Column, value: unknown, place: Place) {
  if (typeof value === 'string' && /^is( not)? null$/i.test(value))
    throw refuse(place, `"${value}" is an operator and takes a third element, such as ["${name}","${value}",null]`)
}

const impliedOperator = (value: unknown) => (Array.isArray(value) ? 'in' : value === null ? 'is null' : '=')

function membership(name: string, operator: 'in' | 'not in', count: number): string {
  if (count === 0) return operator === 'in' ? '1 = 0' : '1 = 1' // SQL has no empty list
  const list = `${name} ${operator} (${Array(count).fill('?').join(', ')})`
  return operator === 'in' ? list : `(${list} or ${name} is null)`
}

function readValues(column: Column, operator: string, value: unknown, place: Place): SqlValue[] {
  if (!Array.isArray(value)) throw refuse(place, `${operator} takes a list of values`)
  if (value.length > MAX_VALUES)
    throw refuse(place, `a list holds at most ${MAX_VALUES} values`, { maximum: MAX_VALUES })
  return Array.from(value, (each) => readValue(column, each, place)) // unlike map, it does not skip holes
}

function readValue(column: Column, value: unknown, place: Place): SqlValue {
  const { expected } = VALUE_TYPES[column.type]
  const stored = storedValue(column, value)
  if (stored === undefined) throw refuse(place, `${column.name} takes ${expected}`, { field: column.name, expected })
  return stored
}
