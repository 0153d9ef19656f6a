import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { findBrand } from '../directory/registry.ts'
import { typesNamed } from '../events/catalogue.ts'
import type { Mark } from '../events/event-id.ts'
import { eventText, FeedHole, readFeed, readLast, type StoredEvent, startOf } from '../events/feed.ts'
import { verifyFeeds } from '../events/verify.ts'
import { RESOURCES } from '../resources/catalogue.ts'
import type { Database } from '../storage/database.ts'
import { CommandError, type Context, printable, printResult, table, withDatabase } from './context.ts'

const SHOWN_FIRST = 10
const PAGE = 500
const POLL_MS = 500

export function eventsCommands(program: Command, context: Context): void {
  const events = program.command('events').description("the change feed: every change of a brand's data, in order")

  events
    .command('tail')
    .description('print the last ten events, then each new one as it comes, until Ctrl-C; with --json one a line')
    .requiredOption('--brand <slug>', 'the brand')
    .option('--types <names>', 'only these, with commas between: product.updated, product.*, menu.* or *')
    .action(async ({ brand, types }: { brand: string; types?: string }) => {
      const selected = types === undefined ? undefined : readTypes(types)
      await withDatabase(async (db) => {
        const found = await findBrand(db, brand)
        await follow(context, db, found, selected).catch((error) => {
          if (error instanceof FeedHole) throw new CommandError(`The feed of ${brand} is broken: ${error.message}`)
          throw error
        })
      })
    })

  events
    .command('verify')
    .description('check every feed: positions without a gap, times that never decrease, sound ids')
    .action(async () => {
      const checks = await withDatabase(verifyFeeds)
      const broken = checks.find(({ problem }) => problem !== null)
      printResult(
        context,
        checks,
        table(
          ['brand', 'events', 'from', 'to', 'result'],
          checks.map(({ brand, events: count, first, last, problem }) => [
            brand,
            count,
            first ?? '-',
            last ?? '-',
            problem ?? 'sound',
          ]),
        ),
      )
      if (broken && !context.json) throw new CommandError(`The feed of ${broken.brand} is broken: ${broken.problem}`)
      if (broken) process.exitCode = 1
    })

  events
    .command('resync')
    .description('tell those who follow the feed to read everything again, as after a restored backup')
    .requiredOption('--brand <slug>', 'the brand')
    .action(async ({ brand }: { brand: string }) => {
      const kinds = RESOURCES.map(({ kind }) => kind)
      await withDatabase(async (db) => {
        const { id: brand_id } = await findBrand(db, brand)
        await db.transaction(async (tx) => tx.publish({ brand_id, type: 'feed.resync', subject: '', data: { kinds } }))
      })
      printResult(context, { brand, kinds }, `Readers of the feed of ${brand} will read everything again.`)
    })
}

function readTypes(text: string): ReadonlySet<string> {
  const named = text.split(',').map((name) => ({ name, types: typesNamed(name.trim()) }))
  const unknown = named.find(({ types }) => types.length === 0)
  if (unknown) throw new CommandError(`There is no event type "${unknown.name}"`)
  return new Set(named.flatMap(({ types }) => types.map(({ type }) => type)))
}

/** Prints events until the process is asked to end. */
async function follow(
  context: Context,
  db: Database,
  { id, slug }: { id: number; slug: string },
  types: ReadonlySet<string> | undefined,
): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) once(process, signal).then(() => stop.abort())
  const selection = { types, venues: undefined }
  const print = (event: StoredEvent) => context.out.write(`${printable(lineOf(context, slug, event))}\n`)
  let cursor: Mark = await startOf(db, id, { end: 'latest' })
  for (const event of await readLast(db, id, cursor, selection, SHOWN_FIRST)) print(event)
  while (!stop.signal.aborted) {
    const page = await readFeed(db, id, cursor, selection, PAGE)
    page.events.forEach(print)
    cursor = page.next
    if (!page.more) await sleep(POLL_MS, undefined, { signal: stop.signal }).catch(() => {})
  }
}

function lineOf({ json }: Context, brand: string, event: StoredEvent): string {
  if (json) return eventText(event, { brand, integrator_id: '' })
  const { at, position, type, venue_id, source, data } = event
  const venue = venue_id === null ? '' : `  venue ${venue_id}`
  return `${at}  ${position}  ${type}${venue}  ${source}  ${data}`
}
