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
}

const PROMISES: readonly Promised[] = [
  { promise: 'every event reaches every good receiver in order when senders are killed', work: killed },
  { promise: 'a sender that stood still writes nothing and sends nothing', work: stopped },
  { promise: 'the trial notices a sender without a term', work: noticed, isLong: true },
  { promise: 'frozen and failing receivers slow nobody else', work: frozen },
  { promise: 'nothing is lost while a receiver is away, and it is given up in time', work: away },
  { promise: 'every delivery is signed, and no other one is accepted', work: signed },
  { promise: 'what was taken from a receiver is not sent after a second, and secrets are nowhere', work: taken },
  { promise: 'a restored copy sends nothing by itself', work: restored },
  { promise: 'webhooks come within 2 s without Redis', work: redisCut, on: ['PostgreSQL'] },
  { promise: 'nothing is lost when calls of a sender fail', work: storeCalls },
]

/** W1 to W26. Both engines at once: most of it is waiting. */
export async function webhooks(trial: Trial): Promise<void> {
  for (const { promise, work, on = ENGINES, isLong } of PROMISES) {
    if (isLong && trial.quick) continue
    await inParallel(on.length, (index) => {
      const engine = on[index]!
      return trial.promise(`${promise}, ${engine}`, (reportFailure) => work(trial, engine, reportFailure))
    })
  }
}
