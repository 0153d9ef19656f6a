import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../harness/client.ts'
import { client, ENGINES, type Engine, install, retryWhileBusy } from '../harness/installation.ts'
import { signedInOwner } from '../harness/office/staff.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { openKiller } from '../venue/killer.ts'
import { checkTables, watchKitchen } from './books.ts'
import { COUNTED, HOUSE, nothingYet, PORTIONS } from './house.ts'
import { finish, startService, stepsDone } from './service.ts'

const CREW = 6
const LATEST_MS = 200
const DONE_BETWEEN = 5 // steps that must be done after a kill, or the next one would meet nothing
const KILLS_THAT_MEET = 10 // of as many, one at least must have cost an answer, and everything was done
const CHANGES = ['split', 'move', 'merge', 'fire', 'pay', 'close', 'tip', 'refund', 'cancel', 'void', 'cook']

/** T9, T12: receipts are split, moved, merged, fired, paid, tipped and given back while everything that they run on is killed. */
export async function tables(trial: Trial): Promise<void> {
  for (const engine of ENGINES)
    await trial.promise(
      `each dish is made once, sold once and each tip is kept, whatever moves and is killed, ${engine}`,
      (reportFailure) => serveAmidKills(trial, engine, reportFailure),
    )
}

async function serveAmidKills(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { tableKills, tableSteps, tableWorkers } = trial.sizes
  const random = trial.random(`tables ${engine}`)
  const installation = await install(trial, engine, HOUSE)
  await watchKitchen(installation.db, engine)
  const { server, kill } = await openKiller(trial, engine, installation, tableWorkers)
  const staff = await signedInOwner(trial, installation)
  const reader = await client(trial, server().url, installation.credentials)
  const told = nothingYet()
  const crew = { staff, reader, random, told, busy: new Map(), url: () => server().url }
  const limited = await retryWhileBusy(() =>
    staff(server().url, 'PUT', `/stop-list/${COUNTED}`, { body: { limit: PORTIONS } }),
  )
  if (limited.status !== 200) throw new Error(`a limit: ${limited.status} ${JSON.stringify(limited.body)}`)
  const check = (isOver: boolean) => checkTables(installation, told, reportFailure, { isOver })
  const killed: Record<string, number> = {}
  for (let kills = 1; kills <= tableKills; kills++) {
    const service = startService(crew, CREW)
    const until = (steps: number) =>
      waitUntil(`${steps} steps`, 120_000, () => stepsDone(told) >= steps).catch(async (error) => {
        await service.end() // which says what went wrong
        throw error
      })
    await until(Math.floor((tableSteps * kills) / tableKills))
    await sleep(random.between(0, LATEST_MS))
    const victim = await kill(random)
    killed[victim] = (killed[victim] ?? 0) + 1
    reader.moveTo(server().url)
    await until(stepsDone(told) + DONE_BETWEEN)
    await service.end()
    await check(false)
  }
  await finish(crew)
  await check(true)
  if (tableKills >= KILLS_THAT_MEET) {
    for (const name of CHANGES) if (!told.done[name]) reportFailure(`${name} was never done`)
    if (told.lost === 0) reportFailure('no kill cost an answer')
  }
  const listed = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')
  return (
    `${tableKills} kills (${listed(killed)}), ${stepsDone(told)} steps (${listed(told.done)}), ${told.refused} refused, ` +
    `${told.lost} answers lost and asked for again`
  )
}
