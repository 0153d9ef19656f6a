import type { Command } from 'commander'
import { lockDirectory, record } from '../auth/audit.ts'
import { openKeyRing, rotateKeys } from '../auth/keys.ts'
import { actor, answer, type Context, withDatabase } from './context.ts'

export function keysCommands(program: Command, context: Context): void {
  const keys = program.command('keys').description('the key ring that signs tokens and guards secrets')

  keys
    .command('rotate')
    .description('add a key, which signs from now on; older keys go on verifying')
    .action(async () => {
      const kid = await withDatabase(async (db, { COMPTOIR_KEYS }) => {
        await openKeyRing(db, COMPTOIR_KEYS) // refuses a ring that is not this database's
        return db.transaction(async (tx) => {
          await lockDirectory(tx) // of two rotations at once, the second adds to the first
          const added = rotateKeys(COMPTOIR_KEYS)
          await record(tx, {
            actor: actor(),
            action: 'keys.rotate',
            subject: added,
            brand_id: null,
            before: undefined,
            after: { kid: added },
          })
          return added
        })
      })
      answer(
        context,
        { kid },
        `Key ${kid} signs from now on. Copy the key ring to every other server of this database.`,
      )
    })
}
