// Many rows read as objects cost more than what is done with them. As one JSON text, each row an array, they cost little.

/** The text of an array of rows; each value of a row is SQL that makes JSON. */
export const rowsAsJson = (...values: string[]) =>
  `'[' || coalesce(string_agg('[' || ${values.join(` || ',' || `)} || ']', ','), '') || ']'`

export const orNull = (column: string) => `coalesce(cast(${column} as text), 'null')`
