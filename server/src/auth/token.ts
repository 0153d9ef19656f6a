import { randomUUID } from 'node:crypto'
import { CompactSign } from 'jose/jws/compact/sign' // the whole of jose is 46 files more at each start
import { compactVerify } from 'jose/jws/compact/verify'
import type { KeyRing } from '../directory/keys.ts'
import type { Party } from '../http/call.ts'
import { StoreUnavailable } from '../storage/database.ts'

/** What a token says (§5.2, D5.3). Anyone who has a token can read it, so it holds no secret. */
interface Payload {
  /** The brand's slug. */
  brand: string
  venue_id: number
  integrator_id: string
  /** Which credential it was issued for, and under which epochs of it and of the integrator. */
  upstream: string
  iat: number
  exp: number
  jti: string
}

/** For whom a token was issued, and until when it is good. */
export interface Claims extends Party, Pick<Payload, 'venue_id' | 'exp'> {
  /** Number of the secret under which it was issued, counted by credential. */
  readonly epoch: number
  /** Number of times that the integrator had been deactivated, plus one. */
  readonly integratorEpoch: number
}

export interface Tokens {
  issue(claims: Omit<Payload, 'iat' | 'exp' | 'jti'>): Promise<{ token: string; iat: number; exp: number }>
  /** The claims of a token that we signed, expired or not; undefined for any other text. */
  read(token: string): Claims | Promise<Claims | undefined>
  /** Forgets what was verified, after the key ring changed. */
  forget(): void
}

const ALGORITHM = 'HS256'
const MAX_LENGTH = 2048
const MAX_REMEMBERED = 50_000

export function tokens(ring: KeyRing, ttlS: number, now: () => number): Tokens {
  // A token that was verified costs no second HMAC. Only good ones get in, so nobody can fill it with rubbish.
  const verified = new Map<string, Claims>()

  return {
    async issue(claims) {
      const kid = ring.newest(now())
      // Rounded up: a token that is issued late in a second still lives for the whole of its expires_in.
      const iat = Math.ceil(now() / 1000)
      const exp = iat + ttlS
      if (!ring.accepts(kid, iat))
        throw new StoreUnavailable('every signing key here is revoked: copy the key ring from where it was replaced')
      const payload = Buffer.from(JSON.stringify({ ...claims, iat, exp, jti: randomUUID() }))
      const token = await new CompactSign(payload)
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid })
        .sign(ring.key(kid, 'token')!)
      return { token, iat, exp }
    },

    read(token) {
      return verified.get(token) ?? verify(token)
    },

    forget: () => verified.clear(),
  }

  async function verify(token: string): Promise<Claims | undefined> {
    const kid = isCompact(token) ? kidOf(token) : undefined
    const key = kid === undefined ? undefined : ring.key(kid, 'token')
    if (!key) return undefined
    try {
      const { payload } = await compactVerify(token, key, { algorithms: [ALGORITHM] })
      const said = JSON.parse(Buffer.from(payload).toString()) as Payload
      // Otherwise a stolen old key could sign tokens for ever, with any lifetime.
      if (!ring.accepts(kid!, said.iat) || !(said.exp - said.iat <= ttlS)) return undefined
      const claims = claimsOf(said)
      if (verified.size >= MAX_REMEMBERED) verified.delete(verified.keys().next().value!)
      verified.set(token, claims)
      return claims
    } catch {
      return undefined
    }
  }
}

/** Three parts in base64url as we would write them: what is not is refused before any cryptography. */
function isCompact(token: string): boolean {
  if (token.length > MAX_LENGTH) return false
  const parts = token.split('.')
  return (
    parts.length === 3 &&
    parts.every((part) => part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part)
  )
}

function kidOf(token: string): string | undefined {
  try {
    const { kid } = JSON.parse(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString()) as {
      kid?: unknown
    }
    return typeof kid === 'string' ? kid : undefined
  } catch {
    return undefined
  }
}

export const upstreamOf = (client_id: string, epoch: number, integratorEpoch: number) =>
  `${epoch}.${integratorEpoch}.${client_id}`

const UPSTREAM = /^(\d+)\.(\d+)\.(.+)$/

function claimsOf({ brand, venue_id, integrator_id, upstream, exp }: Payload): Claims {
  const [, epoch, integratorEpoch, client_id = ''] = UPSTREAM.exec(upstream)!
  return {
    brand,
    integrator_id,
    client_id,
    venue_id,
    exp,
    epoch: Number(epoch),
    integratorEpoch: Number(integratorEpoch),
  }
}
