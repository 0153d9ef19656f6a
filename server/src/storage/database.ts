import type { Dialect } from './dialect.ts'
import type { Collector, NewEvent, PublishedListener, Source } from './feed/new-event.ts'

/** The values of a column on both engines: bigint, text, null. */
export type Value = string | number | null

/** Plain SQL with `?` for each value. Writes of one row name their columns (rows.ts). */
export interface Queries {
  readonly dialect: Dialect
  /** In a transaction, once the key ring was opened: what chains the audit log (directory/audit.ts). */
  readonly auditKey?: Buffer
  rows<Row>(text: string, values: readonly Value[]): Promise<Row[]>
  /** The first column of the one row that there may be. */
  text(text: string, values: readonly Value[]): Promise<string | undefined>
  /** The first column of each row: how stored bodies are read, with no object made for a row. */
  texts(text: string, values: readonly Value[]): Promise<string[]>
  /** How many rows were changed. */
  run(text: string, values: readonly Value[]): Promise<number>
}

/**
 * What a database is opened for. It sets the timeouts: short for requests, longer for searches of the request log, none for commands.
 * `patient` is `request` with long timeouts, for tests on a busy machine.
 */
export type ConnectionUse = 'request' | 'patient' | 'activity' | 'command'

/** What a transaction can do. */
export interface Transaction extends Queries {
  /**
   * A write whose outcome nobody reads: PostgreSQL does it with the next statement, or with the commit, which then fails where it is
   * refused. So it costs no round trip, and no time in which its transaction holds locks.
   */
  later(text: string, values: readonly Value[]): Promise<void>
  /** E10: the event is appended to the brand's feed when the transaction commits, and not otherwise. */
  publish(event: NewEvent): void
  /** Events that are merged as published ones are; who collects them publishes them, or not. */
  collector(): Collector
}

/** When a request must have its response, on the clock of performance.now(). Set into the past once the request has been answered. */
export interface Deadline {
  expiresAt: number
  /** A commit for this request has started: from then on no response may claim that the change was not made. */
  committing?: boolean
}

/** Once the deadline has passed, nothing may be begun or committed for the request. */
export const isOver = (deadline: Deadline | undefined): boolean =>
  deadline !== undefined && performance.now() > deadline.expiresAt

export interface Database extends Queries {
  /**
   * PostgreSQL: a separate connection, so that readiness and directory queries never queue behind requests. SQLite: the same reader.
   */
  readonly unqueued: Pick<Queries, 'rows' | 'run'>
  /**
   * The rows of a query whose cost grows with what a brand has in a table: a filter, a sort, a count. Brands take turns, and it holds
   * neither the event loop nor every connection. The text has the dialect's checkpoint in its conditions. Without a table it is
   * a query of bounded cost that is asked again and again: a chunk of something long.
   */
  scan<Row>(brand_id: number, table: string | undefined, text: string, values: readonly Value[]): Promise<Row[]>
  /** Runs a long read that is made in pieces: one at a time per brand, and brands take turns. */
  inTurn<Result>(brand_id: number, work: () => Promise<Result>): Promise<Result>
  /** The rows of one large query as arrays, a batch at a time; between two batches everybody else gets a turn. Brands take turns. */
  batches<Row extends readonly Value[]>(brand_id: number, text: string, values: readonly Value[]): AsyncIterable<Row[]>
  /**
   * All or nothing, durable when it resolves. `work` asks `tx` only and awaits nothing but its answers. Its events have this source, by
   * default `system`.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>, source?: Source): Promise<Result>
  /** Calls back after each commit of this process that published events; returns how to stop. */
  onPublished(listener: PublishedListener): () => void
  /** Runs statements that must not share a transaction with anything else, one migration at a time. */
  migrate<Result>(work: (tx: Queries) => Promise<Result>): Promise<Result>
  /** Calls back soon after any process may have committed a change to the directory; returns how to stop. */
  watch(changed: () => void): () => void
  ping(): Promise<void>
  /** Lets the reads that `work` begins share one transaction: to begin and end one takes as long as a small read. */
  readonly readTogether?: (work: () => void) => void
  /** Runs `work` under a deadline, which all calls that it makes share. */
  readonly withDeadline: <Result>(deadline: Deadline, work: () => Result) => Result
  /** How many connections are in which state, and how many calls wait for one; absent where there is no pool. */
  readonly connections?: () => { busy: number; idle: number; waiting: number }
  /**
   * Overwrites what deleted text left in the file and in its log; false where a reader kept it from ending. Absent where the server
   * of the database does it by itself.
   */
  readonly scrub?: () => Promise<boolean>
  /** A consistent copy in a file, checked and on the disk, made while others read and write. `signal` stops it. */
  backup(file: string, progress?: (done: number, total: number) => void, signal?: AbortSignal): Promise<Copied>
  close(): Promise<void>
}

export interface Copied {
  /** When it was made: it holds what was committed by then. */
  readonly at: string
  readonly bytes: number
}

/** A unique index refused a row; `constraint` is the index name from the migration. */
export class UniqueViolation extends Error {
  readonly constraint: string

  constructor(constraint: string) {
    super(`unique index ${constraint} refused a row`)
    this.constraint = constraint
  }
}

/** A row points at one that does not exist, or one that others point at was to go. */
export class ReferenceViolation extends Error {}

/** The store cannot be reached, is locked by another for too long, or missed its deadline. */
export class StoreUnavailable extends Error {}

/** The connection broke while a commit was on its way: the change may or may not have been made. */
export class OutcomeUnknown extends Error {}

export class StoreFull extends Error {}

/** A database that cannot be used as it is; the message says what to do. */
export class UnusableDatabase extends Error {}
