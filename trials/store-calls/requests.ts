import { inviteUser } from '../../server/src/back-office/people/accounts.ts'
import { stepAt, totpCode } from '../../server/src/back-office/people/totp.ts'
import type { Database } from '../../server/src/storage/database.ts'
import { assertDescribed } from '../../server/test/answers/conformance.ts'
import { makeDocument, takesDocument } from '../harness/documents.ts'
import type { Reply, Route, Sent, Service } from '../harness/in-process.ts'
import type { Credentials } from '../harness/installation.ts'
import { API, cheapHash, type Office, sampleOf } from '../harness/office/back-office.ts'
import { bodyOf as bodyFor, ownRequest } from '../harness/office/back-room.ts'
import { isOfCopies } from '../harness/office/doors.ts'
import { FORM_ROW, formBody } from '../harness/office/forms.ts'
import { OPERATIONS, plainRequest } from '../harness/openapi.ts'

/** One request that can be made again and again; `turn` is another number each time. */
export interface Request {
  name: string
  /** Prepared before the fault, asked under it. `again`: the last one changed nothing, so it can be about the same thing. */
  prepare(turn: number, again?: boolean): Promise<() => Promise<Reply>>
  /** Whether this is what it is answered when nothing goes wrong. */
  expected(status: number): boolean
  /** Fails where the answer is not one that is documented. */
  check(reply: Reply): void
  /** Whether `unavailable` says that nothing was done. */
  strict: boolean
  /** Whether preparing changes nothing. */
  preparesNothing: boolean
  /** Whether the answer is a list that the code holds, so that no store is asked for it. */
  fixed: boolean
  /** Whether it makes a customer, whose phone tells the turn. */
  creates: boolean
}

const FIXED = ['listTaxTypes', 'listEventTypes', 'listOperationStatuses']

export const phoneOf = (turn: number) => `+${turn}`

export async function apiRequests({ call, token }: Service, credentials: Credentials): Promise<Request[]> {
  const held = await token(credentials)
  const { text } = await call({ method: 'GET', path: '/events?after=oldest&limit=1', headers: { 'x-token': held } })
  const [event] = JSON.parse(text).data as { id: string }[]
  const variants = OPERATIONS.flatMap((operation) => {
    const plain = { operation, query: '', key: false }
    const has = (name: string) => operation.parameters.some((each) => each.name === name)
    const exampleOf = (name: string) => operation.parameters.find((each) => each.name === name)?.example
    const [related, members] = [exampleOf('include'), exampleOf('fields')]
    return [
      plain,
      ...(has('filters') ? [{ ...plain, query: `?filters=[["id",">",0]]${members ? `&fields=${members}` : ''}` }] : []),
      ...(related ? [{ ...plain, query: `?include=${related}` }] : []),
      ...(has('idempotency-key') ? [{ ...plain, key: true }] : []),
    ]
  })
  const creates = ({ name }: (typeof OPERATIONS)[number]) => name === 'createCustomer'
  const documents = new Map<string, number>()
  return variants.map(({ operation, query, key }) => ({
    name: `${operation.method} ${operation.path}${query}${key ? ' with a key' : ''}`,
    strict: true,
    preparesNothing: !takesDocument(operation),
    fixed: FIXED.includes(operation.name),
    creates: creates(operation),
    async prepare(turn, again = false) {
      const send = (request: Sent) => call({ ...request, headers: { 'x-token': held } })
      if (takesDocument(operation) && !again) documents.set(operation.name, await makeDocument(operation, send))
      const request = plainRequest(operation, operation.name === 'getEvent' ? event!.id : documents.get(operation.name))
      const example = operation.closed
        ? { ...operation.example, ...(creates(operation) && { phone: phoneOf(turn) }) }
        : credentials
      const headers = {
        ...(operation.closed && { 'x-token': held }),
        ...(key && { 'idempotency-key': `key ${turn}` }),
      }
      const body = operation.example && JSON.stringify(example)
      return () => call({ ...request, path: request.path + query, headers, ...(body && { body }) })
    },
    expected: (status) => (status >= 200 && status < 300) || (status === 409 && operation.name === 'closeReceipt'),
    check: ({ status, text }) =>
      assertDescribed(operation.method, operation.path.replaceAll(/\{\w+\}/g, '1'), status, text),
  }))
}

/** What the requests of the back office are about. */
export interface Known {
  db: Database
  /** Credential of the owner's brand; `other` is of a brand that the operator takes care of. */
  client_id: string
  other: { slug: string; client_id: string; integrator_id: string }
}

export const officeRequests = (office: Office, known: Known): Request[] =>
  office.routes.map((route) => ({
    name: `${route.method} ${route.url}`,
    strict: false, // what was done may be followed by a look at it, which fails
    preparesNothing: false,
    fixed: false,
    creates: false,
    async prepare(turn) {
      const cookie = await office.cookieFor(route)
      const id = route.url.endsWith('/events/:id') ? await anEvent(office, cookie) : String(FORM_ROW)
      const named: Record<string, string> = route.url.includes('/operator/')
        ? known.other
        : { client_id: known.client_id, id, product: String(FORM_ROW) }
      const url =
        route.url.replaceAll(/:(\w+)/g, (_, name) => named[name]!) + (QUERIES[route.url.split('/').at(-1)!] ?? '')
      const facts = await factsFor(route, office, known.db)
      const own = await ownRequest(route, {
        db: known.db,
        password: office.secrets.password,
        ask: (method, address, body) => office.ask(method, address, cookie, body),
      })
      const both = own?.cookie ? `${cookie}; ${own.cookie}` : cookie
      if (own) return () => office.ask(route.method, own.url, both, bodyFor(route, own))
      const ask = (which: number) =>
        office.ask(route.method, url, cookie, formBody(route, `Form ${which}`) ?? bodyOf(route, facts, which))
      if (route.method === 'PATCH') await ask(turn + 1) // so that there is something to change
      if (route.method === 'DELETE') await office.ask('PUT', url, cookie, { limit: 0 }) // or to remove: of the stop list
      return () => ask(turn)
    },
    expected: (status) =>
      status < 400 || (status === 404 && isOfCopies(route) && known.db.dialect.engine === 'PostgreSQL'),
    check({ status, text }) {
      if (status < 400) return
      const { error, message } = JSON.parse(text)
      if (typeof error !== 'string' || typeof message !== 'string') throw new Error('not an error body')
    },
  }))

async function anEvent({ ask }: Office, cookie: string): Promise<string> {
  const { text } = await ask('GET', `${API}/events?after=oldest`, cookie)
  return JSON.parse(text).data[0].id
}

const QUERIES: Record<string, string> = {
  chart: '?range=hour',
  events: '?after=oldest',
}

/** What must be true in a body, or the request would be refused before it comes to anything. */
async function factsFor({ url, body }: Route, { secrets }: Office, db: Database): Promise<Record<string, string>> {
  const now = Date.now()
  const { password, totp } = secrets
  await restorePassword(db, password)
  const facts = { brand: 'bistro', username: 'owner', password, new_password: password }
  if (body?.properties?.token) return { ...facts, token: await inviteUser(db, 'trust', 'bistro', 'owner', now) }
  return url.endsWith('/operator/session') ? { ...facts, name: 'olga', code: totpCode(totp, stepAt(now)) } : facts
}

/** A request before may have chosen another; and a code is good once. */
async function restorePassword(db: Database, password: string): Promise<void> {
  const text = 'update accounts set password = ?, totp_step = null where password is not null'
  await db.transaction((tx) => tx.run(text, [cheapHash(password)]))
}

function bodyOf({ url, body }: Route, facts: Record<string, string>, turn: number): unknown {
  if (!body) return undefined
  const { code: _, ...sample } = sampleOf(body, `name-${turn}`, turn) as Record<string, unknown>
  if (url.endsWith('/customers')) delete sample.cid // one that no customer has is made
  if (url.endsWith('/rotation')) sample.overlap_s = 0 // a fourth secret would be refused
  return { ...sample, ...Object.fromEntries(Object.entries(facts).filter(([name]) => name in (body.properties ?? {}))) }
}
