// E10: events are appended by two statements in one message with the commit, which cost less than the function that was called for it.
export const up = ''

export const only = { SQLite: [], PostgreSQL: ['drop function append_events'] }
