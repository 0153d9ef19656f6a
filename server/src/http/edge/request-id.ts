import { randomUUID } from 'node:crypto'

let [lastMs, prefix] = [Number.NaN, '']

/**
 * D1.3: a request's id, a UUID of version 7. Random like any other, it begins with the time, so that each new line of the request log
 * goes to the end of its index: entirely random ones are written all over it, at twice the cost.
 */
export function newRequestId(): string {
  const ms = Date.now()
  if (ms !== lastMs) {
    const hex = ms.toString(16).padStart(12, '0')
    lastMs = ms
    prefix = `${hex.slice(0, 8)}-${hex.slice(8)}-7`
  }
  return prefix + randomUUID().slice(15)
}
