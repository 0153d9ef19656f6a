import { may } from '../auth/permissions.ts'
import type { Caller } from '../http/call.ts'
import { forbidden } from '../http/errors.ts'
import type { Transaction } from '../storage/database.ts'
import type { SaleIds } from './sale-ids.ts'

/** What a command is given: a transaction, who acts in which venue, when, and ids for what it makes. */
export interface CommandContext {
  readonly tx: Transaction
  readonly caller: Caller
  readonly now: string
  readonly ids: SaleIds
}

/** A permission that depends on what is asked or found, and is needed besides the route's. */
export function mustHave({ caller }: Pick<CommandContext, 'caller'>, permission: string): void {
  if (!may(caller.user.permissions, permission)) throw forbidden(permission)
}
