import type { StaffUser } from './directory.ts'
import type { Permission } from './permissions.ts'

/** For whom a request acts (§1): read from its token and checked against the directory, never from its input. */
export interface Caller {
  readonly brand_id: number
  readonly brand: string
  readonly integrator_id: string
  readonly client_id: string
  /** The token's venue, or the one that x-venue names (§5.2). */
  readonly venue_id: number
  /** The staff user whose permissions bound the call. */
  readonly user: StaffUser
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
  interface FastifyContextConfig {
    /** What the staff user must be allowed to; a route of the API without it stops the start. */
    permission?: Permission
  }
}
