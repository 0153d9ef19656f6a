import type { Command } from 'commander'
import { inviteOperator, listOperators, removeOperator } from '../back-office/people/accounts.ts'
import { actor, type Context, printResult, table, withDatabase, withKeys } from './context.ts'
import { linkTo } from './links.ts'

export function operatorCommands(program: Command, context: Context): void {
  const operator = program.command('operator').description('the people who operate this service')

  for (const [verb, isNew] of [
    ['add', true],
    ['invite', false],
  ] as const)
    operator
      .command(`${verb} <name>`)
      .description(
        isNew
          ? 'print a link, good once and for 24 hours, with which a new operator chooses a password and sets up codes'
          : 'print such a link for an operator who lost the password or the phone',
      )
      .option('--origin <address>', 'where people reach this service (default: where it listens)')
      .action(async (name: string, { origin }: { origin?: string }) => {
        const link = await withKeys(async (db, ring, config) => {
          const written = linkTo('invitation', config, origin)
          return written(await inviteOperator(db, ring, actor(), name, { isNew }, Date.now()))
        })
        printResult(context, { link }, link)
      })

  operator
    .command('list')
    .description('list the operators')
    .action(async () => {
      const operators = await withDatabase(listOperators)
      printResult(
        context,
        operators,
        table(
          ['name', 'state'],
          operators.map(({ name, invited }) => [name, invited ? 'invited' : 'active']),
        ),
      )
    })

  operator
    .command('remove <name>')
    .description('remove an operator; their sessions end at once')
    .action(async (name: string) => {
      await withKeys((db) => removeOperator(db, actor(), name))
      printResult(context, { name }, `Operator ${name} is gone.`)
    })
}
