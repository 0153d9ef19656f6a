import pg from 'pg'
import { ReferenceViolation, StoreFull, StoreUnavailable, UniqueViolation } from '../database.ts'

/** The engine chose this transaction to break a deadlock: nothing was done, so it can be done again. */
export class Deadlocked extends Error {}

/** The storage's own error for one of the driver's. */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, constraint, table, column } = error as pg.DatabaseError
  switch (code) {
    case '23505':
      return new UniqueViolation(constraint ?? '')
    case '23502':
      return table === 'events' && column === 'position' ? new Error('the brand has no feed', { cause: error }) : error
    case '23503':
      return new ReferenceViolation('a row points at one that does not exist', { cause: error })
    case '40001':
    case '40P01':
      return new Deadlocked('the transaction was chosen to end a deadlock', { cause: error })
    case '53100':
      return new StoreFull('the disk of PostgreSQL is full', { cause: error })
    case '0A000':
      // "cached plan must not change result type": a newer version added a column. A new connection prepares its statements again.
      return new StoreUnavailable(`PostgreSQL has another schema now: ${error.message}`, { cause: error })
  }
  // 08: connection, 53: resources, 55P03: a lock, 25006: a standby that only reads, 57: shut down or cancelled; without a code: the socket, or our own deadline.
  if (code === undefined ? !(error instanceof RangeError) : /^(08|53|57)|^(55P03|25006)$|^E[A-Z]+$/.test(code))
    return new StoreUnavailable(`PostgreSQL did not answer: ${reason(error)}`, { cause: error })
  return error
}

export const reason = (error: unknown) =>
  error instanceof AggregateError ? String(error.errors[0]?.message) : (error as Error).message

/** The server answered that it could not, and that it goes on: nothing was committed. */
export const wasRefused = ({ cause }: StoreUnavailable) =>
  cause instanceof pg.DatabaseError && !/^(08|57P)/.test(cause.code ?? '08')
