import type { FastifyRequest } from 'fastify'
import type { Deadline } from '../storage/database.ts'

// The state of one request. Everything that a rule learns for a later one is a member here, and nowhere else on the request.

/** Who is behind a request: what it proved, or for the log what its words lead to. */
export interface Party {
  readonly brand: string
  readonly integrator_id: string
  readonly client_id: string
}

/** A person of the brand, as far as their rights bound a request. */
export interface StaffUser {
  readonly id: number
  readonly username: string
  readonly active: boolean
  readonly permissions: ReadonlySet<string>
  /** The venues they may enter; undefined: every one. */
  readonly venues: ReadonlySet<number> | undefined
}

/** For whom a request acts (§1): read from its token and checked against the directory, never from its input. */
export interface Caller extends Party {
  readonly brand_id: number
  /** The token's venue, or the one that x-venue names (§5.2). */
  readonly venue_id: number
  /** The staff user whose permissions bound the call. */
  readonly user: StaffUser
}

/** §8: 1 counts calls of POST /auth by address, 2 failures by address, 3 calls by integrator and brand. */
export type Tier = 1 | 2 | 3

/** What a tier counts by: an IPv4 address as its 32 bits, anything else as text. */
export type Key = number | string

/** Where a key stands after one call. */
export interface Standing {
  admitted: boolean
  /** The limit that was applied. It is not the one that was asked for when keys share a budget or a fleet counts apart. */
  limit: number
  /** Events in the window, this one included if it was counted. */
  count: number
  /** Until one more slot frees; 0 when nothing is counted. */
  resetMs: number
}

/** How long a request has waited for a store that counts, in all of its calls; once it was too long, nothing waits any more. */
export interface Wait {
  ms: number
}

/** The counts of the rate-limit tiers (§8) that a request has passed so far. */
export interface Tiers {
  /** Time spent waiting for the counters, over all tiers. */
  waited: Wait
  signIns?: Standing
  failures?: Standing
  calls?: Standing
  /** Tier 2's own refusal is not a failure that it counts, or it would never end (D7.1). */
  refusedByFailures?: true
  /** The one that the response headers report. */
  told?: Standing
}

/** What a call knows of its route. */
type Route = Partial<Pick<FastifyRequest['routeOptions'], 'url' | 'config' | 'schema'>>

/** Fields are all set in the constructor: objects of one shape are what V8 reads fastest. */
export class Call {
  /** The route's pattern; never the address itself, which can hold anything. */
  readonly pattern: string
  /** What the route declares. */
  readonly permission: string | undefined
  /** Whether the route reads a query string. */
  readonly takesQuery: boolean
  addressKey: Key = 0
  tiers: Tiers | undefined = undefined
  party: Party | undefined = undefined
  /** Set once the token is verified; handlers of the integration API run after that. */
  caller!: Caller
  /** When the token expires, in seconds. */
  expiresAt = 0
  /** Calls a minute of this integrator and brand, where it is not the usual number (§8 tier 3, rule 4). */
  quota: number | undefined = undefined
  /** The brand's venues. */
  venues!: ReadonlySet<number>
  /** The `error` of a refusal; '' unless it was one. */
  refused = ''
  /** Its index among the requests in flight. */
  place: number | undefined = undefined
  /** Milliseconds after which it is answered 503, whatever it waits for. */
  shedAfterMs = 0
  deadline: Deadline | undefined = undefined

  constructor({ url = 'unknown', config, schema }: Route) {
    this.pattern = url
    this.permission = config?.permission
    this.takesQuery = schema?.querystring !== undefined
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call
  }
  interface FastifyContextConfig {
    /** What the staff user must be allowed to do; a route of the API without it stops the start. */
    permission?: string
  }
}
