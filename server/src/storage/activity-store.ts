import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Queries, StoreUnavailable, type Value } from './database.ts'
import { sqliteDialect } from './dialect.ts'
import { knownMigrations } from './migrate.ts'
import { openThread } from './sqlite/thread.ts'

/**
 * The store beside the requests' own: it holds the request log, and answers what people search, which may take long. On PostgreSQL
 * it is a few connections of its own. On SQLite it is a thread with a file of its own, so that neither writing the log nor reading
 * it costs a request anything; the data's tables can be read there too.
 */
export interface ActivityStore extends Pick<Queries, 'dialect' | 'rows' | 'run'> {
  /** Runs a statement whose one value is a JSON text in UTF-8. The bytes are given away. */
  put(text: string, json: Uint8Array<ArrayBuffer>): Promise<number>
  close(): Promise<void>
}

export async function openActivityStore(config: Config): Promise<ActivityStore> {
  if (config.DATABASE_URL !== undefined) {
    const db = await (await import('./postgres.ts')).openPostgres(config.DATABASE_URL, 'activity')
    // The log has a connection of its own, so that searches never keep it from being written.
    const { run } = db.apart
    const put: ActivityStore['put'] = (text, json) =>
      run(text, [Buffer.from(json.buffer, json.byteOffset, json.length).toString()])
    return { dialect: db.dialect, rows: db.rows, run, put, close: db.close }
  }
  const schema = (await knownMigrations()).flatMap(({ activity }) => activity)
  return sqliteThread({
    file: join(config.COMPTOIR_DATA, 'activity.db'),
    data: join(config.COMPTOIR_DATA, 'comptoir.db'),
    schema,
  })
}

/** What the thread is started with. */
export interface Files {
  /** The log's own file. What is in it can be spared: one of another schema, or a broken one, is begun anew. */
  file: string
  /** The file of the data, which is only read. */
  data: string
  schema: readonly string[]
}

export interface Question {
  kind: 'rows' | 'run'
  text: string
  values: readonly (Value | Uint8Array<ArrayBuffer>)[]
}

const MOST_WAITING = 64

function sqliteThread(files: Files): ActivityStore {
  const thread = openThread<Question>(new URL('./sqlite/activity-thread.js', import.meta.url), files)

  // What is written is bounded by who writes it; what people search is bounded here, and refused rather than queued.
  const ask = (kind: Question['kind'], most: number) => async (text: string, values: Question['values']) => {
    if (thread.waiting >= most) throw new StoreUnavailable('the log is asked too much')
    const bytes = values.filter((value) => value instanceof Uint8Array)
    try {
      return await thread.ask(
        { kind, text, values },
        bytes.map(({ buffer }) => buffer),
      )
    } catch (error) {
      throw new StoreUnavailable((error as Error).message, { cause: error }) // whatever it is, requests go on without the log
    }
  }

  const run = ask('run', Number.POSITIVE_INFINITY)
  return {
    dialect: sqliteDialect,
    rows: ask('rows', MOST_WAITING),
    run,
    put: (text, json) => run(text, [json]),
    close: thread.close,
  }
}
