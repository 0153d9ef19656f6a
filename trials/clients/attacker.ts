import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveTasks } from '../harness/process-pool.ts'

// Clients that mean no good, in a process of their own so that they cost the healthy one nothing but what the server spends on them.

export interface Attack {
  kind:
    | 'slow headers'
    | 'slow bodies'
    | 'slow readers'
    | 'endless bodies'
    | 'unwanted bodies'
    | 'huge headers'
    | 'deep JSON'
    | 'connects'
    | 'idle connects'
  port: number
  token: string
  count: number
  perSecond: number
  /** When it is given up. */
  forMs: number
}

export interface Outcome {
  /** Connections that were refused. */
  refused: number
  /** Connections that the server ended. */
  cut: number
  /** After how long the most patient of them was. */
  lastCutMs: number
  statuses: Record<string, number>
}

const READERS_ASK_FOR = 32 // as many as a connection may have in line, and more than the system holds for one that does not read
const READ_AT_LAST_MS = 46_000 // cut within 40 s of its last answer, on a busy machine

// Each from an address of its own, or tier 2 would speak first.
const headers = (token: string, index: number) =>
  `Host: x\r\nx-token: ${token}\r\nx-forwarded-for: 10.9.${index >> 8}.${index & 255}\r\n`
const page = (token: string, index: number) => `GET /v2/products?limit=100 HTTP/1.1\r\n${headers(token, index)}\r\n`
const post = (token: string, index: number, length: string) =>
  `POST /v2/customers HTTP/1.1\r\n${headers(token, index)}Content-Type: application/json\r\n${length}\r\n\r\n`

/** What one such client does on its connection until it is cut off. */
const MANNERS: Record<Attack['kind'], (socket: Socket, token: string, index: number) => Promise<void> | void> = {
  async 'slow headers'(socket) {
    socket.write('GET /v2/receipts/1 HTTP/1.1\r\nHost: x\r\n')
    for (let line = 0; !socket.destroyed; line++) {
      socket.write(`x-${line}: 1\r\n`)
      await sleep(500)
    }
  },
  async 'slow bodies'(socket, token, index) {
    socket.write(post(token, index, 'Content-Length: 10000'))
    while (!socket.destroyed) {
      socket.write(' ')
      await sleep(500)
    }
  },
  async 'slow readers'(socket, token, index) {
    socket.pause().write(page(token, index).repeat(READERS_ASK_FOR))
    await sleep(READ_AT_LAST_MS)
    socket.resume() // who does not read finds out only now that it was cut
  },
  'endless bodies': writeOnAndOn,
  'unwanted bodies': (socket, _token, index) => writeOnAndOn(socket, 'none', index),
  'huge headers'(socket, token, index) {
    socket.write(`GET /v2/receipts/1 HTTP/1.1\r\n${headers(token, index)}x-large: ${'a'.repeat(100_000)}\r\n\r\n`)
  },
  'deep JSON'(socket, token, index) {
    const body = '['.repeat(30_000) + ']'.repeat(30_000)
    socket.write(`${post(token, index, `Content-Length: ${body.length}\r\nConnection: close`)}${body}`)
  },
  connects(socket) {
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  },
  'idle connects'() {},
}

async function writeOnAndOn(socket: Socket, token: string, index: number): Promise<void> {
  const piece = `1000\r\n${' '.repeat(4_096)}\r\n`
  socket.write(post(token, index, 'Transfer-Encoding: chunked'))
  while (!socket.destroyed) {
    const more = socket.write(piece)
    await (more ? sleep(1) : new Promise((resolve) => socket.once('drain', resolve).once('close', resolve)))
  }
}

async function attack({ kind, port, token, count, perSecond, forMs }: Attack): Promise<Outcome> {
  const outcome: Outcome = { refused: 0, cut: 0, lastCutMs: 0, statuses: {} }
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
    let wasAccepted = false
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (piece: string) => {
      const status = /^HTTP\/1\.1 (\d+)/.exec(piece)?.[1]
      if (status) outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1
    })
    socket.once('close', () => {
      if (over) return
      if (!wasAccepted) return void outcome.refused++
      outcome.cut++
      outcome.lastCutMs = Math.max(outcome.lastCutMs, performance.now() - connectedAt)
    })
    socket.once('connect', () => {
      wasAccepted = true
      MANNERS[kind](socket, token, index)
    })
    return socket
  }
}

serveTasks(attack)
