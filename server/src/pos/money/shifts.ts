import { amountTooLarge, fieldProblem, noCashShift, validationFailed } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { type CashShift, cashShifts } from '../../resources/money/cash-shifts.ts'
import { fromScaled, LARGEST_SCALED, toScaled } from '../../values/values.ts'

// P15, S5: which cash shift a payment belongs to, and what moves it.

interface At {
  readonly terminal_id?: number | undefined
  /** The shift that staff name. */
  readonly cash_shift_id?: string | undefined
}

/** P15: the shift that a cash payment belongs to; undefined where there is none and the venue keeps none. */
export async function cashShiftFor(context: CommandContext, place: At): Promise<CashShift | undefined> {
  const shift = await openShiftAt(context, place)
  if (shift) return shift
  const { tx, caller } = context
  const settings = await tx.text('select settings from venues where brand_id = ? and id = ?', [
    caller.brand_id,
    caller.venue_id,
  ])
  if ((JSON.parse(settings!) as { cash_shift: number }).cash_shift === 1) throw noCashShift()
  return undefined
}

/** The open shift that was named, else that of the terminal, else the venue's only one. A sale without cash counts in it too. */
export async function openShiftAt({ tx, caller }: CommandContext, place: At): Promise<CashShift | undefined> {
  const { brand_id, venue_id } = caller
  if (place.cash_shift_id !== undefined) {
    const body = await tx.text('select body from cash_shifts where brand_id = ? and venue_id = ? and id = ?', [
      brand_id,
      venue_id,
      place.cash_shift_id.toLowerCase(),
    ])
    if (body === undefined)
      throw validationFailed([fieldProblem('cash_shift_id', 'exists', `${place.cash_shift_id} does not exist here`)])
    const shift = JSON.parse(body) as CashShift
    if (shift.status !== 'OPEN') throw noCashShift()
    return shift
  }
  const open = (
    await tx.texts(
      // `order by` makes SQLite use the index of open shifts. Without it, it reads every shift of the venue.
      `select body from cash_shifts where brand_id = ? and venue_id = ? and status = 'OPEN' order by terminal_id`,
      [brand_id, venue_id],
    )
  ).map((body) => JSON.parse(body) as CashShift)
  return open.find(({ terminal_id }) => terminal_id === place.terminal_id) ?? (open.length === 1 ? open[0] : undefined)
}

/**
 * What a sale, a refund or cash in and out do to an open shift. P16: it is locked here, after the balances; one that was closed since
 * it was found takes no more, and the command is refused.
 */
export async function moveShift(
  context: CommandContext,
  { id }: Pick<CashShift, 'id'>,
  change: { cash: number; receipts: number },
  { unpublished = true } = {},
): Promise<CashShift> {
  const shift = await lockShift(context, id)
  if (shift?.status !== 'OPEN') throw noCashShift()
  const expected = toScaled(shift.expected_amount)! + change.cash
  if (Math.abs(expected) > LARGEST_SCALED) throw amountTooLarge('The expected amount of the cash shift')
  const moved: CashShift = {
    ...shift,
    expected_amount: fromScaled(expected),
    receipts: shift.receipts + change.receipts,
  }
  await cashShifts.update({ ...context, unpublished }, [moved])
  return moved
}

/** Nobody else changes it before this transaction is over. */
export async function lockShift(context: CommandContext, id: string): Promise<CashShift | undefined> {
  const row = await cashShifts.lock<{ body: string }>(context, id.toLowerCase(), 'body', context.caller.venue_id)
  return row && (JSON.parse(row.body) as CashShift)
}
