import { closeReceipt } from '../pos/closing/close.ts'
import { payPart } from '../pos/closing/pay.ts'
import { cancelReceipt, changeReceipt, openReceipt } from '../pos/receipts/commands.ts'
import { fireCourse, moveTickets, sendReceipt } from '../pos/receipts/kitchen.ts'
import { labelReceipt } from '../pos/receipts/labels.ts'
import { addLines, voidLine } from '../pos/receipts/lines.ts'
import type { NewLine } from '../pos/receipts/new-line.ts'
import type { WholeReceipt } from '../pos/receipts/whole-receipt.ts'
import { refundReceipt } from '../pos/refunds/refund.ts'
import type { CommandContext } from '../resource/write/commands.ts'
import { ticketsOf } from '../resources/sales/receipt-lines.ts'
import { definedOnly } from '../values/defined-only.ts'
import type { TicketStep } from '../values/states.ts'
import { noteWhy } from './acts.ts'
import { percentOf, type Scaled, scaled, toWire } from './decimal.ts'
import { CARD, CUSTOMER_BALANCE, DELIVERY, TAKE_AWAY } from './methods.ts'
import { HOUR } from './opening-hours.ts'
import { MANAGER } from './people.ts'
import type { Line, Sale } from './sales.ts'
import type { Staff } from './staff.ts'
import type { Timeline } from './timeline.ts'

// What staff do from the moment guests sit down, by the commands that the till uses (P7).

/** T6: what waits is fired when the guests have eaten what came before. */
const MAINS = 2
const LAST_COURSE = 9

/** Somebody may still look at what was ordered lately; of the past only the end is known. */
const WATCHED = 3 * HOUR

/** Puts all that is done about a sale on the timeline. */
export function serve(
  sale: Sale,
  { staff, timeline, today }: { staff: Staff; timeline: Timeline; today: number },
): void {
  const { venue_id, user_id, opened, stay, turn } = sale
  /** The receipt as the last command left it. */
  let current: WholeReceipt
  const step = (
    share: number,
    user_id: number,
    command: (context: CommandContext, id: number) => Promise<WholeReceipt>,
  ) =>
    timeline.schedule(opened + Math.floor(stay * share), async (now) => {
      const context = staff.acting(venue_id, user_id, now)
      current = await command(context, current.receipt.id)
      await noteWhy(context)
    })
  const kitchen = (share: number, ...names: TicketStep[]) =>
    step(share, user_id, (context, id) => {
      const tickets = ticketsOf(current.lines).filter(({ state }) => state !== 'VOID' && state !== 'SERVED')
      return moveTickets(
        context,
        id,
        tickets.flatMap((ticket) => names.map((name) => ({ ticket_id: ticket.id, step: name }))),
      )
    })
  const cook = (from: number, to: number) => {
    if (today - opened >= WATCHED) return kitchen(to, 'ready', 'serve')
    kitchen(from, 'start')
    kitchen((from + to) / 2, 'ready')
    kitchen(to, 'serve')
  }

  const close = (share: number) =>
    step(share, user_id, async (context, id) => {
      const payment_methods = await paymentsOf(context, sale, current)
      const closed = await closeReceipt(context, id, { payment_methods }, {})
      const labels = labelsOf(sale, id)
      return Object.keys(labels).length > 0 ? labelReceipt(context, id, labels, {}) : closed
    })

  const [first, late] = turn.hasLateLine ? [sale.lines.slice(0, -1), sale.lines.slice(-1)] : [sale.lines, []]
  timeline.schedule(opened, async (now) => {
    const context = staff.acting(venue_id, user_id, now)
    current = await open(context, sale, first.map(newLine))
    await noteWhy(context)
  })
  if (sale.sale_type_id === TAKE_AWAY.id && !turn.isCancelled && !turn.isLeftOpen) {
    close(0.1) // what is taken away is paid first, and goes to the kitchen with that
    cook(0.3, 1)
  } else {
    step(0.02, user_id, sendReceipt)
    if (turn.hasVoid)
      step(0.1, MANAGER, (context, id) => voidLine(context, id, current.lines.at(-1)!.shown.id, { waste: false }))
    cook(0.15, 0.4)
    if (turn.isCancelled) {
      step(0.6, MANAGER, (context, id) => cancelReceipt(context, id, { waste: true }))
      return
    }
    step(0.41, user_id, (context, id) => fireCourse(context, id, { course: MAINS }))
    cook(0.42, 0.49)
    if (late.length > 0) {
      step(0.5, user_id, (context, id) => addLines(context, id, { lines: late.map(newLine) }))
      step(0.51, user_id, sendReceipt)
    }
    step(0.55, user_id, (context, id) => fireCourse(context, id, { course: LAST_COURSE }))
    cook(0.6, 0.7)
    if (turn.hasPart)
      step(0.9, user_id, (context, id) =>
        payPart(context, id, { payment_methods: [payment(CARD, percentOf(remainingOf(current), 30))] }),
      )
    if (turn.isLeftOpen) return
    close(1)
  }
  if (turn.refund) {
    const { after, whole, waste } = turn.refund
    timeline.schedule(opened + stay + after, async (now) => {
      const lines = whole ? undefined : [partOf(current)]
      const { delivery_fee = 0 } = current.receipt
      const context = staff.acting(venue_id, MANAGER, now)
      await refundReceipt(context, current.receipt.id, {
        ...definedOnly({ lines }),
        ...(whole && delivery_fee > 0 && { delivery_fee: true }),
        waste,
      })
      await noteWhy(context)
    })
  }
}

/** The first till has a fiscal printer. S3: a courier reports the arrival. */
const labelsOf = ({ terminal_id, sale_type_id }: Sale, id: number) => ({
  ...(terminal_id === FISCAL && { fiscal_id: `F1-${String(id).padStart(8, '0')}` }),
  ...(sale_type_id === DELIVERY.id && { order_status: 'COMPLETED' as const }),
})

const FISCAL = 1

/** An amount off that is worth more than the bill is kept for another day. */
async function open(context: CommandContext, sale: Sale, lines: NewLine[]): Promise<WholeReceipt> {
  const { cid, sale_type_id, terminal_id, table_id, guests, customer_id, ordered } = sale
  const current = await openReceipt(
    context,
    {
      cid,
      sale_type_id,
      terminal_id,
      ...definedOnly({ table_id, guests, customer_id }),
      lines,
    },
    ordered,
  )
  const { id, subtotal = 0, total_discount = 0 } = current.receipt
  return subtotal > total_discount ? current : changeReceipt(context, id, { discount: { discount_type: 0 } })
}

const newLine = ({ cid, sold, count, extras, discount, isGift }: Line): NewLine => ({
  cid,
  product_id: sold.id,
  count: sold.clock ? count * sold.clock.interval : count, // of a timer: minutes
  ...(extras.length > 0 && { modifiers: extras.map((extra) => ({ modifier_id: extra.id })) }),
  ...(discount > 0 && { discount_type: 1 as const, discount_value: discount }),
  ...(isGift && { is_gift: true }),
})

const remainingOf = ({ receipt }: WholeReceipt): Scaled => scaled(receipt.remaining ?? 0)

const payment = ({ id }: { id: number }, amount: Scaled) => ({ id, amount: toWire(amount) })

/** What remains, by the customer's balance first where they wish it, then by the methods of the sale. */
async function paymentsOf(context: CommandContext, sale: Sale, current: WholeReceipt) {
  const { customer_id, paid } = sale
  const whole = remainingOf(current)
  const own = customer_id !== undefined && paid.ownBalance ? await balanceOf(context, customer_id) : 0
  const byBalance = Math.min(own, whole)
  const rest = whole - byBalance
  const part = percentOf(rest, paid.percent)
  const [method, other] = paid.methods
  return [
    payment(CUSTOMER_BALANCE, byBalance),
    { ...payment(method!, part), ...tipOf(sale, whole) },
    ...(other ? [payment(other, rest - part)] : []),
  ].filter(({ amount }) => amount > 0)
}

/** T12: every third table leaves something in whole coins. */
function tipOf({ cid, table_id }: Sale, whole: Scaled): { tip?: number } {
  const tip = Math.floor(toWire(percentOf(whole, 7)))
  return table_id !== undefined && tip > 0 && Number.parseInt(cid.slice(0, 2), 16) % 3 === 0 ? { tip } : {}
}

async function balanceOf({ tx, caller }: CommandContext, customer_id: number): Promise<Scaled> {
  const [balance] = await tx.rows<{ amount: number }>(
    `select amount from balances where brand_id = ? and customer_id = ? and type = 'CUSTOMER'`,
    [caller.brand_id, String(customer_id)],
  )
  return balance?.amount ?? 0
}

/** One of what somebody did not like; time at the billiard table is given back as a whole. */
function partOf({ lines }: WholeReceipt) {
  const { shown, copied } = lines.find((line) => line.shown.state !== 'VOID')!
  return { id: shown.id, count: copied.timer ? shown.count : 1 }
}
