import type { Command } from 'commander'
import { addIntegrator, type Integrator, listIntegrators, setIntegrator } from '../directory/registry.ts'
import { actor, CommandError, type Context, printResult, table, withDatabase, withKeys } from './context.ts'
import { either } from './options.ts'

export function integratorCommands(program: Command, context: Context): void {
  const integrator = program.command('integrator').description('the third parties that act for brands')

  integrator
    .command('add <name>')
    .description('issue an integrator id')
    .option('--id <id>', 'the id to issue (default: a random one)')
    .option('--test', 'may call brands in test mode only', false)
    .action(async (name: string, { id, test }: { id?: string; test: boolean }) => {
      const added = await withKeys((db) => addIntegrator(db, actor(), { name, id, test }))
      printResult(context, { integrator_id: added.id }, `integrator_id  ${added.id}`)
    })

  integrator
    .command('list')
    .description('list the integrators')
    .action(async () => {
      const integrators = (await withDatabase(listIntegrators)).map(shown)
      printResult(
        context,
        integrators,
        table(
          ['integrator_id', 'name', 'state', 'mode', 'created'],
          integrators.map((row) => [
            row.integrator_id,
            row.name,
            row.active ? 'active' : 'inactive',
            row.test ? 'test' : 'live',
            row.created_at,
          ]),
        ),
      )
    })

  integrator
    .command('set <id>')
    .description('switch an integrator on or off, or between test and live')
    .option('--active', 'may sign in and call')
    .option('--inactive', 'may not sign in or call; its tokens stop working within a second')
    .option('--test', 'brands in test mode only')
    .option('--live', 'every brand')
    .action(async (id: string, options: Partial<Record<'active' | 'inactive' | 'test' | 'live', true>>) => {
      const change = { active: either(options, 'active', 'inactive'), test: either(options, 'test', 'live') }
      if (change.active === undefined && change.test === undefined)
        throw new CommandError('say what to change: --active, --inactive, --test or --live')
      const changed = await withKeys((db) => setIntegrator(db, actor(), id, change))
      printResult(
        context,
        shown(changed),
        `Integrator ${id} is ${changed.active ? 'active' : 'inactive'}, in ${changed.test ? 'test' : 'live'} mode.`,
      )
    })
}

const shown = ({ id, name, active, test, created_at }: Integrator) => ({
  integrator_id: id,
  name,
  active: active === 1,
  test: test === 1,
  created_at,
})
