import { invalidParameter } from './errors.ts'
import { fold } from './fold.ts'
import { unknownName } from './list-nearest.ts'
import type { Given } from './list-query.ts'
import { type ColumnType, type SqlValue, VALUE_TYPES } from './list-values.ts'

const MAX_FILTERS = 20
const MAX_VALUES = 100

/** A column that may be filtered. Only its names, which are ours, are ever spliced into SQL. */
export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** The column that `like` searches and sorting compares: the folded twin of a text, otherwise the column itself. */
  readonly folded: string
  readonly nullable: boolean
}

/** Part of a where clause: conditions that are all to hold, and the values of their placeholders in order. */
export interface Conditions {
  readonly texts: string[]
  readonly values: SqlValue[]
}

// What is absent is unequal to every value, as it would be in memory; SQL's <> would say neither.
const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['=', '='],
  ['!=', 'is distinct from'],
  ['>', '>'],
  ['>=', '>='],
  ['<', '<'],
  ['<=', '<='],
])

export const OPERATORS: readonly string[] = [...COMPARISONS.keys(), 'in', 'not in', 'like', 'is null', 'is not null']

/** D2.3: adds what `filters` asks for, in either notation, to the conditions. */
export function addFilters(conditions: Conditions, columns: ReadonlyMap<string, Column>, given: Given) {
  const filters = readFilters(given)
  if (filters.length > MAX_FILTERS)
    throw invalidParameter(given.spelling, `At most ${MAX_FILTERS} filters are read.`, { maximum: MAX_FILTERS })
  for (const [index, filter] of filters.entries())
    addFilter(conditions, columns, filter, { spelling: given.spelling, index })
}

function readFilters({ spelling, value }: Given): readonly unknown[] {
  const filters: unknown = typeof value === 'string' ? parseJson(value) : value
  if (!Array.isArray(filters))
    throw invalidParameter(
      spelling,
      `${spelling} is a JSON array of filters, such as [["id",10],["name","like","tea"]].`,
    )
  return typeof filters[0] === 'string' ? [filters] : filters // one bare filter
}

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
  readonly index: number
}

const refuse = ({ spelling, index }: Place, message: string, details: Record<string, unknown> = {}) =>
  invalidParameter(spelling, `Filter ${index}: ${message}.`, { index, ...details })

function addFilter({ texts, values }: Conditions, columns: ReadonlyMap<string, Column>, filter: unknown, place: Place) {
  if (!Array.isArray(filter) || filter.length < 2 || filter.length > 3)
    throw refuse(place, 'a filter is [field, value] or [field, operator, value]')
  const column = readField(columns, filter[0], place)
  const value: unknown = filter.at(-1)
  const operator = filter.length === 3 ? readOperator(filter[1], value, place) : impliedOperator(value)

  if (operator === 'is null' || operator === 'is not null') {
    texts.push(`${column.name} ${operator}`)
  } else if (operator === 'in' || operator === 'not in') {
    const list = readValues(column, operator, value, place)
    texts.push(membership(column.name, operator, list.length))
    values.push(...list)
  } else if (operator === 'like') {
    if (column.type !== 'text') throw refuse(place, `like searches text, and ${column.name} is none`)
    texts.push(`instr(${column.folded}, ?) > 0`) // not SQL's like: here % and _ stand for themselves
    values.push(fold(String(readValue(column, value, place))))
  } else {
    texts.push(`${column.name} ${COMPARISONS.get(operator)} ?`)
    values.push(readValue(column, value, place))
  }
}

function readField(columns: ReadonlyMap<string, Column>, field: unknown, place: Place): Column {
  if (typeof field !== 'string') throw refuse(place, 'the field is named by a text')
  const column = columns.get(field)
  if (column === undefined) throw unknownName(place.spelling, 'field', field, columns.keys(), { index: place.index })
  return column
}

function readOperator(operator: unknown, value: unknown, place: Place): string {
  if (typeof operator !== 'string') throw refuse(place, 'the operator is a text')
  if (!OPERATORS.includes(operator))
    throw unknownName(place.spelling, 'operator', operator, OPERATORS, { index: place.index })
  if (value === null && operator === '=') return 'is null'
  if (value === null && operator === '!=') return 'is not null'
  return operator
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
  const { expected, read } = VALUE_TYPES[column.type]
  const stored = read(value)
  if (stored === undefined) throw refuse(place, `${column.name} takes ${expected}`, { field: column.name, expected })
  return stored
}
