import { type FieldProblem, validationFailed } from '../../http/errors.ts'
import type { Copied, ReceiptLine } from '../../resources/sales/receipt-schema.ts'
import { toScaled } from '../../values/values.ts'
import { type Taken, takenBy } from '../recipe.ts'
import { roundTo, unitOf } from '../rounding.ts'
import type { BillLine } from '../totals.ts'

/** P10 */
export const MAX_LINES = 200

export const tooManyLines = (): FieldProblem => ({
  field: 'lines',
  rule: 'maximum',
  message: `A receipt has at most ${MAX_LINES} lines.`,
  maximum: MAX_LINES,
})

/** A line of a receipt: what it shows, and what was copied to it from the menu when it was added. */
export interface Line {
  readonly shown: ReceiptLine
  readonly copied: Copied
}

export const isVoid = ({ shown }: Line) => shown.state === 'VOID'

/** Only what was sent can have been made, so only that can be waste. */
export const voided = (line: Line, waste: boolean): Line =>
  isVoid(line)
    ? line
    : {
        shown: { ...line.shown, state: 'VOID', hold: false },
        copied: { ...line.copied, waste: waste && line.shown.state !== 'NEW' },
      }

/** The line as the totals take it (P11). */
export const billLine = ({ shown, copied }: Line): BillLine => ({
  id: shown.id,
  price: toScaled(shown.price)!,
  modifiers: shown.modifiers.map(({ id, price, count }) => ({ id, price: toScaled(price)!, count })),
  count: toScaled(shown.count)!,
  portion_size: toScaled(shown.portion_size)!,
  timer: copied.timer,
  discount_type: shown.discount_type,
  discount_value: toScaled(shown.discount_value)!,
  is_gift: shown.is_gift,
  discountable: copied.discountable,
  ignore_service_charge: copied.ignore_service_charge,
  taxes: copied.taxes,
})

/** By how much a line costs less than the menu asks, before any discount; 0 where it does not. ×10,000 */
export function belowMenu({ shown, copied }: Line, money_places: number): number {
  const { menu_price } = copied
  if (menu_price === undefined) return 0
  const count = BigInt(copied.timer ? SCALE : toScaled(shown.count)!) // a timer's price is that of its minutes
  const portions = BigInt(
    copied.sold_by_weight ? toScaled(shown.portion_size)! : Math.max(SCALE, toScaled(shown.portion_size)!),
  )
  const scale = BigInt(SCALE)
  const full = roundTo(unitOf(money_places), BigInt(menu_price) * count * portions, scale * scale)
  return Math.max(0, Number(full) - toScaled(shown.subtotal)!)
}

const SCALE = 10_000

/** P20: what the line takes from stock, by the recipe that was copied to it. */
export const takenByLine = ({ shown, copied }: Line): Taken[] =>
  takenBy({
    recipe: copied.recipe,
    count: toScaled(shown.count)!,
    portion_size: toScaled(shown.portion_size)!,
  })

/** Refuses a body with everything that is wrong with it. */
export function refuse(faults: readonly FieldProblem[]): void {
  const [first, ...others] = faults
  if (first) throw validationFailed([first, ...others])
}

/** Refuses a change that changes nothing. */
export function refuseNothing(change: object): void {
  if (Object.keys(change).length === 0)
    refuse([{ field: 'body', rule: 'required', message: 'Give at least one member to change.' }])
}
