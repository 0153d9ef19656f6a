import { randomFillSync } from 'node:crypto'

const DIGITS = 20 // an id has 19 random ones
const random = Buffer.allocUnsafeSlow(256 * (DIGITS / 2))
let [digits, used] = ['', 0]
let [lastMs, prefix] = [Number.NaN, '']

/**
 * D1.3: a request's id, a UUID of version 7. Random like any other, it begins with the time, so that each new line of the request log
 * goes to the end of its index: entirely random ones are written all over it, at twice the cost. The digits of many are made at once:
 * one by one, by randomUUID, they take twice as long.
 */
export function newRequestId(): string {
  const ms = Date.now()
  if (ms !== lastMs) {
    const hex = ms.toString(16).padStart(12, '0')
    lastMs = ms
    prefix = `${hex.slice(0, 8)}-${hex.slice(8)}-7`
  }
  if (used === digits.length) {
    digits = randomFillSync(random).toString('hex')
    used = 0
  }
  const at = used
  used += DIGITS
  const variant = '89ab'[random[at / 2]! & 3]
  return `${prefix}${digits.slice(at + 1, at + 4)}-${variant}${digits.slice(at + 4, at + 7)}-${digits.slice(at + 7, at + 19)}`
}
