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
  const offset = used
  used += DIGITS
  const variant = '89ab'[random[offset / 2]! & 3]
  return `${prefix}${digits.slice(offset + 1, offset + 4)}-${variant}${digits.slice(offset + 4, offset + 7)}-${digits.slice(offset + 7, offset + 19)}`
}
