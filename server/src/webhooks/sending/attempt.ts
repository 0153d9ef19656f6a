import http from 'node:http'
import https from 'node:https'
import { BlockedAddress, ConnectTimeout, type GuardedAgents } from '../../delivery/guarded-agent.ts'
import { UnknownName } from '../../delivery/resolve.ts'
import { signature } from '../secrets.ts'

// W8, W11: one request to a receiver, and what came of it.

const ATTEMPT_MS = 15_000
const MAX_READ = 64 * 1024
const MAX_SHOWN = 1024
const MAX_RETRY_AFTER_S = 3_600
const MAX_SKEW_S = 120

export type FailureClass =
  | 'blocked'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'status_3xx'
  | 'status_4xx'
  | 'status_5xx'
  | 'protocol'

export interface Attempt {
  /** Absent: it was delivered. */
  readonly class?: FailureClass
  readonly status?: number
  readonly ms: number
  /** The beginning of the answer. */
  readonly answer: string
  /** How long nothing may be sent, by 429 or 503 with Retry-After. */
  readonly retryAfterMs?: number
  /** What the receiver asks for by the header webhook-delivery. */
  readonly directive?: 'disable' | 'abort-message'
  /** Seconds that the receiver's clock is off, where that is much. */
  readonly skewS?: number
}

export interface Message {
  readonly url: string
  readonly endpoint: string
  readonly id: string
  readonly body: string
  readonly secrets: readonly Buffer[]
  readonly replay?: string
}

export type Post = (message: Message) => Promise<Attempt>

/** The headers of a message, signed at this moment (W8). */
export function headersOf(
  { endpoint, id, body, secrets, replay }: Omit<Message, 'url'>,
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(now / 1000)
  return {
    'content-type': 'application/json',
    'user-agent': 'Comptoir-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature(secrets, id, timestamp, body),
    'comptoir-endpoint': endpoint,
    ...(replay !== undefined && { 'comptoir-replay': replay }),
  }
}

/** Sends signed messages. `now` is the wall clock, in milliseconds. */
export function poster(agents: GuardedAgents, now: () => number, attemptMs = ATTEMPT_MS): Post {
  return ({ url, ...message }) =>
    new Promise((resolve) => {
      const started = performance.now()
      const { body } = message
      const headers = { ...headersOf(message, now()), 'content-length': Buffer.byteLength(body) }
      const { protocol } = new URL(url)
      const { request } = protocol === 'https:' ? https : http
      let sent: http.ClientRequest
      let settled = false
      const finish = (outcome: Omit<Attempt, 'ms' | 'answer'>, answer = '') => {
        if (settled) return
        settled = true
        clearTimeout(timer)
        resolve({ ...outcome, answer, ms: Math.round(performance.now() - started) })
      }
      const timer = setTimeout(() => {
        finish({ class: 'timeout' })
        sent.destroy()
      }, attemptMs)

      function send(isAgain: boolean): void {
        sent = request(url, {
          method: 'POST',
          agent: agents[protocol as 'https:' | 'http:'],
          headers,
        })
        let isAnswered = false
        sent.on('error', (error) => {
          // A kept connection that the receiver closed while this was on its way: no failure of the receiver.
          if (sent.reusedSocket && !isAnswered && !isAgain && !settled && CLOSED.has(codeOf(error))) send(true)
          else finish({ class: classOf(error) })
        })
        sent.on('response', (response) => {
          isAnswered = true
          const chunks: Buffer[] = []
          let bytes = 0
          const end = () => finish(outcomeOf(response, now()), shown(chunks))
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length
            if (bytes <= MAX_READ) chunks.push(chunk)
            else {
              end()
              sent.destroy()
            }
          })
          response.on('end', end)
          response.on('error', () => finish({ class: 'protocol' }))
        })
        sent.end(body)
      }
      send(false)
    })
}

function outcomeOf({ statusCode = 0, headers }: http.IncomingMessage, now: number): Omit<Attempt, 'ms' | 'answer'> {
  const failed = statusCode < 200 || statusCode > 299
  const asked = headers['webhook-delivery']
  const directive = asked === 'disable' || (asked === 'abort-message' && failed) ? asked : undefined
  const retryAfter = statusCode === 429 || statusCode === 503 ? readRetryAfter(headers['retry-after'], now) : undefined
  const skewS = headers.date === undefined ? 0 : Math.round((Date.parse(headers.date) - now) / 1000)
  return {
    status: statusCode,
    ...(failed && { class: statusClass(statusCode) }),
    ...(directive !== undefined && { directive }),
    ...(retryAfter !== undefined && { retryAfterMs: retryAfter }),
    ...(Math.abs(skewS) > MAX_SKEW_S && { skewS }),
  }
}

function statusClass(status: number): FailureClass {
  if (status >= 300 && status < 400) return 'status_3xx'
  if (status >= 400 && status < 500) return 'status_4xx'
  return status >= 500 && status < 600 ? 'status_5xx' : 'protocol'
}

/** Seconds, or a date. */
function readRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_S) * 1000
}

const CLOSED = new Set(['ECONNRESET', 'EPIPE'])
const codeOf = (error: Error): string => (error as NodeJS.ErrnoException).code ?? ''

const CONNECTING = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET', 'EPIPE', 'EADDRNOTAVAIL'])

function classOf(error: Error): FailureClass {
  if (error instanceof BlockedAddress) return 'blocked'
  if (error instanceof UnknownName) return 'dns'
  if (error instanceof ConnectTimeout) return 'timeout'
  const code = codeOf(error)
  if (code.startsWith('HPE_')) return 'protocol'
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|UNABLE_|SELF_|EPROTO)/.test(code)) return 'tls'
  if (error instanceof AggregateError || CONNECTING.has(code)) return 'connect'
  return code === 'ETIMEDOUT' ? 'timeout' : 'connect'
}

/** Text that is inert wherever it is shown: no control characters, and no half of one. */
const shown = (chunks: readonly Buffer[]) =>
  Buffer.concat(chunks)
    .subarray(0, MAX_SHOWN)
    .toString('utf8')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, ' ')
