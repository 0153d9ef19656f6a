import type { Queries, Transaction, Value } from './database.ts'

const ROWS_A_STATEMENT = 100

/** A transaction, or a connection that writes at once. */
export type StatementWriter = Pick<Queries, 'run'> & Partial<Pick<Transaction, 'later'>>

/** A write whose outcome nobody reads: a transaction does not wait for it. */
export async function writeLater(tx: StatementWriter, text: string, values: readonly Value[]): Promise<void> {
  await (tx.later ?? tx.run)(text, values)
}

/** `(?, ?, ?)` for a list of values. */
export const places = (values: readonly unknown[]) => `(${values.map(() => '?').join(', ')})`

/** Values of a row by column. All rows of a call have the same columns, in the same order. */
export type NamedRow = Readonly<Record<string, Value>>

/**
 * Inserts rows, or replaces those with the same key; no key comes twice. A transaction does not wait for it. Columns that are `fixed`
 * are not updated: SQLite rewrites the indexes of every column that is set, even to the same value.
 */
export async function upsert(
  tx: StatementWriter,
  table: string,
  key: readonly string[],
  rows: readonly NamedRow[],
  fixed: readonly string[] = key,
): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0]!)
  const values = rows.map((row) => Object.values(row))
  await upsertValues(tx, { table, columns, key, fixed }, values)
}

/** Inserts rows with new keys; an existing key is a UniqueViolation. */
export const insert = (tx: StatementWriter, table: string, rows: readonly NamedRow[]): Promise<void> =>
  upsert(tx, table, [], rows)

/** Table and columns that rows are written to. Without a key, rows are only inserted. */
export interface Target {
  readonly table: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
  readonly fixed: readonly string[]
}

/** Like `upsert`, for rows that are lists of values in the order of `columns`. */
export async function upsertValues(
  tx: StatementWriter,
  target: Target,
  rows: readonly (readonly Value[])[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
    const some = rows.slice(start, start + ROWS_A_STATEMENT)
    await writeLater(tx, statement(target, some.length), some.length === 1 ? some[0]! : some.flat())
  }
}

/** The statements for one target, by how many rows they write. */
interface Known extends Target {
  readonly texts: Map<number, string>
}

const knownOf = new Map<string, Known[]>() // by table: names are compared, since to join them takes longer than the rest

function statement(target: Target, count: number): string {
  const { table, columns, key, fixed } = target
  const ofTable = knownOf.get(table) ?? []
  let known = ofTable.find(
    (each) => isSame(each.columns, columns) && isSame(each.key, key) && isSame(each.fixed, fixed),
  )
  if (!known) {
    known = { table, columns, key, fixed, texts: new Map() }
    knownOf.set(table, [...ofTable, known])
  }
  const text = known.texts.get(count) ?? textOf(target, count)
  known.texts.set(count, text)
  return text
}

const isSame = (names: readonly string[], others: readonly string[]) =>
  names === others || (names.length === others.length && names.every((name, index) => name === others[index]))

function textOf({ table, columns, key, fixed }: Target, count: number): string {
  const text = `insert into ${table} (${columns.join(', ')}) values ${Array(count).fill(places(columns)).join(', ')}`
  if (key.length === 0) return text
  const replaced = columns.filter((column) => !fixed.includes(column)).map((column) => `${column} = excluded.${column}`)
  return `${text} on conflict (${key.join(', ')}) do update set ${replaced.join(', ')}`
}
