import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type ConnectionUse,
  type Database,
  type Deadline,
  OutcomeUnknown,
  StoreUnavailable,
  UnusableDatabase,
  type Value,
} from '../database.ts'
import { fairQueue, IN_TURN } from '../fair-queue.ts'
import { publishedListeners } from '../feed/append.ts'
import type { MergeRules } from '../feed/new-event.ts'
import { batchReads } from './batch-reads.ts'
import { Deadlocked, reason, translated } from './errors.ts'
import { type Answer, exchange, type Statement } from './exchange.ts'
import { prepared, queries } from './queries.ts'
import { shareReads } from './share-reads.ts'
import { inTransaction } from './transaction.ts'

const POOL = { request: 10, patient: 10, activity: 2, command: 10 }
const SCANS = { running: 8, runningEach: 4, waitingEach: 100 } // of the pool, so that short reads always find a connection
const SCAN_WAIT_MS = 2_500
const POLL_MS = 500 // behind LISTEN, whose connection can be away for a while
const TRIES = { request: 3, patient: 3, activity: 1, command: 1 } // an import has read its input by then, and could not do it again
const ROWS_A_TURN = 250
const LOCKS = 0x436f6d70 // ours among the advisory locks of a server

type Deadlines = Pick<pg.PoolConfig, 'connectionTimeoutMillis' | 'query_timeout' | 'statement_timeout' | 'lock_timeout'>

// A request's store calls end before its client gives up (503 within 4 s); an import or a migration may take its time.
const deadlines: Record<ConnectionUse, Deadlines> = {
  request: { connectionTimeoutMillis: 1_000, query_timeout: 2_500, statement_timeout: 2_500, lock_timeout: 1_000 },
  patient: { connectionTimeoutMillis: 30_000, query_timeout: 60_000, statement_timeout: 60_000, lock_timeout: 30_000 },
  activity: { connectionTimeoutMillis: 1_000, query_timeout: 15_000, statement_timeout: 15_000, lock_timeout: 1_000 },
  command: { connectionTimeoutMillis: 5_000, lock_timeout: 60_000 },
}

/** PostgreSQL 15 or newer. */
export async function openPostgres(url: string, use: ConnectionUse, rules: MergeRules): Promise<Database> {
  const options = { connectionString: url, ...deadlines[use], application_name: 'comptoir' }
  const [pool, one] = [poolOf(options, POOL[use]), poolOf(options, 1)]
  const deadline = new AsyncLocalStorage<Deadline>()
  const leftMs = () => (deadline.getStore()?.expiresAt ?? Number.POSITIVE_INFINITY) - performance.now()
  const timeMs = () => (leftMs() < (options.query_timeout ?? 0) ? Math.max(1, leftMs()) : 0)
  const lend = async <Result>(call: (client: pg.ClientBase, timeMs: number) => Promise<Result>): Promise<Result> => {
    // Waiting for a connection may take so long, and an answer after the deadline is of no use.
    if (leftMs() < options.connectionTimeoutMillis!)
      throw new StoreUnavailable('PostgreSQL was too slow for one request')
    return withClient(pool, (client) => call(client, timeMs()))
  }
  const ask = (statement: Statement) => lend((client, ms) => askOn(client, statement, ms))
  const arrays = async (text: string, values: Statement['values']) => (await ask({ ...prepared(text), values })).rows

  const { notify, onPublished } = publishedListeners()
  const transaction: Database['transaction'] = async (work, source = 'system') => {
    for (let attempt = 1; ; attempt++) {
      try {
        const { result, published } = await lend((client, ms) =>
          inTransaction(client, work, source, ms || options.query_timeout, deadline.getStore(), rules),
        )
        notify(published)
        return result
      } catch (error) {
        if (!(error instanceof Deadlocked)) throw error
        if (attempt === TRIES[use]) throw new StoreUnavailable(error.message, { cause: error })
      }
    }
  }

  const plain = queries(ask)
  const queued = fairQueue(SCANS)
  const turns = fairQueue(IN_TURN)
  const scanWaitMs = () => Math.max(0, Math.min(leftMs(), SCAN_WAIT_MS))
  const database: Database = {
    ...queries(shareReads(ask, deadline)),
    run: plain.run,
    text: batchReads(plain.text, arrays, deadline),
    unqueued: queries((statement) => withClient(one, (client) => askOn(client, statement, 0))),
    scan<Row>(brand_id: number, _table: string | undefined, text: string, values: readonly Value[]) {
      return queued(brand_id, scanWaitMs(), () => plain.rows<Row>(text, values))
    },
    inTurn: (brand_id, work) => turns(brand_id, scanWaitMs(), work),
    async *batches<Row>(brand_id: number, text: string, values: readonly Value[]) {
      const rows = (await queued(brand_id, scanWaitMs(), () => arrays(text, values))) as unknown as Row[] // the driver itself takes them a piece of the socket at a time
      for (let start = 0; start < rows.length; start += ROWS_A_TURN) {
        yield rows.slice(start, start + ROWS_A_TURN)
        await nextTurn()
      }
    },
    transaction,
    onPublished,
    migrate: (work) =>
      transaction(async (tx) => {
        await tx.rows('select pg_advisory_xact_lock(?, 0)', [LOCKS])
        return work(tx)
      }),
    watch: (changed) => listen(options, changed),
    async ping() {
      await database.unqueued.rows('select 1', [])
    },
    withDeadline: (expiry, work) => deadline.run(expiry, work),
    connections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async backup() {
      throw new UnusableDatabase('The data is in PostgreSQL: use pg_dump, which copies it while it is served')
    },
    async close() {
      await Promise.all([pool.end(), one.end()])
    },
  }
  try {
    const [version] = await database.rows<{ number: number }>(
      `select current_setting('server_version_num')::bigint as number`,
      [],
    )
    if (version!.number < 150_000) throw new UnusableDatabase('PostgreSQL 15 or newer is needed')
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

function poolOf(options: pg.PoolConfig, max: number): pg.Pool {
  const pool = new pg.Pool({ ...options, max, keepAlive: true })
  pool.on('error', () => {}) // an idle connection died; the next query opens another
  pool.on('connect', (client) => client.on('error', () => {})) // one that is lent out died; its query fails, not the process
  return pool
}

/** Lends a connection for one call; one that broke or missed its deadline is destroyed, never returned. */
async function withClient<Result>(pool: pg.Pool, call: (client: pg.ClientBase) => Promise<Result>): Promise<Result> {
  let client: pg.PoolClient
  try {
    client = await pool.connect()
  } catch (error) {
    throw new StoreUnavailable(`PostgreSQL cannot be reached: ${reason(error)}`, { cause: error })
  }
  let broken = false
  try {
    return await call(client)
  } catch (error) {
    broken = error instanceof StoreUnavailable || error instanceof OutcomeUnknown
    throw error
  } finally {
    client.release(broken)
  }
}

async function askOn(client: pg.ClientBase, statement: Statement, timeMs: number): Promise<Answer> {
  try {
    return (await exchange(client, [statement], timeMs))[0]!
  } catch (error) {
    throw translated(error)
  }
}

/** LISTEN on a connection of its own, opened again whenever it breaks; a poll covers the time between. */
function listen(options: pg.ClientConfig, changed: () => void): () => void {
  let stopped = false
  let client: pg.Client | undefined

  async function keepListening() {
    while (!stopped) {
      client = new pg.Client({ ...options, query_timeout: 0, statement_timeout: 0, keepAlive: true } as pg.ClientConfig)
      client.on('error', () => {}) // 'end' follows
      client.on('notification', changed)
      const ended = once(client, 'end')
      ended.catch(() => {}) // where it breaks before anybody waits for it
      try {
        await client.connect()
        await client.query({ text: 'listen comptoir_directory', query_timeout: 2_500 } as pg.QueryConfig)
        changed() // whatever was said while nobody listened
        await ended
      } catch {
        await client.end().catch(() => {})
      }
      await sleep(POLL_MS, undefined, { ref: false })
    }
  }

  keepListening()
  const poll = setInterval(changed, POLL_MS)
  poll.unref()
  return () => {
    stopped = true
    clearInterval(poll)
    client?.end().catch(() => {})
  }
}

/**
 * One server on a database without Redis, or any number with it: an advisory lock, held alone or shared, which PostgreSQL frees when the
 * connection ends. Should the connection break, it is taken again at once; a server that then finds the other kind has no business
 * going on.
 */
export async function lockServer(url: string, kind: 'alone' | 'shared', waitMs = 10_000): Promise<() => void> {
  const take = `select pg_try_advisory_lock${kind === 'shared' ? '_shared' : ''}($1, 1) as held`
  let released = false
  let release = () => {}

  async function hold(deadline: number): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: `comptoir server ${process.pid}`,
      keepAlive: true,
      ...deadlines.command,
      query_timeout: LOCK_ANSWER_MS,
    })
    client.on('error', () => {}) // 'end' follows
    await client.connect().catch((error) => Promise.reject(translated(error)))
    while (!(await client.query(take, [LOCKS])).rows[0].held) {
      if (performance.now() > deadline) {
        const holder = await client.query(HOLDER, [LOCKS])
        await client.end()
        throw alreadyServed(kind, holder.rows[0]?.name ?? 'another process')
      }
      await sleep(250)
    }
    // A connection that died unnoticed would keep nobody away.
    const probe = setInterval(() => client.query('select 1').catch(() => client.end()), LOCK_ANSWER_MS).unref()
    release = () => void client.end().catch(() => {})
    client.once('end', () => {
      clearInterval(probe)
      if (!released) retake()
    })
    if (released) release()
  }

  function retake(): void {
    hold(performance.now() + waitMs).catch(async (error) => {
      if (error instanceof UnusableDatabase) {
        process.stderr.write(`comptoir: ${error.message}\n`)
        process.exit(1)
      }
      await sleep(POLL_MS)
      if (!released) retake()
    })
  }

  await hold(performance.now() + waitMs)
  return () => {
    released = true
    release()
  }
}

const LOCK_ANSWER_MS = 5_000
const HOLDER = `
  select application_name as name from pg_stat_activity join pg_locks using (pid)
  where locktype = 'advisory' and classid = $1 and objid = 1 and granted`

const alreadyServed = (kind: 'alone' | 'shared', holder: string) =>
  new UnusableDatabase(
    `The database is already served by "${holder}"${kind === 'alone' ? '' : ', which counts its limits alone'}: set REDIS_URL for more than one`,
  )
