import type { Database } from '../../server/src/storage/database.ts'
import type { Route } from '../harness/in-process.ts'
import { API, type Office, sampleOf } from '../harness/office/back-office.ts'
import { bodyOf, ownRequest } from '../harness/office/back-room.ts'
import { newPin } from '../harness/office/doors.ts'
import { formBody } from '../harness/office/forms.ts'
import type { Canaries } from './canaries.ts'

// Canaries through each route of the back office: first as it is meant to be used, then in ways that are refused.

const nameOf = ({ method, url }: Route) => `${method} ${url.slice(API.length)}`
const isRead = ({ method }: Route) => method === 'GET'
const isOperators = ({ url }: Route) => url.startsWith(`${API}/operator/`)

/** Values for path parameters, on the pages of the brand's owner and on those of the operator. */
export interface Known {
  db: Database
  owner: Record<string, string>
  operator: Record<string, string>
}

const INVITE = 'POST /operator/brands/:slug/invitations'
const [EVENTS, EVENT] = ['GET /events', 'GET /events/:id']
const ACCEPT = 'POST /invitation/acceptance'
// Somebody is invited, looks at the link, takes it up, and chooses another password; only who is none of the others can do that.
const FIRST = [INVITE, 'POST /invitation', ACCEPT, 'PUT /password']

/** Each route so that it succeeds. `code` is one of the operator's authenticator app that was not used yet. */
export async function useOffice(office: Office, canaries: Canaries, known: Known, code: string): Promise<void> {
  const { canary, label, hide } = canaries
  const { password } = office.secrets
  const [chosen, another] = [hide(canary()), hide(canary())]
  let invitation = ''
  let event = ''
  let guest = '' // the cookie of the person who accepted the invitation
  const bodies: Record<string, () => object> = {
    'POST /session': () => ({ brand: 'bistro', username: 'owner', password }),
    'POST /operator/session': () => ({ name: 'olga', password, code: hide(code) }),
    'POST /invitation': () => ({ token: invitation }),
    [ACCEPT]: () => ({ token: invitation, password: chosen }),
    'PUT /password': () => ({ password: chosen, new_password: another }),
    'POST /credentials': () => ({ name: label(), user_id: 1, venue_id: 1 }),
    'POST /credentials/:client_id/secret': () => ({ password }),
    'POST /customers': () => personOf(canary),
    'PUT /customers/:id': () => personOf(canary),
    'POST /operator/brands': () => ({ slug: 'terrace', name: label(), test: false }),
    [INVITE]: () => ({ username: 'owner', password }),
    'POST /operator/brands/:slug/credentials/:client_id/rotation': () => ({ overlap_s: 60, password }),
    'POST /operator/integrators': () => ({ name: label(), test: false }),
  }
  const queries: Record<string, () => string> = {
    [EVENTS]: () => '?after=oldest',
    'GET /events/newest': () => '?since=2026-01-01T00:00:00Z',
    'GET /customer-search': () => `?search=${canary()}`,
    'GET /audit': () => `?search=${canary()}`,
    'GET /activity/calls': () => `?route=${canary()}&integrator_id=${canary()}`,
    'GET /activity/chart': () => '?range=hour',
    'GET /data/customers': () => `?filters=[["phone","${canary()}"],["email","${canary()}"]]`,
    'GET /data/products': () => `?filters=[["name","${canary()}"]]`,
    'GET /data/price-lists': () => `?filters=[["name","${canary()}"]]`,
    'GET /operator/audit': () => `?search=${canary()}`,
    'GET /operator/activity/calls': () => `?route=${canary()}&integrator_id=${canary()}&brand=${canary()}`,
    'GET /operator/activity/chart': () => `?range=day&brand=${canary()}`,
  }
  const ask = async (route: Route) => {
    const name = nameOf(route)
    const cookie = name === 'PUT /password' ? guest : await cookieOf(office, canaries, route)
    const own = await ownRequest(route, {
      db: known.db,
      password,
      pin: hide(newPin()),
      note: label(),
      async ask(method, path, body) {
        const reply = await office.ask(method, path, cookie, body)
        canaries.note(`${method} ${path}`, reply)
        return reply
      },
    })
    const named = name === EVENT ? route.url.replace(':id', event) : urlOf(route, known)
    const url = own?.url ?? named + (queries[name]?.() ?? '')
    const sample = () => route.body && sampleOf(route.body, canary(), 1)
    const body = own ? bodyOf(route, own) : (formBody(route, label()) ?? bodies[name]?.() ?? sample())
    const reply = await office.ask(route.method, url, own?.cookie ? `${cookie}; ${own.cookie}` : cookie, body)
    canaries.note(`${route.method} ${route.url}`, reply)
    if (name === EVENTS) event = JSON.parse(reply.text).data[0].id
    if (name === INVITE) invitation = JSON.parse(reply.text).token
    if (name === ACCEPT) guest = String(reply.headers['set-cookie']).split(';')[0]!
  }
  for (const name of FIRST) await ask(office.routes.find((route) => nameOf(route) === name)!)
  // The invitation once more, so that a link lies unused.
  const others = office.routes.filter((route) => nameOf(route) === INVITE || !FIRST.includes(nameOf(route)))
  const [reads, writes] = [others.filter(isRead), others.filter((route) => !isRead(route))]
  for (const route of [...writes, ...reads]) await ask(route) // reads when there is something to be shown
}

/** Each route in ways that are refused to everybody. */
export async function misuseOffice(office: Office, canaries: Canaries, known: Known): Promise<void> {
  const { canary, echoed, label, hide } = canaries
  // Values in the right form, so that checks beyond the form run too; never a slug that could be stored.
  const formed: Record<string, () => string> = {
    name: label,
    note: label,
    slug: () => `No ${echoed()}`,
    username: echoed,
    token: () => canary().padEnd(43, '-'),
    code: () => '000000',
    password: () => hide(canary()),
    new_password: () => hide(canary()),
  }
  const password = () => office.secrets.password
  for (const route of office.routes) {
    const ask = async (url: string, cookie: string, body: unknown) =>
      canaries.note(`${route.method} ${route.url}`, await office.ask(route.method, url, cookie, body))
    const fresh = () => cookieOf(office, canaries, route)
    const bodyOf = (given = formed) => {
      const text = /\/menu-editor\//.test(route.url) ? label() : canary() // names of choices are put on record
      const sample = route.body && (sampleOf(route.body, text, 1) as Record<string, unknown>)
      return (
        sample && Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, given[name]?.() ?? value]))
      )
    }
    const url = urlOf(route, known)
    const query = () => `?${echoed()}=${canary()}`
    // With the right password, or else nobody looks at the rest.
    if (route.url.includes(':'))
      await ask(route.url.replaceAll(/:\w+/g, echoed), await fresh(), bodyOf({ ...formed, password }))
    await ask(url, await fresh(), bodyOf())
    await ask(url + query(), await fresh(), route.body && { ...bodyOf(), [echoed()]: canary() })
    await ask(url + query(), `__Secure-sid=${canary().padEnd(43, '-')}`, route.body && { [echoed()]: canary() })
    if (route.body) await ask(url, await fresh(), `{"password":"${canary()}`)
  }
}

/** A person with a canary in every member that holds text. */
export const personOf = (canary: () => string) => ({
  name: canary(),
  phone: `+99450${canary()}`,
  email: `${canary()}@example.com`,
  description: canary(),
})

const urlOf = (route: Route, { owner, operator }: Known) =>
  route.url.replaceAll(/:(\w+)/g, (_, name) => (isOperators(route) ? operator : owner)[name]!)

/** A session of a person who may use the route, which is a secret too. */
async function cookieOf(office: Office, { hide }: Canaries, route: Route): Promise<string> {
  const cookie = await office.cookieFor(route)
  hide(cookie.slice(cookie.indexOf('=') + 1))
  return cookie
}
