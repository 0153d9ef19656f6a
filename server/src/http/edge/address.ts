import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket, SocketAddress } from 'node:net'
import type { Key } from '../call.ts'

// D7.3: the address by which a client is counted.

/** Peers that may forward the addresses of their clients. */
export function trustedProxies(blocks: readonly string[]): BlockList {
  const trusted = new BlockList()
  for (const block of blocks) {
    const [address = '', bits] = block.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    trusted.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return trusted
}

export const isTrusted = (trusted: BlockList, address: string) => {
  const family = isIP(address)
  return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** The other end of a connection. */
interface Peer {
  readonly address: string
  readonly key: Key
  /** Whether it may forward the addresses of its clients. */
  readonly isProxy: boolean
}

/** Finds the address and the key of a request's client. `onUnreadable` gets the peer that forwarded an unreadable address. */
export function clientAddresses(trusted: BlockList | undefined, onUnreadable: (peer: string) => void = () => {}) {
  // Cached by socket: many requests share one connection, whose peer does not change.
  const peers = new WeakMap<Socket, Peer>()

  function peerOf(socket: Socket): Peer {
    let peer = peers.get(socket)
    if (!peer) {
      const address = peerAddress(socket)
      peer = { address, key: addressKey(address), isProxy: trusted !== undefined && isTrusted(trusted, address) }
      peers.set(socket, peer)
    }
    return peer
  }

  /**
   * The socket's peer; behind trusted proxies, the right-most forwarded address that is not one of them. What an untrusted peer forwards
   * is ignored. An unreadable entry ends the search at the peer, and is reported.
   */
  function addressOf({ socket, headers }: IncomingMessage): string {
    const peer = peerOf(socket)
    const header = headers['x-forwarded-for']
    if (header === undefined || !peer.isProxy) return peer.address
    const forwarded = String(header).split(',')
    for (let i = forwarded.length - 1; i >= 0; i--) {
      const address = plain(withoutPort(forwarded[i]!.trim()))
      if (isIP(address) === 0) {
        onUnreadable(peer.address)
        return peer.address
      }
      if (!isTrusted(trusted!, address)) return address
    }
    return peer.address
  }

  return {
    addressOf,
    /** The key of tiers 1 and 2. */
    keyOf(request: IncomingMessage): Key {
      const peer = peerOf(request.socket)
      const address = addressOf(request)
      return address === peer.address ? peer.key : addressKey(address)
    },
    isFromProxy: ({ socket }: IncomingMessage) => peerOf(socket).isProxy,
  }
}

export const peerAddress = ({ remoteAddress = '' }: Socket) => plain(remoteAddress)

/** Strips the port: some proxies write `203.0.113.1:1111`, `[2001:db8::1]` or `[2001:db8::1]:443`. */
const withoutPort = (entry: string) =>
  /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(entry)?.[1] ?? entry

/** Turns an IPv4-mapped address, however it is written, into that IPv4 address. */
function plain(address: string): string {
  if (isIP(address) !== 6) return address
  const { address: canonical } = new SocketAddress({ address: address.split('%')[0]!, family: 'ipv6' })
  return canonical.startsWith('::ffff:') && isIP(canonical.slice(7)) === 4 ? canonical.slice(7) : address
}

/**
 * The key of tiers 1 and 2. IPv4: the address as a signed 32-bit integer, which V8 stores without allocating. IPv6: the /64, because one
 * client has all of it.
 */
export function addressKey(address: string): Key {
  const family = isIP(address)
  if (family === 4) return ipv4Key(address)
  if (family === 6) return prefixOf(address)
  return 'no address' // a Unix socket has none
}

/** Parses character by character: splitting would make five objects for each request. */
function ipv4Key(address: string): number {
  let key = 0
  let part = 0
  for (let i = 0; i < address.length; i++) {
    const code = address.charCodeAt(i)
    if (code !== DOT) part = part * 10 + code - ZERO
    else {
      key = (key << 8) | part
      part = 0
    }
  }
  return (key << 8) | part
}

const DOT = 46
const ZERO = 48

function prefixOf(address: string): string {
  const canonical = new SocketAddress({ address: address.split('%')[0]!, family: 'ipv6' }).address
  const [head = '', tail] = canonical.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  // One join makes one flat text. A template keeps its parts too: a quarter more memory for a flood of addresses.
  return [...groups.slice(0, 4), '', '/64'].join(':')
}

/** The key as people read it. */
export const shownKey = (key: Key) =>
  typeof key === 'number' ? `${key >>> 24}.${(key >>> 16) & 255}.${(key >>> 8) & 255}.${key & 255}` : key
