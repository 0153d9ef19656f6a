import type { Command } from 'commander'
import { inviteUser } from '../back-office/people/accounts.ts'
import { actor, type Context, printResult, withKeys } from './context.ts'
import { linkTo } from './links.ts'

export function userCommands(program: Command, context: Context): void {
  const user = program.command('user').description("a brand's staff in the back office")

  user
    .command('invite')
    .description('print a one-time link, valid for 24 hours, where a staff user chooses a password')
    .requiredOption('--brand <slug>', 'the brand')
    .requiredOption('--user <username>', 'the staff user')
    .option('--origin <address>', 'where people reach this service (default: where it listens)')
    .action(async ({ brand, user: username, origin }: { brand: string; user: string; origin?: string }) => {
      const link = await withKeys(async (db, _ring, config) => {
        const written = linkTo('invitation', config, origin)
        return written(await inviteUser(db, actor(), brand, username, Date.now()))
      })
      printResult(context, { link }, link)
    })
}
