import receiptline from 'receiptline'
import { CELL_WIDTH } from '../raster/atlas.ts'

// What a printer understands of the bytes that it is sent: every one of them, or it says which it does not know (R18). Two dialects: ESC/POS
// and Star's. Both are told apart by how a document begins.

export interface Picture {
  readonly kind: 'picture'
  readonly width: number
  readonly height: number
  readonly dots: Uint8Array
}

export type Item =
  /** `x` is where it begins, in dots from the left edge. */
  | { readonly kind: 'text'; readonly text: string; readonly x: number; readonly across: number; readonly down: number }
  | { readonly kind: 'feed' }
  | Picture
  | { readonly kind: 'cut' }
  | { readonly kind: 'pulse' }
  /** A question: `status` is answered at once, `done` after all before it is on paper. `code` is which. */
  | { readonly kind: 'status' | 'done'; readonly code: number; readonly isStar: boolean }

/** Bytes that no command of the dialect begins with. */
export class UnknownCommand extends Error {
  constructor(bytes: Uint8Array) {
    super(
      `unknown command ${Buffer.from(bytes)
        .toString('hex')
        .replaceAll(/(..)(?=.)/g, '$1 ')}`,
    )
  }
}

interface State {
  dialect: 'escpos' | 'star'
  /** Star's raster mode: rows of dots instead of letters. */
  isRaster: boolean
  page: number
  x: number
  across: number
  down: number
  /** GS 8 L: what GS ( L prints. */
  stored: Picture | undefined
}

/** One command: how many bytes it has after its name, by its first ones (undefined: more must come), and what it does. */
interface Command {
  readonly length: number | ((rest: Uint8Array) => number | undefined)
  readonly item?: (parameters: Uint8Array, state: State) => Item | undefined
}

const word = (bytes: Uint8Array, at: number) => bytes[at]! | (bytes[at + 1]! << 8)
const long = (bytes: Uint8Array, at: number) => word(bytes, at) + word(bytes, at + 2) * 0x1_0000
/** Two bytes that say how many follow. */
const counted = (rest: Uint8Array) => (rest.length < 2 ? undefined : 2 + word(rest, 0))
const skip = (length: number): Command => ({ length })
const ask = (kind: 'status' | 'done', length: number): Command => ({
  length,
  item: (parameters, { dialect }) => ({ kind, code: parameters[0] ?? 0, isStar: dialect === 'star' }),
})
const cut = (length: Command['length']): Command => ({ length, item: () => ({ kind: 'cut' }) })
const scaled = (
  read: (parameters: Uint8Array) => readonly [across: number, down: number],
  length: number,
): Command => ({
  length,
  item(parameters, state) {
    const [across, down] = read(parameters)
    Object.assign(state, { across, down })
    return undefined
  },
})

const moved = (place: (parameters: Uint8Array, state: State) => number): Command => ({
  length: 2,
  item(parameters, state) {
    state.x = place(parameters, state)
    return undefined
  },
})
/** A line ends: the next one begins at the left edge. */
const feed = (length: number): Command => ({
  length,
  item(_, state) {
    state.x = 0
    return { kind: 'feed' }
  },
})

const ESCPOS: Readonly<Record<string, Command>> = {
  '\x1b@': {
    length: 0,
    item(_, state) {
      Object.assign(state, { page: 0, x: 0, across: 1, down: 1 })
      return undefined
    },
  },
  '\x1bM': skip(1),
  '\x1b ': skip(1),
  '\x1b2': skip(0),
  '\x1b3': skip(1),
  '\x1b{': skip(1),
  '\x1ba': skip(1),
  '\x1b$': moved((parameters) => word(parameters, 0)),
  '\x1b\\': moved((parameters, { x }) => x + word(parameters, 0)),
  '\x1b-': skip(1),
  '\x1bE': skip(1),
  '\x1bR': skip(1),
  '\x1br': skip(1),
  '\x1bJ': feed(1),
  '\x1b!': scaled(([style]) => [style! & 32 ? 2 : 1, style! & 16 ? 2 : 1], 1),
  '\x1bt': {
    length: 1,
    item([page], state) {
      state.page = page!
      return undefined
    },
  },
  '\x1bp': { length: 3, item: () => ({ kind: 'pulse' }) },
  '\x1b*': {
    length: (rest) => (rest.length < 3 ? undefined : 3 + word(rest, 1) * (rest[0]! >= 32 ? 3 : 1)),
    item: (parameters) => columns(word(parameters, 1), parameters.subarray(3)),
  },
  '\x1c.': skip(0),
  '\x1c&': skip(0),
  '\x1cC': skip(1),
  '\x1cS': skip(2),
  '\x1c-': skip(1),
  '\x1c(': { length: (rest) => lengthAfter(1, rest) },
  '\x1da': skip(1),
  '\x1dL': skip(2),
  '\x1dW': skip(2),
  '\x1dB': skip(1),
  '\x1d!': scaled(([size]) => [(size! >> 4) + 1, (size! & 15) + 1], 1),
  '\x1dr': ask('done', 1),
  '\x12q': ask('done', 1),
  '\x1dV': cut(([form]) => (form === undefined ? undefined : form >= 65 ? 2 : 1)),
  '\x1d8': {
    length: (rest) => (rest.length < 5 ? undefined : 5 + long(rest, 1)),
    item(parameters, state) {
      state.stored = rows(word(parameters, 11), word(parameters, 13), parameters.subarray(15))
      return undefined
    },
  },
  '\x1d(': {
    length: (rest) => lengthAfter(1, rest),
    item(parameters, state) {
      const isPrinted = parameters[0] === 0x4c && parameters[4] === 50
      return isPrinted ? state.stored : undefined
    },
  },
  '\x1dv': {
    length: (rest) => (rest.length < 6 ? undefined : 6 + word(rest, 2) * word(rest, 4)),
    item: (parameters) => rows(word(parameters, 2) * 8, word(parameters, 4), parameters.subarray(6)),
  },
  '\x10\x04': ask('status', 1),
  '\x10\x14': { length: 3, item: () => ({ kind: 'pulse' }) },
  '\x0d': skip(0),
  '\x0a': feed(0),
}

const STAR: Readonly<Record<string, Command>> = {
  '\x1b@': ESCPOS['\x1b@']!,
  '\x1b\x1e': skip(2),
  '\x1b ': skip(1),
  '\x1bs': skip(2),
  '\x1bz': skip(1),
  '\x1b0': skip(0),
  '\x0f': skip(0),
  '\x12': skip(0),
  '\x1bl': skip(1),
  '\x1bQ': skip(1),
  '\x1b-': skip(1),
  '\x1bE': skip(0),
  '\x1bF': skip(0),
  '\x1b4': skip(0),
  '\x1b5': skip(0),
  '\x1bM': skip(0),
  '\x1bP': skip(0),
  '\x1b:': skip(0),
  '\x1bi': scaled(([down, across]) => [across! + 1, down! + 1], 2),
  '\x1bW': skip(1),
  '\x1bh': skip(1),
  '\x1bd': cut(1),
  '\x1b\x0c': cut(1),
  '\x1b*': {
    // Raster mode: ESC * r, a letter, and what it says up to NUL.
    length: (rest) => {
      if (rest.length < 2) return undefined
      if ('AB'.includes(String.fromCharCode(rest[1]!))) return 2
      const end = rest.indexOf(0)
      return end < 0 ? undefined : end + 1
    },
    item([, letter], state) {
      if (letter === 0x41 || letter === 0x42) state.isRaster = letter === 0x41
      return undefined
    },
  },
  b: {
    length: counted,
    item: (parameters) => rows(word(parameters, 0) * 8, 1, parameters.subarray(2)),
  },
  '\x1bk': {
    length: (rest) => (rest.length < 2 ? undefined : 2 + word(rest, 0) * 24),
    item: (parameters) => rows(word(parameters, 0) * 8, 24, parameters.subarray(2)),
  },
  '\x1bK': { length: counted, item: (parameters) => columns(word(parameters, 0), parameters.subarray(2)) },
  '\x1b\x1d': {
    length: (rest) => {
      const [name] = rest
      if (name === undefined) return undefined
      if (name === 0x03) return 4
      if (name === 0x53) return rest.length < 7 ? undefined : 7 + word(rest, 2) * word(rest, 4)
      return name === 0x41 || name === 0x52 ? 3 : 2
    },
    item(parameters, state) {
      const [name, value] = parameters
      if (name === 0x41) state.x = word(parameters, 1)
      if (name === 0x52) state.x += word(parameters, 1)
      if (name === 0x74) state.page = STAR_PAGES.get(value!) ?? 0
      if (name === 0x03) return { kind: 'done', code: value!, isStar: true }
      if (name === 0x53) return rows(word(parameters, 2) * 8, word(parameters, 4), parameters.subarray(7))
      return undefined
    },
  },
  '\x1b\x06': ask('status', 1),
  '\x04': skip(0),
  '\x07': { length: 0, item: () => ({ kind: 'pulse' }) },
  '\x0a': feed(0),
}

/** A name, two bytes that say how many follow, and these. */
const lengthAfter = (name: number, rest: Uint8Array) =>
  rest.length < name + 2 ? undefined : name + 2 + word(rest, name)

/** Star's numbers of code pages, by those of ESC/POS. */
const STAR_PAGES = new Map([
  [1, 0],
  [0x20, 0x10],
  [0x0a, 0x11],
  [0x05, 0x12],
  [0x04, 0x13],
])

const rows = (width: number, height: number, dots: Uint8Array): Picture => ({ kind: 'picture', width, height, dots })

/** Eight rows that come as columns. */
function columns(width: number, bytes: Uint8Array): Picture {
  const stride = (width + 7) >> 3
  const dots = new Uint8Array(stride * 8)
  for (let x = 0; x < width; x += 1)
    for (let y = 0; y < 8; y += 1) if (bytes[x]! & (0x80 >> y)) dots[y * stride + (x >> 3)]! |= 0x80 >> (x & 7)
  return rows(width, 8, dots)
}

/** Characters by code page and byte: what receiptline writes for each, read backwards. */
function readPages(): ReadonlyMap<string, string> {
  const pages = new Map<string, string>()
  for (let code = 0x80; code < 0x2600; code += 1) {
    const character = String.fromCharCode(code)
    const [first, , page, byte] = receiptline.commands.escpos.text(character, 'multilingual')
    if (first === '\x1b') pages.set(`${page!.charCodeAt(0)} ${byte!.charCodeAt(0)}`, character)
  }
  return pages
}
let pages: ReadonlyMap<string, string> | undefined

/** Rules are letters of a code page of their own. */
const RULE = 0x95
const RULES_PAGE = 1

function characterOf(byte: number, { page }: State): string {
  if (byte < 0x80) return String.fromCharCode(byte)
  if (page === RULES_PAGE && byte === RULE) return '─'
  pages ??= readPages()
  return pages.get(`${page} ${byte}`) ?? '\ufffd'
}

/** Reads a stream of bytes; what is not whole yet waits for the rest. */
export class Decoder {
  readonly #state: State = { dialect: 'escpos', isRaster: false, page: 0, x: 0, across: 1, down: 1, stored: undefined }
  #rest: Uint8Array = new Uint8Array(0)

  push(bytes: Uint8Array): Item[] {
    let left: Uint8Array = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const items: Item[] = []
    while (left.length > 0) {
      const used = this.#step(left, items)
      if (used === 0) break
      left = left.subarray(used)
    }
    this.#rest = left.slice()
    return items
  }

  /** Whether a command waits for its end. */
  get isMidway(): boolean {
    return this.#rest.length > 0
  }

  /** How many bytes were understood; 0: more must come. */
  #step(bytes: Uint8Array, items: Item[]): number {
    const state = this.#state
    const begun = dialectOf(bytes)
    if (begun === 'later') return 0
    if (begun) state.dialect = begun
    const table = state.dialect === 'star' ? STAR : ESCPOS
    const latin = (length: number) => String.fromCharCode(...bytes.subarray(0, length))
    const name = [latin(2), latin(1)].find((each) => Object.hasOwn(table, each) && !isLetter(each, state))
    if (name === undefined) {
      if (bytes[0]! >= 0x20 && bytes[0] !== 0x7f) return this.#letters(bytes, items)
      if (bytes.length === 1) return 0
      throw new UnknownCommand(bytes.subarray(0, 4))
    }
    const { length, item } = table[name]!
    const rest = bytes.subarray(name.length)
    const needed = typeof length === 'number' ? length : length(rest)
    if (needed === undefined || rest.length < needed) return 0
    const made = item?.(rest.subarray(0, needed), state)
    if (made) items.push(made)
    return name.length + needed
  }

  #letters(bytes: Uint8Array, items: Item[]): number {
    const state = this.#state
    const { x, across, down } = state
    let text = ''
    let used = 0
    while (used < bytes.length && bytes[used]! >= 0x20 && bytes[used] !== 0x7f) {
      text += characterOf(bytes[used]!, state)
      used += 1
    }
    state.x += used * across * CELL_WIDTH
    items.push({ kind: 'text', text, x, across, down })
    return used
  }
}

/** The letter b begins a row of dots in Star's raster mode only, where there is no text. */
const isLetter = (name: string, { isRaster }: State) => name === 'b' && !isRaster

/** How a document begins: ESC @ GS, ESC @ ESC RS, or ESC RS in raster mode; questions come before any. */
function dialectOf(bytes: Uint8Array): State['dialect'] | 'later' | undefined {
  const [first, second, third, fourth] = bytes
  if (first !== 0x1b) return undefined
  if (second === 0x1e || second === 0x06) return 'star'
  if (second !== 0x40) return undefined
  if (third === undefined || (third === 0x1b && fourth === undefined)) return 'later'
  return third === 0x1b && fourth === 0x1e ? 'star' : 'escpos'
}

/** What is on paper after some items: its lines as a person reads them, each text where it stands. */
export function linesOf(items: readonly Item[]): string[] {
  const lines: string[] = ['']
  for (const item of items) {
    if (item.kind === 'feed') lines.push('')
    if (item.kind !== 'text') continue
    const wide = [...item.text].map((letter) => letter.padEnd(item.across)).join('')
    lines.push(lines.pop()!.padEnd(Math.round(item.x / CELL_WIDTH)) + wide)
  }
  return lines.map((line) => line.trimEnd())
}

/** The pictures of some items as one, where a command set sends it in strips. */
export function pictureOf(items: readonly Item[]): Picture | undefined {
  const strips = items.filter((item) => item.kind === 'picture')
  const [first] = strips
  if (!first) return undefined
  const height = strips.reduce((sum, strip) => sum + strip.height, 0)
  return { ...first, height, dots: Buffer.concat(strips.map(({ dots }) => dots)) }
}
