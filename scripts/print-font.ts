import { readFileSync, writeFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { CELL_HEIGHT, CELL_WIDTH } from '../server/src/printing/raster/atlas.ts'
import { programOf } from './packages.ts'

// Draws the letters of server/src/printing/raster/atlas.bin, once: `npx node scripts/print-font.ts`. The font is Noto Sans Mono (OFL-1.1, see
// NOTICE): its advance of 0.6 em is exactly a cell of 12 dots at 20 pixels.

const FILES = ['latin', 'latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext']
const FOLDER = new URL('../node_modules/@fontsource/noto-sans-mono/files/', import.meta.url)
const ATLAS = new URL('../server/src/printing/raster/atlas.bin', import.meta.url)
const SIZE = 20
const BASELINE = 18
/** Darkness of a dot, of 255 at the most. */
const BLACK_FROM = 110
/** Letters, digits, punctuation and signs of currencies; no marks without a letter, no spaces. */
const DRAWN = /^[\p{L}\p{N}\p{P}\p{S}]$/u

const urlOf = (file: string, form: string) => new URL(`noto-sans-mono-${file}-500-normal.${form}`, FOLDER)

/** The characters that a WOFF file has a glyph for: its table `cmap`, format 4 or 12. */
function charactersOf(woff: Buffer): number[] {
  for (let at = 44, left = woff.readUInt16BE(12); left > 0; at += 20, left -= 1) {
    if (woff.toString('latin1', at, at + 4) !== 'cmap') continue
    const [start, packed, length] = [4, 8, 12].map((offset) => woff.readUInt32BE(at + offset)) as [
      number,
      number,
      number,
    ]
    const bytes = woff.subarray(start, start + packed)
    return codesOf(packed < length ? inflateSync(bytes) : bytes)
  }
  throw new Error('this font has no table of characters')
}

function codesOf(cmap: Buffer): number[] {
  const found = new Set<number>()
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + index * 8))
    const format = table.readUInt16BE(0)
    if (format === 4) {
      const segments = table.readUInt16BE(6) / 2
      for (let segment = 0; segment < segments; segment += 1) {
        const end = table.readUInt16BE(14 + segment * 2)
        const start = table.readUInt16BE(16 + (segments + segment) * 2)
        for (let code = start; code <= end && code < 0xffff; code += 1) found.add(code)
      }
    }
    if (format === 12)
      for (let group = 0; group < table.readUInt32BE(12); group += 1) {
        const [start, end] = [16, 20].map((offset) => table.readUInt32BE(offset + group * 12)) as [number, number]
        for (let code = start; code <= end; code += 1) found.add(code)
      }
  }
  return [...found]
}

const codes = [...new Set(FILES.flatMap((file) => charactersOf(readFileSync(urlOf(file, 'woff')))))]
  .filter((code) => DRAWN.test(String.fromCodePoint(code)))
  .sort((one, other) => one - other)
const fonts = FILES.map((file) => readFileSync(urlOf(file, 'woff2')).toString('base64'))

const browser = await chromium.launch({ executablePath: programOf('chromium'), args: ['--no-sandbox'] })
const page = await browser.newPage()
// As text: the types of a page are not those of a script.
const cells = await page.evaluate<number[][]>(`(async () => {
  const fonts = ${JSON.stringify(fonts)}
  for (const [index, font] of fonts.entries())
    document.fonts.add(await new FontFace('paper' + index, 'url(data:font/woff2;base64,' + font + ')').load())
  const canvas = new OffscreenCanvas(${CELL_WIDTH}, ${CELL_HEIGHT})
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context.font = '${SIZE}px ' + fonts.map((_, index) => 'paper' + index).join(', ')
  return ${JSON.stringify(codes)}.map((code) => {
    context.clearRect(0, 0, ${CELL_WIDTH}, ${CELL_HEIGHT})
    context.fillText(String.fromCodePoint(code), 0, ${BASELINE})
    const { data } = context.getImageData(0, 0, ${CELL_WIDTH}, ${CELL_HEIGHT})
    return Array.from({ length: ${CELL_WIDTH * CELL_HEIGHT} }, (_, dot) => (data[dot * 4 + 3] >= ${BLACK_FROM} ? 1 : 0))
  })
})()`)
await browser.close()

const drawn = codes.flatMap((code, index) => (cells[index]!.includes(1) ? [{ code, dots: cells[index]! }] : []))
const file = Buffer.alloc(4 + drawn.length * (4 + (CELL_WIDTH * CELL_HEIGHT) / 8))
file.writeUInt32BE(drawn.length)
for (const [index, { code, dots }] of drawn.entries()) {
  file.writeUInt32BE(code, 4 + index * 4)
  const start = 4 + drawn.length * 4 + (index * CELL_WIDTH * CELL_HEIGHT) / 8
  for (const [dot, isBlack] of dots.entries()) if (isBlack) file[start + (dot >> 3)]! |= 0x80 >> (dot & 7)
}
writeFileSync(ATLAS, file)
process.stdout.write(`${drawn.length} letters, ${file.length} bytes\n`)
