import type { FastifyRequest } from 'fastify'
import type { Directory, HeldBrand, HeldCredential } from '../directory/directory.ts'
import type { Call, Caller } from '../http/call.ts'
import {
  headersMissing,
  integratorInactive,
  invalidParameter,
  type Refusal,
  testModeMismatch,
  tokenExpired,
  tokenInvalid,
  venueForbidden,
} from '../http/errors.ts'
import { type Rule, whenKnown } from '../http/rules.ts'
import { readId } from '../values/values.ts'
import type { Claims, Tokens } from './token.ts'

interface AuthenticateDeps {
  tokens: Tokens
  directory: Directory
  now: () => number
}

/** §5.4: who calls, from x-token, and whether they still may. The order of the refusals is the contract's (D5.5). */
export function authenticate({ tokens, directory, now }: AuthenticateDeps): Rule {
  /** Callers cached by brand snapshot and token; reloading the brand drops them. */
  const callers = new WeakMap<HeldBrand, WeakMap<Claims, Caller>>()

  return (request) => {
    const token = request.headers['x-token']
    if (!token) return headersMissing()
    return whenKnown(typeof token === 'string' ? tokens.read(token) : undefined, (claims) =>
      recognise(request.call, claims),
    )
  }

  function recognise(call: Call, claims: Claims | undefined): Refusal | undefined | Promise<Refusal | undefined> {
    if (!claims) return tokenInvalid()
    call.party = claims
    // Not the library's own check, which refuses at `exp` itself (D5.3).
    if (now() > claims.exp * 1000) return tokenExpired(new Date(claims.exp * 1000))
    return whenKnown(directory.brand(claims.brand), (brand) => {
      const caller = brand && callerOf(claims, brand)
      if (!caller) return tokenInvalid()
      return whenKnown(directory.integrator(claims.integrator_id), (integrator) => {
        if (!integrator?.active) return integratorInactive()
        if (claims.integratorEpoch !== integrator.epoch) return tokenInvalid() // it was deactivated meanwhile
        if (integrator.test && !brand.test) return testModeMismatch(401, brand.slug, integrator.id)
        call.caller = caller
        call.party = caller
        call.expiresAt = claims.exp
        call.quota = brand.quotas.get(integrator.id)
        call.venues = brand.venues
        return undefined
      })
    })
  }

  // D5.6: a credential that was switched off or rotated, or whose user was deactivated, takes its live tokens along.
  function callerOf(claims: Claims, brand: HeldBrand): Caller | undefined {
    const { client_id, epoch, integrator_id, venue_id } = claims
    const credential = brand.credentials.get(client_id)
    if (!credential || !isLive(credential, epoch, now())) return undefined
    const ofBrand = callers.get(brand) ?? new WeakMap<Claims, Caller>()
    callers.set(brand, ofBrand)
    const known = ofBrand.get(claims)
    if (known) return known
    const user = brand.users.get(credential.user_id)
    if (!user?.active) return undefined
    const caller = { brand_id: brand.id, brand: brand.slug, integrator_id, client_id, venue_id, user }
    ofBrand.set(claims, caller)
    return caller
  }
}

const isLive = (credential: HeldCredential, epoch: number, now: number) =>
  credential.enabled &&
  (epoch === credential.epoch || credential.earlier.some((secret) => epoch === secret.epoch && now < secret.until))

/** §5.2, D5.7: the active venue, from x-venue or the token; one that the staff user may enter. */
export function enterVenue({ call, headers }: FastifyRequest): Refusal | undefined {
  const { caller } = call
  const header = headers['x-venue']
  const venue_id = header === undefined ? caller.venue_id : readId(String(header))
  if (venue_id === undefined) return invalidParameter('x-venue', 'x-venue must be the id of a venue, in digits.')
  return enter(call, venue_id)
}

function enter(call: Call, venue_id: number): Refusal | undefined {
  const { caller, venues } = call
  if (!venues.has(venue_id) || caller.user.venues?.has(venue_id) === false) return venueForbidden()
  if (venue_id !== caller.venue_id) call.caller = { ...caller, venue_id }
  return undefined
}

/** A venue that a body names counts as x-venue for this call. */
export function enterVenueOf(call: Call, venue_id: number): void {
  const refusal = enter(call, venue_id)
  if (refusal) throw refusal
}
