import { existsSync, globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { DEMO_DAY, fillOnce } from '../server/test/database/engines.ts'
import { installPackages, PACKAGES_FOR } from './packages.ts'
import report from './reporter.ts'
import { startServices } from './services.ts'
import { makeTemplate } from './test-template.ts'

// `npm test`: the whole suite on real engines. Files named on the command line run alone.

/** In this order: whatever takes a minute begins early, so that no core waits for it in the end. */
const EVERYTHING = ['server/test', 'back-office/test', 'sdk/test', 'scripts', 'server']
const TIMEOUT_MS = 300_000
/** Each file is a process of its own and loads the same modules: with a cache it takes about a third less CPU time. */
const COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))

const say = (line: string) => void process.stdout.write(`${line}\n`)

function refuse(sentence: string): never {
  say(sentence)
  process.exit(2)
}

const named = process.argv.slice(2)
for (const file of named) if (!existsSync(file)) refuse(`There is no ${file}`)
const testsIn = (folder: string) => globSync(`${folder}/**/*.test.ts`, { exclude: ['**/node_modules/**'] }).sort()
const files = named.length > 0 ? named : [...new Set(EVERYTHING.flatMap(testsIn))]
if (files.length === 0) refuse('No tests are here: run this at the root of the checkout')
const flows = files.filter((file) => file.endsWith('.flow.ts'))
const isBrowsing = flows.length > 0
if (isBrowsing && flows.length < files.length) refuse('Flows take a demo of today: run them without other tests')

const given = { postgresql: process.env.DATABASE_URL, 'redis-server': process.env.REDIS_URL } as Record<string, unknown>
const notInstalled = await installPackages(
  PACKAGES_FOR.test.filter((name) => !given[name]),
  say,
)
const stopped = new AbortController() // before there is anything to be stopped
process.on('SIGINT', () => stopped.abort()).on('SIGTERM', () => stopped.abort())
const services = await startServices()
const missing = [...(notInstalled ? [notInstalled] : []), ...services.failed]
const sayWhatIsMissing = () => {
  for (const line of missing) say(`TESTS ARE NOT RUN: ${line}`)
}
sayWhatIsMissing()
const wantsDemo = files.some((file) => /\bmake\('demo'\)|\b(openDemo|demoForTests)\(/.test(readFileSync(file, 'utf8')))
const demoDay = isBrowsing ? new Date() : DEMO_DAY // people look at the reports of this week
const { template, remove } = await makeTemplate(services.databaseUrl, wantsDemo ? demoDay : undefined)

Object.assign(process.env, {
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  DATABASE_URL: services.databaseUrl ?? '',
  REDIS_URL: services.redisUrl ?? '',
  COMPTOIR_TEST_TEMPLATE: JSON.stringify(template),
})
const tests = run({
  files: files.map((file) => resolve(file)),
  // Files wait for databases and clocks too, so half as many more than cores keep these at work. A browser keeps them busy by itself.
  concurrency: isBrowsing ? availableParallelism() : Math.ceil(1.5 * availableParallelism()),
  execArgv: ['--import', import.meta.resolve('./test-process.js')],
  timeout: TIMEOUT_MS,
  signal: stopped.signal,
})
tests.on('test:summary', ({ success }) => {
  if (!success) process.exitCode = 1
})
const { databaseUrl } = services
// Beside the first files, so that none of them waits for it.
const filled =
  wantsDemo && databaseUrl && template.onServer
    ? fillOnce(databaseUrl, template.onServer, template.database).catch((error) =>
        say(`The demo was not filled: ${error}`),
      )
    : undefined
try {
  for await (const text of tests.compose(report)) process.stdout.write(text)
} catch (error) {
  say(inspect(error))
  process.exitCode = 1
  stopped.abort()
}
await filled
await remove()
await services.stop()

sayWhatIsMissing()
if (missing.length > 0 && process.env.CI === 'true') process.exitCode = 1
