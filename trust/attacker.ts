import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveTasks } from './crowd.ts'

// Clients that mean no good, in a process of their own so that they cost the healthy one nothing but what the server spends on them.

export interface Attack {
  kind: 'slow headers' | 'slow bodies' | 'slow readers' | 'endless bodies' | 'connects' | 'huge headers' | 'deep JSON'
  port: number
  token: string
  count: number
  perSecond: number
  /** When it is given up. */
  forMs: number
}

export interface Outcome {
  /** Connections that the server ended. */
  cut: number
  /** After how long the most patient of them was. */
  lastCutMs: number
  /** The most bytes of one body that were taken. */
  mostTaken: number
  statuses: Record<string, number>
}

const headers = (token: string) => `Host: x\r\nx-token: ${token}\r\nx-forwarded-for: 10.9.8.7\r\n`
const post = (token: string, length: string) =>
  `POST /v2/customers HTTP/1.1\r\n${headers(token)}Content-Type: application/json\r\n${length}\r\n\r\n`

/** What one such client does on its connection until it is cut off. */
const MANNERS: Record<Attack['kind'], (socket: Socket, token: string) => Promise<void> | void> = {
  async 'slow headers'(socket) {
    socket.write('GET /v2/receipts/1 HTTP/1.1\r\nHost: x\r\n')
    for (let line = 0; !socket.destroyed; line++) {
      socket.write(`x-${line}: 1\r\n`)
      await sleep(500)
    }
  },
  async 'slow bodies'(socket, token) {
    socket.write(post(token, 'Content-Length: 10000'))
    while (!socket.destroyed) {
      socket.write(' ')
      await sleep(500)
    }
  },
  'slow readers'(socket, token) {
    socket.pause()
    socket.write(`GET /v2/products?limit=100 HTTP/1.1\r\n${headers(token)}\r\n`.repeat(2))
  },
  async 'endless bodies'(socket, token) {
    const piece = ' '.repeat(4_096)
    socket.write(post(token, 'Transfer-Encoding: chunked'))
    while (!socket.destroyed) {
      const more = socket.write(`1000\r\n${piece}\r\n`)
      await (more ? sleep(1) : new Promise((resolve) => socket.once('drain', resolve).once('close', resolve)))
    }
  },
  connects() {},
  'huge headers'(socket, token) {
    socket.write(`GET /v2/receipts/1 HTTP/1.1\r\n${headers(token)}x-large: ${'a'.repeat(100_000)}\r\n\r\n`)
  },
  'deep JSON'(socket, token) {
    const body = '['.repeat(30_000) + ']'.repeat(30_000)
    socket.write(`${post(token, `Content-Length: ${body.length}\r\nConnection: close`)}${body}`)
  },
}

async function attack({ kind, port, token, count, perSecond, forMs }: Attack): Promise<Outcome> {
  const outcome: Outcome = { cut: 0, lastCutMs: 0, mostTaken: 0, statuses: {} }
  let over = false
  const sockets = await Promise.all(Array.from({ length: count }, (_, index) => one(index)))
  await Promise.race([
    Promise.all(sockets.map((socket) => socket.closed || new Promise((end) => socket.once('close', end)))),
    sleep(forMs),
  ])
  over = true
  for (const socket of sockets) socket.destroy()
  return outcome

  async function one(index: number): Promise<Socket> {
    await sleep((index / perSecond) * 1_000)
    const connectedAt = performance.now()
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (piece: string) => {
      const status = /^HTTP\/1\.1 (\d+)/.exec(piece)?.[1]
      if (status) outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1
    })
    socket.once('close', () => {
      if (over) return
      outcome.cut++
      outcome.lastCutMs = Math.max(outcome.lastCutMs, performance.now() - connectedAt)
      outcome.mostTaken = Math.max(outcome.mostTaken, socket.bytesWritten - socket.writableLength)
    })
    socket.once('connect', () => void MANNERS[kind](socket, token))
    return socket
  }
}

serveTasks(attack)
