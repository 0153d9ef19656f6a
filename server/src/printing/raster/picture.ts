import receiptline from 'receiptline'
import type { Command, Device } from '../device.ts'
import { CELL_WIDTH } from './atlas.ts'
import { defused, type Page } from './page.ts'
import { quickPngOf } from './png.ts'

// A page as the bytes of each command set (R6). receiptline's own way reads a PNG and weighs each dot again, ten times slower than sending the
// dots that we have: for the usual printers these are written here, byte for byte as receiptline would. All others go its way.

const bytes = (...values: number[]) => String.fromCharCode(...values)
const low = (value: number) => value & 255
const high = (value: number) => value >> 8

const QUICK: Readonly<Partial<Record<Command, (rows: Buffer, page: Page, height: number) => string>>> = {
  escpos: stored,
  citizen: stored,
  generic: atOnce,
}

/** GS 8 L: dots are stored; GS ( L: and printed. */
function stored(rows: Buffer, { width }: Page, height: number): string {
  const length = rows.length + 10
  const counted = [0, 8, 16, 24].map((shift) => low(length >> shift))
  const size = [low(width), high(width), low(height), high(height)]
  return `\x1d8L${bytes(...counted, 48, 112, 48, 1, 1, 49, ...size)}${rows.toString('latin1')}\x1d(L${bytes(2, 0, 48, 50)}`
}

/** GS v 0: dots are printed as they come. */
function atOnce(rows: Buffer, { stride }: Page, height: number): string {
  return `\x1dv0${bytes(0, low(stride), high(stride), low(height), high(height))}${rows.toString('latin1')}`
}

/** The commands that print a page. `isQuick` is for the test that holds the two ways against each other. */
export function pictured(page: Page, { command, cut }: Pick<Device, 'command' | 'cut'>, isQuick = true): string {
  const options = { cpl: Math.floor(page.width / CELL_WIDTH), encoding: 'multilingual', cutting: cut } as const
  const dots = defused(page.dots())
  const own = receiptline.commands[command]
  const quick = isQuick && QUICK[command]
  if (!quick) {
    const picture = quickPngOf(dots, page.width, page.height).toString('base64')
    return receiptline.transform(`{image:${picture}}`, { ...options, command: own, gradient: false, gamma: 1 })
  }
  const image = () => {
    const parts: string[] = []
    for (let top = 0; top < page.height; top += own.split) {
      const height = Math.min(own.split, page.height - top)
      const rows = dots.subarray(top * page.stride, (top + height) * page.stride)
      parts.push(quick(Buffer.from(rows), page, height))
    }
    return parts.join('')
  }
  return receiptline.transform('{image:AA==}', { ...options, command: { ...own, image } })
}
