// ISO/IEC 18004, as much of it as an authenticator's address needs: bytes, version 6, level L, mask 0.

const SIZE = 41
const DATA_CODEWORDS = 136
const BLOCKS = 2
const CHECK_CODEWORDS = 18 // of each block
const FORMAT = 0b111011111000100 // level L and mask 0, with their check bits
export const MOST_BYTES = 134

/** The picture of a text, row by row: true is dark. */
export function qrModules(text: string): boolean[][] {
  const modules = Array.from({ length: SIZE }, () => new Array<boolean | undefined>(SIZE).fill(undefined))
  drawPatterns(modules)
  const bits = codewordsOf(text).flatMap((codeword) => bitsOf(codeword, 8))
  let next = 0
  for (const [row, column] of path()) {
    if (modules[row]![column] !== undefined) continue
    const bit = bits[next++] === 1 // what is left over stays light
    modules[row]![column] = bit !== ((row + column) % 2 === 0)
  }
  return modules as boolean[][]
}

const bitsOf = (value: number, count: number) => Array.from({ length: count }, (_, i) => (value >> (count - 1 - i)) & 1)

/** The blocks' codewords in turns, then their check codewords. */
function codewordsOf(text: string): number[] {
  const bytes = [...new TextEncoder().encode(text)]
  if (bytes.length > MOST_BYTES) throw new RangeError(`A text has at most ${MOST_BYTES} bytes`)
  const bits = [
    ...bitsOf(0b0100, 4),
    ...bitsOf(bytes.length, 8),
    ...bytes.flatMap((byte) => bitsOf(byte, 8)),
    0,
    0,
    0,
    0,
  ]
  const data = Array.from({ length: bits.length / 8 }, (_, i) =>
    Number.parseInt(bits.slice(i * 8, i * 8 + 8).join(''), 2),
  )
  for (let i = 0; data.length < DATA_CODEWORDS; i++) data.push(i % 2 === 0 ? 0xec : 0x11)
  const length = DATA_CODEWORDS / BLOCKS
  const blocks = Array.from({ length: BLOCKS }, (_, i) => data.slice(i * length, (i + 1) * length))
  const checks = blocks.map((block) => checkCodewords(block, CHECK_CODEWORDS))
  return [...inTurns(blocks), ...inTurns(checks)]
}

const inTurns = (blocks: number[][]) => blocks[0]!.flatMap((_, i) => blocks.map((block) => block[i]!))

/** Reed-Solomon over GF(256): the rest of dividing by the product of (x - 2^i). */
export function checkCodewords(data: number[], count: number): number[] {
  let divisor = [1]
  for (let i = 0, root = 1; i < count; i++, root = times(root, 2))
    divisor = [...divisor, 0].map((factor, j) => factor ^ times(divisor[j - 1] ?? 0, root))
  const rest = [...data, ...new Array<number>(count).fill(0)]
  for (let i = 0; i < data.length; i++) {
    const factor = rest[i]!
    for (const [j, value] of divisor.entries()) rest[i + j]! ^= times(value, factor)
  }
  return rest.slice(data.length)
}

function times(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> bit) & 1) * a)
  return product
}

function drawPatterns(modules: (boolean | undefined)[][]): void {
  const set = (row: number, column: number, dark: boolean) => {
    const line = modules[row]
    if (line && column >= 0 && column < SIZE) line[column] = dark
  }
  const square = (row: number, column: number, reach: number, isDark: (distance: number) => boolean) => {
    for (let y = -reach; y <= reach; y++)
      for (let x = -reach; x <= reach; x++) set(row + y, column + x, isDark(Math.max(Math.abs(x), Math.abs(y))))
  }
  for (let i = 0; i < SIZE; i++) {
    set(6, i, i % 2 === 0)
    set(i, 6, i % 2 === 0)
  }
  for (const [row, column] of [
    [3, 3],
    [3, SIZE - 4],
    [SIZE - 4, 3],
  ] as const)
    square(row, column, 4, (distance) => distance !== 2 && distance !== 4)
  square(SIZE - 7, SIZE - 7, 2, (distance) => distance !== 1)

  const format = bitsOf(FORMAT, 15).map((bit) => bit === 1)
  const first = [0, 1, 2, 3, 4, 5, 7, 8] // along the upper left square, past the timing line
  format.forEach((dark, i) => {
    if (i < 8) set(8, first[i]!, dark)
    else set(first[14 - i]!, 8, dark)
    if (i < 7) set(SIZE - 1 - i, 8, dark)
    else set(8, SIZE - 15 + i, dark)
  })
  set(SIZE - 8, 8, true)
}

/** Where the bits go: up and down in columns of two, from the right, around the timing line. */
function* path(): Generator<[row: number, column: number]> {
  for (let right = SIZE - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up)
    for (let i = 0; i < SIZE; i++) for (const column of [right, right - 1]) yield [up ? SIZE - 1 - i : i, column]
}
