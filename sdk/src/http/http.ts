import { AuthenticationError, ComptoirError, ConnectionError, ServerError } from '../errors.ts'
import type { RetryLimits, Settings, WriteOptions } from '../option-types.ts'
import { checkCallOptions } from '../options.ts'
import { encodeQuery, type Query } from '../query.ts'
import type { Credentials } from '../types.ts'
import { exchange, type Message, type Method, type Tagged } from './exchange.ts'
import { pacer, type RateLimit } from './pacing.ts'
import { retryWaitMs } from './retry.ts'
import { isToken, type Token, tokenKeeper } from './token.ts'
import { type Sleep, within } from './wait.ts'

export type Call = WriteOptions & {
  method: Method
  path: string
  /** The path as the contract writes it, such as `/receipts/{id}`. */
  route?: string
  query?: Query | undefined
  body?: unknown
  /** Headers of this operation alone; undefined ones are not sent. */
  headers?: Readonly<Record<string, string | undefined>>
  /** false: it takes no turn among paced calls, because the server holds its answer. */
  isPaced?: boolean
}

export interface Http {
  /** The body of a success; anything else is thrown. */
  call(call: Call): Promise<unknown>
  /** The same with its ETag; with the header if-none-match there may be no body. */
  tagged(call: Call): Promise<Tagged>
  /** The same with x-venue set. Token and pacing stay shared. */
  atVenue(venue: number): Http
  readonly sleep: Sleep
  readonly random: () => number
}

/** A request, and how long and how often it is tried. */
interface PreparedRequest extends Message, RetryLimits {
  readonly signal: AbortSignal | undefined
  /** Done twice, it is done once: it reads, or it has an idempotency key. */
  readonly repeatable: boolean
  readonly isPaced: boolean
}

export function connect(settings: Settings): Http {
  const { baseUrl, credentials, tokenStore, now, sleep, random } = settings
  const transport = { ...settings, secret: credentials.client_secret }
  const key = tokenKey(baseUrl, credentials)
  const tokens = tokenKeeper({ key, store: tokenStore, signIn, now, random })
  const pace = settings.pace ? pacer(now, sleep) : undefined

  async function signIn(): Promise<Token> {
    const request = prepare(settings, { method: 'POST', path: '/auth', body: credentials, idempotencyKey: false })
    const answer = await withRetries({ ...request, repeatable: true }, async (signal) => {
      const { outcome } = await exchange(transport, request, signal) // not paced: it has a tier of its own (§8)
      return outcome
    })
    if (!isToken(answer)) throw new ServerError('POST /auth was answered without a token', { status: 200 })
    const { token, expires_in, expires_at } = answer
    return { token, expires_in, expires_at }
  }

  const send = (request: PreparedRequest) => {
    let isRepeated = false
    return withRetries(request, async (signal) => {
      const outcome = await signedIn(request, signal)
      if (!isTokenRefused(outcome) || isRepeated) return outcome
      isRepeated = true // §5.3: with a new token, once in a call, however many attempts it has
      return signedIn(request, signal)
    })
  }

  /** One attempt, when there is room for it, with the token that is good by then. */
  async function signedIn(request: PreparedRequest, signal: AbortSignal): Promise<unknown> {
    let rateLimit: RateLimit | undefined
    const turn = request.isPaced ? pace : undefined
    await turn?.enter(signal)
    try {
      const token = await tokens.get(signal) // it retries by itself, so what it throws is final
      const answer = await exchange(transport, request, signal, token)
      if (isTokenRefused(answer.outcome)) tokens.drop(token)
      rateLimit = answer.rateLimit
      return answer.outcome
    } finally {
      turn?.leave(rateLimit)
    }
  }

  /** Attempts until there is a success, or a failure that is final. */
  async function withRetries(
    request: PreparedRequest,
    attempt: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<unknown> {
    const { method, route, deadlineMs, maxRetries, repeatable } = request
    const giveUpAt = now() + deadlineMs
    const late = () =>
      new ConnectionError(`${method} ${route} took more than ${deadlineMs} ms in all`, { slug: 'timeout' })
    return within(deadlineMs, late, request.signal, async (signal) => {
      for (let failures = 1; ; failures++) {
        const outcome = await attempt(signal)
        if (!(outcome instanceof ComptoirError)) return outcome
        const waitMs = failures > maxRetries ? undefined : retryWaitMs(outcome, failures, repeatable, random)
        if (waitMs === undefined || now() + waitMs >= giveUpAt) throw outcome
        await sleep(waitMs, signal)
      }
    })
  }

  const atVenue = (venue?: number): Http => ({
    call: async (call) => send(prepare(settings, call, venue)),
    tagged: async (call) => send({ ...prepare(settings, call, venue), isTagged: true }) as Promise<Tagged>,
    atVenue,
    sleep,
    random,
  })
  return atVenue()
}

const isTokenRefused = (outcome: unknown) => outcome instanceof AuthenticationError && outcome.status === 401

function prepare({ baseUrl, retryLimits }: Settings, call: Call, venue?: number): PreparedRequest {
  checkCallOptions(call)
  const { method, path, route = path, query = {}, body, signal } = call
  const {
    timeoutMs = retryLimits.timeoutMs,
    deadlineMs = retryLimits.deadlineMs,
    maxRetries = retryLimits.maxRetries,
  } = call
  const key = method === 'GET' ? false : (call.idempotencyKey ?? crypto.randomUUID())
  if (key !== false && !(typeof key === 'string' && /^[ -~]{1,255}$/.test(key)))
    throw new TypeError('An idempotency key is 1 to 255 printable ASCII characters')
  const own = Object.entries(call.headers ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const headers = {
    ...Object.fromEntries(own),
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== false && { 'idempotency-key': key }),
    ...(venue !== undefined && { 'x-venue': String(venue) }),
  }
  return {
    method,
    route,
    url: address(baseUrl, path, query),
    headers,
    body: JSON.stringify(body),
    attempts: 0,
    isTagged: false,
    timeoutMs,
    deadlineMs,
    maxRetries,
    signal,
    repeatable: method === 'GET' || key !== false,
    isPaced: call.isPaced ?? true,
  }
}

function address(baseUrl: string, path: string, query: Query): string {
  const url = new URL(baseUrl + path)
  // The token must not go elsewhere, whatever a path was made from.
  if (/[?#]/.test(path) || !url.href.startsWith(`${baseUrl}/`))
    throw new TypeError(`${JSON.stringify(path)} is no path of the API`)
  url.search = encodeQuery(query)
  return url.href
}

// What a token depends on, and nothing secret.
const tokenKey = (baseUrl: string, { brand, integrator_id, client_id }: Credentials) =>
  ['comptoir', baseUrl, brand, integrator_id, client_id].map(encodeURIComponent).join(':')
