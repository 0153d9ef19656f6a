import type { Queries, Value } from './database.ts'
import type { Tables } from './tables.ts'

// Writes whose columns are named by the properties of an object, so that no value stands in another's place. Reads are plain SQL.

type Nullable<Row> = { [Column in keyof Row]: null extends Row[Column] ? Column : never }[keyof Row]

/** A row to insert: columns that may be null can be left out. */
type NewRow<Row> = Omit<Row, Nullable<Row>> & Partial<Pick<Row, Nullable<Row>>>

export async function insertRow<Table extends keyof Tables>(
  tx: Queries,
  table: Table,
  row: NewRow<Tables[Table]>,
): Promise<void> {
  await tx.run(insertion(table, row), Object.values(row))
}

/** Inserts a row, or replaces the one that has the same key. */
export async function upsertRow<Table extends keyof Tables>(
  tx: Queries,
  table: Table,
  key: readonly (keyof Tables[Table] & string)[],
  row: Tables[Table],
): Promise<void> {
  const replaced = Object.keys(row)
    .filter((column) => !(key as readonly string[]).includes(column))
    .map((column) => `${column} = excluded.${column}`)
  const text = `${insertion(table, row)} on conflict (${key.join(', ')}) do update set ${replaced.join(', ')}`
  await tx.run(text, Object.values(row))
}

/** Changes the rows whose columns are equal to those of `where`. */
export async function updateRows<Table extends keyof Tables>(
  tx: Queries,
  table: Table,
  where: Partial<Tables[Table]>,
  set: Partial<Tables[Table]>,
): Promise<void> {
  const equal = (columns: object) => Object.keys(columns).map((column) => `${column} = ?`)
  const text = `update ${table} set ${equal(set).join(', ')} where ${equal(where).join(' and ')}`
  await tx.run(text, [...Object.values<Value>(set as never), ...Object.values<Value>(where as never)])
}

function insertion(table: string, row: object): string {
  const columns = Object.keys(row)
  return `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
}
