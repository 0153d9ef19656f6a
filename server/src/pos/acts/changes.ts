import type { ActNote } from '../../resource/write/acts.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { CANCELLED, UNDISCOUNTED } from '../../values/states.ts'
import { toScaled } from '../../values/values.ts'
import { belowMenu, type Line } from '../receipts/line.ts'
import type { WholeReceipt } from '../receipts/whole-receipt.ts'

// T21: what is to be said of a receipt that was saved. It is found by comparing, so that no command has to say it.

/** Notes what a saved receipt has become. */
export function noteChanges({ acts }: CommandContext, before: WholeReceipt | undefined, after: WholeReceipt): void {
  const { id, version = 0 } = after.receipt
  acts.touched.set(id, version)
  acts.notes.push(...changesOf(before, after))
}

/** Lines that moved were given away where they were added; a part of one is another line (T9). */
export function noteMoved(
  { acts }: CommandContext,
  { receipt }: WholeReceipt,
  {
    parts,
    from,
    to,
  }: { parts: readonly Line[]; from?: readonly number[] | undefined; to?: readonly number[] | undefined },
): void {
  acts.touched.set(receipt.id, receipt.version ?? 0)
  const receipt_id = receipt.id
  acts.notes.push({ receipt_id, ...(from && { from: from.join(' ') }), ...(to && { to: to.join(' ') }) })
  for (const { shown } of parts) if (shown.is_gift) acts.notes.push({ receipt_id, action: 'part', line_id: shown.id })
}

/** What changed between two states of a receipt, as the journal names it. */
export function changesOf(before: WholeReceipt | undefined, after: WholeReceipt): ActNote[] {
  const { receipt } = after
  const receipt_id = receipt.id
  if (!before && receipt.parent_id !== undefined) return [refunded(after)]
  const total = (whole: WholeReceipt | undefined) => toScaled(whole?.receipt.total ?? 0)!
  if (receipt.status === CANCELLED)
    return before?.receipt.status === CANCELLED
      ? []
      : [{ receipt_id, action: 'cancel', kind: 'cancel', amount: total(before) }]
  const known = new Map(before?.lines.map((line) => [line.shown.id, line]))
  return [
    ...after.lines.flatMap((line) =>
      changesOfLine(receipt_id, known.get(line.shown.id), line, after.terms.money_places),
    ),
    ...discounted(before, after),
    ...moved(before, after),
    ...paid(before, after),
  ]
}

function refunded({ receipt }: WholeReceipt): ActNote {
  const { parent_id, id, total = 0 } = receipt
  return { receipt_id: parent_id!, action: 'refund', kind: 'refund', amount: -toScaled(total)!, to: String(id) }
}

function changesOfLine(
  receipt_id: number,
  before: Line | undefined,
  { shown, copied }: Line,
  money_places: number,
): ActNote[] {
  const line_id = shown.id
  const was = before?.shown
  if (shown.state === 'VOID') {
    if (!was || was.state === 'VOID') return []
    const amount = toScaled(was.total)!
    // The kitchen knows of what was sent; a line that nobody has seen is only taken off again.
    return was.state === 'NEW'
      ? [{ receipt_id, action: 'remove', line_id, amount }]
      : [{ receipt_id, action: 'void', kind: 'void', line_id, amount }]
  }
  // What was given away, and of a line that grows what more is. A gift has its act also where it costs nothing (I20).
  const note = (
    kind: 'gift' | 'discount' | 'price',
    now: number,
    given: number | undefined,
    to?: number,
  ): ActNote[] => {
    const amount = now - (given ?? 0)
    if (given !== undefined && amount <= 0) return []
    return [{ receipt_id, action: kind, kind, line_id, amount, ...(to !== undefined && { to: String(to) }) }]
  }
  const below = belowMenu({ shown, copied }, money_places)
  const price = below > 0 ? note('price', below, before && belowMenu(before, money_places), shown.price) : []
  if (shown.is_gift)
    return [...price, ...note('gift', toScaled(shown.subtotal)!, was?.is_gift ? toScaled(was.subtotal)! : undefined)]
  if (shown.discount_type === UNDISCOUNTED) return price
  const isSame = shown.discount_type === was?.discount_type && shown.discount_value === was.discount_value
  const given = isSame ? toScaled(was.total_discount)! : undefined
  return [...price, ...note('discount', toScaled(shown.total_discount)!, given)]
}

/** A discount that somebody gave; that of a customer's group is nobody's act. */
function discounted(before: WholeReceipt | undefined, { receipt, terms }: WholeReceipt): ActNote[] {
  const { id: receipt_id, discount_type = UNDISCOUNTED, discount_value = 0 } = receipt
  const was = before?.receipt
  const isSame = discount_type === (was?.discount_type ?? UNDISCOUNTED) && discount_value === (was?.discount_value ?? 0)
  if (isSame || !terms.discount_given || discount_type === UNDISCOUNTED) return []
  const amount = toScaled(receipt.total_discount ?? 0)! - toScaled(was?.total_discount ?? 0)!
  return [{ receipt_id, action: 'discount', kind: 'discount', amount, to: String(discount_value) }]
}

/** Another table, another waiter. */
function moved(before: WholeReceipt | undefined, { receipt }: WholeReceipt): ActNote[] {
  if (!before) return []
  const receipt_id = receipt.id
  const named = [
    ['table', 'table_id'],
    ['transfer', 'user_id'],
  ] as const
  return named.flatMap(([action, member]): ActNote[] => {
    const [from, to] = [before.receipt[member], receipt[member]]
    if (from === to) return []
    return [
      {
        receipt_id,
        action,
        ...(from !== undefined && { from: String(from) }),
        ...(to !== undefined && { to: String(to) }),
      },
    ]
  })
}

function paid(before: WholeReceipt | undefined, { receipt }: WholeReceipt): ActNote[] {
  const amount = toScaled(receipt.paid ?? 0)! - toScaled(before?.receipt.paid ?? 0)!
  return amount === 0 ? [] : [{ receipt_id: receipt.id, amount }]
}
