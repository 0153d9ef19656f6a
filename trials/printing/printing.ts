import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../../server/src/config.ts'
import { inParallel } from '../harness/client.ts'
import { openService } from '../harness/in-process.ts'
import { ENGINES, type Engine } from '../harness/installation.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { endLeases, openHouse, PRINTS, startPrinting } from './house.ts'
import { beside, many } from './many.ts'
import { hostile } from './names.ts'
import { stopped } from './stopped.ts'

interface Promised {
  promise: string
  work(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string>
}

const PRINTERS = 8
const LATEST_MS = 300
const PAUSE_MS = 30
const CUT_EVERY = 64
const LAST_CUT = 640

const all = (count: number) => Array.from({ length: count }, (_, index) => index)

/** R9, R14: the process is killed between a commit and its acknowledgement. */
async function killed(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { printKills } = trial.sizes
  const house = await openHouse(trial, engine, PRINTERS)
  const random = trial.random(`printing ${engine}`)
  for (const printer of house.printers) printer.setFaults({ slow: 2 })
  let sender = await startPrinting(trial, house.installation)
  for (let kill = 1; kill <= printKills; kill++) {
    for (let ticket = 0; ticket < 3; ticket++) await house.send(all(PRINTERS))
    await sleep(random.between(0, LATEST_MS))
    await sender.stop('SIGKILL')
    await endLeases(house, sender.pid)
    sender = await startPrinting(trial, house.installation)
  }
  await house.done()
  const marked = await house.check(reportFailure)
  await sender.stop()
  const tickets = house.sent.reduce((sum, each) => sum + each, 0)
  return `${printKills} kills, ${PRINTERS} printers, ${tickets} tickets, ${marked} marked as DUPLICATE`
}

/** R9: a printer is away, then paper comes in order; one that hangs holds nobody else. */
async function away(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { printerAwaySeconds } = trial.sizes
  const house = await openHouse(trial, engine, PRINTERS)
  const [gone, hanging, ...others] = all(PRINTERS) as [number, number, ...number[]]
  house.printers[gone]!.setFaults({ refuse: 1 })
  house.printers[hanging]!.setFaults({ hang: 1 })
  const sender = await startPrinting(trial, house.installation)
  for (let second = 0; second < printerAwaySeconds; second++) {
    await house.send(all(PRINTERS))
    await sleep(1_000)
  }
  const slowest = performance.now()
  for (const index of others) await house.done(index)
  const others_ms = performance.now() - slowest
  if (others_ms > 5_000 * trial.sizes.slack) reportFailure(`the other printers were ${Math.round(others_ms)} ms late`)
  const back = performance.now()
  for (const index of [gone, hanging]) house.printers[index]!.setFaults({})
  await house.done()
  const back_ms = performance.now() - back
  if (back_ms > 120_000) reportFailure(`it took ${Math.round(back_ms / 1000)} s until all had come out`)
  await house.check(reportFailure)
  await sender.stop()
  return `one away and one hanging for ${printerAwaySeconds} s, a ticket each second: all in order ${(back_ms / 1000).toFixed(1)} s after`
}

/** R9: the connection breaks after each 64th byte of a ticket. */
async function cut(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const places = all(LAST_CUT / CUT_EVERY).map((index) => (index + 1) * CUT_EVERY)
  const house = await openHouse(trial, engine, places.length)
  for (const [index, place] of places.entries()) house.printers[index]!.setFaults({ cut_at: place })
  const sender = await startPrinting(trial, house.installation)
  await house.send(all(places.length))
  await sleep(1_500)
  for (const printer of house.printers) printer.setFaults({})
  await house.send(all(places.length))
  await house.done()
  const marked = await house.check(reportFailure)
  await sender.stop()
  return `after ${places[0]} to ${places.at(-1)} bytes on ${places.length} printers, ${marked} marked as DUPLICATE`
}

/** From the commit of a ticket to its first byte, and to its acknowledgement. */
async function quick(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { printedTickets, slack } = trial.sizes
  const house = await openHouse(trial, engine, PRINTERS)
  const config = loadConfig({ ...house.installation.env, ...PRINTS })
  const { deps } = await openService(trial, { config }, () => ({}), { prints: true })
  const random = trial.random(`quick ${engine}`)
  for (let ticket = 0; ticket < printedTickets; ticket++) {
    await house.send([random.between(0, PRINTERS - 1)], deps.db)
    await sleep(PAUSE_MS)
  }
  await house.done()
  const rows = await house.installation.db.rows<{ created_at: string; sent_at: string; done_at: string }>(
    'select created_at, sent_at, done_at from print_jobs',
    [],
  )
  const p95 = (end: 'sent_at' | 'done_at') =>
    rows.map((row) => Date.parse(row[end]) - Date.parse(row.created_at)).sort((one, other) => one - other)[
      Math.floor(rows.length * 0.95)
    ]!
  const [sent, done] = [p95('sent_at'), p95('done_at')]
  if (sent > 150 * slack) reportFailure(`the first byte went after ${sent} ms (p95)`)
  if (done > 1_000 * slack) reportFailure(`it was acknowledged after ${done} ms (p95)`)
  await house.check(reportFailure)
  return `${rows.length} tickets: p95 ${sent} ms to the first byte, ${done} ms until acknowledged`
}

const PROMISES: readonly Promised[] = [
  { promise: 'every ticket is on paper, twice only as DUPLICATE, when the printing process is killed', work: killed },
  { promise: 'a printer that is away or hangs loses nothing and holds nobody else', work: away },
  { promise: 'a connection that breaks loses nothing', work: cut },
  { promise: 'a ticket is on its way at once', work: quick },
  { promise: 'a process that was stopped with printers in hand prints nothing twice without a mark', work: stopped },
  { promise: 'one process keeps up with many printers', work: many },
  { promise: 'a printer that hangs slows no other', work: beside },
]

/** R8 to R14. */
export async function printing(trial: Trial): Promise<void> {
  const works = PROMISES.flatMap(({ promise, work }) =>
    ENGINES.map((engine) => () => trial.promise(`${promise}, ${engine}`, (report) => work(trial, engine, report))),
  )
  await inParallel(works.length, (index) => works[index]!(), 2)
  await trial.promise('no name becomes a command of a printer', (report) => hostile(trial, report))
}
