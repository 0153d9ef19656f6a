import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Database, UnusableDatabase } from '../storage/database.ts'

interface KeyFile {
  id: string
  keys: { kid: string; created_at: string; secret: string }[]
}

/** What a key is used for; each use has a key of its own, derived from the ring's. */
const PURPOSES = ['token', 'secret-hash', 'secret-cipher'] as const
export type Purpose = (typeof PURPOSES)[number]

export interface KeyRing {
  /** The newest key that every process has had time to read. */
  newest(now: number): string
  /** Undefined when the ring does not hold that key. */
  key(kid: string, purpose: Purpose): Buffer | undefined
  /** Reads the file again, after a rotation. */
  reload(): void
}

// A new key is read by the other processes within a second; until they all know it, it signs nothing.
const SETTLE_MS = 5_000
const REREAD_MS = 1_000

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
  return keyRing(file, ring)
}

async function ringIdOf(db: Database): Promise<string | undefined> {
  const id = await db.text(`select value from settings where name = 'key_ring'`, [])
  return id
}

function keyRing(file: string, first: KeyFile): KeyRing {
  let keys = first.keys
  let derived = derivedKeys(keys)
  let readAt = performance.now()

  function reload() {
    readAt = performance.now()
    const ring = load(file)
    if (ring?.id !== first.id) return // half a copy from another machine: what is held stays good
    keys = ring.keys
    derived = derivedKeys(keys)
  }

  return {
    newest: (now) => (keys.findLast(({ created_at }) => Date.parse(created_at) + SETTLE_MS <= now) ?? keys[0]!).kid,
    key(kid, purpose) {
      const name = `${purpose} ${kid}`
      // Of a key it does not know, the file may tell by now: on other machines it is copied after the rotation was heard of.
      if (!derived.has(name) && performance.now() - readAt > REREAD_MS) reload()
      return derived.get(name)
    },
    reload,
  }
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

/** Adds a key, which becomes the signing one; the older ones go on verifying what they signed. Answers its kid. */
export function rotateKeys(file: string): string {
  const ring = load(file)
  if (ring === undefined) throw new UnusableDatabase(`There is no key ring at ${file}`)
  const key = newKey()
  ring.keys.push(key)
  const draft = `${file}.${process.pid}.new`
  writeFileSync(draft, text(ring), { mode: 0o600, flush: true })
  renameSync(draft, file)
  return key.kid
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
      ({ kid, created_at, secret }) => kid && Date.parse(created_at) && /^[\w-]{43}$/.test(secret),
    ) // 32 bytes
    return ring.id && ring.keys.length > 0 && sound ? ring : undefined
  } catch {
    return undefined
  }
}

// Written whole under another name, then linked: of several that start at once, one wins and the others read its file.
function loadOrCreate(file: string): KeyFile {
  const present = load(file)
  if (present) return present
  const draft = `${file}.${process.pid}.new`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, text({ id: randomUUID(), keys: [newKey()] }), { mode: 0o600, flush: true })
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new UnusableDatabase(`The key ring ${file} cannot be written: ${(error as Error).message}`)
  } finally {
    try {
      unlinkSync(draft)
    } catch {}
  }
  return load(file)!
}

const newKey = () => ({
  kid: randomBytes(6).toString('base64url'),
  created_at: new Date().toISOString(),
  secret: randomBytes(32).toString('base64url'),
})

const text = (ring: KeyFile) => `${JSON.stringify(ring, null, 2)}\n`
