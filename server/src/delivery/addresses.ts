import { BlockList, isIP } from 'node:net'

// W16: addresses that nothing is sent to, because a name on the internet has no business there.

const FORBIDDEN = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32', // a cloud's own services
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96', // IPv4-compatible, the unspecified address and loopback
  '::ffff:0:0:0/96', // IPv4-translated
  '64:ff9b::/96', // NAT64
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23', // Teredo among them
  '2001:db8::/32',
  '2002::/16', // 6to4
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** A list of CIDR blocks; a bare address is a block of one. */
export function blockList(blocks: Iterable<string>): BlockList {
  const list = new BlockList()
  for (const block of blocks) {
    const [address = '', bits] = block.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

const forbidden = blockList(FORBIDDEN)

/** ::ffff:a.b.c.d in any spelling is the IPv4 address that it stands for; a zone is left out. */
export function plainAddress(address: string): string {
  const [plain = ''] = address.split('%')
  if (isIP(plain) !== 6) return plain
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(new URL(`http://[${plain}]`).hostname) ?? []
  if (high === undefined || low === undefined) return plain
  const [one, other] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [one >> 8, one & 255, other >> 8, other & 255].join('.')
}

export const contains = (list: BlockList, address: string) => list.check(address, familyOf(address))

/** Addresses that may be connected to, and by plain HTTP as well. */
export interface Allowance {
  /** Addresses that an operator allows although a block forbids them (W17). */
  readonly allowed: BlockList
  /** Addresses that are forbidden because they are ours: of our interfaces, the database and Redis. */
  readonly ours: BlockList
}

/** Whether one may connect to an address. Plain HTTP goes only where an operator allows it. */
export function mayConnect(address: string, isPlain: boolean, { allowed, ours }: Allowance): boolean {
  const plain = plainAddress(address)
  if (isIP(plain) === 0) return false
  if (contains(allowed, plain)) return true
  return !isPlain && !contains(forbidden, plain) && !contains(ours, plain)
}
