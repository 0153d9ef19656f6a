import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// RFC 6238 as every authenticator app does it: SHA-1, six digits, thirty seconds.

const STEP_MS = 30_000
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function newTotpSecret(): string {
  return base32(randomBytes(20))
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits
    .match(/.{5}/g)!
    .map((five) => LETTERS[Number.parseInt(five, 2)])
    .join('')
}

function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)!.map((eight) => Number.parseInt(eight, 2)))
}

/** What an authenticator app reads, as a link or a picture of it. */
export const totpUri = (secret: string, name: string) =>
  `otpauth://totp/Comptoir:${encodeURIComponent(name)}?secret=${secret}&issuer=Comptoir`

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = mac.at(-1)! & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

export const stepAt = (now: number) => Math.floor(now / STEP_MS)

/** The step whose code was given, this one or a neighbour, for clocks that differ a little; undefined when it is none of them. */
export function matchingStep(secret: string, code: string, now: number): number | undefined {
  const step = stepAt(now)
  const given = Buffer.from(code.padEnd(6).slice(0, 6))
  return [step, step - 1, step + 1].find((near) => timingSafeEqual(Buffer.from(totpCode(secret, near)), given))
}
