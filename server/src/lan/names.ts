import { BlockList, isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import type { Config } from '../config.ts'

/** The ranges that no two networks share a route to: what the local authority may sign for, beside this host's names. */
export const PRIVATE_RANGES = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '127.0.0.0/8',
  'fc00::/7',
  '::1/128',
]

const privateAddresses = new BlockList()
for (const range of PRIVATE_RANGES) {
  const [address = '', bits] = range.split('/')
  privateAddresses.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** What a device on the network may call this machine. */
export interface LanNames {
  readonly names: readonly string[]
  /** Addresses, first the one that devices should use. */
  readonly addresses: readonly string[]
}

/** Bridges of containers and virtual machines: other devices do not reach them. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|podman|cni|lxc)/
const DNS_NAME = /^(?=.{1,253}$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/

/** Addresses outside the private ranges are left out: the authority may not sign for them. */
export function lanNames(host = hostname(), interfaces = networkInterfaces()): LanNames {
  const full = host.toLowerCase()
  const label = full.split('.')[0]!
  const names = full === 'localhost' ? [] : [full, label, `${label}.local`]
  const found = Object.entries(interfaces)
    .flatMap(([device, each = []]) =>
      each.map(({ address, family, internal }) => ({
        address,
        rank: (internal ? 4 : 0) + (VIRTUAL.test(device) ? 2 : 0) + (family === 'IPv6' ? 1 : 0),
        family,
      })),
    )
    .filter(({ address, family }) => privateAddresses.check(address, family === 'IPv6' ? 'ipv6' : 'ipv4'))
    .sort((one, other) => one.rank - other.rank)
  return {
    names: [...new Set([...names, 'localhost'])].filter((name) => DNS_NAME.test(name)),
    addresses: [...new Set([...found.map(({ address }) => address), '127.0.0.1', '::1'])],
  }
}

/** Whether a server on this HOST listens on all addresses. */
export const isEverywhere = (HOST: string) => ['::', '0.0.0.0'].includes(HOST)

/** How other devices reach this machine: its address on their network, or its name where it has none. */
export function lanHost({ HOST }: Pick<Config, 'HOST'>, { names, addresses }: LanNames = lanNames()): string {
  if (!isEverywhere(HOST)) return HOST
  const [address = ''] = addresses
  return address === '127.0.0.1' ? (names.find((name) => name.endsWith('.local')) ?? address) : address
}

/** A host as it stands in a URL. */
export const urlHost = (host: string) => (isIP(host) === 6 ? `[${host}]` : host)

/** The page Connect a device, as other devices reach it. */
export const connectAddress = (config: Config, names: LanNames) =>
  `http://${urlHost(lanHost(config, names))}:${config.COMPTOIR_CONNECT_PORT}`
