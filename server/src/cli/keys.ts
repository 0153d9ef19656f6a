import type { Command } from 'commander'
import { revokeKey, rotateKeys } from '../directory/key-changes.ts'
import { loadRing, openKeyRing } from '../directory/keys.ts'
import { actor, type Context, printResult, table, withDatabase } from './context.ts'

const COPY = 'Copy the key ring to every other server of this database.'

export function keysCommands(program: Command, context: Context): void {
  const keys = program.command('keys').description('the key ring that signs tokens and guards secrets')

  keys
    .command('list')
    .description('list the keys, oldest first, without their secrets')
    .action(async () => {
      const held = await withRing(async (_db, file) => loadRing(file).keys)
      const shown = held.map(({ kid, created_at, revoked_at = null }) => ({ kid, created_at, revoked_at }))
      printResult(
        context,
        shown,
        table(
          ['kid', 'created', 'revoked'],
          shown.map(({ kid, created_at, revoked_at }) => [kid, created_at, revoked_at ?? '']),
        ),
      )
    })

  keys
    .command('rotate')
    .description('add a key, which signs from the printed time on; tokens of older keys stay valid')
    .action(async () => {
      const rotated = await withRing((db, file) => rotateKeys(db, file, actor()))
      printResult(context, rotated, `Key ${rotated.kid} signs from ${rotated.signs_from}. ${COPY}`)
    })

  keys
    .command('revoke <kid>')
    .description('make every token that a key signed invalid within a second; the signing key is replaced at once')
    .action(async (kid: string) => {
      const revoked = await withRing((db, file) => revokeKey(db, file, actor(), kid))
      const { replacement, credentials } = revoked
      printResult(context, revoked, [
        `Key ${kid} is revoked: its tokens are refused on every server within a second.`,
        ...(replacement === null ? [] : [`Key ${replacement} signs from now on. ${COPY}`]),
        ...(credentials === 0
          ? []
          : [`${credentials} stored secrets are still guarded by it: if it leaked, rotate those credentials too.`]),
      ])
    })
}

/** The ring's file, which is known to be this database's. */
const withRing = <Result>(work: (db: Parameters<typeof openKeyRing>[0], file: string) => Promise<Result>) =>
  withDatabase(async (db, { COMPTOIR_KEYS }) => {
    await openKeyRing(db, COMPTOIR_KEYS)
    return work(db, COMPTOIR_KEYS)
  })
