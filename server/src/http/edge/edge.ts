import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyRequest, FastifyServerOptions } from 'fastify'
import { type Config, isLoopback, proxyBlocks, speaksTls } from '../../config.ts'
import { BODY_LIMIT, JSON_TYPE } from '../body.ts'
import { HEAD_LIMIT, hostMissing, hostTwice, malformedRequest, plainHttpForbidden, type Refusal } from '../errors.ts'
import { clientAddresses, trustedProxies } from './address.ts'
import { STATUS_CODES } from './node-http.ts'
import { newRequestId } from './request-id.ts'
import { readTls, type TlsPair } from './tls.ts'

// Connections: timeouts, trusted proxies, and bytes that are not a valid request.

const MAX_CONNECTIONS = 20_000
const PROXY_IDLE_MS = 65_000 // longer than a proxy's own 60 s, or reused connections die under its requests
const DIRECT_IDLE_MS = 5_000
// Longer than a request may take to come, or its answer to be found, 15 s for a search in the back office. Node looks twice at a write
// that stands still, so that a client that does not read is cut off within 40 s.
const STANDSTILL_MS = 20_000
const LINGER_MS = 1_000
const MAX_WAITING_ON_CONNECTION = 32
const WARN_EVERY_MS = 60_000
const HANDSHAKE_MS = 5_000
const MAX_REQUESTS_PER_CONNECTION = 1_000

/** Server options: a slow or greedy client is cut off before it costs others anything. */
export function edgeOptions(config: Config, tls: TlsPair | undefined = readTls(config)): FastifyServerOptions {
  const proxied = proxyBlocks(config.COMPTOIR_TRUSTED_PROXIES).length > 0
  const timeouts = {
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false, // Node would answer itself, without a body
    maxHeaderSize: HEAD_LIMIT,
    optimizeEmptyRequests: true, // a request without a body needs no stream to wait for its end
  }
  return {
    ...(tls
      ? { https: { ...timeouts, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS } }
      : { http: timeouts }),
    requestTimeout: timeouts.requestTimeout,
    keepAliveTimeout: proxied ? PROXY_IDLE_MS : DIRECT_IDLE_MS,
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseBytes,
  } as never
}

// A fixed answer, then the connection is closed: after a malformed request the next one cannot be found.
function refuseBytes(error: Error & { code?: string }, socket: Socket): void {
  const isGone = error.code === 'ECONNRESET' || error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT' || !socket.writable
  if (isGone) return void socket.destroy()
  const { status, body } = malformedRequest(error.code)
  const text = JSON.stringify(body)
  const headers = {
    'x-request-id': newRequestId(),
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
  setTimeout(hangUp, LINGER_MS, socket).unref() // time to read why, for those who do not hang up themselves
}

/** Closes the socket after 20 s without progress on a response that it has not taken. Only for slow sockets: a timer for each request costs 7 %. */
export function armStallTimeout(socket: Socket): void {
  if (socket.writableLength > 0 && socket.timeout !== STANDSTILL_MS) socket.setTimeout(STANDSTILL_MS)
}

/** For a response that goes on for long: it is cut when its reader has taken nothing for so long. */
export function closeWhenStalled(socket: Socket, ms = STANDSTILL_MS): void {
  socket.setTimeout(ms)
}

/** How many connections there may be, and what becomes of one on which nothing moves. */
export function limitConnections(server: Server): void {
  server.maxConnections = MAX_CONNECTIONS
  server.on('timeout', hangUp)
}

// Drops unread data with a reset: otherwise the system keeps megabytes for each connection and tries to deliver them for minutes.
function hangUp(socket: Socket): void {
  if (socket.writableLength > 0 && !('encrypted' in socket)) socket.resetAndDestroy()
  else socket.destroy()
}

/**
 * A client refused early may finish sending its body, so that it can read the response. A body that is too large, or has no declared
 * length, is read for one more second only.
 */
export function endBody(request: IncomingMessage): void {
  if (request.complete !== false || Number(request.headers['content-length']) <= BODY_LIMIT) return
  setTimeout(() => request.complete || hangUp(request.socket), LINGER_MS).unref()
}

/**
 * Pipelined requests wait until the earlier responses of their connection are sent, so that a client that sends and never reads costs
 * one response. A connection with too many waiting requests is closed. After 1,000 requests the connection is closed, which
 * spreads long-lived clients over workers; Node's own limit would answer the next request with an empty 503.
 */
export function queuePipelined(answer: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, { waiting: number; requests: number }>()
  return (request, response) => {
    const { socket } = request
    let connection = connections.get(socket)
    if (connection === undefined) {
      connection = { waiting: 0, requests: 0 }
      connections.set(socket, connection)
    }
    // Node sends `connection: close` and closes the connection after this response; later requests on it are ignored.
    if (++connection.requests >= MAX_REQUESTS_PER_CONNECTION) response.shouldKeepAlive = false
    if (response.socket !== null) return answer(request, response) // nothing is before it
    if (++connection.waiting > MAX_WAITING_ON_CONNECTION) return hangUp(socket)
    response.once('socket', () => {
      connection.waiting--
      process.nextTick(answer, request, response) // now it is still being given the connection
    })
  }
}

/** D1.2, D7.3: who the client is, and HTTPS only on any address but loopback. */
export function identifyClient(config: Config, { log, now }: { log: FastifyBaseLogger; now: () => number }) {
  const blocks = proxyBlocks(config.COMPTOIR_TRUSTED_PROXIES)
  const trusted = blocks.length > 0 ? trustedProxies(blocks) : undefined
  let warnedAt = Number.NEGATIVE_INFINITY
  const warn = (proxy: string) => {
    if (now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = now()
    log.warn({ proxy }, 'X-Forwarded-For has an address that cannot be read; its requests count as the proxy’s')
  }
  const addresses = clientAddresses(trusted, warn)
  const needsProxy = !isLoopback(config.HOST) && !speaksTls(config)

  return (request: FastifyRequest): Refusal | undefined => {
    request.call.addressKey = addresses.keyOf(request.raw)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') return hostMissing() // RFC 9112 section 3.2
    if (hasTwoHosts(request.raw)) return hostTwice()
    const isPlain =
      needsProxy &&
      !request.url.startsWith('/health/') &&
      !(addresses.isFromProxy(request.raw) && wasHttps(request.raw))
    return isPlain ? plainHttpForbidden() : undefined
  }
}

/** Node keeps the first and drops the others from `headers`. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/** Whether the client came by HTTPS, as the last proxy says. */
const wasHttps = ({ headers }: IncomingMessage) =>
  String(headers['x-forwarded-proto'] ?? '')
    .split(',')
    .at(-1)!
    .trim()
    .toLowerCase() === 'https'

const heads = new WeakSet<IncomingMessage>()

/** True if the response is sent without its body. */
export const isHead = ({ raw }: FastifyRequest): boolean => heads.has(raw)

const translated = new WeakSet<IncomingMessage>()

/** True if the request came by the address whose spelling compat/ translates. */
export const isTranslated = ({ raw }: FastifyRequest): boolean => translated.has(raw)

/**
 * Fastify's `rewriteUrl`: normalises the URL, changes HEAD to GET (recorded, see `isHead`), and the path of compat/ to our own
 * (`isTranslated`). Node knows that the response to HEAD has no body, and sends the headers of GET's.
 */
export function rewriteUrl(base: string, compat: string | undefined) {
  return (request: IncomingMessage): string => {
    if (request.method === 'HEAD') {
      heads.add(request)
      request.method = 'GET'
    }
    let url = readable(originForm(request))
    if (compat !== undefined && url.startsWith(compat) && /^($|[/?#])/.test(url.charAt(compat.length))) {
      translated.add(request)
      url = base + url.slice(compat.length)
    }
    // {base_url} itself is its root.
    return url.startsWith(base) && /^($|[?#])/.test(url.charAt(base.length)) ? `${base}/${url.slice(base.length)}` : url
  }
}

/** RFC 9112 section 3.2.2: `http://host/path` is `/path`, and its host counts instead of the header's. */
function originForm({ url = '/', headers }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const [whole, host] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url) ?? []
  if (whole === undefined) return url
  if (headers.host !== undefined) headers.host = host
  const rest = url.slice(whole.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/**
 * Letters and digits need no percent sequences, so that one path has one spelling (RFC 3986 section 6.2.2.2). A path with a broken
 * sequence is read as it is written: an unknown one like any other, which the tiers count.
 */
function readable(url: string): string {
  if (!url.includes('%')) return url
  const query = url.indexOf('?')
  const path = query === -1 ? url : url.slice(0, query)
  const rest = url.slice(path.length)
  try {
    decodeURIComponent(path)
    return path.replaceAll(/%[2-7][\da-f]/gi, unreserved) + rest
  } catch {
    return path.replaceAll('%', '%25') + rest
  }
}

function unreserved(sequence: string): string {
  const character = decodeURIComponent(sequence)
  return /[\w.~-]/.test(character) ? character : sequence
}
