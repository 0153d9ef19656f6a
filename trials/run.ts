import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { table } from '../server/src/cli/context.ts'
import { installPackages, NEEDS } from '../server/test/packages.ts'
import { eventLoop } from './clients/event-loop.ts'
import { fuzz } from './clients/fuzz.ts'
import { slowClients } from './clients/slow-clients.ts'
import { soak } from './clients/soak.ts'
import { acknowledged } from './durability/acknowledged.ts'
import { disk } from './durability/disk.ts'
import { idempotency } from './durability/idempotency.ts'
import { migrations } from './durability/migrations.ts'
import { refused } from './durability/refused.ts'
import { uniqueness } from './durability/uniqueness.ts'
import { openTrial, type Trial } from './harness/trial.ts'
import { isolation } from './isolation/isolation.ts'
import { clock } from './limits/clock.ts'
import { limits } from './limits/limits.ts'
import { writeReport } from './report.ts'
import { secrets } from './secrets/secrets.ts'
import { timing } from './secrets/timing.ts'
import { sizes } from './sizes.ts'
import { storeCalls } from './store-calls/store-calls.ts'

// `npm run trust`: tries to break what the service promises, and prints the figures. `--quick`: the short form; `--only NAME,NAME`;
// `--seed N`: the same again; `--soak MINUTES`: mixed load, and nothing else unless it is named; `--write`: the table into docs/trust.md.

const experiments: Record<string, (trial: Trial) => Promise<void>> = {
  acknowledged,
  refused,
  idempotency,
  uniqueness,
  limits,
  fuzz,
  isolation,
  storeCalls,
  slowClients,
  disk,
  migrations,
  clock,
  eventLoop,
  secrets,
  timing,
  soak,
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string' },
    soak: { type: 'string', default: '0' },
    write: { type: 'boolean', default: false },
  },
})
const say = (line: string) => void process.stdout.write(`${line}\n`)
const named = values.only?.split(',') ?? (values.soak === '0' ? Object.keys(experiments) : ['soak'])
for (const name of named) if (!(name in experiments)) throw new Error(`There is no experiment "${name}"`)
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed || Number.NaN)
if (!Number.isSafeInteger(seed)) throw new Error(`--seed takes a whole number, and "${values.seed}" is none`)
if (values.write && values.quick) throw new Error('--write keeps the table of a run in full size, and --quick is none')
const startedAt = performance.now()
await installPackages(NEEDS.trust, say)

const { rows, attempt, close } = openTrial({
  sizes: sizes(values.quick),
  seed,
  soakMinutes: Number(values.soak),
  say,
})
let left = false
const leave = () => {
  left = true
  close().finally(() => process.exit(1))
}
// More than once, where a terminal and npm both tell of the same Ctrl-C.
process.on('SIGTERM', leave).on('SIGINT', leave)
process.on('uncaughtException', (error) => {
  say(`BROKEN  the trial itself: ${error.stack}`)
  leave()
})
const awake = setInterval(() => {}, 1 << 30) // services in this process keep no handle of their own
say(`seed ${seed}`)
for (const name of named) await attempt(name, experiments[name]!)
await close()
clearInterval(awake)
if (left) process.exit(1)

const tried = rows.map((row) => [row.promise, row.tried, row.broken, row.seconds.toFixed(1), row.seed])
say(`\n${table(['promise', 'tried', 'broken', 'seconds', 'seed'], tried).join('\n')}`)
const untriedNames = Object.keys(experiments).filter(
  (name) => !named.includes(name) || (name === 'soak' && values.soak === '0'),
)
if (values.write) writeReport(rows, named, untriedNames)
const broken = rows.filter((row) => row.broken > 0).length
const held = rows.filter((row) => row.wasTried && row.broken === 0).length
const untried = rows.filter((row) => !row.wasTried).length
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
if (broken > 0) say(`\n${broken} OF ${rows.length} PROMISES WERE BROKEN.`)
say(`\n${held} held, ${untried} not tried, in ${seconds} s.`)
process.exit(broken === 0 ? 0 : 1) // whatever an experiment that was given up still waits for
