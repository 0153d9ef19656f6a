import { soldOut } from '../../http/errors.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import { type PortionMove, portionMoves } from '../../resources/menu/portion-moves.ts'
import { places } from '../../storage/upsert.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { isVoid, type Line } from '../receipts/line.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'

// P17: portions of the stop list are held for the lines of orders and receipts, and come back when a line goes. A line's hold is recorded
// in the ledger: it remembers the entry that it came from, and returns to no other.

/** Portions for a line to hold, ×10,000. */
export interface Portion {
  readonly product_id: number
  readonly line_cid: string
  readonly count: number
}

/** Context of a portion move: transaction, actor, venue and time. */
export interface Moving extends WriteContext {
  readonly caller: { readonly brand_id: number; readonly venue_id: number }
}

/** Remaining portions of products that are on the stop list of the venue. */
async function entriesOf({ tx, caller, now }: Moving, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.rows<{ id: number; remaining: number }>(
    `select id, remaining from stop_list where brand_id = ? and venue_id = ? and id in ${places(ids)}
       and (until is null or until > ?)`,
    [caller.brand_id, caller.venue_id, ...ids, now],
  )
  return new Map(rows.map(({ id, remaining }) => [id, remaining]))
}

/** Sums by product, in the order of locks (P16). */
const byProduct = (portions: readonly Portion[]) =>
  [...Map.groupBy(portions, ({ product_id }) => product_id)]
    .map(([product_id, own]) => ({ product_id, own, count: own.reduce((sum, { count }) => sum + count, 0) }))
    .sort((one, other) => one.product_id - other.product_id)

/** Refuses portions that the stop list does not have, and holds nothing. */
export async function checkPortions(context: Moving, portions: readonly Portion[]): Promise<void> {
  const wanted = byProduct(portions)
  const left = await entriesOf(
    context,
    wanted.map(({ product_id }) => product_id),
  )
  const lacking = wanted.filter(({ product_id, count }) => (left.get(product_id) ?? count) < count)
  if (lacking.length > 0)
    throw soldOut(lacking.map(({ product_id }) => ({ id: product_id, limit: fromScaled(left.get(product_id)!) })))
}

/** Holds portions of products on the stop list, each product by one conditional update; refuses if one has too few. */
export async function holdPortions(context: Moving, receipt_cid: string, portions: readonly Portion[]): Promise<void> {
  const { tx, caller, now } = context
  const wanted = byProduct(portions)
  const left = await entriesOf(
    context,
    wanted.map(({ product_id }) => product_id),
  )
  const lacking: { id: number; limit: number }[] = []
  for (const { product_id, own, count } of wanted.filter((each) => left.has(each.product_id))) {
    const [entry] = await tx.rows<MovedEntry>(
      `update stop_list set remaining = remaining - ?, moves = moves + ?
       where brand_id = ? and venue_id = ? and id = ? and (until is null or until > ?) and remaining >= ?
       returning entry, remaining, moves`,
      [count, own.length, caller.brand_id, caller.venue_id, product_id, now, count],
    )
    if (entry) {
      const moves = own.map((each) => ({ line_cid: each.line_cid, quantity: -each.count }))
      await record(context, { receipt_cid, product_id, venue_id: caller.venue_id, entry, moves })
      continue
    }
    const remaining = (await entriesOf(context, [product_id])).get(product_id)
    if (remaining !== undefined) lacking.push({ id: product_id, limit: fromScaled(remaining) })
  }
  if (lacking.length > 0) throw soldOut(lacking)
}

/**
 * Releases what lines of a receipt hold; without `lines`, what all of them hold. Portions of an entry that is gone return nowhere, and
 * must not be counted as released: the line may hold portions of the present entry too.
 */
export async function releasePortions(
  context: Moving,
  receipt_cid: string,
  lines?: ReadonlyMap<string, number>,
): Promise<void> {
  const { tx, caller } = context
  const held = await heldBy(context, receipt_cid)
  const back = held
    .map(({ held: all, ...row }) => ({ ...row, quantity: lines ? Math.min(all, lines.get(row.line_cid) ?? 0) : all }))
    .filter(({ quantity }) => quantity > 0)
  for (const [named, own] of Map.groupBy(back, ({ entry }) => entry)) {
    const { product_id, venue_id } = own[0]!
    const [entry] = await tx.rows<MovedEntry>(
      `update stop_list set remaining = remaining + ?, moves = moves + ?
       where brand_id = ? and venue_id = ? and id = ? and entry = ? returning entry, remaining, moves`,
      [own.reduce((sum, { quantity }) => sum + quantity, 0), own.length, caller.brand_id, venue_id, product_id, named],
    )
    if (entry) await record(context, { receipt_cid, product_id, venue_id, entry, moves: own })
  }
}

interface Hold {
  readonly line_cid: string
  readonly entry: string
  readonly product_id: number
  readonly venue_id: number
  readonly held: number
}

/** What lines of a receipt hold of present entries, in the order of locks (P16). */
const heldBy = ({ tx, caller }: Moving, receipt_cid: string): Promise<Hold[]> =>
  tx.rows<Hold>(
    `select line_cid, moves.entry, moves.product_id, moves.venue_id, cast(-sum(moves.quantity) as bigint) as held
     from portion_moves as moves join stop_list on stop_list.brand_id = moves.brand_id
       and stop_list.venue_id = moves.venue_id and stop_list.id = moves.product_id and stop_list.entry = moves.entry
     where moves.brand_id = ? and receipt_cid = ? group by line_cid, moves.entry, moves.product_id, moves.venue_id
     having sum(moves.quantity) < 0 order by moves.product_id, line_cid`,
    [caller.brand_id, receipt_cid],
  )

/** A line that went to another receipt, whole or as a part of `from`. */
export interface PassedLine {
  readonly from: string
  /** What stays of it, ×10,000. */
  readonly stays: number
  readonly line_cid: string
  readonly receipt_cid: string
}

/** T9: what lines hold goes with them, entry by entry; nothing becomes free, so the stop list is not asked. */
export async function passPortions(context: Moving, receipt_cid: string, lines: readonly PassedLine[]): Promise<void> {
  const { tx, caller } = context
  const held = await heldBy(context, receipt_cid)
  const left = new Map(held.map((hold) => [hold, hold.held]))
  const passed = lines.flatMap((line) =>
    held
      .filter(({ line_cid }) => line_cid === line.from)
      .flatMap((hold) => {
        const quantity = left.get(hold)! - Math.min(left.get(hold)!, line.stays)
        left.set(hold, left.get(hold)! - quantity)
        return quantity === 0 ? [] : [{ hold, line, quantity }]
      }),
  )
  const byEntry = Map.groupBy(passed, ({ hold }) => hold.entry)
  for (const [named, own] of byEntry) {
    const { product_id, venue_id } = own[0]!.hold
    const [entry] = await tx.rows<MovedEntry>(
      `update stop_list set moves = moves + ? where brand_id = ? and venue_id = ? and id = ? and entry = ?
       returning entry, remaining, moves`,
      [2 * own.length, caller.brand_id, venue_id, product_id, named],
    )
    const moves = own.flatMap(({ line, quantity }) => [
      { line_cid: line.from, quantity },
      { line_cid: line.line_cid, receipt_cid: line.receipt_cid, quantity: -quantity },
    ])
    if (entry) await record(context, { receipt_cid, product_id, venue_id, entry, moves, isPassed: true })
  }
}

/** An entry after its moves. */
interface MovedEntry {
  entry: string
  remaining: number
  moves: number
}

interface Moves {
  readonly receipt_cid: string
  readonly product_id: number
  readonly venue_id: number
  readonly entry: MovedEntry
  /** Moves of lines. One names its receipt where that is another one. */
  readonly moves: readonly { readonly line_cid: string; readonly quantity: number; readonly receipt_cid?: string }[]
  /** From one receipt to another: nothing is sold out or back by it. */
  readonly isPassed?: boolean
}

async function record(context: Moving, { receipt_cid, product_id, venue_id, entry, moves, isPassed }: Moves) {
  const { tx, brand_id, now } = context
  const started = entry.remaining - moves.reduce((sum, { quantity }) => sum + quantity, 0)
  let before = started
  const rows = moves.map(({ line_cid, quantity, receipt_cid: other = receipt_cid }, index): PortionMove => {
    const row = {
      id: `${entry.entry}:${entry.moves - moves.length + index + 1}`,
      venue_id,
      entry: entry.entry,
      product_id,
      quantity: fromScaled(quantity),
      before: fromScaled(before),
      after: fromScaled(before + quantity),
      receipt_cid: other,
      line_cid,
      moved_at: now,
    }
    before += quantity
    return row
  })
  await portionMoves.insert({ ...context, unpublished: true }, rows)
  if (isPassed || (started !== 0 && entry.remaining !== 0)) return
  const data = { id: product_id, product_id, limit: fromScaled(entry.remaining) }
  tx.publish({ brand_id, type: 'stop_list.changed', subject: String(product_id), venue_id, data })
}

/** I8: a line holds its portions until it is void; a line that was made and wasted keeps them. */
const portionOf = ({ shown, copied }: Line): Portion => ({
  product_id: shown.product_id,
  line_cid: shown.cid,
  count: isVoid({ shown, copied }) && !copied.waste ? 0 : toScaled(shown.count)!,
})

export const portionsOf = (lines: readonly Line[]): Portion[] => lines.map(portionOf)

/** Holds what lines of a receipt need more than before, and releases what they need less. */
export async function keepPortions(
  context: Moving,
  before: WholeReceipt | undefined,
  after: WholeReceipt,
): Promise<void> {
  const existing = new Map(before?.lines.map((line) => [line.shown.id, portionOf(line).count]))
  const steps = after.lines.map((line) => ({
    ...portionOf(line),
    step: portionOf(line).count - (existing.get(line.shown.id) ?? 0),
  }))
  const { cid } = after.receipt
  if (cid === undefined) return // history, which holds nothing
  const less = steps.filter(({ step }) => step < 0).map(({ line_cid, step }) => [line_cid, -step] as const)
  if (less.length > 0) await releasePortions(context, cid, new Map(less))
  const more = steps.filter(({ step }) => step > 0).map(({ step, ...portion }) => ({ ...portion, count: step }))
  if (more.length > 0) await holdPortions(context, cid, more)
}
