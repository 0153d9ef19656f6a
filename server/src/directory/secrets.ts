import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { KeyRing } from './keys.ts'

/** D5.2: 256 random bits. Prefix and checksum let a scanner find one that leaked, without asking us. */
export function newSecret(): string {
  const random = randomBytes(32).toString('base64url')
  return `comptoir_${random}_${crc32(random).toString(16).padStart(8, '0')}`
}

/** The demo's secret is public: it is accepted from this machine only, also in data that began as the demo. */
export const DEMO_SECRET = 'demo-secret'

export const newClientId = () => `cl_${randomBytes(12).toString('base64url')}`
export const newIntegratorId = () => `int_${randomBytes(16).toString('base64url')}`

/** A secret as it rests: a keyed hash to check it with, and a cipher to display it again. */
export interface SecretAtRest {
  secret_kid: string
  secret_hash: string
  secret_cipher: string
}

export function secretAtRest(ring: KeyRing, brand_id: number, client_id: string, secret: string): SecretAtRest {
  const { kid, cipher } = seal(ring, ownerOf(brand_id, client_id), secret)
  return { secret_kid: kid, secret_hash: secretHash(ring, kid, secret)!, secret_cipher: cipher }
}

/** Random secrets need no slow hash; the key keeps a stolen database from being checked against. */
export function secretHash(ring: KeyRing, kid: string, secret: string): string | undefined {
  const key = ring.key(kid, 'secret-hash')
  return key && createHmac('sha256', key).update(secret).digest('base64url')
}

/** Decrypts the secret; undefined when the key ring lacks its key or the text belongs to another credential. */
export const displayedSecret = (ring: KeyRing, brand_id: number, client_id: string, rest: SecretAtRest) =>
  unseal(ring, ownerOf(brand_id, client_id), { kid: rest.secret_kid, cipher: rest.secret_cipher })

const ownerOf = (brand_id: number, client_id: string) => `${brand_id}:${client_id}`

/** A text that only the ring can read, and the key of the ring that sealed it. */
interface Sealed {
  kid: string
  cipher: string
}

/** Bound to its owner, so that a cipher moved to another row opens nothing. */
export function seal(ring: KeyRing, owner: string, text: string): Sealed {
  const kid = ring.newest(Date.now())
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', ring.key(kid, 'secret-cipher')!, iv)
  cipher.setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { kid, cipher: sealed.toString('base64url') }
}

export function unseal(ring: KeyRing, owner: string, { kid, cipher }: Sealed): string | undefined {
  const key = ring.key(kid, 'secret-cipher')
  if (!key) return undefined
  const sealed = Buffer.from(cipher, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(-16))
  try {
    return decipher.update(sealed.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
