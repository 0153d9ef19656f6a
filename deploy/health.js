import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { isIP } from 'node:net'

// Exit code 0 while the service on this machine is ready. It asks as the service is served: with a certificate by HTTPS. The certificate
// is for the name that clients use, not for this address, so it is not checked.

const { HOST = '', PORT, COMPTOIR_TLS_CERT } = process.env
const isEverywhere = HOST === '' || HOST === '0.0.0.0' || HOST === '::'
const host = isEverywhere ? '127.0.0.1' : isIP(HOST) === 6 ? `[${HOST}]` : HOST
const get = COMPTOIR_TLS_CERT ? getHttps : getHttp
const address = `${COMPTOIR_TLS_CERT ? 'https' : 'http'}://${host}:${PORT || 8080}/health/ready`
const end = (isReady) => process.exit(isReady ? 0 : 1)

get(address, { rejectUnauthorized: false, timeout: 3_000 }, ({ statusCode }) => end(statusCode === 200))
  .on('error', () => end(false))
  .on('timeout', () => end(false))
