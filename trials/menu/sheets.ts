import type { Random } from '../../server/src/demo/random.ts'
import { Refusal } from '../../server/src/http/errors.ts'
import { applyMenu } from '../../server/src/menu/spreadsheet/apply.ts'
import { exportMenu } from '../../server/src/menu/spreadsheet/export.ts'
import { planMenu } from '../../server/src/menu/spreadsheet/plan.ts'
import { readState } from '../../server/src/menu/spreadsheet/state.ts'
import { auditBooks } from '../../server/src/pos/books/audit.ts'
import { putRows } from '../../server/test/database/store.ts'
import { type Engine, install } from '../harness/installation.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { menuRows, randomRows } from './rows.ts'

class Cut extends Error {}

/** M17: downloads that were spoilt are imported whole or not at all, also where the import ends in the middle of its transaction. */
export async function spoiltSheets(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const random = trial.random(`sheets ${engine}`)
  const { db, brand_id } = await install(trial, engine, menuRows())
  for (let row = 0; row < 40; row++) await putRows(db, brand_id, randomRows(random)).catch(() => {})
  const done = { applied: 0, refused: 0, cut: 0 }
  for (let turn = 0; turn < trial.sizes.spoiltSheets; turn++) {
    const before = await exportMenu(db, brand_id)
    const file = Buffer.from(spoilt(before, random))
    const isCut = random.percent(20)
    const now = new Date().toISOString()
    const outcome = await db
      .transaction(async (tx) => {
        await applyMenu({ tx, brand_id, actor: 'trust', now }, file, undefined)
        if (isCut) throw new Cut()
      }, 'import')
      .then(
        () => undefined,
        (error: Error) => error,
      )
    if (outcome === undefined) {
      done.applied++
      const { plan } = await planMenu(await readState(db, brand_id), file)
      // A product that was made is found by its name from now on; with two of a name that says so.
      if (plan.created + plan.changed > 0)
        reportFailure(`imported again it would change something: ${plan.rows[0]?.name}`)
    } else {
      if (outcome instanceof Cut) done.cut++
      else if (outcome instanceof Refusal && outcome.status < 500) done.refused++
      else reportFailure(outcome.stack ?? outcome.message)
      if ((await exportMenu(db, brand_id)) !== before) reportFailure(`${outcome.message}: a part of the file is there`)
    }
  }
  const { findings } = await auditBooks(db, brand_id)
  for (const finding of findings) reportFailure(JSON.stringify(finding))
  const { applied, refused, cut } = done
  return `${applied} imported, ${refused} refused, ${cut} cut off before the commit; the books are sound`
}

const JUNK = [
  '',
  '0',
  '-1',
  '4,5',
  '1e9',
  'none',
  'milk eggs',
  '=1+1',
  '"',
  '\u0000',
  'C1 > C2',
  '#2',
  'é'.repeat(300),
  '99999999999',
]

/** The file with a few cells and lines spoilt. */
function spoilt(text: string, random: Random): string {
  const [head = '', ...lines] = text.split('\r\n').filter((line) => line !== '')
  for (let change = random.between(1, 3); change > 0; change--) {
    const at = random.between(0, lines.length - 1)
    const cells = lines[at]!.split(',')
    const cell = random.between(0, cells.length - 1)
    const kind = random.between(1, 6)
    if (kind <= 3) lines[at] = cells.with(cell, random.pick(JUNK)).join(',')
    else if (kind === 4) lines.splice(at, 1)
    else if (kind === 5) lines.push(cells.with(0, '').join(','))
    else lines[at] = lines[at]!.slice(0, random.between(0, lines[at]!.length))
  }
  return [head, ...lines, ''].join('\r\n')
}
