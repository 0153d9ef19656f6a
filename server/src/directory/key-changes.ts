import { type Database, OutcomeUnknown, type Queries } from '../storage/database.ts'
import { type Change, lockDirectory, record } from './audit.ts'
import { type KeyFile, loadRing, newKey, noteRevoked, replaceRing } from './keys.ts'
import { Rejected } from './registry.ts'

// Changes to the key ring. The file and its audit row change together, or neither does.

interface Rotated {
  kid: string
  /** When it begins to sign. */
  signs_from: string
}

/** Adds a key, which soon signs; the older ones go on verifying what they signed before. */
export function rotateKeys(db: Database, file: string, actor: string): Promise<Rotated> {
  return changeRing(db, file, actor, async (ring) => {
    const { kid, signs_from } = added(ring)
    return { result: { kid, signs_from }, action: 'keys.rotate', subject: kid, after: { kid, signs_from } }
  })
}

interface Revoked {
  kid: string
  /** The key that signs in its place, made for that where none was there. */
  replacement: string | null
  /** Credentials whose secrets are stored under the key: they work on. */
  credentials: number
}

/** Ends every token that a key signed. A key that signs, or was about to, is replaced in the same step: signing in goes on. */
export function revokeKey(db: Database, file: string, actor: string, kid: string): Promise<Revoked> {
  return changeRing(db, file, actor, async (ring, tx) => {
    const index = ring.keys.findIndex((key) => key.kid === kid)
    const key = ring.keys[index]
    if (!key) throw new Rejected(`The key ring has no key "${kid}": comptoir keys list names them`)
    if (key.revoked_at !== undefined) throw new Rejected(`Key "${kid}" is revoked already`)
    key.revoked_at = new Date().toISOString()
    await noteRevoked(tx, kid, key.revoked_at)
    const isReplaced = ring.keys.slice(index + 1).some(({ revoked_at }) => revoked_at === undefined)
    // At once, not after the time in which everybody reads it: until then nothing could be signed at all.
    const replacement = isReplaced ? null : added(ring, 0).kid
    const [stored] = await tx.rows<{ count: number }>(
      'select count(*) as count from credentials where secret_kid = ?',
      [kid],
    )
    return {
      result: { kid, replacement, credentials: stored!.count },
      action: 'keys.revoke',
      subject: kid,
      after: { kid, replacement },
    }
  })
}

function added(ring: KeyFile, delayMs?: number) {
  const key = newKey(delayMs)
  ring.keys.push(key)
  return { kid: key.kid, signs_from: key.signs_from }
}

type RingChange<Result> = Pick<Change, 'action' | 'subject' | 'after'> & { result: Result }

async function changeRing<Result>(
  db: Database,
  file: string,
  actor: string,
  change: (ring: KeyFile, tx: Queries) => Promise<RingChange<Result>>,
): Promise<Result> {
  let replaced: ReturnType<typeof replaceRing> | undefined
  try {
    const result = await db.transaction(async (tx) => {
      replaced?.undo() // the transaction is tried again after a deadlock
      replaced = undefined
      await lockDirectory(tx) // of two changes at once, the second builds on the first
      const ring = loadRing(file)
      const { result, ...rest } = await change(ring, tx)
      await record(tx, { actor, brand_id: null, before: undefined, ...rest })
      replaced = replaceRing(file, ring)
      return result
    })
    replaced!.keep()
    return result
  } catch (error) {
    // With an unknown outcome the change may be known to others: then the file must have it too.
    if (error instanceof OutcomeUnknown) replaced?.keep()
    else replaced?.undo()
    throw error
  }
}
