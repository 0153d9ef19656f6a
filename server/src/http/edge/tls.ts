import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { type Config, ConfigError } from '../../config.ts'

/** A certificate and its key, as PEM. */
export interface TlsPair {
  readonly cert: Buffer | string
  readonly key: Buffer | string
}

/** The certificate and its key, checked; undefined where plain HTTP is served. OpenSSL's own words would help nobody. */
export function readTls({
  COMPTOIR_TLS_CERT: certFile,
  COMPTOIR_TLS_KEY: keyFile,
}: Config): { cert: Buffer; key: Buffer } | undefined {
  if (certFile === undefined || keyFile === undefined) return undefined
  const [cert, key] = [read('COMPTOIR_TLS_CERT', certFile), read('COMPTOIR_TLS_KEY', keyFile)]
  check(() => new X509Certificate(cert), `COMPTOIR_TLS_CERT: ${certFile} holds no PEM certificate`)
  check(() => createSecureContext({ key }), `COMPTOIR_TLS_KEY: ${keyFile} holds no PEM key without a passphrase`)
  check(
    () => createSecureContext({ cert, key }),
    `COMPTOIR_TLS_KEY: the key in ${keyFile} does not belong to the certificate in ${certFile}`,
  )
  return { cert, key }
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new ConfigError([`${setting}: ${file} cannot be read: ${(error as Error).message}`])
  }
}

function check(attempt: () => unknown, problem: string): void {
  try {
    attempt()
  } catch {
    throw new ConfigError([problem])
  }
}
