import Type, { type Static } from 'typebox'
import { duplicateCid, fieldProblem, orderReceipt, receiptPaid } from '../../http/errors.ts'
import type { IfMatch } from '../../http/if-match.ts'
import { Id, Maybe } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { isUsedUuid } from '../../resources/sales/sale-uuids.ts'
import { businessDay } from '../../values/business-day.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { AMOUNT_OFF, CANCELLED } from '../../values/states.ts'
import { fromScaled, laterOf, toScaled } from '../../values/values.ts'
import { venueRule } from '../menu.ts'
import { repricedLines } from '../receipts/commands.ts'
import { courseSent, firedCourse } from '../receipts/kitchen.ts'
import { isVoid, type Line, MAX_LINES, refuse, tooManyLines } from '../receipts/line.ts'
import { requestHashOf } from '../receipts/new-line.ts'
import { withRaisedStatus } from '../receipts/order-status.ts'
import { findByCid, lockReceipt, refuseAnotherVersion } from '../receipts/store.ts'
import { billOf, mustBeEditable, type WholeReceipt, withTotals } from '../receipts/whole-receipt.ts'
import { totalsOf } from '../totals.ts'
import { type Destination, writeMove } from './moving.ts'
import { moveTickets, type NewLineKey, type Parting, partLines, shareAmount, type Taken } from './parting.ts'

// T9: a receipt is split, lines move to another one, and one is merged into another. Lines keep their ids and states: nothing is cooked
// twice, lost or sold twice.

const MAX_PARTS = 20

const TakenLine = Type.Object(
  { id: Id(), count: Maybe(Type.Number({ description: 'A part of its count; absent: all of it' })) },
  { additionalProperties: false },
)

export const Split = Type.Object(
  {
    parts: Type.Array(
      Type.Object(
        {
          cid: Type.String({ format: 'uuid', description: 'The new receipt’s own key' }),
          seats: Maybe(Type.Array(Type.Integer({ minimum: 1, maximum: 99 }), { description: 'All that they ordered' })),
          lines: Maybe(Type.Array(TakenLine, { maxItems: MAX_LINES })),
          guests: Maybe(Type.Integer({ minimum: 0 })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MAX_PARTS },
    ),
  },
  { $id: 'ReceiptSplit', additionalProperties: false },
)
export type Split = Static<typeof Split>
type Part = Split['parts'][number]

const Target = {
  receipt_id: Id(),
  version: Maybe(Type.Integer({ minimum: 1, description: 'Only if that receipt still has this version' })),
}
export const MoveLines = Type.Object(
  { lines: Type.Array(TakenLine, { minItems: 1, maxItems: MAX_LINES }), ...Target },
  { $id: 'LinesMove', additionalProperties: false },
)
export type MoveLines = Static<typeof MoveLines>

export const Merge = Type.Object(Target, { $id: 'ReceiptMerge', additionalProperties: false })
export type Merge = Static<typeof Merge>

/** Where a command only says what it would do, it gives no ids. */
interface Dry {
  readonly isDry: boolean
}

/** Moves some of the lines to new receipts. A repeated call with the same cids and content is the same split. */
export async function splitReceipt(
  context: CommandContext,
  id: number,
  { parts }: Split,
  ifMatch: IfMatch | undefined,
  { isDry }: Dry,
): Promise<{ source: WholeReceipt; parts: WholeReceipt[] }> {
  const before = await lockReceipt(context, id, undefined, { isAnyones: isDry })
  const repeated = await repeatedSplit(context, before, parts) // under the lock: of two at once the second finds what the first made
  if (repeated) return repeated
  refuseAnotherVersion(before, ifMatch)
  mustLetGo(before)
  if (parts.length < 1 || parts.length > MAX_PARTS)
    refuse([fieldProblem('parts', 'range', `must be 1 to ${MAX_PARTS}`)])
  refuse(faultsOfParts(parts))
  const wanted = parts.map((part, index) => wantedOf(before, part, index))
  refuse(
    wanted.flatMap(({ taken, path }) =>
      taken.length > 0 ? [] : [fieldProblem(path, 'required', 'must name at least one line')],
    ),
  )
  const { parting, tickets } = parted(context, before, wanted, isDry)
  if (!parting.stays.some((line) => !isVoid(line)))
    refuse([{ field: 'parts', rule: 'minimum', message: 'At least one line stays.' }])
  const offs = sharedDiscounts(before, parting)
  const { money_places: _, ...day } = await venueRule(context)
  const shift_date = businessDay(context.now, day)
  const made = parts.map((part, index) => {
    const receipt_id = isDry ? 0 : context.ids.take('receipt_id')
    const empty = partOf(context, before, part, { id: receipt_id, shift_date, content: contentOf(id, part) })
    return withRaisedStatus(
      withTotals({ ...withOff(empty, offs[index + 1]), lines: parting.goes[index]!.map(({ line }) => line) }),
    )
  })
  const staying = { ...withOff(withFewerGuests(before, parts), offs[0]), lines: parting.stays }
  const after = withRaisedStatus(withTotals(withGone(staying, parting)))
  if (isDry) return { source: after, parts: made }
  const destinations = made.map((whole, index): Destination => {
    return { before: undefined, after: whole, going: parting.goes[index]! }
  })
  const written = await writeMove(context, { source: { before, after }, destinations, tickets })
  return { source: written.source, parts: written.destinations }
}

/** Moves lines to another open receipt of the venue. */
export async function moveLines(
  context: CommandContext,
  id: number,
  { lines, ...to }: MoveLines,
  ifMatch: IfMatch | undefined,
  { isDry }: Dry,
): Promise<WholeReceipt> {
  const { source: before, target } = await lockBoth(context, id, to, ifMatch, isDry)
  mustLetGo(before)
  mustBeEditable(target)
  const wanted = [{ taken: lines, path: 'lines' }]
  const { parting, tickets } = parted(context, before, wanted, isDry)
  if (!parting.stays.some((line) => !isVoid(line)))
    refuse([{ field: 'lines', rule: 'maximum', message: 'All of them would go: merge the receipts instead.' }])
  const after = withRaisedStatus(withTotals(withGone({ ...before, lines: parting.stays }, parting)))
  const destination = await received(context, before, target, parting)
  if (isDry) return destination.after
  const written = await writeMove(context, { source: { before, after }, destinations: [destination], tickets })
  return written.destinations[0]!
}

/** Moves all lines of a receipt to another one. The source ends, without counting as a cancellation. */
export async function mergeReceipt(
  context: CommandContext,
  id: number,
  to: Merge,
  ifMatch: IfMatch | undefined,
  { isDry }: Dry,
): Promise<WholeReceipt> {
  const { source: before, target } = await lockBoth(context, id, to, ifMatch, isDry)
  mustLetGo(before)
  mustBeEditable(target)
  const { paid = 0, payment_methods = [], tip = 0 } = before.receipt
  if (payment_methods.length > 0 || tip > 0) throw receiptPaid(paid)
  const taken = before.lines.filter((line) => !isVoid(line)).map(({ shown }) => ({ id: shown.id }))
  const { parting, tickets } = parted(context, before, [{ taken, path: 'lines' }], isDry)
  const destination = await received(context, before, withMoreGuests(target, before), parting)
  if (isDry) return destination.after
  const after = withTotals({
    ...before,
    receipt: {
      ...before.receipt,
      status: CANCELLED,
      order_status: 'CANCELLED',
      deleted_at: laterOf(context.now, before.receipt.created_at),
      merged_into: to.receipt_id,
    },
    lines: parting.stays,
  })
  const written = await writeMove(context, {
    source: { before, after },
    destinations: [destination],
    tickets,
    told: { merged_into: to.receipt_id },
  })
  return written.destinations[0]!
}

/** Locks both receipts, in the order of their ids (P16). */
async function lockBoth(
  context: CommandContext,
  id: number,
  { receipt_id, version }: Merge,
  ifMatch: IfMatch | undefined,
  isDry: boolean,
) {
  if (id === receipt_id)
    refuse([{ field: 'receipt_id', rule: 'other', message: 'receipt_id must be another receipt.' }])
  const whose = { isAnyones: isDry } // what would be done is told to everybody
  const lockSource = () => lockReceipt(context, id, ifMatch, whose)
  const lockTarget = () =>
    lockReceipt(context, receipt_id, version === undefined ? undefined : [String(version)], whose)
  if (id < receipt_id) {
    const source = await lockSource()
    return { source, target: await lockTarget() }
  }
  const target = await lockTarget()
  return { source: await lockSource(), target }
}

/** I7: an order has one receipt, so its lines stay. */
function mustLetGo(whole: WholeReceipt): void {
  mustBeEditable(whole)
  if (whole.receipt.order_id !== undefined) throw orderReceipt()
}

/** The lines that are named, and all that their seats ordered. */
function wantedOf(whole: WholeReceipt, { lines = [], seats = [] }: Part, index: number) {
  const named = new Set(lines.map(({ id }) => id))
  const ordered = whole.lines.filter(
    (line) => !isVoid(line) && seats.includes(line.shown.seat ?? 0) && !named.has(line.shown.id),
  )
  return { taken: [...lines, ...ordered.map(({ shown }) => ({ id: shown.id }))], path: `parts[${index}].lines` }
}

function parted(
  { ids }: CommandContext,
  { lines, terms }: WholeReceipt,
  wanted: readonly { readonly taken: readonly Taken[]; readonly path: string }[],
  isDry: boolean,
) {
  let dryId = 0
  const newId = () => (isDry ? --dryId : ids.take('receipt_line_id'))
  const newKey = (): NewLineKey => ({ id: newId(), cid: ids.uuid() })
  return moveTickets(partLines(lines, wanted, terms.money_places, newKey), newId)
}

const faultsOfParts = (parts: readonly Part[]) =>
  parts.flatMap(({ cid }, index) =>
    parts.findIndex((other) => other.cid.toLowerCase() === cid.toLowerCase()) < index
      ? [fieldProblem(`parts[${index}].cid`, 'unique', 'must be another one')]
      : [],
  )

const contentOf = (id: number, part: Part) => requestHashOf({ split: id, ...part })

/** The answer of a split that was done already. */
async function repeatedSplit(context: CommandContext, source: WholeReceipt, parts: readonly Part[]) {
  const found: WholeReceipt[] = []
  for (const part of parts) {
    const cid = part.cid.toLowerCase()
    const existing = await findByCid(context, cid)
    const isSame =
      existing?.terms.content === contentOf(source.receipt.id, part) &&
      existing.receipt.venue_id === context.caller.venue_id
    if (existing ? !isSame : await isUsedUuid(context.tx, context.caller.brand_id, cid)) throw duplicateCid('receipt')
    if (existing) found.push(existing)
  }
  if (found.length === 0) return undefined
  if (found.length < parts.length) throw duplicateCid('receipt')
  return { source, parts: found }
}

/** A new receipt at the same table, by the same terms; the delivery fee stays where it is. */
function partOf(
  { now }: CommandContext,
  { receipt, rule, terms }: WholeReceipt,
  { cid, guests }: Part,
  { id, shift_date, content }: { id: number; shift_date: string; content: string },
): WholeReceipt {
  const { venue_id, user_id, terminal_id, source, customer_id, sale_type_id, table_id } = receipt
  const { discount_type, discount_value, service_charge } = receipt
  const { money_places, charge_tax, discount_given } = terms
  return {
    receipt: {
      id,
      venue_id,
      cid: cid.toLowerCase(),
      ...definedOnly({ user_id, terminal_id, source, customer_id, sale_type_id, guests }),
      status: 1,
      lock: false,
      payment_methods: [],
      ...definedOnly({ discount_type, discount_value, service_charge }),
      delivery_fee: 0,
      order_status: 'NEW',
      created_at: now,
      paid: 0,
      shift_date,
      ...definedOnly({ table_id }),
    },
    rule,
    terms: { money_places, ...definedOnly({ charge_tax, discount_given }), content },
    lines: [],
  }
}

/**
 * Lines that left are remembered by their cids: a till that repeats its request does not add them again. A course that was fired stays fired
 * (T6), although its lines have left.
 */
function withGone(whole: WholeReceipt, { goes }: Parting): WholeReceipt {
  const left = goes.flat().filter(({ partOf }) => partOf === undefined)
  const gone = left.map(({ line }) => ({ cid: line.shown.cid, content: line.copied.content }))
  const fired = firedCourse([whole.terms.fired, ...left.map(({ line }) => courseSent(line))])
  const terms = { ...whole.terms, gone: [...(whole.terms.gone ?? []), ...gone], ...(fired > 0 && { fired }) }
  return { ...whole, terms }
}

function withFewerGuests(whole: WholeReceipt, parts: readonly Part[]): WholeReceipt {
  const { guests } = whole.receipt
  if (guests === undefined) return whole
  const gone = parts.reduce((sum, part) => sum + (part.guests ?? 0), 0)
  return { ...whole, receipt: { ...whole.receipt, guests: Math.max(0, guests - gone) } }
}

function withMoreGuests(whole: WholeReceipt, { receipt }: WholeReceipt): WholeReceipt {
  if (!receipt.guests) return whole
  return { ...whole, receipt: { ...whole.receipt, guests: (whole.receipt.guests ?? 0) + receipt.guests } }
}

/** An amount off the receipt is shared over what it applied to (P9): the source's part, then one a destination. */
function sharedDiscounts({ receipt, terms }: WholeReceipt, { stays, goes }: Parting): (number | undefined)[] {
  if (receipt.discount_type !== AMOUNT_OFF) return []
  const groups = [stays, ...goes.map((going) => going.map(({ line }) => line))]
  const bases = groups.map((lines) => fromScaled(discountBase({ receipt, terms, lines, rule: 1 })))
  return shareAmount(toScaled(receipt.discount_value ?? 0)!, bases, terms.money_places).map(fromScaled)
}

const discountBase = (whole: WholeReceipt): number => totalsOf(billOf(whole)).discount_base

const withOff = (whole: WholeReceipt, discount_value: number | undefined): WholeReceipt =>
  discount_value === undefined ? whole : { ...whole, receipt: { ...whole.receipt, discount_value } }

/** The target with the lines that come to it. What was not sent costs there what its sale type says. */
async function received(
  context: CommandContext,
  source: WholeReceipt,
  target: WholeReceipt,
  parting: Parting,
): Promise<Destination> {
  const [going] = parting.goes as [Parting['goes'][number]]
  let arrived: Line[] = going.map(({ line }) => line)
  const { sale_type_id } = target.receipt
  if (sale_type_id !== undefined && sale_type_id !== source.receipt.sale_type_id)
    arrived = await repricedLines(context, arrived, sale_type_id)
  if (target.lines.length + arrived.length > MAX_LINES) refuse([tooManyLines()])
  return {
    before: target,
    after: withRaisedStatus(withTotals({ ...target, lines: [...target.lines, ...arrived] })),
    going,
  }
}
