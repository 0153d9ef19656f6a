/** Jobs that are not on paper yet. Written out wherever a query asks for them: SQLite matches a partial index by its text. */
export const OPEN_JOBS = `state in ('waiting', 'sending', 'unsure')`

/** A drawer that opens later opens unattended (R16). */
export const DRAWER_MS = 5_000
