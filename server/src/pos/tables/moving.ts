import type { CommandContext } from '../../resource/write/commands.ts'
import { ticketsOf } from '../../resources/sales/receipt-lines.ts'
import { places } from '../../storage/upsert.ts'
import { toScaled } from '../../values/values.ts'
import type { Line } from '../receipts/line.ts'
import { type MovedLines, nextNumber, saveMoved } from '../receipts/store.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'
import { type PassedLine, passPortions } from '../stop-list/portions.ts'
import type { Going, TicketMoves } from './parting.ts'

// T9: what moves in the store when lines go from one receipt to others, in the order of locks (P16): portions, then the rows with
// the numbers of new receipts.

export interface Destination {
  /** Undefined where it is a new receipt. */
  readonly before: WholeReceipt | undefined
  readonly after: WholeReceipt
  readonly going: readonly Going[]
}

export interface Move {
  readonly source: { readonly before: WholeReceipt; readonly after: WholeReceipt }
  readonly destinations: readonly Destination[]
  readonly tickets: TicketMoves
  /** What the source's event says besides where its lines went. */
  readonly told?: MovedLines
}

/** Writes all of a move; returns the source and the destinations as they are now. */
export async function writeMove(
  context: CommandContext,
  { source, destinations, tickets, told }: Move,
): Promise<{ source: WholeReceipt; destinations: WholeReceipt[] }> {
  const source_id = source.before.receipt.id
  const { cid } = source.before.receipt
  if (cid !== undefined) await passPortions(context, cid, destinations.flatMap(passedLines))
  const saved: WholeReceipt[] = []
  for (const { before, after: planned, going } of destinations) {
    const after = before ? planned : await numbered(context, planned)
    const arrived = going.filter(({ partOf }) => partOf === undefined).map(({ line }) => line)
    saved.push(await saveMoved(context, before, after, { arrived, told: { moved_from: [source_id] } }))
  }
  await writeTicketMoves(context, source, saved, tickets)
  const moved_to = saved.map(({ receipt }) => receipt.id)
  const left = { ...source.before, lines: source.after.lines.map((line) => sameLine(source.before, line)) }
  const after = await saveMoved(context, left, source.after, { arrived: [], told: { moved_to, ...told } })
  return { source: after, destinations: saved }
}

async function numbered(context: CommandContext, whole: WholeReceipt): Promise<WholeReceipt> {
  const number = await nextNumber(context, whole.receipt.shift_date!)
  return { ...whole, receipt: { ...whole.receipt, number } }
}

/** A line of the source as it was: what left is not its own any more. */
const sameLine = ({ lines }: WholeReceipt, line: Line): Line =>
  lines.find(({ shown }) => shown.id === line.shown.id) ?? line

const passedLines = ({ after, going }: Destination): PassedLine[] =>
  going.map(({ line, partOf }) => ({
    from: (partOf ?? line).shown.cid,
    stays: partOf ? toScaled(partOf.shown.count)! : 0,
    line_cid: line.shown.cid,
    receipt_cid: after.receipt.cid!,
  }))

/** A ticket that parts is written as it is, so that nobody cooks its lines again; what stays of it may be further than what went. */
async function writeTicketMoves(
  { tx, caller, now }: CommandContext,
  source: Move['source'],
  saved: readonly WholeReceipt[],
  { carried, parted }: TicketMoves,
): Promise<void> {
  const { brand_id } = caller
  const source_id = source.before.receipt.id
  const targets = saved.map(({ receipt }) => receipt.id)
  const lines = [source.after, ...saved].flatMap((whole) => whole.lines)
  const states = new Map(ticketsOf(lines).map(({ id, state }) => [id, state]))
  for (const { id, state: was } of ticketsOf(source.before.lines)) {
    const state = states.get(id) ?? was
    if (state !== was)
      await tx.run('update tickets set state = ?, updated_at = ? where brand_id = ? and id = ?', [
        state,
        now,
        brand_id,
        id,
      ])
  }
  for (const [to, own] of Map.groupBy(carried, ([, index]) => index)) {
    const ids = own.map(([id]) => id)
    await tx.run(
      `update tickets set receipt_id = ?, moved_from = ?, updated_at = ? where brand_id = ? and id in ${places(ids)}`,
      [targets[to]!, source_id, now, brand_id, ...ids],
    )
  }
  for (const { id, from, to } of parted)
    await tx.run(
      `insert into tickets (brand_id, id, venue_id, receipt_id, station_id, state, created_at, updated_at, moved_from)
       select brand_id, ?, venue_id, ?, station_id, ?, created_at, ?, ? from tickets where brand_id = ? and id = ?`,
      [id, targets[to]!, states.get(id)!, now, source_id, brand_id, from],
    )
}
