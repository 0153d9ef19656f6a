import { inviteUser } from '../../server/src/back-office/people/accounts.ts'
import { stepAt, totpCode } from '../../server/src/back-office/people/totp.ts'
import type { Database } from '../../server/src/storage/database.ts'
import { assertDescribed } from '../../server/test/conformance.ts'
import { cheapHash, type Office, sampleOf } from '../harness/back-office.ts'
import type { Reply, Route, Service } from '../harness/in-process.ts'
import type { Credentials } from '../harness/installation.ts'
import { OPERATIONS, plainRequest } from '../harness/openapi.ts'

/** One request that can be made again and again; `turn` is another number each time. */
export interface Request {
  name: string
  /** Prepared before the fault, asked under it. Where it is strict, preparing changes nothing. */
  prepare(turn: number): Promise<() => Promise<Reply>>
  /** Whether this is what it is answered when nothing goes wrong. */
  expected(status: number): boolean
  /** Fails where the answer is not one that is documented. */
  check(reply: Reply): void
  /** Whether `unavailable` says that nothing was done. */
  strict: boolean
  /** Whether it makes a customer, whose phone tells the turn. */
  creates: boolean
}

export const phoneOf = (turn: number) => `+${turn}`

export async function apiRequests({ call, token }: Service, credentials: Credentials): Promise<Request[]> {
  const held = await token(credentials)
  const variants = OPERATIONS.flatMap((operation) => {
    const plain = { operation, query: '', key: false }
    const has = (name: string) => operation.parameters.some((each) => each.name === name)
    const related = operation.parameters.find(({ name }) => name === 'include')?.example
    return [
      plain,
      ...(has('filters') ? [{ ...plain, query: '?filters=[["name","like","o"]]&fields=name' }] : []),
      ...(related ? [{ ...plain, query: `?include=${related}` }] : []),
      ...(has('idempotency-key') ? [{ ...plain, key: true }] : []),
    ]
  })
  return variants.map(({ operation, query, key }) => ({
    name: `${operation.method} ${operation.path}${query}${key ? ' with a key' : ''}`,
    strict: true,
    creates: operation.method === 'POST' && operation.closed,
    async prepare(turn) {
      const request = plainRequest(operation)
      const example = operation.closed ? { ...operation.example, phone: phoneOf(turn) } : credentials
      const headers = {
        ...(operation.closed && { 'x-token': held }),
        ...(key && { 'idempotency-key': `key ${turn}` }),
      }
      const body = operation.example && JSON.stringify(example)
      return () => call({ ...request, path: request.path + query, headers, ...(body && { body }) })
    },
    expected: (status) => status >= 200 && status < 300,
    check: ({ status, text }) =>
      assertDescribed(operation.method, operation.path.replaceAll(/\{\w+\}/g, '1'), status, text),
  }))
}

/** What the requests of the back office are about. */
export interface Known {
  db: Database
  /** Of the owner's brand, and of one that the operator takes care of. */
  client_id: string
  other: { slug: string; client_id: string; integrator_id: string }
}

export const officeRequests = (office: Office, known: Known): Request[] =>
  office.routes.map((route) => ({
    name: `${route.method} ${route.url}`,
    strict: false, // what was done may be followed by a look at it, which fails
    creates: false,
    async prepare(turn) {
      const named: Record<string, string> = route.url.includes('/operator/')
        ? known.other
        : { client_id: known.client_id }
      const url =
        route.url.replaceAll(/:(\w+)/g, (_, name) => named[name]!) + (QUERIES[route.url.split('/').at(-1)!] ?? '')
      const cookie = await office.cookieFor(route)
      const facts = await factsFor(route, office, known.db)
      const ask = (which: number) => office.ask(route.method, url, cookie, bodyOf(route, facts, which))
      if (route.method === 'PATCH') await ask(turn + 1) // so that there is something to change
      return () => ask(turn)
    },
    expected: (status) => status < 400,
    check({ status, text }) {
      if (status < 400) return
      const { error, message } = JSON.parse(text)
      if (typeof error !== 'string' || typeof message !== 'string') throw new Error('not an error body')
    },
  }))

const QUERIES: Record<string, string> = { chart: '?range=hour' }

/** What must be true in a body, or the request would be refused before it comes to anything. */
async function factsFor({ url, body }: Route, { secrets }: Office, db: Database): Promise<Record<string, string>> {
  const now = Date.now()
  const { password, totp } = secrets
  const facts = { brand: 'bistro', username: 'owner', password, new_password: password }
  if (body?.properties?.token) return { ...facts, token: await inviteUser(db, 'trust', 'bistro', 'owner', now) }
  if (!body?.properties?.password) return facts
  const text = 'update accounts set password = ?, totp_step = null where password is not null' // a code is good once
  await db.transaction((tx) => tx.run(text, [cheapHash(password)]))
  return url.endsWith('/operator/session') ? { ...facts, name: 'olga', code: totpCode(totp, stepAt(now)) } : facts
}

function bodyOf({ body }: Route, facts: Record<string, string>, turn: number): unknown {
  if (!body) return undefined
  const { code: _, ...sample } = sampleOf(body, `name-${turn}`, turn) as Record<string, unknown>
  return { ...sample, ...Object.fromEntries(Object.entries(facts).filter(([name]) => name in body.properties!)) }
}
