import type { FastifyRequest, RouteOptions } from 'fastify'
import type { StaffUser } from '../http/call.ts'
import { forbidden, type Refusal } from '../http/errors.ts'

/** What a route declares that answers every caller: it tells of nothing but the caller. */
export const ANYONE = 'anyone'

export const may = (permissions: ReadonlySet<string>, permission: string) =>
  permissions.has('*') || permissions.has(permission)

/** Whether all that `other` may do, and everywhere they may, is `own` too: only then may one act through the other. */
export const isWithin = (other: StaffUser, own: StaffUser) =>
  (own.permissions.has('*') || other.permissions.isSubsetOf(own.permissions)) &&
  (own.venues === undefined || (other.venues?.isSubsetOf(own.venues) ?? false))

// §1: the staff user behind the credentials bounds what a call may do.
export function authorize({ call: { caller, permission } }: FastifyRequest): Refusal | undefined {
  const isAllowed = permission === ANYONE || (permission !== undefined && may(caller.user.permissions, permission))
  return isAllowed ? undefined : forbidden(String(permission))
}

/** D5.8: a route of the API that does not say who may call it stops the start. */
export function requirePermission({ method, url, config }: RouteOptions): void {
  if (!config?.permission) throw new Error(`${method} ${url} declares no permission`)
}
