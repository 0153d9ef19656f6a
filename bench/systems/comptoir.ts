import { freePort } from '../../scripts/services.ts'
import { BIN, type Credentials, type Env, SPENT } from '../data.ts'
import { ask, type Server, serve } from '../processes.ts'
import type { Request } from '../request.ts'
import type { RequestKind } from '../request-kinds.ts'

// Comptoir in its default configuration, and with metrics on. Tiers 1 and 2 count by address and cannot be raised, so where
// they would end the load it stands behind a trusted proxy that speaks for many clients, each below its limit.

const SIGN_IN_ADDRESSES = 65_536 // × 60 a minute
const ADDRESSES = 16_384 // × 600 failures a minute

export type Requests = Partial<Record<RequestKind, Request>>

export const READY: Request = { method: 'GET', path: '/health/ready', headers: {}, status: 200 }
const PROXY = { COMPTOIR_TRUSTED_PROXIES: '127.0.0.1/32' }
const FORWARDED = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' }

/** `first`: the request whose answer ends the cold start; `within`: a command that runs the one that follows it. */
export async function startComptoir(
  env: Env,
  log: string,
  first = READY,
  within: readonly string[] = [],
): Promise<Server> {
  const port = await freePort()
  const settings = { PORT: String(port), COMPTOIR_METRICS_PORT: '0', ...env }
  const [command = '', ...words] = [...within, process.execPath, BIN, 'serve']
  return serve({ command, words, env: settings, log }, `http://127.0.0.1:${port}`, first)
}

/** Comptoir with a trusted proxy set, so that a header gives the client's address. */
export const startBehindProxy = (env: Env, log: string) => startComptoir({ ...env, ...PROXY }, log)

/** Requests that succeed, in the default configuration. */
export async function directRequests(url: string, credentials: Credentials): Promise<Requests> {
  const headers = { 'x-token': await signIn(url, credentials) }
  const get = (path: string): Request => ({ method: 'GET', path: `/v2/${path}`, headers, status: 200 })
  return {
    receipt: await firstReceipt(url, get),
    page: get('products?limit=50'),
    fields: get('products?limit=50&fields=name,price'),
    prices: get('price-lists?include=prices&limit=10'),
    customer: {
      method: 'POST',
      path: '/v2/customers',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"name":"Camille Bench"}',
      status: 200,
    },
  }
}

/** Refused requests, and sign-ins. They need many client addresses, or tier 1 would refuse the sign-ins. */
export async function proxiedRequests(url: string, credentials: Credentials): Promise<Requests> {
  const spent = await signIn(url, { ...credentials, integrator_id: SPENT }, FORWARDED)
  const get = (headers: Request['headers'], status: number): Request => ({
    method: 'GET',
    path: '/v2/receipts/500',
    headers: { ...FORWARDED, ...headers },
    status,
  })
  const from = (count: number) => ({ header: 'x-forwarded-for', values: addresses(count) })
  return {
    signIn: { ...signInRequest(credentials, FORWARDED), vary: from(SIGN_IN_ADDRESSES) },
    unauthorised: { ...get({}, 401), vary: from(ADDRESSES) },
    rateLimitedAddress: get({ 'x-forwarded-for': '192.0.2.2' }, 429),
    rateLimitedPair: { ...get({ 'x-token': spent }, 429), vary: from(ADDRESSES) },
  }
}

const signInRequest = (credentials: Credentials, headers: Record<string, string> = {}): Request => ({
  method: 'POST',
  path: '/v2/auth',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(credentials),
  status: 200,
})

export async function signIn(url: string, credentials: Credentials, headers?: Record<string, string>): Promise<string> {
  const { body } = await ask(url, signInRequest(credentials, headers))
  const { token } = JSON.parse(body) as { token?: string }
  if (!token) throw new Error(`signing in: ${body}`)
  return token
}

/** Receipts belong to venues, so not every id can be read with this token. */
async function firstReceipt(url: string, get: (path: string) => Request): Promise<Request> {
  for (let id = 500; id < 600; id++) {
    const request = get(`receipts/${id}`)
    if ((await ask(url, request)).status === 200) return request
  }
  throw new Error('no receipt from 500 to 599 is of the active venue')
}

const addresses = (count: number) =>
  Array.from({ length: count }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
