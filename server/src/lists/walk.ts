import { createHash } from 'node:crypto'
import { invalidParameter } from '../http/errors.ts'
import { type SqlValue, VALUE_TYPES } from './column-values.ts'
import type { Column, Conditions } from './filters.ts'
import type { RawParameter } from './query.ts'
import type { OrderKey } from './sort.ts'

// P3: a walk goes on after the last row it gave, wherever that row's page would be by now. The cursor is that row's place in the
// order, and a digest of what was asked, so that it is not mistaken for one of another list.

/** One step of a walk, as parts of a query. */
export interface Walk {
  /** The column besides the id whose value the cursor holds. */
  readonly key: string | undefined
  /** The rows that are still to come. */
  readonly where: { readonly text: string; readonly values: readonly SqlValue[] }
  /** Where the walk goes on after this row. */
  cursorAfter(row: { id: SqlValue; key?: SqlValue }): string
}

/** What decides in which orders a list is walked. */
interface WalkedList {
  readonly key: Column
  readonly time: Column | undefined
  readonly sortable: ReadonlyMap<string, Column>
}

/** The sorts that a walk knows, for people. */
export const walkSorts = ({ key, time, sortable }: WalkedList): string =>
  [key.name, ...(time ? [time.name] : []), ...(sortable.has('updated_at') ? ['updated_at ascending'] : [])].join(', ')

/** What a cursor belongs to: everything that decides which rows come, and in which order. */
export type Question = readonly unknown[]

/**
 * Reads `after`: empty at the start, then `next` of the previous answer. Rows must not change places while they are added and
 * changed, so a walk is ordered by id (or what a view has instead), by the list's time, or by updated_at ascending.
 */
export function readWalk(
  { spelling, value }: RawParameter,
  keys: readonly OrderKey[],
  list: WalkedList,
  question: Question,
): Walk {
  const { key, time } = list
  const [first, last] = keys as [OrderKey, OrderKey | undefined]
  const isById = keys.length === 1
  const isByTime = keys.length === 2 && first.column === time
  const isByChange = keys.length === 2 && first.column.name === 'updated_at' && !first.descending
  if (!isById && !((isByTime || isByChange) && last!.column.name === key.name))
    throw invalidParameter(
      'sort',
      `A walk with after goes in the list's own order, or is sorted by one of: ${walkSorts(list)}.`,
    )
  const digest = createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 11)
  const place = value === '' ? undefined : readCursor(String(value), keys, digest)
  if (value !== '' && place === undefined)
    throw invalidParameter(
      spelling,
      'after is empty, or the next of an answer to the same question: the same filters, sort and venue.',
    )
  return {
    key: isById ? undefined : first.column.name,
    where: place === undefined ? FROM_THE_START : beyond(keys, place),
    cursorAfter: ({ id, key }) => encode(isById ? [digest, id] : [digest, key!, id]),
  }
}

const FROM_THE_START = Object.freeze({ text: '', values: Object.freeze([]) })

const encode = (parts: readonly SqlValue[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')

/** The values of the keys that a cursor holds; undefined when it is malformed or another question's. */
function readCursor(text: string, keys: readonly OrderKey[], digest: string): SqlValue[] | undefined {
  const [given, ...values] = parsed(Buffer.from(text, 'base64url').toString())
  const isSound =
    given === digest &&
    values.length === keys.length &&
    values.every((value, index) => VALUE_TYPES[keys[index]!.column.type].read(value) === value) &&
    encode([digest, ...(values as SqlValue[])]) === text // as we wrote it
  return isSound ? (values as SqlValue[]) : undefined
}

function parsed(text: string): unknown[] {
  try {
    const value = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** The rows behind a place, in the form that an index on (key, id) serves. */
function beyond(keys: readonly OrderKey[], values: readonly SqlValue[]): Walk['where'] {
  const { texts, values: bound }: Conditions = { texts: [], values: [] }
  const sign = ({ descending }: OrderKey) => (descending ? '<' : '>')
  const [first, last] = keys as [OrderKey, OrderKey | undefined]
  if (last === undefined) {
    texts.push(`${first.column.sql} ${sign(first)} ?`)
    bound.push(values[0]!)
  } else if (first.descending === last.descending) {
    texts.push(`(${first.column.sql}, ${last.column.sql}) ${sign(first)} (?, ?)`)
    bound.push(values[0]!, values[1]!)
  } else {
    const { sql } = first.column
    texts.push(`${sql} ${sign(first)}= ? and (${sql} ${sign(first)} ? or ${last.column.sql} ${sign(last)} ?)`)
    bound.push(values[0]!, values[0]!, values[1]!)
  }
  return { text: ` and ${texts[0]}`, values: bound }
}
