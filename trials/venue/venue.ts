import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../harness/client.ts'
import { client, ENGINES, type Engine, install } from '../harness/installation.ts'
import { signedInOwner } from '../harness/office/staff.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { openKiller } from './killer.ts'
import { checkAll, nothingYet, RESTAURANT } from './restaurant.ts'
import { startWork } from './work.ts'

const TILLS = 6
const WORKERS = 2
const LATEST_MS = 500
const KILLS_A_CHECK = 20
const DONE_BETWEEN = 5 // acts that must be done after a kill, or the next one would meet nothing
const KILLS_THAT_MEET = 10 // of as many, one at least must have cost an answer

/** A venue sells, takes orders and deliveries and moves cash while everything that it runs on is killed at random. */
export async function venue(trial: Trial): Promise<void> {
  for (const engine of ENGINES)
    await trial.promise(
      `a venue loses nothing and does nothing twice, whatever is killed, ${engine}`,
      (reportFailure) => sellAmidKills(trial, engine, reportFailure),
    )
}

async function sellAmidKills(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { venueKills } = trial.sizes
  const random = trial.random(`venue ${engine}`)
  const installation = await install(trial, engine, RESTAURANT)
  const { server, kill } = await openKiller(trial, engine, installation, WORKERS)
  const guest = await client(trial, server().url, installation.credentials)
  const staff = await signedInOwner(trial, installation)
  const acknowledged = nothingYet()
  const killed: Record<string, number> = {}
  let done = 0
  const crew = {
    guest,
    staff,
    random,
    acknowledged,
    url: () => server().url,
    onDone: () => void done++,
  }
  for (let kills = 0; kills < venueKills; ) {
    const work = startWork(crew, TILLS)
    try {
      for (const last = Math.min(venueKills, kills + KILLS_A_CHECK); kills < last; kills++) {
        await sleep(random.between(0, LATEST_MS))
        const victim = await kill(random)
        killed[victim] = (killed[victim] ?? 0) + 1
        guest.moveTo(server().url)
        const before = done
        await waitUntil('work goes on', 60_000, () => done >= before + DONE_BETWEEN)
      }
    } finally {
      await work.end()
    }
    await checkAll(installation, acknowledged, reportFailure)
  }
  if (venueKills >= KILLS_THAT_MEET && acknowledged.lost === 0) reportFailure('no kill cost an answer')
  const { closed, refunded, cancelled, accepted, refused, deliveries } = acknowledged
  const victims = Object.entries(killed).map(([name, count]) => `${name} ${count}`)
  return (
    `${venueKills} kills (${victims.join(', ')}): ${closed.size} closed, ${refunded.size} refunded, ${cancelled.size} cancelled, ` +
    `${accepted.size} orders accepted, ${refused.size} refused, ${deliveries} deliveries, ${acknowledged.lost} answers lost and asked for again`
  )
}
