import type { Fetch, Observers } from './http/exchange.ts'
import type { TokenStore } from './http/token.ts'
import type { Sleep } from './http/wait.ts'
import type { Query } from './query.ts'
import type { Credentials } from './types.ts'

// The options of a client and of its calls, as programs give them.

export interface ComptoirOptions extends Partial<RetryLimits>, Observers {
  /** Where the API is, its version included: https, or http on this machine. */
  baseUrl: string
  clientId: string
  clientSecret: string
  brand: string
  integratorId: string
  /** Lets several processes share one token. */
  tokenStore?: TokenStore
  /** Sends no more than RateLimit-Remaining leaves room for, rather than be refused and wait. */
  pace?: boolean
  /** For tests, like the three below: what stands in for the platform's own. */
  fetch?: Fetch
  /** Milliseconds of the wall clock. */
  now?: () => number
  sleep?: Sleep
  random?: () => number
}

export type RequestOptions = WriteOptions & { query?: Query; body?: unknown }

/** How long a call may take. */
export interface RetryLimits {
  /** For one attempt. */
  readonly timeoutMs: number
  /** For the whole call, attempts and waits together. */
  readonly deadlineMs: number
  readonly maxRetries: number
}

/** What one call may do differently from its client. */
export type CallOptions = { [Limit in keyof RetryLimits]?: RetryLimits[Limit] | undefined } & {
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

/** Where a reader stands in the feed, kept between two runs. */
export interface CursorStore {
  get(): Promise<string | undefined>
  set(cursor: string): Promise<void>
}

export interface FollowOptions {
  /** `oldest`, `latest`, or a cursor: what `done()` gave, or `next` of `events.list`. The store's cursor goes first. */
  after?: string | undefined
  /** `product.updated`, `product.*`, `menu.*` or `*`; everything that one may read unless given. */
  types?: readonly string[] | undefined
  venues?: readonly number[] | undefined
  /** `['object']`: with each event the object as it is now. */
  include?: readonly 'object'[] | undefined
  /** Saves the cursor each time that it moves, and says where to begin. */
  store?: CursorStore | undefined
  /** Ends the loop, also while it waits. */
  signal?: AbortSignal | undefined
}

export interface Settings extends Observers {
  /** Without a slash at its end. */
  baseUrl: string
  credentials: Credentials
  retryLimits: RetryLimits
  tokenStore: TokenStore
  pace: boolean
  fetch: Fetch
  now: () => number
  sleep: Sleep
  random: () => number
}
