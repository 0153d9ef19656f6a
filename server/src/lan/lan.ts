import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { SecureContextOptions } from 'node:tls'
import { type Config, ConfigError } from '../config.ts'
import type { Signer } from './certificates.ts'
import { connectAddress, type LanNames, lanNames } from './names.ts'

const CHECK_MS = 20_000
const RENEWED_BEFORE_MS = 30 * 86_400_000
/** Older than any version with --lan: a clock that says less has not been set. */
const EARLIEST = Date.parse('2026-01-01')

/** The local authority as devices get it. */
export interface Authority {
  /** The name that a device shows in its list of certificates. */
  readonly title: string
  readonly pem: string
  readonly der: Buffer
  /** SHA-256, as browsers show it. */
  readonly fingerprint: string
}

/** HTTPS for the local network: an authority of this machine, and a certificate that follows its names and addresses. */
export interface Lan {
  readonly authority: Authority
  /** What it serves with now. */
  tls(): { cert: string; key: string }
  /** The names and addresses of this machine that a certificate can be for. */
  names(): LanNames
  /** Whether the certificate is for this host. */
  isFor(host: string): boolean
  /** Renews the certificate before it ends and when an address appears, without a restart. Returns how to stop. */
  follow(server: TlsServer, { renewed, failed }: LanEvents): () => void
}

interface TlsServer {
  setSecureContext(options: SecureContextOptions): void
}

interface LanEvents {
  renewed(names: LanNames): void
  failed(error: unknown): void
}

/** A test passes another. */
interface Machine {
  now(): number
  names(): LanNames
  checkMs: number
}
const HERE: Machine = { now: Date.now, names: lanNames, checkMs: CHECK_MS }

interface Leaf {
  readonly pem: string
  readonly certificate: X509Certificate
}

interface Files {
  readonly folder: string
  readonly authority: string
  readonly leaf: string
}

/**
 * Opens the authority in the data folder, or makes it if there never was one. What an operator must repair is a ConfigError; `warn` gets
 * a sentence about what still works.
 */
export async function openLan(
  { COMPTOIR_DATA }: Pick<Config, 'COMPTOIR_DATA'>,
  warn: (sentence: string) => void,
  machine: Machine = HERE,
): Promise<Lan> {
  const { makeLeaf } = await import('./certificates.ts')
  const folder = join(COMPTOIR_DATA, 'lan')
  const files = { folder, authority: join(folder, 'authority.pem'), leaf: join(folder, 'leaf.pem') }
  if (!existsSync(files.authority)) await createAuthority(files, machine)
  const { certificate, signer } = await openAuthority(files)
  const from = certificate.validFromDate.getTime()
  const until = certificate.validToDate.getTime()

  /** A name that this machine got after its authority was made is left out: devices would refuse the whole certificate. */
  function allowedNames(): LanNames {
    const { names, addresses } = machine.names()
    return { names: names.filter((name) => signer.names.includes(name)), addresses }
  }

  /** Returns a certificate to serve with instead of `leaf`; undefined: that one stays. */
  async function betterThan(leaf: Leaf | undefined): Promise<Leaf | undefined> {
    const now = machine.now()
    const names = allowedNames()
    if (leaf && isGood(leaf, names, now)) return undefined
    const stored = readLeaf(files.leaf, certificate)
    if (stored && isGood(stored, names, now)) return stored // another worker's, or that of the last start
    const isInTime = now >= from && now <= until
    return isInTime ? leafOf(await makeLeaf(signer, names, now)) : leaf ? undefined : stored
  }

  const first = await betterThan(undefined)
  if (!first) throw new ConfigError([clockSentence(files, from, until, machine.now())])
  if (machine.now() < from || machine.now() > until) warn(clockSentence(files, from, until, machine.now()))
  const unknown = machine.names().names.filter((name) => !signer.names.includes(name))
  if (unknown.length > 0)
    warn(
      `The authority was made for ${signer.names.join(', ')}, not for ${unknown.join(', ')}: devices reach this machine by its address`,
    )
  writeWhole(files.leaf, first.pem)
  let leaf = first

  return {
    authority: {
      title: /^CN=(.*)$/m.exec(certificate.subject)![1]!,
      pem: certificate.toString(),
      der: certificate.raw,
      fingerprint: certificate.fingerprint256,
    },
    tls: () => contextOf(leaf),
    names: allowedNames,
    isFor: (host) => isFor(leaf.certificate, host),
    follow(server, { renewed, failed }) {
      async function check(): Promise<void> {
        const better = await betterThan(leaf)
        if (!better) return
        leaf = better
        server.setSecureContext({ ...contextOf(leaf), minVersion: 'TLSv1.2' })
        renewed(allowedNames())
        writeWhole(files.leaf, leaf.pem) // last: on a full disk it is served all the same
      }
      let isChecking = false
      const timer = setInterval(async () => {
        if (isChecking) return
        isChecking = true
        await check().catch(failed)
        isChecking = false
      }, machine.checkMs).unref()
      return () => clearInterval(timer)
    },
  }
}

/** Where a new device begins, and what it must find there. */
export const connectionOf = (config: Config, { authority, names }: Lan) => ({
  page: connectAddress(config, names()),
  authority: authority.title,
  fingerprint: authority.fingerprint,
})

const contextOf = ({ pem, certificate }: Leaf) => ({ cert: certificate.toString(), key: pem })

const leafOf = (pem: string): Leaf => ({ pem, certificate: new X509Certificate(pem) })

async function createAuthority({ folder, authority, leaf }: Files, { now, names: namesOf }: Machine): Promise<void> {
  if (existsSync(leaf))
    throw new ConfigError([`${authority} is gone, and devices trust that authority alone: ${orNew(folder)}`])
  if (now() < EARLIEST)
    throw new ConfigError([`This machine's clock says ${day(now())}: set it before the local authority is made`])
  const { makeAuthority } = await import('./certificates.ts')
  const { names } = namesOf()
  const title = `Comptoir ${names[0]} ${randomBytes(2).toString('hex').toUpperCase()}` // two on one network differ
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeWhole(authority, await makeAuthority(title, names, now()))
}

async function openAuthority({ folder, authority }: Files): Promise<{ certificate: X509Certificate; signer: Signer }> {
  const { readAuthority } = await import('./certificates.ts')
  try {
    const pem = readFileSync(authority, 'utf8')
    const [certificate, key] = [new X509Certificate(pem), createPrivateKey(pem)]
    if (!certificate.checkPrivateKey(key)) throw new Error('its key belongs to another certificate')
    const signer = await readAuthority(certificate.toString(), key.export({ format: 'der', type: 'pkcs8' }))
    return { certificate, signer }
  } catch (error) {
    throw new ConfigError([`${authority} cannot be used, ${(error as Error).message}: ${orNew(folder)}`])
  }
}

/** A stored one that is damaged, or of another authority, counts as none: a new one costs nothing. */
function readLeaf(file: string, authority: X509Certificate): Leaf | undefined {
  try {
    const leaf = leafOf(readFileSync(file, 'utf8'))
    const isSound = leaf.certificate.checkPrivateKey(createPrivateKey(leaf.pem))
    return isSound && leaf.certificate.verify(authority.publicKey) ? leaf : undefined
  } catch {
    return undefined
  }
}

const isGood = ({ certificate }: Leaf, { names, addresses }: LanNames, now: number) =>
  now >= certificate.validFromDate.getTime() &&
  now < certificate.validToDate.getTime() - RENEWED_BEFORE_MS &&
  [...names, ...addresses].every((host) => isFor(certificate, host))

const isFor = (certificate: X509Certificate, host: string) =>
  (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined

/** Only its owner can read it, and it is there whole or not at all. */
function writeWhole(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, text, { mode: 0o600, flush: true })
  renameSync(temporary, file)
}

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const orNew = (folder: string) =>
  `put a copy of it back, or remove ${folder} to make a new authority, which every device must then trust again`

function clockSentence({ authority, folder }: Files, from: number, until: number, now: number): string {
  const says = `${authority} is valid from ${day(from)} to ${day(until)}, and this machine's clock says ${day(now)}`
  return `${says}: set the clock${now > until ? `, or ${orNew(folder)}` : ''}`
}
