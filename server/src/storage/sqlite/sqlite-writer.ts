import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Database,
  type Deadline,
  isOver,
  OutcomeUnknown,
  type Queries,
  StoreUnavailable,
  type Transaction,
} from '../database.ts'
import { publishedListeners } from '../feed/append.ts'
import { collectEvents } from '../feed/collect.ts'
import type { MergeRules, Published, Source } from '../feed/new-event.ts'
import { type FeedBatch, feedBatch } from './feed-batch.ts'

const BATCH = 256 // at most this many requests share one commit
const PAUSE_MS = { first: 2, longest: 50 }

/** The connection that writes. Its failures are the storage's own. */
export interface Writer {
  readonly tx: Queries
  exec(text: string): void
  isOpen(): boolean
  isInTransaction(): boolean
  close(): void
}

interface Job {
  work: (tx: Transaction) => Promise<unknown>
  source: Source
  requestedAt: number
  resolve: (result: never) => void
  reject: (error: unknown) => void
  /** On the clock of performance.now(). */
  startBefore: number
  /** The deadline of its request. */
  deadline: Deadline | undefined
  outcome?: { result: unknown; published: readonly Published[] } | { error: unknown }
}

/**
 * Group commit: transactions requested in one tick of the event loop share one COMMIT, each in its own savepoint; one alone needs none.
 * None is acknowledged before that commit is on the disk. A failing transaction rolls back only its savepoint. Each may wait `lockWaitMs` for
 * the file lock, counted from its own request. A transaction past that time, or past its request's deadline, is rejected without
 * being started.
 */
export function groupCommit(
  open: () => Writer,
  lockWaitMs: number,
  deadlineNow: () => Deadline | undefined,
  rules: MergeRules,
): Pick<Database, 'transaction' | 'onPublished' | 'close'> {
  const { notify, onPublished } = publishedListeners()
  let writer: Writer | undefined = open()
  let waiting: Job[] = []
  let busy = false

  // Kept when closed, so that later calls are refused and do not open the file again.
  async function close() {
    if (writer?.isOpen()) writer.close()
  }

  const isExpired = (job: Job) => performance.now() > job.startBefore || isOver(job.deadline)

  async function drain() {
    busy = true
    while (waiting.length > 0) await commitTogether()
    busy = false
  }

  async function commitTogether() {
    let jobs: Job[] = []
    try {
      writer ??= open()
      if (!(await begin(writer))) return
      jobs = waiting.splice(0, BATCH)
      const feed = feedBatch(writer.tx, rules)
      for (const job of jobs)
        job.outcome = isExpired(job)
          ? { error: new StoreUnavailable('it waited too long for its turn') }
          : await outcomeOf(writer, job, { feed, rules, isAlone: jobs.length === 1 })
      await feed.append()
      if (writer.isInTransaction()) commit(writer, jobs) // one that was alone and failed has ended it
      for (const { outcome, resolve, reject } of jobs)
        if ('error' in outcome!) reject(outcome.error)
        else {
          notify(outcome!.published)
          resolve(outcome!.result as never)
        }
    } catch (error) {
      if (error instanceof OutcomeUnknown) {
        // The disk may or may not have what it did not confirm: a new connection reads what the file holds.
        await close()
        writer = undefined
      } else if (writer?.isOpen() && writer.isInTransaction()) writer.exec('rollback')
      if (jobs.length === 0) jobs = waiting.splice(0, BATCH) // the writer could not be had, or could not begin
      for (const job of jobs) job.reject(error)
    }
  }

  /** False where nobody waits any longer. Does not hold the event loop while it waits, which SQLite's own busy handler would. */
  async function begin({ exec }: Writer): Promise<boolean> {
    for (let pause = PAUSE_MS.first; ; pause = Math.min(pause * 2, PAUSE_MS.longest)) {
      try {
        exec('begin immediate')
        return true
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        const { over = [], still = [] } = Object.groupBy(waiting, (job) => (isExpired(job) ? 'over' : 'still'))
        waiting = still
        for (const job of over) job.reject(error)
        if (still.length === 0) return false
      }
      await sleep(pause)
    }
  }

  return {
    close,
    onPublished,
    transaction: (work, source = 'system') =>
      new Promise((resolve, reject) => {
        const requestedAt = performance.now()
        waiting.push({
          work,
          source,
          resolve,
          reject,
          requestedAt,
          startBefore: requestedAt + lockWaitMs,
          deadline: deadlineNow(),
        })
        if (!busy && waiting.length === 1) setImmediate(drain)
      }),
  }
}

/** A commit that the disk did not confirm is taken back here, yet after a crash it may be found in the log. */
function commit({ exec }: Writer, jobs: readonly Job[]): void {
  for (const { deadline, outcome } of jobs) if (deadline && 'result' in outcome!) deadline.committing = true
  try {
    exec('commit')
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    throw new OutcomeUnknown('the disk did not confirm the commit', { cause: error })
  }
}

interface Around {
  readonly feed: FeedBatch
  readonly rules: MergeRules
  /** Whether it has the transaction to itself. */
  readonly isAlone: boolean
}

/**
 * Does the work of one job. Inside a savepoint SQLite keeps every page that was changed in a list, and walks it after each statement
 * that could fail: a transaction of a hundred thousand statements, as an import or a day of the demo, took five times as long.
 */
async function outcomeOf(
  writer: Writer,
  { work, source, requestedAt }: Job,
  { feed, rules, isAlone }: Around,
): Promise<NonNullable<Job['outcome']>> {
  if (!isAlone) writer.exec('savepoint job')
  const later: Transaction['later'] = async (text, values) => void (await writer.tx.run(text, values))
  const waitedMs = performance.now() - requestedAt // for the write lock of the file, which is every feed's
  const collector = () => collectEvents(rules)
  const collected = collector()
  try {
    const result = await work({ ...writer.tx, later, publish: collected.add, collector })
    const placed = collected.size === 0 ? undefined : await feed.place(collected.events(), source, waitedMs)
    if (!isAlone) writer.exec('release job')
    if (placed) feed.keep(placed)
    return { result, published: placed?.published ?? [] }
  } catch (error) {
    if (!writer.isOpen() || !writer.isInTransaction()) throw error // the engine took the whole transaction back, as it does when the disk is full
    writer.exec(isAlone ? 'rollback' : 'rollback to job; release job')
    return { error }
  }
}
