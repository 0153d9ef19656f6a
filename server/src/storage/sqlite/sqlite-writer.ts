import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Deadline, isOver, OutcomeUnknown, type Queries, StoreUnavailable } from '../database.ts'

const BATCH = 256 // requests that share one commit at the most
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
  work: (tx: Queries) => Promise<unknown>
  resolve: (result: never) => void
  reject: (error: unknown) => void
  /** By when it must have begun, on the clock of performance.now(). */
  until: number
  /** That of its request. */
  deadline: Deadline | undefined
  outcome?: { result: unknown } | { error: unknown }
}

/**
 * Transactions that are asked for in one turn of the event loop share one commit, each in a savepoint of its own. None is
 * acknowledged before that commit is on the disk; one that fails takes nothing but itself back. Each waits for the lock of the file
 * for so long, counted from when it was asked for, whatever those before it waited; one that was given up, or whose request was
 * answered by then, is not begun.
 */
export function groupCommit(
  open: () => Writer,
  lockWaitMs: number,
  deadlineNow: () => Deadline | undefined,
): Pick<Database, 'transaction' | 'close'> {
  let writer: Writer | undefined = open()
  let waiting: Job[] = []
  let busy = false

  // A closed one stays: whoever comes later is refused by it, and must not open the file again.
  async function close() {
    if (writer?.isOpen()) writer.close()
  }

  const mayNotBegin = (job: Job) => performance.now() > job.until || isOver(job.deadline)

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
      for (const job of jobs)
        job.outcome = mayNotBegin(job)
          ? { error: new StoreUnavailable('it waited too long for its turn') }
          : await inSavepoint(writer, job)
      commit(writer, jobs)
      for (const { outcome, resolve, reject } of jobs)
        'error' in outcome! ? reject(outcome.error) : resolve(outcome!.result as never)
    } catch (error) {
      if (error instanceof OutcomeUnknown) {
        // What the disk did not confirm it may or may not have: the next connection begins with what is in the file.
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
        const { over = [], still = [] } = Object.groupBy(waiting, (job) => (mayNotBegin(job) ? 'over' : 'still'))
        waiting = still
        for (const job of over) job.reject(error)
        if (still.length === 0) return false
      }
      await sleep(pause)
    }
  }

  return {
    close,
    transaction: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ work, resolve, reject, until: performance.now() + lockWaitMs, deadline: deadlineNow() })
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

async function inSavepoint(writer: Writer, { work }: Job): Promise<NonNullable<Job['outcome']>> {
  writer.exec('savepoint job')
  try {
    const result = await work(writer.tx)
    writer.exec('release job')
    return { result }
  } catch (error) {
    if (!writer.isOpen() || !writer.isInTransaction()) throw error // the engine took the whole transaction back, as it does when the disk is full
    writer.exec('rollback to job; release job')
    return { error }
  }
}
