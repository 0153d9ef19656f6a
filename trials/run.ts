import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { installPackages, PACKAGES_FOR } from '../scripts/packages.ts'
import { table } from '../server/src/cli/context.ts'
import { EXPERIMENTS } from './experiments.ts'
import { openTrial } from './harness/trial.ts'
import { writeReport } from './report.ts'

// `npm run trust` tries to break what the service promises, and prints the figures; `npm run test:scale` (--fleet) does the same with many
// workers on PostgreSQL and Redis. `--quick`: the short form; `--only NAME,NAME`: some experiments of either kind; `--seed N`: the same
// again; `--soak MINUTES`: mixed load, and nothing else unless it is named; `--write`: the table into docs/trust.md.

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    fleet: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string' },
    soak: { type: 'string', default: '0' },
    write: { type: 'boolean', default: false },
  },
})
const say = (line: string) => void process.stdout.write(`${line}\n`)
const ofThisKind = EXPERIMENTS.filter(({ fleet }) => fleet === values.fleet).map(({ name }) => name)
const named = values.only?.split(',') ?? (values.soak === '0' ? ofThisKind : ['soak'])
const chosen = named.map((name) => {
  const experiment = EXPERIMENTS.find((each) => each.name === name)
  if (!experiment) throw new Error(`There is no experiment "${name}"`)
  return experiment
})
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed || Number.NaN)
if (!Number.isSafeInteger(seed)) throw new Error(`--seed takes a whole number, and "${values.seed}" is none`)
if (values.write && values.quick) throw new Error('--write keeps the table of a run in full size, and --quick is none')
if (values.write && values.fleet)
  throw new Error('--write keeps the table of npm run trust, and --fleet is another run')
const startedAt = performance.now()
await installPackages(values.fleet ? PACKAGES_FOR.fleetTrials : PACKAGES_FOR.trials, say)

const { rows, runExperiment, close } = openTrial({ quick: values.quick, seed, soakMinutes: Number(values.soak), say })
let left = false
const leave = () => {
  left = true
  close().finally(() => process.exit(1))
}
// More than once: a terminal and npm both pass on the same Ctrl-C.
process.on('SIGTERM', leave).on('SIGINT', leave)
process.stdout.on('error', leave) // nobody reads on, as behind `| head`
process.on('uncaughtException', (error) => {
  say(`BROKEN  the trial itself: ${error.stack}`)
  leave()
})
const awake = setInterval(() => {}, 1 << 30) // services in this process keep no handle of their own
say(`seed ${seed}`)
for (const { name, run } of chosen) await runExperiment(name, run)
await close()
clearInterval(awake)
if (left) process.exit(1)

const tried = rows.map((row) => [row.promise, row.tried, row.broken, row.seconds.toFixed(1), row.seed])
say(`\n${table(['promise', 'tried', 'broken', 'seconds', 'seed'], tried).join('\n')}`)
const notRun = ofThisKind.filter((name) => !named.includes(name) || (name === 'soak' && values.soak === '0'))
if (values.write) writeReport(rows, named, notRun)
const broken = rows.filter((row) => row.broken > 0)
const held = rows.filter((row) => row.wasTried && row.broken === 0).length
const untried = rows.filter((row) => !row.wasTried).length
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
// Once more at the end: a log is often seen from its last lines only.
if (broken.length > 0) say(`\n${broken.length} OF ${rows.length} PROMISES WERE BROKEN:`)
for (const { promise, examples } of broken) say(`  ${promise}:\n    ${examples.join('\n    ')}`)
say(`\n${held} held, ${untried} not tried, in ${seconds} s.`)
process.exit(broken.length === 0 ? 0 : 1) // an experiment that was given up may still wait for something
