import type { Command } from 'commander'
import { setBrandTerms } from '../directory/brand-terms.ts'
import { addBrand, listBrands, setBrandMode, setQuota } from '../directory/registry.ts'
import { brandSetupLink } from '../setup/links.ts'
import { definedOnly } from '../values/defined-only.ts'
import { actor, CommandError, type Context, printResult, table, withDatabase, withKeys } from './context.ts'
import { linkTo } from './links.ts'
import { commaSeparated, either, integer, percent } from './options.ts'

interface AddOptions {
  name?: string
  test: boolean
  setup: boolean
  origin?: string
}

interface BrandOptions {
  test?: true
  live?: true
  integrator?: string
  quota?: number
  currency?: string
  moneyPlaces?: number
  cashback?: number
  orderPrices?: string
  languages?: string[]
  name?: string
  booksCheck?: string
  contactDays?: number
  requestLogDays?: number
}

export function brandCommands(program: Command, context: Context): void {
  const brand = program.command('brand').description('the restaurant brands on this service')

  brand
    .command('add <slug>')
    .description('create a brand and its default customer group')
    .option('--name <name>', 'the display name (default: the slug)')
    .option('--test', 'start in test mode, where test integrators may call it', false)
    .option(
      '--setup',
      'and print a link, good once and for 24 hours, where its owner opens it in the browser; again for a brand that has nothing yet: another link',
      false,
    )
    .option('--origin <address>', 'with --setup: where people reach this service (default: where it listens)')
    .action(async (slug: string, { name, test, setup, origin }: AddOptions) => {
      if (origin !== undefined && !setup) throw new CommandError('--origin goes with --setup')
      const result = await withKeys(async (db, _ring, config) => {
        const written = linkTo('setup', config, origin)
        const known = setup ? (await listBrands(db)).find((brand) => brand.slug === slug) : undefined
        const brand = known ?? (await addBrand(db, actor(), { slug, name, test }))
        return { brand, link: setup ? written((await brandSetupLink(db, actor(), slug, Date.now())).token) : undefined }
      })
      const { brand: added, link } = result
      printResult(
        context,
        { ...shown(added), ...definedOnly({ link }) },
        link ?? `Brand ${slug} is created, in ${added.test ? 'test' : 'live'} mode.`,
      )
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
    .option(
      '--languages <tags>',
      'languages of the menu, such as fr,en; the first is that of plain names',
      commaSeparated,
    )
    .option('--name <name>', 'the display name')
    .option(
      '--books-check <time>',
      'when the books are checked each night, such as 04:00 by the clock of the first venue, or off',
    )
    .option('--contact-days <n>', 'days that orders keep whom they were for, 1 to 3650', integer)
    .option('--request-log-days <n>', 'days that calls stay in the request log, 1 to 365', integer)
    .action(async (slug: string, options: BrandOptions) => {
      const { integrator, quota, currency, moneyPlaces, cashback, orderPrices, languages, name, booksCheck } = options
      const { contactDays, requestLogDays } = options
      const terms = {
        name,
        currency,
        money_places: moneyPlaces,
        cashback_percent: cashback,
        order_prices: orderPrices,
        languages,
        books_check: booksCheck,
        contact_days: contactDays,
        request_log_days: requestLogDays,
      }
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
