import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { fillOnce } from '../server/test/database/engines.ts'
import { installPackages, PACKAGES_FOR } from './packages.ts'
import { startServices } from './services.ts'
import { makeTemplate } from './test-template.ts'

// `npm test`: the whole suite on real engines. Files named on the command line run alone.

const EVERYTHING = ['server/**/*.test.ts', 'scripts/*.test.ts', 'sdk/test/*.test.ts', 'back-office/test/*.test.ts']
const TIMEOUT_MS = 300_000
/** Each file is a process of its own and loads the same modules: with a cache it takes about a third less CPU time. */
const COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))

const say = (line: string) => void process.stdout.write(`${line}\n`)

const named = process.argv.slice(2)
for (const file of named)
  if (!existsSync(file)) {
    say(`There is no ${file}`)
    process.exit(2)
  }
const files = named.length > 0 ? named : globSync(EVERYTHING, { exclude: ['**/node_modules/**'] }).sort()

const given = { postgresql: process.env.DATABASE_URL, 'redis-server': process.env.REDIS_URL } as Record<string, unknown>
const notInstalled = await installPackages(
  PACKAGES_FOR.test.filter((name) => !given[name]),
  say,
)
const services = await startServices()
const missing = [...(notInstalled ? [notInstalled] : []), ...services.failed]
const sayWhatIsMissing = () => {
  for (const line of missing) say(`TESTS ARE NOT RUN: ${line}`)
}
sayWhatIsMissing()
const wantsDemo = files.some((file) => /\bmake\('demo'\)|\b(openDemo|demoForTests)\(/.test(readFileSync(file, 'utf8')))
const { template, remove } = await makeTemplate(services.databaseUrl, wantsDemo)

const reporter = fileURLToPath(new URL('reporter.ts', import.meta.url))
const options = [
  '--test',
  `--test-concurrency=${availableParallelism()}`,
  `--test-timeout=${TIMEOUT_MS}`,
  `--test-reporter=${reporter}`,
]
const tests = spawn(process.execPath, [...options, ...files], {
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    DATABASE_URL: services.databaseUrl ?? '',
    REDIS_URL: services.redisUrl ?? '',
    COMPTOIR_TEST_TEMPLATE: JSON.stringify(template),
  },
})
const { databaseUrl } = services
// Beside the first files, so that none of them waits for it.
const filled =
  wantsDemo && databaseUrl && template.onServer
    ? fillOnce(databaseUrl, template.onServer, template.database).catch((error) =>
        say(`The demo was not filled: ${error}`),
      )
    : undefined
const forward = (signal: NodeJS.Signals) => void tests.kill(signal)
process.on('SIGINT', forward).on('SIGTERM', forward)
const code = await new Promise<number>((resolve) => tests.once('exit', (status) => resolve(status ?? 1)))
await filled
await remove()
await services.stop()

sayWhatIsMissing()
process.exitCode = code === 0 && missing.length > 0 && process.env.CI === 'true' ? 1 : code
