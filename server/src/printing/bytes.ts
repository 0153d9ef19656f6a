import receiptline from 'receiptline'
import type { Device } from './device.ts'
import type { Marks, PrintDocument, Writing } from './documents.ts'
import { charactersOf } from './paper/wrap.ts'
import { CELL_WIDTH } from './raster/atlas.ts'
import { drawn } from './raster/draw.ts'
import { pictured } from './raster/picture.ts'
import { pngOf } from './raster/png.ts'
import { writeDocument } from './write.ts'

export const cellsOf = ({ dots }: Pick<Device, 'dots'>) => Math.floor(dots / CELL_WIDTH)

/** What a printer is sent for a document. */
export function bytesOf(document: PrintDocument, writing: Writing, device: Device, marks?: Marks): Buffer {
  const { command, code_page, cut } = device
  const cpl = cellsOf(device)
  const text = writeDocument(document, writing, cpl, marks)
  const commands = isDrawn(text, device)
    ? pictured(drawn(text, cpl), device)
    : receiptline.transform(written(text, device), { cpl, encoding: code_page, cutting: cut, command })
  return Buffer.from(commands, 'latin1')
}

/** R7: a document as it comes out, in either mode. */
export function previewOf(document: PrintDocument, writing: Writing, device: Device, marks?: Marks): Buffer {
  const page = drawn(writeDocument(document, writing, cellsOf(device), marks), cellsOf(device))
  return pngOf(page.dots(), page.width, page.height)
}

/** R5: a document is drawn where its printer lacks one of its characters. Some command sets have no text at all. */
function isDrawn(text: string, device: Device): boolean {
  const { command, mode } = device
  if (mode !== 'auto') return mode === 'raster'
  return command === 'stargraphic' || charactersOf(text).some((character) => !isWritable(device, character))
}

/** Where a person wants text whatever it is: what the printer lacks is one "?", so that every line stays as long as it was laid out. */
const written = (text: string, device: Device): string =>
  device.mode === 'text'
    ? charactersOf(text)
        .map((character) => (isWritable(device, character) ? character : '?'))
        .join('')
    : text

const writable = new Map<string, boolean>()

function isWritable({ command, code_page }: Device, character: string): boolean {
  if (/^[ -~\n]$/.test(character)) return true
  const key = `${command} ${code_page} ${character}`
  let is = writable.get(key)
  if (is === undefined) {
    if (writable.size === MAX_CHARACTERS) writable.clear()
    // The letters of impact are those of escpos, but it keeps them back until a line is full.
    const says = command === 'impact' ? 'escpos' : command
    is = !receiptline.commands[says].text(character, code_page).includes('?')
    writable.set(key, is)
  }
  return is
}
/** Characters whose answer is kept. */
const MAX_CHARACTERS = 5_000
