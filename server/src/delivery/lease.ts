import type { Database, Queries } from '../storage/database.ts'

// W24: what a sender works on is claimed for some time of the database's clock, with a term that each claim raises. What the holder of an
// older term writes hits no row, however long it stood still.

export const LEASE_MS = 30_000
/** Well before the time from which nothing may be started any more. */
export const RENEW_MS = 7_000
/** With less than this left no request is started, so that it ends before the lease does. */
const MIN_LEFT_MS = 20_000

/** Tables whose rows have term, lease_holder and lease_until. */
export type LeasedTable = 'webhook_endpoints' | 'book_checks' | 'print_queues'

/** Print queues have the ids of their printers, everything else texts. */
const ID_TYPE: Readonly<Record<LeasedTable, string>> = {
  webhook_endpoints: 'text',
  book_checks: 'text',
  print_queues: 'bigint',
}

export interface Leased {
  readonly brand_id: number
  readonly id: string
}

export interface Lease extends Leased {
  readonly term: number
  /** Time on our monotonic clock just before the lease was claimed. */
  since: number
}

/** Whether a request may be started under a lease. */
export const mayStart = ({ since }: Lease) => LEASE_MS - (performance.now() - since) >= MIN_LEFT_MS

/** Leases on the rows of a table that has term, lease_holder and lease_until. */
export function leases(db: Database, table: LeasedTable, holder: string, leaseMs = LEASE_MS) {
  const clock = db.dialect.clockMs
  return {
    /** A condition on rows that nobody holds. */
    free: `lease_until < ${clock}`,

    async claim({ brand_id, id }: Leased): Promise<Lease | undefined> {
      const since = performance.now()
      const [row] = await db.transaction((tx) =>
        tx.rows<{ term: number }>(
          `update ${table} set term = term + 1, lease_holder = ?, lease_until = ${clock} + ${leaseMs}
           where brand_id = ? and id = ? and lease_until < ${clock} returning term`,
          [holder, brand_id, id],
        ),
      )
      return row && { brand_id, id, term: row.term, since }
    },

    /** Renews those of the given ones that are still held, and returns their keys. What the holder dropped runs out. */
    async renew(held: readonly Lease[]): Promise<ReadonlySet<string>> {
      const rows = await db.transaction((tx) =>
        tx.rows<Leased>(
          `update ${table} set lease_until = ${clock} + ${leaseMs}
           where lease_holder = ? and lease_until >= ${clock} and (brand_id, id, term) in (
             select cast(value ->> 0 as bigint), cast(value ->> 1 as ${ID_TYPE[table]}), cast(value ->> 2 as bigint) from ${db.dialect.elements}
           ) returning brand_id, id`,
          [holder, JSON.stringify(held.map(({ brand_id, id, term }) => [brand_id, id, term]))],
        ),
      )
      return new Set(rows.map(leaseKey))
    },

    async release({ brand_id, id, term }: Omit<Lease, 'since'>): Promise<void> {
      await db.transaction((tx) =>
        tx.run(`update ${table} set lease_holder = null, lease_until = 0 where brand_id = ? and id = ? and term = ?`, [
          brand_id,
          id,
          term,
        ]),
      )
    },
  }
}

export const leaseKey = ({ brand_id, id }: Leased) => `${brand_id} ${id}`

/** Where one process alone serves a database, what is leased when it starts was left by one that is gone. */
export async function freeLeft(db: Database, table: LeasedTable): Promise<void> {
  if (db.dialect.tryLock !== undefined) return
  await db.transaction((tx) =>
    tx.run(`update ${table} set term = term + 1, lease_holder = null, lease_until = 0 where lease_until > 0`, []),
  )
}

/** Takes a row out of the hands of its holder, as a change does after which nothing that it knows is true. */
export const fence = (tx: Queries, table: LeasedTable, { brand_id, id }: Leased) =>
  tx.run(`update ${table} set term = term + 1, lease_holder = null, lease_until = 0 where brand_id = ? and id = ?`, [
    brand_id,
    id,
  ])
