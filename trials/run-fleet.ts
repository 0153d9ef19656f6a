import { table } from '../server/src/cli/context.ts'
import { installPackages, NEEDS } from '../server/test/packages.ts'
import { contract } from './fleet/contract.ts'
import { crashes } from './fleet/crashes.ts'
import { directory } from './fleet/directory.ts'
import { limits } from './fleet/limits.ts'
import { oneServer } from './fleet/one-server.ts'
import { postgres } from './fleet/postgres.ts'
import { redis } from './fleet/redis.ts'
import { rollingRestart } from './fleet/rolling-restart.ts'
import { Missing, openTheatre, type Row } from './harness/demo-installation.ts'

// `npm run test:scale`: what many workers on PostgreSQL and Redis promise, tried with real servers. `--quick`: the short form.
// Experiments named on the command line run alone.

const experiments = { limits, redis, postgres, directory, rollingRestart, crashes, oneServer, contract }

const say = (line: string) => void process.stdout.write(`${line}\n`)
const words = process.argv.slice(2)
const quick = words.includes('--quick')
const named = words.filter((word) => word !== '--quick')
const rows: Row[] = []

await installPackages(NEEDS.scale, say)
const theatre = await openTheatre().catch((error: Error) => {
  if (!(error instanceof Missing)) throw error
  say(`THE EXPERIMENTS WITH MANY WORKERS DID NOT RUN. ${error.message.toUpperCase()}`)
  process.exit(process.env.CI === 'true' ? 1 : 0)
})
const stage = theatre.stage(quick, rows, say)
const leave = () =>
  void stage
    .clear()
    .then(theatre.close)
    .finally(() => process.exit(1))
process.once('SIGTERM', leave).once('SIGINT', leave)
try {
  for (const [name, experiment] of Object.entries(experiments)) {
    if (named.length > 0 && !named.includes(name)) continue
    try {
      await experiment(stage, theatre)
    } catch (error) {
      await stage.promise(`${name} can be tried`, 'its setting up', () => Promise.reject(error))
    } finally {
      await stage.clear()
    }
  }
} finally {
  await theatre.close()
}

const seen = rows.map((row) => [row.promise, row.tried, row.seen, row.ok ? 'yes' : 'NO', row.seconds.toFixed(1)])
say(`\n${table(['promise', 'tried', 'seen', 'ok', 'seconds'], seen).join('\n')}`)
const broken = rows.filter(({ ok }) => !ok).length
say(broken === 0 ? `\nAll ${rows.length} promises held.` : `\n${broken} OF ${rows.length} PROMISES DID NOT HOLD.`)
process.exitCode = broken === 0 ? 0 : 1
