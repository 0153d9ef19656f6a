import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, relative, resolve } from 'node:path'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { DEMO_DAY, fillOnce } from '../server/test/database/engines.ts'
import { installPackages, PACKAGES_FOR } from './packages.ts'
import { NO_SERVICES, startServices } from './services.ts'
import { testFolder } from './tests/folder.ts'
import { grouped } from './tests/groups.ts'
import { report } from './tests/reporter.ts'
import { makeTemplate } from './tests/template.ts'

// `npm test`: the whole suite on real engines. `npm run test:quick`: what needs no service and no browser, on SQLite. Both take files and
// folders.

/** Where tests are. */
const EVERYTHING = ['server/test', 'back-office/test', 'sdk/test', 'scripts', 'server']
/** Each process loads the same modules: with a cache it takes about a third less processor time. */
const COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
/** For a program of many files, each of which has a timeout of its own. */
const PROGRAM_TIMEOUT_MS = 1_200_000

const say = (line: string) => void process.stdout.write(`${line}\n`)

function refuse(sentence: string): never {
  say(sentence)
  process.exit(2)
}

const isQuick = process.argv.includes('--quick')
const named = process.argv.slice(2).filter((word) => word !== '--quick')
for (const path of named) if (!existsSync(path)) refuse(`There is no ${path}`)
const testsIn = (path: string) =>
  statSync(path).isFile() ? [path] : globSync(`${path}/**/*.test.ts`, { exclude: ['**/node_modules/**'] }).sort()
const everything = isQuick ? ['server/src', 'sdk/test', 'back-office/test'] : EVERYTHING
const textOf = (file: string) => readFileSync(file, 'utf8')
/** A browser, another program, or a `comptoir` of its own. */
const needsMore = (file: string) => /browser\.ts|chromium\.ts|packages\.ts|command\.ts|child_process/.test(textOf(file))
const all = [...new Set((named.length > 0 ? named : everything).flatMap(testsIn))]
const files = isQuick ? all.filter((file) => !needsMore(file)) : all
if (files.length === 0) refuse('No tests are here: run this at the root of the checkout')
const flows = files.filter((file) => file.endsWith('.flow.ts'))
const isBrowsing = flows.length > 0
if (isBrowsing && flows.length < files.length) refuse('Flows take a demo of today: run them without other tests')

const { folder, remove: removeFolder } = testFolder()
process.on('exit', removeFolder)
process.env.TMPDIR = folder // of this process and all that it starts
const given = { postgresql: process.env.DATABASE_URL, 'redis-server': process.env.REDIS_URL } as Record<string, unknown>
const packages = isQuick ? [] : PACKAGES_FOR.test.filter((name) => !given[name])
const notInstalled = await installPackages(packages, say)
const stopped = new AbortController() // before there is anything to be stopped
process.on('SIGINT', () => stopped.abort()).on('SIGTERM', () => stopped.abort())
const services = isQuick ? NO_SERVICES : await startServices()
const missing = [...(notInstalled ? [notInstalled] : []), ...services.failed]
const sayWhatIsMissing = () => {
  for (const line of missing) say(`TESTS ARE NOT RUN: ${line}`)
}
sayWhatIsMissing()
const wantsDemo = files.some((file) => /\bmake\('demo'\)|\b(openDemo|demoForTests)\(|days-file/.test(textOf(file)))
const demoDay = isBrowsing ? new Date() : DEMO_DAY // people look at the reports of this week
if (wantsDemo) await import('./demo-days.ts') // made by npm ci; again where the code has changed
const { template, remove } = await makeTemplate(services.databaseUrl, wantsDemo ? demoDay : undefined)

Object.assign(process.env, {
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  DATABASE_URL: services.databaseUrl ?? '',
  REDIS_URL: services.redisUrl ?? '',
  COMPTOIR_TEST_TEMPLATE: JSON.stringify({ ...template, isQuick }),
})
/** Runs programs, prints what comes of them, and returns those that failed. */
async function runAll(programs: readonly string[], concurrency: number, all: number): Promise<string[]> {
  const failed: string[] = []
  const tests = run({
    files: programs.map((file) => resolve(file)),
    concurrency,
    execArgv: ['--max-semi-space-size=32'], // requests leave garbage: with more room it is collected less often
    timeout: PROGRAM_TIMEOUT_MS,
    signal: stopped.signal,
  })
  let success = false
  tests.on('test:summary', (summary) => {
    if (summary.file === undefined) success = summary.success
    else if (!summary.success) failed.push(summary.file)
  })
  try {
    for await (const text of tests.compose((events: AsyncIterable<TestEvent>) => report(events, all)))
      process.stdout.write(text)
  } catch (error) {
    say(inspect(error))
    stopped.abort()
  }
  return success ? [] : failed.length > 0 ? failed : [...programs]
}
const { databaseUrl } = services
// Beside the first files, so that none of them waits for it.
const filled =
  wantsDemo && databaseUrl && template.onServer
    ? fillOnce(databaseUrl, template.onServer, template.database).catch((error) =>
        say(`The demo was not filled: ${error}`),
      )
    : undefined
// Files wait for databases and clocks too, so half as many more than cores keep these at work. A browser keeps them busy by itself.
const cores = availableParallelism()
let failed = isBrowsing
  ? await runAll(files, cores, files.length)
  : await runAll(grouped(files, dirname(template.folder)), Math.ceil(1.5 * cores), files.length)
// A browser on a shared machine may wait longer than any flow does. In CI, what fails beside others gets a second chance alone, and
// is named whatever comes of it.
if (isBrowsing && process.env.CI === 'true' && failed.length > 0 && !stopped.signal.aborted) {
  const names = failed.map((file) => relative('', file)).join(', ')
  say(`\nFAILED BESIDE OTHERS, run again alone: ${names}`)
  failed = await runAll(failed, 1, failed.length)
  if (failed.length === 0) say(`PASSED ALONE, AFTER IT FAILED BESIDE OTHERS: ${names}`)
}
if (failed.length > 0) process.exitCode = 1
await filled
await remove()
await services.stop()

sayWhatIsMissing()
if (missing.length > 0 && process.env.CI === 'true') process.exitCode = 1
