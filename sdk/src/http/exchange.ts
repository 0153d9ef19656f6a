import { ComptoirError, ConnectionError, errorOf, isObject } from '../errors.ts'
import type { RateLimit } from './pacing.ts'
import { within } from './wait.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** One attempt, as observers see it: no header, no body, nothing of the query. */
export interface RequestEvent {
  method: Method
  /** The path as the contract writes it, such as `/receipts/{id}`. */
  route: string
  /** Counts from 1 within one call. */
  attempt: number
}

export interface ResponseEvent extends RequestEvent {
  /** Undefined when no answer came. */
  status: number | undefined
  milliseconds: number
}

export interface Observers {
  onRequest?: ((event: RequestEvent) => void) | undefined
  onResponse?: ((event: ResponseEvent) => void) | undefined
}

export interface Transport extends Observers {
  readonly fetch: Fetch
  readonly now: () => number
  /** What no error may show. */
  readonly secret: string
}

/** A call made ready: every attempt sends the same bytes. */
export interface Message {
  readonly method: Method
  readonly route: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly timeoutMs: number
  /** Whether the answer is its ETag and its body: without a body it is 304, that of the tag that was sent. */
  readonly isTagged: boolean
  /** How many were made so far. */
  attempts: number
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** What a tagged call is answered. */
export interface Tagged {
  readonly etag: string | undefined
  /** Undefined: what the caller has is still good. */
  readonly body: unknown
}

export interface Exchange {
  /** The body of a success, or a ComptoirError: returned, not thrown, so that the caller decides what to do with it. */
  readonly outcome: unknown
  readonly rateLimit: RateLimit | undefined
}

/** One attempt at a message. Rejects only when the signal fires. */
export async function exchange(
  { fetch, now, secret, onRequest, onResponse }: Transport,
  message: Message,
  signal: AbortSignal,
  token?: string,
): Promise<Exchange> {
  const { method, route, url, body, timeoutMs } = message
  const headers = token === undefined ? message.headers : { ...message.headers, 'x-token': token }
  const event = { method, route, attempt: ++message.attempts }
  const late = () =>
    new ConnectionError(`${method} ${route} was not answered within ${timeoutMs} ms`, { slug: 'timeout' })

  notify(onRequest, event)
  const startedAt = now()
  const answer = await within(timeoutMs, late, signal, async (signal): Promise<Answer> => {
    // A redirect is not followed: fetch would take the token, or the secret, wherever it points.
    const response = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual', signal })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }).catch((error: unknown) => (error instanceof ConnectionError ? error : unreachable(event, error)))
  notify(onResponse, { ...event, status: answer.status, milliseconds: now() - startedAt })

  if (answer instanceof ConnectionError) {
    signal.throwIfAborted()
    return { outcome: answer, rateLimit: undefined }
  }
  const secrets = token === undefined ? [secret] : [secret, token]
  const outcome = isUnchanged(message, answer) ? undefined : outcomeOf(event, answer, secrets, now())
  const tagged = (): Tagged => ({ etag: answer.headers.get('etag') ?? undefined, body: outcome })
  return {
    outcome: message.isTagged && !(outcome instanceof ComptoirError) ? tagged() : outcome,
    rateLimit: rateLimitOf(answer.headers),
  }
}

const isUnchanged = ({ isTagged, headers }: Message, { status }: Answer) =>
  isTagged && status === 304 && headers['if-none-match'] !== undefined

function outcomeOf(
  { method, route }: RequestEvent,
  { status, headers, text }: Answer,
  secrets: readonly string[],
  now: number,
) {
  const body = parse(text)
  if (status < 300 && body && body.success !== false) return body // §5.4: a refusal may come with 200
  // A server, or a proxy before it, might echo what it was sent.
  const hide = (shown: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), shown)
  // It is on every answer, but only here does it ask to wait.
  const resetSeconds = status === 429 ? count(headers, 'ratelimit-reset') : undefined
  return errorOf({
    operation: `${method} ${route}`,
    status,
    body: parse(hide(text), (_name, value) => (typeof value === 'string' ? hide(value) : value)), // as sent, and as escaped
    requestId: hide(headers.get('x-request-id') ?? '') || undefined,
    retryAfterSeconds: resetSeconds ?? count(headers, 'retry-after') ?? secondsUntil(headers, now),
  })
}

function parse(text: string, revive?: (name: string, value: unknown) => unknown): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text, revive)
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

function rateLimitOf(headers: Headers): RateLimit | undefined {
  const remaining = count(headers, 'ratelimit-remaining')
  const resetSeconds = count(headers, 'ratelimit-reset')
  return remaining === undefined || resetSeconds === undefined ? undefined : { remaining, resetSeconds }
}

function count(headers: Headers, name: string): number | undefined {
  const value = headers.get(name)
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined
}

/** Retry-After as a date (RFC 9110 section 10.2.3), by the server's own clock where the answer has it. */
function secondsUntil(headers: Headers, now: number): number | undefined {
  const until = httpDate(headers.get('retry-after'))
  if (until === undefined) return undefined
  return Math.max(0, Math.ceil((until - (httpDate(headers.get('date')) ?? now)) / 1000))
}

/** The form that servers must send (RFC 9110 section 5.6.7), in milliseconds. */
function httpDate(value: string | null): number | undefined {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value ?? '')
    ? Date.parse(value!) || undefined
    : undefined
}

// Only the code of what went wrong: into its message a runtime may write the value of a header.
function unreachable({ method, route }: RequestEvent, error: unknown): ConnectionError {
  const { cause, code, name } = Object(error) as { cause?: { code?: unknown }; code?: unknown; name?: unknown }
  const slug = String(cause?.code ?? code ?? name)
  return new ConnectionError(`${method} ${route} could not be sent, or its answer was lost: ${slug}`, { slug })
}

/** An observer only looks on: the call goes on when it throws. */
function notify<Event>(observer: ((event: Event) => void) | undefined, event: Event) {
  try {
    observer?.(event)
  } catch {}
}
