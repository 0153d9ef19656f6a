import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Database, type Queries, UnusableDatabase } from '../storage/database.ts'
import { addAuditKeyToTransactions } from './audit.ts'

interface StoredKey {
  kid: string
  created_at: string
  secret: string
  /** When it begins to sign. */
  signs_from: string
  /** Tokens that it signed are refused. The stored secrets, which it guards too, stay readable. */
  revoked_at?: string
}

export interface KeyFile {
  id: string
  keys: StoredKey[]
}

/** Uses of a key; each has a key of its own, derived from the ring's. */
const PURPOSES = ['token', 'secret-hash', 'secret-cipher', 'audit', 'pin'] as const
type Purpose = (typeof PURPOSES)[number]

export interface KeyRing {
  /** The key that signs and seals: the newest one that every process has had time to read. */
  newest(now: number): string
  /** Undefined when the ring does not hold that key. */
  key(kid: string, purpose: Purpose): Buffer | undefined
  /** Whether a token that this key signed at `iat` (epoch seconds) is good: the key was not replaced by then, nor revoked since. */
  accepts(kid: string, iat: number): boolean
  /** Hashes the rows of the audit log. */
  readonly audit: Buffer
  /** Reads the file and the revocations again, after a change. */
  reload(): Promise<void>
}

// A new key is read by the other processes within a second; until they all know it, it signs nothing.
const KEY_ACTIVATION_DELAY_MS = 5_000
const REREAD_MS = 1_000

const signsFrom = ({ signs_from }: StoredKey) => Date.parse(signs_from)

/** Opens the ring that belongs to this database, or makes both belong together on the first start. */
export async function openKeyRing(db: Database, file: string): Promise<KeyRing> {
  const known = await ringIdOf(db)
  const ring = known === undefined ? loadOrCreate(file) : load(file)
  if (ring === undefined)
    throw new UnusableDatabase(
      `The key ring ${file} is missing and the database was made with one: restore it, or name it in COMPTOIR_KEYS`,
    )
  if (known === undefined)
    await db.transaction((tx) =>
      tx.run(`insert into settings (name, value) values ('key_ring', ?) on conflict (name) do nothing`, [ring.id]),
    )
  if ((await ringIdOf(db)) !== ring.id)
    throw new UnusableDatabase(
      `The key ring ${file} does not fit this database: its secrets were made with another one`,
    )
  // Always the first key's: it is never removed from the ring, so that the whole log can be verified after any rotation.
  const key = derivedKeys(ring.keys).get(`audit ${ring.keys[0]!.kid}`)!
  addAuditKeyToTransactions(db, key)
  return keyRing(db, file, ring, await revokedIn(db), key)
}

const ringIdOf = (db: Database) => db.text(`select value from settings where name = 'key_ring'`, [])

const REVOKED = 'revoked_key:'

// The database repeats what the file says, so that a revocation reaches servers to which the file was not copied yet.
async function revokedIn(db: Database): Promise<Set<string>> {
  const names = await db.texts(`select name from settings where name like '${REVOKED}%'`, [])
  return new Set(names.map((name) => name.slice(REVOKED.length)))
}

export const noteRevoked = (tx: Queries, kid: string, instant: string) =>
  tx.run('insert into settings (name, value) values (?, ?) on conflict (name) do nothing', [REVOKED + kid, instant])

function keyRing(db: Database, file: string, first: KeyFile, revokedAtFirst: Set<string>, audit: Buffer): KeyRing {
  let keys = first.keys
  let revoked = revokedAtFirst
  let derived = derivedKeys(keys)
  let readAt = performance.now()

  function readFile() {
    readAt = performance.now()
    const ring = load(file)
    if (ring?.id !== first.id) return // half a copy from another machine: the loaded keys stay in use
    keys = ring.keys
    derived = derivedKeys(keys)
  }

  const isRevoked = ({ kid, revoked_at }: StoredKey) => revoked_at !== undefined || revoked.has(kid)

  return {
    newest: (now) => signingKey(keys, isRevoked, now).kid,
    key(kid, purpose) {
      const name = `${purpose} ${kid}`
      // The file may have an unknown key by now: other machines get its copy after they learn of the rotation.
      if (!derived.has(name) && performance.now() - readAt > REREAD_MS) readFile()
      return derived.get(name)
    },
    accepts(kid, iat) {
      const index = keys.findIndex((key) => key.kid === kid)
      if (index === -1 || isRevoked(keys[index]!)) return false
      const replacedAt = Math.min(...keys.slice(index + 1).map(signsFrom))
      return (iat - 1) * 1000 < replacedAt // `iat` is rounded up to a whole second
    },
    audit,
    async reload() {
      readFile()
      revoked = await revokedIn(db)
    },
  }
}

/** Never a key that was replaced, not even when its successor is revoked: tokens that it signs now would be refused. */
function signingKey(keys: readonly StoredKey[], isRevoked: (key: StoredKey) => boolean, now: number): StoredKey {
  const current = Math.max(
    0,
    keys.findLastIndex((key) => signsFrom(key) <= now),
  )
  return keys.slice(current).find((key) => !isRevoked(key)) ?? keys.at(-1)!
}

function derivedKeys(keys: KeyFile['keys']): Map<string, Buffer> {
  const derived = new Map<string, Buffer>()
  for (const { kid, secret } of keys)
    for (const purpose of PURPOSES)
      derived.set(
        `${purpose} ${kid}`,
        Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', `comptoir ${purpose}`, 32)),
      )
  return derived
}

export function loadRing(file: string): KeyFile {
  const ring = load(file)
  if (ring === undefined) throw new UnusableDatabase(`There is no key ring at ${file}`)
  return ring
}

/**
 * Replaces the file by another ring, and returns how to restore the old one, which works on a full disk: the old file was kept under a
 * second name. Whatever fails, no other copy of the keys is left.
 */
export function replaceRing(file: string, ring: KeyFile): { undo(): void; keep(): void } {
  const [temporary, old] = [`${file}.${process.pid}.new`, `${file}.${process.pid}.old`]
  const remove = (name: string) => rmSync(name, { force: true })
  remove(old) // left by a killed process with the same pid
  try {
    linkSync(file, old)
    writeFileSync(temporary, text(ring), { mode: 0o600, flush: true })
    renameSync(temporary, file)
  } catch (error) {
    remove(temporary)
    remove(old)
    throw new UnusableDatabase(`The key ring ${file} cannot be written: ${(error as Error).message}`)
  }
  return { undo: () => renameSync(old, file), keep: () => remove(old) }
}

function load(file: string): KeyFile | undefined {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UnusableDatabase(`The key ring ${file} cannot be read: ${(error as Error).message}`)
  }
  const ring = parsed(content)
  if (!ring) throw new UnusableDatabase(`The key ring ${file} is not a key ring`)
  return ring
}

function parsed(content: string): KeyFile | undefined {
  try {
    const ring = JSON.parse(content) as KeyFile
    const sound = ring.keys.every(
      ({ kid, created_at, signs_from, secret }) =>
        kid && Date.parse(created_at) && Date.parse(signs_from) && /^[\w-]{43}$/.test(secret), // 32 bytes
    )
    return ring.id && ring.keys.length > 0 && sound ? ring : undefined
  } catch {
    return undefined
  }
}

// Written whole under another name, then linked: of several processes that start at once, one wins and the others read its file.
function loadOrCreate(file: string): KeyFile {
  const present = load(file)
  if (present) return present
  const temporary = `${file}.${process.pid}.new`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, text({ id: randomUUID(), keys: [newKey()] }), { mode: 0o600, flush: true })
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new UnusableDatabase(`The key ring ${file} cannot be written: ${(error as Error).message}`)
  } finally {
    rmSync(temporary, { force: true })
  }
  return load(file)!
}

export function newKey(delayMs = KEY_ACTIVATION_DELAY_MS): StoredKey {
  const now = Date.now()
  return {
    kid: randomBytes(6).toString('hex'), // on a command line a name that begins with a dash would be an option
    created_at: new Date(now).toISOString(),
    signs_from: new Date(now + delayMs).toISOString(),
    secret: randomBytes(32).toString('base64url'),
  }
}

const text = (ring: KeyFile) => `${JSON.stringify(ring, null, 2)}\n`
