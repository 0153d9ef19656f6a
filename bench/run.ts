import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages, PACKAGES_FOR } from '../scripts/packages.ts'
import type { Bench } from './bench.ts'
import { hasDemo } from './data.ts'
import { openLoad } from './load.ts'
import { machine } from './machine.ts'
import { endAll } from './processes.ts'
import { printed, type Report, writeDocument, writeJson } from './report.ts'
import { REQUEST_KINDS } from './request-kinds.ts'
import { onPostgres, others, sqliteBesideBaseline } from './scenarios/comparison.ts'
import { feedOnPostgres, feedOnSqlite } from './scenarios/feed.ts'
import { menu } from './scenarios/menu.ts'
import { requestLog } from './scenarios/request-log.ts'
import { sales } from './scenarios/sales.ts'
import { days, sizes } from './scenarios/sizes.ts'
import { small } from './scenarios/small.ts'
import { translated } from './scenarios/translated.ts'
import { webhooks } from './scenarios/webhooks.ts'
import { targetsOf } from './targets.ts'

// `npm run bench`: how fast the service is, beside the baseline (bare node:http) and beside what a user would pick instead, as ratios of one run.
//   --quick        the first two systems, within 60 seconds
//   --only a,b     sqlite, postgres, directus, strapi, sizes, log, feed, webhooks, sales, menu, days, translated, small; and any kind of work (receipt, page …)
//   --rounds n, --seconds n
//   --json FILE    where the figures go (bench/results/latest.json)
//   --write        the table and the plots into docs/performance.md
//   --strict       exit code 1 where a target is not met

const SCENARIOS = [
  'sqlite',
  'postgres',
  'directus',
  'strapi',
  'sizes',
  'log',
  'feed',
  'webhooks',
  'sales',
  'menu',
  'days',
  'translated',
  'small',
]
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
})
const { quick } = values
const named = values.only.split(',').filter((name) => name !== '')
for (const name of named)
  if (!SCENARIOS.includes(name) && !(name in REQUEST_KINDS)) throw new Error(`There is no "${name}"`)
const chosen = (all: readonly string[]) => {
  const some = named.filter((name) => all.includes(name))
  return some.length > 0 ? some : all
}
const scenarios = chosen(quick ? ['sqlite'] : SCENARIOS)
const kinds = chosen(Object.keys(REQUEST_KINDS))

const say = (line: string) => void process.stdout.write(`${line}\n`)
const folder = mkdtempSync(join(tmpdir(), 'comptoir-bench-'))

await installPackages(PACKAGES_FOR.bench, say)
const bench: Bench = {
  load: await openLoad(folder),
  rounds: Number(values.rounds ?? (quick ? 1 : 3)),
  seconds: Number(values.seconds ?? (quick ? 1 : 5)),
  warmUp: quick ? 1 : 2,
  // The short form does not wait for the large demo to be made.
  scale: quick && !hasDemo(50) ? 5 : 50,
  folder,
  results: [],
  footprints: [],
  notes: [],
  versions: {},
  services: new Set(),
  wants: (name) => scenarios.includes(name) || kinds.includes(name),
  say,
}
const { results, footprints, notes, rounds, seconds, scale, versions } = bench
const leave = async () => {
  await endAll()
  await Promise.all([...bench.services].map((service) => service.stop()))
  rmSync(folder, { recursive: true, force: true })
  process.exit(1)
}
process.once('SIGINT', leave).once('SIGTERM', leave)
say(`Servers write to ${folder}`)
const attempt = async (name: string, scenario: (bench: Bench) => Promise<void>) => {
  try {
    await scenario(bench)
  } catch (error) {
    notes.push(`${name}: broken off. ${(error as Error).message}`)
    say(`  broken off: ${(error as Error).stack}`)
  }
}
if (bench.wants('sqlite')) await attempt('SQLite', sqliteBesideBaseline)
if (bench.wants('log')) await attempt('The request log', requestLog)
if (bench.wants('feed')) {
  await attempt('The change feed, SQLite', feedOnSqlite)
  await attempt('The change feed, PostgreSQL', feedOnPostgres)
}
if (bench.wants('webhooks')) await attempt('Webhooks', webhooks)
if (bench.wants('sales')) await attempt('Sales', sales)
if (bench.wants('menu')) await attempt('The menu', menu)
if (bench.wants('translated')) await attempt('The second address', translated)
if (bench.wants('small')) await attempt('A small machine', small)
if (bench.wants('days')) await attempt('A day among many', days)
if (bench.wants('sizes')) await attempt('Cost against size', sizes)
await others(bench)
if (bench.wants('postgres') || bench.wants('directus')) await attempt('PostgreSQL', onPostgres)

const targets = targetsOf(results, footprints)
const report: Report = {
  machine: machine(bench.load.name),
  versions,
  rounds,
  seconds,
  scale,
  results,
  footprints,
  targets,
  notes,
}
say(`\n${printed(report)}`)
say(`\nThe figures: ${writeJson(report, values.json)}`)
if (values.write) say(`Written: ${writeDocument(report).join(', ')}`)
if (values.strict && targets.some(({ met }) => met === false)) process.exitCode = 1
if (notes.length > 0) say(`What the servers wrote is kept: ${folder}`)
else rmSync(folder, { recursive: true, force: true })
