import { inParallel } from '../harness/client.ts'
import { ENGINES, type Engine } from '../harness/installation.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { away } from './away.ts'
import { frozen } from './frozen.ts'
import { killed } from './killed.ts'
import { restored } from './restored.ts'
import { signed } from './signed.ts'
import { noticed, stopped } from './stopped.ts'
import { redisCut, storeCalls } from './stores.ts'
import { taken } from './taken.ts'

interface Promised {
  promise: string
  work(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string>
  /** Only on these engines. */
  on?: readonly Engine[]
  isLong?: true
  /** Beside no other promise, since it compares times. */
  isAlone?: true
}

const PROMISES: readonly Promised[] = [
  { promise: 'every event reaches every good receiver in order when senders are killed', work: killed },
  { promise: 'a sender that stood still writes nothing and sends nothing', work: stopped },
  { promise: 'the trial notices a sender without a term', work: noticed, isLong: true },
  { promise: 'nothing is lost while a receiver is away, and it is given up in time', work: away },
  { promise: 'nothing is lost when calls of a sender fail', work: storeCalls },
  { promise: 'a restored copy sends nothing by itself', work: restored },
  { promise: 'every delivery is signed, and no other one is accepted', work: signed },
  { promise: 'what was taken from a receiver is not sent after a second, and secrets are nowhere', work: taken },
  { promise: 'webhooks come within 2 s without Redis', work: redisCut, on: ['PostgreSQL'] },
  { promise: 'frozen and failing receivers slow nobody else', work: frozen, isAlone: true },
]

const AT_ONCE = 4 // most of it is waiting

/** W1 to W26. */
export async function webhooks(trial: Trial): Promise<void> {
  const wanted = PROMISES.filter(({ isLong }) => !(isLong && trial.quick))
  const run = (promises: readonly Promised[], atOnce: number) => {
    const works = promises.flatMap(({ promise, work, on = ENGINES }) =>
      on.map((engine) => () => trial.promise(`${promise}, ${engine}`, (report) => work(trial, engine, report))),
    )
    return inParallel(works.length, (index) => works[index]!(), atOnce)
  }
  await run(
    wanted.filter(({ isAlone }) => !isAlone),
    AT_ONCE,
  )
  await run(
    wanted.filter(({ isAlone }) => isAlone),
    trial.quick ? ENGINES.length : 1,
  )
}
