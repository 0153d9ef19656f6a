import type { PrinterState } from '../../values/states.ts'
import type { Command } from '../device.ts'

// What printers answer. ESC/POS: a byte for each question about its state (DLE EOT), and one that all before is on paper (GS r). Star: its
// whole status as one block, and its own command back. Nothing else of an answer is kept or shown (R19).

/** States in which nothing is sent to a printer. */
export const isBlocked = (state: PrinterState) => state !== 'ready' && state !== 'paper_low'

export type Answer = { readonly kind: 'done' } | { readonly kind: 'state'; readonly state: PrinterState }

const isStar = (command: Command) => command.startsWith('star')

/** Asks for the state, and is answered at once, also while paper is out. */
export const questionFor = (command: Command): Buffer =>
  isStar(command) ? Buffer.from([0x1b, 0x06, 0x01]) : Buffer.from([0x10, 0x04, 1, 0x10, 0x04, 2, 0x10, 0x04, 4])

/** Opens the drawer (R16). */
export const pulseFor = (command: Command): Buffer =>
  isStar(command) ? Buffer.from([0x07]) : Buffer.from([0x1b, 0x70, 0, 25, 250])

/** Reads a stream of answers; what is not whole yet waits for the rest, and what is no answer is passed over. */
export function answerReader(command: Command): (bytes: Uint8Array) => Answer[] {
  return isStar(command) ? starReader() : escposReader()
}

const COVER = 0x04
const PAPER_END = 0x20
const ERROR = 0x40
const OFFLINE = 0x08
const NO_PAPER = 0x60
const PAPER_LOW = 0x0c

function escposReader(): (bytes: Uint8Array) => Answer[] {
  let status: number[] = []
  return (bytes) => {
    const answers: Answer[] = []
    for (const byte of bytes)
      if ((byte & 0x93) === 0x12) {
        status.push(byte)
        if (status.length < 3) continue
        const [printer, offline, paper] = status as [number, number, number]
        status = []
        answers.push({ kind: 'state', state: escposState(printer, offline, paper) })
      } else if ((byte & 0x90) === 0 || (byte & 0xf0) === 0x80) answers.push({ kind: 'done' })
    return answers
  }
}

function escposState(printer: number, offline: number, paper: number): PrinterState {
  if (offline & COVER) return 'cover_open'
  if (offline & PAPER_END || (paper & NO_PAPER) === NO_PAPER) return 'paper_out'
  if (offline & ERROR || printer & OFFLINE) return 'error'
  return paper & PAPER_LOW ? 'paper_low' : 'ready'
}

function starReader(): (bytes: Uint8Array) => Answer[] {
  let rest: Uint8Array = new Uint8Array(0)
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    const answers: Answer[] = []
    while (rest.length > 1) {
      if (rest[0] === 0x1b && rest[1] === 0x1d) {
        if (rest.length < 3) break
        if (rest[2] === 0x03) answers.push({ kind: 'done' })
        rest = rest.subarray(3)
        continue
      }
      const length = (rest[0]! & 0x91) === 0x01 ? lengthOf(rest[0]!) : 1
      if (rest.length < length) break
      if (length > 5) answers.push({ kind: 'state', state: starState(rest) })
      rest = rest.subarray(length)
    }
    rest = rest.slice(0, MAX_BLOCK)
    return answers
  }
}

const MAX_BLOCK = 64
/** The first byte of a block says how long it is. */
const lengthOf = (first: number) => ((first >> 2) & 0x18) | ((first >> 1) & 0x07)

function starState(block: Uint8Array): PrinterState {
  if (block[2]! & 0x20) return 'cover_open'
  if (block[5]! & 0x08) return 'paper_out'
  if (block[3]! & 0x2c || block[4]! & 0x0a || block[2]! & OFFLINE) return 'error'
  return block[5]! & 0x04 ? 'paper_low' : 'ready'
}
