import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Stands between a client and a real server, and does to their bytes what networks do. */
export interface FaultProxy {
  /** The server's address, by way of the proxy. */
  url: string
  /** Connections that a client has open now. */
  connections(): number
  /** Pieces that clients have sent so far; with a driver that writes a call at once, its round trips. */
  sent(): number
  /** Lets everything through again, what was held back first. */
  heal(): Promise<void>
  /** Holds each piece back for a while, both ways. */
  slow(ms: number): void
  /** Accepts, and says nothing. */
  freeze(): void
  /** Cuts every connection and refuses new ones. */
  down(): Promise<void>
  /** Cuts the connection on which a client has said `first` and now says `then`, before the server hears it or after. */
  cut(first: string, then: string, when: 'before' | 'after'): void
  close(): Promise<void>
}

export async function faultProxy(target: string): Promise<FaultProxy> {
  const url = new URL(target)
  const server = { host: url.hostname, port: Number(url.port) }
  const clients = new Set<Socket>()
  let sent = 0
  let latencyMs = 0
  let thawed = Promise.withResolvers<void>()
  let trap: { first: string; then: string; when: 'before' | 'after' } | undefined
  thawed.resolve()

  const listener = createServer((client) => {
    const upstream = connect(server)
    clients.add(client)
    client.once('close', () => clients.delete(client))
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.setNoDelay(true).on('error', () => {}) // 'close' follows
      one.once('close', () => other.destroy())
    }
    carry(upstream, (piece) => client.write(piece))
    let saidFirst = false
    carry(client, (piece) => {
      sent++
      saidFirst ||= trap !== undefined && piece.includes(trap.first)
      if (!trap || !saidFirst || !piece.includes(trap.then)) return void upstream.write(piece)
      if (trap.when === 'after') upstream.end(piece)
      client.destroy()
      trap = undefined
    })
  })

  // Pieces leave in the order they came, however the faults change meanwhile.
  function carry(from: Socket, pass: (piece: Buffer) => void) {
    let line = Promise.resolve()
    from.on('data', (piece: Buffer) => {
      const due = performance.now() + latencyMs
      line = line.then(async () => {
        const wait = due - performance.now()
        if (wait > 0) await sleep(wait)
        await thawed.promise
        pass(piece)
      })
    })
  }

  async function listen(port: number) {
    await once(listener.listen(port, '127.0.0.1'), 'listening')
  }

  await listen(0)
  const { port } = listener.address() as AddressInfo
  url.host = `127.0.0.1:${port}`

  const down = async () => {
    const closed = once(listener, 'close')
    listener.close()
    for (const client of clients) client.destroy()
    await closed
  }
  return {
    url: url.href,
    connections: () => clients.size,
    sent: () => sent,
    async heal() {
      latencyMs = 0
      thawed.resolve()
      if (!listener.listening) await listen(port)
    },
    slow(ms) {
      latencyMs = ms
    },
    freeze() {
      thawed = Promise.withResolvers()
    },
    down,
    cut(first, then, when) {
      trap = { first, then, when }
    },
    async close() {
      thawed.resolve()
      if (listener.listening) await down()
    },
  }
}
