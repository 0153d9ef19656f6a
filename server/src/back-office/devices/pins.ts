import { createHmac, randomUUID } from 'node:crypto'
import type { KeyRing } from '../../directory/keys.ts'
import { pinRefused, pinWeak, tooManyAttempts } from '../../http/errors.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { insertRow, upsertRow } from '../../storage/rows.ts'
import { COST, type Cost, isPassword, passwordHash } from '../people/passwords.ts'

// T17: PINs. A PIN has few digits, so a stolen database must not tell it: what is stored is argon2id of an HMAC whose key is in the key
// ring. An attempt is counted before it is checked, under a lock of its person, so that attempts at once cannot outrun the delays.

/** Less than a password's: a till must not keep people waiting, and the key ring guards what is stored. */
const PIN_COST: Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const PIN = /^[0-9]{4,8}$/

const FREE = 3
const MAX_WAIT_MS = 300_000
const DAY_MS = 24 * 3_600_000
const MOST_IN_A_DAY = 20

interface StoredPin {
  readonly kid: string
  readonly hash: string
  readonly set_by: number | null
  readonly locked_at: string | null
  readonly set_at: string
}

/** Refuses one repeated digit, runs up or down, and what is no PIN. */
export function refuseWeakPin(pin: string): void {
  const steps = new Set([...pin].slice(1).map((digit, index) => (Number(digit) - Number(pin[index]) + 10) % 10))
  const isRun = steps.size === 1 && [0, 1, 9].includes([...steps][0]!)
  if (!PIN.test(pin) || isRun) throw pinWeak()
}

/** What is hashed: without the ring's key it tells nothing, and it is of one account alone. */
function keyed(ring: KeyRing, kid: string, account_id: number, pin: string): string | undefined {
  const key = ring.key(kid, 'pin')
  return key && createHmac('sha256', key).update(`${account_id}:${pin}`).digest('base64url')
}

/** Tests hash with a cost of their own, which is lower. */
const costOf = (cost: Cost) => (cost.memory < COST.memory ? cost : PIN_COST)

export async function pinHash(ring: KeyRing, account_id: number, pin: string, cost: Cost) {
  const kid = ring.newest(Date.now())
  return { kid, hash: await passwordHash(keyed(ring, kid, account_id, pin)!, costOf(cost)) }
}

/**
 * Sets a PIN that was hashed; what was wrong before is forgotten, and it is no longer locked. Sessions by the one before end, as those of
 * a password do.
 */
export async function storePin(
  tx: Queries,
  account_id: number,
  hashed: { kid: string; hash: string },
  { set_by, at }: { /** The user who chose it for somebody else. */ set_by: number | null; at: string },
): Promise<void> {
  await upsertRow(tx, 'pins', ['account_id'], {
    account_id,
    ...hashed,
    set_by,
    set_at: at,
    locked_at: null,
  })
  await tx.run('delete from pin_attempts where account_id = ?', [account_id])
  await tx.run('delete from sessions where account_id = ? and device_id is not null', [account_id])
}

const isUsable = (ring: KeyRing, pin: StoredPin | undefined): pin is StoredPin =>
  pin !== undefined && pin.locked_at === null && ring.accepts(pin.kid, 0) // a revoked key makes its PINs be set again

const findPin = async (db: Queries, account_id: number): Promise<StoredPin | undefined> =>
  (
    await db.rows<StoredPin>('select kid, hash, set_by, locked_at, set_at from pins where account_id = ?', [account_id])
  )[0]

interface Attempt {
  readonly db: Database
  readonly ring: KeyRing
  readonly account_id: number
  readonly device_id: string
  readonly now: number
}

/** Counts an attempt before it is checked, or says how long to wait. Returns its number, and the PIN as it was before. */
function beginAttempt({
  db,
  account_id,
  device_id,
  now,
}: Attempt): Promise<{ id: string; stored: StoredPin | undefined }> {
  const at = new Date(now).toISOString()
  const dayAgo = new Date(now - DAY_MS).toISOString()
  return db.transaction(async (tx) => {
    await tx.run('update devices set name = name where id = ?', [device_id]) // one attempt of a device at a time, also about nobody
    await tx.run('update pins set locked_at = locked_at where account_id = ?', [account_id]) // and one about a person
    const stored = await findPin(tx, account_id)
    // Attempts about nobody (below 0) go together: an id that is named once would keep its own for good.
    await tx.run('delete from pin_attempts where (account_id = ? or account_id < 0) and at < ?', [account_id, dayAgo])
    const rows = await tx.rows<{ device_id: string; at: string; outcome: string }>(
      'select device_id, at, outcome from pin_attempts where account_id = ? and at <= ? order by at, id',
      [account_id, new Date(now + MAX_WAIT_MS).toISOString()], // a clock that was ahead locks nobody out for long
    )
    const here = rows.filter((row) => row.device_id === device_id)
    const wrong = here.slice(here.findLastIndex(({ outcome }) => outcome === 'right') + 1)
    const beyond = wrong.length - FREE
    if (beyond >= 0) {
      const delay = Math.min(1000 * 2 ** beyond, MAX_WAIT_MS)
      const wait = Math.min(Date.parse(wrong.at(-1)!.at), now) + delay - now
      if (wait > 0) throw tooManyAttempts(Math.ceil(wait / 1000))
    }
    if (rows.filter(({ outcome }) => outcome !== 'right').length + 1 >= MOST_IN_A_DAY)
      await tx.run('update pins set locked_at = ? where account_id = ? and locked_at is null', [at, account_id])
    const id = randomUUID()
    await insertRow(tx, 'pin_attempts', { id, account_id, device_id, at, outcome: 'wrong' })
    return { id, stored }
  })
}

/** Checks a PIN whose attempt was counted. Constant work: without a usable PIN as much is computed, and nothing matches. */
async function checkPin(
  { db, ring, account_id }: Attempt,
  { id, stored }: { id: string; stored: StoredPin | undefined },
  pin: string,
  cost: Cost,
): Promise<Proven> {
  const usable = isUsable(ring, stored) ? stored : undefined
  const message = keyed(ring, usable?.kid ?? ring.newest(Date.now()), account_id, pin) ?? pin
  if (!(await isPassword(usable?.hash ?? null, message, costOf(cost)))) throw pinRefused()
  await db.transaction(async (tx) => {
    await tx.run(`update pin_attempts set outcome = 'right' where id = ?`, [id])
    // The attempt that was counted as the last one may have locked it.
    await tx.run('update pins set locked_at = null where account_id = ? and set_at = ?', [account_id, usable!.set_at])
  })
  return { set_by: usable!.set_by, set_at: usable!.set_at }
}

/** What a right PIN says of itself. */
interface Proven {
  /** The user who chose it for them; they have to change it. */
  readonly set_by: number | null
  /** Which one it was: another may be set while it is checked. */
  readonly set_at: string
}

/** Refuses a PIN that was proven if another one was set since, and locks it. */
export async function refuseReplaced(tx: Queries, account_id: number, set_at: string): Promise<void> {
  const isCurrent = 'update pins set set_at = set_at where account_id = ? and set_at = ?'
  if ((await tx.run(isCurrent, [account_id, set_at])) === 0) throw pinRefused()
}

/** Proves a PIN at a device, or throws: the delays are those of this person at this device. */
export async function provePin(
  attempt: Attempt,
  pin: string,
  hashing: <Result>(work: (cost: Cost) => Promise<Result>) => Promise<Result>,
): Promise<Proven> {
  const begun = await beginAttempt(attempt)
  return hashing((cost) => checkPin(attempt, begun, pin, cost))
}
