/** Values that are held up to so many bytes together; the least recently used go first. */
export interface ByteCache<Value> {
  get(key: string): Value | undefined
  /** Keeps the value that is there already. */
  add(key: string, value: Value, bytes: number): void
  /** A value that is held takes more bytes now. */
  grow(key: string, value: Value, bytes: number): void
}

export function byteCache<Value>(maxBytes: number): ByteCache<Value> {
  const held = new Map<string, { readonly value: Value; bytes: number }>()
  let total = 0

  function shrink(): void {
    for (const [key, { bytes }] of held) {
      if (total <= maxBytes) return
      held.delete(key)
      total -= bytes
    }
  }

  return {
    get(key) {
      const found = held.get(key)
      if (!found) return undefined
      held.delete(key)
      held.set(key, found)
      return found.value
    },
    add(key, value, bytes) {
      if (held.has(key)) return
      held.set(key, { value, bytes })
      total += bytes
      shrink()
    },
    grow(key, value, bytes) {
      const found = held.get(key)
      if (found?.value !== value) return
      found.bytes += bytes
      total += bytes
      shrink()
    },
  }
}
