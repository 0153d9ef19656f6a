import type { Queries, Value } from './database.ts'
import type { Tables } from './tables.ts'

const ROWS_A_STATEMENT = 100

/** Puts rows in by their key, replacing those that are there. `columns` begins with the key's; no key comes twice. */
export async function upsert(
  tx: Queries,
  table: keyof Tables,
  key: number,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    const some = rows.slice(at, at + ROWS_A_STATEMENT)
    await tx.run(statement(table, key, columns, some.length), some.flat())
  }
}

const statements = new Map<string, string>()

function statement(table: string, key: number, columns: readonly string[], count: number): string {
  const name = `${table} ${columns.length} ${count}`
  let text = statements.get(name)
  if (text === undefined) {
    const places = `(${columns.map(() => '?').join(', ')})`
    const replaced = columns.slice(key).map((column) => `${column} = excluded.${column}`)
    text = `insert into ${table} (${columns.join(', ')}) values ${Array(count).fill(places).join(', ')}
      on conflict (${columns.slice(0, key).join(', ')}) do update set ${replaced.join(', ')}`
    statements.set(name, text)
  }
  return text
}
