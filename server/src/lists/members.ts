const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const NEWLINE = 0x0a
const OPENING = 0x5b // [, and with one more bit {
const CLOSING = 0x5d // ], and with the same bit }
const SHIFT = 0x20

let scratch = Buffer.allocUnsafeSlow(64 << 10)

/**
 * Narrows stored objects, one a line, to some of their members (D2.5), in their stored order, by cutting their bytes; in what it returns
 * they have commas between them. An object is as JSON.stringify writes it, and the names are the wire's, which need no escape.
 * Nothing is parsed and no text is made of them, which would take ten times as long and leave as much garbage as a page is long.
 */
export function pickMembers(lines: Buffer, names: ReadonlySet<string>): Buffer<ArrayBuffer> {
  const wanted = [...names].map((name) => Buffer.from(name))
  if (scratch.length < lines.length + 2) scratch = Buffer.allocUnsafeSlow(lines.length * 2)
  let length = 0
  let at = 0
  while (at < lines.length) {
    if (length > 0) scratch[length++] = COMMA
    scratch[length++] = OPENING | SHIFT
    const empty = length
    let missing = wanted.length
    at++ // past the brace
    while (missing > 0 && lines[at] === QUOTE) {
      const key = endOfString(lines, at)
      const end = endOfValue(lines, key + 1) // past the colon
      if (isAmong(wanted, lines, at + 1, key - 1)) {
        if (length > empty) scratch[length++] = COMMA
        length += lines.copy(scratch, length, at, end)
        missing--
      }
      at = end + 1
    }
    scratch[length++] = CLOSING | SHIFT
    const newline = lines.indexOf(NEWLINE, at) // no JSON text holds one
    at = newline === -1 ? lines.length : newline + 1
  }
  return Buffer.from(scratch.subarray(0, length))
}

function isAmong(wanted: readonly Buffer[], lines: Buffer, start: number, end: number): boolean {
  for (const name of wanted) if (name.length === end - start && isAt(name, lines, start)) return true
  return false
}

function isAt(name: Buffer, lines: Buffer, start: number): boolean {
  for (let at = 0; at < name.length; at++) if (lines[start + at] !== name[at]) return false
  return true
}

/** Where the value that starts here ends: at the comma or the brace that follows it. */
function endOfValue(lines: Buffer, start: number): number {
  const first = lines[start]!
  if (first === QUOTE) return endOfString(lines, start)
  if ((first & ~SHIFT) === OPENING) return endOfNested(lines, start)
  let at = start
  while (at < lines.length && lines[at] !== COMMA && lines[at] !== (CLOSING | SHIFT)) at++
  return at
}

function endOfNested(lines: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < lines.length; at++) {
    const byte = lines[at]!
    if (byte === QUOTE) at = endOfString(lines, at) - 1
    else if ((byte & ~SHIFT) === OPENING) depth++
    else if ((byte & ~SHIFT) === CLOSING && --depth === 0) return at + 1
  }
  return lines.length
}

/** The position after the string that starts here. */
function endOfString(lines: Buffer, start: number): number {
  for (let at = start + 1; at < lines.length; at++) {
    const byte = lines[at]
    if (byte === BACKSLASH) at++
    else if (byte === QUOTE) return at + 1
  }
  return lines.length
}
