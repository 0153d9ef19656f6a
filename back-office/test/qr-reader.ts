import type { Locator } from 'playwright-core'

// Reads a QR code as a camera would (ISO/IEC 18004), for codes of version 6 and level L: long enough for an otpauth address.

const SIZE = 41
const BLOCK = 68 // data codewords of each of the two blocks
const LEVEL_L = 0b01
const MASKS: ((y: number, x: number) => boolean)[] = [
  (y, x) => (y + x) % 2 === 0,
  (y) => y % 2 === 0,
  (_, x) => x % 3 === 0,
  (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0,
  (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
]

/** The modules of a code that a page draws. */
export async function modulesOf(picture: Locator): Promise<boolean[][]> {
  const drawn = await picture.locator('path').getAttribute('d')
  const dark = new Set(drawn!.match(/\d+ \d+(?=h1v1)/g))
  return Array.from({ length: SIZE }, (_, y) => Array.from({ length: SIZE }, (_, x) => dark.has(`${x} ${y}`)))
}

/** The text of a code, from its modules; throws where it is of another version or level. */
export function readQr(modules: boolean[][]): string {
  if (modules.length !== SIZE) throw new Error(`a code of ${modules.length} modules`)
  const format = toNumber(modules[8]!.slice(0, 5)) ^ 0b10101 // level and mask, without their check bits
  if (format >> 3 !== LEVEL_L) throw new Error(`level ${format >> 3}`)
  const isMasked = MASKS[format & 0b111]!
  const bits = [...dataModules()].map(([y, x]) => modules[y]![x] !== isMasked(y, x))
  const codewords = Array.from({ length: 2 * BLOCK }, (_, i) => bits.slice(i * 8, i * 8 + 8))
  const inOrder = [0, 1].flatMap((block) => codewords.filter((_, i) => i % 2 === block)).flat() // the two blocks take turns
  if (toNumber(inOrder.slice(0, 4)) !== 0b0100) throw new Error('not in byte mode')
  const length = toNumber(inOrder.slice(4, 12))
  const bytes = Array.from({ length }, (_, i) => toNumber(inOrder.slice(12 + i * 8, 20 + i * 8)))
  return new TextDecoder().decode(new Uint8Array(bytes))
}

const toNumber = (bits: boolean[]) => Number.parseInt(bits.map(Number).join(''), 2)

/** Up and down in columns of two, from the right, around the timing line and the patterns. */
function* dataModules(): Generator<[y: number, x: number]> {
  for (let right = SIZE - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up)
    for (let i = 0; i < SIZE; i++)
      for (const x of [right, right - 1]) {
        const y = up ? SIZE - 1 - i : i
        if (!isPattern(y, x)) yield [y, x]
      }
}

const isPattern = (y: number, x: number) =>
  (y < 9 && (x < 9 || x > SIZE - 9)) ||
  (y > SIZE - 9 && x < 9) ||
  y === 6 ||
  x === 6 ||
  (Math.abs(y - 34) <= 2 && Math.abs(x - 34) <= 2)
