import { timingSafeEqual } from 'node:crypto'
import { isSoundText } from '../http/values.ts'
import type { Database } from '../storage/database.ts'
import type { KeyRing } from './keys.ts'
import { secretHash } from './secrets.ts'

interface Asked {
  client_id: string
  client_secret: string
  brand: string
}

/** A credential that was named, with what decides whether it may be used. */
export interface Found {
  /** Whether its secret was given. */
  proven: boolean
  brand: string
  test: boolean
  client_id: string
  venue_id: number
  enabled: boolean
  userActive: boolean
  /** The secret's own: while a rotation's overlap lasts, the old secret gives tokens of the epoch before. */
  epoch: number
}

interface Row {
  slug: string
  test: number
  client_id: string
  venue_id: number
  enabled: number
  active: number
  epoch: number
  secret_kid: string
  secret_hash: string
  previous_kid: string | null
  previous_hash: string | null
  previous_until: string | null
}

// The last line is a decoy: a row of the same form comes back, and as much is done with it, where there is no such client (D5.2).
const CREDENTIAL = `
  select slug, test, client_id, venue_id, enabled, active, epoch,
         secret_kid, secret_hash, previous_kid, previous_hash, previous_until
  from brands
  join credentials on credentials.brand_id = brands.id
  join users on users.brand_id = brands.id and users.id = credentials.user_id
  where brands.slug = ? and credentials.client_id = ?
  union all
  select 'a decoy', 0, '${'A'.repeat(19)}', 0, 0, 0, 0, '${'A'.repeat(8)}', '${'A'.repeat(43)}', null, null, null
  limit 1`

const NO_HASH = Buffer.alloc(32)

/**
 * The credential of this brand, and whether client_secret is its secret (D5.1). Constant work (D5.2): one look-up, two keyed hashes and two
 * comparisons, whether or not such a client exists.
 */
export async function findCredential(
  db: Database,
  ring: KeyRing,
  asked: Asked,
  now: number,
): Promise<Found | undefined> {
  const sound = isSoundText(asked.brand) && isSoundText(asked.client_id)
  const [row] = (await db.rows<Row>(CREDENTIAL, sound ? [asked.brand, asked.client_id] : ['', ''])) as [Row]
  const there = row.venue_id !== 0
  const current = matches(ring, there ? row.secret_kid : null, row.secret_hash, asked.client_secret)
  const previous = matches(ring, row.previous_kid, row.previous_hash, asked.client_secret)
  const overlaps = row.previous_until !== null && now < Date.parse(row.previous_until)
  const found = {
    proven: current || (previous && overlaps),
    brand: row.slug,
    test: row.test === 1,
    client_id: row.client_id,
    venue_id: row.venue_id,
    enabled: row.enabled === 1,
    userActive: row.active === 1,
    epoch: current ? row.epoch : row.epoch - 1,
  }
  return there ? found : undefined
}

function matches(ring: KeyRing, kid: string | null, hash: string | null, secret: string): boolean {
  const usual = ring.newest(0)
  const given = secretHash(ring, kid ?? usual, secret)
  const equal = timingSafeEqual(
    given === undefined ? NO_HASH : Buffer.from(given, 'base64url'),
    hash === null ? NO_HASH : Buffer.from(hash, 'base64url'),
  )
  return equal && given !== undefined && hash !== null
}
