import { timingSafeEqual } from 'node:crypto'
import { type EarlierSecret, liveSecrets, MAX_EARLIER } from '../directory/earlier-secrets.ts'
import type { KeyRing } from '../directory/keys.ts'
import { secretHash } from '../directory/secrets.ts'
import type { Database } from '../storage/database.ts'
import { isSoundText } from '../values/values.ts'

interface ClientSecret {
  client_id: string
  client_secret: string
  brand: string
}

/** A credential, whether the given secret is its secret, and what else decides whether it may be used. */
interface ClientCheck {
  secretMatches: boolean
  brand: string
  test: boolean
  client_id: string
  venue_id: number
  enabled: boolean
  userActive: boolean
  /** The epoch of the secret that matched: until its overlap ends, an earlier secret gives tokens of its own epoch. */
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
  earlier_secrets: string | null
}

// Constant work (D5.2): whether or not the brand, client and user exist, each is looked up once, and one row of the same form is
// returned.
const CREDENTIAL = `
  select coalesce(slug, 'a decoy') as slug, coalesce(test, 0) as test,
         coalesce(client_id, '${'A'.repeat(19)}') as client_id, coalesce(venue_id, 0) as venue_id,
         coalesce(enabled, 0) as enabled, coalesce(active, 0) as active, coalesce(epoch, 0) as epoch,
         coalesce(secret_kid, '${'A'.repeat(8)}') as secret_kid, coalesce(secret_hash, '${'A'.repeat(43)}') as secret_hash,
         earlier_secrets
  from (select 1 as one) as asked
  left join brands on brands.slug = ?
  left join credentials on credentials.brand_id = coalesce(brands.id, 0) and credentials.client_id = ?
  left join users on users.brand_id = coalesce(brands.id, 0) and users.id = coalesce(credentials.user_id, 1)`

const NO_HASH = Buffer.alloc(32)

/**
 * Looks up the client in the brand and compares its secrets with client_secret (D5.1). Undefined if there is no such client. Constant
 * work (D5.2): one look-up, three keyed hashes and three comparisons, whether or not the client exists.
 */
export async function verifyClientSecret(
  db: Database,
  ring: KeyRing,
  credentials: ClientSecret,
  now: number,
): Promise<ClientCheck | undefined> {
  const sound = isSoundText(credentials.brand) && isSoundText(credentials.client_id)
  const [row] = (await db.rows<Row>(CREDENTIAL, sound ? [credentials.brand, credentials.client_id] : ['', ''])) as [Row]
  const there = row.venue_id !== 0
  const current = matches(ring, there ? row.secret_kid : null, row.secret_hash, credentials.client_secret)
  const live = liveSecrets(row.earlier_secrets, now)
  let earlier: EarlierSecret | undefined
  for (let i = 0; i < MAX_EARLIER; i++) {
    const secret = live[i]
    if (matches(ring, secret?.kid ?? null, secret?.hash ?? null, credentials.client_secret)) earlier = secret
  }
  const check = {
    secretMatches: current || earlier !== undefined,
    brand: row.slug,
    test: row.test === 1,
    client_id: row.client_id,
    venue_id: row.venue_id,
    enabled: row.enabled === 1,
    userActive: row.active === 1,
    epoch: current || !earlier ? row.epoch : earlier.epoch,
  }
  return there ? check : undefined
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
