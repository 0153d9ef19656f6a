import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Config } from '../config.ts'
import { connectHeaders, connectPage, FILES } from './connect-page.ts'
import type { Authority, Lan } from './lan.ts'
import { isEverywhere, lanHost, urlHost } from './names.ts'

const MAX_CONNECTIONS = 200
const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** D1.2: plain HTTP on every address, with one page only: how a device comes to trust this machine. `port` is that of HTTPS. */
export function connectServer(config: Config, lan: Lan, port: number, now: () => number): Server {
  const { authority } = lan
  const files: Record<string, { type: string; body: string | Buffer }> = {
    [FILES.der]: { type: 'application/x-x509-ca-cert', body: authority.der },
    [FILES.pem]: { type: 'application/x-pem-file', body: authority.pem },
    [FILES.profile]: { type: 'application/x-apple-aspen-config', body: profileOf(authority) },
  }
  const originOf = (host: string) => `https://${urlHost(host)}:${port}`

  function pageFor({ headers, socket }: IncomingMessage) {
    const names = lan.names()
    const host = lanHost(config, names)
    // By the name or address that reached this page, if the certificate is for it: a client may write anything there.
    const reached = URL.parse(`http://${headers.host ?? ''}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
    const origin = originOf(lan.isFor(reached) ? reached : host)
    const reachable = [...names.names.filter((name) => name.endsWith('.local')), ...names.addresses]
    const isOther = (each: string) => isEverywhere(config.HOST) && !['127.0.0.1', '::1'].includes(each)
    const others = reachable.filter(isOther).map(originOf)
    const page = `http://${urlHost(host)}:${socket.localPort}`
    const connection = { authority, origin, others: others.filter((each) => each !== origin), page, now: now() }
    const reader = { language: headers['accept-language'], userAgent: headers['user-agent'] }
    return { headers: connectHeaders(origin), body: connectPage(connection, reader) }
  }

  const options = { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 5_000, maxHeaderSize: 16_384 }
  const server = createServer(options, (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { ...HEADERS, allow: 'GET, HEAD', connection: 'close' }).end()
    const path = request.url?.split('?', 1)[0] ?? '/'
    const file = Object.hasOwn(files, path) ? files[path] : undefined
    if (file) {
      const name = `${authority.title.replaceAll(/[^\w.-]+/g, '-')}${path.slice(path.lastIndexOf('.'))}`
      const disposition = `attachment; filename="${name}"`
      response.writeHead(200, { ...HEADERS, 'content-type': file.type, 'content-disposition': disposition })
      return void response.end(file.body)
    }
    // Whatever was reached for, this is what its reader needs first.
    const { headers, body } = pageFor(request)
    response.writeHead(path === '/' ? 200 : 404, { ...HEADERS, ...headers }).end(body)
  })
  server.maxConnections = MAX_CONNECTIONS
  return server
}

/** Apple's configuration profile with one certificate. Its ids are made of the certificate: a second download replaces the first. */
function profileOf({ title, der }: Authority): string {
  const id = (part: string) =>
    createHash('sha256')
      .update(der)
      .update(part)
      .digest('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
      .toUpperCase()
  const pairs = (values: Record<string, string>) =>
    Object.entries(values)
      .map(([key, value]) => `<key>${key}</key><string>${value}</string>`)
      .join('')
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>PayloadContent</key><array><dict>
${pairs({
  PayloadType: 'com.apple.security.root',
  PayloadIdentifier: `comptoir.lan.${id('root')}`,
  PayloadUUID: id('root'),
  PayloadDisplayName: title,
  PayloadCertificateFileName: 'comptoir.crt',
})}<key>PayloadVersion</key><integer>1</integer>
<key>PayloadContent</key><data>${der.toString('base64')}</data>
</dict></array>
${pairs({
  PayloadType: 'Configuration',
  PayloadIdentifier: `comptoir.lan.${id('profile')}`,
  PayloadUUID: id('profile'),
  PayloadDisplayName: title,
})}<key>PayloadVersion</key><integer>1</integer>
</dict></plist>
`
}
