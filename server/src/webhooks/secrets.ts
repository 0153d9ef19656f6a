import { createHmac, randomBytes } from 'node:crypto'
import type { KeyRing } from '../directory/keys.ts'
import { seal, unseal } from '../directory/secrets.ts'

// W3, W8: the secrets of an endpoint, and what is signed with them (Standard Webhooks 1.0).

const PREFIX = 'whsec_'

/** One secret as it is stored. */
interface SealedSecret {
  readonly kid: string
  readonly cipher: string
  /** When it ends, in milliseconds; absent: it is the newest. */
  readonly until?: number
}

const ownerOf = (brand_id: number, id: string) => `webhook:${brand_id}:${id}`

export const newSecret = () => PREFIX + randomBytes(32).toString('base64')

/** Whether a text is a secret of 24 to 64 bytes. */
export function isSecret(text: string): boolean {
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64')
  return (
    text.startsWith(PREFIX) && bytes.length >= 24 && bytes.length <= 64 && PREFIX + bytes.toString('base64') === text
  )
}

export const sealed = (ring: KeyRing, brand_id: number, id: string, secret: string): string =>
  JSON.stringify([seal(ring, ownerOf(brand_id, id), secret)])

/** When the secret before the newest ends; undefined where none is valid. */
export const overlapUntil = (stored: string, now: number): number | undefined =>
  (JSON.parse(stored) as SealedSecret[]).find(({ until }) => until !== undefined && until > now)?.until

/** The stored secrets after a rotation: the one before signs for some time too. */
export function rotated(
  ring: KeyRing,
  brand_id: number,
  id: string,
  { stored, secret, until }: { stored: string; secret: string; until: number | undefined },
): string {
  const [newest] = JSON.parse(stored) as SealedSecret[]
  const next = seal(ring, ownerOf(brand_id, id), secret)
  return JSON.stringify(until === undefined ? [next] : [next, { ...newest!, until }])
}

/** The secrets that sign now, the newest first. Nothing is sent unsigned: throws where none can be opened. */
export function openSecrets(ring: KeyRing, brand_id: number, id: string, stored: string, now: number): Buffer[] {
  const opened = (JSON.parse(stored) as SealedSecret[])
    .filter(({ until }) => until === undefined || until > now)
    .flatMap((each) => {
      const text = unseal(ring, ownerOf(brand_id, id), each)
      return text === undefined ? [] : [Buffer.from(text.slice(PREFIX.length), 'base64')]
    })
  if (opened.length === 0) throw new Error(`No secret of the webhook endpoint ${id} can be opened with the key ring`)
  return opened
}

/** The header webhook-signature: one signature for each secret. */
export const signature = (secrets: readonly Buffer[], id: string, timestamp: number, body: string): string =>
  secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ')
