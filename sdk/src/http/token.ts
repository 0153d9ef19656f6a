import { isObject } from '../errors.ts'
import type { Authentication } from '../types.ts'
import { unlessAborted } from './wait.ts'

/** A token as POST /auth gave it; `expires_at` is Unix time, `expires_in` its whole lifetime in seconds. */
export type Token = Pick<Authentication, 'token' | 'expires_in' | 'expires_at'>

/**
 * Where processes share a token. The key names server, brand, integrator and client. An old token does no harm, a failure
 * costs a sign-in, and of two that set at once either may win: both tokens are good.
 */
export interface TokenStore {
  get(key: string): Token | undefined | Promise<Token | undefined>
  set(key: string, token: Token): void | Promise<void>
  /** Told when the token that is kept was refused, so that nobody tries it again. */
  delete?(key: string): void | Promise<void>
}

/** The store that is used unless another is given; clients of one process may share it. */
export function memoryTokenStore(): TokenStore {
  const tokens = new Map<string, Token>()
  return {
    get: (key) => tokens.get(key),
    set: (key, token) => void tokens.set(key, token),
    delete: (key) => void tokens.delete(key),
  }
}

export const isToken = (value: unknown): value is Token =>
  isObject(value) &&
  typeof value.token === 'string' &&
  /^[!-~]+$/.test(value.token) && // what a header can carry
  Number.isFinite(value.expires_in) &&
  Number.isFinite(value.expires_at)

export interface TokenSource {
  key: string
  store: TokenStore
  signIn: () => Promise<Token>
  now: () => number
  random: () => number
}

export interface TokenKeeper {
  get(signal?: AbortSignal): Promise<string>
  /** Called after a 401. A token that has since been renewed is kept. */
  drop(token: string): void
}

interface CachedToken {
  readonly token: string
  readonly expiresAt: number
  renewAt: number
}

const RENEWAL_PAUSE_MS = 10_000

/** Holds one token, renews it before it expires, and lets callers that arrive together share the renewal (§5.3). */
export function tokenKeeper({ key, store, signIn, now, random }: TokenSource): TokenKeeper {
  let cached: CachedToken | undefined
  let refused: string | undefined
  let renewal: Promise<CachedToken> | undefined

  function hold({ token, expires_in }: Token, expiresAt: number): CachedToken {
    // Drawn once, as the token comes, so that clients whose tokens end together do not come back together.
    const early = 0.05 + 0.05 * random()
    cached = { token, expiresAt, renewAt: expiresAt - expires_in * 1000 * early }
    return cached
  }

  const isNewer = ({ token, expires_at }: Token) =>
    token !== cached?.token && token !== refused && expires_at * 1000 > (cached?.expiresAt ?? now())

  async function renew(): Promise<CachedToken> {
    const shared = await quietly(() => store.get(key))
    if (isToken(shared) && shared.token === refused) await quietly(() => store.delete?.(key))
    else if (isToken(shared) && isNewer(shared)) {
      // Another process came first: as each draws its own moment, one renews and the others find its token here.
      const found = hold(shared, shared.expires_at * 1000)
      if (now() < found.renewAt) return found
    }
    try {
      const token = await signIn()
      const renewed = hold(token, now() + token.expires_in * 1000) // by our clock, which need not be the server's
      await quietly(() => store.set(key, token))
      return renewed
    } catch (error) {
      if (cached === undefined || cached.expiresAt <= now()) throw error
      cached.renewAt = now() + RENEWAL_PAUSE_MS
      return cached
    }
  }

  return {
    async get(signal) {
      if (cached && now() < cached.renewAt) return cached.token
      renewal ??= renew().finally(() => {
        renewal = undefined
      })
      if (cached && now() < cached.expiresAt) {
        renewal.catch(() => {}) // the token is still good, so nobody waits for the next one
        return cached.token
      }
      return (await unlessAborted(renewal, signal)).token
    },

    drop(token) {
      if (cached?.token !== token) return
      cached = undefined
      refused = token // so that it is not taken from the store again
    },
  }
}

async function quietly<Result>(work: () => Result | Promise<Result>): Promise<Result | undefined> {
  try {
    return await work()
  } catch {
    return undefined
  }
}
