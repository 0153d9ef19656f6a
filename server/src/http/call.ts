import type { FastifyRequest } from 'fastify'
import type { Deadline } from '../storage/database.ts'

// The state of one request: a rule stores here, and nowhere else on the request, what later rules need.

/** The client behind a request: verified, or for the log as the request claims. */
export interface Party {
  readonly brand: string
  readonly integrator_id: string
  readonly client_id: string
}

/** The staff user whose permissions and venues limit a request. */
export interface StaffUser {
  readonly id: number
  readonly username: string
  readonly active: boolean
  readonly permissions: ReadonlySet<string>
  /** The venues they have access to; undefined: all. */
  readonly venues: ReadonlySet<number> | undefined
}

/** On whose behalf a request acts (§1): read from its token and checked against the directory, never from its input. */
export interface Caller extends Party {
  readonly brand_id: number
  /** The token's venue, or the one that x-venue names (§5.2). */
  readonly venue_id: number
  readonly user: StaffUser
  /** The terminal whose device the person stands at (T16). */
  readonly terminal_id?: number
  /** What others allowed for this call (T19). */
  readonly approvals?: readonly LentApproval[]
}

/** A right that somebody else lent for one act. */
export interface LentApproval {
  readonly id: string
  /** The person who lent it. */
  readonly user_id: number
  readonly permission: string
  readonly receipt_id: number | null
}

/** §8: 1 counts calls of POST /auth by address, 2 failures by address, 3 calls by integrator and brand. */
export type Tier = 1 | 2 | 3

/** The key that a tier counts by: an IPv4 address as its 32 bits, anything else as text. */
export type Key = number | string

/** Whether the limit of a key admits a call, and the count after it. */
export interface LimitDecision {
  admitted: boolean
  /** The limit that was applied. It differs from the requested one when keys share a budget, or while each process counts alone. */
  limit: number
  /** Events in the window, this one included if it was counted. */
  count: number
  /** Time until one more slot is free; 0 when nothing is counted. */
  resetMs: number
}

/** How long a request has waited for Redis, summed over its calls. Past a limit its further calls no longer wait. */
export interface Wait {
  ms: number
}

/** The counts of the rate-limit tiers (§8) that a request has passed so far. */
export interface Tiers {
  /** Time spent waiting for the counters, over all tiers. */
  waited: Wait
  signIns?: LimitDecision
  failures?: LimitDecision
  calls?: LimitDecision
  /** Tier 2 does not count its own refusals as failures, or they would never end (D7.1). */
  refusedByFailures?: true
  /** The decision that the response headers tell. */
  reported?: LimitDecision
}

/** The parts of a route that a call keeps. */
type Route = Partial<Pick<FastifyRequest['routeOptions'], 'url' | 'config' | 'schema'>>

/** All fields are set in the constructor: V8 is fastest with objects of one shape. */
export class Call {
  /** The route's pattern; never the URL itself, which can contain anything. */
  readonly pattern: string
  /** The permission that the route declares. */
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
  /** Calls per minute for this integrator and brand, where it is not the default (§8 tier 3, rule 4). */
  quota: number | undefined = undefined
  /** The brand's venues. */
  venues!: ReadonlySet<number>
  /** The `error` of the refusal; '' if there was none. */
  refused = ''
  /** The index in the load shedder's list of requests in flight. */
  inFlightIndex: number | undefined = undefined
  /** Milliseconds after which the request is answered 503, whatever it waits for. */
  shedAfterMs = 0
  /** Whether its answer is on the way: it waits for a count, and no second one may be sent. */
  isAnswering = false
  deadline: Deadline | undefined = undefined

  constructor({ url = 'unknown', config, schema }: Route) {
    this.pattern = url
    this.permission = config?.permission
    this.takesQuery = schema?.querystring !== undefined
  }
}

/** The types of events that a route publishes (E10). */
export type EventsDeclared = 'none' | readonly [string, ...string[]]

declare module 'fastify' {
  interface FastifyRequest {
    call: Call
  }
  interface FastifyContextConfig {
    /** The permission that the staff user needs. The server does not start if a route of the API declares none. */
    permission?: string
    /** What a writing route publishes. The server refuses to start if it declares nothing (`none` is allowed). */
    events?: EventsDeclared
    /** The answer carries the version of what it shows as its ETag. */
    etag?: boolean
  }
}
