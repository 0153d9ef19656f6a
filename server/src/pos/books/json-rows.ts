// A million rows as objects take longer than all checks: rows come as one JSON text, each an array.

/** Of rows whose values are written as SQL, the text of an array of them. */
export const rowsAsJson = (...values: string[]) =>
  `'[' || coalesce(string_agg('[' || ${values.join(` || ',' || `)} || ']', ','), '') || ']'`

export const orNull = (column: string) => `coalesce(cast(${column} as text), 'null')`
