import type { FastifyRequest, RouteOptions } from 'fastify'
import type { StaffUser } from '../http/call.ts'
import { forbidden, type Refusal } from '../http/errors.ts'

/** The permission of a route that every caller may use, because it shows only the caller's own data. */
export const ANYONE = 'anyone'

export const may = (permissions: ReadonlySet<string>, permission: string) =>
  permissions.has('*') || permissions.has(permission)

/** Whether a staff user has access to a venue of their brand. */
export const mayEnter = ({ venues }: StaffUser, id: number) => venues?.has(id) ?? true

/** True if `own` has every permission and venue of `other`. Only then may `own` create or see credentials of `other`. */
export const isWithin = (other: StaffUser, own: StaffUser) =>
  (own.permissions.has('*') || other.permissions.isSubsetOf(own.permissions)) &&
  (own.venues === undefined || (other.venues?.isSubsetOf(own.venues) ?? false))

// §1: the staff user behind the credentials bounds what a call may do.
export function authorize({ call: { caller, permission } }: FastifyRequest): Refusal | undefined {
  const isAllowed = permission === ANYONE || (permission !== undefined && may(caller.user.permissions, permission))
  return isAllowed ? undefined : forbidden(String(permission))
}

/** D5.8: the server refuses to start if a route that publishes a change declares a right to read. */
export function refuseReadRightForWrite({ method, url, config }: RouteOptions): void {
  if ([method].flat().every((each) => each === 'GET' || each === 'HEAD')) return
  const { permission, events } = config ?? {}
  if (events !== 'none' && permission?.endsWith(':read')) throw new Error(`${method} ${url} writes by ${permission}`)
}

/** D5.8: the server refuses to start if a route of the API does not declare its permission. */
export function requirePermission({ method, url, config }: RouteOptions): void {
  if (!config?.permission) throw new Error(`${method} ${url} declares no permission`)
}
