const BRACKET = 0x5b
const COMMA = 0x2c
const CLOSING = 0x5d

/**
 * JSON arrays that wait to be written together, as bytes in one piece of memory: thousands of objects that outlive their request by
 * half a second would give the garbage collector work that every request pays for.
 */
export function waitingLines(bytes: number) {
  let room: Buffer | undefined
  let used = 0
  let count = 0
  return {
    /** False when there is no more room. */
    add(line: string): boolean {
      room ??= Buffer.allocUnsafeSlow(bytes)
      if (used + line.length * 3 + 2 > bytes) return false // as long as UTF-8 can make it
      room[used++] = count === 0 ? BRACKET : COMMA
      used += room.write(line, used)
      count++
      return true
    },
    /** All of them as one JSON array in UTF-8, and how many; from now on there are none. */
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
