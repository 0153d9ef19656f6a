import { may } from '../auth/permissions.ts'
import type { Caller } from '../http/call.ts'
import { forbidden } from '../http/errors.ts'
import type { ReservedIds } from '../resources/id-blocks.ts'
import { type CountedRow, countRows } from '../resources/write.ts'
import type { Transaction } from '../storage/database.ts'
import { laterOf } from '../values/values.ts'

/** What a command is given: a transaction, who acts in which venue, when, and ids for what it makes. */
export interface CommandContext {
  readonly tx: Transaction
  readonly caller: Caller
  readonly now: string
  readonly ids: ReservedIds
  /** P16: rows that lists have more or less; they are counted when the command is over, because totals are the whole brand's. */
  readonly counted: CountedRow[]
}

/** What was asked has been done by another call meanwhile: in a new transaction it is found. */
export class DoneMeanwhile extends Error {}

/** Does a command, then counts what it added and took away. */
export async function runCommand<Result>(
  given: Omit<CommandContext, 'counted'>,
  command: (context: CommandContext) => Promise<Result>,
): Promise<Result> {
  const context: CommandContext = { ...given, counted: [] }
  const result = await command(context)
  await countRows({ tx: given.tx, brand_id: given.caller.brand_id }, context.counted)
  return result
}

/** The same for what comes after an instant: where the clock was set back since, it is done at that one. */
export const notBefore = <Context extends Pick<CommandContext, 'now'>>(
  context: Context,
  instant: string | undefined,
): Context => ({ ...context, now: laterOf(context.now, instant) })

/** A permission that depends on what is asked or found, and is needed besides the route's. */
export function mustHave({ caller }: Pick<CommandContext, 'caller'>, permission: string): void {
  if (!may(caller.user.permissions, permission)) throw forbidden(permission)
}
