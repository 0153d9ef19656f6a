import {
  duplicateCid,
  type FieldProblem,
  fieldProblem,
  lineSent,
  noSuchRecord,
  receiptCancelled,
} from '../../http/errors.ts'
import type { IfMatch } from '../../http/if-match.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { CANCELLED } from '../../values/states.ts'
import { laterOf } from '../../values/values.ts'
import { takenMovements } from '../closing/movements.ts'
import { mustHave } from '../context.ts'
import { menuItems } from '../menu.ts'
import { moveStock } from '../stock/move.ts'
import { keepPortions } from '../stop-list/portions.ts'
import { type Line, MAX_LINES, refuse, refuseNothing, tooManyLines, voided } from './line.ts'
import {
  changedLine,
  isDiscounted,
  isReduced,
  isRenamed,
  type LineChange,
  type MenuItem,
  makeLine,
  type NewLine,
  pricedAt,
  requestHashOf,
} from './new-line.ts'
import { withRaisedStatus } from './order-status.ts'
import { lockReceipt, saveReceipt } from './store.ts'
import { mustBeEditable, type WholeReceipt, withTotals } from './whole-receipt.ts'

// S2: lines are added, changed while they were not sent, and voided.

/** Adds lines; skips one whose cid exists with the same content. `replaces`: the cid of a line that was not sent, which they stand for. */
export async function addLines(
  context: CommandContext,
  id: number,
  { lines: input, replaces }: { readonly lines: readonly NewLine[]; readonly replaces?: string | undefined },
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const before = await lockReceipt(context, id, ifMatch)
  if (before.receipt.status === CANCELLED) throw receiptCancelled()
  const fresh = freshLines(before, input)
  if (input.length > 0 && fresh.length === 0) return before // a repeated request, also for a receipt that is locked or closed by now
  mustBeEditable(before)
  const kept = replaces === undefined ? before : withoutLine(before, replaces)
  const lines = [...kept.lines, ...(await newLines(context, before, input))]
  const after = withTotals({ ...before, lines })
  await keepPortions(context, before, after)
  const saved = await saveReceipt(context, before, after)
  if (replaces !== undefined) context.acts.notes.push({ receipt_id: id }) // the journal names what went, and that something came
  return saved
}

/** The receipt with a line voided that was not sent. Its portions are free for what takes its place. */
function withoutLine(whole: WholeReceipt, cid: string): WholeReceipt {
  const line = whole.lines.find(({ shown }) => shown.cid === cid.toLowerCase())
  if (!line) throw refuse([fieldProblem('replaces', 'exists', 'must be a line of this receipt')])
  if (line.shown.state !== 'NEW') throw lineSent(line.shown.state)
  return replaced(whole, voided(line, false))
}

/** Returns the requested lines that the receipt does not have yet. */
function freshLines(whole: WholeReceipt, input: readonly NewLine[]): NewLine[] {
  const there = new Map([
    ...(whole.terms.gone ?? []).map(({ cid, content }) => [cid, content] as const),
    ...whole.lines.map(({ shown, copied }) => [shown.cid, copied.content] as const),
  ])
  return input.filter((line) => {
    const cid = line.cid.toLowerCase()
    const requestHash = there.get(cid)
    if (requestHash !== undefined && requestHash !== requestHashOf(line)) throw duplicateCid('line')
    there.set(cid, requestHashOf(line))
    return requestHash === undefined
  })
}

/** Builds the requested lines that the receipt does not have yet. */
export async function newLines(
  context: CommandContext,
  whole: WholeReceipt,
  input: readonly NewLine[],
): Promise<Line[]> {
  const fresh = freshLines(whole, input)
  if (whole.lines.length + fresh.length > MAX_LINES) refuse([tooManyLines()])
  const items = await menuItems(
    context,
    fresh.map(({ product_id }) => product_id),
    whole.receipt.sale_type_id!,
    context.now,
  )
  refuse(missing(input, fresh, items))
  const itemOf = ({ product_id, priced_at }: NewLine) => {
    const item = items.get(product_id)!
    return priced_at === undefined ? item : pricedAt(item, priced_at)
  }
  const isGiven = (line: NewLine, item: MenuItem) => isReduced(line, item) || isRenamed(line, item)
  if (fresh.some((line) => isGiven(line, itemOf(line)))) mustHave(context, 'receipts:discount')
  return fresh.map((line) =>
    makeLine(context.ids.take('receipt_line_id'), line, itemOf(line), {
      money_places: whole.terms.money_places,
      now: laterOf(context.now, whole.receipt.created_at),
      user_id: context.caller.user.id,
      at: line.priced_at,
      path: `lines[${input.indexOf(line)}]`,
    }),
  )
}

const missing = (input: readonly NewLine[], fresh: readonly NewLine[], items: ReadonlyMap<number, MenuItem>) =>
  fresh.flatMap((line): FieldProblem[] => {
    if (items.has(line.product_id)) return []
    const field = `lines[${input.indexOf(line)}].product_id`
    return [fieldProblem(field, 'exists', `${line.product_id} is no product of this brand`)]
  })

/** Changes a line that was not sent. */
export async function changeLine(
  context: CommandContext,
  id: number,
  line_id: number,
  change: LineChange,
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  refuseNothing(change)
  if (isDiscounted(change)) mustHave(context, 'receipts:discount')
  const before = await lockReceipt(context, id, ifMatch)
  mustBeEditable(before)
  const line = findLine(before, line_id)
  if (line.shown.state !== 'NEW') throw lineSent(line.shown.state)
  if (change.count !== undefined && change.count > line.shown.count && isGivenAway(line))
    mustHave(context, 'receipts:discount') // more of it is given away
  const after = withTotals(replaced(before, changedLine(line, change, before.terms.money_places)))
  await keepPortions(context, before, after)
  return saveReceipt(context, before, after)
}

/** Takes a line off the bill. It stays as void, and what was made of it goes back to stock or is waste. */
export async function voidLine(
  context: CommandContext,
  id: number,
  line_id: number,
  { waste }: { waste: boolean },
  ifMatch?: IfMatch,
): Promise<WholeReceipt> {
  const before = await lockReceipt(context, id, ifMatch)
  mustBeEditable(before)
  const line = findLine(before, line_id)
  if (line.shown.state === 'VOID') return before
  if (line.shown.state === 'SERVED') throw lineSent(line.shown.state)
  if (line.shown.state !== 'NEW') mustHave(context, 'receipts:void') // the kitchen knows of it
  const gone = voided(line, waste)
  const after = withTotals(replaced(before, gone))
  await keepPortions(context, before, after)
  if (gone.copied.waste) await moveStock(context, takenMovements(after, [gone])) // it was made
  return saveReceipt(context, before, withRaisedStatus(after)) // it may have been the last one that was not ready
}

const isGivenAway = ({ shown, copied }: Line) => isDiscounted(shown) || copied.menu_price !== undefined

function findLine({ lines }: WholeReceipt, line_id: number): Line {
  const line = lines.find(({ shown }) => shown.id === line_id)
  if (!line) throw noSuchRecord()
  return line
}

const replaced = (whole: WholeReceipt, line: Line): WholeReceipt => ({
  ...whole,
  lines: whole.lines.map((each) => (each.shown.id === line.shown.id ? line : each)),
})
