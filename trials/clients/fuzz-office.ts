import fc from 'fast-check'
import { createCredential } from '../../server/src/directory/credentials.ts'
import { addIntegrator } from '../../server/src/directory/registry.ts'
import { staff } from '../../server/test/database/store.ts'
import { openService, type Reply, type Route, type Sent, type Service, untilFree } from '../harness/in-process.ts'
import { addTenant, type Engine, type Installation, install } from '../harness/installation.ts'
import { menu } from '../harness/menu.ts'
import { API, LIVE, type Office, openOffice, sampleOf } from '../harness/office/back-office.ts'
import { cidOf, type Operation } from '../harness/openapi.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { type Known, officeRequests } from '../store-calls/requests.ts'
import { hostileValue, unsigned } from './requests.ts'

const AT_ONCE = 10
const BATCH = 20
/** A fuzzer that is always refused early tests nothing. */
const MIN_DONE_SHARE = 0.1

/** What a page sends is refused with a reason or done, whatever it is, and no answer shows what is inside. */
export async function fuzzOffice(trial: Trial): Promise<void> {
  const { pageRequests } = trial.sizes
  await fuzzPages(trial, 'SQLite', pageRequests)
  await fuzzPages(trial, 'PostgreSQL', Math.ceil(pageRequests / 4))
}

async function fuzzPages(trial: Trial, engine: Engine, count: number): Promise<void> {
  const installation = await install(trial, engine, menu('bistro'))
  const service = await openService(trial, installation)
  const office = await openOffice(service, 'bistro', PASSWORD)
  const known = await knownTo(installation)
  await trial.promise(`pages may send what is almost right, none is a 5xx, ${engine}`, (reportFailure) =>
    almostRight(trial, office, known, reportFailure),
  )
  await trial.promise(`pages may send anything, none is a 5xx, ${engine}`, (reportFailure) =>
    byChance(trial, service, office, known, count, reportFailure),
  )
}

const PASSWORD = 'a password for the pages'

/** What requests can name: another brand, which the operator takes care of, and credentials of both. */
async function knownTo({ db, keys }: Installation): Promise<Known> {
  const annex = await addTenant(db, keys, 'annex', 'annex-hub', [...staff(), ...menu('annex')])
  await addIntegrator(db, 'trust', { name: 'Spare', id: 'spare', test: false })
  const { client_id } = await createCredential(db, keys, 'trust', { brand: 'bistro', username: 'owner' })
  const other = { slug: 'annex', integrator_id: 'spare', client_id: annex.credentials.client_id }
  return { db, client_id, other }
}

/** Requests made from the schema of each route. */
async function byChance(
  trial: Trial,
  service: Service,
  office: Office,
  known: Known,
  count: number,
  reportFailure: ReportFailure,
): Promise<string> {
  const routes = office.routes.filter((route) => !isStream(route))
  const people = cookies(office)
  const statuses = new Map<number, number>()
  let sent = 0
  const one = fc.oneof(
    ...routes.map((route) => unsigned(operationOf(route, known)).map((request) => ({ route, request }))),
  )
  const group = fc.array(one, { minLength: 1, maxLength: AT_ONCE, size: 'max' })
  const property = fc.asyncProperty(group, async (several) => {
    sent += several.length
    const replies = await Promise.all(several.map(({ route, request }) => answered(office, people, route, request)))
    service.lines.length = 0
    for (const reply of replies) {
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      const wrong = wrongReply(reply)
      if (wrong) throw new Error(wrong)
    }
  })
  for (let batch = 0; sent < count; batch++) {
    const verdict = await fc.check(property, { seed: trial.seed + batch, numRuns: BATCH })
    if (!verdict.failed) continue
    reportFailure(`${JSON.stringify(verdict.counterexample)}: ${verdict.errorInstance}`)
    break
  }
  const done = statuses.get(200) ?? 0
  if (done < sent * MIN_DONE_SHARE) reportFailure(`only ${done} of ${sent} requests were answered 200`)
  const seen = [...statuses].map(([status, times]) => `${status} × ${times}`).join(', ')
  return `${sent} requests to ${routes.length} routes, up to ${AT_ONCE} at once, ${seen}`
}

/** Requests that each route does, and then the same with one value of the body in the wrong place. */
async function almostRight(trial: Trial, office: Office, known: Known, reportFailure: ReportFailure): Promise<string> {
  let spoil: ((body: unknown) => unknown) | undefined
  const spoiling: Office = {
    ...office,
    ask: (method, url, cookie, body, more) => office.ask(method, url, cookie, spoil ? spoil(body) : body, more),
  }
  const requests = officeRequests(spoiling, known)
  const values = fc.sample(fc.tuple(fc.nat(), hostileValue), { seed: trial.seed, numRuns: 1_000 })
  let turn = 0
  let done = 0
  for (let times = 0; times < trial.sizes.pageTries; times++)
    for (const { name, prepare, expected } of requests) {
      const ask = await prepare(++turn)
      const [place, value] = values[turn % values.length]!
      if (times > 0) spoil = (body) => withValue(body, place, value)
      const reply = await untilFree(ask)
      spoil = undefined
      const wrong = wrongReply(reply)
      if (wrong) reportFailure(`${name} with ${JSON.stringify(value)}: ${wrong}`)
      // Later some are refused: a wrong password makes the next attempt wait.
      if (times > 0) continue
      if (expected(reply.status)) done++
      else reportFailure(`${name} was answered ${reply.status} ${reply.text.slice(0, 300)}`)
    }
  return `${turn} requests, ${done} of ${requests.length} routes did what they are for`
}

/** A copy in which one member, however deep, is another value. */
function withValue(body: unknown, place: number, value: unknown): unknown {
  if (typeof body !== 'object' || body === null || Object.keys(body).length === 0) return structuredClone(value)
  const keys = Object.keys(body)
  const key = keys[place % keys.length]!
  const inside = (body as Record<string, unknown>)[key]
  const isDeep = typeof inside === 'object' && inside !== null && Object.keys(inside).length > 0
  const changed = isDeep ? withValue(inside, Math.floor(place / keys.length), value) : structuredClone(value)
  if (!Array.isArray(body)) return { ...body, [key]: changed }
  return body.map((item, index) => (String(index) === key ? changed : item))
}

/** It does not end; trials/isolation/feed.ts reads it. */
const isStream = ({ url }: Route) => url === LIVE

/** What stands in a path: rows that there are, by number and by cid. */
const IDS = ['1', '2', '3', cidOf(1), cidOf(2)]

function operationOf({ method, url, body, query }: Route, { client_id, other }: Known): Operation {
  const named: Record<string, string> = url.startsWith(`${API}/operator/`) ? other : { client_id }
  const valuesOf = (name: string) => (name in named ? [named[name]!] : IDS)
  const names = [...url.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  const required = query?.required ?? []
  return {
    method,
    path: url.replaceAll(/:(\w+)/g, '{$1}'),
    name: url,
    closed: false,
    parameters: [
      ...names.map((name) => ({ name, in: 'path' as const, required: true, schema: { enum: valuesOf(name) } })),
      ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
        name,
        in: 'query' as const,
        required: required.includes(name),
        schema,
      })),
    ],
    body,
    example: body && (sampleOf(body, 'name', 1) as Record<string, unknown>),
  }
}

/** The owner's and the operator's sessions, which some requests end. */
function cookies(office: Office) {
  const open = new Map<boolean, Promise<string>>()
  const isOperators = ({ url }: Route) => url.startsWith(`${API}/operator/`)
  return {
    cookieOf(route: Route): Promise<string> {
      const held = open.get(isOperators(route)) ?? office.cookieFor(route)
      open.set(isOperators(route), held)
      return held
    },
    end: (route: Route) => void open.delete(isOperators(route)),
  }
}

async function answered(
  office: Office,
  people: ReturnType<typeof cookies>,
  route: Route,
  { method, path, headers = {}, body }: Sent,
): Promise<Reply> {
  const ask = async () =>
    untilFree(async () =>
      office.ask(method, path, await people.cookieOf(route), body, { headers, address: nextAddress() }),
    )
  const reply = await ask()
  if (reply.status !== 401) return reply
  people.end(route) // another request of the group may have signed out
  return ask()
}

let addresses = 0
/** Each comes from an address of its own, so that failures at the door do not close it. */
function nextAddress(): string {
  addresses++
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

/** Words of an engine, of a driver or of a stack. */
const INSIDE = /SQLITE|syntax error|pg_|ECONN|node:internal|\n\s+at |TypeError|RangeError/

function wrongReply({ status, text }: Reply): string | undefined {
  const isWrong = status >= 500 || (status >= 400 && INSIDE.test(text))
  return isWrong ? `answered ${status} ${text.slice(0, 300)}` : undefined
}
