import type { FastifyReply, FastifyRequest } from 'fastify'
import { may, mayEnter } from '../auth/permissions.ts'
import { type Config, isLoopback, proxyBlocks, speaksTls } from '../config.ts'
import type { Directory, HeldBrand } from '../directory/directory.ts'
import type { StaffUser } from '../http/call.ts'
import { isLocal } from '../http/edge/local.ts'
import { crossSite, forbidden, notFound, pinSession, signedOut } from '../http/errors.ts'
import type { Database } from '../storage/database.ts'
import { type Device, findDevice, terminalCookie } from './devices/devices.ts'
import { isForPins } from './devices/pin-scope.ts'
import { type Account, actorOf, findAccount } from './people/accounts.ts'
import { findSession, noteSeen, sessionCookie } from './people/sessions.ts'

// The checks before every route of the back office: where a request comes from, and who sent it.

/** The person a page acts for. */
export interface Person {
  readonly account: Account
  /** Their name in the audit log. */
  readonly actor: string
  readonly session: string
  /** A staff user and their brand; undefined for an operator. */
  readonly staff: { readonly brand: HeldBrand; readonly user: StaffUser } | undefined
  /** The device that the browser is (T16), of the person's brand. */
  readonly device?: Device
  /** True if they gave a PIN there, not a password (T18). */
  readonly isByPin?: boolean
}

/** The signed-in person. Throws on routes outside the scope `signedIn`, which have no such decorator. */
export const personOf = (request: FastifyRequest): Person => request.getDecorator<Person>(PERSON)

/** The staff user who is signed in, in scopes that no operator enters. */
export const staffOf = (request: FastifyRequest): NonNullable<Person['staff']> => personOf(request).staff!

/** Makes the signed-in staff user the caller, as an integration would be: in their main venue, or the first that they may enter. */
export function actAsStaff(request: FastifyRequest): undefined {
  const { call } = request
  const { brand, user } = staffOf(request)
  const { device, isByPin } = personOf(request)
  const first = brand.venues.values().find((id) => user.venues?.has(id) ?? true) ?? 0
  // Keys of writes are the person's own; no integrator's id has a colon.
  const integrator_id = `staff:${user.id}`
  // A session by PIN is bound to the venue of its device; others may look at any.
  const venue_id = isByPin ? device!.venue_id : first
  const at = device && { terminal_id: device.terminal_id }
  const acting = userAt(request, user)
  call.caller = { brand_id: brand.id, brand: brand.slug, integrator_id, client_id: '', venue_id, user: acting, ...at }
  call.venues = isByPin ? new Set([venue_id]) : brand.venues
  return undefined
}

/** T18: somebody who gave a PIN enters and reads the venue of the device alone, also where they ask for every venue. */
function userAt(request: FastifyRequest, user: StaffUser): StaffUser {
  const { device, isByPin } = personOf(request)
  return isByPin ? { ...user, venues: new Set([device!.venue_id]) } : user
}

/** The request decorator that `identify` sets and `personOf` reads. */
export const PERSON = 'person'

/** True if browsers use HTTPS, directly or through a proxy; otherwise this is loopback (D1.2). */
export const isSecure = (config: Config) => speaksTls(config) || proxyBlocks(config.COMPTOIR_TRUSTED_PROXIES).length > 0

/** Only a script of our own origin can send this header: another origin would need a preflight, which nobody answers. */
const CSRF_HEADER = 'x-comptoir'
/** The header’s value where a page polls by itself, which does not keep the session alive. */
const POLL = 'poll'

/** Another site may make a browser send a request, but cannot make it claim that our own page sent it. */
export function fromOurPages(config: Config) {
  const scheme = isSecure(config) ? 'https' : 'http'
  return async ({ method, headers }: FastifyRequest): Promise<void> => {
    if (method === 'GET') return
    const site = headers['sec-fetch-site']
    const ours = site === undefined ? headers.origin === `${scheme}://${headers.host}` : site === 'same-origin'
    if (!ours || headers[CSRF_HEADER] === undefined) throw crossSite()
  }
}

/** Where an account with a publicly known password may be used: on this machine, and only while nothing else can reach it. */
export const isDemoPlace = (config: Config, request: FastifyRequest) =>
  isLoopback(config.HOST) && isLocal(config, request)

export function identify(deps: IdentifyDeps) {
  const { db, config, now } = deps
  const cookie = sessionCookie(isSecure(config))
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const found = await signedInBy(deps, request)
    if (!found) {
      if (cookie.read(request.headers.cookie)) reply.header('set-cookie', cookie.cleared)
      throw signedOut()
    }
    if (!isMeant(found.person, request)) throw signedOut() // the cookie stays: it belongs to the person who signed in since
    if (found.person.isByPin && !isForPins(request.method, request.call.pattern)) throw pinSession()
    if (request.headers[CSRF_HEADER] !== POLL) await noteSeen(db, found.session, now())
    request.setDecorator(PERSON, found.person)
  }
}

/**
 * Pages say for whom they were loaded. If somebody else has signed in since, in another tab of the browser, a request of the old page is
 * refused. User ids are per brand, so a page names its brand as well.
 */
function isMeant({ staff }: Person, { headers }: FastifyRequest): boolean {
  const { 'x-person': person, 'x-brand': brand } = headers
  return (
    (person === undefined || person === String(staff?.user.id)) && (brand === undefined || brand === staff?.brand.slug)
  )
}

interface IdentifyDeps {
  readonly db: Database
  readonly directory: Directory
  readonly config: Config
  readonly now: () => number
}

/** Returns the person and session of a request, if the session has not ended. */
async function signedInBy({ db, directory, config, now }: IdentifyDeps, request: FastifyRequest) {
  const token = sessionCookie(isSecure(config)).read(request.headers.cookie)
  const session = token ? await findSession(db, token, now()) : undefined
  const account = session && (await findAccount(db, session.account_id))
  const person = account && (await findPerson(directory, account, session.hash))
  if (!person || (account.loopback_only === 1 && !isDemoPlace(config, request))) return undefined
  const device = await deviceAt(db, config, request, person)
  if (session.device_id === null) return { session, person: device ? { ...person, device } : person }
  // T18: a session by PIN is good at its own device alone.
  if (device?.id !== session.device_id || !mayEnter(person.staff!.user, device.venue_id)) return undefined
  return { session, person: { ...person, device, isByPin: true } }
}

/** The device that a browser is, if it is one of the person's brand. */
async function deviceAt(db: Database, config: Config, { headers }: FastifyRequest, { staff }: Person) {
  const token = terminalCookie(isSecure(config)).read(headers.cookie)
  const device = token && staff ? await findDevice(db, token) : undefined
  return device?.brand_id === staff?.brand.id ? device : undefined
}

/** Whether the reader of an open stream may still enter its venue. Updates the call with the rights they have now. */
export const staysInVenue = (directory: Directory) => async (request: FastifyRequest) => {
  const { call } = request
  const { account, session } = personOf(request)
  const { staff: found } = (await findPerson(directory, account, session)) ?? {}
  const { venue_id } = call.caller
  if (!found?.brand.venues.has(venue_id) || !mayEnter(found.user, venue_id)) return false
  call.caller = { ...call.caller, user: userAt(request, found.user) }
  return true
}

/** Undefined for a staff user who is not active: directory changes take effect here within a second too (D5.6). */
export async function findPerson(directory: Directory, account: Account, session: string): Promise<Person | undefined> {
  const actor = actorOf(account)
  if (account.operator !== null) return { account, actor, session, staff: undefined }
  const brand = await directory.brand(account.slug!)
  const user = brand?.users.get(account.user_id!)
  return brand && user?.active ? { account, actor, session, staff: { brand, user } } : undefined
}

/** An operator belongs to no brand. */
export async function isStaff(request: FastifyRequest): Promise<void> {
  if (!personOf(request).staff) throw forbidden('staff')
}

/** §5.1: only users with add-on management permission manage credentials. */
export async function mayManageAddons(request: FastifyRequest): Promise<void> {
  const { staff } = personOf(request)
  if (!staff || !may(staff.user.permissions, 'addons:manage')) throw forbidden('addons:manage')
}

// For everybody else the operator's routes do not exist.
export async function isOperator(request: FastifyRequest): Promise<void> {
  if (personOf(request).account.operator === null) throw notFound()
}
