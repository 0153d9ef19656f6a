import 'reflect-metadata' // x509 needs it before itself
import { randomBytes, webcrypto } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  GeneralName as AsnName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { type LanNames, PRIVATE_RANGES } from './names.ts'

// The local authority and the certificates that it signs. Imported with --lan alone: the library takes longer to load than the rest of the server.

const { subtle } = webcrypto
const EC = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNING = { ...EC, hash: 'SHA-256' }
const DAY_MS = 86_400_000
const AUTHORITY_DAYS = 3_650
const LEAF_DAYS = 397 // browsers refuse certificates of 398 days and more
/** Devices whose clock is behind by less accept a certificate that was just made. */
const BACKDATED_MS = DAY_MS

/** An authority that can sign. */
export interface Signer {
  readonly certificate: X509Certificate
  readonly key: webcrypto.CryptoKey
  /** The names that it may sign for, beside addresses of the private ranges. */
  readonly names: readonly string[]
}

/** Makes an authority that can vouch for nothing but these names and private addresses. Returns its key and certificate as PEM. */
export async function makeAuthority(title: string, names: readonly string[], now: number): Promise<string> {
  const keys = await subtle.generateKey(EC, true, ['sign', 'verify'])
  const permitted = [
    ...names.map((dNSName) => new AsnName({ dNSName })),
    ...PRIVATE_RANGES.map((iPAddress) => new AsnName({ iPAddress })),
  ]
  const constraints = new NameConstraints({
    permittedSubtrees: new GeneralSubtrees(permitted.map((base) => new GeneralSubtree({ base }))),
  })
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...validity(now, AUTHORITY_DAYS),
    serialNumber: serialNumber(),
    name: [{ CN: [title] }, { O: ['Comptoir'] }],
    signingAlgorithm: SIGNING,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new Extension(id_ce_nameConstraints, true, AsnConvert.serialize(constraints)),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return pemOf(keys.privateKey, certificate)
}

/** Reads an authority; throws when key and certificate are not a pair. */
export async function readAuthority(certificatePem: string, pkcs8: Buffer): Promise<Signer> {
  const certificate = new X509Certificate(certificatePem)
  const key = await subtle.importKey('pkcs8', pkcs8, EC, false, ['sign'])
  const constraints = AsnConvert.parse(certificate.getExtension(id_ce_nameConstraints)!.value, NameConstraints)
  const names = constraints.permittedSubtrees!.flatMap(({ base }) => base.dNSName ?? [])
  return { certificate, key, names }
}

/** Makes a server's certificate with a key of its own, for at most 397 days. Returns key and certificate as PEM. */
export async function makeLeaf(authority: Signer, { names, addresses }: LanNames, now: number): Promise<string> {
  const keys = await subtle.generateKey(EC, true, ['sign', 'verify'])
  const { notBefore, notAfter } = validity(now, LEAF_DAYS)
  const certificate = await X509CertificateGenerator.create({
    notBefore,
    notAfter: new Date(Math.min(notAfter.getTime(), authority.certificate.notAfter.getTime())),
    serialNumber: serialNumber(),
    subject: [{ CN: ['Comptoir'] }],
    issuer: authority.certificate.subjectName.toJSON(),
    publicKey: keys.publicKey,
    signingKey: authority.key,
    signingAlgorithm: SIGNING,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        ...names.map((value) => ({ type: 'dns' as const, value })),
        ...addresses.map((value) => ({ type: 'ip' as const, value })),
      ]),
      await AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return pemOf(keys.privateKey, certificate)
}

/** A second less than the days: both ends count. */
function validity(now: number, days: number): { notBefore: Date; notAfter: Date } {
  const from = now - BACKDATED_MS
  return { notBefore: new Date(from), notAfter: new Date(from + days * DAY_MS - 1_000) }
}

/** Positive, with 127 random bits. */
function serialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = (bytes[0]! & 0x7f) | 0x40
  return bytes.toString('hex')
}

async function pemOf(key: webcrypto.CryptoKey, certificate: X509Certificate): Promise<string> {
  const pkcs8 = Buffer.from(await subtle.exportKey('pkcs8', key)).toString('base64')
  const lines = pkcs8.match(/.{1,64}/g)!.join('\n')
  return `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n${certificate.toString('pem')}\n`
}
