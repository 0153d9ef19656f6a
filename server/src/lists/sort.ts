import { invalidParameter } from '../http/errors.ts'
import type { Column } from './filters.ts'
import { respelled, unknownName } from './nearest.ts'
import {
  atPositions,
  type Entries,
  type Entry,
  indexOf,
  inKeyOrder,
  NOTATIONS,
  nameOf,
  type RawParameter,
} from './query.ts'

export const MAX_SORT_KEYS = 5

const DIRECTIONS: ReadonlyMap<string, 'asc' | 'desc'> = new Map([
  ['asc', 'asc'],
  ['desc', 'desc'],
  ['1', 'asc'],
  ['-1', 'desc'],
])

/** One key of an order. */
export interface OrderKey {
  readonly column: Column
  readonly descending: boolean
}

/** What an order is made of: the columns it may name, and the one that makes it total. */
interface Sortable {
  readonly sortable: ReadonlyMap<string, Column>
  readonly key: Column
}

/** D2.7: the requested keys, then the id. */
export function readOrder({ sortable, key }: Sortable, given: RawParameter): OrderKey[] {
  const order = new Map<string, OrderKey>()
  for (const { place, index, field, direction } of readSortKeys(given)) {
    const name = String(field.value)
    const column = sortable.get(name)
    if (column === undefined)
      throw unknownName(nameOf(given, field), 'sort field', name, sortable.keys(), {
        place: place ?? field.sent,
        details: { index },
      })
    const towards = direction === undefined ? 'asc' : DIRECTIONS.get(String(direction.value).toLowerCase())
    if (towards === undefined)
      throw unknownName(nameOf(given, direction), 'direction', String(direction!.value), DIRECTIONS.keys(), {
        place: place ?? direction!.sent,
        details: { index },
        suggest: respelled, // the other direction is never meant
      })
    if (order.has(name)) throw invalidParameter(given.spelling, `${place}: ${name} is a sort key twice.`, { index })
    order.set(name, { column, descending: towards === 'desc' })
  }
  if (!order.has(key.name)) order.set(key.name, { column: key, descending: false })
  return [...order.values()]
}

/** What follows `order by`. */
export const orderText = (keys: readonly OrderKey[]): string => keys.map(sortKey).join(', ')

interface SortKey {
  /** As it was sent, for the refusal that names it; undefined where field and direction were sent each by itself. */
  readonly place: string | undefined
  readonly index: number | string
  readonly field: Entry
  readonly direction: Entry | undefined
}

function readSortKeys(given: RawParameter): SortKey[] {
  const entries = given.value as Entries
  const nested = inKeyOrder(entries).filter(({ value }) => typeof value !== 'string')
  if (nested.length === 0) return [readOnlySortKey(given, entries)]
  if (nested.length < entries.size) throw givenInTwoForms(given)
  if (nested.length > MAX_SORT_KEYS)
    throw invalidParameter(given.spelling, `At most ${MAX_SORT_KEYS} sort keys are read.`, { maximum: MAX_SORT_KEYS })
  return nested.map((entry) => {
    const [place, index] = [entry.sent, indexOf(entry)]
    const [field, direction] = atPositions(entry.value as Entries, 2) ?? []
    if (field === undefined) throw noSortKey(given, place, index)
    return { place, index, field, direction }
  })
}

/** `sort[0]=name&sort[1]=-1` is one key, a field and then a direction under any keys; so is `sort_by=name&sort_order=-1`. */
function readOnlySortKey(given: RawParameter, entries: Entries): SortKey {
  const byKey = inKeyOrder(entries)
  const [field, direction] = given.form === 'parts' ? atPositions(entries, 2)! : byKey
  const surplus = byKey[2]
  if (field === undefined || surplus !== undefined)
    throw noSortKey(given, surplus?.sent, surplus ? indexOf(surplus) : 0)
  return { place: undefined, index: indexOf(field), field, direction }
}

function noSortKey({ form, spelling }: RawParameter, place = spelling, index: number | string = 0) {
  const example = form === 'parts' ? 'sort_by=name&sort_order=asc' : NOTATIONS.sort.example
  return invalidParameter(spelling, `${place}: a sort key is a field and a direction: ${example}.`, { index })
}

const givenInTwoForms = ({ spelling }: RawParameter) =>
  invalidParameter(spelling, `The two forms of ${spelling} are not mixed: write ${NOTATIONS.sort.example}.`)

/** The engines put nulls at different ends unless told; here what is absent comes before everything. */
function sortKey({ column: { name, folded, nullable }, descending }: OrderKey): string {
  const key = name === 'id' ? name : folded // an id orders as it is, also where it is a text
  if (!descending) return nullable ? `${key} nulls first` : key
  return nullable ? `${key} desc nulls last` : `${key} desc`
}
