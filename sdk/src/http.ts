import { AuthenticationError, ComptoirError, ConnectionError, ServerError } from './errors.ts'
import { exchange, type Fetch, type Message, type Method, type Observers } from './exchange.ts'
import { checkCallOptions } from './options.ts'
import { pacer, type Standing } from './pacing.ts'
import { encodeQuery, type Query } from './query.ts'
import { retryWaitMs } from './retry.ts'
import { isToken, type Token, type TokenStore, tokenKeeper } from './token.ts'
import type { Credentials } from './types.ts'
import { type Sleep, within } from './wait.ts'

/** How long a call may take. */
export interface Patience {
  /** For one attempt. */
  readonly timeoutMs: number
  /** For the whole call, attempts and waits together. */
  readonly deadlineMs: number
  readonly maxRetries: number
}

/** What one call may do differently from its client. */
export type CallOptions = { [Limit in keyof Patience]?: Patience[Limit] | undefined } & {
  /** Gives the call up, also while it waits; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

export type WriteOptions = CallOptions & {
  /**
   * Lets a write be sent again without being done again (D4.6). Made by itself unless given; with `false` there is none, and
   * a failure that leaves the outcome open is not retried.
   */
  idempotencyKey?: string | false | undefined
}

export type Call = WriteOptions & {
  method: Method
  path: string
  /** The path as the contract writes it, such as `/receipts/{id}`. */
  route?: string
  query?: Query | undefined
  body?: unknown
}

export interface Settings extends Observers {
  /** Without a slash at its end. */
  baseUrl: string
  credentials: Credentials
  patience: Patience
  tokenStore: TokenStore
  pace: boolean
  fetch: Fetch
  now: () => number
  sleep: Sleep
  random: () => number
}

export interface Http {
  /** The body of a success; anything else is thrown. */
  call(call: Call): Promise<unknown>
  /** The same with x-venue set. Token and pacing stay shared. */
  at(venue: number): Http
}

/** A message with what is to become of it when it fails. */
interface Errand extends Message, Patience {
  readonly signal: AbortSignal | undefined
  /** Done twice, it is done once: it reads, or it has an idempotency key. */
  readonly repeatable: boolean
}

export function connect(settings: Settings): Http {
  const { baseUrl, credentials, tokenStore, now, sleep, random } = settings
  const transport = { ...settings, secret: credentials.client_secret }
  const key = tokenKey(baseUrl, credentials)
  const tokens = tokenKeeper({ key, store: tokenStore, signIn, now, random })
  const pace = settings.pace ? pacer(now, sleep) : undefined

  async function signIn(): Promise<Token> {
    const errand = prepare(settings, { method: 'POST', path: '/auth', body: credentials, idempotencyKey: false })
    const answer = await persist({ ...errand, repeatable: true }, async (signal) => {
      const { outcome } = await exchange(transport, errand, signal) // not paced: it has a tier of its own (§8)
      return outcome
    })
    if (!isToken(answer)) throw new ServerError('POST /auth was answered without a token', { status: 200 })
    const { token, expires_in, expires_at } = answer
    return { token, expires_in, expires_at }
  }

  const send = (errand: Errand) => {
    let isRepeated = false
    return persist(errand, async (signal) => {
      const outcome = await signedIn(errand, signal)
      if (!isTokenRefused(outcome) || isRepeated) return outcome
      isRepeated = true // §5.3: with a new token, once in a call, however many attempts it has
      return signedIn(errand, signal)
    })
  }

  /** One attempt, when there is room for it, with the token that is good by then. */
  async function signedIn(message: Message, signal: AbortSignal): Promise<unknown> {
    let standing: Standing | undefined
    await pace?.enter(signal)
    try {
      const token = await tokens.get(signal) // it persists by itself, so what it throws is final
      const answer = await exchange(transport, message, signal, token)
      if (isTokenRefused(answer.outcome)) tokens.drop(token)
      standing = answer.standing
      return answer.outcome
    } finally {
      pace?.leave(standing)
    }
  }

  /** Attempts until there is a success, or a failure that is final. */
  async function persist(errand: Errand, attempt: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
    const { method, route, deadlineMs, maxRetries, repeatable } = errand
    const giveUpAt = now() + deadlineMs
    const late = () =>
      new ConnectionError(`${method} ${route} took more than ${deadlineMs} ms in all`, { slug: 'timeout' })
    return within(deadlineMs, late, errand.signal, async (signal) => {
      for (let failures = 1; ; failures++) {
        const outcome = await attempt(signal)
        if (!(outcome instanceof ComptoirError)) return outcome
        const waitMs = failures > maxRetries ? undefined : retryWaitMs(outcome, failures, repeatable, random)
        if (waitMs === undefined || now() + waitMs >= giveUpAt) throw outcome
        await sleep(waitMs, signal)
      }
    })
  }

  const at = (venue?: number): Http => ({
    call: async (call) => send(prepare(settings, call, venue)),
    at,
  })
  return at()
}

const isTokenRefused = (outcome: unknown) => outcome instanceof AuthenticationError && outcome.status === 401

function prepare({ baseUrl, patience }: Settings, call: Call, venue?: number): Errand {
  checkCallOptions(call)
  const { method, path, route = path, query = {}, body, signal } = call
  const { timeoutMs = patience.timeoutMs, deadlineMs = patience.deadlineMs, maxRetries = patience.maxRetries } = call
  const key = method === 'GET' ? false : (call.idempotencyKey ?? crypto.randomUUID())
  if (key !== false && !(typeof key === 'string' && /^[ -~]{1,255}$/.test(key)))
    throw new TypeError('An idempotency key is 1 to 255 printable ASCII characters')
  const headers = {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== false && { 'idempotency-key': key }),
    ...(venue !== undefined && { 'x-venue': String(venue) }),
  }
  return {
    ...{ method, route, url: address(baseUrl, path, query), headers, body: JSON.stringify(body), attempts: 0 },
    ...{ timeoutMs, deadlineMs, maxRetries, signal, repeatable: method === 'GET' || key !== false },
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
