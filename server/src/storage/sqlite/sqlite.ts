import { AsyncLocalStorage } from 'node:async_hooks'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  type ConnectionUse,
  type Database,
  type Deadline,
  type Queries,
  ReferenceViolation,
  StoreFull,
  StoreUnavailable,
  UniqueViolation,
  UnusableDatabase,
  type Value,
} from '../database.ts'
import { sqliteDialect } from '../dialect.ts'
import { fairQueue, IN_TURN } from '../fair-queue.ts'
import type { MergeRules } from '../feed/new-event.ts'
import { StatementCache } from '../statement-cache.ts'
import { copyTo, readOnlyUri } from './backup/copy.ts'
import { ANSWER_MS, longReads, WAITING_EACH } from './long-reads.ts'
import { makeFile } from './make-file.js'
import { scrubFile } from './scrub.ts'
import { groupCommit, type Writer } from './sqlite-writer.ts'

const APPLICATION_ID = 0x436f6d70
const OPENING_MS = 5_000
const LOCK_WAIT_MS = { request: 2_500, patient: 60_000, command: 60_000 }
const WATCH_MS = 200
/** Above this, the read goes to the thread. 16 requests per tick × 500 rows × 5 µs = 40 ms. */
const MAX_ROWS_ON_EVENT_LOOP = 500
const ROWS_OF_BRAND = 'select value from counters where brand_id = ? and name = ?'

/** The embedded engine: one connection writes, one reads, one reads what takes long; all belong to this process. */
export function openSqlite(folder: string, use: Exclude<ConnectionUse, 'activity'>, rules: MergeRules): Database {
  const file = join(folder, 'comptoir.db')
  prepareFile(folder, file)
  const deadline = new AsyncLocalStorage<Deadline>()
  const writer = groupCommit(
    () => writerOn(connect(file, 4)),
    LOCK_WAIT_MS[use],
    () => deadline.getStore(),
    rules,
  )
  const [reader, longReader] = [connect(file, 4), connect(file, 1)]
  for (const connection of [reader, longReader]) connection.exec('pragma query_only = on')
  reader.function('within_deadline', () => 1) // a read of few rows is over before any deadline
  const reads = queries(reader)
  const long = longReads(file)
  const turns = fairQueue(IN_TURN)
  const prepared = statements(reader, false)
  const rowsOf = (brand_id: number, table: string) =>
    guard(() => Number(prepared(ROWS_OF_BRAND).get(brand_id, table)?.value ?? 0))

  return {
    ...reads,
    unqueued: reads,
    async scan<Row>(brand_id: number, table: string | undefined, text: string, values: readonly Value[]) {
      if (table !== undefined && rowsOf(brand_id, table) <= MAX_ROWS_ON_EVENT_LOOP) return reads.rows<Row>(text, values)
      const scanned = long.rows(brand_id, text, values)
      return (await scanned.catch((error) => Promise.reject(translated(error, file)))) as Row[]
    },
    inTurn: (brand_id, work) => turns(brand_id, ANSWER_MS, work),
    batches: batchedReads(longReader),
    transaction: writer.transaction,
    onPublished: writer.onPublished,
    migrate: writer.transaction,
    readTogether: sharedRead(reader),
    withDeadline: (expiry, work) => deadline.run(expiry, work),

    watch(changed) {
      const version = reader.prepare('pragma data_version')
      let seen = version.all()[0]?.data_version
      const timer = setInterval(() => {
        const now = version.all()[0]?.data_version
        if (now === seen) return
        seen = now
        changed()
      }, WATCH_MS)
      timer.unref()
      return () => clearInterval(timer)
    },

    async ping() {
      guard(() => reader.prepare('select 1').all())
    },

    scrub: () => scrubFile(file),

    async backup(target, progress, signal) {
      try {
        return await copyTo(file, target, { progress, signal })
      } catch (error) {
        throw translated(error, target)
      }
    },

    async close() {
      await long.close()
      longReader.close()
      reader.close()
      await writer.close()
    },
  }
}

/**
 * Lets `check` read the file of a folder, where there is one, before anything else is done there; refuses one that is not Comptoir's.
 * A file that was closed stays as it is, to the byte. One with a log beside it (-wal) is opened read-only: the last connection
 * that could write would move the log into the file when it closes.
 */
export async function inspectFolder(folder: string, check: (reads: Queries) => Promise<unknown>): Promise<void> {
  const file = join(folder, 'comptoir.db')
  if (!existsSync(file)) return
  const mode = existsSync(`${file}-wal`) ? 'ro' : 'rw'
  await inspect(file, `${pathToFileURL(file).href}?mode=${mode}`, check)
}

/** The same for a file that nobody has open. Nothing is made beside it. */
export const inspectFile = <Result>(file: string, check: (reads: Queries) => Promise<Result>): Promise<Result> =>
  inspect(file, readOnlyUri(file), check)

async function inspect<Result>(file: string, uri: string, check: (reads: Queries) => Promise<Result>): Promise<Result> {
  const db = guard(() => new DatabaseSync(uri, { timeout: OPENING_MS }), file)
  try {
    // In this order: tables and application id are written in one transaction, so a file with tables also has its id.
    const isEmpty = guard(() => db.prepare('select 1 from sqlite_schema limit 1').all().length === 0, file)
    if (db.prepare('pragma application_id').all()[0]?.application_id !== APPLICATION_ID && !isEmpty)
      throw new UnusableDatabase(`${file} is a SQLite file, but not one of Comptoir's`)
    return await check(queries(db))
  } finally {
    db.close()
  }
}

/**
 * One `serve` for a data folder: two would each count their own limits. A file lock of SQLite's is used, because the operating
 * system frees it however the process dies; the process id beside it is only for people.
 */
export async function lockFolder(folder: string, waitMs = 10_000): Promise<() => void> {
  const file = join(folder, 'serve.lock')
  prepareFile(folder, file)
  const lock = new DatabaseSync(file, { timeout: 0 })
  const deadline = performance.now() + waitMs
  for (;;) {
    try {
      lock.exec('begin exclusive')
      break
    } catch (error) {
      const failure = translated(error, file)
      if (!(failure instanceof StoreUnavailable) || performance.now() > deadline) {
        lock.close()
        if (!(failure instanceof StoreUnavailable)) throw failure
        throw new UnusableDatabase(`The data folder ${folder} is already served by process ${holderOf(file)}`)
      }
    }
    await sleep(100)
  }
  writeFileSync(`${file}.pid`, `${process.pid}\n`)
  return () => lock.close()
}

function holderOf(file: string): string {
  try {
    return readFileSync(`${file}.pid`, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}

/** Existing files may be open in this process. They are changed by path only, because closing a descriptor would drop SQLite's locks. */
function prepareFile(folder: string, file: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (statSync(folder).uid === process.getuid?.()) chmodSync(folder, 0o700) // one that was there; another's is its owner's to keep
    makeFile(file)
    chmodSync(file, 0o600)
  } catch (error) {
    throw new UnusableDatabase(`The data folder ${folder} cannot be written: ${(error as Error).message}`)
  }
}

/** `cacheMiB` is the connection's own page cache; everything else is copied from the system's cache. */
function connect(file: string, cacheMiB: number): DatabaseSync {
  const present = `${pathToFileURL(file).href}?mode=rw` // it is never made here
  return guard(() => {
    // The timeout is for opening, when another process may be creating the file. Later nothing may block the event loop.
    const db = new DatabaseSync(present, { timeout: OPENING_MS, enableForeignKeyConstraints: true })
    // FULL: a commit is on the disk before it is acknowledged, also through a power cut.
    db.exec('pragma journal_mode = wal; pragma busy_timeout = 0')
    // secure_delete: text that is deleted or replaced is overwritten in the file. It costs nothing that can be measured.
    db.exec(
      `pragma synchronous = full; pragma trusted_schema = off; pragma cache_size = ${cacheMiB * -1024}; pragma temp_store = memory; pragma secure_delete = on`,
    )
    db.enableDefensive(true)
    return db
  }, file)
}

/** Runs a call of the driver and turns its failures into the storage's own. */
function guard<Result>(call: () => Result, file = 'the database file'): Result {
  try {
    return call()
  } catch (error) {
    throw translated(error, file)
  }
}

export function translated(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error
  switch (Number(error.errcode) & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return new StoreUnavailable('the database is locked by another process', { cause: error })
    case 9: // SQLITE_INTERRUPT
      return new StoreUnavailable('a read missed its deadline', { cause: error })
    case 10: // SQLITE_IOERR
      return new StoreUnavailable(`${file} could not be read or written`, { cause: error })
    case 13: // SQLITE_FULL
      return new StoreFull('the disk is full', { cause: error })
    case 8: // SQLITE_READONLY
    case 14: // SQLITE_CANTOPEN
      return new UnusableDatabase(`${file} cannot be opened for writing`)
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return new UnusableDatabase(`${file} is not a valid SQLite file`)
    case 19: // SQLITE_CONSTRAINT
      return violation(error)
    default:
      return error
  }
}

// SQLite names the columns, "customers.brand_id, customers.phone_key"; our unique indexes are named table_column after the last.
function violation(error: Error): Error {
  const columns = error.message.match(/^UNIQUE constraint failed: (.*)$/)?.[1]
  if (columns) return new UniqueViolation(columns.slice(columns.lastIndexOf(' ') + 1).replace('.', '_'))
  return error.message.startsWith('FOREIGN KEY')
    ? new ReferenceViolation('a row points at one that does not exist', { cause: error })
    : error
}

function queries(db: DatabaseSync): Queries {
  const asObjects = statements(db, false)
  const asArrays = statements(db, true)
  return {
    dialect: sqliteDialect,
    async rows<Row>(text: string, values: readonly Value[]) {
      return guard(() => asObjects(text).all(...values)) as Row[]
    },
    async text(text, values) {
      return (guard(() => asArrays(text).get(...values)) as [string] | undefined)?.[0]
    },
    async texts(text, values) {
      const rows = guard(() => asArrays(text).all(...values)) as unknown as [string][]
      const texts = new Array<string>(rows.length)
      for (let i = 0; i < rows.length; i++) texts[i] = rows[i]![0]
      return texts
    },
    async run(text, values) {
      return guard(() => Number(asObjects(text).run(...values).changes))
    },
  }
}

const writerOn = (db: DatabaseSync): Writer => ({
  tx: queries(db),
  exec: (text) => guard(() => db.exec(text)),
  isOpen: () => db.isOpen,
  isInTransaction: () => db.isTransaction,
  close: () => db.close(),
})

/** Reads are made at once, so all that `work` asks for is read when it returns. */
function sharedRead(db: DatabaseSync): NonNullable<Database['readTogether']> {
  const [begin, commit] = [db.prepare('begin'), db.prepare('commit')]
  return (work) => {
    if (db.isTransaction) db.exec('rollback') // one whose end failed: it would show what was there then
    guard(() => begin.run())
    try {
      work()
    } finally {
      if (db.isTransaction) commit.run() // a read that failed may have ended it
    }
  }
}

const ROWS_PER_TICK = 250

/**
 * Implements `Database.batches` on the event loop: 250 rows per tick, one read at a time, brands round-robin. Has its own connection,
 * because an open statement pins its snapshot.
 */
function batchedReads(db: DatabaseSync): Database['batches'] {
  const asArrays = statements(db, true)
  const queue = fairQueue({ running: 1, runningEach: 1, waitingEach: WAITING_EACH })
  return async function* <Row>(brand_id: number, text: string, values: readonly Value[]) {
    const { promise: done, resolve: leave } = Promise.withResolvers<void>()
    await new Promise<void>((begin, refuse) => {
      const running = () => {
        begin()
        return done
      }
      queue(brand_id, ANSWER_MS, running).catch(refuse)
    })
    try {
      let batch: Row[] = []
      for (const row of asArrays(text).iterate(...values)) {
        if (batch.push(row as Row) < ROWS_PER_TICK) continue
        yield batch
        batch = []
        await nextTurn()
      }
      yield batch
    } catch (error) {
      throw translated(error, 'the database file')
    } finally {
      leave()
    }
  }
}

function statements(db: DatabaseSync, arrays: boolean): (text: string) => StatementSync {
  const prepared = new StatementCache<StatementSync>()
  return (text) => {
    let statement = prepared.get(text)
    if (statement === undefined) {
      statement = db.prepare(text)
      statement.setReturnArrays(arrays)
      prepared.add(text, statement)
    }
    return statement
  }
}
