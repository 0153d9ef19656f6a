import { setTimeout as sleep } from 'node:timers/promises'
import { lockDirectory } from '../../server/src/directory/audit.ts'
import { exportMenu } from '../../server/src/menu/spreadsheet/export.ts'
import { planMenu } from '../../server/src/menu/spreadsheet/plan.ts'
import { readState } from '../../server/src/menu/spreadsheet/state.ts'
import { auditBooks } from '../../server/src/pos/books/audit.ts'
import type { Answer } from '../harness/client.ts'
import { type Engine, install, retryWhileBusy } from '../harness/installation.ts'
import { signedInOwner } from '../harness/office/staff.ts'
import { type Server, serve } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { menuRows } from './rows.ts'

const LINES = 1_500
const ADDED = 20
const KILLS_THAT_MEET = 10 // of as many, one at least must leave nothing and one the whole file

/** M17: the process is killed while a spreadsheet is applied. Asked again under the same key it is applied once. */
export async function killedImport(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { importKills } = trial.sizes
  const random = trial.random(`killed import ${engine}`)
  const installation = await install(trial, engine, menuRows())
  const { db, brand_id } = installation
  const staff = await signedInOwner(trial, installation)
  let server: Server = await serve(trial, installation)
  const post = (path: string, file: Buffer, key?: string): Promise<Answer> =>
    staff(server.url, 'POST', `/menu-import/${path}`, { body: file, ...(key !== undefined && { key }) })
  const apply = async (file: Buffer, key: string) => {
    const planned = await retryWhileBusy(() => post('plan', file))
    if (planned.status !== 200) throw new Error(`the plan: ${planned.status} ${JSON.stringify(planned.body)}`)
    const { plan } = planned.body.data as { plan: string }
    return () => post(`apply?plan=${plan}`, file, key)
  }
  const changesLeft = async (file: Buffer) => {
    const { plan } = await planMenu(await readState(db, brand_id), file)
    return plan.created + plan.changed
  }

  const first = await retryWhileBusy(await apply(sheet(0), 'round 0'))
  if (first.status !== 200) throw new Error(`the first file: ${first.status} ${JSON.stringify(first.body)}`)
  const counted = { whole: 0, nothing: 0, unanswered: 0 }
  for (let round = 1; round <= importKills; round++) {
    const file = sheet(round)
    const before = await exportMenu(db, brand_id)
    const send = await apply(file, `round ${round}`)
    const answering = send()
    await sleep(random.between(0, Math.ceil(first.ms)))
    await server.stop('SIGKILL')
    const { status } = await answering
    if (status === 0) counted.unanswered++
    await db.transaction(lockDirectory) // PostgreSQL may still be ending what the process had begun under this lock
    const isNothing = (await exportMenu(db, brand_id)) === before
    if (isNothing) counted.nothing++
    else if ((await changesLeft(file)) === 0) counted.whole++
    else reportFailure(`round ${round}: a part of the file is there`)
    if (status === 200 && isNothing) reportFailure(`round ${round}: it was answered, and nothing is there`)
    if (![0, 200, 503].includes(status)) reportFailure(`round ${round}: answered ${status}`)

    server = await serve(trial, installation)
    const again = await retryWhileBusy(send)
    if (again.status !== 200) reportFailure(`round ${round}, again: ${again.status} ${JSON.stringify(again.body)}`)
    if ((await changesLeft(file)) > 0) reportFailure(`round ${round}, again: it was answered, and is not there`)
  }
  const { whole, nothing, unanswered } = counted
  if (importKills >= KILLS_THAT_MEET && (whole === 0 || nothing === 0))
    reportFailure(`no kill met an import: ${whole} were whole, ${nothing} nothing`)
  const [noted] = await db.rows<{ imports: number }>(
    "select count(*) imports from audit where brand_id = ? and action = 'menu.import'",
    [brand_id],
  )
  if (Number(noted!.imports) !== importKills + 1) reportFailure(`${noted!.imports} imports are noted, not one a file`)
  const { findings } = await auditBooks(db, brand_id)
  for (const finding of findings) reportFailure(JSON.stringify(finding))
  return `${importKills} kills in files of ${LINES} lines: ${whole} were whole, ${nothing} nothing, ${unanswered} without an answer; each applied once when asked again`
}

/** Every dish has another price, its own and in a list, and some are new, in a category of their own. */
function sheet(round: number): Buffer {
  const line = (name: string, category: string) => `${name},DISH,${category},${round + 1},${round + 2}`
  const known = Array.from({ length: LINES - ADDED }, (_, index) => line(`Dish ${index}`, 'Dishes'))
  const added = Array.from({ length: ADDED }, (_, index) => line(`New ${round}-${index}`, `Round ${round}`))
  return Buffer.from(['name,type,category,price,price:L1', ...known, ...added].join('\r\n'))
}
