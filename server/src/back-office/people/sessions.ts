import { signInRefused } from '../../http/errors.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { insertRow } from '../../storage/rows.ts'
import { places } from '../../storage/upsert.ts'
import { newToken, tokenHash } from './accounts.ts'

// Sessions of signed-in people: a random cookie; the database holds its hash.

const IDLE_MS = 30 * 60_000
const MAX_SESSION_MS = 12 * 3_600_000
const NOTED_MS = 60_000 // precision of seen_at, so that reading a page writes nothing most of the time

interface Session {
  hash: string
  account_id: number
  seen_at: string
  /** T18: the device at which it was opened by PIN. */
  device_id: string | null
}

/**
 * Opens a new session, always with a new cookie: one from before the sign-in proves nothing. Deletes sessions that have ended. `proven`
 * is the hash of the password that was checked: if it was replaced meanwhile, which ended all sessions, the sign-in is refused.
 */
export async function openSession(db: Database, account_id: number, now: number, proven?: string): Promise<string> {
  const token = newToken()
  const at = new Date(now).toISOString()
  await db.transaction(async (tx) => {
    // Locks the row that a password change updates first.
    const isCurrent = 'update accounts set password = password where id = ? and password = ?'
    if (proven !== undefined && (await tx.run(isCurrent, [account_id, proven])) === 0) throw signInRefused()
    await deleteEnded(tx, now)
    await insertRow(tx, 'sessions', { hash: tokenHash(token), account_id, created_at: at, seen_at: at })
    await noteOwner(tx, account_id, at)
  })
  return token
}

/** Sessions by PIN of a kitchen stay as long as a shift is, without a touch. */
const deleteEnded = (tx: Queries, now: number) =>
  tx.run('delete from sessions where (seen_at <= ? and device_id is null) or created_at <= ?', ended(now))

/**
 * T18: opens a session by PIN at a device, in the place of the one that was there. `isCurrent` refuses it where another PIN was set while
 * this one was checked, which ended all sessions by it.
 */
export async function openPinSession(
  db: Database,
  {
    account_id,
    device_id,
    isCurrent,
  }: { account_id: number; device_id: string; isCurrent: (tx: Queries) => Promise<void> },
  now: number,
  left: string | undefined,
): Promise<string> {
  const token = newToken()
  const at = new Date(now).toISOString()
  await db.transaction(async (tx) => {
    await isCurrent(tx)
    if (left !== undefined) await endSession(tx, tokenHash(left))
    await deleteEnded(tx, now)
    await insertRow(tx, 'sessions', { hash: tokenHash(token), account_id, device_id, created_at: at, seen_at: at })
    await noteOwner(tx, account_id, at)
  })
  return token
}

/** A session by PIN ends with its device, also where its terminal was switched off. */
const LIVE = `seen_at > case when exists (select 1 from devices where devices.id = device_id and used_for = 'kitchen')
    then '' else ? end and created_at > ?
    and (device_id is null or exists (select 1 from devices
      join terminals on terminals.brand_id = devices.brand_id and terminals.id = terminal_id
      where devices.id = device_id and revoked_at is null and terminals.status = 1))`

export async function findSession(db: Database, token: string, now: number): Promise<Session | undefined> {
  const [row] = await db.rows<Session>(
    `select hash, account_id, seen_at, device_id from sessions where hash = ? and ${LIVE}`,
    [tokenHash(token), ...ended(now)],
  )
  return row
}

const MAX_ASKED = 200

/** Returns those of `hashes` whose sessions have not ended. */
export async function findLiveSessions(
  db: Queries,
  hashes: ReadonlySet<string>,
  now: number,
): Promise<ReadonlySet<string>> {
  const live = new Set<string>()
  const all = [...hashes]
  for (let start = 0; start < all.length; start += MAX_ASKED) {
    const some = all.slice(start, start + MAX_ASKED)
    const rows = await db.texts(`select hash from sessions where hash in ${places(some)} and ${LIVE}`, [
      ...some,
      ...ended(now),
    ])
    for (const hash of rows) live.add(hash)
  }
  return live
}

/** Marks the session as in use, so that its idle time starts again. */
export async function noteSeen(db: Database, { hash, account_id, seen_at }: Session, now: number): Promise<void> {
  if (Date.parse(seen_at) > now - NOTED_MS) return
  const at = new Date(now).toISOString()
  await db.transaction(async (tx) => {
    await tx.run('update sessions set seen_at = ? where hash = ?', [at, hash])
    await noteOwner(tx, account_id, at)
  })
}

/** What staff see of it outlives the session. */
const noteOwner = (tx: Queries, account_id: number, at: string) =>
  tx.run('update accounts set seen_at = ? where id = ?', [at, account_id])

const ended = (now: number) => [now - IDLE_MS, now - MAX_SESSION_MS].map((ms) => new Date(ms).toISOString())

export const endSession = (tx: Queries, hash: string) => tx.run('delete from sessions where hash = ?', [hash])

export const endSessions = (tx: Queries, account_id: number) =>
  tx.run('delete from sessions where account_id = ?', [account_id])

/** The session's cookie, which scripts, other paths and other sites cannot read. */
export function sessionCookie(secure: boolean) {
  const name = secure ? '__Secure-sid' : 'sid'
  const attributes = `Path=/back-office; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  const value = new RegExp(`(?:^|; )${name}=([\\w-]{43})(?:;|$)`)
  return {
    read: (header: string | undefined) => value.exec(header ?? '')?.[1],
    set: (token: string) => `${name}=${token}; ${attributes}`,
    cleared: `${name}=; ${attributes}; Max-Age=0`,
  }
}
