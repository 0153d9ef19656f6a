import type { Queries, Transaction, Value } from './database.ts'

const ROWS_A_STATEMENT = 100

/** A transaction, or what writes at once. */
export type StatementWriter = Pick<Queries, 'run'> & Partial<Pick<Transaction, 'later'>>

/** A write whose outcome nobody reads: a transaction does not wait for it. */
export async function writeLater(tx: StatementWriter, text: string, values: readonly Value[]): Promise<void> {
  await (tx.later ?? tx.run)(text, values)
}

/** `(?, ?, ?)` for a list of values. */
export const places = (values: readonly unknown[]) => `(${values.map(() => '?').join(', ')})`

/**
 * Inserts rows, or replaces those with the same key; no key comes twice. A transaction does not wait for it. `columns` starts with the
 * key's. The first `fixed` columns are not updated: SQLite rewrites the indexes of every column that is set, even to the same value.
 */
export async function upsert(
  tx: StatementWriter,
  table: string,
  key: number,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
  fixed = key,
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    const some = rows.slice(at, at + ROWS_A_STATEMENT)
    await writeLater(tx, statement(table, { key, fixed }, columns, some.length), some.flat())
  }
}

/** Inserts rows with new keys; an existing key is a UniqueViolation. */
export const insert = (
  tx: StatementWriter,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
): Promise<void> => upsert(tx, table, 0, columns, rows)

const statements = new Map<string, string>()

function statement(
  table: string,
  { key, fixed }: { key: number; fixed: number },
  columns: readonly string[],
  count: number,
): string {
  const name = `${table} ${key} ${fixed} ${columns.length} ${count}`
  let text = statements.get(name)
  if (text === undefined) {
    const values = Array(count).fill(places(columns)).join(', ')
    const replaced = columns.slice(fixed).map((column) => `${column} = excluded.${column}`)
    text = `insert into ${table} (${columns.join(', ')}) values ${values}`
    if (key > 0) text += ` on conflict (${columns.slice(0, key).join(', ')}) do update set ${replaced.join(', ')}`
    statements.set(name, text)
  }
  return text
}
