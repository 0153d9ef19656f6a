const BRACKET = 0x5b
const COMMA = 0x2c
const CLOSING = 0x5d

/**
 * Collects JSON lines as bytes in one buffer until they are written together. Thousands of objects that outlive their request by half
 * a second would cost every request garbage collection.
 */
export function lineBuffer(bytes: number) {
  let room: Buffer | undefined
  let used = 0
  let count = 0
  return {
    /** False when the buffer is full. */
    add(line: string): boolean {
      room ??= Buffer.allocUnsafeSlow(bytes)
      if (used + line.length * 3 + 2 > bytes) return false // UTF-8 takes at most three bytes for a UTF-16 unit
      room[used++] = count === 0 ? BRACKET : COMMA
      used += room.write(line, used)
      count++
      return true
    },
    /** Empties the buffer: all lines as one JSON array in UTF-8, and how many there were. */
    take(): { json: Uint8Array<ArrayBuffer>; count: number } {
      const json = new Uint8Array(used + 1)
      if (room) json.set(room.subarray(0, used))
      json[used] = CLOSING
      const taken = { json, count }
      used = 0
      count = 0
      return taken
    },
    get count() {
      return count
    },
    get bytes() {
      return used
    },
  }
}
