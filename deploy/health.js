import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { isIP } from 'node:net'

// Exit code 0 while the service on this machine is ready. It asks as the service is served: with a certificate by HTTPS. The certificate
// is for the name that clients use, not for this address, so it is not checked.

const { HOST = '', PORT, COMPTOIR_TLS_CERT, COMPTOIR_LAN } = process.env
const isEverywhere = HOST === '' || HOST === '0.0.0.0' || HOST === '::'
const host = isEverywhere ? '127.0.0.1' : isIP(HOST) === 6 ? `[${HOST}]` : HOST
const isLan = COMPTOIR_LAN === '1'
const isTls = isLan || Boolean(COMPTOIR_TLS_CERT)
const get = isTls ? getHttps : getHttp
const address = `${isTls ? 'https' : 'http'}://${host}:${PORT || (isLan ? 8443 : 8080)}/health/ready`
const end = (isReady) => process.exit(isReady ? 0 : 1)

get(address, { rejectUnauthorized: false, timeout: 3_000 }, ({ statusCode }) => end(statusCode === 200))
  .on('error', () => end(false))
  .on('timeout', () => end(false))
