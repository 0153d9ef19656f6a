import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'

/** Every setting: its name in the environment, its default, and what it means. docs/operating.md prints this table. */
export const SETTINGS = {
  PORT: {
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    description: 'Port to listen on; absent: 8080, or 8443 with COMPTOIR_LAN',
  },
  HOST: {
    description:
      'Address to listen on; any but loopback needs TLS or trusted proxies; absent: 127.0.0.1, or all addresses with COMPTOIR_LAN',
  },
  COMPTOIR_LAN: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 1,
    description: '1: HTTPS for the devices of a local network, with an authority of its own; the same as `serve --lan`',
  },
  COMPTOIR_CONNECT_PORT: {
    type: 'integer',
    default: 8080,
    minimum: 0,
    maximum: 65_535,
    description: 'With COMPTOIR_LAN: port of the page *Connect a device*, in plain HTTP',
  },
  COMPTOIR_BASE_PATH: {
    default: '/v2',
    pattern: '^(/[a-z0-9-]+)*/v[0-9]+$',
    description: 'Where the integration API lives; ends in a version segment',
  },
  COMPTOIR_COMPAT_PATH: {
    pattern: '^(/[a-z0-9-]+)+$',
    description:
      'Where clients of the hosted service find the same API in the spelling they know, such as `/open-api/v2`; absent: nowhere',
  },
  COMPTOIR_DATA: {
    default: './data',
    description:
      'Folder of the embedded database and of the key ring; absent for the demo (`serve --demo`, `demo`): `./data/demo`',
  },
  DATABASE_URL: {
    pattern: '^postgres(ql)?://',
    description: 'PostgreSQL 15 or newer; absent: SQLite in the data folder',
  },
  REDIS_URL: {
    pattern: '^rediss?://',
    description: 'Redis or Valkey for the limits; needed by more than one worker or server',
  },
  COMPTOIR_WORKERS: {
    type: 'integer',
    default: 1,
    minimum: 1,
    maximum: 256,
    description: 'Processes that serve requests on this machine',
  },
  COMPTOIR_FLEET: {
    type: 'integer',
    minimum: 1,
    maximum: 100_000,
    description:
      'Number of workers on all machines together (default: COMPTOIR_WORKERS); while Redis is down each worker applies its share of the limits',
  },
  COMPTOIR_TOKEN_TTL: {
    type: 'integer',
    default: 3600,
    minimum: 1,
    maximum: 86_400,
    description:
      "A token's lifetime in seconds. A server refuses a token that lives longer than its own setting: when you lower it, " +
      'clients with older tokens sign in again; raise it on all servers at the same time',
  },
  COMPTOIR_TRUSTED_PROXIES: {
    description: 'Comma-separated CIDR blocks of the proxies in front; only they may speak for a client',
  },
  COMPTOIR_TLS_CERT: { description: 'PEM file with the certificate; the server then speaks TLS itself' },
  COMPTOIR_TLS_KEY: { description: 'PEM file with the key of that certificate' },
  COMPTOIR_KEYS: { description: 'The secret key ring; absent: keys.json in the data folder' },
  COMPTOIR_METRICS_PORT: {
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    description: 'Port of the Prometheus metrics; absent: not served',
  },
  COMPTOIR_METRICS_HOST: {
    default: '127.0.0.1',
    description: 'Address of the metrics; any but loopback needs COMPTOIR_METRICS_TOKEN',
  },
  COMPTOIR_METRICS_TOKEN: {
    description: 'Scrapers send it as `Authorization: Bearer …`; absent: metrics need no token',
  },
  COMPTOIR_LOG_LEVEL: {
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    description: 'The least important log line that is written',
  },
  COMPTOIR_ACTIVITY_DAYS: {
    type: 'integer',
    default: 7,
    minimum: 1,
    maximum: 365,
    description: 'Days that the request log of the back office is kept',
  },
  COMPTOIR_ACTIVITY_ROWS: {
    type: 'integer',
    default: 1_000_000,
    minimum: 0,
    maximum: 1_000_000_000,
    description:
      'Calls that the request log holds at the most; the oldest go. 0: there is no log, and nothing is counted',
  },
  COMPTOIR_EVENTS_DAYS: {
    type: 'integer',
    default: 90,
    minimum: 7,
    maximum: 400,
    description: 'Days that the events of the change feed are kept',
  },
  COMPTOIR_IMAGES_MB: {
    type: 'integer',
    default: 128,
    minimum: 1,
    maximum: 100_000,
    description: 'MiB that the pictures of a brand may have together',
  },
  COMPTOIR_WEBHOOKS: {
    enum: ['inside', 'off', 'only'],
    default: 'inside',
    description: 'Who sends webhooks: each worker beside its requests, nobody here, or this process and nothing else',
  },
  COMPTOIR_WEBHOOK_ALLOW: {
    description:
      'Comma-separated CIDR blocks that webhooks may be sent to although they are not public, also by address and by plain HTTP',
  },
  COMPTOIR_PRINT_NETWORKS: {
    description:
      'Comma-separated CIDR blocks that printers may be in, each for every brand or, as `slug@10.0.0.0/8`, for one; absent: the private ranges of IPv4 with the embedded database, none with PostgreSQL',
  },
  COMPTOIR_PRINT_PORTS: {
    default: '9100-9109',
    description: 'Comma-separated ports and ranges that printers may listen on',
  },
  COMPTOIR_BACKUP_TO: {
    description:
      'Folder of a disk other than the data’s, where `serve` puts copies of the embedded database; absent: it makes none by itself',
  },
  COMPTOIR_BACKUP_EVERY: {
    default: '15m',
    pattern: '^([1-9]\\d{0,3}m|[1-9]\\d?h|[1-7]d)$',
    description: 'With COMPTOIR_BACKUP_TO: how often, in minutes, hours or days, such as `15m`, `6h` or `1d`',
  },
  COMPTOIR_BACKUP_KEEP: {
    type: 'integer',
    default: 96,
    minimum: 1,
    maximum: 10_000,
    description: 'Copies that are kept; the oldest go',
  },
  COMPTOIR_DRAIN_S: {
    type: 'integer',
    minimum: 0,
    maximum: 600,
    description:
      'Seconds between “not ready” and closing the port, for a load balancer to notice; absent: 5, or 0 on a loopback address and with COMPTOIR_LAN',
  },
} as const satisfies Readonly<Record<string, Setting>>

/** What a setting may be, in the words of JSON Schema; a text unless it is an integer. A schema library would take two thirds of a short command's start. */
interface Setting {
  readonly type?: 'integer'
  readonly default?: string | number
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly description: string
}

type ValueOf<One extends Setting> = One extends { type: 'integer' }
  ? number
  : One extends { enum: readonly (infer Value)[] }
    ? Value
    : string
type Table = typeof SETTINGS
type OptionalName = { [Name in keyof Table]: Table[Name] extends { default: unknown } ? never : Name }[keyof Table]
type Settings = { [Name in Exclude<keyof Table, OptionalName>]: ValueOf<Table[Name]> } & {
  [Name in OptionalName]?: ValueOf<Table[Name]>
}

/** The settings, with the defaults that depend on others filled in. */
export type Config = Settings & {
  PORT: number
  HOST: string
  COMPTOIR_FLEET: number
  COMPTOIR_KEYS: string
  COMPTOIR_DRAIN_S: number
}

/** The demo has a folder of its own, unless the environment names one: no real books stand beside it. */
export const DEMO_PRESETS = { COMPTOIR_DATA: './data/demo' }

/** The settings of an API client: `comptoir call`, and the programs in examples/, which read the same names. */
export interface ClientSettings {
  baseUrl: string
  clientId: string
  clientSecret: string
  brand: string
  integratorId: string
}

export const CLIENT_NAMES: Readonly<Record<keyof ClientSettings, string>> = {
  baseUrl: 'COMPTOIR_URL',
  clientId: 'COMPTOIR_CLIENT_ID',
  clientSecret: 'COMPTOIR_CLIENT_SECRET',
  brand: 'COMPTOIR_BRAND',
  integratorId: 'COMPTOIR_INTEGRATOR_ID',
}
const KNOWN = new Set([...Object.keys(SETTINGS), ...Object.values(CLIENT_NAMES)])

/** The client's settings that the environment has. */
export function clientSettings(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Partial<ClientSettings> {
  const given = Object.entries(CLIENT_NAMES).map(([member, name]) => [member, env[name]])
  return Object.fromEntries(given.filter(([, value]) => value))
}

/** What is wrong with the environment: all of it, one line each. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('; '))
  }
}

/** Reads the environment once. Every problem is reported together, before anything starts. */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  /** What holds where the environment says nothing; a variable that is empty says that it is absent. */
  presets: Readonly<Record<string, string>> = {},
): Config {
  const problems = Object.keys(env)
    .filter((name) => name.startsWith('COMPTOIR_') && !KNOWN.has(name))
    .map((name) => `${name} is not a setting`)
  const given = {} as Record<string, unknown>
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    // An empty variable is an absent one: that is how a compose file or a unit unsets it.
    const text = env[name] ?? presets[name]
    const value = text ? read(setting, text) : setting.default
    if (value !== undefined) given[name] = value
    else if (text) problems.push(`${name} must be ${expected(name, setting)}, not ${JSON.stringify(text)}`)
  }
  const isLan = given.COMPTOIR_LAN === 1
  given.PORT ??= isLan ? 8443 : 8080
  given.HOST ??= isLan ? allAddresses() : '127.0.0.1'
  const settings = given as Settings & { PORT: number; HOST: string }
  problems.push(...contradictions(settings))
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    ...settings,
    COMPTOIR_FLEET: settings.COMPTOIR_FLEET ?? settings.COMPTOIR_WORKERS,
    COMPTOIR_KEYS: settings.COMPTOIR_KEYS ?? join(settings.COMPTOIR_DATA, 'keys.json'),
    COMPTOIR_DRAIN_S: settings.COMPTOIR_DRAIN_S ?? (isLan || isLoopback(settings.HOST) ? 0 : 5),
  }
}

/** The value that a text stands for; undefined when the setting does not allow it. */
function read(
  { type, minimum = 0, maximum = 0, enum: values, pattern }: Setting,
  text: string,
): string | number | undefined {
  if (type === 'integer') {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return number >= minimum && number <= maximum ? number : undefined
  }
  return (values?.includes(text) ?? true) && (pattern === undefined || new RegExp(pattern).test(text))
    ? text
    : undefined
}

function expected(name: string, { type, minimum, maximum, enum: values }: Setting): string {
  if (values) return `one of ${values.join(', ')}`
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  if (name === 'COMPTOIR_BACKUP_EVERY') return 'minutes, hours or days up to a week, such as 15m, 6h or 1d'
  if (name === 'COMPTOIR_BASE_PATH') return 'a path that ends in a version segment, such as /v2'
  if (name === 'COMPTOIR_COMPAT_PATH') return 'a path of lower-case segments, such as /open-api/v2'
  return name === 'DATABASE_URL' ? 'an address that begins with postgres://' : 'an address that begins with redis://'
}

/** What is served beside the API (D1.1). */
const OWN_PATHS = ['/back-office', '/docs', '/health', '/media', '/print']

function* contradictions(config: Settings & { PORT: number; HOST: string }): Generator<string> {
  // §8 tier 3, rule 3: a limit counted in one process's memory would be multiplied by the others.
  if (config.COMPTOIR_WORKERS > 1 && !(config.DATABASE_URL && config.REDIS_URL))
    yield 'COMPTOIR_WORKERS above 1 needs DATABASE_URL and REDIS_URL: workers share their data and their limits'
  if (config.COMPTOIR_FLEET !== undefined && config.COMPTOIR_FLEET < config.COMPTOIR_WORKERS)
    yield 'COMPTOIR_FLEET counts the workers of every machine, so it cannot be below COMPTOIR_WORKERS'
  if ((config.COMPTOIR_TLS_CERT === undefined) !== (config.COMPTOIR_TLS_KEY === undefined))
    yield 'COMPTOIR_TLS_CERT and COMPTOIR_TLS_KEY come together'
  if (config.COMPTOIR_LAN && (config.COMPTOIR_TLS_CERT || config.COMPTOIR_TRUSTED_PROXIES))
    yield 'COMPTOIR_LAN makes a certificate of its own: leave out COMPTOIR_TLS_CERT, COMPTOIR_TLS_KEY and COMPTOIR_TRUSTED_PROXIES'
  if (config.COMPTOIR_LAN && config.PORT !== 0 && config.PORT === config.COMPTOIR_CONNECT_PORT)
    yield `COMPTOIR_CONNECT_PORT and PORT are both ${config.PORT}: HTTPS and the page in plain HTTP need a port each`
  if (config.COMPTOIR_BACKUP_TO && config.DATABASE_URL)
    yield 'COMPTOIR_BACKUP_TO is for the embedded database: PostgreSQL is copied with its own tools'
  const { COMPTOIR_COMPAT_PATH: compat, COMPTOIR_BASE_PATH: base } = config
  for (const taken of compat === undefined ? [] : [base, ...OWN_PATHS])
    if (`${compat}/`.startsWith(`${taken}/`) || `${taken}/`.startsWith(`${compat}/`))
      yield `COMPTOIR_COMPAT_PATH ${compat} is inside ${taken} or around it: choose another path`
  const blocks = proxyBlocks(config.COMPTOIR_TRUSTED_PROXIES)
  for (const problem of blockProblems(blocks)) yield `COMPTOIR_TRUSTED_PROXIES: ${problem}`
  for (const block of proxyBlocks(config.COMPTOIR_WEBHOOK_ALLOW)) {
    const problem = blockProblem(block)
    if (problem) yield `COMPTOIR_WEBHOOK_ALLOW: ${problem}`
  }
  for (const { block, slug } of printNetworks(config.COMPTOIR_PRINT_NETWORKS)) {
    const problem = slug === '' ? `${block} has no brand before its @` : blockProblem(block)
    if (problem) yield `COMPTOIR_PRINT_NETWORKS: ${problem}`
  }
  for (const [first, last] of printPorts(config.COMPTOIR_PRINT_PORTS))
    if (!(first >= 1 && first <= last && last <= 65_535))
      yield 'COMPTOIR_PRINT_PORTS must be ports and ranges such as 9100-9109,9200'
  if (!isLoopback(config.COMPTOIR_METRICS_HOST) && config.COMPTOIR_METRICS_TOKEN === undefined)
    yield `COMPTOIR_METRICS_HOST ${config.COMPTOIR_METRICS_HOST} is not loopback: set COMPTOIR_METRICS_TOKEN`
  // §5.2: HTTPS only (D1.2).
  if (!isLoopback(config.HOST) && !speaksTls(config) && blocks.length === 0)
    yield `HOST ${config.HOST} is not loopback: set COMPTOIR_TLS_CERT and COMPTOIR_TLS_KEY to serve HTTPS, COMPTOIR_LAN=1 on a local network, or COMPTOIR_TRUSTED_PROXIES to the proxies that do`
}

/** Whether the server speaks HTTPS itself. */
export const speaksTls = ({ COMPTOIR_TLS_CERT, COMPTOIR_LAN }: Pick<Settings, 'COMPTOIR_TLS_CERT' | 'COMPTOIR_LAN'>) =>
  COMPTOIR_TLS_CERT !== undefined || COMPTOIR_LAN === 1

/** IPv6's listens to IPv4 as well, where the system has it. */
const allAddresses = () =>
  Object.values(networkInterfaces()).some((each) => each?.some(({ family }) => family === 'IPv6')) ? '::' : '0.0.0.0'

/** The trusted proxies as CIDR blocks; a bare address is a block of one. */
export function proxyBlocks(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((block) => block.trim())
    .filter((block) => block !== '')
}

/** R19: where printers may be, for one brand or for all. */
export const printNetworks = (list: string | undefined): { slug?: string; block: string }[] =>
  proxyBlocks(list).map((entry) => {
    const at = entry.indexOf('@')
    return at === -1 ? { block: entry } : { slug: entry.slice(0, at), block: entry.slice(at + 1) }
  })

/** Ranges of ports, with their ends; one port is a range of itself. */
export const printPorts = (list: string): (readonly [first: number, last: number])[] =>
  proxyBlocks(list).map((entry) => {
    const [first = '', last = first] = entry.split('-')
    return /^\d+(-\d+)?$/.test(entry) ? [Number(first), Number(last)] : [0, 0]
  })

// Trusting everybody means that anybody chooses the address they are counted under (§8 tiers 1 and 2).
function blockProblems(blocks: readonly string[]): string[] {
  const problems = blocks.flatMap((block) => blockProblem(block) ?? [])
  if (problems.length > 0) return problems
  const ranges = blocks.map(rangeOf)
  if (holdAll(ranges, IPV4)) return ['the blocks together would trust every IPv4 address']
  return holdAll([...ranges, IPV4], IPV6) ? ['the blocks together would trust every IPv6 address'] : []
}

function blockProblem(block: string): string | undefined {
  const [address = '', bits, ...rest] = block.split('/')
  const family = address.includes('%') ? 0 : isIP(address) // a zone belongs to one machine, not to a block
  const widest = family === 6 ? 128 : 32
  if (family === 0 || rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits)) || Number(bits ?? 0) > widest)
    return `${block} is not a CIDR block such as 10.0.0.0/8`
  if (bits !== undefined && Number(bits) === 0) return `${block} would trust every address`
  if (holdAll([rangeOf(block)], IPV4)) return `${block} would trust every IPv4 address; write it as IPv4`
  return undefined
}

/** The first and the last of some addresses, as numbers of IPv6. */
type Range = readonly [first: bigint, last: bigint]

const IPV6: Range = [0n, (1n << 128n) - 1n]
const IPV4: Range = [0xffff_0000_0000n, 0xffff_ffff_ffffn] // ::ffff:0:0/96

function rangeOf(block: string): Range {
  const [address = '', bits] = block.split('/')
  const free = BigInt(isIP(address) === 6 ? 128 - Number(bits ?? 128) : 32 - Number(bits ?? 32))
  const first = (numberOf(address) >> free) << free
  return [first, first + (1n << free) - 1n]
}

function numberOf(address: string): bigint {
  const { hostname } = new URL(`http://[${isIP(address) === 6 ? address : `::ffff:${address}`}]`) // in hexadecimal only
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::')
  const [before, after] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]]
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`)
}

/** Whether the ranges together leave out no address of a whole. */
function holdAll(ranges: readonly Range[], [first, last]: Range): boolean {
  let next = first
  for (const [from, to] of ranges.toSorted(([one], [other]) => (one < other ? -1 : 1)))
    if (from <= next && to >= next) next = to + 1n
  return next > last
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

export function isLoopback(host: string): boolean {
  const family = isIP(host)
  return family === 0 ? host === 'localhost' : loopback.check(host, family === 6 ? 'ipv6' : 'ipv4')
}

/** The configuration as it may be shown: a token, and passwords inside addresses, are hidden. */
export function shownConfig(config: Config): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const name of Object.keys(SETTINGS)) {
    const value = config[name as keyof Config]
    if (name.endsWith('_TOKEN') && value !== undefined) shown[name] = '***'
    else shown[name] = name.endsWith('_URL') && typeof value === 'string' ? withoutPassword(value) : (value ?? null)
  }
  return shown
}

function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return '***'
  const url = new URL(address)
  if (url.password) url.password = '***'
  for (const name of url.searchParams.keys()) if (/pass|secret|key/i.test(name)) url.searchParams.set(name, '***')
  return url.href
}
