import { may } from '../auth/permissions.ts'
import type { Caller } from '../http/call.ts'
import { fieldProblem, forbidden, validationFailed } from '../http/errors.ts'
import type { CommandContext } from '../resource/write/commands.ts'
import { laterOf } from '../values/values.ts'

/** The same for what comes after an instant: where the clock was set back since, it is done at that one. */
export const notBefore = <Context extends Pick<CommandContext, 'now'>>(
  context: Context,
  instant: string | undefined,
): Context => ({ ...context, now: laterOf(context.now, instant) })

/** A permission that depends on what is sent or found, and is needed besides the route's. */
export function mustHave({ caller }: Pick<CommandContext, 'caller'>, permission: string): void {
  if (!may(caller.user.permissions, permission)) throw forbidden(permission)
}

/** The same about one receipt. T19: what somebody lent is for one, also where a command touches two. */
export function hasFor({ user, approvals = [] }: Caller, permission: string, receipt_id: number): boolean {
  const lent = approvals.filter((each) => each.permission === permission)
  return may(user.permissions, permission) && (lent.length === 0 || lent.some((each) => each.receipt_id === receipt_id))
}

/** Whether somebody works at a venue, by the `venue_ids` of their row. */
export const worksAt = (venue_ids: string | null, venue_id: number): boolean =>
  venue_ids === null || (JSON.parse(venue_ids) as number[]).includes(venue_id)

/** Refuses a person who may not enter the venue. `former`: one who has left is meant too. */
export async function refuseAbsent(
  { tx, caller }: Pick<CommandContext, 'tx' | 'caller'>,
  user_id: number,
  { former = false } = {},
): Promise<void> {
  const { brand_id, venue_id } = caller
  const [user] = await tx.rows<{ venue_ids: string | null; active: number }>(
    'select venue_ids, active from users where brand_id = ? and id = ?',
    [brand_id, user_id],
  )
  if (!user || !worksAt(user.venue_ids, venue_id) || (user.active !== 1 && !former))
    throw validationFailed([fieldProblem('user_id', 'exists', `${user_id} does not work here`)])
}

/** For what happens without a person or an integrator. */
export const systemCaller = (brand_id: number, venue_id: number): Caller => ({
  brand: '',
  integrator_id: 'system',
  client_id: 'system',
  brand_id,
  venue_id,
  user: { id: 0, username: 'system', active: true, permissions: new Set(['*']), venues: undefined },
})
