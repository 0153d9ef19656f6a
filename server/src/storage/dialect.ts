/** All differences between the two engines. No other file asks which one is in use. */
export interface Dialect {
  readonly engine: 'SQLite' | 'PostgreSQL'
  /** Turns the one migration text into this engine's. */
  migration(text: string): string
  /** Run before the first migration, in its transaction. */
  readonly foundation: readonly string[]
  /** The tables that exist now, by name. */
  readonly tableNames: string
  /** An expression of text, as the driver hands it over with the least work: its bytes where it can, for they are what is sent. */
  readonly bytes: (text: string) => string
  /** A condition that always holds, by which a long read (`Database.scan`) ends at its deadline; empty where the driver can end one. */
  readonly checkpoint: string
  /** Answers in `held` whether this transaction got the lock of that number; absent where one process alone serves a database. */
  readonly tryLock: string | undefined
  /** True if the tables of activity-store.ts are in a file of their own. */
  readonly hasActivityFile: boolean
  /** The elements of a JSON array of arrays, as rows of one column named `value`. */
  readonly elements: string
  /** A number inside a JSON text, ×10,000 as columns hold it; 0 where it is absent. */
  readonly scaledMember: (json: string, member: string) => string
  /** What members of a JSON text say, read once a row: SQL that goes after a `from`, and SQL of each member, null where it is absent. */
  readonly saidBy: (
    json: string,
    alias: string,
    members: Readonly<Record<string, 'number' | 'boolean' | 'text'>>,
  ) => Said
  /** SQL that replaces each letter by the one at the same place. The letters are constants without quotes. */
  readonly replaceLetters: (text: string, letters: string, replacement: string) => string
  /** Locks rows that are read to be changed, at the end of a `select`. */
  readonly lockRows: string
  /** Run before queries that join whole tables, in their transaction; absent where such a query is planned the same way anyhow. */
  readonly beforeLargeJoins: string | undefined
  /** The database's own clock, in milliseconds since 1970: leases are of one clock, whatever the processes believe. */
  readonly clockMs: string
  /** A text that names this very database and no logical copy of it; absent where a copy cannot be told apart by asking. */
  readonly identity: string | undefined
  /** Run at the end of a directory change, so that every process is notified when it commits. */
  readonly announce: string | undefined
}

interface Said {
  readonly from: string
  readonly member: (name: string) => string
}

const IN_RECORDS = { number: 'numeric', boolean: 'boolean', text: 'text' }

export const sqliteDialect: Dialect = {
  engine: 'SQLite',
  migration: (text) => text,
  // Marks the file as ours, so that a foreign one is refused and `file` can name it ("Comp" in ASCII).
  foundation: ['pragma application_id = 0x436f6d70'],
  tableNames: `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`,
  bytes: (text) => `cast(${text} as blob)`,
  checkpoint: ' and (id % 512 <> 0 or within_deadline())',
  tryLock: undefined,
  hasActivityFile: true,
  elements: 'json_each(cast(? as text))',
  scaledMember: (json, member) => `cast(round(coalesce(json_extract(${json}, '$.${member}'), 0) * 10000) as integer)`,
  saidBy: (json, _alias, members) => ({
    from: '',
    member(name) {
      const said = `json_extract(${json}, '$.${name}')`
      return members[name] === 'text' ? `cast(${said} as text)` : said
    },
  }),
  replaceLetters: (text, letters, replacement) =>
    [...letters].reduce((sql, letter, index) => `replace(${sql}, '${letter}', '${[...replacement][index]}')`, text),
  lockRows: '', // the writer holds the lock of the file
  beforeLargeJoins: undefined,
  clockMs: `cast(unixepoch('subsec') * 1000 as integer)`,
  identity: undefined,
  announce: undefined,
}

export const postgresDialect: Dialect = {
  engine: 'PostgreSQL',
  // Text compares byte by byte, as in SQLite, so that sorting and comparing mean the same on both. Its tables have no rowid anyway.
  migration: (text) => text.replaceAll(/\btext\b/g, 'text collate "C"').replace(/ without rowid$/, ''),
  // SQLite's name for it: `like` is written once, and % and _ stand for themselves (D2.3).
  foundation: [
    `create function instr(text, text) returns integer language sql immutable strict parallel safe as 'select strpos($1, $2)'`,
  ],
  tableNames: 'select table_name as name from information_schema.tables where table_schema = current_schema()',
  bytes: (text) => `cast(${text} as varchar)`, // whose bytes the driver hands over
  checkpoint: '',
  tryLock: 'select pg_try_advisory_xact_lock(?) as held',
  hasActivityFile: false,
  elements: 'json_array_elements(cast(? as json)) as each(value)',
  scaledMember: (json, member) =>
    `cast(round(coalesce(cast(cast(${json} as json) ->> '${member}' as numeric), 0) * 10000) as bigint)`,
  saidBy: (json, alias, members) => ({
    from: ` cross join lateral json_to_record(cast(${json} as json)) as ${alias}(${Object.entries(members)
      .map(([name, type]) => `"${name}" ${IN_RECORDS[type]}`)
      .join(', ')})`,
    member: (name) => (members[name] === 'boolean' ? `cast(${alias}."${name}" as integer)` : `${alias}."${name}"`),
  }),
  replaceLetters: (text, letters, replacement) => `translate(${text}, '${letters}', '${replacement}')`,
  lockRows: ' for no key update',
  // Statistics that are older than a brand say that it has no rows; then every row of one table would be held against every row of
  // another. To compile such a query costs more than it gains.
  beforeLargeJoins: `select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`,
  clockMs: 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
  identity: `select system_identifier || ' ' || pg_database.oid from pg_control_system(), pg_database where datname = current_database()`,
  announce: `select pg_notify('comptoir_directory', '')`,
}
