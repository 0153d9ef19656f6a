import { type BlockList, isIP } from 'node:net'
import { type Config, isLoopback, printNetworks, printPorts } from '../config.ts'
import { blockList, contains } from '../delivery/addresses.ts'
import { ownAddresses } from '../delivery/own-addresses.ts'
import { addressNotAllowed } from '../http/errors.ts'
import type { RefuseSaved } from '../resource/edit.ts'
import { PRINT_PORT, type PrinterRow } from '../resources/places/printers.ts'

// R19: where a brand's printers may be. Their addresses are written by staff, and what is sent there holds words of their menu: without
// a guard they could speak to any port of a hosted fleet.

/** The networks of a restaurant that runs its own machine. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']
const LOOPBACK = ['127.0.0.0/8', '::1']

/** Whatever an operator allows: addresses of one wire, of many receivers, and those that are another address in disguise. */
const NEVER = blockList([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::ffff:0:0:0/96', // translated
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
])

/** Compatible and mapped addresses. They are compared by their text: a list of Node's takes a mapped one for the one it stands for. */
function isDisguised(address: string): boolean {
  if (isIP(address) !== 6) return false
  const { hostname } = new URL(`http://[${address}]`)
  return hostname !== '[::1]' && /^\[::(ffff:)?([0-9a-f]{1,4}(:[0-9a-f]{1,4})?)?\]$/.test(hostname)
}

export interface PrintTargets {
  /** The setting that does not allow this address, for a brand; undefined where it may be connected to. */
  refusedBy(
    brand: string,
    address: string,
    port: number,
  ): Promise<'COMPTOIR_PRINT_NETWORKS' | 'COMPTOIR_PRINT_PORTS' | undefined>
}

interface TargetsOptions {
  readonly config: Config
  /** The brand of `serve --demo`, which may print on loopback where the service listens there. */
  readonly demo?: string | undefined
  /** The ports that this process listens on. */
  readonly ownPorts: () => readonly number[]
}

export function printTargets({ config, demo, ownPorts }: TargetsOptions): PrintTargets {
  const networks = printNetworks(config.COMPTOIR_PRINT_NETWORKS)
  const ports = printPorts(config.COMPTOIR_PRINT_PORTS)
  const usual = config.DATABASE_URL === undefined ? PRIVATE : []
  const loopback = blockList(LOOPBACK)
  const stores = [config.DATABASE_URL, config.REDIS_URL].flatMap((url) =>
    url && URL.canParse(url) ? [{ port: portOf(url), addresses: ownAddresses([url]) }] : [],
  )
  const ours = ownAddresses([])
  const lists = new Map<string, BlockList>()

  function allowed(brand: string): BlockList {
    const known = lists.get(brand)
    if (known) return known
    const named = networks.flatMap(({ slug, block }) => (slug === undefined || slug === brand ? [block] : []))
    const isDemo = brand === demo && isLoopback(config.HOST)
    const list = blockList([...(networks.length === 0 ? usual : named), ...(isDemo ? LOOPBACK : [])])
    lists.set(brand, list)
    return list
  }

  async function isOurs(address: string, port: number): Promise<boolean> {
    const listening = [
      ...ownPorts(),
      config.PORT, // also before this process listens there, or where only others do
      config.COMPTOIR_METRICS_PORT,
      config.COMPTOIR_LAN ? config.COMPTOIR_CONNECT_PORT : 0,
    ]
    const own = listening.includes(port) ? [await ours()] : []
    for (const store of stores) if (store.port === port) own.push(await store.addresses())
    return own.length > 0 && (contains(loopback, address) || own.some((list) => contains(list, address)))
  }

  return {
    async refusedBy(brand, address, port) {
      if (!ports.some(([first, last]) => port >= first && port <= last)) return 'COMPTOIR_PRINT_PORTS'
      const isPlain = isIP(address) !== 0 && !address.includes('%') && !isDisguised(address)
      if (!isPlain || contains(NEVER, address) || !contains(allowed(brand), address)) return 'COMPTOIR_PRINT_NETWORKS'
      return (await isOurs(address, port)) ? 'COMPTOIR_PRINT_PORTS' : undefined
    },
  }
}

const USUAL_PORTS: Readonly<Record<string, number>> = { 'postgres:': 5432, 'postgresql:': 5432 }

function portOf(url: string): number {
  const { port, protocol } = new URL(url)
  return port === '' ? (USUAL_PORTS[protocol] ?? 6379) : Number(port)
}

/** Refuses a printer whose address is not allowed, as it is saved. */
export const refusePrinter =
  (targets: PrintTargets): RefuseSaved =>
  async ({ brand }, line) => {
    const { printer_kind, address, port } = line as PrinterRow
    if (printer_kind !== 'network') return
    const setting = await targets.refusedBy(brand, address!, port ?? PRINT_PORT)
    if (setting) throw addressNotAllowed(setting)
  }
