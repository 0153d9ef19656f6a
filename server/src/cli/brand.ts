import type { Command } from 'commander'
import { addBrand, listBrands, setBrandMode, setQuota } from '../directory/registry.ts'
import { actor, CommandError, type Context, printResult, table, withDatabase, withKeys } from './context.ts'
import { either, integer } from './options.ts'

export function brandCommands(program: Command, context: Context): void {
  const brand = program.command('brand').description('the restaurant brands on this service')

  brand
    .command('add <slug>')
    .description('create a brand and its default customer group')
    .option('--name <name>', 'the display name (default: the slug)')
    .option('--test', 'start in test mode, where test integrators may call it', false)
    .action(async (slug: string, { name, test }: { name?: string; test: boolean }) => {
      const added = await withKeys((db) => addBrand(db, actor(), { slug, name, test }))
      printResult(context, shown(added), `Brand ${slug} is created, in ${added.test ? 'test' : 'live'} mode.`)
    })

  brand
    .command('list')
    .description('list the brands')
    .action(async () => {
      const brands = (await withDatabase(listBrands)).map(shown)
      printResult(
        context,
        brands,
        table(
          ['slug', 'name', 'mode', 'created'],
          brands.map(({ slug, name, test, created_at }) => [slug, name, test ? 'test' : 'live', created_at]),
        ),
      )
    })

  brand
    .command('set <slug>')
    .description("change a brand's mode, or the calls a minute that an integrator may make for it")
    .option('--test', 'test mode')
    .option('--live', 'production mode')
    .option('--integrator <id>', 'whose quota to set')
    .option('--quota <n>', 'calls a minute, from 0 to 10^9', integer)
    .action(async (slug: string, options: { test?: true; live?: true; integrator?: string; quota?: number }) => {
      const { integrator, quota } = options
      const test = either(options, 'test', 'live')
      if ((integrator === undefined) !== (quota === undefined))
        throw new CommandError('--integrator and --quota come together')
      if (test === undefined && quota === undefined)
        throw new CommandError('say what to change: --test, --live, or --integrator with --quota')
      await withKeys(async (db) => {
        if (test !== undefined) await setBrandMode(db, actor(), slug, test)
        if (integrator !== undefined && quota !== undefined) await setQuota(db, actor(), slug, integrator, quota)
      })
      const changed = {
        slug,
        ...(test !== undefined && { test }),
        ...(quota !== undefined && { integrator_id: integrator, quota }),
      }
      printResult(context, changed, `Brand ${slug} is changed.`)
    })
}

const shown = ({ slug, name, test, created_at }: { slug: string; name: string; test: number; created_at: string }) => ({
  slug,
  name,
  test: test === 1,
  created_at,
})
