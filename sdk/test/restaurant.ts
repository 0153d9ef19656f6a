import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { Comptoir, type ComptoirOptions } from '../src/index.ts'

// A service as the contract describes it, in a hundred lines: what a client can tell apart, and no more. It answers over HTTP,
// or as a `fetch` where a test wants its own clock and no sockets.

export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  headers: Headers
  body: string
}

export interface Answer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

/** What may happen to a call in place of an answer: never one, none, or none although the work was done. */
export type Mishap = 'silence' | 'cut' | 'lost'

export interface Furnishing {
  now?: () => number
  lifetimeSeconds?: number
  products?: number
  /** §8 tier 3: calls in a minute. */
  quota?: number
}

export const CREDENTIALS = {
  clientId: 'demo-client',
  clientSecret: 'demo-secret',
  brand: 'demo',
  integratorId: 'demo-integrator',
}

export type Restaurant = ReturnType<typeof restaurant>

export function restaurant({ now = Date.now, lifetimeSeconds = 3600, products = 120, quota = 1e6 }: Furnishing = {}) {
  const asked: Asked[] = []
  const expiry = new Map<string, number>()
  const written = new Map<string, { body: string; answer: Answer }>()
  const phones = new Set<string>()
  const admitted: number[] = []
  const instead: { path: string; happening: Answer | Mishap }[] = []

  function signIn({ body }: Asked): Answer {
    const { client_id, client_secret, brand, integrator_id } = JSON.parse(body)
    if (!client_id || !client_secret || !brand || !integrator_id)
      return denied(400, 'Missing client_id, client_secret, brand, or integrator_id')
    if (integrator_id !== CREDENTIALS.integratorId) return denied(400, 'Invalid integrator_id')
    if (client_id !== CREDENTIALS.clientId || client_secret !== CREDENTIALS.clientSecret || brand !== CREDENTIALS.brand)
      return { status: 401, body: { success: false, message: 'Invalid credentials' } }
    const token = `token-${randomUUID()}`
    const expires_at = Math.floor(now() / 1000) + lifetimeSeconds
    expiry.set(token, expires_at)
    return {
      status: 200,
      body: { success: true, token, token_type: 'Bearer', expires_in: lifetimeSeconds, expires_at, message: 'Welcome' },
    }
  }

  function identify({ headers }: Asked): Answer | undefined {
    const token = headers.get('x-token')
    if (token === null) return denied(401, 'Headers are missing')
    const expires_at = expiry.get(token)
    if (expires_at === undefined) return denied(401, 'Invalid token')
    if (now() <= expires_at * 1000) return undefined
    return denied(401, 'Token expired', { expires_at: new Date(expires_at * 1000).toISOString() })
  }

  function serve(request: Asked): Answer {
    const { path, query } = request
    const [, resource, id] = path.split('/')
    if (path === '/products') return page(catalogue(products), query, ['id', 'name', 'type'])
    if (path === '/price-lists')
      return page(query.get('include') === 'prices' ? priceLists : bare(priceLists), query, ['id'])
    if (path === '/customers') return write(request, () => customer(JSON.parse(request.body)))
    if (resource === 'receipts' && id === '1') return one({ id: 1, venue_id: venueOf(request), total: 12.5, status: 2 })
    if (resource === 'stock-operations' && id === '1') return one({ id: 1, venue_id: venueOf(request), quantity: -2 })
    return refused(404, 'not_found')
  }

  // D4.6
  function write({ headers, body }: Asked, work: () => Answer): Answer {
    const key = headers.get('idempotency-key')
    if (key === null) return work()
    const before = written.get(key)
    if (before && before.body !== body) return refused(422, 'idempotency_mismatch')
    if (before) return { ...before.answer, headers: { 'idempotency-replayed': 'true' } }
    const answer = work()
    if (answer.status !== 400) written.set(key, { body, answer })
    return answer
  }

  function customer({ name, phone }: { name?: string; phone?: string }): Answer {
    if (!name) return refused(400, 'validation_failed', { errors: [{ field: 'name', rule: 'required' }] })
    if (phone && phones.has(phone)) return refused(409, 'duplicate_phone', { field: 'phone' })
    if (phone) phones.add(phone)
    return one({ id: randomUUID(), name, ...(phone && { phone }), group_id: 1 })
  }

  function limited(answer: () => Answer): Answer {
    while (admitted.length > 0 && admitted[0]! <= now() - 60_000) admitted.shift()
    const full = admitted.length >= quota
    if (!full) admitted.push(now())
    const reset = admitted.length > 0 ? Math.max(1, Math.ceil((admitted[0]! + 60_000 - now()) / 1000)) : 0
    const { status, body, headers } = full ? refused(429, 'rate_limited', { tier: 3, limit: quota, reset }) : answer()
    return { status, body, headers: { ...headers, ...rateLimit(quota, quota - admitted.length, reset) } }
  }

  function answer(request: Asked): Answer | Mishap {
    asked.push(request)
    const place = instead.findIndex(({ path }) => path === request.path)
    const [happening] = place === -1 ? [] : instead.splice(place, 1).map((planned) => planned.happening)
    if (happening !== undefined && happening !== 'lost') return happening
    const answer = request.path === '/auth' ? signIn(request) : (identify(request) ?? limited(() => serve(request)))
    return happening ?? answer
  }

  return {
    answer,
    asked,
    /** What happens to the next calls of a path, one after the other, in place of the usual. */
    instead: (path: string, ...happenings: (Answer | Mishap)[]) =>
      void instead.push(...happenings.map((happening) => ({ path, happening }))),
    /** How often a path was asked for. */
    count: (path: string) => asked.filter((request) => request.path === path).length,
    /** Every token given so far is refused from now on. */
    revoke: () => expiry.clear(),
    fetch: fetchFrom(answer),
  }
}

export const refused = (status: number, error: string, details?: object): Answer => ({
  status,
  body: { error, message: `Refused: ${error}.`, ...(details && { details }) },
})

export const denied = (status: number, error: string, beside: object = {}): Answer => ({
  status,
  body: { success: false, error, ...beside },
})

export const rateLimited = (reset: number): Answer => ({
  ...refused(429, 'rate_limited', { tier: 3, limit: 300, reset }),
  headers: rateLimit(300, 0, reset),
})

const rateLimit = (limit: number, remaining: number, reset: number) => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(reset),
})

const one = (data: object): Answer => ({ status: 200, body: { success: true, data } })

const venueOf = ({ headers }: Asked) => Number(headers.get('x-venue') ?? 1)

type Row = Record<string, unknown>

const catalogue = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Dish ${index + 1}`,
    type: 'DISH',
    price: 10 + index,
    status: 1,
  }))

const priceLists: Row[] = [{ id: 1, name: 'Delivery', status: true, prices: [{ id: 1, product_id: 1, price: 11 }] }]

const bare = (rows: Row[]) => rows.map(({ prices: _, ...row }) => row)

// §4.3, D2.5, D2.9
function page(rows: Row[], query: URLSearchParams, always: string[]): Answer {
  const number = Number(query.get('page') ?? 1)
  const size = Number(query.get('limit') ?? 50)
  const fields = query.get('fields')?.split(',')
  const kept = (row: Row) =>
    Object.fromEntries(
      Object.entries(row).filter(([name]) => !fields || always.includes(name) || fields.includes(name)),
    )
  return {
    status: 200,
    body: {
      data: rows.slice((number - 1) * size, number * size).map(kept),
      pagination: { page: number, per_page: size, total: rows.length, total_pages: Math.ceil(rows.length / size) },
    },
  }
}

const never = () => new Promise<never>(() => {})

/** The restaurant without a network. */
function fetchFrom(answer: (request: Asked) => Answer | Mishap): NonNullable<ComptoirOptions['fetch']> {
  return async (url, { method, headers, body }) => {
    const { pathname, searchParams } = new URL(url)
    const request = { path: pathname.replace(/^\/v2/, ''), query: searchParams, headers: new Headers(headers) }
    const answered = answer({ method: method!, body: String(body ?? ''), ...request })
    if (answered === 'silence') return never()
    if (typeof answered === 'string')
      throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })
    return Response.json(answered.body, { status: answered.status, headers: { ...REQUEST_ID, ...answered.headers } })
  }
}

const REQUEST_ID = { 'x-request-id': 'request-1' }

/** The restaurant over HTTP, until the test ends. Answers its base address. */
export async function open(t: TestContext, { answer }: Restaurant): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
    const headers = new Headers(request.headers as Record<string, string>)
    const path = pathname.replace(/^\/v2/, '')
    const answered = answer({ method: request.method!, path, query: searchParams, headers, body })
    if (answered === 'silence') return
    if (typeof answered === 'string') return void request.socket.destroy()
    response.writeHead(answered.status, { 'content-type': 'application/json', ...REQUEST_ID, ...answered.headers })
    response.end(JSON.stringify(answered.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`
}

/** A client of the demo restaurant: over HTTP when an address is given, otherwise straight to it. */
export const clientOf = (at: Restaurant | string, options: Partial<ComptoirOptions> = {}) =>
  new Comptoir({
    ...CREDENTIALS,
    ...(typeof at === 'string' ? { baseUrl: at } : { baseUrl: 'https://pos.example/v2', fetch: at.fetch }),
    ...options,
  })

/** The token of each call but the sign-ins. */
export const tokensUsed = ({ asked }: Restaurant) =>
  asked.filter(({ path }) => path !== '/auth').map(({ headers }) => headers.get('x-token'))
