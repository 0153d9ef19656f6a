import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PrinterState } from '../../values/states.ts'
import type { Command } from '../device.ts'
import { answerReader, questionFor } from './answers.ts'

// One connection to one printer: most take one at a time. Nothing but its state leaves this file (R19).

/** How long a printer may take (R10, R11), in milliseconds. */
export const TIMING = {
  connect: 3_000,
  progress: 10_000,
  answer: 15_000,
  state: 2_000,
  /** A printer that acknowledges nothing has printed when it took all and no error came for so long. */
  settled: 1_000,
  /** A connection without work is closed after this. */
  idle: 2_000,
  /** The waits after failed attempts; the last one repeats. */
  retries: [1_000, 2_000, 5_000, 10_000, 15_000] as readonly number[],
  /** How long a state lasts before anybody is told. */
  told: 5_000,
}
export type Timing = typeof TIMING

/** What a sender works through: a printer on the network, or one on a page. */
export interface Connection {
  readonly isOpen: boolean
  /** Its state; `silent` where it does not answer in time. */
  state(): Promise<PrinterState>
  /** Takes bytes; resolves when the printer has all of them. Fails where it takes none for a while, or goes away. */
  send(bytes: Buffer): Promise<void>
  /** Resolves as true when so many documents were acknowledged since the last question, as false when it takes too long. */
  acknowledged(count: number, ms: number): Promise<boolean>
  close(): void
}

export class PrinterAway extends Error {}

export async function openConnection(
  { address, port, command }: { readonly address: string; readonly port: number; readonly command: Command },
  timing: Timing,
): Promise<Connection> {
  const socket = connect({ host: address, port, noDelay: true })
  const read = answerReader(command)
  const hasNoOther = command === 'stargraphic' // its documents end with the question about its state
  const waiting = new Set<() => void>()
  let isOpen = true
  let done = 0
  let states: PrinterState[] = []

  const wake = () => {
    for (const each of waiting) each()
  }
  socket.on('error', () => {}) // what follows says it
  socket.on('close', () => {
    isOpen = false
    wake()
  })
  socket.on('data', (bytes: Buffer) => {
    for (const answer of read(bytes)) {
      if (answer.kind === 'done' || hasNoOther) done += 1
      if (answer.kind === 'state') states.push(answer.state)
    }
    states = states.slice(-1)
    wake()
  })
  await opened(socket, timing.connect)

  /** Waits until something holds; false when the time is over, or the connection. */
  async function until(holds: () => boolean, ms: number): Promise<boolean> {
    const end = performance.now() + ms
    while (!holds()) {
      const left = end - performance.now()
      if (!isOpen || left <= 0) return false
      await new Promise<void>((resolve) => {
        const over = () => {
          clearTimeout(timer)
          waiting.delete(over)
          resolve()
        }
        const timer = setTimeout(over, left)
        waiting.add(over)
      })
    }
    return true
  }

  return {
    get isOpen() {
      return isOpen
    },
    async state() {
      states = []
      socket.write(questionFor(command))
      const isAnswered = await until(() => states.length > 0, timing.state)
      if (!isOpen) throw new PrinterAway()
      return isAnswered ? states[0]! : 'silent'
    },
    async send(bytes) {
      done = 0 // what came late, or twice, acknowledges nothing that follows
      let isTaken = false
      socket.write(bytes, (error) => {
        if (!error) isTaken = true
        wake()
      })
      for (let left = socket.writableLength; !isTaken; left = socket.writableLength) {
        await until(() => isTaken || socket.writableLength < left, timing.progress)
        if (!isOpen || (!isTaken && socket.writableLength >= left)) throw new PrinterAway()
      }
    },
    acknowledged: (count, ms) => until(() => done >= count, ms),
    close() {
      isOpen = false
      socket.destroy()
      wake()
    },
  }
}

async function opened(socket: Socket, ms: number): Promise<void> {
  const controller = new AbortController()
  const over = sleep(ms, 'late' as const, { signal: controller.signal, ref: false }).catch(() => 'open' as const)
  const result = await Promise.race([
    new Promise<'open' | 'closed'>((resolve) => {
      socket.once('connect', () => resolve('open'))
      socket.once('close', () => resolve('closed'))
    }),
    over,
  ])
  controller.abort()
  if (result === 'open') return
  socket.destroy()
  throw new PrinterAway()
}
