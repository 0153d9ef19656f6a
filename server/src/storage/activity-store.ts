import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Queries, StoreUnavailable } from './database.ts'
import { sqliteDialect } from './dialect.ts'
import { knownMigrations } from './migrate.ts'
import type { ActivityFiles, ActivityQuestion } from './sqlite/questions.ts'
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
    const db = await (await import('./postgres/postgres.ts')).openPostgres(config.DATABASE_URL, 'activity', {})
    // The log has a connection of its own, so that searches never keep it from being written.
    const { run } = db.unqueued
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

const MAX_WAITING = 64

function sqliteThread(files: ActivityFiles): ActivityStore {
  const thread = openThread<ActivityQuestion>(new URL('./sqlite/activity-thread.js', import.meta.url), files)

  // Writers limit their own queue. Searches are limited here, and refused rather than queued.
  const ask =
    (kind: ActivityQuestion['kind'], most: number) => async (text: string, values: ActivityQuestion['values']) => {
      if (thread.waiting >= most) throw new StoreUnavailable('too many searches of the request log')
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
    rows: ask('rows', MAX_WAITING),
    run,
    put: (text, json) => run(text, [json]),
    close: thread.close,
  }
}
