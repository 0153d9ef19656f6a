import { invalidParameter } from '../http/errors.ts'
import { fold } from '../values/fold.ts'
import { respelled, unknownName } from './nearest.ts'
import { atPositions, type Entries, type Given, indexOf, inKeyOrder } from './query.ts'
import { type ColumnType, type SqlValue, VALUE_TYPES } from './values.ts'

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
  const { spelling, value } = given
  const filters = typeof value === 'string' ? filtersInJson(spelling, value) : filtersInBrackets(spelling, value)
  if (filters.length > MAX_FILTERS)
    throw invalidParameter(spelling, `At most ${MAX_FILTERS} filters are read.`, { maximum: MAX_FILTERS })
  for (const { filter, place } of filters) addFilter(conditions, columns, filter, place)
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

function addFilter({ texts, values }: Conditions, columns: ReadonlyMap<string, Column>, filter: unknown, place: Place) {
  if (!Array.isArray(filter) || filter.length < 2 || filter.length > 3)
    throw refuse(place, 'a filter is [field, value] or [field, operator, value]')
  const column = readField(columns, filter[0], place)
  const value: unknown = filter.at(-1)
  const operator = filter.length === 3 ? readOperator(filter[1], value, place) : impliedOperator(value)
  if (filter.length === 2) refuseNullTest(column, value, place)

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
  if (column === undefined)
    throw unknownName(place.spelling, 'field', field, columns.keys(), {
      at: place.name,
      details: { index: place.index },
    })
  return column
}

function readOperator(given: unknown, value: unknown, place: Place): string {
  if (typeof given !== 'string') throw refuse(place, 'the operator is a text')
  const operator = given.toLowerCase()
  if (!OPERATORS.includes(operator))
    throw unknownName(place.spelling, 'operator', given, OPERATORS, {
      at: place.name,
      details: { index: place.index },
      suggest: respelled, // a near operator means something else
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
  const { expected, read } = VALUE_TYPES[column.type]
  const stored = read(value)
  if (stored === undefined) throw refuse(place, `${column.name} takes ${expected}`, { field: column.name, expected })
  return stored
}
