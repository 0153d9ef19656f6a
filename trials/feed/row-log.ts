import type { Database } from '../../server/src/storage/database.ts'
import type { Engine } from '../harness/installation.ts'

// Triggers on every table that belongs to brands write down which row changed in which transaction, by any way in.

/** One row that was inserted or deleted, one as it was before a change or is after it, or an event that was appended. */
export interface LoggedChange {
  /** Id of its transaction: no other has the same. */
  transaction: number
  table: string
  row: Readonly<Record<string, unknown>>
}

export interface RowLog {
  /** The same database. Only transactions through this one can be told apart on SQLite. */
  db: Database
  tables: readonly string[]
  /** What was committed since the last time it was asked. */
  take(): Promise<LoggedChange[]>
}

/** Tables of brands that hold nothing a reader of the feed could want. */
const UNWATCHED: Readonly<Record<string, string>> = {
  feeds: 'is the feed itself',
  counters: 'counts rows and gives out ids',
  day_totals: 'counts rows',
  page_marks: 'finds pages of lists',
  venue_days: 'gives out order numbers and adds up receipts',
  tax_days: 'adds up receipts',
  balances: 'adds up transactions',
  stocks: 'adds up movements',
  payment_accounts: 'says where payments go',
  payment_method_uses: 'says which payment methods keep their kind',
  portion_moves: 'says which lines hold what a stop list has less',
  recent_orders: 'finds an order that is sent again',
  sale_uuids: 'says which uuids orders and receipts have used',
  idempotency_keys: 'keeps answers',
  audit: 'is a log of its own',
  erasures: 'says whose data are still to be forgotten',
  nightly_runs: 'says which nights are done',
  book_audits: 'says what an audit of the books found',
  book_checks: 'says which check of the books runs',
  images: 'holds pictures; the entry that names one publishes',
  approvals: 'let somebody act once with the right of another',
  devices: 'say which browsers are enrolled',
  setup_links: 'open a restaurant once',
  menu_marks: 'says which event changed a menu last',
  receipt_acts: 'says who did what; what was done is published',
  accounts: 'keeps passwords',
  credential_uses: 'says when a credential was last used',
  request_log: 'is a log of its own',
  minute_counts: 'is a log of its own',
  print_queues: 'counts jobs, and says how a printer was seen last; changes of state are published',
  print_jobs: 'says what is on paper',
  webhook_endpoints: 'holds cursors over the feed; changes by hand are published',
  webhook_held: 'says what is sent again',
  webhook_replays: 'says what is sent again',
  webhook_log: 'is a log of its own',
}

export async function logRows(given: Database, engine: Engine): Promise<RowLog> {
  const define = (text: string) => given.transaction((tx) => tx.run(text, []))
  const columnsOf = await ownedTables(given, engine)
  const tables = [...columnsOf.keys()].filter((table) => !(table in UNWATCHED))
  for (const text of engine === 'SQLite' ? SQLITE : POSTGRES) await define(text)
  for (const table of tables)
    for (const text of engine === 'SQLite' ? sqliteTriggers(table, columnsOf.get(table)!) : postgresTriggers(table))
      await define(text)
  let taken = 0
  return {
    db: engine === 'SQLite' ? numbered(given) : given,
    tables,
    async take() {
      const rows = await given.rows<{ id: number; transaction_id: number; source: string; body: string }>(
        'select id, transaction_id, source, body from row_log where id > ? order by id',
        [taken],
      )
      taken = rows.at(-1)?.id ?? taken
      return rows.map(({ transaction_id, source, body }) => ({
        transaction: transaction_id,
        table: source,
        row: JSON.parse(body),
      }))
    },
  }
}

/** The tables with a brand, and that of brands, each with its columns. */
async function ownedTables(db: Database, engine: Engine): Promise<Map<string, string[]>> {
  const columns = await db.rows<{ table: string; column: string }>(
    engine === 'SQLite'
      ? `select t.name as "table", c.name as "column" from sqlite_schema t, pragma_table_info(t.name) c
         where t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.cid`
      : `select table_name as "table", column_name as "column" from information_schema.columns
         where table_schema = current_schema() order by table_name, ordinal_position`,
    [],
  )
  const all = Map.groupBy(columns, ({ table }) => table)
  return new Map(
    [...all]
      .map(([table, columns]) => [table, columns.map(({ column }) => column)] as const)
      .filter(([table, names]) => table === 'brands' || names.includes('brand_id')),
  )
}

const LOG = (id: string) =>
  `create table row_log (id ${id}, transaction_id bigint not null, source text not null, body text not null)`

const SQLITE = [
  LOG('integer primary key'),
  'create table transaction_number (number bigint not null)',
  'insert into transaction_number (number) values (0)',
]

/** Each transaction begins by taking the next number. One after the other: of those that share a commit, events come after the last. */
function numbered(db: Database): Database {
  let before: Promise<unknown> = Promise.resolve()
  const transaction: Database['transaction'] = (work, source) => {
    const alone = before.then(() =>
      db.transaction(async (tx) => {
        await tx.run('update transaction_number set number = number + 1', [])
        return work(tx)
      }, source),
    )
    before = alone.catch(() => {})
    return alone
  }
  return { ...db, transaction }
}

function sqliteTriggers(table: string, columns: readonly string[]): string[] {
  const log = (row: 'old' | 'new') => {
    const members = columns.map((column) => `'${column}', ${row}."${column}"`)
    return `insert into row_log (transaction_id, source, body)
      select number, '${table}', json_object(${members.join(', ')}) from transaction_number;`
  }
  const trigger = (name: string, when: string, work: string) =>
    `create trigger ${table}_${name}_logged after ${name} on ${table} ${when} begin ${work} end`
  const differs = columns.map((column) => `old."${column}" is not new."${column}"`).join(' or ')
  return [
    trigger('insert', '', log('new')),
    trigger('update', `when ${differs}`, log('old') + log('new')),
    trigger('delete', '', log('old')),
  ]
}

const POSTGRES = [
  LOG('bigint generated always as identity primary key'),
  `create function log_row() returns trigger language plpgsql as $$ begin
     insert into row_log (transaction_id, source, body)
     select pg_current_xact_id()::text::bigint, tg_table_name, given
     from (values (to_json(old)), (to_json(new))) as rows (given) where given is not null;
     return null;
   end $$`,
]

const postgresTriggers = (table: string): string[] => [
  `create trigger ${table}_logged after insert or delete on ${table} for each row execute function log_row()`,
  `create trigger ${table}_update_logged after update on ${table} for each row
     when (old.* is distinct from new.*) execute function log_row()`,
]
