import type { Lease } from '../../../delivery/lease.ts'
import type { Queries } from '../../../storage/database.ts'

// What is stored of the check of a brand's books that was asked for or runs. Its row is leased by the process that runs it.

export const CHECK_ID = 'books'

export interface Check {
  /** `waiting` until a process takes it. */
  readonly state: 'none' | 'waiting' | 'running'
  /** Pieces of the work, all of about the same size. */
  readonly done: number
  readonly total: number
  /** Whether the last one could not be finished. */
  readonly failed: boolean
}

const NEW = {
  asked_at: null,
  done: 0,
  total: 0,
  failed: 0,
  night: '',
  term: 0,
  lease_holder: null,
  lease_until: 0,
}
const COLUMNS = Object.keys(NEW)

const ensureRow = (tx: Queries, brand_id: number) =>
  tx.run(
    `insert into book_checks (brand_id, id, ${COLUMNS.join(', ')}) values (?, ?, ${COLUMNS.map(() => '?').join(', ')})
     on conflict (brand_id, id) do nothing`,
    [brand_id, CHECK_ID, ...Object.values(NEW)],
  )

/** Asks for a check, unless one is waited for or runs already. */
export async function askForCheck(tx: Queries, brand_id: number, now: string): Promise<void> {
  await ensureRow(tx, brand_id)
  await tx.run(
    `update book_checks set asked_at = ?, done = 0, total = 0, failed = 0 where brand_id = ? and id = ? and asked_at is null`,
    [now, brand_id, CHECK_ID],
  )
}

/** Asks for the check of a night, once for each day. */
export async function askForNight(tx: Queries, brand_id: number, night: string, now: string): Promise<void> {
  await ensureRow(tx, brand_id)
  const isFirst = await tx.run(`update book_checks set night = ? where brand_id = ? and id = ? and night < ?`, [
    night,
    brand_id,
    CHECK_ID,
    night,
  ])
  if (isFirst > 0) await askForCheck(tx, brand_id, now)
}

export async function findCheck(db: Queries & { dialect: { clockMs: string } }, brand_id: number): Promise<Check> {
  const [row] = await db.rows<{ asked_at: string | null; done: number; total: number; failed: number; held: number }>(
    `select asked_at, done, total, failed, case when lease_until >= ${db.dialect.clockMs} then 1 else 0 end as held
     from book_checks where brand_id = ? and id = ?`,
    [brand_id, CHECK_ID],
  )
  const { asked_at = null, done = 0, total = 0, failed = 0, held = 0 } = row ?? {}
  const state = asked_at === null ? 'none' : held === 1 ? 'running' : 'waiting'
  return { state, done, total, failed: failed === 1 }
}

type Held = Pick<Lease, 'brand_id' | 'id' | 'term'>
const OF_HOLDER = 'where brand_id = ? and id = ? and term = ?'
const holderOf = ({ brand_id, id, term }: Held) => [brand_id, id, term]

export const noteProgress = (tx: Queries, lease: Held, done: number, total: number) =>
  tx.run(`update book_checks set done = ?, total = ? ${OF_HOLDER}`, [done, total, ...holderOf(lease)])

/** Ends it, unless another process has taken it over meanwhile. */
export async function endCheck(tx: Queries, lease: Held, failed: boolean): Promise<boolean> {
  const ended = await tx.run(
    `update book_checks set asked_at = null, failed = ?, lease_holder = null, lease_until = 0 ${OF_HOLDER}`,
    [Number(failed), ...holderOf(lease)],
  )
  return ended === 1
}
