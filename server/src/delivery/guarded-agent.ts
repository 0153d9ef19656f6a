import http from 'node:http'
import https from 'node:https'
import { connect as connectSocket, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Allowance, mayConnect } from './addresses.ts'

// W16: addresses are checked at connect time, all that a name has, and once more on the connected socket before its first byte.

/** Thrown for an address that nothing may be sent to. */
export class BlockedAddress extends Error {}

/** The target did not answer to a connection in time. */
export class ConnectTimeout extends Error {}

interface GuardOptions {
  readonly resolve: (name: string) => Promise<readonly string[]>
  readonly allowance: () => Promise<Allowance>
  readonly connectMs: number
  readonly maxSocketsPerHost: number
}

interface Target {
  readonly host: string
  readonly port: number
  readonly servername?: string
}

type Callback = (error: Error | null, socket?: Socket) => void

/** Agents of HTTPS and HTTP that keep connections, obey no proxy variable, and connect only where they may. */
export function guardedAgents({ resolve, allowance, connectMs, maxSocketsPerHost }: GuardOptions) {
  async function open({ host, port, servername }: Target, isPlain: boolean): Promise<Socket> {
    const allowed = await allowance()
    const check = (address: string | undefined) => {
      if (address === undefined || !mayConnect(address, isPlain, allowed)) throw new BlockedAddress()
    }
    const name = host.replace(/^\[|\]$/g, '')
    const addresses = isIP(name) === 0 ? await resolve(name) : [name] // Node asks no lookup for a literal
    for (const address of addresses) check(address)
    const lookup: LookupFunction = (_name, _options, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      )
    const socket = connectSocket({ host: name, port, lookup, autoSelectFamily: true, noDelay: true, keepAlive: true })
    const timer = setTimeout(() => socket.destroy(new ConnectTimeout()), connectMs)
    try {
      await happened(socket, 'connect')
      check(socket.remoteAddress)
      if (isPlain) return socket
      const secure = connectTls({
        socket,
        ...(isIP(name) === 0 && { servername: servername ?? name }),
        ALPNProtocols: ['http/1.1'],
      })
      await happened(secure, 'secureConnect')
      return secure
    } catch (error) {
      socket.destroy()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  const options = {
    keepAlive: true,
    maxSockets: maxSocketsPerHost,
    maxFreeSockets: 16,
    timeout: 60_000,
    proxyEnv: undefined,
  }
  const secure = new https.Agent(options)
  const plain = new http.Agent(options)
  const guard = (agent: http.Agent, isPlain: boolean) =>
    Object.assign(agent, {
      createConnection(target: Target, done: Callback) {
        open(target, isPlain).then(
          (socket) => done(null, socket),
          (error) => done(error),
        )
      },
    })
  return { 'https:': guard(secure, false) as https.Agent, 'http:': guard(plain, true) }
}

export type GuardedAgents = ReturnType<typeof guardedAgents>

function happened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      socket.removeListener(event, succeeded)
      socket.removeListener('error', settle)
      socket.removeListener('close', closed)
      if (error) reject(error)
      else resolve()
    }
    const succeeded = () => settle()
    const closed = () => settle(new Error('closed before it was connected'))
    socket.once(event, succeeded).once('error', settle).once('close', closed)
  })
}
