import type { StaffUser } from './directory.ts'
import type { ANYONE, Permission } from './permissions.ts'

/** Who is behind a request, as far as it proved or, for the log, as far as its words lead to somebody who exists. */
export interface Party {
  readonly brand: string
  readonly integrator_id: string
  readonly client_id: string
}

/** For whom a request acts (§1): read from its token and checked against the directory, never from its input. */
export interface Caller extends Party {
  readonly brand_id: number
  /** The token's venue, or the one that x-venue names (§5.2). */
  readonly venue_id: number
  /** The staff user whose permissions bound the call. */
  readonly user: StaffUser
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
    party: Party | undefined
    /** What its route declares. */
    permission: FastifyContextConfig['permission']
  }
  interface FastifyContextConfig {
    /** What the staff user must be allowed to; a route of the API without it stops the start. */
    permission?: Permission | typeof ANYONE
  }
}
