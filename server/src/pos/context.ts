import { may } from '../auth/permissions.ts'
import type { Caller } from '../http/call.ts'
import { forbidden } from '../http/errors.ts'
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

/** For what happens without a person or an integrator. */
export const systemCaller = (brand_id: number, venue_id: number): Caller => ({
  brand: '',
  integrator_id: 'system',
  client_id: 'system',
  brand_id,
  venue_id,
  user: { id: 0, username: 'system', active: true, permissions: new Set(['*']), venues: undefined },
})
