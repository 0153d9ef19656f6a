import type { Command } from 'commander'
import { addBrand, listBrands, setBrandMode, setBrandTerms, setQuota } from '../directory/registry.ts'
import { definedOnly } from '../values/defined-only.ts'
import { actor, CommandError, type Context, printResult, table, withDatabase, withKeys } from './context.ts'
import { either, integer, percent } from './options.ts'

interface BrandOptions {
  test?: true
  live?: true
  integrator?: string
  quota?: number
  currency?: string
  moneyPlaces?: number
  cashback?: number
  orderPrices?: string
}

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
    .description("change a brand's mode or terms, or the calls a minute that an integrator may make for it")
    .option('--test', 'test mode')
    .option('--live', 'production mode')
    .option('--integrator <id>', 'whose quota to set')
    .option('--quota <n>', 'calls a minute, from 0 to 10^9', integer)
    .option('--currency <code>', 'ISO 4217, such as EUR')
    .option('--money-places <n>', 'decimals of amounts, 0 to 4', integer)
    .option('--cashback <percent>', 'what customers earn of what they pay', percent)
    .option('--order-prices <rule>', 'where an order brings other prices than ours: ask, trust or ours')
    .action(async (slug: string, options: BrandOptions) => {
      const { integrator, quota, currency, moneyPlaces, cashback, orderPrices } = options
      const terms = { currency, money_places: moneyPlaces, cashback_percent: cashback, order_prices: orderPrices }
      const given = Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined))
      const hasTerms = Object.keys(given).length > 0
      const test = either(options, 'test', 'live')
      if ((integrator === undefined) !== (quota === undefined))
        throw new CommandError('--integrator and --quota come together')
      if (test === undefined && quota === undefined && !hasTerms)
        throw new CommandError(
          'say what to change: --test, --live, a term such as --currency, or --integrator with --quota',
        )
      await withKeys(async (db) => {
        if (test !== undefined) await setBrandMode(db, actor(), slug, test)
        if (hasTerms) await setBrandTerms(db, actor(), slug, terms)
        if (integrator !== undefined && quota !== undefined) await setQuota(db, actor(), slug, integrator, quota)
      })
      const changed = {
        slug,
        ...definedOnly({ test }),
        ...(quota !== undefined && { integrator_id: integrator, quota }),
        ...given,
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
