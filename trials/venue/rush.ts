import { setTimeout as sleep } from 'node:timers/promises'
import { client, install } from '../harness/installation.ts'
import { signedInOwner } from '../harness/office/staff.ts'
import { serve } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { checkAll, nothingYet, RESTAURANT } from './restaurant.ts'
import { startWork } from './work.ts'

const TILLS = 24
const WORKERS = 4
const DEADLOCK = 'chosen to end a deadlock' // as the server logs it where it gives up

/** Many write the same rows of PostgreSQL in every order at once. A deadlock would be tried again by the server, and shown to nobody. */
export function rush(trial: Trial): Promise<void> {
  return trial.promise('no deadlock reaches a client, PostgreSQL', (reportFailure) => mixedWrites(trial, reportFailure))
}

async function mixedWrites(trial: Trial, reportFailure: ReportFailure): Promise<string> {
  const { rushSeconds } = trial.sizes
  const installation = await install(trial, 'PostgreSQL', RESTAURANT)
  const settings = { REDIS_URL: (await trial.redis()).url, COMPTOIR_WORKERS: String(WORKERS) }
  const server = await serve(trial, installation, settings)
  const { url } = server
  const acknowledged = nothingYet()
  let done = 0
  const crew = {
    guest: await client(trial, url, installation.credentials),
    staff: await signedInOwner(trial, installation),
    random: trial.random('rush'),
    url: () => url,
    onDone: () => void done++,
    acknowledged,
  }
  const work = startWork(crew, TILLS)
  await sleep(rushSeconds * 1_000)
  await work.end() // throws what was answered neither 200 nor, of a busy machine, 503
  await checkAll(installation, acknowledged, reportFailure)
  const [met] = await installation.db.rows<{ deadlocks: number }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
    [],
  )
  if (acknowledged.lost > 0) reportFailure(`${acknowledged.lost} answers did not come`)
  const reached = server.said().split(DEADLOCK).length - 1
  if (reached > 0) reportFailure(`${reached} requests were given up after deadlocks`)
  return `${rushSeconds} s, ${done} writes of ${TILLS} tills and others by ${WORKERS} workers, ${acknowledged.closed.size} closed, ${met!.deadlocks} deadlocks in the store`
}
