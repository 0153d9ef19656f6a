import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Decoder, type Item, linesOf, type Picture, pictureOf, UnknownCommand } from './decode.ts'

// R18: a printer on a port of this machine, for people who have none and for all tests. It understands each byte or says which it does not,
// and it fails in the ways that printers do.

export const FAULTS = [
  'paper_out',
  'paper_out_at',
  'cover_open',
  'refuse',
  'hang',
  'slow',
  'cut_at',
  'no_ack',
  'ack_twice',
  'garbage',
] as const
export type Fault = (typeof FAULTS)[number]
/** Faults by name. Some have a number: papers, milliseconds for each part that arrives, or bytes. */
export type Faults = Partial<Record<Fault, number>>

const NUMBERED: readonly Fault[] = ['paper_out_at', 'slow', 'cut_at']

/** Reads `paper_out` or `slow=20`; undefined where it is neither. */
export function readFault(text: string): readonly [Fault, number] | undefined {
  const [name = '', value] = text.split('=')
  const fault = FAULTS.find((each) => each === name)
  if (!fault || NUMBERED.includes(fault) !== (value !== undefined)) return undefined
  const number = Number(value ?? 1)
  return Number.isSafeInteger(number) && number >= 0 ? [fault, number] : undefined
}

/** What came out, cut off. */
export interface Paper {
  readonly lines: readonly string[]
  readonly picture: Picture | undefined
}

export interface FakePrinter {
  readonly port: number
  /** Papers that came out so far, oldest first. */
  readonly papers: readonly Paper[]
  /** How often the drawer was opened. */
  readonly pulses: number
  /** Bytes that no command begins with. */
  readonly errors: readonly string[]
  /** Sets the faults that it has from now on. */
  setFaults(faults: Faults): void
  close(): Promise<void>
}

interface Options {
  readonly host?: string
  readonly port?: number
  readonly faults?: Faults
  readonly onCut?: (paper: Paper) => void
  readonly onError?: (sentence: string) => void
}

export async function startFakePrinter({
  host = '127.0.0.1',
  port = 0,
  faults: first = {},
  onCut,
  onError,
}: Options = {}): Promise<FakePrinter> {
  let faults = first
  const papers: Paper[] = []
  const errors: string[] = []
  const sockets = new Set<Socket>()
  /** What was taken and is not on paper yet: it waits for paper, also when the connection is gone. */
  const waiting: { readonly item: Item; readonly socket: Socket }[] = []
  let onPaper: Item[] = []
  let pulses = 0

  const isOut = () =>
    faults.paper_out !== undefined || papers.length >= (faults.paper_out_at ?? Number.POSITIVE_INFINITY)
  const isOpen = () => faults.cover_open !== undefined

  async function serve(socket: Socket): Promise<void> {
    const decoder = new Decoder()
    let received = 0
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      if (faults.hang !== undefined) continue
      if (faults.slow) await sleep(faults.slow)
      const left = faults.cut_at === undefined ? chunk.length : Math.max(0, faults.cut_at - received)
      received += chunk.length
      for (const item of decoder.push(chunk.subarray(0, left)))
        if (item.kind === 'status')
          socket.write(answered((item.isStar ? starStatus : statusOf)(item.code, isOut(), isOpen())))
        else waiting.push({ item, socket })
      print()
      if (left < chunk.length) return void socket.destroy()
    }
  }

  function print(): void {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const { item, socket } = next
      if (item.kind !== 'done' && (isOut() || isOpen())) return
      waiting.shift()
      if (item.kind === 'pulse') pulses += 1
      if (item.kind !== 'done') onPaper.push(item)
      if (item.kind === 'cut' || item.kind === 'done') comeOut()
      if (item.kind === 'done') acknowledge(socket, item.isStar)
    }
  }

  function comeOut(): void {
    if (!onPaper.some(({ kind }) => kind === 'text' || kind === 'picture')) return
    const paper: Paper = { lines: linesOf(onPaper), picture: pictureOf(onPaper) }
    onPaper = []
    papers.push(paper)
    onCut?.(paper)
  }

  function acknowledge(socket: Socket, isStar: boolean): void {
    if (faults.no_ack !== undefined || socket.destroyed) return
    const done = isStar ? STAR_DONE : READY
    socket.write(answered(done))
    if (faults.ack_twice !== undefined) socket.write(answered(done))
  }

  const answered = (bytes: Buffer) => (faults.garbage === undefined ? bytes : GARBAGE)

  const server = createServer((socket) => {
    if (faults.refuse !== undefined) return void socket.destroy()
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => {}))
    serve(socket).catch((error) => {
      if (!(error instanceof UnknownCommand)) return // the other end went away
      errors.push(error.message)
      onError?.(error.message)
      socket.destroy()
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    papers,
    errors,
    get pulses() {
      return pulses
    },
    setFaults: (next) => {
      faults = next
      print()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const READY = Buffer.from([0])
const GARBAGE = Buffer.from([0xff, 0x00, 0xaa])
/** Bits that each answer in real time has. */
const REAL_TIME = 0x12
const OFFLINE = 0x08
const COVER_OPEN = 0x04
const PAPER_END = 0x20
const NO_PAPER = 0x60

/** Star's own command comes back. */
const STAR_DONE = Buffer.from([0x1b, 0x1d, 0x03, 0x01, 0x00, 0x00])

/** Star's whole status: nine bytes, the first of which says so. */
function starStatus(_code: number, isOut: boolean, isOpen: boolean): Buffer {
  const offline = isOut || isOpen ? OFFLINE : 0
  return Buffer.from([0x23, 0x06, offline | (isOpen ? 0x20 : 0), 0, 0, isOut ? 0x08 : 0, 0, 0, 0])
}

/** DLE EOT 1, 2 and 4: whether it prints, why not, and its paper. */
function statusOf(code: number, isOut: boolean, isOpen: boolean): Buffer {
  const bits = {
    1: isOut || isOpen ? OFFLINE : 0,
    2: (isOpen ? COVER_OPEN : 0) | (isOut ? PAPER_END : 0),
    4: isOut ? NO_PAPER : 0,
  }[code]
  return Buffer.from([REAL_TIME | (bits ?? 0)])
}
