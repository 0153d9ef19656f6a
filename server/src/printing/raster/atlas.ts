import { readFileSync } from 'node:fs'

// Letters drawn ahead, 12 × 24 dots each: Latin with all its marks, Greek, Cyrillic and signs of currencies. scripts/print-font.ts makes the
// file: the number of letters, their code points in rising order, then the dots of each, a bit a dot, row by row.

export const CELL_WIDTH = 12
export const CELL_HEIGHT = 24
const DOTS = CELL_WIDTH * CELL_HEIGHT
const BYTES = DOTS / 8

/** The dots of a letter: 1 is black. */
export type Glyph = Uint8Array

let atlas: { readonly file: Buffer; readonly places: ReadonlyMap<number, number> } | undefined
const glyphs = new Map<string, Glyph>()

/** Read when the first document is drawn: a service without printers holds none of it. */
function openAtlas() {
  const file = readFileSync(new URL('./atlas.bin', import.meta.url))
  const count = file.readUInt32BE(0)
  const places = Array.from(
    { length: count },
    (_, index) => [file.readUInt32BE(4 + index * 4), 4 + count * 4 + index * BYTES] as const,
  )
  return { file, places: new Map(places) }
}

/** The letter of a character, or undefined where no font of ours has one. */
export function glyphOf(character: string): Glyph | undefined {
  const known = glyphs.get(character)
  if (known) return known
  atlas ??= openAtlas()
  const [code, ...others] = [...character].map((each) => each.codePointAt(0)!)
  const start = others.length === 0 ? atlas.places.get(code!) : undefined
  if (start === undefined) return undefined
  const { file } = atlas
  const glyph = Uint8Array.from({ length: DOTS }, (_, dot) => (file[start + (dot >> 3)]! >> (7 - (dot & 7))) & 1)
  glyphs.set(character, glyph)
  return glyph
}

const EDGE = 2

/** What stands for a character that no font has. */
export const BOX: Glyph = Uint8Array.from({ length: DOTS }, (_, dot) => {
  const [x, y] = [dot % CELL_WIDTH, Math.floor(dot / CELL_WIDTH)]
  const isInside = x >= EDGE && x < CELL_WIDTH - EDGE && y >= 2 * EDGE && y < CELL_HEIGHT - 2 * EDGE
  const isEdge = x === EDGE || x === CELL_WIDTH - EDGE - 1 || y === 2 * EDGE || y === CELL_HEIGHT - 2 * EDGE - 1
  return isInside && isEdge ? 1 : 0
})
