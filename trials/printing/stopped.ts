import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../harness/installation.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { openHouse, startPrinting } from './house.ts'

const PRINTERS = 4
const all = Array.from({ length: PRINTERS }, (_, index) => index)

/**
 * R14: the process that has the leases is stopped for longer than they last. On PostgreSQL another one prints meanwhile, and what the
 * first wakes up with is not its own any more; the embedded database has one process, which goes on.
 */
export async function stopped(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { printStoppedSeconds } = trial.sizes
  const house = await openHouse(trial, engine, PRINTERS)
  for (const printer of house.printers) printer.setFaults({ slow: 20 })
  // Two processes on one database share their limits.
  const settings = engine === 'PostgreSQL' ? { REDIS_URL: (await trial.redis()).url } : {}
  const first = await startPrinting(trial, house.installation, settings)
  await house.send(all)
  await house.done()
  const other = engine === 'PostgreSQL' ? await startPrinting(trial, house.installation, settings) : undefined
  for (let ticket = 0; ticket < 5; ticket++) await house.send(all)
  await sleep(50) // in the middle of them
  process.kill(first.pid, 'SIGSTOP')
  for (let second = 0; second < printStoppedSeconds; second++) {
    await house.send(all)
    await sleep(1_000)
  }
  if (other) await house.done()
  process.kill(first.pid, 'SIGCONT')
  await house.send(all)
  await house.done()
  await sleep(1_000) // what it woke up with would come out now
  const marked = await house.check(reportFailure)
  await first.stop()
  await other?.stop()
  return `${PRINTERS} printers, stopped for ${printStoppedSeconds} s${other ? ', another process beside it' : ''}: ${marked} marked as DUPLICATE`
}
