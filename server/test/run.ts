import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { startServices } from './services.ts'

// `npm test`: the whole suite on real engines. Files named on the command line run alone.

const say = (line: string) => void process.stdout.write(`${line}\n`)

const services = await startServices(say)
for (const line of services.missing) say(`THE TESTS ON ${line.toUpperCase()} DID NOT RUN`)

const everything = ['server/**/*.test.ts', 'sdk/test/*.test.ts', 'back-office/test/*.test.ts']
const files =
  process.argv.length > 2 ? process.argv.slice(2) : globSync(everything, { exclude: ['**/node_modules/**'] }).sort()
const tests = spawn(process.execPath, ['--test', '--test-concurrency=2', '--test-timeout=300000', ...files], {
  stdio: 'inherit',
  env: { ...process.env, DATABASE_URL: services.databaseUrl ?? '', REDIS_URL: services.redisUrl ?? '' },
})
const forward = (signal: NodeJS.Signals) => void tests.kill(signal)
process.on('SIGINT', forward).on('SIGTERM', forward)
const code = await new Promise<number>((resolve) => tests.once('exit', (status) => resolve(status ?? 1)))
await services.stop()

for (const line of services.missing) say(`THE TESTS ON ${line.toUpperCase()} DID NOT RUN`)
process.exitCode = code === 0 && services.missing.length > 0 && process.env.CI === 'true' ? 1 : code
