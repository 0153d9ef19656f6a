import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../harness/installation.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { openHouse, startPrinting } from './house.ts'

const PRINTERS = 8
const PAUSE_MS = 250
/** How much slower the p99 of the others may be beside one that hangs; on a machine that does other things a few milliseconds say nothing. */
const MOST_SLOWER = 1.1
const NOISE_MS = 50

const all = (count: number) => Array.from({ length: count }, (_, index) => index)

/** R14: one process serves many printers, and keeps up with many jobs a second. */
export async function many(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { manyPrinters, manyJobsASecond, manySeconds, slack } = trial.sizes
  const house = await openHouse(trial, engine, manyPrinters)
  const sender = await startPrinting(trial, house.installation)
  const random = trial.random(`many ${engine}`)
  await house.send(all(manyPrinters)) // each is in hand, and has its connection
  await house.done()
  const began = performance.now()
  let sent = 0
  for (const end = began + manySeconds * 1_000; performance.now() < end; ) {
    const due = Math.floor(((performance.now() - began) / 1_000) * manyJobsASecond)
    for (; sent < due; sent++) await house.send([random.between(0, manyPrinters - 1)])
    await sleep(10)
  }
  const ended = performance.now()
  await house.done()
  const late_ms = performance.now() - ended
  if (late_ms > 2_000 * slack) reportFailure(`the last came out ${Math.round(late_ms)} ms after the last was sent`)
  await house.check(reportFailure)
  await sender.stop()
  const rate = Math.round((sent * 1_000) / (ended - began))
  return `${manyPrinters} printers, ${rate} jobs a second for ${manySeconds} s: the last was on paper after ${Math.round(late_ms)} ms`
}

/** R14: none waits for another: the p99 of seven printers with one that hangs beside them, and without. */
export async function beside(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { printedTickets, slack } = trial.sizes
  const house = await openHouse(trial, engine, PRINTERS)
  const sender = await startPrinting(trial, house.installation)
  const [hanging, ...others] = all(PRINTERS) as [number, ...number[]]
  const { db } = house.installation
  async function p99(isHanging: boolean): Promise<number> {
    house.printers[hanging]!.setFaults(isHanging ? { hang: 1 } : {})
    const [{ last }] = (await db.rows<{ last: number }>(
      'select coalesce(max(seq), 0) as last from print_jobs',
      [],
    )) as [{ last: number }]
    for (let round = 0; round < printedTickets / 10; round++) {
      await house.send(isHanging ? all(PRINTERS) : others)
      await sleep(PAUSE_MS)
    }
    for (const index of others) await house.done(index)
    const rows = await db.rows<{ created_at: string; done_at: string }>(
      'select created_at, done_at from print_jobs where seq > ? and printer_id <> ?',
      [last, hanging + 1],
    )
    const times = rows
      .map((row) => Date.parse(row.done_at) - Date.parse(row.created_at))
      .sort((one, other) => one - other)
    return times[Math.min(times.length - 1, Math.floor(times.length * 0.99))]!
  }
  await p99(false) // warm
  const [without, with_] = [await p99(false), await p99(true)]
  if (with_ > without * MOST_SLOWER * slack + NOISE_MS)
    reportFailure(`p99 of the others is ${with_} ms beside one that hangs, and ${without} ms without`)
  house.printers[hanging]!.setFaults({})
  await house.done()
  await house.check(reportFailure)
  await sender.stop()
  return `p99 of seven printers ${without} ms, beside one that hangs ${with_} ms`
}
