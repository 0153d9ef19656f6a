import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'
import { type Queries, StoreUnavailable, type Value } from './database.ts'
import { sqliteDialect } from './dialect.ts'
import { knownMigrations } from './migrate.ts'

/**
 * The store beside the requests' own: it holds the request log, and answers what people search, which may take long. On PostgreSQL
 * it is a few connections of its own. On SQLite it is a thread with a file of its own, so that neither writing the log nor reading
 * it costs a request anything; the data's tables can be read there too.
 */
export interface Aside extends Pick<Queries, 'dialect' | 'rows' | 'run'> {
  /** Runs a statement whose one value is a JSON text in UTF-8. The bytes are given away. */
  put(text: string, json: Uint8Array<ArrayBuffer>): Promise<number>
  close(): Promise<void>
}

export async function openAside(config: Config): Promise<Aside> {
  if (config.DATABASE_URL !== undefined) {
    const db = await (await import('./postgres.ts')).openPostgres(config.DATABASE_URL, 'aside')
    // The log has a connection of its own, so that searches never keep it from being written.
    const { run } = db.apart
    const put: Aside['put'] = (text, json) =>
      run(text, [Buffer.from(json.buffer, json.byteOffset, json.length).toString()])
    return { dialect: db.dialect, rows: db.rows, run, put, close: db.close }
  }
  const schema = (await knownMigrations()).flatMap(({ aside }) => aside)
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
  id: number
  kind: 'rows' | 'run'
  text: string
  values: readonly (Value | Uint8Array<ArrayBuffer>)[]
}
export type Reply = { id: number; result: unknown } | { id: number; failure: string }

const MOST_WAITING = 64

function sqliteThread(files: Files): Aside {
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  let thread: Worker | undefined
  let asked = 0
  let closed = false

  function start(): Worker {
    const started = new Worker(new URL('./sqlite-thread.js', import.meta.url), {
      workerData: files,
      resourceLimits: { maxYoungGenerationSizeMb: 2 }, // it handles a few pieces of bytes a second
    })
    started.on('message', (reply: Reply) => {
      const asker = waiting.get(reply.id)!
      waiting.delete(reply.id)
      if (waiting.size === 0) started.unref()
      if ('failure' in reply) asker.reject(new StoreUnavailable(reply.failure))
      else asker.resolve(reply.result as never)
    })
    started.once('error', () => {}) // 'exit' follows
    started.once('exit', () => {
      thread = undefined // whoever asks next starts another
      for (const { reject } of waiting.values()) reject(new StoreUnavailable('the thread of the log ended'))
      waiting.clear()
    })
    return started
  }

  // What is written is bounded by who writes it; what people search is bounded here, and refused rather than queued.
  const ask = (kind: Question['kind'], most: number) => (text: string, values: Question['values']) =>
    new Promise<never>((resolve, reject) => {
      if (closed || waiting.size >= most) return reject(new StoreUnavailable('the log is closed, or asked too much'))
      thread ??= start()
      thread.ref() // a process does not end while somebody waits for an answer
      const question: Question = { id: ++asked, kind, text, values }
      waiting.set(question.id, { resolve, reject })
      thread.postMessage(
        question,
        values.filter((value) => value instanceof Uint8Array).map(({ buffer }) => buffer),
      )
    })

  const run = ask('run', Number.POSITIVE_INFINITY)
  return {
    dialect: sqliteDialect,
    rows: ask('rows', MOST_WAITING),
    run,
    put: (text, json) => run(text, [json]),
    async close() {
      closed = true
      await thread?.terminate()
    },
  }
}
